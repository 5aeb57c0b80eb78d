/// \file
/// Kernels that combine what their threads have: what they are made of, against
/// the CUDA kernels of the examples, which programmers would write.
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Offload/Offload.h"
#include "helpers/FrontendTesting.h"
#include "llvm/IR/Verifier.h"

using namespace gpuestimate;

namespace {

/// Operations in the text of one kernel, whether or not all threads run them.
struct Counts {
  unsigned Shuffles = 0, Barriers = 0, Atomics = 0, Shared = 0;
  bool operator==(const Counts &) const = default;
};

void PrintTo(const Counts &C, std::ostream *OS) {
  *OS << C.Shuffles << " shuffles, " << C.Barriers << " barriers, " << C.Atomics
      << " atomics, " << C.Shared << " in shared memory";
}

Counts countIn(TranslationUnit &Unit, llvm::StringRef Name) {
  Counts C;
  for (const KernelSource &K : Unit.Kernels) {
    if (K.Name != Name)
      continue;
    auto Model = lowerKernel(*Unit.Module->getFunction(K.Mangled), K);
    if (!Model) {
      ADD_FAILURE() << llvm::toString(Model.takeError());
      return C;
    }
    for (const Operation &Op : Model->Operations) {
      C.Shuffles += Op.Class == OpClass::Shuffle;
      C.Barriers += Op.Class == OpClass::Barrier;
      C.Atomics += Op.Class == OpClass::AtomicGlobal;
      C.Shared +=
          Op.Class == OpClass::LoadShared || Op.Class == OpClass::StoreShared;
    }
    return C;
  }
  ADD_FAILURE() << "no kernel " << Name.str();
  return C;
}

TranslationUnit offloaded(llvm::StringRef Text, const char *Arch = "sm_80",
                          const char *Language = "c") {
  TemporaryFile File(Text, Language);
  ParseRequest Request;
  Request.File = File.Path;
  Request.GpuArch = Arch;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError()) << "\n" << Diagnostics;
    return {};
  }
  offloadNests(*Unit, /*AssumeIndependent=*/false);
  EXPECT_FALSE(llvm::verifyModule(*Unit->Module, &llvm::errs()));
  prepareForAnalysis(*Unit->Module);
  return std::move(*Unit);
}

TranslationUnit example(const char *File) {
  ParseRequest Request;
  Request.File = std::string(GPU_ESTIMATE_SOURCE_DIR) + "/examples/" + File;
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  EXPECT_TRUE(bool(Unit)) << Diagnostics;
  prepareForAnalysis(*Unit->Module);
  return std::move(*Unit);
}

const char *const Sum = R"(
float sum(int n, const float *a) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
})";

TEST(OffloadCombine, ASumIsThatOfTheExample) {
  TranslationUnit Unit = offloaded(Sum), Cuda = example("reduction.cu");
  Counts Expected = countIn(Cuda, "reduceShuffle");
  EXPECT_EQ(Expected, (Counts{10, 1, 0, 2}));
  Expected.Atomics = countIn(Cuda, "reduceAtomic").Atomics;
  EXPECT_EQ(countIn(Unit, "sum"), Expected);
}

TEST(OffloadCombine, AHistogramIsThatOfTheExample) {
  TranslationUnit Unit = offloaded(R"(
void histogram(int n, const unsigned char *x, unsigned *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    h[x[i]] += 1;
})");
  TranslationUnit Cuda = example("histogram.cu");
  EXPECT_EQ(countIn(Unit, "histogram"), countIn(Cuda, "histogramGlobal"));
  EXPECT_EQ(countIn(Unit, "histogram").Atomics, 1u);
}

// Shuffles: each warp of its threads, the first of the warps' sums, the whole,
// the blocks before, the neighbour. The example, of 1024 threads, has none, but
// a barrier for each of its ten steps.
TEST(OffloadCombine, AScanHasTwoBarriers) {
  TranslationUnit Unit = offloaded(R"(
void scan(int n, const int *restrict x, int *restrict y) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
})");
  EXPECT_EQ(countIn(Unit, "scan"), (Counts{5 + 5 + 1 + 5 + 1, 2, 0, 6}));
  TranslationUnit Cuda = example("scan.cu");
  EXPECT_EQ(countIn(Cuda, "scanHillisSteele").Barriers, 1u + 10u);
}

TEST(OffloadCombine, DoublesShuffleInTwoHalves) {
  const char *Text = R"(
double sum(int n, const double *a) {
  double s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
})";
  TranslationUnit New = offloaded(Text);
  EXPECT_EQ(countIn(New, "sum"), (Counts{20, 1, 1, 2}));
  EXPECT_EQ(New.Kernels.size(), 1u);
  // No atomic sum of doubles: a second launch.
  TranslationUnit Old = offloaded(Text, "sm_50");
  EXPECT_EQ(countIn(Old, "sum"), (Counts{20, 1, 0, 2}));
  EXPECT_EQ(countIn(Old, "sum.final"), (Counts{20, 1, 0, 2}));
  ASSERT_EQ(Old.Launches.size(), 2u);
  EXPECT_EQ(text(Old.Launches[1].Grid[0]), "1");
}

TEST(OffloadCombine, SeveralResultsShareOneBarrier) {
  TranslationUnit Unit = offloaded(R"(
int both(int n, const int *a, const int *b) {
  int s = 0, m = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (b[i] > m)
      m = b[i];
  }
  return s + m;
})");
  EXPECT_EQ(countIn(Unit, "both"), (Counts{20, 1, 2, 4}));
}

TEST(OffloadCombine, MembersAreReachedThroughThis) {
  TranslationUnit Unit = offloaded(R"(
struct Sums {
  double sum;
  float *p;
  void add(int n) {
#pragma gpu_estimate kernel
    for (int i = 0; i < n; i++)
      sum += p[i];
  }
};
void run(Sums &s, int n) { s.add(n); })",
                                   "sm_80", "cpp");
  EXPECT_EQ(countIn(Unit, "Sums::add"), (Counts{20, 1, 1, 2}));
  ASSERT_EQ(Unit.Kernels.size(), 1u);
  EXPECT_TRUE(
      llvm::any_of(Unit.Kernels[0].Arguments,
                   [](const KernelArgument &A) { return A.Name == "this"; }));
}

TEST(OffloadCombine, TheGridIsBounded) {
  TranslationUnit Unit = offloaded(Sum);
  ASSERT_EQ(Unit.Launches.size(), 1u);
  EXPECT_EQ(text(Unit.Launches[0].Grid[0]),
            "min(ceil(max(n, 0)/blockDim.x), 1024)");
}

} // namespace
