/// \file
/// The kernels that loops become compute what the loops compute: they execute
/// on small grids, and are compared with the loop in this file.
#include "gpu-estimate/Execute/Executor.h"
#include "gpu-estimate/Offload/Offload.h"
#include "helpers/FrontendTesting.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include <numeric>

using namespace gpuestimate;

namespace {

using Size = std::array<uint64_t, 3>;

/// The kernels of a C text, and their arguments by name. Arrays that a program
/// would add for the blocks are there, cleared.
class Program {
public:
  explicit Program(llvm::StringRef Text) {
    TemporaryFile File(Text, "c");
    ParseRequest Request;
    Request.File = File.Path;
    std::string Diagnostics;
    auto Parsed = parse(Request, Diagnostics);
    if (!Parsed) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError()) << Diagnostics;
      return;
    }
    Unit = std::move(*Parsed);
    offloadNests(Unit, /*AssumeIndependent=*/false);
    for (const RefusedNest &R : Unit.Refused)
      ADD_FAILURE() << R.Reason;
    EXPECT_FALSE(llvm::verifyModule(*Unit.Module, &llvm::errs()));
    load();
  }

  uint64_t &operator[](llvm::StringRef Name) { return Values[Name]; }
  /// A buffer: the kernels read and write the elements of V, or V.
  template <typename T> void bind(llvm::StringRef Name, std::vector<T> &V) {
    Buffers[Name] = {V.data(), unsigned(V.size() * sizeof(T))};
  }
  template <typename T> void bind(llvm::StringRef Name, T &V) {
    Buffers[Name] = {&V, sizeof(T)};
  }

  /// All kernels, in order; the second ones of reductions have one block.
  void run(Size Grid, Size Block) {
    llvm::StringMap<uint64_t> Addresses;
    for (const auto &B : Buffers) {
      Addresses[B.first()] = allocate(B.second.Bytes);
      std::memcpy(reinterpret_cast<void *>(Addresses[B.first()]), B.second.Host,
                  B.second.Bytes);
    }
    for (const KernelSource &K : Unit.Kernels)
      run(K, Grid, Block, Addresses);
    for (const auto &B : Buffers)
      std::memcpy(B.second.Host, reinterpret_cast<void *>(Addresses[B.first()]),
                  B.second.Bytes);
    for (const auto &A : Addresses)
      Exec->memory().release(reinterpret_cast<void *>(A.second));
  }

private:
  void load() {
    llvm::SmallVector<char, 0> Bitcode;
    llvm::raw_svector_ostream OS(Bitcode);
    llvm::WriteBitcodeToFile(*Unit.Module, OS);
    // One block after the other: scans look back once.
    auto Created = Executor::create({/*Threads=*/1, /*Checks=*/true});
    ASSERT_TRUE(bool(Created)) << llvm::toString(Created.takeError());
    Exec = std::move(*Created);
    auto Loaded = Exec->load(llvm::StringRef(Bitcode.data(), Bitcode.size()));
    ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
    Module = *Loaded;
  }
  uint64_t allocate(uint64_t Bytes) {
    return reinterpret_cast<uint64_t>(Exec->memory().allocate(Bytes));
  }
  void run(const KernelSource &K, Size Grid, Size Block,
           llvm::StringMap<uint64_t> &Addresses) {
    constexpr uint64_t BytesOfAdded = 1 << 16;
    ExecutionRequest Request;
    Request.Block = Block;
    if (!llvm::StringRef(K.Name).ends_with(".final"))
      Request.Grid = Grid;
    Values["blocks"] = Grid[0] * Grid[1] * Grid[2];
    std::vector<const void *> Arguments;
    for (const KernelArgument &A : K.Arguments) {
      llvm::StringRef Name = A.Name;
      if ((Name == "look_back" || Name.ends_with("_partials")) &&
          !Addresses.contains(Name))
        Addresses[Name] = allocate(BytesOfAdded);
      EXPECT_TRUE(Values.contains(Name) || Addresses.contains(Name)) << A.Name;
      Arguments.push_back(Addresses.contains(Name) ? &Addresses[Name]
                                                   : &Values[Name]);
    }
    Request.Arguments = Arguments;
    auto Ran = Exec->launch(Module, K.Mangled, Request);
    ASSERT_TRUE(bool(Ran)) << llvm::toString(Ran.takeError()) << K.Name;
    EXPECT_TRUE(Ran->Completed)
        << K.Name << ": " << Ran->Unsupported
        << (Ran->Fault ? Ran->Fault->What + Ran->Fault->Buffer : "");
  }

  struct HostBuffer {
    void *Host = nullptr;
    unsigned Bytes = 0;
  };
  TranslationUnit Unit;
  std::unique_ptr<Executor> Exec;
  uint64_t Module = 0;
  llvm::StringMap<uint64_t> Values;
  llvm::StringMap<HostBuffer> Buffers;
};

