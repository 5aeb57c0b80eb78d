#include "LibraryPredictor.h"

#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Bytes of an element; 0 for a type that is not known.
static double elementBytes(StringRef Type) {
  return StringSwitch<double>(Type)
      .Case("i8", 1)
      .Cases("f16", "bf16", 2)
      .Cases("f32", "i32", 4)
      .Cases("f64", "cf32", 8)
      .Case("cf64", 16)
      .Default(0);
}

/// A size of the call; the default where the call does not have it.
static double size(const RunLibraryCall &Call, StringRef Name,
                   double Default = 0) {
  for (const auto &[Own, Value] : Call.Sizes)
    if (Own == Name)
      return std::isfinite(Value) ? std::max(Value, 0.0) : 0;
  return Default;
}

static Error noModel(const RunLibraryCall &Call) {
  return createStringError("there is no model of " + Call.Name);
}

/// The part of a general product that one of a symmetric or triangular matrix
/// computes; nothing for other functions.
static std::optional<double> partOfProduct(StringRef Name) {
  if (Name.ends_with("syrk") || Name.ends_with("herk") ||
      Name.ends_with("trmm"))
    return 0.5;
  if (Name.ends_with("syr2k") || Name.ends_with("symm") ||
      Name.ends_with("hemm"))
    return 1;
  return std::nullopt;
}

static Expected<LibraryKernelTime> gemmCallTime(const GpuModel &Gpu,
                                                const RunLibraryCall &Call) {
  GemmProblem P;
  P.N = size(Call, "n");
  P.M = size(Call, "m", P.N);
  P.K = size(Call, "k") * partOfProduct(Call.Name).value_or(1);
  P.Batch = size(Call, "batch", 1);
  P.ResultBytes = elementBytes(Call.Results);
  P.DistinctA = size(Call, "distinct_a");
  P.DistinctB = size(Call, "distinct_b");
  StringRef Of = Call.Operands;
  P.Complex = Of.consume_front("c");
  if (Of == "f16" || Of == "bf16")
    P.Type = GemmType::Half;
  else if (Of == "f32")
    P.Type = Call.Compute == "tf32" ? GemmType::Tf32 : GemmType::Single;
  else if (Of == "f64")
    P.Type = GemmType::Double;
  else if (Of == "i8")
    P.Type = GemmType::Int8;
  else
    return noModel(Call);
  return gemmTime(Gpu, P);
}

/// Vectors and matrices that the operation reads and writes, and its kernels: a
/// reduction ends with a second one.
struct StreamShape {
  double VectorsRead = 0, VectorsWritten = 0, MatricesRead = 0,
         MatricesWritten = 0;
  unsigned Kernels = 1;
};

static std::optional<StreamShape> streamShape(StringRef Name) {
  struct Row {
    StringLiteral Suffix;
    StreamShape Shape;
  };
  // By the last part of the name: "cublasSaxpy".
  static constexpr Row Table[] = {
      {"axpy", {2, 1, 0, 0, 1}},   {"copy", {1, 1, 0, 0, 1}},
      {"swap", {2, 2, 0, 0, 1}},   {"scal", {1, 1, 0, 0, 1}},
      {"dot", {2, 0, 0, 0, 2}},    {"dotEx", {2, 0, 0, 0, 2}},
      {"nrm2", {1, 0, 0, 0, 2}},   {"asum", {1, 0, 0, 0, 2}},
      {"amax", {1, 0, 0, 0, 2}},   {"amin", {1, 0, 0, 0, 2}},
      {"gemv", {2, 1, 1, 0, 1}},   {"ger", {2, 0, 1, 1, 1}},
      {"geam", {0, 0, 2, 1, 1}},   {"dgmm", {1, 0, 1, 1, 1}},
      {"symv", {2, 1, 0.5, 0, 1}}, {"trmv", {1, 1, 0.5, 0, 1}},
  };
  for (const Row &R : Table)
    if (Name.ends_with_insensitive(R.Suffix))
      return R.Shape;
  return std::nullopt;
}

