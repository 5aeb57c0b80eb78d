/// \file
/// cuSPARSE: sparse vectors and CSR, CSC and COO matrices of real numbers on
/// the CPU by loops over their elements, in double precision, rounded once.
/// Scalars are read through their pointers in either pointer mode.
#include "BlasElements.h"
#include "LibraryCalls.h"
#include <algorithm>
#include <cstring>

#pragma GCC visibility push(default)
#include "gpu_estimate/sparse_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

struct cusparseContext {
  cudaStream_t Stream = nullptr;
};

struct cusparseMatDescr {
  cusparseIndexBase_t Base = CUSPARSE_INDEX_BASE_ZERO;
};

struct csrilu02Info {};
struct cusparseSpSVDescr {};

namespace {

/// An array of indices, which count from Base.
struct Indices {
  void *Data = nullptr;
  cusparseIndexType_t Type = CUSPARSE_INDEX_32I;
  int64_t Base = 0;

  int64_t operator[](int64_t I) const {
    return (Type == CUSPARSE_INDEX_64I   ? static_cast<int64_t *>(Data)[I]
            : Type == CUSPARSE_INDEX_16U ? static_cast<uint16_t *>(Data)[I]
                                         : static_cast<int32_t *>(Data)[I]) -
           Base;
  }
  void set(int64_t I, int64_t Value) {
    Value += Base;
    if (Type == CUSPARSE_INDEX_64I)
      static_cast<int64_t *>(Data)[I] = Value;
    else if (Type == CUSPARSE_INDEX_16U)
      static_cast<uint16_t *>(Data)[I] = uint16_t(Value);
    else
      static_cast<int32_t *>(Data)[I] = int32_t(Value);
  }
  double bytes() const {
    return Type == CUSPARSE_INDEX_64I ? 8 : Type == CUSPARSE_INDEX_16U ? 2 : 4;
  }
};

/// An array of numbers.
struct Values {
  void *Data = nullptr;
  cudaDataType Type = CUDA_R_32F;

  double operator[](int64_t I) const { return load(Data, Type, I); }
  void set(int64_t I, double Value) { store(Data, Type, I, Value); }
};

enum class Format : uint8_t { Csr, Csc, Coo };

} // namespace

struct cusparseSpVecDescr {
  int64_t Size = 0, Count = 0;
  Indices Places;
  Values Elements;
};

struct cusparseDnVecDescr {
  int64_t Size = 0;
  Values Elements;
};

struct cusparseDnMatDescr {
  int64_t Rows = 0, Columns = 0, Leading = 0;
  Values Elements;
  cusparseOrder_t Order = CUSPARSE_ORDER_COL;

  int64_t place(int64_t I, int64_t J) const {
    return Order == CUSPARSE_ORDER_ROW ? I * Leading + J : I + J * Leading;
  }
};

struct cusparseSpMatDescr {
  Format Kind = Format::Csr;
  int64_t Rows = 0, Columns = 0, Count = 0;
  /// Of CSR the starts of the rows and the columns of the elements; of CSC the
  /// starts of the columns and the rows; of COO rows and columns.
  Indices Outer, Inner;
  Values Elements;
  cusparseFillMode_t Fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t Diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

  /// Calls Visit with row, column and number of each element, in their order.
  template <class Visitor> void visit(Visitor Visit) const {
    if (Kind == Format::Coo) {
      for (int64_t E = 0; E < Count; ++E)
        Visit(Outer[E], Inner[E], E);
      return;
    }
    bool IsCsr = Kind == Format::Csr;
    for (int64_t O = 0; O < (IsCsr ? Rows : Columns); ++O)
      for (int64_t E = Outer[O]; E < Outer[O + 1]; ++E)
        Visit(IsCsr ? O : Inner[E], IsCsr ? Inner[E] : O, E);
  }
};