template <typename T> std::vector<T> numbers(int N) {
  std::vector<T> V(N);
  unsigned State = 1;
  for (T &X : V) {
    State = State * 1664525u + 1013904223u;
    X = static_cast<T>(static_cast<int>(State >> 24) - 100);
  }
  return V;
}

/// One, some, and more iterations than threads; blocks of one warp, of several,
/// of a part of one.
struct Shape {
  int N;
  unsigned Blocks, Threads;
};
const Shape Strided[] = {{1, 1, 32},   {50, 2, 64},   {64, 1, 64},
                         {65, 2, 64},  {1000, 3, 96}, {300, 2, 256},
                         {97, 1, 128}, {2000, 2, 512}};
const Shape Whole[] = {{1, 1, 32},    {50, 1, 64},    {64, 1, 64},
                       {65, 2, 64},   {1000, 11, 96}, {600, 3, 256},
                       {3000, 94, 32}};

TEST(OffloadRun, Sums) {
  Program P(R"(
double sum(int n, const double *a) {
  double s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
})");
  for (auto [N, Blocks, Threads] : Strided) {
    std::vector<double> A = numbers<double>(N);
    double S = 5;
    P["n"] = N;
    P.bind("a", A);
    P.bind("s", S);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(S, std::accumulate(A.begin(), A.end(), 5.0)) << N;
  }
}

TEST(OffloadRun, LoopsThatCountDownOrInSteps) {
  Program P(R"(
int sum(int n, const int *a) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = n - 1; i >= 0; i -= 3)
    s += a[i];
  return s;
})");
  for (auto [N, Blocks, Threads] : Strided) {
    std::vector<int> A = numbers<int>(N);
    int S = 0, Expected = 0;
    for (int I = N - 1; I >= 0; I -= 3)
      Expected += A[I];
    P["n"] = N;
    P.bind("a", A);
    P.bind("s", S);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(S, Expected) << N;
  }
}

// With and without an atomic operation, of one loop.
TEST(OffloadRun, SeveralOperators) {
  Program P(R"(
void many(int n, const float *a, const unsigned *b) {
  float m = -1000;
  unsigned top = 0, odd = 0, product = 1;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (a[i] > m)
      m = a[i];
    top = b[i] > top ? b[i] : top;
    odd ^= b[i];
    product *= b[i] | 1;
  }
  *(float *)a = m + top + odd + product;
})");
  for (auto [N, Blocks, Threads] : Strided) {
    std::vector<float> A = numbers<float>(N);
    std::vector<unsigned> B = numbers<unsigned>(N);
    float M = -1000;
    unsigned Top = 0, Odd = 0, Product = 1, ExpectedProduct = 1;
    P["n"] = N;
    P.bind("a", A);
    P.bind("b", B);
    P.bind("m", M);
    P.bind("top", Top);
    P.bind("odd", Odd);
    P.bind("product", Product);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(M, *std::max_element(A.begin(), A.end())) << N;
    EXPECT_EQ(Top, *std::max_element(B.begin(), B.end())) << N;
    EXPECT_EQ(Odd, std::accumulate(B.begin(), B.end(), 0u, std::bit_xor<>()));
    for (unsigned X : B)
      ExpectedProduct *= X | 1;
    EXPECT_EQ(Product, ExpectedProduct) << N;
  }
}

TEST(OffloadRun, TruthValues) {
  Program P(R"(
_Bool every(int n, const int *a) {
  _Bool ok = 1;
#pragma omp parallel for reduction(&& : ok)
  for (int i = 0; i < n; i++)
    ok = ok && a[i] > -100;
  return ok;
})");
  for (bool Spoilt : {false, true})
    for (auto [N, Blocks, Threads] : Strided) {
      std::vector<int> A(N, 7);
      A[N / 2] = Spoilt ? -100 : 1;
      bool Ok = true;
      P["n"] = N;
      P.bind("a", A);
      P.bind("ok", Ok);
      P.run({Blocks, 1, 1}, {Threads, 1, 1});
      EXPECT_EQ(Ok, !Spoilt) << N;
    }
}

TEST(OffloadRun, TwoDimensions) {
  Program P(R"(
int matrix(int n, const int *a) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 40; j++)
      s += a[i * 40 + j];
  return s;
})");
  std::vector<int> A = numbers<int>(40 * 20);
  int S = 0;
  P["n"] = 20;
  P.bind("a", A);
  P.bind("s", S);
  P.run({2, 3, 1}, {32, 8, 1});
  EXPECT_EQ(S, std::accumulate(A.begin(), A.end(), 0));
}

