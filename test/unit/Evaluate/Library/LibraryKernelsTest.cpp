// Products of matrices and passes over vectors, against times that others have
// published, and against what must hold for any size.
#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"

#include "helpers/GpuModelTesting.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

double microseconds(const GpuModel &Gpu, const GemmProblem &P) {
  llvm::Expected<LibraryKernelTime> T = gemmTime(Gpu, P);
  if (!T) {
    ADD_FAILURE() << llvm::toString(T.takeError());
    return 0;
  }
  double Sum = 0;
  for (const auto &[Component, Fraction] : T->Breakdown) {
    EXPECT_GE(Fraction, 0);
    Sum += Fraction;
  }
  EXPECT_NEAR(Sum, 1, 1e-6);
  EXPECT_GT(T->Share, 0);
  EXPECT_LE(T->Share, 1);
  return T->Time.value() * 1e6;
}

GemmProblem gemm(double M, double N, double K, GemmType Type,
                 double Batch = 1) {
  GemmProblem P{M, N, K, Batch, Type};
  P.ResultBytes = Type == GemmType::Half ? 2 : Type == GemmType::Double ? 8 : 4;
  return P;
}

struct Published {
  const char *Gpu;
  double ClockMHz; ///< 0: that of the model
  GemmProblem Problem;
  double Microseconds;
};

// docs/run.md says how far other sizes are.
const Published Measured[] = {
    // OpenXLA, matmul_interpolator_data.h, sm_90.
    {"nvidia-h100-sxm", 0, gemm(4096, 4096, 4096, GemmType::Half), 175.5},
    {"nvidia-h100-sxm", 0, gemm(2048, 2048, 2048, GemmType::Half, 4), 94.7},
    {"nvidia-h100-sxm", 0, gemm(2048, 1024, 2048, GemmType::Half), 16.4},
    {"nvidia-h100-sxm", 0, gemm(4096, 4096, 4096, GemmType::Tf32), 342.2},
    // clBLAS, doc/performance/cuBLAS_7.0/Tesla_K40, at its boost clock.
    {"nvidia-tesla-k40", 875, gemm(2048, 2048, 2048, GemmType::Single), 5811},
    {"nvidia-tesla-k40", 875, gemm(4096, 4096, 4096, GemmType::Single), 43210},
    // Read-mes of repositories with kernels of their own and cuBLAS beside.
    {"nvidia-rtx-4090", 0, gemm(8192, 8192, 8192, GemmType::Half), 6700},
    {"nvidia-rtx-3090", 0, gemm(5376, 5376, 2048, GemmType::Half), 1807.7},
    {"nvidia-rtx-4070", 0, gemm(4096, 4096, 4096, GemmType::Single), 6232},
    {"nvidia-rtx-a6000", 0, gemm(4096, 4096, 4096, GemmType::Single), 5911},
    {"nvidia-gtx-1070", 2002, gemm(4096, 4096, 4096, GemmType::Single), 19086},
};

} // namespace

TEST(LibraryKernels, ProductsTakeThePublishedTimes) {
  for (const Published &P : Measured) {
    GpuModel Gpu = shipped(P.Gpu);
    if (P.ClockMHz > 0)
      Gpu.CoreClock = Hertz(P.ClockMHz * 1e6);
    double Ratio = microseconds(Gpu, P.Problem) / P.Microseconds;
    EXPECT_LT(std::fabs(std::log(Ratio)), std::log(1.2))
        << P.Gpu << ' ' << P.Problem.M << ": " << Ratio;
  }
}

TEST(LibraryKernels, ProductsGrowWithTheirSize) {
  for (const char *Id : {"nvidia-a100-40gb-pcie", "nvidia-h100-sxm",
                         "nvidia-v100", "nvidia-rtx-3080", "nvidia-p100"}) {
    GpuModel Gpu = shipped(Id);
    for (GemmType Type : {GemmType::Half, GemmType::Single, GemmType::Double}) {
      double Before = 0;
      for (double N = 16; N <= 16384; N *= 2) {
        double Time = microseconds(Gpu, gemm(N, N, N, Type));
        EXPECT_GE(Time, Before) << Id << ' ' << N;
        Before = Time;
      }
      EXPECT_LT(microseconds(Gpu, gemm(512, 512, 512, Type, 2)),
                2 * microseconds(Gpu, gemm(512, 512, 512, Type)));
    }
  }
}