namespace {

/// Records an operation: Sizes has its elements, and the bytes of an index.
cusparseStatus_t record(const char *Name, cusparseHandle_t Handle,
                        cudaDataType Type, double IndexBytes,
                        std::vector<std::pair<std::string, double>> Sizes) {
  ApiCall Call(Name);
  if (!Call.hasDevice() || !Handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isReal(Type)) {
    Call.notice(std::string(Name) + ": complex numbers are not supported");
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
  RunLibraryCall R;
  R.Name = Name;
  R.Sizes = std::move(Sizes);
  R.Sizes.push_back({"index_bytes", IndexBytes});
  R.Operands = R.Results = R.Compute = gpuestimate::nameOf(Type);
  switch (recordLibraryCall(Call, Handle->Stream, R)) {
  case LibraryCallState::Recorded:
    return CUSPARSE_STATUS_SUCCESS;
  case LibraryCallState::NoStream:
    return CUSPARSE_STATUS_INVALID_VALUE;
  case LibraryCallState::Captured:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
  return CUSPARSE_STATUS_INTERNAL_ERROR;
}

/// Begins a function that executes an operation on a matrix.
#define SPARSE_CALL(Type, IndexBytes, ...)                                     \
  if (cusparseStatus_t Status =                                                \
          record(__func__, Handle, Type, IndexBytes, {__VA_ARGS__}))           \
  return Status

cusparseStatus_t noBuffer(size_t *Bytes) {
  if (!Bytes)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *Bytes = 0;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descriptor>
cusparseStatus_t make(Descriptor **Result,
                      std::remove_const_t<Descriptor> Made) {
  if (!Result)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *Result = new std::remove_const_t<Descriptor>(Made);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseSpMatDescr matrix(Format Kind, int64_t Rows, int64_t Columns,
                          int64_t Count, const void *Outer, const void *Inner,
                          const void *Elements, cusparseIndexType_t OuterType,
                          cusparseIndexType_t InnerType,
                          cusparseIndexBase_t Base, cudaDataType Type) {
  cusparseSpMatDescr M;
  M.Kind = Kind;
  M.Rows = Rows;
  M.Columns = Columns;
  M.Count = Count;
  M.Outer = {const_cast<void *>(Outer), OuterType, Base};
  M.Inner = {const_cast<void *>(Inner), InnerType, Base};
  M.Elements = {const_cast<void *>(Elements), Type};
  return M;
}

/// Incomplete LU factorisation without fill-in (Saad 2003, algorithm 10.4):
/// rows in order, each reduced by those before it, in the pattern of A.
template <class T>
void factorise(int Rows, T *Elements, const int *Starts, const int *Columns,
               int Base) {
  std::vector<int> Diagonal(Rows, -1);
  for (int I = 0; I < Rows; ++I) {
    int First = Starts[I] - Base, End = Starts[I + 1] - Base;
    for (int E = First; E < End; ++E) {
      int K = Columns[E] - Base;
      if (K == I)
        Diagonal[I] = E;
      if (K >= I || Diagonal[K] < 0)
        continue;
      Elements[E] /= Elements[Diagonal[K]];
      int Other = Diagonal[K] + 1, OtherEnd = Starts[K + 1] - Base;
      for (int F = E + 1; F < End; ++F) {
        while (Other < OtherEnd && Columns[Other] < Columns[F])
          ++Other;
        if (Other < OtherEnd && Columns[Other] == Columns[F])
          Elements[F] -= Elements[E] * Elements[Other];
      }
    }
  }
}

} // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *Result) {
  ApiCall Call(__func__);
  if (!Call.hasDevice())
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  Call.record(RunCall{});
  return make(Result, cusparseContext());
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t Handle) {
  delete Handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *Result) {
  *Result = 12600;
  return CUSPARSE_STATUS_SUCCESS;
}
const char *cusparseGetErrorName(cusparseStatus_t Status) {
  switch (Status) {
  case CUSPARSE_STATUS_SUCCESS:
    return "CUSPARSE_STATUS_SUCCESS";
  case CUSPARSE_STATUS_NOT_INITIALIZED:
    return "CUSPARSE_STATUS_NOT_INITIALIZED";
  case CUSPARSE_STATUS_INVALID_VALUE:
    return "CUSPARSE_STATUS_INVALID_VALUE";
  case CUSPARSE_STATUS_NOT_SUPPORTED:
    return "CUSPARSE_STATUS_NOT_SUPPORTED";
  default:
    return "CUSPARSE_STATUS_INTERNAL_ERROR";
  }
}
const char *cusparseGetErrorString(cusparseStatus_t Status) {
  return cusparseGetErrorName(Status);
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t Handle,
                                   cudaStream_t Stream) {
  if (!Handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  Handle->Stream = Stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t Handle,
                                   cudaStream_t *Result) {
  if (!Handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  *Result = Handle->Stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t Handle,
                                        cusparsePointerMode_t) {
  return Handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

// The older interface.

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *Result) {
  return make(Result, cusparseMatDescr());
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t Descr) {
  delete Descr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t Descr,
                                         cusparseIndexBase_t Base) {
  Descr->Base = Base;
  return CUSPARSE_STATUS_SUCCESS;
}
// Of the older interface only csrilu02 takes a descriptor, and it reads type,
// triangle and diagonal from the elements.
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t, cusparseMatrixType_t) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t,
                                        cusparseFillMode_t) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t,
                                        cusparseDiagType_t) {
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t Handle, const int *Starts,
                                  int Count, int Rows, int *RowOf,
                                  cusparseIndexBase_t Base) {
  SPARSE_CALL(CUDA_R_32I, 4, {"m", Rows}, {"nnz", Count});
  for (int I = 0; I < Rows; ++I)
    for (int E = Starts[I] - Base; E < Starts[I + 1] - Base; ++E)
      RowOf[E] = I + Base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t Handle, const int *RowOf,
                                  int Count, int Rows, int *Starts,
                                  cusparseIndexBase_t Base) {
  SPARSE_CALL(CUDA_R_32I, 4, {"m", Rows}, {"nnz", Count});
  std::fill(Starts, Starts + Rows + 1, 0);
  for (int E = 0; E < Count; ++E)
    ++Starts[RowOf[E] - Base + 1];
  Starts[0] = Base;
  for (int I = 0; I < Rows; ++I)
    Starts[I + 1] += Starts[I];
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *Result) {
  return make(Result, csrilu02Info());
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t Info) {
  delete Info;
  return CUSPARSE_STATUS_SUCCESS;
}
#define CSRILU02(Letter, T, Type)                                              \
  cusparseStatus_t cusparse##Letter##csrilu02_bufferSize(                      \
      cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,  \
      const int *, csrilu02Info_t, int *Bytes) {                               \
    *Bytes = 4;                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusparseStatus_t cusparse##Letter##csrilu02_analysis(                        \
      cusparseHandle_t, int, int, const cusparseMatDescr_t, const T *,         \
      const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t,         \
      void *) {                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusparseStatus_t cusparse##Letter##csrilu02(                                 \
      cusparseHandle_t Handle, int Rows, int Count,                            \
      const cusparseMatDescr_t Descr, T *Elements, const int *Starts,          \
      const int *Columns, csrilu02Info_t, cusparseSolvePolicy_t, void *) {     \
    SPARSE_CALL(Type, 4, {"m", Rows}, {"nnz", Count});                         \
    factorise(Rows, Elements, Starts, Columns, Descr->Base);                   \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
CSRILU02(S, float, CUDA_R_32F)
CSRILU02(D, double, CUDA_R_64F)
#undef CSRILU02

// Descriptors.

cusparseStatus_t
cusparseCreateSpVec(cusparseSpVecDescr_t *Result, int64_t Size, int64_t Count,
                    void *Places, void *Elements, cusparseIndexType_t IndexType,
                    cusparseIndexBase_t Base, cudaDataType Type) {
  return make(Result,
              cusparseSpVecDescr{
                  Size, Count, {Places, IndexType, Base}, {Elements, Type}});
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t V) {
  delete V;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *Result, int64_t Size,
                                     void *Elements, cudaDataType Type) {
  return make(Result, cusparseDnVecDescr{Size, {Elements, Type}});
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *Result,
                                          int64_t Size, const void *Elements,
                                          cudaDataType Type) {
  return make(Result,
              cusparseDnVecDescr{Size, {const_cast<void *>(Elements), Type}});
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t V) {
  delete V;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t V,
                                        void *Elements) {
  V->Elements.Data = Elements;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *Result, int64_t Rows,
                                     int64_t Columns, int64_t Leading,
                                     void *Elements, cudaDataType Type,
                                     cusparseOrder_t Order) {
  return make(Result, cusparseDnMatDescr{
                          Rows, Columns, Leading, {Elements, Type}, Order});
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *Result,
                                          int64_t Rows, int64_t Columns,
                                          int64_t Leading, const void *Elements,
                                          cudaDataType Type,
                                          cusparseOrder_t Order) {
  return make(
      Result,
      cusparseDnMatDescr{
          Rows, Columns, Leading, {const_cast<void *>(Elements), Type}, Order});
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t M) {
  delete M;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t
cusparseCreateCsr(cusparseSpMatDescr_t *Result, int64_t Rows, int64_t Columns,
                  int64_t Count, void *Starts, void *ColumnOf, void *Elements,
                  cusparseIndexType_t StartType, cusparseIndexType_t ColumnType,
                  cusparseIndexBase_t Base, cudaDataType Type) {
  return make(Result,
              matrix(Format::Csr, Rows, Columns, Count, Starts, ColumnOf,
                     Elements, StartType, ColumnType, Base, Type));
}
cusparseStatus_t
cusparseCreateConstCsr(cusparseConstSpMatDescr_t *Result, int64_t Rows,
                       int64_t Columns, int64_t Count, const void *Starts,
                       const void *ColumnOf, const void *Elements,
                       cusparseIndexType_t StartType,
                       cusparseIndexType_t ColumnType, cusparseIndexBase_t Base,
                       cudaDataType Type) {
  return make(Result,
              matrix(Format::Csr, Rows, Columns, Count, Starts, ColumnOf,
                     Elements, StartType, ColumnType, Base, Type));
}
cusparseStatus_t
cusparseCreateCsc(cusparseSpMatDescr_t *Result, int64_t Rows, int64_t Columns,
                  int64_t Count, void *Starts, void *RowOf, void *Elements,
                  cusparseIndexType_t StartType, cusparseIndexType_t RowType,
                  cusparseIndexBase_t Base, cudaDataType Type) {
  return make(Result, matrix(Format::Csc, Rows, Columns, Count, Starts, RowOf,
                             Elements, StartType, RowType, Base, Type));
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *Result, int64_t Rows,
                                   int64_t Columns, int64_t Count, void *RowOf,
                                   void *ColumnOf, void *Elements,
                                   cusparseIndexType_t IndexType,
                                   cusparseIndexBase_t Base,
                                   cudaDataType Type) {
  return make(Result, matrix(Format::Coo, Rows, Columns, Count, RowOf, ColumnOf,
                             Elements, IndexType, IndexType, Base, Type));
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t M) {
  delete M;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t M, void *Starts,
                                        void *ColumnOf, void *Elements) {
  M->Outer.Data = Starts;
  M->Inner.Data = ColumnOf;
  M->Elements.Data = Elements;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t M, void *RowOf,
                                        void *ColumnOf, void *Elements) {
  return cusparseCsrSetPointers(M, RowOf, ColumnOf, Elements);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t M,
                                      int64_t *Rows, int64_t *Columns,
                                      int64_t *Count) {
  *Rows = M->Rows;
  *Columns = M->Columns;
  *Count = M->Count;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t M,
                                           cusparseSpMatAttribute_t What,
                                           void *Data, size_t Bytes) {
  if (!Data || Bytes != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  int Value;
  std::memcpy(&Value, Data, sizeof(Value));
  if (What == CUSPARSE_SPMAT_FILL_MODE)
    M->Fill = cusparseFillMode_t(Value);
  else
    M->Diagonal = cusparseDiagType_t(Value);
  return CUSPARSE_STATUS_SUCCESS;
}

// Operations.

cusparseStatus_t cusparseAxpby(cusparseHandle_t Handle, const void *Alpha,
                               cusparseConstSpVecDescr_t X, const void *Beta,
                               cusparseDnVecDescr_t Y) {
  cudaDataType Type = Y->Elements.Type;
  SPARSE_CALL(Type, X->Places.bytes(), {"n", double(Y->Size)},
              {"nnz", double(X->Count)});
  double A = load(Alpha, Type, 0), B = load(Beta, Type, 0);
  for (int64_t I = 0; I < Y->Size; ++I)
    Y->Elements.set(I, B == 0 ? 0 : B * Y->Elements[I]);
  for (int64_t E = 0; E < X->Count; ++E) {
    int64_t I = X->Places[E];
    Y->Elements.set(I, Y->Elements[I] + A * X->Elements[E]);
  }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGather(cusparseHandle_t Handle,
                                cusparseConstDnVecDescr_t Y,
                                cusparseSpVecDescr_t X) {
  SPARSE_CALL(Y->Elements.Type, X->Places.bytes(), {"nnz", double(X->Count)});
  for (int64_t E = 0; E < X->Count; ++E)
    X->Elements.set(E, Y->Elements[X->Places[E]]);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseScatter(cusparseHandle_t Handle,
                                 cusparseConstSpVecDescr_t X,
                                 cusparseDnVecDescr_t Y) {
  SPARSE_CALL(Y->Elements.Type, X->Places.bytes(), {"nnz", double(X->Count)});
  for (int64_t E = 0; E < X->Count; ++E)
    Y->Elements.set(X->Places[E], X->Elements[E]);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t
cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        const void *, cusparseDnVecDescr_t, cudaDataType,
                        cusparseSpMVAlg_t, size_t *Bytes) {
  return noBuffer(Bytes);
}
cusparseStatus_t
cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        const void *, cusparseDnVecDescr_t, cudaDataType,
                        cusparseSpMVAlg_t, void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t Handle, cusparseOperation_t Op,
                              const void *Alpha, cusparseConstSpMatDescr_t A,
                              cusparseConstDnVecDescr_t X, const void *Beta,
                              cusparseDnVecDescr_t Y, cudaDataType Compute,
                              cusparseSpMVAlg_t, void *) {
  SPARSE_CALL(A->Elements.Type, A->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"nnz", double(A->Count)});
  double Factor = load(Alpha, Compute, 0), Old = load(Beta, Compute, 0);
  bool Transposes = Op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::vector<double> Sums(Y->Size);
  A->visit([&](int64_t I, int64_t J, int64_t E) {
    if (Transposes)
      std::swap(I, J);
    Sums[I] += A->Elements[E] * X->Elements[J];
  });
  for (int64_t I = 0; I < Y->Size; ++I)
    Y->Elements.set(I,
                    Factor * Sums[I] + (Old == 0 ? 0 : Old * Y->Elements[I]));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
    cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
    cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *Bytes) {
  return noBuffer(Bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
    cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
    cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t Handle, cusparseOperation_t OpA,
                              cusparseOperation_t OpB, const void *Alpha,
                              cusparseConstSpMatDescr_t A,
                              cusparseConstDnMatDescr_t B, const void *Beta,
                              cusparseDnMatDescr_t C, cudaDataType Compute,
                              cusparseSpMMAlg_t, void *) {
  int64_t N = C->Columns;
  SPARSE_CALL(A->Elements.Type, A->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"nnz", double(A->Count)},
              {"columns", double(N)});
  double Factor = load(Alpha, Compute, 0), Old = load(Beta, Compute, 0);
  bool TransposesA = OpA != CUSPARSE_OPERATION_NON_TRANSPOSE,
       TransposesB = OpB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::vector<double> Sums(C->Rows * N);
  A->visit([&](int64_t I, int64_t J, int64_t E) {
    if (TransposesA)
      std::swap(I, J);
    double Element = A->Elements[E];
    for (int64_t Column = 0; Column < N; ++Column)
      Sums[I * N + Column] +=
          Element *
          B->Elements[TransposesB ? B->place(Column, J) : B->place(J, Column)];
  });
  for (int64_t I = 0; I < C->Rows; ++I)
    for (int64_t J = 0; J < N; ++J) {
      int64_t Place = C->place(I, J);
      C->Elements.set(Place, Factor * Sums[I * N + J] +
                                 (Old == 0 ? 0 : Old * C->Elements[Place]));
    }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *Result) {
  return make(Result, cusparseSpSVDescr());
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t Descr) {
  delete Descr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t
cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                        cusparseSpSVDescr_t, size_t *Bytes) {
  return noBuffer(Bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t,
                                       const void *, cusparseConstSpMatDescr_t,
                                       cusparseConstDnVecDescr_t,
                                       cusparseDnVecDescr_t, cudaDataType,
                                       cusparseSpSVAlg_t, cusparseSpSVDescr_t,
                                       void *) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// Solves op(A) y = alpha x by rows of op(A): elements outside of the triangle
/// that the matrix names are not used.
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t Handle,
                                    cusparseOperation_t Op, const void *Alpha,
                                    cusparseConstSpMatDescr_t A,
                                    cusparseConstDnVecDescr_t X,
                                    cusparseDnVecDescr_t Y,
                                    cudaDataType Compute, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t) {
  SPARSE_CALL(A->Elements.Type, A->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"nnz", double(A->Count)});
  bool Transposes = Op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  bool IsLower = (A->Fill == CUSPARSE_FILL_MODE_LOWER) != Transposes;
  bool IsUnit = A->Diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  int64_t N = A->Rows;
  std::vector<std::vector<std::pair<int64_t, double>>> Rows(N);
  std::vector<double> Diagonal(N, IsUnit ? 1 : 0), Solution(N);
  A->visit([&](int64_t I, int64_t J, int64_t E) {
    if (Transposes)
      std::swap(I, J);
    if (I == J && !IsUnit)
      Diagonal[I] = A->Elements[E];
    else if (IsLower ? J < I : J > I)
      Rows[I].push_back({J, A->Elements[E]});
  });
  double Factor = load(Alpha, Compute, 0);
  for (int64_t Step = 0; Step < N; ++Step) {
    int64_t I = IsLower ? Step : N - 1 - Step;
    double Sum = Factor * X->Elements[I];
    for (auto [J, Element] : Rows[I])
      Sum -= Element * Solution[J];
    Solution[I] = Sum / Diagonal[I];
  }
  for (int64_t I = 0; I < N; ++I)
    Y->Elements.set(I, Solution[I]);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t,
                                                  cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t,
                                                  size_t *Bytes) {
  return noBuffer(Bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t Handle,
                                       cusparseConstSpMatDescr_t A,
                                       cusparseDnMatDescr_t B,
                                       cusparseSparseToDenseAlg_t, void *) {
  SPARSE_CALL(A->Elements.Type, A->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"nnz", double(A->Count)},
              {"columns", double(A->Columns)});
  for (int64_t I = 0; I < B->Rows; ++I)
    for (int64_t J = 0; J < B->Columns; ++J)
      B->Elements.set(B->place(I, J), 0);
  A->visit([&](int64_t I, int64_t J, int64_t E) {
    B->Elements.set(B->place(I, J), A->Elements[E]);
  });
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t,
                                                  cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t,
                                                  size_t *Bytes) {
  return noBuffer(Bytes);
}
/// Counts the elements: the program allocates memory for them next.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t Handle,
                                                cusparseConstDnMatDescr_t A,
                                                cusparseSpMatDescr_t B,
                                                cusparseDenseToSparseAlg_t,
                                                void *) {
  SPARSE_CALL(A->Elements.Type, B->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"columns", double(A->Columns)});
  bool ByColumns = B->Kind == Format::Csc, HasStarts = B->Kind != Format::Coo;
  int64_t Count = 0;
  for (int64_t O = 0; O < (ByColumns ? A->Columns : A->Rows); ++O) {
    if (HasStarts)
      B->Outer.set(O, Count);
    for (int64_t I = 0; I < (ByColumns ? A->Rows : A->Columns); ++I)
      Count += A->Elements[ByColumns ? A->place(I, O) : A->place(O, I)] != 0;
  }
  if (HasStarts)
    B->Outer.set(ByColumns ? A->Columns : A->Rows, Count);
  B->Count = Count;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t Handle,
                                               cusparseConstDnMatDescr_t A,
                                               cusparseSpMatDescr_t B,
                                               cusparseDenseToSparseAlg_t,
                                               void *) {
  SPARSE_CALL(A->Elements.Type, B->Inner.bytes(), {"m", double(A->Rows)},
              {"n", double(A->Columns)}, {"nnz", double(B->Count)},
              {"columns", double(A->Columns)});
  bool ByColumns = B->Kind == Format::Csc, IsCoo = B->Kind == Format::Coo;
  int64_t E = 0;
  for (int64_t O = 0; O < (ByColumns ? A->Columns : A->Rows); ++O)
    for (int64_t I = 0; I < (ByColumns ? A->Rows : A->Columns); ++I) {
      double Value = A->Elements[ByColumns ? A->place(I, O) : A->place(O, I)];
      if (Value == 0)
        continue;
      if (IsCoo)
        B->Outer.set(E, O);
      B->Inner.set(E, I);
      B->Elements.set(E++, Value);
    }
  return CUSPARSE_STATUS_SUCCESS;
}

} // extern "C"