/// Multiply-adds of a factorisation or a triangular solve, and the matrices of
/// N x N (or M x N) elements and vectors that it reads and writes; LAPACK
/// Working Note 41, appendix C, counts twice as many operations. The chain of N
/// steps that wait for each other is not in it: a bound.
struct FactorisationShape {
  double MultiplyAdds = 0, ReadElements = 0, WrittenElements = 0;
};

static std::optional<FactorisationShape>
factorisationShape(const RunLibraryCall &Call) {
  StringRef Name = Call.Name;
  double N = size(Call, "n"), M = size(Call, "m", N), R = size(Call, "columns"),
         K = size(Call, "k");
  if (Name.consume_front("cusolverDn")) {
    if (Name.ends_with("potrf") || Name.ends_with("potrfBatched"))
      return FactorisationShape{N * N * N / 6, N * N / 2, N * N / 2};
    if (Name.ends_with("potri"))
      return FactorisationShape{N * N * N / 3, N * N / 2, N * N / 2};
    if (Name.ends_with("potrs") || Name.ends_with("potrsBatched") ||
        Name.ends_with("getrs"))
      return FactorisationShape{N * N * R, N * N + N * R, N * R};
    double Less = std::min(M, N), More = std::max(M, N);
    if (Name.ends_with("getrf"))
      return FactorisationShape{Less * Less * (More - Less / 3) / 2, M * N,
                                M * N};
    if (Name.ends_with("geqrf"))
      return FactorisationShape{Less * Less * (More - Less / 3), M * N, M * N};
    if (Name.ends_with("gqr")) // forms M x N of K reflections
      return FactorisationShape{
          2 * M * N * K - (M + N) * K * K + 2 * K * K * K / 3, M * K, M * N};
    if (Name.ends_with("mqr"))
      return FactorisationShape{2 * M * N * K, M * N + M * K, M * N};
    return std::nullopt; // eigenvalues: iterations that depend on the data
  }
  if (Name.ends_with("getrfBatched"))
    return FactorisationShape{N * N * N / 3, N * N, N * N};
  if (Name.ends_with("getriBatched"))
    return FactorisationShape{N * N * N * 2 / 3, N * N, N * N};
  if (Name.ends_with("matinvBatched"))
    return FactorisationShape{N * N * N, N * N, N * N};
  if (Name.ends_with("getrsBatched"))
    return FactorisationShape{N * N * R, N * N + N * R, N * R};
  if (Name.ends_with("gelsBatched"))
    return FactorisationShape{N * N * (M - N / 3) + R * (2 * M * N - N * N / 2),
                              M * N + M * R, M * N + M * R};
  return std::nullopt;
}

/// How many instructions could issue in the time of one multiply-add in double
/// precision: 4 on an A100 (128 / 32), 64 on an RTX 4090 (128 / 2).
static double doubleFactor(const GpuModel &Gpu) {
  double IssueRate = Gpu.SchedulersPerSm * Gpu.IssueRate * Gpu.WarpSize;
  double Rate = Gpu.cost(OpClass::Fp64Add).Throughput; // of threads in a cycle
  return std::max(1.0, Rate > 0 ? IssueRate / Rate : 1.0);
}

static Expected<LibraryKernelTime> blasTime(const GpuModel &Gpu,
                                            const RunLibraryCall &Call) {
  if (elementBytes(Call.Operands) <= 0 || elementBytes(Call.Results) <= 0)
    return noModel(Call);
  if (StringRef(Call.Name).contains_insensitive("gemm") ||
      partOfProduct(Call.Name) || Call.Name == "cublasLtMatmul")
    return gemmCallTime(Gpu, Call);
  if (std::optional<FactorisationShape> F = factorisationShape(Call)) {
    double Batch = size(Call, "batch", 1), Bytes = elementBytes(Call.Operands);
    StreamProblem P;
    P.ReadBytes = F->ReadElements * Bytes * Batch;
    P.WrittenBytes = F->WrittenElements * Bytes * Batch;
    // A complex product is four real ones.
    bool IsComplex = StringRef(Call.Operands).starts_with("c");
    P.Instructions = F->MultiplyAdds * (IsComplex ? 4 : 1) * Batch;
    if (Call.Operands.ends_with("64"))
      P.Instructions *= doubleFactor(Gpu);
    return streamTime(Gpu, P);
  }
  std::optional<StreamShape> Shape = streamShape(Call.Name);
  if (!Shape)
    return noModel(Call);
  double N = size(Call, "n"), Matrix = size(Call, "m") * N;
  double Bytes = elementBytes(Call.Operands);
  StreamProblem P;
  P.ReadBytes = (Shape->VectorsRead * N + Shape->MatricesRead * Matrix) * Bytes;
  P.WrittenBytes =
      (Shape->VectorsWritten * N + Shape->MatricesWritten * Matrix) * Bytes;
  P.Kernels = Shape->Kernels;
  return streamTime(Gpu, P);
}

