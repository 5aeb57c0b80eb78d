/// \file
/// cuFFT: transforms of one to three dimensions, real and complex, in batches
/// and with the advanced data layout, by FFTW, which is loaded where it is
/// installed. All are computed in double precision and rounded once.
#include "LibraryCalls.h"
#include <cmath>
#include <complex>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <optional>

#pragma GCC visibility push(default)
#include "gpu_estimate/fft_host.h"
#include "gpu_estimate/fft_multi_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

namespace {

using Complex = std::complex<double>;

/// The functions of FFTW 3 that are used (its manual, "Complex DFTs").
struct Fftw {
  void *(*Plan)(int Rank, const int *Sizes, Complex *In, Complex *Out, int Sign,
                unsigned Flags) = nullptr;
  void (*Execute)(void *Plan) = nullptr;
  void (*Destroy)(void *Plan) = nullptr;
  static constexpr unsigned Estimate = 1 << 6; ///< FFTW_ESTIMATE

  /// Null where the library is not installed.
  static const Fftw *get() {
    static const Fftw *Loaded = []() -> const Fftw * {
      void *Library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
      if (!Library)
        return nullptr;
      auto *F = new Fftw;
      auto Find = [&](auto &Into, const char *Name) {
        Into = reinterpret_cast<std::remove_reference_t<decltype(Into)>>(
            dlsym(Library, Name));
        return Into != nullptr;
      };
      bool HasAll = Find(F->Plan, "fftw_plan_dft") &&
                    Find(F->Execute, "fftw_execute") &&
                    Find(F->Destroy, "fftw_destroy_plan");
      return HasAll ? F : nullptr;
    }();
    return Loaded;
  }
};

/// Places of the elements of one side: element (x0, x1, x2) of transform b is
/// at b * Distance + ((x0 * Embed[1] + x1) * Embed[2] + x2) * Stride.
struct FftLayout {
  std::vector<int64_t> Embed;
  int64_t Stride = 1, Distance = 0;
};

struct FftPlan {
  std::vector<int> Sizes; ///< empty before the plan is made
  cufftType Type = CUFFT_C2C;
  int64_t Batch = 1;
  std::optional<FftLayout> In, Out; ///< nothing: the basic layout
  cudaStream_t Stream = nullptr;
};

std::map<cufftHandle, FftPlan> &plans() {
  static std::map<cufftHandle, FftPlan> All;
  return All;
}

FftPlan *find(cufftHandle Handle) {
  auto Found = plans().find(Handle);
  return Found == plans().end() ? nullptr : &Found->second;
}

int64_t product(llvm::ArrayRef<int64_t> Sizes) {
  int64_t P = 1;
  for (int64_t S : Sizes)
    P *= S;
  return P;
}

/// Without a layout elements are dense; a real side that shares its memory with
/// the complex one has rows of twice the complex length (cuFFT, "Data Layout").
FftLayout basicLayout(std::vector<int64_t> Sizes, int64_t LastRow) {
  FftLayout L;
  Sizes.back() = LastRow;
  L.Distance = product(Sizes);
  L.Embed = std::move(Sizes);
  return L;
}

/// Calls Visit with the index of each element in a dense array of Sizes and its
/// place in the layout, the transform's number included.
template <class Visitor>
void visit(llvm::ArrayRef<int64_t> Sizes, const FftLayout &L, int64_t Batch,
           Visitor Visit) {
  int64_t Count = product(Sizes);
  for (int64_t Index = 0; Index < Count; ++Index) {
    int64_t Rest = Index, Place = 0, Scale = 1;
    for (size_t D = Sizes.size(); D-- > 0;) {
      Place += Rest % Sizes[D] * Scale;
      Rest /= Sizes[D];
      Scale *= L.Embed[D];
    }
    Visit(Index, Batch * L.Distance + Place * L.Stride);
  }
}

bool isRealIn(cufftType T) { return T == CUFFT_R2C || T == CUFFT_D2Z; }
bool isRealOut(cufftType T) { return T == CUFFT_C2R || T == CUFFT_Z2D; }
bool isDouble(cufftType T) {
  return T == CUFFT_Z2Z || T == CUFFT_D2Z || T == CUFFT_Z2D;
}

/// One kind of execution: Real is float or double.
template <class Real> class Transform {
public:
  Transform(const FftPlan &P, void *In, void *Out) : P(P), From(In), To(Out) {
    Whole.assign(P.Sizes.begin(), P.Sizes.end());
    Half = Whole;
    Half.back() = Half.back() / 2 + 1;
  }

  void run(const Fftw &Library, int Direction) {
    bool InPlace = From == To;
    int64_t Row = Whole.back(), HalfRow = Half.back();
    int64_t RealRow = InPlace ? 2 * HalfRow : Row;
    FftLayout In =
        P.In.value_or(isRealIn(P.Type)    ? basicLayout(Whole, RealRow)
                      : isRealOut(P.Type) ? basicLayout(Half, HalfRow)
                                          : basicLayout(Whole, Row));
    FftLayout Out =
        P.Out.value_or(isRealOut(P.Type)  ? basicLayout(Whole, RealRow)
                       : isRealIn(P.Type) ? basicLayout(Half, HalfRow)
                                          : basicLayout(Whole, Row));
    std::vector<Complex> Data(product(Whole));
    void *Plan = Library.Plan(int(P.Sizes.size()), P.Sizes.data(), Data.data(),
                              Data.data(), Direction, Fftw::Estimate);
    for (int64_t Batch = 0; Batch < P.Batch; ++Batch) {
      read(Data, In, Batch);
      Library.Execute(Plan);
      write(Data, Out, Batch);
    }
    Library.Destroy(Plan);
  }

private:
  void read(std::vector<Complex> &Data, const FftLayout &L, int64_t Batch) {
    auto *Reals = static_cast<const Real *>(From);
    if (isRealIn(P.Type))
      return visit(Whole, L, Batch, [&](int64_t Index, int64_t Place) {
        Data[Index] = Reals[Place];
      });
    auto At = [&](int64_t Place) {
      return Complex(Reals[2 * Place], Reals[2 * Place + 1]);
    };
    if (!isRealOut(P.Type))
      return visit(Whole, L, Batch, [&](int64_t Index, int64_t Place) {
        Data[Index] = At(Place);
      });
    // The other half is the conjugate at the negative frequencies.
    visit(Half, L, Batch, [&](int64_t Index, int64_t Place) {
      int64_t Rest = Index, Own = 0, Mirrored = 0, Scale = 1;
      for (size_t D = Half.size(); D-- > 0;) {
        int64_t X = Rest % Half[D];
        Rest /= Half[D];
        Own += X * Scale;
        Mirrored += (X ? Whole[D] - X : 0) * Scale;
        Scale *= Whole[D];
      }
      Complex Value = At(Place);
      Data[Mirrored] = std::conj(Value);
      Data[Own] = Value;
    });
  }

  void write(const std::vector<Complex> &Data, const FftLayout &L,
             int64_t Batch) {
    auto *Reals = static_cast<Real *>(To);
    if (isRealOut(P.Type))
      return visit(Whole, L, Batch, [&](int64_t Index, int64_t Place) {
        Reals[Place] = Real(Data[Index].real());
      });
    bool IsHalf = isRealIn(P.Type);
    visit(IsHalf ? Half : Whole, L, Batch, [&](int64_t Index, int64_t Place) {
      int64_t Row = IsHalf ? Half.back() : Whole.back();
      const Complex &Value = Data[Index / Row * Whole.back() + Index % Row];
      Reals[2 * Place] = Real(Value.real());
      Reals[2 * Place + 1] = Real(Value.imag());
    });
  }

  const FftPlan &P;
  void *From, *To;
  std::vector<int64_t> Whole, Half; ///< sizes of the real and the complex side
};

cufftResult execute(const char *Name, cufftHandle Handle, cufftType Type,
                    void *In, void *Out, int Direction) {
  ApiCall Call(Name);
  FftPlan *P = find(Handle);
  if (!P || P->Sizes.empty())
    return CUFFT_INVALID_PLAN;
  if (P->Type != Type)
    return CUFFT_INVALID_TYPE;
  if (!Call.hasDevice())
    return CUFFT_EXEC_FAILED;
  const Fftw *Library = Fftw::get();
  if (!Library) {
    Call.notice(std::string(Name) +
                " is not supported: it needs FFTW (libfftw3.so.3)");
    Call.record(RunCall{});
    return CUFFT_NOT_SUPPORTED;
  }
  RunLibraryCall R;
  R.Name = Name;
  const char *Dimensions[] = {"x", "y", "z"};
  for (size_t D = 0; D < P->Sizes.size(); ++D)
    R.Sizes.push_back({Dimensions[D], P->Sizes[D]});
  R.Sizes.push_back({"batch", double(P->Batch)});
  const char *Real = isDouble(Type) ? "f64" : "f32",
             *Whole = isDouble(Type) ? "cf64" : "cf32";
  R.Operands = isRealIn(Type) ? Real : Whole;
  R.Results = isRealOut(Type) ? Real : Whole;
  R.Compute = Real;
  switch (recordLibraryCall(Call, P->Stream, R)) {
  case LibraryCallState::Recorded:
    break;
  case LibraryCallState::NoStream:
    return CUFFT_INVALID_VALUE;
  case LibraryCallState::Captured:
    return CUFFT_NOT_SUPPORTED;
  }
  if (isDouble(Type))
    Transform<double>(*P, In, Out).run(*Library, Direction);
  else
    Transform<float>(*P, In, Out).run(*Library, Direction);
  return CUFFT_SUCCESS;
}

/// Makes a plan; a null Embed of a side means the basic layout.
cufftResult make(cufftHandle Handle, std::vector<int> Sizes, cufftType Type,
                 int64_t Batch, size_t *WorkBytes) {
  FftPlan *P = find(Handle);
  if (!P)
    return CUFFT_INVALID_PLAN;
  if (Batch < 1 || llvm::any_of(Sizes, [](int N) { return N < 1; }))
    return CUFFT_INVALID_SIZE;
  P->Sizes = std::move(Sizes);
  P->Type = Type;
  P->Batch = Batch;
  if (WorkBytes)
    *WorkBytes = 0;
  return CUFFT_SUCCESS;
}

template <class Integer>
cufftResult makeMany(cufftHandle Handle, int Rank, const Integer *Sizes,
                     const Integer *InEmbed, int64_t InStride,
                     int64_t InDistance, const Integer *OutEmbed,
                     int64_t OutStride, int64_t OutDistance, cufftType Type,
                     int64_t Batch, size_t *WorkBytes) {
  if (Rank < 1 || Rank > 3 || !Sizes)
    return CUFFT_INVALID_VALUE;
  cufftResult Result = make(Handle, std::vector<int>(Sizes, Sizes + Rank), Type,
                            Batch, WorkBytes);
  if (Result != CUFFT_SUCCESS || !InEmbed || !OutEmbed)
    return Result;
  FftPlan &P = *find(Handle);
  P.In = FftLayout{{InEmbed, InEmbed + Rank}, InStride, InDistance};
  P.Out = FftLayout{{OutEmbed, OutEmbed + Rank}, OutStride, OutDistance};
  return CUFFT_SUCCESS;
}

} // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle *Result) {
  ApiCall Call(__func__);
  if (!Result)
    return CUFFT_INVALID_VALUE;
  static cufftHandle Next = 1;
  *Result = Next++;
  plans()[*Result] = FftPlan();
  Call.record(RunCall{});
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle Handle) {
  ApiCall Call(__func__);
  return plans().erase(Handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlan1d(cufftHandle Handle, int X, cufftType Type,
                            int Batch, size_t *Bytes) {
  return make(Handle, {X}, Type, Batch, Bytes);
}
cufftResult cufftMakePlan2d(cufftHandle Handle, int X, int Y, cufftType Type,
                            size_t *Bytes) {
  return make(Handle, {X, Y}, Type, 1, Bytes);
}
cufftResult cufftMakePlan3d(cufftHandle Handle, int X, int Y, int Z,
                            cufftType Type, size_t *Bytes) {
  return make(Handle, {X, Y, Z}, Type, 1, Bytes);
}
cufftResult cufftMakePlanMany(cufftHandle Handle, int Rank, int *Sizes,
                              int *InEmbed, int InStride, int InDistance,
                              int *OutEmbed, int OutStride, int OutDistance,
                              cufftType Type, int Batch, size_t *Bytes) {
  return makeMany(Handle, Rank, Sizes, InEmbed, InStride, InDistance, OutEmbed,
                  OutStride, OutDistance, Type, Batch, Bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle Handle, int Rank, long long *Sizes,
                                long long *InEmbed, long long InStride,
                                long long InDistance, long long *OutEmbed,
                                long long OutStride, long long OutDistance,
                                cufftType Type, long long Batch,
                                size_t *Bytes) {
  return makeMany(Handle, Rank, Sizes, InEmbed, InStride, InDistance, OutEmbed,
                  OutStride, OutDistance, Type, Batch, Bytes);
}

cufftResult cufftPlan1d(cufftHandle *Result, int X, cufftType Type, int Batch) {
  cufftResult Created = cufftCreate(Result);
  return Created ? Created : cufftMakePlan1d(*Result, X, Type, Batch, nullptr);
}
cufftResult cufftPlan2d(cufftHandle *Result, int X, int Y, cufftType Type) {
  cufftResult Created = cufftCreate(Result);
  return Created ? Created : cufftMakePlan2d(*Result, X, Y, Type, nullptr);
}
cufftResult cufftPlan3d(cufftHandle *Result, int X, int Y, int Z,
                        cufftType Type) {
  cufftResult Created = cufftCreate(Result);
  return Created ? Created : cufftMakePlan3d(*Result, X, Y, Z, Type, nullptr);
}
cufftResult cufftPlanMany(cufftHandle *Result, int Rank, int *Sizes,
                          int *InEmbed, int InStride, int InDistance,
                          int *OutEmbed, int OutStride, int OutDistance,
                          cufftType Type, int Batch) {
  cufftResult Created = cufftCreate(Result);
  return Created ? Created
                 : cufftMakePlanMany(*Result, Rank, Sizes, InEmbed, InStride,
                                     InDistance, OutEmbed, OutStride,
                                     OutDistance, Type, Batch, nullptr);
}

// The type of a transform by those of its sides.
cufftResult cufftXtMakePlanMany(cufftHandle Handle, int Rank, long long *Sizes,
                                long long *InEmbed, long long InStride,
                                long long InDistance, cudaDataType InType,
                                long long *OutEmbed, long long OutStride,
                                long long OutDistance, cudaDataType OutType,
                                long long Batch, size_t *Bytes, cudaDataType) {
  struct Row {
    cudaDataType In, Out;
    cufftType Type;
  };
  static constexpr Row Rows[] = {
      {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
      {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
      {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (const Row &R : Rows)
    if (R.In == InType && R.Out == OutType)
      return makeMany(Handle, Rank, Sizes, InEmbed, InStride, InDistance,
                      OutEmbed, OutStride, OutDistance, R.Type, Batch, Bytes);
  ApiCall(__func__).notice("cufftXtMakePlanMany: halves are not supported");
  return CUFFT_NOT_SUPPORTED;
}

cufftResult cufftXtExec(cufftHandle Handle, void *In, void *Out,
                        int Direction) {
  FftPlan *P = find(Handle);
  if (!P)
    return CUFFT_INVALID_PLAN;
  if (isRealIn(P->Type) || isRealOut(P->Type))
    Direction = isRealIn(P->Type) ? CUFFT_FORWARD : CUFFT_INVERSE;
  return execute(__func__, Handle, P->Type, In, Out, Direction);
}

// No transform needs memory beside its data.
cufftResult cufftGetSize(cufftHandle Handle, size_t *Bytes) {
  if (!find(Handle))
    return CUFFT_INVALID_PLAN;
  *Bytes = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle Handle, int) {
  return find(Handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle Handle, void *) {
  return find(Handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetVersion(int *Version) {
  *Version = 12000;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle Handle, cudaStream_t Stream) {
  FftPlan *P = find(Handle);
  if (!P)
    return CUFFT_INVALID_PLAN;
  P->Stream = Stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle Handle, cufftComplex *In,
                         cufftComplex *Out, int Direction) {
  return execute(__func__, Handle, CUFFT_C2C, In, Out, Direction);
}
cufftResult cufftExecZ2Z(cufftHandle Handle, cufftDoubleComplex *In,
                         cufftDoubleComplex *Out, int Direction) {
  return execute(__func__, Handle, CUFFT_Z2Z, In, Out, Direction);
}
cufftResult cufftExecR2C(cufftHandle Handle, cufftReal *In, cufftComplex *Out) {
  return execute(__func__, Handle, CUFFT_R2C, In, Out, CUFFT_FORWARD);
}
cufftResult cufftExecD2Z(cufftHandle Handle, cufftDoubleReal *In,
                         cufftDoubleComplex *Out) {
  return execute(__func__, Handle, CUFFT_D2Z, In, Out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle Handle, cufftComplex *In, cufftReal *Out) {
  return execute(__func__, Handle, CUFFT_C2R, In, Out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2D(cufftHandle Handle, cufftDoubleComplex *In,
                         cufftDoubleReal *Out) {
  return execute(__func__, Handle, CUFFT_Z2D, In, Out, CUFFT_INVERSE);
}

} // extern "C"
