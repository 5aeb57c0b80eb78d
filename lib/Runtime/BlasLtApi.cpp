/// \file
/// cuBLASLt: D = epilogue(alpha * op(A) * op(B) + beta * C) on the CPU by the
/// host's BLAS. There is one algorithm, which takes every problem; its time is
/// that of the tiling that the model of a product chooses.
#include "BlasElements.h"
#include "LibraryCalls.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#pragma GCC visibility push(default)
#include "gpu_estimate/blas_lt_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

struct cublasLtContext {};

namespace {

/// What cublasLtMatrixLayoutOpaque_t holds.
struct Layout {
  int32_t Type, Order;
  uint64_t Rows, Columns;
  int64_t Leading;
  int32_t BatchCount;
  int64_t BatchOffset; ///< in elements
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));

/// What cublasLtMatmulDescOpaque_t holds.
struct Product {
  int32_t Compute, Scale, PointerMode, TransposeA, TransposeB;
  uint32_t Epilogue;
  void *Bias, *Aux;
  int64_t BiasBatchStride, AuxLeading, AuxBatchStride;
  int32_t BiasType, AuxType; ///< -1: the type of D
  const float *ScaleA, *ScaleB, *ScaleC, *ScaleD;
};
static_assert(sizeof(Product) <= sizeof(cublasLtMatmulDescOpaque_t));

/// The parts of an epilogue, as bits of cublasLtEpilogue_t.
enum EpilogueBit : uint32_t {
  Relu = 2,
  AddBias = 4,
  ReluGradient = 8,
  BiasGradient = 16,
  Gelu = 32,
  GeluGradient = 64,
  UsesAux = 128,
  BiasGradientA = 256,
  BiasGradientB = 512
};

Layout &layoutOf(cublasLtMatrixLayout_t L) {
  return *reinterpret_cast<Layout *>(L);
}
Product &productOf(cublasLtMatmulDesc_t D) {
  return *reinterpret_cast<Product *>(D);
}

/// The member of an attribute and its bytes; null for an attribute that is not
/// kept.
struct Member {
  void *At = nullptr;
  size_t Bytes = 0;
};
template <class T> Member member(T &Field) { return {&Field, sizeof(T)}; }

