/// \file
/// Launches: sizes and arguments through the forms that host code uses.
#include "helpers/FrontendTesting.h"

using namespace gpuestimate;

namespace {

TEST(FrontendLaunches, Constants) {
  TranslationUnit Unit = parseText(R"(
#define BLOCK 128
constexpr int N = 1 << 20;
const int Rows = 64;
enum { Columns = 32 };
__global__ void literal(int n) {}
__global__ void macro(int n) {}
__global__ void shared(int n) {}
__global__ void three(int n) {}
__global__ void real(float a, bool b) {}
__global__ void twice(int n) {}
void host() {
  literal<<<10, 256>>>(7);
  macro<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(N);
  shared<<<1, 64, 64 * sizeof(float)>>>(sizeof(double));
  three<<<dim3(Columns, Rows, 2), dim3(8, 4, 2)>>>(Rows % 7);
  real<<<1, 1>>>(0.5f, true);
  twice<<<1, 32>>>(1);
  twice<<<2, 32>>>(2);
}
)");
  EXPECT_EQ(shape(launchOf(Unit, "literal")), "<10> <256>");
  EXPECT_EQ(argument(launchOf(Unit, "literal"), "n"), "7");
  EXPECT_EQ(shape(launchOf(Unit, "macro")), "<8192> <128>");
  EXPECT_EQ(argument(launchOf(Unit, "macro"), "n"), "1048576");
  EXPECT_EQ(shape(launchOf(Unit, "shared")), "<1> <64> 256");
  EXPECT_EQ(argument(launchOf(Unit, "shared"), "n"), "8");
  EXPECT_EQ(shape(launchOf(Unit, "three")), "<32, 64, 2> <8, 4, 2>");
  EXPECT_EQ(argument(launchOf(Unit, "three"), "n"), "1");
  EXPECT_EQ(argument(launchOf(Unit, "real"), "a"), "0.5");
  EXPECT_EQ(argument(launchOf(Unit, "real"), "b"), "1");
  auto Twice = launchesOf(Unit, "twice");
  ASSERT_EQ(Twice.size(), 2u);
  EXPECT_EQ(shape(*Twice[0]), "<1> <32>");
  EXPECT_EQ(shape(*Twice[1]), "<2> <32>");
  EXPECT_EQ(Twice[1]->Location.Line, 19u);
  EXPECT_EQ(Twice[1]->Function, "host");
  EXPECT_EQ(text(Twice[1]->Repeats), "1");
}

TEST(FrontendLaunches, Variables) {
  TranslationUnit Unit = parseText(R"(
#include <algorithm>
__global__ void assigned(int n) {}
__global__ void components(int n) {}
__global__ void copied(int n) {}
__global__ void branch(int n) {}
__global__ void arithmetic(int n) {}
__global__ void later(int n) {}
int global = 48;
void host() {
  int n = 1000, threads;
  threads = 128;
  assigned<<<(n + threads - 1) / threads, threads>>>(n);

  dim3 block(16, 8), grid;
  grid.x = (n + block.x - 1) / block.x;
  grid.y = 3;
  components<<<grid, block>>>(block.x * block.y);
  dim3 same = block;
  copied<<<dim3(grid.y), same>>>(global);

  int blocks = n / 256;
  if (n % 256) ++blocks;
  branch<<<blocks, 256>>>(blocks);

  n *= 2;
  n += 5;
  int shift = n >> 3;
  arithmetic<<<std::min(n, 64), std::max(shift & 96, 32)>>>(n % 100 ? n : 0);
  n = 4;
  later<<<n, 32>>>(n - 6);
}
)");
  EXPECT_EQ(shape(launchOf(Unit, "assigned")), "<8> <128>");
  EXPECT_EQ(argument(launchOf(Unit, "assigned"), "n"), "1000");
  EXPECT_EQ(shape(launchOf(Unit, "components")), "<63, 3> <16, 8>");
  EXPECT_EQ(argument(launchOf(Unit, "components"), "n"), "128");
  EXPECT_EQ(shape(launchOf(Unit, "copied")), "<3> <16, 8>");
  EXPECT_EQ(argument(launchOf(Unit, "copied"), "n"), "48");
  EXPECT_EQ(shape(launchOf(Unit, "branch")), "<4> <256>");
  EXPECT_EQ(shape(launchOf(Unit, "arithmetic")), "<64> <96>");
  EXPECT_EQ(argument(launchOf(Unit, "arithmetic"), "n"), "2005");
  EXPECT_EQ(shape(launchOf(Unit, "later")), "<4> <32>");
  EXPECT_EQ(argument(launchOf(Unit, "later"), "n"), "-2");
}

TEST(FrontendLaunches, UnknownsStaySymbolic) {
  TranslationUnit Unit = parseText(R"(
#include <cstdlib>
#include <cmath>
__global__ void parameter(float *p, int n) {}
__global__ void argument(int n) {}
__global__ void ceiling(int n) {}
__global__ void overridden(int n) {}
__global__ void written(int n) {}
__global__ void property(int n) {}
__global__ void inPlace(int n) {}
__global__ void helper(int n) {}
void read(int *);
int option(char **argv) { int value = -1; read(&value); return value; }
void library(float *p, int n) {
  parameter<<<(n + 255) / 256, 256>>>(p, n * 2);
}
int main(int argc, char **argv) {
  int size = atoi(argv[1]);
  argument<<<size, 256>>>(size);
  ceiling<<<(int)ceil((float)size / 128), 128>>>(size);
  int count = 4096;
  if (argc > 2) count = atoi(argv[2]);
  overridden<<<count / 64, 64>>>(count);
  int value = 3;
  read(&value);
  written<<<1, 32>>>(value);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  property<<<prop.multiProcessorCount * 2, 32>>>(0);
  inPlace<<<atoi(argv[3]), 32>>>(1);
  int chosen = option(argv);
  helper<<<1, 32>>>(chosen);
}
)");
  const LaunchSite &Parameter = launchOf(Unit, "parameter");
  EXPECT_EQ(shape(Parameter), "<ceil(n/256)> <256>");
  EXPECT_EQ(argument(Parameter, "n"), "2*n");
  EXPECT_EQ(argument(Parameter, "p"), "none");
  EXPECT_EQ(shape(launchOf(Unit, "argument")), "<size> <256>");
  EXPECT_EQ(shape(launchOf(Unit, "ceiling")), "<ceil(size/128)> <128>");
  const LaunchSite &Overridden = launchOf(Unit, "overridden");
  EXPECT_EQ(argument(Overridden, "n"), "count");
  ASSERT_TRUE(Overridden.Defaults.contains("count"));
  EXPECT_EQ(Overridden.Defaults.lookup("count"), 4096);
  const LaunchSite &Written = launchOf(Unit, "written");
  EXPECT_EQ(argument(Written, "n"), "value") << "a call may have changed it";
  EXPECT_FALSE(Written.Defaults.contains("value"));
  EXPECT_EQ(shape(launchOf(Unit, "property")),
            "<2*gpu.multiProcessorCount> <32>");
  EXPECT_EQ(shape(launchOf(Unit, "inPlace")), "<null> <32>");
  EXPECT_EQ(argument(launchOf(Unit, "helper"), "n"), "chosen")
      << "named after what the caller calls it";
}

TEST(FrontendLaunches, ThroughFunctions) {
  TranslationUnit Unit = parseText(R"(
__global__ void called(int n) {}
__global__ void many(int n) {}
__global__ void sized(int n) {}
template <typename T> __global__ void typed(T *p, int n) {}
template <int B> __global__ void blocked(int n) {}
static int divideUp(int a, int b) { return a % b ? a / b + 1 : a / b; }
int roundUp(int a, int b) { if (a % b == 0) return a; return (a / b + 1) * b; }
dim3 gridFor(int w, int h) { return dim3(divideUp(w, 16), divideUp(h, 16)); }
void inner(int n, int b = 64) { called<<<n / b, b>>>(n); }
void outer(int n) { inner(n * 2); }
void any(int n) { many<<<n, 32>>>(n); }
template <typename T> void run(int n) { T *p; cudaMalloc(&p, n * sizeof(T)); typed<T><<<n, 32>>>(p, n); }
template <int B> void runBlocked() { blocked<B><<<1024 / B, B>>>(B); }
int main() {
  outer(512);
  any(1);
  any(2);
  any(1);
  sized<<<gridFor(100, 33), dim3(16, 16)>>>(roundUp(100, 32));
  run<float>(10);
  run<double>(20);
  runBlocked<128>();
}
)");
  EXPECT_EQ(shape(launchOf(Unit, "called")), "<16> <64>");
  EXPECT_EQ(argument(launchOf(Unit, "called"), "n"), "1024");
  auto Many = launchesOf(Unit, "many");
  ASSERT_EQ(Many.size(), 2u) << "one for each different way";
  EXPECT_EQ(shape(*Many[0]), "<1> <32>");
  EXPECT_EQ(text(Many[0]->Repeats), "2");
  EXPECT_EQ(shape(*Many[1]), "<2> <32>");
  EXPECT_EQ(shape(launchOf(Unit, "sized")), "<7, 3> <16, 16>");
  EXPECT_EQ(argument(launchOf(Unit, "sized"), "n"), "128");
  EXPECT_EQ(argument(launchOf(Unit, "typed<float>"), "p"), "40");
  EXPECT_EQ(argument(launchOf(Unit, "typed<double>"), "p"), "160");
  EXPECT_EQ(shape(launchOf(Unit, "blocked<128>")), "<8> <128>");
}

TEST(FrontendLaunches, OtherWaysToLaunch) {
  TranslationUnit Unit = parseText(R"(
__global__ void byPointer(float *p, int n) {}
__global__ void variable(int n) {}
__global__ void inLambda(int n) {}
struct Solver {
  int size = 256;
  float *data;
  void setup() { cudaMalloc(&data, size * 4); }
  void solve();
};
__global__ void method(float *p, int n) {}
void Solver::solve() { method<<<size / 64, 64>>>(data, size); }
void host() {
  float *p; int n = 77;
  cudaMalloc((void **)&p, n * sizeof(float));
  void *args[] = {&p, &n};
  cudaLaunchKernel((void *)byPointer, dim3(n), dim3(32, 2), args, 128, 0);
  auto kernel = variable;
  kernel<<<4, 32>>>(n);
  auto run = [&](int times) { inLambda<<<n, 32>>>(times); };
  run(3);
}
)");
  const LaunchSite &ByPointer = launchOf(Unit, "byPointer");
  EXPECT_EQ(shape(ByPointer), "<77> <32, 2> 128");
  EXPECT_EQ(argument(ByPointer, "p"), "308");
  EXPECT_EQ(argument(ByPointer, "n"), "77");
  EXPECT_EQ(shape(launchOf(Unit, "variable")), "<4> <32>");
  EXPECT_EQ(shape(launchOf(Unit, "inLambda")), "<77> <32>");
  EXPECT_EQ(shape(launchOf(Unit, "method")), "<4> <64>");
  EXPECT_EQ(argument(launchOf(Unit, "method"), "p"), "1024");
}

TEST(FrontendLaunches, Buffers) {
  TranslationUnit Unit = parseText(R"(
#include <utility>
#include <vector>
#define CHECK(call) do { if ((call) != cudaSuccess) return; } while (0)
__global__ void direct(float *a, float *b, float *c) {}
__global__ void helped(float *a, float *b, float *c, float *d) {}
__global__ void unclear(float *a, float *b) {}
__global__ void members(float *a) {}
float *allocate(size_t n) { float *p; cudaMalloc(&p, n * sizeof(float)); return p; }
void fill(float **p, int n) { cudaMalloc((void **)p, n); }
template <typename T> T *upload(const std::vector<T> &v) {
  T *p; cudaMalloc(&p, v.size() * sizeof(T)); return p;
}
struct Pair { float *first, *second; };
void host(int m, int flag) {
  const size_t bytes = 100 * sizeof(float);
  float *a, *b, *c = nullptr;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMallocManaged((void **)&b, bytes * 2));
  cudaMalloc(&c, m * sizeof(float));
  direct<<<1, 1>>>(a, b + 10, c);
  float *from = allocate(50), *to = allocate(50), *out;
  fill(&out, 300);
  std::swap(from, to);
  std::vector<float> values(25, 1.0f);
  values[0] = 2;
  helped<<<1, 1>>>(from, out, upload(values), flag ? a : from);
  float *x;
  if (flag) cudaMalloc(&x, 10); else cudaMalloc(&x, 20);
  float *host = new float[5];
  unclear<<<1, 1>>>(x, host);
  Pair pair;
  cudaMalloc(&pair.first, 8); cudaMalloc(&pair.second, 16);
  members<<<1, 1>>>(pair.second);
}
)");
  const LaunchSite &Direct = launchOf(Unit, "direct");
  EXPECT_EQ(argument(Direct, "a"), "400");
  EXPECT_EQ(argument(Direct, "b"), "800");
  EXPECT_EQ(argument(Direct, "c"), "4*m");
  const LaunchSite &Helped = launchOf(Unit, "helped");
  EXPECT_EQ(argument(Helped, "a"), "200");
  EXPECT_EQ(argument(Helped, "b"), "300");
  EXPECT_EQ(argument(Helped, "c"), "100");
  EXPECT_EQ(argument(Helped, "d"), "none") << "two sizes";
  EXPECT_EQ(argument(launchOf(Unit, "unclear"), "a"), "none");
  EXPECT_EQ(argument(launchOf(Unit, "unclear"), "b"), "none");
  EXPECT_EQ(argument(launchOf(Unit, "members"), "a"), "16");
}

