/// \file
/// cuSOLVER's dense interface on LAPACK, which is loaded where it is installed.
/// Memory of the device is the host's, so that matrices are factorised where
/// they are. Workspaces are LAPACK's own: those of the program stay as they
/// are.
#include "LibraryCalls.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <dlfcn.h>

#pragma GCC visibility push(default)
#include "gpu_estimate/solver_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

struct cusolverDnContext {
  cudaStream_t Stream = nullptr;
};
struct cusolverDnParams {};
struct syevjInfo {};
struct gesvdjInfo {};

namespace {

// Types of elements.

template <class T> struct SolverType;
template <> struct SolverType<float> {
  using Value = float;
  using Real = float;
  static constexpr char Letter = 's';
  static constexpr const char *Name = "f32";
  static constexpr bool IsComplex = false;
};
template <> struct SolverType<double> {
  using Value = double;
  using Real = double;
  static constexpr char Letter = 'd';
  static constexpr const char *Name = "f64";
  static constexpr bool IsComplex = false;
};
template <> struct SolverType<cuComplex> {
  using Value = std::complex<float>;
  using Real = float;
  static constexpr char Letter = 'c';
  static constexpr const char *Name = "cf32";
  static constexpr bool IsComplex = true;
};
template <> struct SolverType<cuDoubleComplex> {
  using Value = std::complex<double>;
  using Real = double;
  static constexpr char Letter = 'z';
  static constexpr const char *Name = "cf64";
  static constexpr bool IsComplex = true;
};
template <class T> using RealOf = typename SolverType<T>::Real;

// LAPACK. Its functions take addresses, and behind them the length of each
// string, which is 1.

void *lapackFunction(const std::string &Name) {
  static void *const Library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  return Library ? dlsym(Library, (Name + "_").c_str()) : nullptr;
}

/// Real and complex functions differ in some names.
template <class T>
std::string lapackName(const char *Real, const char *Complex = nullptr) {
  return std::string(1, SolverType<T>::Letter) +
         (SolverType<T>::IsComplex && Complex ? Complex : Real);
}

template <class... Arguments>
void lapack(const std::string &Name, Arguments... Of) {
  using Function = void (*)(Arguments..., size_t, size_t, size_t);
  reinterpret_cast<Function>(lapackFunction(Name))(Of..., 1, 1, 1);
}

char letterOf(cublasFillMode_t Fill) {
  return Fill == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
char letterOf(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N ? 'N' : Op == CUBLAS_OP_T ? 'T' : 'C';
}
char letterOf(cusolverEigMode_t Mode) {
  return Mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}

/// A function that ends with WORK, LWORK and, with complex numbers, RWORK of
/// RealWork elements where it has that, and INFO. Asks for the size first.
template <class T, class... Arguments>
int lapackWithWork(const std::string &Name, int64_t RealWork, Arguments... Of) {
  int Info = 0, Size = -1;
  std::vector<T> Work(1);
  std::vector<RealOf<T>> Reals(std::max<int64_t>(RealWork, 1));
  auto Call = [&] {
    if (SolverType<T>::IsComplex && RealWork)
      lapack(Name, Of..., Work.data(), &Size, Reals.data(), &Info);
    else
      lapack(Name, Of..., Work.data(), &Size, &Info);
  };
  Call();
  if (Info)
    return Info;
  RealOf<T> Wanted;
  std::memcpy(&Wanted, Work.data(), sizeof(Wanted));
  Size = std::max(1, int(Wanted));
  Work.resize(Size);
  Call();
  return Info;
}

template <class T> int factorCholesky(char Fill, int N, T *A, int Ld) {
  int Info = 0;
  lapack(lapackName<T>("potrf"), &Fill, &N, A, &Ld, &Info);
  return Info;
}

template <class T>
int solveCholesky(char Fill, int N, int Columns, const T *A, int LdA, T *B,
                  int LdB) {
  int Info = 0;
  lapack(lapackName<T>("potrs"), &Fill, &N, &Columns, A, &LdA, B, &LdB, &Info);
  return Info;
}

/// Without pivots where the program wants none.
template <class T> int factorLu(int M, int N, T *Data, int Ld, int *Pivots) {
  int Info = 0;
  if (Pivots) {
    lapack(lapackName<T>("getrf"), &M, &N, Data, &Ld, Pivots, &Info);
    return Info;
  }
  auto *A = reinterpret_cast<typename SolverType<T>::Value *>(Data);
  auto At = [&](int R, int C) -> auto & { return A[R + int64_t(C) * Ld]; };
  for (int K = 0; K < std::min(M, N); ++K) {
    if (At(K, K) == RealOf<T>(0)) {
      Info = Info ? Info : K + 1;
      continue;
    }
    for (int R = K + 1; R < M; ++R)
      At(R, K) /= At(K, K);
    for (int C = K + 1; C < N; ++C)
      for (int R = K + 1; R < M; ++R)
        At(R, C) -= At(R, K) * At(K, C);
  }
  return Info;
}

template <class T>
int solveLuOf(char Op, int N, int Columns, const T *A, int LdA,
              const int *Pivots, T *B, int LdB) {
  std::vector<int> Identity;
  if (!Pivots) {
    for (int I = 1; I <= N; ++I)
      Identity.push_back(I);
    Pivots = Identity.data();
  }
  int Info = 0;
  lapack(lapackName<T>("getrs"), &Op, &N, &Columns, A, &LdA, Pivots, B, &LdB,
         &Info);
  return Info;
}

template <class T> int factorQr(int M, int N, T *A, int Ld, T *Tau) {
  return lapackWithWork<T>(lapackName<T>("geqrf"), 0, &M, &N, A, &Ld, Tau);
}

/// Eigenvalues in ascending order.
template <class T>
int findEigenvalues(char Job, char Fill, int N, T *A, int Ld, RealOf<T> *W) {
  return lapackWithWork<T>(lapackName<T>("syev", "heev"),
                           std::max<int64_t>(1, 3 * int64_t(N) - 2), &Job,
                           &Fill, &N, A, &Ld, W);
}

template <class T>
int findSingularValues(char JobU, char JobV, int M, int N, T *A, int LdA,
                       RealOf<T> *S, T *U, int LdU, T *V, int LdV) {
  return lapackWithWork<T>(lapackName<T>("gesvd"), 5 * int64_t(std::min(M, N)),
                           &JobU, &JobV, &M, &N, A, &LdA, S, U, &LdU, V, &LdV);
}

/// As gesvdj has them: V, not its adjoint, and A stays or not as it likes.
template <class T>
int findSingularVectors(bool Vectors, bool Economy, int M, int N, T *A, int LdA,
                        RealOf<T> *S, T *U, int LdU, T *V, int LdV) {
  if (!Vectors)
    return findSingularValues('N', 'N', M, N, A, LdA, S, U, std::max(LdU, 1), V,
                              std::max(LdV, 1));
  int Rows = Economy ? std::min(M, N) : N;
  char Job = Economy ? 'S' : 'A';
  std::vector<T> Adjoint(std::max<int64_t>(1, int64_t(Rows) * N));
  int Ld = std::max(1, Rows);
  int Info =
      findSingularValues(Job, Job, M, N, A, LdA, S, U, LdU, Adjoint.data(), Ld);
  using Value = typename SolverType<T>::Value;
  auto *From = reinterpret_cast<const Value *>(Adjoint.data());
  auto *To = reinterpret_cast<Value *>(V);
  for (int R = 0; R < Rows; ++R)
    for (int C = 0; C < N; ++C)
      if constexpr (SolverType<T>::IsComplex)
        To[C + int64_t(R) * LdV] = std::conj(From[R + int64_t(C) * Ld]);
      else
        To[C + int64_t(R) * LdV] = From[R + int64_t(C) * Ld];
  return Info;
}

/// The frame of a call: checks the handle, and records the call.
class SolverCall {
public:
  SolverCall(const char *Name, cusolverDnHandle_t Handle, const char *Type,
             std::vector<std::pair<std::string, double>> Sizes)
      : Call(Name) {
    if (!Call.hasDevice() || !Handle) {
      State = CUSOLVER_STATUS_NOT_INITIALIZED;
      return;
    }
    if (!lapackFunction("dpotrf")) {
      Call.notice("cuSOLVER is executed by LAPACK: liblapack.so.3 is not "
                  "installed");
      State = CUSOLVER_STATUS_NOT_SUPPORTED;
      return;
    }
    for (const auto &[Of, Size] : Sizes)
      if (Size < 0) {
        State = CUSOLVER_STATUS_INVALID_VALUE;
        return;
      }
    RunLibraryCall R;
    R.Name = Name;
    R.Sizes = std::move(Sizes);
    R.Operands = R.Results = R.Compute = Type;
    switch (recordLibraryCall(Call, Handle->Stream, R)) {
    case LibraryCallState::Recorded:
      break;
    case LibraryCallState::NoStream:
      State = CUSOLVER_STATUS_INVALID_VALUE;
      break;
    case LibraryCallState::Captured:
      State = CUSOLVER_STATUS_NOT_SUPPORTED;
      break;
    }
  }
  cusolverStatus_t state() const { return State; }

private:
  ApiCall Call;
  cusolverStatus_t State = CUSOLVER_STATUS_SUCCESS;
};

/// Sizes of workspaces that the program allocates, in elements. They are not
/// used; a program may divide by them.
constexpr int BlockColumns = 64;
int workspace(int64_t N) {
  return int(
      std::min<int64_t>(std::max<int64_t>(N, 1) * BlockColumns, INT32_MAX));
}

void setInfo(int *Info, int Value) {
  if (Info)
    *Info = Value;
}

/// Calls Do with a value of the type.
template <class F> cusolverStatus_t withType(cudaDataType Type, F Do) {
  switch (Type) {
  case CUDA_R_32F:
    return Do(float());
  case CUDA_R_64F:
    return Do(double());
  case CUDA_C_32F:
    return Do(cuComplex());
  case CUDA_C_64F:
    return Do(cuDoubleComplex());
  default:
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
}

/// Dimensions of LAPACK have 32 bits.
bool fits(std::initializer_list<int64_t> Sizes) {
  return std::all_of(Sizes.begin(), Sizes.end(), [](int64_t Size) {
    return Size >= 0 && Size <= INT32_MAX;
  });
}

cusolverStatus_t bytesOfWorkspace(int64_t N, size_t *Device, size_t *Host) {
  *Device = size_t(workspace(N)) * sizeof(cuDoubleComplex);
  *Host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace

#define SOLVER_CALL(T, ...)                                                    \
  SolverCall Library(__func__, Handle, SolverType<T>::Name, {__VA_ARGS__});    \
  if (Library.state() != CUSOLVER_STATUS_SUCCESS)                              \
  return Library.state()

#define SOLVER_SIZE(N)                                                         \
  {                                                                            \
    *Size = workspace(N);                                                      \
    return Handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED; \
  }

#define SOLVER_FUNCTIONS(L, T, Q, E)                                           \
  cusolverStatus_t cusolverDn##L##potrf_bufferSize(                            \
      cusolverDnHandle_t Handle, cublasFillMode_t, int N, T *, int, int *Size) \
      SOLVER_SIZE(N) cusolverStatus_t cusolverDn##L##potrf(                    \
          cusolverDnHandle_t Handle, cublasFillMode_t Fill, int N, T *A,       \
          int Ld, T *, int, int *Info) {                                       \
    SOLVER_CALL(T, {"n", N});                                                  \
    setInfo(Info, factorCholesky(letterOf(Fill), N, A, Ld));                   \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##potrs(                                       \
      cusolverDnHandle_t Handle, cublasFillMode_t Fill, int N, int Columns,    \
      const T *A, int LdA, T *B, int LdB, int *Info) {                         \
    SOLVER_CALL(T, {"n", N}, {"columns", Columns});                            \
    setInfo(Info, solveCholesky(letterOf(Fill), N, Columns, A, LdA, B, LdB));  \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##potrfBatched(                                \
      cusolverDnHandle_t Handle, cublasFillMode_t Fill, int N, T *A[], int Ld, \
      int *Info, int Count) {                                                  \
    SOLVER_CALL(T, {"n", N}, {"batch", Count});                                \
    for (int I = 0; I < Count; ++I)                                            \
      Info[I] = factorCholesky(letterOf(Fill), N, A[I], Ld);                   \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##potrsBatched(                                \
      cusolverDnHandle_t Handle, cublasFillMode_t Fill, int N, int Columns,    \
      T *A[], int LdA, T *B[], int LdB, int *Info, int Count) {                \
    SOLVER_CALL(T, {"n", N}, {"columns", Columns}, {"batch", Count});          \
    for (int I = 0; I < Count; ++I)                                            \
      solveCholesky(letterOf(Fill), N, Columns, A[I], LdA, B[I], LdB);         \
    setInfo(Info, 0);                                                          \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##potri_bufferSize(                            \
      cusolverDnHandle_t Handle, cublasFillMode_t, int N, T *, int, int *Size) \
      SOLVER_SIZE(N) cusolverStatus_t cusolverDn##L##potri(                    \
          cusolverDnHandle_t Handle, cublasFillMode_t Fill, int N, T *A,       \
          int Ld, T *, int, int *Info) {                                       \
    SOLVER_CALL(T, {"n", N});                                                  \
    char Of = letterOf(Fill);                                                  \
    int Result = 0;                                                            \
    lapack(lapackName<T>("potri"), &Of, &N, A, &Ld, &Result);                  \
    setInfo(Info, Result);                                                     \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t Handle,  \
                                                   int, int N, T *, int,       \
                                                   int *Size) SOLVER_SIZE(N)   \
      cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t Handle, int M,  \
                                            int N, T *A, int Ld, T *,          \
                                            int *Pivots, int *Info) {          \
    SOLVER_CALL(T, {"m", M}, {"n", N});                                        \
    setInfo(Info, factorLu(M, N, A, Ld, Pivots));                              \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##getrs(                                       \
      cusolverDnHandle_t Handle, cublasOperation_t Op, int N, int Columns,     \
      const T *A, int LdA, const int *Pivots, T *B, int LdB, int *Info) {      \
    SOLVER_CALL(T, {"n", N}, {"columns", Columns});                            \
    setInfo(Info,                                                              \
            solveLuOf(letterOf(Op), N, Columns, A, LdA, Pivots, B, LdB));      \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t Handle,  \
                                                   int, int N, T *, int,       \
                                                   int *Size) SOLVER_SIZE(N)   \
      cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t Handle, int M,  \
                                            int N, T *A, int Ld, T *Tau, T *,  \
                                            int, int *Info) {                  \
    SOLVER_CALL(T, {"m", M}, {"n", N});                                        \
    setInfo(Info, factorQr(M, N, A, Ld, Tau));                                 \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##Q##gqr_bufferSize(                           \
      cusolverDnHandle_t Handle, int, int N, int, const T *, int, const T *,   \
      int *Size) SOLVER_SIZE(N)                                                \
      cusolverStatus_t cusolverDn##L##Q##gqr(                                  \
          cusolverDnHandle_t Handle, int M, int N, int K, T *A, int Ld,        \
          const T *Tau, T *, int, int *Info) {                                 \
    SOLVER_CALL(T, {"m", M}, {"n", N}, {"k", K});                              \
    setInfo(Info, lapackWithWork<T>(lapackName<T>("orgqr", "ungqr"), 0, &M,    \
                                    &N, &K, A, &Ld, Tau));                     \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##Q##mqr_bufferSize(                           \
      cusolverDnHandle_t Handle, cublasSideMode_t, cublasOperation_t, int M,   \
      int N, int, const T *, int, const T *, const T *, int, int *Size)        \
      SOLVER_SIZE(std::max(M, N)) cusolverStatus_t cusolverDn##L##Q##mqr(      \
          cusolverDnHandle_t Handle, cublasSideMode_t Side,                    \
          cublasOperation_t Op, int M, int N, int K, const T *A, int LdA,      \
          const T *Tau, T *C, int LdC, T *, int, int *Info) {                  \
    SOLVER_CALL(T, {"m", M}, {"n", N}, {"k", K});                              \
    char Of = Side == CUBLAS_SIDE_LEFT ? 'L' : 'R', How = letterOf(Op);        \
    setInfo(Info, lapackWithWork<T>(lapackName<T>("ormqr", "unmqr"), 0, &Of,   \
                                    &How, &M, &N, &K, A, &LdA, Tau, C, &LdC)); \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##E##evd_bufferSize(                           \
      cusolverDnHandle_t Handle, cusolverEigMode_t, cublasFillMode_t, int N,   \
      const T *, int, const RealOf<T> *, int *Size) SOLVER_SIZE(N)             \
      cusolverStatus_t cusolverDn##L##E##evd(                                  \
          cusolverDnHandle_t Handle, cusolverEigMode_t Mode,                   \
          cublasFillMode_t Fill, int N, T *A, int Ld, RealOf<T> *W, T *, int,  \
          int *Info) {                                                         \
    SOLVER_CALL(T, {"n", N});                                                  \
    setInfo(Info,                                                              \
            findEigenvalues(letterOf(Mode), letterOf(Fill), N, A, Ld, W));     \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##E##evj_bufferSize(                           \
      cusolverDnHandle_t Handle, cusolverEigMode_t, cublasFillMode_t, int N,   \
      const T *, int, const RealOf<T> *, int *Size, syevjInfo_t)               \
      SOLVER_SIZE(N) cusolverStatus_t cusolverDn##L##E##evj(                   \
          cusolverDnHandle_t Handle, cusolverEigMode_t Mode,                   \
          cublasFillMode_t Fill, int N, T *A, int Ld, RealOf<T> *W, T *, int,  \
          int *Info, syevjInfo_t) {                                            \
    SOLVER_CALL(T, {"n", N});                                                  \
    setInfo(Info,                                                              \
            findEigenvalues(letterOf(Mode), letterOf(Fill), N, A, Ld, W));     \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##E##evjBatched_bufferSize(                    \
      cusolverDnHandle_t Handle, cusolverEigMode_t, cublasFillMode_t, int N,   \
      const T *, int, const RealOf<T> *, int *Size, syevjInfo_t, int)          \
      SOLVER_SIZE(N) cusolverStatus_t cusolverDn##L##E##evjBatched(            \
          cusolverDnHandle_t Handle, cusolverEigMode_t Mode,                   \
          cublasFillMode_t Fill, int N, T *A, int Ld, RealOf<T> *W, T *, int,  \
          int *Info, syevjInfo_t, int Count) {                                 \
    SOLVER_CALL(T, {"n", N}, {"batch", Count});                                \
    for (int64_t I = 0; I < Count; ++I)                                        \
      Info[I] = findEigenvalues(letterOf(Mode), letterOf(Fill), N,             \
                                A + I * Ld * N, Ld, W + I * N);                \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##E##gvd_bufferSize(                           \
      cusolverDnHandle_t Handle, cusolverEigType_t, cusolverEigMode_t,         \
      cublasFillMode_t, int N, const T *, int, const T *, int,                 \
      const RealOf<T> *, int *Size) SOLVER_SIZE(N)                             \
      cusolverStatus_t cusolverDn##L##E##gvd(                                  \
          cusolverDnHandle_t Handle, cusolverEigType_t Type,                   \
          cusolverEigMode_t Mode, cublasFillMode_t Fill, int N, T *A, int LdA, \
          T *B, int LdB, RealOf<T> *W, T *, int, int *Info) {                  \
    SOLVER_CALL(T, {"n", N});                                                  \
    int Of = int(Type);                                                        \
    char Job = letterOf(Mode), Half = letterOf(Fill);                          \
    setInfo(Info,                                                              \
            lapackWithWork<T>(lapackName<T>("sygv", "hegv"),                   \
                              std::max<int64_t>(1, 3 * int64_t(N) - 2), &Of,   \
                              &Job, &Half, &N, A, &LdA, B, &LdB, W));          \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t Handle,  \
                                                   int M, int N, int *Size)    \
      SOLVER_SIZE(std::max(M, N)) cusolverStatus_t cusolverDn##L##gesvd(       \
          cusolverDnHandle_t Handle, signed char JobU, signed char JobV,       \
          int M, int N, T *A, int LdA, RealOf<T> *S, T *U, int LdU, T *V,      \
          int LdV, T *, int, RealOf<T> *, int *Info) {                         \
    SOLVER_CALL(T, {"m", M}, {"n", N});                                        \
    if (M < N) /* cuSOLVER, "gesvd", remark 1 */                               \
      return CUSOLVER_STATUS_INVALID_VALUE;                                    \
    setInfo(Info, findSingularValues(char(JobU), char(JobV), M, N, A, LdA, S,  \
                                     U, LdU, V, LdV));                         \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(                           \
      cusolverDnHandle_t Handle, cusolverEigMode_t, int, int M, int N,         \
      const T *, int, const RealOf<T> *, const T *, int, const T *, int,       \
      int *Size, gesvdjInfo_t) SOLVER_SIZE(std::max(M, N))                     \
      cusolverStatus_t cusolverDn##L##gesvdj(                                  \
          cusolverDnHandle_t Handle, cusolverEigMode_t Mode, int Economy,      \
          int M, int N, T *A, int LdA, RealOf<T> *S, T *U, int LdU, T *V,      \
          int LdV, T *, int, int *Info, gesvdjInfo_t) {                        \
    SOLVER_CALL(T, {"m", M}, {"n", N});                                        \
    setInfo(Info, findSingularVectors(Mode == CUSOLVER_EIG_MODE_VECTOR,        \
                                      Economy != 0, M, N, A, LdA, S, U, LdU,   \
                                      V, LdV));                                \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }

#define SOLVER_OPTIONS(Kind, Capital)                                          \
  cusolverStatus_t cusolverDnCreate##Capital##Info(Kind##Info_t *Result) {     \
    *Result = new Kind##Info;                                                  \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnDestroy##Capital##Info(Kind##Info_t Info) {       \
    delete Info;                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##Kind##SetTolerance(Kind##Info_t, double) {     \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##Kind##SetMaxSweeps(Kind##Info_t, int) {        \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##Kind##SetSortEig(Kind##Info_t, int) {          \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##Kind##GetSweeps(cusolverDnHandle_t,            \
                                                Kind##Info_t, int *Result) {   \
    *Result = 1;                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##Kind##GetResidual(                             \
      cusolverDnHandle_t, Kind##Info_t, double *Result) {                      \
    *Result = 0;                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }

extern "C" {

cusolverStatus_t cusolverGetVersion(int *Result) {
  *Result = 11603; // of toolkit 12.6, as the runtime says
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *Result) {
  ApiCall Call(__func__);
  if (!Call.hasDevice() || !Result)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *Result = new cusolverDnContext;
  Call.record(RunCall{});
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t Handle) {
  delete Handle;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t Handle,
                                     cudaStream_t Stream) {
  if (!Handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  Handle->Stream = Stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t Handle,
                                     cudaStream_t *Result) {
  if (!Handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *Result = Handle->Stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t,
                                                cusolverDeterministicMode_t) {
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *Result) {
  *Result = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t Options) {
  delete Options;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t,
                                         cusolverDnFunction_t,
                                         cusolverAlgMode_t) {
  return CUSOLVER_STATUS_SUCCESS;
}

SOLVER_OPTIONS(syevj, Syevj)
SOLVER_OPTIONS(gesvdj, Gesvdj)

SOLVER_FUNCTIONS(S, float, or, sy)
SOLVER_FUNCTIONS(D, double, or, sy)
SOLVER_FUNCTIONS(C, cuComplex, un, he)
SOLVER_FUNCTIONS(Z, cuDoubleComplex, un, he)

// The interface of 64 bits.

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t,
                                             cusolverDnParams_t,
                                             cublasFillMode_t, int64_t N,
                                             cudaDataType, const void *,
                                             int64_t, cudaDataType,
                                             size_t *Device, size_t *Host) {
  return bytesOfWorkspace(N, Device, Host);
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  cublasFillMode_t Fill, int64_t N,
                                  cudaDataType Type, void *A, int64_t Ld,
                                  cudaDataType, void *, size_t, void *, size_t,
                                  int *Info) {
  if (!fits({N, Ld}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name, {{"n", double(N)}});
    if (Library.state() == CUSOLVER_STATUS_SUCCESS)
      setInfo(Info, factorCholesky(letterOf(Fill), int(N), static_cast<T *>(A),
                                   int(Ld)));
    return Library.state();
  });
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  cublasFillMode_t Fill, int64_t N,
                                  int64_t Columns, cudaDataType Type,
                                  const void *A, int64_t LdA, cudaDataType,
                                  void *B, int64_t LdB, int *Info) {
  if (!fits({N, Columns, LdA, LdB}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name,
                       {{"n", double(N)}, {"columns", double(Columns)}});
    if (Library.state() == CUSOLVER_STATUS_SUCCESS)
      setInfo(Info, solveCholesky(letterOf(Fill), int(N), int(Columns),
                                  static_cast<const T *>(A), int(LdA),
                                  static_cast<T *>(B), int(LdB)));
    return Library.state();
  });
}