/// A sparse operation reads each element of the matrix with its index, and the
/// dense operands once: what the elements' columns gather from is taken to stay
/// in L2. A triangular solve and a factorisation wait for a chain of rows whose
/// length depends on the data: there is no model of them.
static Expected<LibraryKernelTime> sparseTime(const GpuModel &Gpu,
                                              const RunLibraryCall &Call) {
  double Bytes = elementBytes(Call.Operands);
  StringRef Name = Call.Name;
  if (Bytes <= 0 || Name.contains("SpSV") || Name.contains("ilu02"))
    return noModel(Call);
  double Rows = size(Call, "m"), Columns = size(Call, "n"),
         Elements = size(Call, "nnz"), Dense = size(Call, "columns", 1);
  double IndexBytes = size(Call, "index_bytes", 4);
  StreamProblem P;
  P.ReadBytes = Elements * (Bytes + IndexBytes) + Rows * IndexBytes +
                Columns * Dense * Bytes;
  P.WrittenBytes = std::max(Rows, 1.0) * Dense * Bytes;
  // A load of the index and one of the operand, a multiply-add.
  P.Instructions = Elements * Dense * 3;
  LibraryKernelTime Result = streamTime(Gpu, P);
  Result.Shape += ", what it gathers from L2";
  return Result;
}

/// A transform reads and writes its data once for each dimension, and more
/// often where a row does not fit the shared memory of a thread block, in which
/// a kernel transforms as much of a row as it holds (Govindaraju et al. 2008,
/// "High performance discrete Fourier transforms on graphics processors"). 5 n
/// log2 n operations, as FFT benchmarks count; a real transform has half.
static Expected<LibraryKernelTime> transformTime(const GpuModel &Gpu,
                                                 const RunLibraryCall &Call) {
  bool IsReal = Call.Operands != Call.Results;
  bool IsDouble = Call.Compute == "f64";
  double ComplexBytes = IsDouble ? 16 : 8;
  double Elements = size(Call, "batch", 1);
  double MaxRow = std::max(2.0, Gpu.SharedPerBlockMax.value() / ComplexBytes),
         Passes = 0;
  double Operations = 0;
  for (StringRef Dimension : {"x", "y", "z"}) {
    double N = size(Call, Dimension, 1);
    Elements *= std::max(N, 1.0);
    if (N <= 1)
      continue;
    Passes += std::ceil(std::log(N) / std::log(MaxRow));
    Operations += 5 * std::log2(N);
  }
  Passes = std::max(Passes, 1.0);
  double Bytes = Elements * ComplexBytes * (IsReal ? 0.5 : 1);
  StreamProblem P;
  P.ReadBytes = P.WrittenBytes = Passes * Bytes;
  double IssueRate = Gpu.SchedulersPerSm * Gpu.IssueRate * Gpu.WarpSize;
  double Rate = Gpu.cost(IsDouble ? OpClass::Fp64Add : OpClass::Fp32Add)
                    .Throughput; // of threads in a cycle
  P.Instructions = Operations * Elements * (IsReal ? 0.5 : 1) *
                   std::max(1.0, Rate > 0 ? IssueRate / Rate : 1.0);
  P.Kernels = unsigned(Passes);
  return streamTime(Gpu, P);
}