TEST(FrontendLaunches, ArgumentsOfAMemberOperatorComeAfterTheObject) {
  TranslationUnit Unit = parseText(R"(
__global__ void scale(float *x, float *y, int n) {}
__global__ void filled(float *z) {}
struct Scale {
  void operator()(float *x, float *y, int n) { scale<<<1, 32>>>(x, y, n); }
};
struct Allocate {
  void operator()(float **p, int bytes) { cudaMalloc((void **)p, bytes); }
};
void host() {
  float *a, *b, *c;
  cudaMalloc(&a, 400);
  cudaMalloc(&b, 800);
  Scale object;
  object(a, b, 25);
  Allocate allocate;
  allocate(&c, 1200);
  filled<<<1, 32>>>(c);
}
)");
  const LaunchSite &Scale = launchOf(Unit, "scale");
  EXPECT_EQ(argument(Scale, "x"), "400");
  EXPECT_EQ(argument(Scale, "y"), "800");
  EXPECT_EQ(argument(Scale, "n"), "25");
  EXPECT_EQ(argument(launchOf(Unit, "filled"), "z"), "1200");
}

TEST(FrontendLaunches, PlacesOfBuffers) {
  TranslationUnit Unit = parseText(R"(
__global__ void k(float *a, float *b, float *c, float *d, float *e) {}
void host(int flag) {
  float *a, *b, *c, *d, *e, *pinned;
  cudaMalloc(&a, 4);
  cudaMallocManaged((void **)&b, 4);
  cudaHostAlloc((void **)&pinned, 400, cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&c, pinned, 0);
  cudaMallocHost((void **)&d, 8);
  if (flag) cudaMalloc(&e, 4); else cudaMallocHost((void **)&e, 4);
  k<<<1, 1>>>(a, b, c, d, e);
}
)");
  const LaunchSite &Site = launchOf(Unit, "k");
  EXPECT_EQ(argument(Site, "memory@a"), "none");
  EXPECT_EQ(argument(Site, "memory@b"), "2");
  EXPECT_EQ(argument(Site, "memory@c"), "1");
  EXPECT_EQ(argument(Site, "c"), "400");
  EXPECT_EQ(argument(Site, "memory@d"), "1");
  EXPECT_EQ(argument(Site, "memory@e"), "none") << "two places";
}

TEST(FrontendLaunches, MembersOfAggregates) {
  TranslationUnit Unit = parseText(R"(
struct Params { int n; float scale; dim3 size; };
__global__ void k(Params p) {}
void host(int n) {
  Params params = {n, 2.0f, dim3(4, 5)};
  params.scale = 3.0f;
  k<<<params.size, params.size.x>>>(params);
}
)");
  const LaunchSite &Site = launchOf(Unit, "k");
  EXPECT_EQ(shape(Site), "<4, 5> <4>");
  EXPECT_EQ(argument(Site, "p.n"), "n");
  EXPECT_EQ(argument(Site, "p.scale"), "3");
  EXPECT_EQ(argument(Site, "p.size.y"), "5");
}

} // namespace