cusolverStatus_t
cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                            int64_t N, cudaDataType, const void *, int64_t,
                            cudaDataType, size_t *Device, size_t *Host) {
  return bytesOfWorkspace(N, Device, Host);
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  int64_t M, int64_t N, cudaDataType Type,
                                  void *A, int64_t Ld, int64_t *Pivots,
                                  cudaDataType, void *, size_t, void *, size_t,
                                  int *Info) {
  if (!fits({M, N, Ld}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name,
                       {{"m", double(M)}, {"n", double(N)}});
    if (Library.state() != CUSOLVER_STATUS_SUCCESS)
      return Library.state();
    std::vector<int> Narrow(std::max<int64_t>(1, std::min(M, N)));
    setInfo(Info, factorLu(int(M), int(N), static_cast<T *>(A), int(Ld),
                           Pivots ? Narrow.data() : nullptr));
    if (Pivots)
      std::copy_n(Narrow.begin(), std::min(M, N), Pivots);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  cublasOperation_t Op, int64_t N,
                                  int64_t Columns, cudaDataType Type,
                                  const void *A, int64_t LdA,
                                  const int64_t *Pivots, cudaDataType, void *B,
                                  int64_t LdB, int *Info) {
  if (!fits({N, Columns, LdA, LdB}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name,
                       {{"n", double(N)}, {"columns", double(Columns)}});
    if (Library.state() != CUSOLVER_STATUS_SUCCESS)
      return Library.state();
    std::vector<int> Narrow;
    if (Pivots)
      Narrow.assign(Pivots, Pivots + N);
    setInfo(Info, solveLuOf(letterOf(Op), int(N), int(Columns),
                            static_cast<const T *>(A), int(LdA),
                            Pivots ? Narrow.data() : nullptr,
                            static_cast<T *>(B), int(LdB)));
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t
cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                            int64_t N, cudaDataType, const void *, int64_t,
                            cudaDataType, const void *, cudaDataType,
                            size_t *Device, size_t *Host) {
  return bytesOfWorkspace(N, Device, Host);
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  int64_t M, int64_t N, cudaDataType Type,
                                  void *A, int64_t Ld, cudaDataType, void *Tau,
                                  cudaDataType, void *, size_t, void *, size_t,
                                  int *Info) {
  if (!fits({M, N, Ld}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name,
                       {{"m", double(M)}, {"n", double(N)}});
    if (Library.state() == CUSOLVER_STATUS_SUCCESS)
      setInfo(Info, factorQr(int(M), int(N), static_cast<T *>(A), int(Ld),
                             static_cast<T *>(Tau)));
    return Library.state();
  });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(
    cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t,
    int64_t N, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, size_t *Device, size_t *Host) {
  return bytesOfWorkspace(N, Device, Host);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  cusolverEigMode_t Mode, cublasFillMode_t Fill,
                                  int64_t N, cudaDataType Type, void *A,
                                  int64_t Ld, cudaDataType, void *W,
                                  cudaDataType, void *, size_t, void *, size_t,
                                  int *Info) {
  if (!fits({N, Ld}))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name, {{"n", double(N)}});
    if (Library.state() == CUSOLVER_STATUS_SUCCESS)
      setInfo(Info, findEigenvalues(letterOf(Mode), letterOf(Fill), int(N),
                                    static_cast<T *>(A), int(Ld),
                                    static_cast<RealOf<T> *>(W)));
    return Library.state();
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char, int64_t M,
    int64_t N, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t,
    cudaDataType, size_t *Device, size_t *Host) {
  return bytesOfWorkspace(std::max(M, N), Device, Host);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t Handle, cusolverDnParams_t,
                                  signed char JobU, signed char JobV, int64_t M,
                                  int64_t N, cudaDataType Type, void *A,
                                  int64_t LdA, cudaDataType, void *S,
                                  cudaDataType, void *U, int64_t LdU,
                                  cudaDataType, void *V, int64_t LdV,
                                  cudaDataType, void *, size_t, void *, size_t,
                                  int *Info) {
  if (!fits({M, N, LdA, LdU, LdV}) || M < N)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return withType(Type, [&, Name = __func__](auto Of) {
    using T = decltype(Of);
    SolverCall Library(Name, Handle, SolverType<T>::Name,
                       {{"m", double(M)}, {"n", double(N)}});
    if (Library.state() == CUSOLVER_STATUS_SUCCESS)
      setInfo(Info, findSingularValues(char(JobU), char(JobV), int(M), int(N),
                                       static_cast<T *>(A), int(LdA),
                                       static_cast<RealOf<T> *>(S),
                                       static_cast<T *>(U), int(LdU),
                                       static_cast<T *>(V), int(LdV)));
    return Library.state();
  });
}

} // extern "C"