TEST(OffloadRun, UpdatesOfMemory) {
  Program P(R"(
void histogram(int n, const unsigned char *x, int *h, long *total) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    h[x[i]] -= 2;
    *total += x[i];
  }
})");
  for (auto [N, Blocks, Threads] : Strided) {
    std::vector<unsigned char> X = numbers<unsigned char>(N);
    std::vector<int> H(256), Expected(256);
    long Total = 3, Sum = 3;
    for (unsigned char V : X) {
      Expected[V] -= 2;
      Sum += V;
    }
    P["n"] = N;
    P.bind("x", X);
    P.bind("h", H);
    P.bind("total", Total);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(H, Expected) << N;
    EXPECT_EQ(Total, Sum) << N;
  }
}

TEST(OffloadRun, ColumnSums) {
  Program P(R"(
void columns(int n, const double *a, const double *x, double *y) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 40; j++)
      y[j] += a[i * 40 + j] * x[i];
})");
  std::vector<double> A = numbers<double>(800), X = numbers<double>(20), Y(40),
                      Expected(40);
  for (int I = 0; I < 20; ++I)
    for (int J = 0; J < 40; ++J)
      Expected[J] += A[I * 40 + J] * X[I];
  P["n"] = 20;
  P.bind("a", A);
  P.bind("x", X);
  P.bind("y", Y);
  P.run({2, 3, 1}, {32, 8, 1});
  EXPECT_EQ(Y, Expected);
}

// What came before is used before and after the own part.
TEST(OffloadRun, Scans) {
  Program P(R"(
void scan(int n, const int *restrict x, int *restrict y, int *restrict z) {
  int s = 10;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    y[i] = s;
    s += x[i] * 2;
    z[i] = s - y[i];
  }
})");
  for (auto [N, Blocks, Threads] : Whole) {
    std::vector<int> X = numbers<int>(N), Y(N), Z(N), Before(N), Own(N);
    int S = 10;
    for (int I = 0; I < N; ++I) {
      Before[I] = S;
      S += Own[I] = X[I] * 2;
    }
    P["n"] = N;
    P.bind("x", X);
    P.bind("y", Y);
    P.bind("z", Z);
    P["s"] = 10;
    std::vector<uint64_t> Words(Blocks);
    P.bind("look_back", Words);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(Y, Before) << N;
    EXPECT_EQ(Z, Own) << N;
  }
}

TEST(OffloadRun, ScansInMemory) {
  Program P(R"(
void scan(int n, const double *restrict x, double *restrict a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + x[i];
})");
  for (auto [N, Blocks, Threads] : Whole) {
    std::vector<double> X = numbers<double>(N), A(N, 0), Expected(N);
    A[0] = Expected[0] = 17;
    for (int I = 1; I < N; ++I)
      Expected[I] = Expected[I - 1] + X[I];
    std::vector<std::array<uint64_t, 2>> Words(Blocks);
    P["n"] = N;
    P.bind("x", X);
    P.bind("a", A);
    P.bind("look_back", Words);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(A, Expected) << N;
  }
}

TEST(OffloadRun, ScansInPlace) {
  Program P(R"(
void scan(int n, unsigned *a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    a[i] *= a[i - 1];
})");
  for (auto [N, Blocks, Threads] : Whole) {
    std::vector<unsigned> A(N), Expected(N);
    for (int I = 0; I < N; ++I)
      A[I] = 2 * I + 3;
    Expected[0] = A[0];
    for (int I = 1; I < N; ++I)
      Expected[I] = A[I] * Expected[I - 1];
    std::vector<uint64_t> Words(Blocks);
    P["n"] = N;
    P.bind("a", A);
    P.bind("look_back", Words);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(A, Expected) << N;
  }
}

TEST(OffloadRun, ThePositivesInOrder) {
  Program P(R"(
int compact(int n, const float *restrict x, float *restrict y) {
  int k = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  return k;
})");
  for (auto [N, Blocks, Threads] : Whole) {
    std::vector<float> X = numbers<float>(N), Y(N), Expected;
    for (float V : X)
      if (V > 0)
        Expected.push_back(V);
    Expected.resize(N);
    std::vector<uint64_t> Words(Blocks);
    P["n"] = N;
    P.bind("x", X);
    P.bind("y", Y);
    P["k"] = 0;
    P.bind("look_back", Words);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(Y, Expected) << N;
  }
}

TEST(OffloadRun, TheLargestSoFar) {
  Program P(R"(
void envelope(int n, const double *restrict x, double *restrict y) {
  double m = -50;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (x[i] > m)
      m = x[i];
    y[i] = m;
  }
})");
  for (auto [N, Blocks, Threads] : Whole) {
    std::vector<double> X = numbers<double>(N), Y(N), Expected;
    double M = -50;
    for (double V : X)
      Expected.push_back(M = std::max(M, V));
    std::vector<std::array<uint64_t, 2>> Words(Blocks);
    P["n"] = N;
    P.bind("x", X);
    P.bind("y", Y);
    P["m"] = llvm::bit_cast<uint64_t>(-50.0);
    P.bind("look_back", Words);
    P.run({Blocks, 1, 1}, {Threads, 1, 1});
    EXPECT_EQ(Y, Expected) << N;
  }
}

} // namespace