TEST(LibraryKernels, LastWaveIsPaid) {
  GpuModel Gpu = shipped("nvidia-a100-40gb-pcie");
  // 108 multiprocessors: 12 x 9 tiles of 128 x 128, then 13 x 9.
  double Full =
      microseconds(Gpu, gemm(12 * 128, 9 * 128, 8192, GemmType::Single));
  double More =
      microseconds(Gpu, gemm(12 * 128 + 1, 9 * 128, 8192, GemmType::Single));
  EXPECT_GT(More, 1.03 * Full);
}

TEST(LibraryKernels, LongSumOfFewElementsIsSplit) {
  llvm::Expected<LibraryKernelTime> T = gemmTime(
      shipped("nvidia-a100-40gb-pcie"), gemm(128, 128, 65536, GemmType::Half));
  ASSERT_TRUE(bool(T));
  EXPECT_NE(T->Shape.find("split"), std::string::npos);
}

TEST(LibraryKernels, TensorCoresAreUsedWhereTheyExist) {
  GpuModel A100 = shipped("nvidia-a100-40gb-pcie"),
           P100 = shipped("nvidia-p100");
  auto Ratio = [](const GpuModel &Gpu, GemmType Fast, GemmType Slow) {
    return microseconds(Gpu, gemm(8192, 8192, 8192, Slow)) /
           microseconds(Gpu, gemm(8192, 8192, 8192, Fast));
  };
  EXPECT_GT(Ratio(A100, GemmType::Half, GemmType::Single), 10);
  EXPECT_GT(Ratio(A100, GemmType::Tf32, GemmType::Single), 5);
  EXPECT_NEAR(Ratio(P100, GemmType::Tf32, GemmType::Single), 1, 1e-9);
  EXPECT_GT(Ratio(P100, GemmType::Half, GemmType::Single), 1.5);
  llvm::Expected<LibraryKernelTime> T =
      gemmTime(P100, gemm(64, 64, 64, GemmType::Int8));
  ASSERT_FALSE(bool(T));
  EXPECT_EQ(llvm::toString(T.takeError()),
            P100.Name + " states no rate of products of this type");
}

TEST(LibraryKernels, EmptyProductTakesALaunch) {
  GpuModel Gpu = shipped("nvidia-v100");
  EXPECT_DOUBLE_EQ(microseconds(Gpu, gemm(0, 64, 64, GemmType::Single)),
                   Gpu.LaunchLatency.value() * 1e6);
}

TEST(LibraryKernels, VectorsTakeTheBandwidth) {
  GpuModel Gpu = shipped("nvidia-a100-40gb-pcie");
  // axpy of 2^28 numbers: two vectors read, one written.
  double Vector = 4.0 * (1 << 28);
  LibraryKernelTime T = streamTime(Gpu, {2 * Vector, Vector, 0, 1});
  double Rate = 3 * Vector / T.Time.value();
  EXPECT_LT(Rate, Gpu.DramReadBandwidth.value());
  EXPECT_GT(Rate, 0.98 * Gpu.DramCopyBandwidth.value());
  EXPECT_EQ(T.Bound, Resource::DramBandwidth);
  // A vector that fits L2 is faster, but not than two launches.
  LibraryKernelTime Dot = streamTime(Gpu, {8.0 * 1024, 0, 0, 2});
  EXPECT_GT(Dot.Time, Gpu.LaunchLatency * 2);
  EXPECT_LT(Dot.Time, Gpu.LaunchLatency * 3);
}

TEST(LibraryKernels, AGivenTilingIsTheLibrarysWhereItIsTheSame) {
  // Tiles of 128 x 128, steps of 64 bytes in 4 stages, four warps of 64 x 64:
  // what gemmTime() takes for this size on an A100.
  GpuModel Gpu = shipped("nvidia-a100-40gb-pcie");
  GemmProblem P = gemm(4096, 4096, 4096, GemmType::Half);
  llvm::Expected<LibraryKernelTime> Library = gemmTime(Gpu, P);
  llvm::Expected<LibraryKernelTime> Own =
      tiledGemmTime(Gpu, P, {128, 128, 32, 4, 4});
  ASSERT_TRUE(Library && Own);
  EXPECT_NE(Library->Shape.find("128x128"), std::string::npos);
  EXPECT_EQ(Own->Time.value(), Library->Time.value());
}