/// cuRAND's generators write their results. The instructions of a thread for
/// each number are counted from the published steps, not from cuRAND's code:
/// - XORWOW: 3 shifts and 4 exclusive ors of the words, 2 sums of the counter.
/// - MRG32k3a: 2 recurrences of 2 products, a reduction (high product, product,
///   difference) and a correction of the sign, and 3 for their difference.
/// - Philox, for four numbers: 10 rounds of 2 wide products, 2 exclusive ors of
///   three words and 2 sums of the key.
/// - Sobol': lowest bit of the number, load, exclusive or.
/// - Poisson: product, conversion, 2 loads and a comparison of a table.
/// - Box and Muller for a pair: logarithm 2, times -2, square root 2, angle 2,
///   sine, cosine, 2 products, 2 of mean and deviation.
static Expected<LibraryKernelTime> randomTime(const GpuModel &Gpu,
                                              const RunLibraryCall &Call) {
  double OfNumber = StringSwitch<double>(Call.Compute)
                        .Case("xorwow", 9)
                        .Case("mrg32k3a", 15)
                        .Case("philox", 15)
                        .Case("sobol32", 3)
                        .Default(0);
  double Bytes = elementBytes(Call.Results), N = size(Call, "n");
  if (OfNumber <= 0 || Bytes <= 0)
    return noModel(Call);
  constexpr double Conversion = 2, Store = 2, BoxMuller = 13 / 2.0, Table = 5;
  bool HasTwoDraws = Call.Compute == "xorwow" || Call.Compute == "philox";
  double Draws = Call.Results == "f64" && HasTwoDraws ? 2 : 1;
  StringRef Name = Call.Name;
  double Distribution = Name.contains("Normal")    ? BoxMuller
                        : Name.contains("Poisson") ? Table
                                                   : 0;
  StreamProblem P;
  P.WrittenBytes = N * Bytes;
  P.Instructions = N * (Draws * OfNumber + Conversion + Store + Distribution);
  return streamTime(Gpu, P);
}

static Expected<LibraryKernelTime>
attentionCallTime(const GpuModel &Gpu, const RunLibraryCall &Call) {
  AttentionProblem P;
  P.Heads = size(Call, "heads");
  P.KeyHeads = size(Call, "key_heads", P.Heads);
  P.Queries = size(Call, "queries");
  P.Keys = size(Call, "keys");
  P.Width = size(Call, "width");
  P.ValueWidth = size(Call, "value_width", P.Width);
  P.Causal = size(Call, "causal") > 0;
  if (Call.Operands == "f16" || Call.Operands == "bf16")
    P.Type = GemmType::Half;
  else if (Call.Operands == "f32")
    P.Type = GemmType::Single;
  else
    return noModel(Call);
  P.Backward = Call.Name == "flash_attention_backward";
  return attentionTime(Gpu, P);
}

/// A kernel of PyTorch's own: python/gpu_estimate/pytorch/prices.py counts what
/// it reads, writes and computes.
static LibraryKernelTime passTime(const GpuModel &Gpu,
                                  const RunLibraryCall &Call) {
  StreamProblem P;
  P.ReadBytes = size(Call, "read_bytes");
  P.WrittenBytes = size(Call, "written_bytes");
  P.Instructions = size(Call, "instructions");
  return streamTime(Gpu, P);
}

Expected<LibraryKernelTime> libraryTime(const GpuModel &Gpu,
                                        const RunLibraryCall &Call) {
  if (StringRef(Call.Name).starts_with("cublas") ||
      StringRef(Call.Name).starts_with("cusolver"))
    return blasTime(Gpu, Call);
  if (StringRef(Call.Name).starts_with("curand"))
    return randomTime(Gpu, Call);
  if (StringRef(Call.Name).starts_with("cufft"))
    return transformTime(Gpu, Call);
  if (StringRef(Call.Name).starts_with("cusparse"))
    return sparseTime(Gpu, Call);
  if (StringRef(Call.Name).starts_with("cudnnConvolution"))
    return gemmCallTime(Gpu, Call);
  if (StringRef(Call.Name).starts_with("flash_attention"))
    return attentionCallTime(Gpu, Call);
  // "triton_": as Inductor names the kernels that it fuses.
  if (StringRef(Call.Name).starts_with("at::") ||
      StringRef(Call.Name).starts_with("triton_"))
    return passTime(Gpu, Call);
  return noModel(Call);
}

} // namespace gpuestimate
