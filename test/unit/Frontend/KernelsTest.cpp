/// \file
/// Kernels: which are found, and what is read of their declarations.
#include "helpers/FrontendTesting.h"

using namespace gpuestimate;

namespace {

const KernelSource *findKernel(const TranslationUnit &Unit,
                               llvm::StringRef Name) {
  for (const KernelSource &K : Unit.Kernels)
    if (K.Name == Name)
      return &K;
  return nullptr;
}

TEST(FrontendKernels, EveryKindOfDefinitionIsFound) {
  TranslationUnit Unit = parseText(R"(
__global__ void plain(int *p) { *p = 1; }
static __global__ void internal(int *p) { *p = 2; }
namespace outer { namespace { __global__ void hidden(int *p) { *p = 3; } } }
extern "C" __global__ void c_name(int *p) { *p = 4; }
template <typename T, int N> __global__ void shaped(T *p) { *p = N; }
template <typename T> struct Box { static __device__ void set(T *p) { *p = 5; } };
template __global__ void shaped<float, 4>(float *);
void host(double *d) { shaped<double, 8><<<1, 1>>>(d); }
__global__ void declaredOnly(int *p);
)");
  std::vector<std::string> Names;
  for (const KernelSource &K : Unit.Kernels) {
    Names.push_back(K.Name);
    const llvm::Function *F = Unit.Module->getFunction(K.Mangled);
    ASSERT_NE(F, nullptr) << K.Mangled;
    EXPECT_FALSE(F->isDeclaration());
    EXPECT_NE(F->getSubprogram(), nullptr) << "no line table";
    EXPECT_FALSE(F->hasFnAttribute(llvm::Attribute::OptimizeNone));
    EXPECT_FALSE(F->hasFnAttribute(llvm::Attribute::NoInline));
  }
  std::sort(Names.begin(), Names.end());
  EXPECT_EQ(Names, (std::vector<std::string>{
                       "c_name", "internal", "outer::hidden", "plain",
                       "shaped<double, 8>", "shaped<float, 4>"}));
  EXPECT_TRUE(Unit.NotEmitted.empty());
  EXPECT_EQ(Unit.Arch, "sm_80");
  EXPECT_FALSE(Unit.Hip);
}

TEST(FrontendKernels, AnUninstantiatedTemplateIsNotLost) {
  TranslationUnit Unit = parseText(
      "\n\ntemplate <int N> __global__ void never(int *p) { *p = N; }\n");
  EXPECT_TRUE(Unit.Kernels.empty());
  ASSERT_EQ(Unit.NotEmitted.size(), 1u);
  EXPECT_EQ(Unit.NotEmitted[0].Name, "never");
  EXPECT_EQ(Unit.NotEmitted[0].Location.Line, 3u);
  EXPECT_NE(Unit.NotEmitted[0].Reason.find("never instantiated"),
            std::string::npos);
}

TEST(FrontendKernels, ArgumentsAndBounds) {
  TranslationUnit Unit = parseText(R"(
struct Size { int x, y; };
struct Params { float scale; Size size; double weights[4]; };
constexpr int Threads = 128;
__global__ void __launch_bounds__(Threads * 2, 3)
    full(const float *__restrict__ in, double *out, unsigned char flag, float a,
         Params p, cudaTextureObject_t tex, short) {
  out[0] = in[0] * a * p.size.y + flag + tex1Dfetch<float>(tex, 0);
}
template <int N> __global__ void __launch_bounds__(N) bounded(int *p) { *p = N; }
template __global__ void bounded<64>(int *);
)");
  const KernelSource *Full = findKernel(Unit, "full");
  ASSERT_NE(Full, nullptr);
  EXPECT_EQ(Full->MaxThreadsPerBlock, 256u);
  EXPECT_EQ(Full->MinBlocksPerSm, 3u);
  EXPECT_EQ(Full->Location.Line, 6u);
  ASSERT_EQ(Full->Arguments.size(), 7u);
  const KernelArgument &In = Full->Arguments[0], &Out = Full->Arguments[1];
  EXPECT_EQ(In.Name, "in");
  EXPECT_EQ(In.Kind, KernelArgument::Pointer);
  EXPECT_EQ(In.ElementBytes, 4u);
  EXPECT_TRUE(In.Const && In.Restrict);
  EXPECT_EQ(Out.ElementBytes, 8u);
  EXPECT_FALSE(Out.Const || Out.Restrict);
  EXPECT_EQ(Full->Arguments[2].Kind, KernelArgument::Integer);
  EXPECT_EQ(Full->Arguments[2].Bytes, 1u);
  EXPECT_EQ(Full->Arguments[3].Kind, KernelArgument::Real);
  EXPECT_EQ(Full->Arguments[4].Kind, KernelArgument::Aggregate);
  EXPECT_EQ(Full->Arguments[4].Bytes, 48u);
  EXPECT_EQ(Full->Arguments[5].Kind, KernelArgument::Texture);
  EXPECT_EQ(Full->Arguments[6].Name, "arg6");

  std::vector<std::string> Members;
  for (const AggregateMember &M : Full->Members) {
    EXPECT_EQ(M.Argument, 4u);
    Members.push_back(M.Name + "@" + std::to_string(M.Offset));
  }
  EXPECT_EQ(Members, (std::vector<std::string>{
                         "scale@0", "size.x@4", "size.y@8", "weights[0]@16",
                         "weights[1]@24", "weights[2]@32", "weights[3]@40"}));

  const KernelSource *Bounded = findKernel(Unit, "bounded<64>");
  ASSERT_NE(Bounded, nullptr);
  EXPECT_EQ(Bounded->MaxThreadsPerBlock, 64u);
  EXPECT_EQ(Bounded->MinBlocksPerSm, 0u);
}

TEST(FrontendKernels, CodeIsKeptForAnalysis) {
  TranslationUnit Unit = parseText(R"(
__device__ float square(float x) { return x * x; }
__global__ void k(float *p) { float local = square(p[0]); p[1] = local + sqrtf(local); }
)",
                                   {"-O0"});
  std::string IR;
  llvm::raw_string_ostream OS(IR);
  Unit.Module->print(OS, nullptr);
  EXPECT_NE(IR.find("!tbaa"), std::string::npos);
  EXPECT_NE(IR.find("%local"), std::string::npos) << "value names";
  EXPECT_NE(IR.find("fmul contract"), std::string::npos);
  EXPECT_EQ(IR.find("optnone"), std::string::npos);
}

TEST(FrontendKernels, HostOnlyCodeHasNone) {
  TranslationUnit Unit = parseText("int f() { return 1; }");
  ASSERT_NE(Unit.Module, nullptr);
  EXPECT_TRUE(Unit.Kernels.empty());
  EXPECT_TRUE(Unit.Launches.empty());
}

} // namespace