TEST(LibraryKernels, SmallTilesAndOneStageTakeLonger) {
  GpuModel Gpu = shipped("nvidia-a100-40gb-pcie");
  auto Time = [&](double Size, ProductTiling T) {
    llvm::Expected<LibraryKernelTime> Found =
        tiledGemmTime(Gpu, gemm(Size, Size, 4096, GemmType::Half), T);
    EXPECT_TRUE(bool(Found));
    return Found->Time.value();
  };
  EXPECT_GT(Time(4096, {16, 16, 32, 4, 4}),
            2 * Time(4096, {128, 128, 32, 4, 4}));
  // One thread block a multiprocessor: nothing else hides its copies.
  EXPECT_GT(Time(1280, {128, 128, 32, 4, 1}),
            1.2 * Time(1280, {128, 128, 32, 4, 3}));
}

TEST(LibraryKernels, ATilingThatDoesNotFitSaysSo) {
  llvm::Expected<LibraryKernelTime> Found = tiledGemmTime(
      shipped("nvidia-v100"), gemm(4096, 4096, 4096, GemmType::Half),
      {256, 256, 128, 8, 4});
  ASSERT_FALSE(Found);
  EXPECT_NE(llvm::toString(Found.takeError()).find("256x256x128"),
            std::string::npos);
}

namespace {

/// Share of the peak of the tensor cores, 312 Tflop/s, that attention reaches
/// on an A100: 16 heads of 128, 16384 tokens in all.
double shareOfPeak(double Length, bool Causal, bool Backward) {
  AttentionProblem P;
  P.Heads = P.KeyHeads = 16 * 16384 / Length;
  P.Queries = P.Keys = Length;
  P.Width = P.ValueWidth = 128;
  P.Causal = Causal;
  P.Backward = Backward;
  auto T = attentionTime(shipped("nvidia-a100-80gb-sxm"), P);
  if (!T) {
    ADD_FAILURE() << llvm::toString(T.takeError());
    return 0;
  }
  double Operations = 4 * P.Heads * Length * Length * 128 * (Causal ? 0.5 : 1) *
                      (Backward ? 2.5 : 1);
  return Operations / T->Time.value() / 312e12;
}

} // namespace

// Dao 2023, FlashAttention-2, section 4.1: up to 73% of the peak forward, up to
// 63% backward.
TEST(LibraryKernels, AttentionReachesThePublishedShareOfThePeak) {
  EXPECT_NEAR(shareOfPeak(16384, false, false), 0.73, 0.06);
  EXPECT_NEAR(shareOfPeak(16384, false, true), 0.63, 0.1);
  EXPECT_LT(shareOfPeak(512, true, false), shareOfPeak(16384, true, false));
}

TEST(LibraryKernels, AttentionOfOneQueryReadsItsKeys) {
  GpuModel Gpu = shipped("nvidia-h100-sxm");
  AttentionProblem P;
  P.Heads = 32 * 64;
  P.KeyHeads = 8 * 64;
  P.Queries = 1;
  P.Keys = 8192;
  P.Width = P.ValueWidth = 128;
  auto T = attentionTime(Gpu, P);
  ASSERT_TRUE(bool(T)) << llvm::toString(T.takeError());
  double Bytes = P.KeyHeads * P.Keys * 2 * 128 * 2;
  double Least = Bytes / 3.35e12; // data sheet
  EXPECT_GT(T->Time.value(), Least);
  P.Type = GemmType::Double;
  auto None = attentionTime(Gpu, P);
  EXPECT_FALSE(bool(None));
  llvm::consumeError(None.takeError());
}

// The patches of an image share their pixels: a convolution moves fewer bytes
// than a product of its size, and computes as much.
TEST(LibraryKernels, ConvolutionsReadTheirImageOnce) {
  GpuModel Gpu = shipped("nvidia-a100-80gb-sxm");
  GemmProblem P = gemm(64 * 112 * 112, 64, 64 * 9, GemmType::Half);
  double Product = microseconds(Gpu, P);
  P.DistinctA = 64.0 * 64 * 112 * 112;
  double Convolution = microseconds(Gpu, P);
  EXPECT_LT(Convolution, Product);
  double Operations = 2 * P.M * P.N * P.K;
  EXPECT_GT(Convolution, Operations / 312e12 * 1e6);
}