Member memberOf(Layout &L, cublasLtMatrixLayoutAttribute_t Attribute) {
  switch (Attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return member(L.Type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    return member(L.Order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return member(L.Rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return member(L.Columns);
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return member(L.Leading);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return member(L.BatchCount);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return member(L.BatchOffset);
  default:
    return {};
  }
}

Member memberOf(Product &P, cublasLtMatmulDescAttributes_t Attribute) {
  switch (Attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return member(P.Compute);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return member(P.Scale);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return member(P.PointerMode);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return member(P.TransposeA);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return member(P.TransposeB);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return member(P.Epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return member(P.Bias);
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    return member(P.BiasBatchStride);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return member(P.BiasType);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return member(P.Aux);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return member(P.AuxLeading);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return member(P.AuxBatchStride);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
    return member(P.AuxType);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return member(P.ScaleA);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return member(P.ScaleB);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return member(P.ScaleC);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return member(P.ScaleD);
  default:
    return {};
  }
}

/// Attributes that are not kept may have the value 0, their default; another
/// one would change the result. HasEffect: false for hints, which change no
/// result.
cublasStatus_t setMember(Member M, const void *Value, size_t Bytes,
                         const char *Function, bool HasEffect) {
  if (!Value || (M.At && Bytes != M.Bytes))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (M.At) {
    std::memcpy(M.At, Value, Bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  auto *First = static_cast<const char *>(Value);
  bool IsDefault = std::all_of(First, First + Bytes, [](char C) { return !C; });
  if (!HasEffect || IsDefault)
    return CUBLAS_STATUS_SUCCESS;
  ApiCall(Function).notice(std::string(Function) +
                           ": an attribute is not supported: it failed");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t getMember(Member M, void *Value, size_t Bytes, size_t *Written) {
  if (!M.At)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (Written)
    *Written = M.Bytes;
  if (Bytes == 0 && Written)
    return CUBLAS_STATUS_SUCCESS;
  if (!Value || Bytes < M.Bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(Value, M.At, M.Bytes);
  return CUBLAS_STATUS_SUCCESS;
}

double scaleOf(const float *Pointer) { return Pointer ? *Pointer : 1; }

/// The tanh form of GELU (Hendrycks & Gimpel 2016), which cuBLASLt documents.
constexpr double RootOfTwoByPi = 0.7978845608028654, CubicTerm = 0.044715;
double gelu(double X) {
  return 0.5 * X * (1 + std::tanh(RootOfTwoByPi * (X + CubicTerm * X * X * X)));
}
double geluGradient(double X) {
  double Tanh = std::tanh(RootOfTwoByPi * (X + CubicTerm * X * X * X));
  double Inner = RootOfTwoByPi * (1 + 3 * CubicTerm * X * X);
  return 0.5 * (1 + Tanh) + 0.5 * X * (1 - Tanh * Tanh) * Inner;
}

/// One product of a batch.
class Multiplication {
public:
  Multiplication(const Product &P, const Layout &D, int64_t Batch)
      : P(P), D(D), Batch(Batch) {}

  /// Results: alpha * op(A) * op(B) + beta * C, Rows x Columns of D, by columns
  /// of D's view. To: D's elements.
  void finish(std::vector<double> &Results, void *To);
  /// Where row I and column J of a matrix are.
  static int64_t place(const Layout &L, int64_t I, int64_t J) {
    return L.Order == CUBLASLT_ORDER_ROW ? I * L.Leading + J
                                         : I + J * L.Leading;
  }

private:
  double bias(int64_t Row) const;
  double applyAux(double Value, int64_t I, int64_t J);

  const Product &P;
  const Layout &D;
  int64_t Batch;
};

double Multiplication::bias(int64_t Row) const {
  auto Type = cudaDataType(P.BiasType < 0 ? D.Type : P.BiasType);
  return load(P.Bias, Type, Batch * P.BiasBatchStride + Row);
}

/// Activation and its gradient. The auxiliary matrix has the input of GELU, and
/// of ReLU one bit for each element whether it was positive.
double Multiplication::applyAux(double Value, int64_t I, int64_t J) {
  bool HasAux = (P.Epilogue & UsesAux) && P.Aux;
  auto Type = cudaDataType(P.AuxType < 0 ? D.Type : P.AuxType);
  int64_t Place = Batch * P.AuxBatchStride + I + J * P.AuxLeading;
  if (P.Epilogue & Gelu) {
    if (HasAux)
      store(P.Aux, Type, Place, Value);
    return gelu(Value);
  }
  if (P.Epilogue & GeluGradient)
    return Value * geluGradient(load(P.Aux, Type, Place));
  auto *Bits = static_cast<uint8_t *>(P.Aux);
  uint8_t Bit = uint8_t(1u << (Place % 8));
  if (P.Epilogue & ReluGradient)
    return Bits[Place / 8] & Bit ? Value : 0;
  if (P.Epilogue & Relu) {
    if (HasAux)
      Bits[Place / 8] =
          uint8_t(Value > 0 ? Bits[Place / 8] | Bit : Bits[Place / 8] & ~Bit);
    return std::max(Value, 0.0);
  }
  return Value;
}

void Multiplication::finish(std::vector<double> &Results, void *To) {
  std::vector<double> Sums(D.Rows);
  auto Type = cudaDataType(D.Type);
  for (int64_t J = 0; J < int64_t(D.Columns); ++J)
    for (int64_t I = 0; I < int64_t(D.Rows); ++I) {
      double Value = Results[I + J * D.Rows];
      if (P.Epilogue & AddBias)
        Value += bias(I);
      Value = applyAux(Value, I, J);
      Sums[I] += Value;
      store(To, Type, place(D, I, J), Value * scaleOf(P.ScaleD));
    }
  if (!(P.Epilogue & BiasGradient) || !P.Bias)
    return;
  auto OfBias = cudaDataType(P.BiasType < 0 ? D.Type : P.BiasType);
  for (int64_t I = 0; I < int64_t(D.Rows); ++I)
    store(P.Bias, OfBias, Batch * P.BiasBatchStride + I, Sums[I]);
}

/// A matrix of the batch as op(matrix), by columns: a matrix by rows is a
/// transposed one by columns.
Matrix view(const void *Data, const Layout &L, int32_t Op, int64_t Batch) {
  bool ByRows = L.Order == CUBLASLT_ORDER_ROW;
  bool Transposes = (Op != CUBLAS_OP_N) != ByRows;
  Matrix M{Data, cudaDataType(L.Type), L.Leading,
           Transposes ? CUBLAS_OP_T : CUBLAS_OP_N};
  return M.offset(Batch * L.BatchOffset);
}

/// Sums over the inner dimension of op(A), M x K, or op(B), K x N: the gradient
/// of a bias whose layer has A or B as its output's gradient.
void sumForBias(const Product &P, const Matrix &M, int Rows, int Columns,
                bool AlongColumns, cudaDataType Type) {
  std::vector<double> Wide = M.widen(Rows, Columns);
  std::vector<double> Sums(AlongColumns ? Rows : Columns);
  for (int J = 0; J < Columns; ++J)
    for (int I = 0; I < Rows; ++I)
      Sums[AlongColumns ? I : J] += Wide[I + size_t(J) * Rows];
  for (size_t I = 0; I < Sums.size(); ++I)
    store(P.Bias, Type, int64_t(I), Sums[I]);
}

/// The types and orders that are here.
bool isSupported(const Product &P, const Layout &A, const Layout &B,
                 const Layout &C, const Layout &D) {
  auto IsKnown = [](const Layout &L) {
    return isReal(cudaDataType(L.Type)) && L.Order <= CUBLASLT_ORDER_ROW;
  };
  return IsKnown(A) && IsKnown(B) && IsKnown(C) && IsKnown(D) &&
         P.PointerMode <= CUBLASLT_POINTER_MODE_DEVICE;
}

/// The dimensions of the product; nothing where they do not fit each other.
struct Dimensions {
  int M, N, K;
};
std::optional<Dimensions> dimensionsOf(const Product &P, const Layout &A,
                                       const Layout &B, const Layout &D) {
  bool IsA = P.TransposeA == CUBLAS_OP_N, IsB = P.TransposeB == CUBLAS_OP_N;
  uint64_t M = IsA ? A.Rows : A.Columns, K = IsA ? A.Columns : A.Rows;
  uint64_t N = IsB ? B.Columns : B.Rows;
  if ((IsB ? B.Rows : B.Columns) != K || D.Rows != M || D.Columns != N ||
      std::max({M, N, K}) > INT32_MAX)
    return std::nullopt;
  return Dimensions{int(M), int(N), int(K)};
}

const char *computeName(int32_t Compute) {
  switch (Compute) {
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return "tf32";
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return "f16";
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return "f64";
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return "i32";
  default:
    return "f32";
  }
}

} // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *Result) {
  ApiCall Call(__func__);
  if (!Call.hasDevice())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Result)
    return CUBLAS_STATUS_INVALID_VALUE;
  Call.record(RunCall{});
  *Result = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t Handle) {
  delete Handle;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusName(cublasStatus_t Status) {
  return cublasGetStatusName(Status);
}
const char *cublasLtGetStatusString(cublasStatus_t Status) {
  return cublasGetStatusString(Status);
}
size_t cublasLtGetVersion(void) { return 120600; }
size_t cublasLtGetCudartVersion(void) { return 12060; }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t L,
                                                 size_t Size, cudaDataType Type,
                                                 uint64_t Rows,
                                                 uint64_t Columns,
                                                 int64_t Leading) {
  if (!L || Size < sizeof(*L))
    return CUBLAS_STATUS_INVALID_VALUE;
  *L = {};
  layoutOf(L) = {Type, CUBLASLT_ORDER_COL, Rows, Columns, Leading, 1, 0};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *Result,
                                          cudaDataType Type, uint64_t Rows,
                                          uint64_t Columns, int64_t Leading) {
  if (!Result)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Result = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit_internal(*Result, sizeof(**Result), Type,
                                           Rows, Columns, Leading);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t L) {
  delete L;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t L,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 const void *Value, size_t Bytes) {
  if (!L)
    return CUBLAS_STATUS_INVALID_VALUE;
  return setMember(memberOf(layoutOf(L), Attribute), Value, Bytes, __func__,
                   /*HasEffect=*/true);
}

cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t L,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 void *Value, size_t Bytes, size_t *Written) {
  if (!L)
    return CUBLAS_STATUS_INVALID_VALUE;
  return getMember(memberOf(layoutOf(L), Attribute), Value, Bytes, Written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t Desc,
                                               size_t Size,
                                               cublasComputeType_t Compute,
                                               cudaDataType Scale) {
  if (!Desc || Size < sizeof(*Desc))
    return CUBLAS_STATUS_INVALID_VALUE;
  *Desc = {};
  Product &P = productOf(Desc);
  P.Compute = Compute;
  P.Scale = Scale;
  P.Epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  P.BiasType = P.AuxType = -1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *Result,
                                        cublasComputeType_t Compute,
                                        cudaDataType Scale) {
  if (!Result)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Result = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit_internal(*Result, sizeof(**Result), Compute,
                                         Scale);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t Desc) {
  delete Desc;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t Desc,
                               cublasLtMatmulDescAttributes_t Attribute,
                               const void *Value, size_t Bytes) {
  if (!Desc)
    return CUBLAS_STATUS_INVALID_VALUE;
  bool IsHint = Attribute == CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET ||
                Attribute == CUBLASLT_MATMUL_DESC_FAST_ACCUM;
  return setMember(memberOf(productOf(Desc), Attribute), Value, Bytes, __func__,
                   !IsHint);
}

cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t Desc,
                               cublasLtMatmulDescAttributes_t Attribute,
                               void *Value, size_t Bytes, size_t *Written) {
  if (!Desc)
    return CUBLAS_STATUS_INVALID_VALUE;
  return getMember(memberOf(productOf(Desc), Attribute), Value, Bytes, Written);
}

// The one algorithm needs no workspace and prefers nothing.
cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t Preference,
                                      size_t Size) {
  if (!Preference || Size < sizeof(*Preference))
    return CUBLAS_STATUS_INVALID_VALUE;
  *Preference = {};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *Result) {
  if (!Result)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Result = new cublasLtMatmulPreferenceOpaque_t();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t Preference) {
  delete Preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t Preference,
                                     cublasLtMatmulPreferenceAttributes_t,
                                     const void *Value, size_t) {
  return Preference && Value ? CUBLAS_STATUS_SUCCESS
                             : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t
cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t,
                                     cublasLtMatmulPreferenceAttributes_t,
                                     void *, size_t, size_t *) {
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t
cublasLtMatmulAlgoCheck(cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
                        cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                        cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                        const cublasLtMatmulAlgo_t *,
                        cublasLtMatmulHeuristicResult_t *Result) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Desc || !A || !B || !C || !D || !Result)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Result = {};
  const Product &P = productOf(Desc);
  if (!isSupported(P, layoutOf(A), layoutOf(B), layoutOf(C), layoutOf(D)))
    Result->state = CUBLAS_STATUS_NOT_SUPPORTED;
  else if (!dimensionsOf(P, layoutOf(A), layoutOf(B), layoutOf(D)))
    Result->state = CUBLAS_STATUS_INVALID_VALUE;
  return Result->state;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
    cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
    cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
    cublasLtMatmulPreference_t, int Wanted,
    cublasLtMatmulHeuristicResult_t Results[], int *Found) {
  if (!Found || !Results || Wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Found = 0;
  cublasStatus_t Status =
      cublasLtMatmulAlgoCheck(Handle, Desc, A, B, C, D, nullptr, Results);
  *Found = Status == CUBLAS_STATUS_SUCCESS;
  return Status;
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
               const void *Alpha, const void *A, cublasLtMatrixLayout_t LayoutA,
               const void *B, cublasLtMatrixLayout_t LayoutB, const void *Beta,
               const void *C, cublasLtMatrixLayout_t LayoutC, void *D,
               cublasLtMatrixLayout_t LayoutD, const cublasLtMatmulAlgo_t *,
               void *, size_t, cudaStream_t Stream) {
  cublasLtMatmulHeuristicResult_t Check;
  cublasStatus_t Status = cublasLtMatmulAlgoCheck(
      Handle, Desc, LayoutA, LayoutB, LayoutC, LayoutD, nullptr, &Check);
  if (Status == CUBLAS_STATUS_NOT_SUPPORTED)
    ApiCall(__func__).notice(
        "cublasLtMatmul: a type or an order of a matrix is "
        "not supported: it failed");
  if (Status != CUBLAS_STATUS_SUCCESS)
    return Status;
  const Product &P = productOf(Desc);
  const Layout &LA = layoutOf(LayoutA), &LB = layoutOf(LayoutB),
               &LC = layoutOf(LayoutC), &LD = layoutOf(LayoutD);
  auto [M, N, K] = *dimensionsOf(P, LA, LB, LD);
  int64_t Count = std::max(1, LD.BatchCount);
  ApiCall Call(__func__);
  if (!Call.hasDevice())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  RunLibraryCall R;
  R.Name = __func__;
  R.Sizes = {{"m", M}, {"n", N}, {"k", K}, {"batch", double(Count)}};
  R.Operands = nameOf(cudaDataType(LA.Type));
  R.Results = nameOf(cudaDataType(LD.Type));
  R.Compute = computeName(P.Compute);
  switch (recordLibraryCall(Call, Stream, R)) {
  case LibraryCallState::Recorded:
    break;
  case LibraryCallState::NoStream:
    return CUBLAS_STATUS_INVALID_VALUE;
  case LibraryCallState::Captured:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  auto Scalar = cudaDataType(P.Scale);
  double Factor =
             load(Alpha, Scalar, 0) * scaleOf(P.ScaleA) * scaleOf(P.ScaleB),
         Old = (Beta ? load(Beta, Scalar, 0) : 0) * scaleOf(P.ScaleC);
  for (int64_t Batch = 0; Batch < Count; ++Batch) {
    Matrix MA = view(A, LA, P.TransposeA, Batch),
           MB = view(B, LB, P.TransposeB, Batch);
    auto OfBias = cudaDataType(P.BiasType < 0 ? LD.Type : P.BiasType);
    if ((P.Epilogue & BiasGradientA) && P.Bias)
      sumForBias(P, MA, M, K, /*AlongColumns=*/true, OfBias);
    if ((P.Epilogue & BiasGradientB) && P.Bias)
      sumForBias(P, MB, K, N, /*AlongColumns=*/false, OfBias);
    std::vector<double> Results = product(M, N, K, MA, MB);
    const void *OldData = Matrix{C, cudaDataType(LC.Type), LC.Leading}
                              .offset(Batch * LC.BatchOffset)
                              .Data;
    for (int64_t J = 0; J < N; ++J)
      for (int64_t I = 0; I < M; ++I) {
        double &Value = Results[I + J * M];
        Value *= Factor;
        if (Old != 0)
          Value += Old * load(OldData, cudaDataType(LC.Type),
                              Multiplication::place(LC, I, J));
      }
    const void *To = Matrix{D, cudaDataType(LD.Type), LD.Leading}
                         .offset(Batch * LD.BatchOffset)
                         .Data;
    Multiplication(P, LD, Batch).finish(Results, const_cast<void *>(To));
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // extern "C"
