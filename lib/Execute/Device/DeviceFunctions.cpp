#include "DeviceFunctions.h"
#include "MatrixFunctions.h"
#include "TensorCopy.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cfenv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace llvm;

namespace gpuestimate {

//===----------------------------------------------------------------------===//
// Arithmetic with a rounding mode
//===----------------------------------------------------------------------===//

namespace {

/// Sets the rounding mode of PTX by its number: rn, rz, rm, rp.
class RoundingGuard {
public:
  explicit RoundingGuard(uint32_t Mode) {
    static constexpr int Modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                    FE_UPWARD};
    std::fesetround(Modes[Mode & 3]);
  }
  ~RoundingGuard() { std::fesetround(FE_TONEAREST); }
};

} // namespace

template <typename T> static T addRounded(uint32_t Mode, T A, T B) {
  RoundingGuard Guard(Mode);
  volatile T X = A, Y = B, R = X + Y;
  return R;
}
template <typename T> static T multiplyRounded(uint32_t Mode, T A, T B) {
  RoundingGuard Guard(Mode);
  volatile T X = A, Y = B, R = X * Y;
  return R;
}
template <typename T> static T divideRounded(uint32_t Mode, T A, T B) {
  RoundingGuard Guard(Mode);
  volatile T X = A, Y = B, R = X / Y;
  return R;
}
template <typename T> static T rootRounded(uint32_t Mode, T A) {
  RoundingGuard Guard(Mode);
  volatile T X = A, R = std::sqrt(X);
  return R;
}
template <typename T> static T fmaRounded(uint32_t Mode, T A, T B, T C) {
  RoundingGuard Guard(Mode);
  volatile T X = A, Y = B, Z = C, R = std::fma(X, Y, Z);
  return R;
}
template <typename To, typename From>
static To convertRounded(uint32_t Mode, From A) {
  RoundingGuard Guard(Mode);
  volatile From X = A;
  volatile To R = static_cast<To>(X);
  return R;
}

//===----------------------------------------------------------------------===//
// Mathematical functions that the C library lacks
//===----------------------------------------------------------------------===//

static double inverseErfc(double X);

/// Newton's method on erf from the approximation of Giles (2010).
static double inverseErf(double X) {
  if (std::isnan(X) || std::fabs(X) > 1)
    return NAN;
  if (std::fabs(X) == 1)
    return X * INFINITY;
  if (std::fabs(X) > 0.9)
    return std::copysign(inverseErfc(1 - std::fabs(X)), X);
  double W = -std::log((1 - X) * (1 + X)), Y = X * std::sqrt(W / 1.2);
  if (W < 1)
    Y = X * 0.8862269254527580;
  for (int I = 0; I < 8; ++I)
    Y -= (std::erf(Y) - X) * 0.8862269254527580 * std::exp(Y * Y);
  return Y;
}
static double inverseErfc(double X) {
  if (std::isnan(X) || X < 0 || X > 2)
    return NAN;
  if (X == 0 || X == 2)
    return X == 0 ? INFINITY : -INFINITY;
  if (X > 1)
    return -inverseErfc(2 - X);
  if (X > 0.1)
    return inverseErf(1 - X);
  // erfc(y) ~ exp(-y^2) / (y sqrt(pi)) for a large y.
  double Y = std::sqrt(-std::log(X));
  for (int I = 0; I < 3; ++I)
    Y = std::sqrt(-std::log(X * Y * 1.7724538509055160));
  for (int I = 0; I < 8; ++I)
    Y += (std::erfc(Y) - X) * 0.8862269254527580 * std::exp(Y * Y);
  return Y;
}
/// exp(x^2) erfc(x); its asymptotic series where erfc underflows.
static double scaledErfc(double X) {
  if (X < 25)
    return std::exp(X * X) * std::erfc(X);
  double S = 1 / (X * X);
  return (1 - S / 2 + 0.75 * S * S - 1.875 * S * S * S) /
         (X * 1.7724538509055160);
}
static double normalCdf(double X) {
  return 0.5 * std::erfc(-X * 0.70710678118654752);
}
static double inverseNormalCdf(double X) {
  return -1.4142135623730951 * inverseErfc(2 * X);
}
static double sinPi(double X) {
  double R = std::remainder(X, 2.0);
  return R == std::trunc(R) ? std::copysign(0.0, X)
                            : std::sin(R * 3.14159265358979323846);
}
static double cosPi(double X) {
  double R = std::fabs(std::remainder(X, 2.0));
  return R == 0.5 ? 0.0 : std::cos(R * 3.14159265358979323846);
}
static void sinCosPi(double X, double *S, double *C) {
  *S = sinPi(X);
  *C = cosPi(X);
}
static double power10(double X) { return ::exp10(X); }
static double inverseRoot(double X) { return 1 / std::sqrt(X); }
static double inverseCubeRoot(double X) { return 1 / std::cbrt(X); }
static double norm3(double A, double B, double C) {
  return std::hypot(A, B, C);
}
static double norm4(double A, double B, double C, double D) {
  return std::hypot(std::hypot(A, B), std::hypot(C, D));
}
static double inverseNorm2(double A, double B) { return 1 / std::hypot(A, B); }
static double inverseNorm3(double A, double B, double C) {
  return 1 / norm3(A, B, C);
}
static double inverseNorm4(double A, double B, double C, double D) {
  return 1 / norm4(A, B, C, D);
}
static double besselI0(double X) { return std::cyl_bessel_i(0, std::fabs(X)); }
static double besselI1(double X) {
  return std::copysign(std::cyl_bessel_i(1, std::fabs(X)), X);
}
static double powerInteger(double X, int32_t N) {
  return std::pow(X, double(N));
}

template <double (*F)(double)> static float single(float X) { return F(X); }
template <double (*F)(double, double)> static float single(float X, float Y) {
  return F(X, Y);
}
template <double (*F)(double, double, double)>
static float single(float X, float Y, float Z) {
  return F(X, Y, Z);
}
template <double (*F)(double, double, double, double)>
static float single(float X, float Y, float Z, float W) {
  return F(X, Y, Z, W);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// fns of PTX: the place of the Offset-th set bit from Base on, upwards or
/// downwards; all ones where there is none.
static uint32_t findNthSet(uint32_t Mask, uint32_t Base, int32_t Offset) {
  auto isSet = [&](int64_t Place) { return Mask >> Place & 1; };
  if (Offset == 0)
    return Base < 32 && isSet(Base) ? Base : ~0u;
  uint32_t Left = Offset > 0 ? Offset : -uint32_t(Offset);
  for (int64_t Place = Base; Place >= 0 && Place < 32;
       Place += Offset > 0 ? 1 : -1)
    if (isSet(Place) && --Left == 0)
      return Place;
  return ~0u;
}

/// prmt of PTX: each nibble of the selector picks a byte of B:A, and its
/// highest bit replicates the sign of that byte.
static uint32_t permuteBytes(uint32_t A, uint32_t B, uint32_t Selector) {
  uint64_t Bytes = uint64_t(B) << 32 | A;
  uint32_t Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    uint32_t Nibble = Selector >> 4 * I & 15;
    uint32_t Byte = Bytes >> 8 * (Nibble & 7) & 0xff;
    if (Nibble & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << 8 * I;
  }
  return Result;
}

/// Flags: bit 0 tells that A is signed, bit 1 that B is.
static uint32_t dot4(uint32_t Flags, uint32_t A, uint32_t B, uint32_t C) {
  for (unsigned I = 0; I < 4; ++I) {
    uint8_t X = A >> 8 * I, Y = B >> 8 * I;
    C += (Flags & 1 ? int(int8_t(X)) : int(X)) *
         (Flags & 2 ? int(int8_t(Y)) : int(Y));
  }
  return C;
}
static uint32_t dot2(uint32_t Flags, uint32_t A, uint32_t B, uint32_t High,
                     uint32_t C) {
  for (unsigned I = 0; I < 2; ++I) {
    uint16_t X = A >> 16 * I;
    uint8_t Y = B >> 8 * (I + (High ? 2 : 0));
    C += (Flags & 1 ? int(int16_t(X)) : int(X)) *
         (Flags & 2 ? int(int8_t(Y)) : int(Y));
  }
  return C;
}

static int32_t hadd(int32_t A, int32_t B) { return (int64_t(A) + B) >> 1; }
static int32_t rhadd(int32_t A, int32_t B) { return (int64_t(A) + B + 1) >> 1; }
static uint32_t uhadd(uint32_t A, uint32_t B) { return (uint64_t(A) + B) >> 1; }
static uint32_t urhadd(uint32_t A, uint32_t B) {
  return (uint64_t(A) + B + 1) >> 1;
}

static double highReciprocal(double A) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(1 / A) &
                               0xffffffff00000000);
}

template <typename T> static T makeNan(const int8_t *) {
  return std::numeric_limits<T>::quiet_NaN();
}

//===----------------------------------------------------------------------===//
// Barrier objects in shared memory
//===----------------------------------------------------------------------===//

// An mbarrier: the arrivals that the phase still waits for, those of each
// phase, the bytes of copies that it still waits for (signed), and the phase
// modulo 8.
namespace phasebarrier {
constexpr unsigned CountBits = 20, BytesBits = 21, PhaseAt = 61;
constexpr uint64_t CountMask = (1 << CountBits) - 1,
                   BytesMask = (1 << BytesBits) - 1;
} // namespace phasebarrier

static void mbarrierInit(uint64_t *Barrier, uint32_t Count) {
  *Barrier = uint64_t(Count) << phasebarrier::CountBits | Count;
}
/// Arrivals, more bytes to wait for, and threads that leave the barrier. The
/// result is the state before.
static uint64_t mbarrierUpdate(uint64_t *Barrier, uint32_t Arrivals,
                               int32_t Bytes, uint32_t Leaving) {
  using namespace phasebarrier;
  std::atomic_ref<uint64_t> State(*Barrier);
  uint64_t Old = State, New;
  do {
    uint64_t Pending = Old & CountMask, Count = Old >> CountBits & CountMask,
             Left = Old >> 2 * CountBits & BytesMask, Phase = Old >> PhaseAt;
    Pending -= std::min<uint64_t>(Pending, Arrivals);
    Count -= std::min<uint64_t>(Count, Leaving);
    Left = (Left + static_cast<uint64_t>(int64_t(Bytes))) & BytesMask;
    if (Pending == 0 && Left == 0) {
      Pending = Count;
      ++Phase;
    }
    New =
        Phase << PhaseAt | Left << 2 * CountBits | Count << CountBits | Pending;
  } while (!State.compare_exchange_weak(Old, New));
  return Old;
}
static uint64_t mbarrierArrive(uint64_t *Barrier) {
  return mbarrierUpdate(Barrier, 1, 0, 0);
}
bool barrierPhaseEnded(uint64_t *Barrier, uint64_t Token) {
  return std::atomic_ref<uint64_t>(*Barrier) >> phasebarrier::PhaseAt !=
         Token >> phasebarrier::PhaseAt;
}
bool barrierParityEnded(uint64_t *Barrier, uint64_t Parity) {
  return (std::atomic_ref<uint64_t>(*Barrier) >> phasebarrier::PhaseAt & 1) !=
         (Parity & 1);
}
static uint32_t mbarrierTest(uint64_t *Barrier, uint64_t Token) {
  return barrierPhaseEnded(Barrier, Token);
}

//===----------------------------------------------------------------------===//
// Services
//===----------------------------------------------------------------------===//

static void *deviceAllocate(uint64_t Bytes) { return std::calloc(1, Bytes); }
static void deviceFree(void *P) { std::free(P); }

namespace {

std::mutex LaunchLock;
std::vector<ChildLaunch> Launches;

} // namespace

/// A launch in device code. The kernels that it launches execute once this one
/// has ended, which CUDA allows since kernels cannot wait for them.
static void launchFromDevice(const char *Kernel, uint32_t GridX, uint32_t GridY,
                             uint32_t GridZ, uint32_t BlockX, uint32_t BlockY,
                             uint32_t BlockZ, uint64_t Shared,
                             const void *const *Arguments,
                             const uint64_t *Sizes, uint32_t Count) {
  ChildLaunch L;
  L.Kernel = Kernel;
  L.Grid = {GridX, GridY, GridZ};
  L.Block = {BlockX, BlockY, BlockZ};
  L.DynamicSharedBytes = Shared;
  for (uint32_t I = 0; I < Count; ++I)
    L.Arguments.emplace_back(static_cast<const char *>(Arguments[I]), Sizes[I]);
  std::lock_guard<std::mutex> Guard(LaunchLock);
  Launches.push_back(std::move(L));
}

std::vector<ChildLaunch> takeChildLaunches() {
  std::lock_guard<std::mutex> Guard(LaunchLock);
  return std::exchange(Launches, {});
}

// The runtime's functions that device code may call, as far as they have an
// effect here: memory, and streams and events, which order nothing.
static int32_t deviceMalloc(void **Result, uint64_t Bytes) {
  *Result = deviceAllocate(Bytes);
  return *Result ? 0 : 2;
}
static int32_t deviceFreeMemory(void *P) {
  deviceFree(P);
  return 0;
}
static int32_t deviceNoError() { return 0; }
static int32_t deviceMakeHandle(void **Handle, uint32_t) {
  *Handle = nullptr;
  return 0;
}
static int32_t deviceZero(int32_t *Result) {
  *Result = 0;
  return 0;
}
static int32_t deviceOne(int32_t *Result) {
  *Result = 1;
  return 0;
}
static int32_t deviceCopy(void *To, const void *From, uint64_t Bytes, int32_t,
                          void *) {
  std::memmove(To, From, Bytes);
  return 0;
}
static int32_t deviceSet(void *To, int32_t Value, uint64_t Bytes, void *) {
  std::memset(To, Value, Bytes);
  return 0;
}

/// The state of a generator in our headers: a hash of seed, subsequence and
/// offset.
static uint32_t randomInit(uint64_t Seed, uint64_t Subsequence,
                           uint64_t Offset) {
  uint64_t H = Seed * 0x9e3779b97f4a7c15 + Subsequence;
  H = (H ^ H >> 30) * 0xbf58476d1ce4e5b9 + Offset;
  H = (H ^ H >> 27) * 0x94d049bb133111eb;
  return uint32_t(H ^ H >> 31) | 1;
}

//===----------------------------------------------------------------------===//
// 16-bit reals
//===----------------------------------------------------------------------===//

// LLVM calls these where the host has no instruction. A 16-bit real is passed
// in the low half of a register for floats (x86-64 psABI, 3.2.3).

static float inRegister(uint16_t Bits) {
  return std::bit_cast<float>(uint32_t(Bits));
}

/// Rounds to the nearest bfloat16, ties to even.
static uint16_t toBfloat(float A) {
  uint32_t Bits = std::bit_cast<uint32_t>(A);
  if (std::isnan(A))
    return Bits >> 16 | 0x40;
  return (Bits + 0x7fff + (Bits >> 16 & 1)) >> 16;
}
/// The float next to A towards zero, with its last bit set where that lost
/// something: rounded again, it gives what A does.
static float roundToOdd(double A) {
  if (std::isnan(A) || std::isinf(A))
    return float(A);
  float Near = float(A);
  if (double(Near) == A)
    return Near;
  if (std::fabs(double(Near)) > std::fabs(A))
    Near = std::nextafter(Near, 0.0f);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(Near) | 1);
}
uint16_t halfOfReal(float A) {
  uint16_t Sign = std::signbit(A) ? 0x8000 : 0;
  A = std::fabs(A);
  if (std::isnan(A))
    return Sign | 0x7e00;
  if (A >= 65520)
    return Sign | 0x7c00;
  // Multiples of 2^-24 below 2^-14, else 11 significant bits.
  int Exponent = std::max(A == 0 ? -14 : std::ilogb(A), -14);
  int Units = int(std::nearbyint(std::ldexp(A, 10 - Exponent)));
  return Sign | uint16_t(((Exponent + 14) << 10) + Units);
}
float realOfHalf(uint16_t H) {
  int Exponent = H >> 10 & 31, Mantissa = H & 1023;
  float R = Exponent == 0 ? std::ldexp(float(Mantissa), -24)
            : Exponent == 31
                ? (Mantissa ? NAN : INFINITY)
                : std::ldexp(float(Mantissa + 1024), Exponent - 25);
  return H & 0x8000 ? -R : R;
}

static float bfloatOfFloat(float A) { return inRegister(toBfloat(A)); }
static float bfloatOfDouble(double A) {
  return inRegister(toBfloat(roundToOdd(A)));
}
static float halfOfFloat(float A) { return inRegister(halfOfReal(A)); }
static float halfOfDouble(double A) {
  return inRegister(halfOfReal(roundToOdd(A)));
}
static float floatOfHalf(float A) {
  return realOfHalf(uint16_t(std::bit_cast<uint32_t>(A)));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

namespace {

class Table {
public:
  explicit Table(StringMap<void *> &Entries) : Entries(Entries) {}

  template <typename R, typename... A>
  void add(const Twine &Name, R (*Function)(A...)) {
    Entries[Name.str()] = reinterpret_cast<void *>(Function);
  }
  /// A function of the C library in both precisions, by CUDA's and AMD's names.
  template <typename D, typename F>
  void both(const Twine &Name, D Double, F Single) {
    add("__nv_" + Name, Double);
    add("__nv_" + Name + "f", Single);
    add("__ocml_" + Name + "_f64", Double);
    add("__ocml_" + Name + "_f32", Single);
  }
  void addMath();
  void addReal();
  void addConversions();
  void addIntegers();
  void addServices();

private:
  StringMap<void *> &Entries;
};

} // namespace

// NOLINTNEXTLINE(readability-function-size): a table, name by name.
void Table::addMath() {
#define BOTH(Name) both(#Name, ::Name, ::Name##f)
  BOTH(sin);
  BOTH(cos);
  BOTH(tan);
  BOTH(sinh);
  BOTH(cosh);
  BOTH(tanh);
  BOTH(asin);
  BOTH(acos);
  BOTH(atan);
  BOTH(asinh);
  BOTH(acosh);
  BOTH(atanh);
  BOTH(exp);
  BOTH(exp2);
  BOTH(exp10);
  BOTH(expm1);
  BOTH(log);
  BOTH(log2);
  BOTH(log10);
  BOTH(log1p);
  BOTH(pow);
  BOTH(atan2);
  BOTH(hypot);
  BOTH(cbrt);
  BOTH(fmod);
  BOTH(remainder);
  BOTH(remquo);
  BOTH(ldexp);
  BOTH(scalbn);
  BOTH(logb);
  BOTH(ilogb);
  BOTH(modf);
  BOTH(frexp);
  BOTH(nextafter);
  BOTH(fdim);
  BOTH(erf);
  BOTH(erfc);
  BOTH(lgamma);
  BOTH(tgamma);
  BOTH(j0);
  BOTH(j1);
  BOTH(jn);
  BOTH(y0);
  BOTH(y1);
  BOTH(yn);
  BOTH(lround);
  BOTH(llround);
  BOTH(lrint);
  BOTH(llrint);
  BOTH(sincos);
  BOTH(fabs);
  BOTH(floor);
  BOTH(ceil);
  BOTH(trunc);
  BOTH(rint);
  BOTH(nearbyint);
  BOTH(round);
  BOTH(sqrt);
  BOTH(fma);
  BOTH(copysign);
  BOTH(fmin);
  BOTH(fmax);
#undef BOTH
#define OWN(Name, Function) both(Name, Function, single<Function>)
  OWN("erfinv", inverseErf);
  OWN("erfcinv", inverseErfc);
  OWN("erfcx", scaledErfc);
  OWN("normcdf", normalCdf);
  OWN("normcdfinv", inverseNormalCdf);
  OWN("sinpi", sinPi);
  OWN("cospi", cosPi);
  OWN("rsqrt", inverseRoot);
  OWN("rcbrt", inverseCubeRoot);
  OWN("norm3d", norm3);
  OWN("norm4d", norm4);
  OWN("rhypot", inverseNorm2);
  OWN("rnorm3d", inverseNorm3);
  OWN("rnorm4d", inverseNorm4);
  OWN("cyl_bessel_i0", besselI0);
  OWN("cyl_bessel_i1", besselI1);
#undef OWN
  add("__nv_sincospi", sinCosPi);
  add(
      "__nv_sincospif", +[](float X, float *S, float *C) {
        *S = sinPi(X);
        *C = cosPi(X);
      });
  add("__nv_powi", powerInteger);
  add(
      "__nv_powif",
      +[](float X, int32_t N) { return float(powerInteger(X, N)); });
  add("__nv_fast_sinf", ::sinf);
  add("__nv_fast_cosf", ::cosf);
  add("__nv_fast_tanf", ::tanf);
  add("__nv_fast_sincosf", ::sincosf);
  add("__nv_fast_expf", ::expf);
  add("__nv_fast_exp10f", +[](float X) { return float(power10(X)); });
  add("__nv_fast_logf", ::logf);
  add("__nv_fast_log2f", ::log2f);
  add("__nv_fast_log10f", ::log10f);
  add("__nv_fast_powf", ::powf);
  add("__nv_fast_fdividef", +[](float A, float B) { return A / B; });
}

// NOLINTNEXTLINE(readability-function-size): a table, name by name.
void Table::addReal() {
  static constexpr StringLiteral Modes[] = {"rn", "rz", "rd", "ru"};
#define MODE(Number)                                                           \
  {                                                                            \
    std::string S = Modes[Number].str();                                       \
    add(                                                                       \
        "__nv_fadd_" + S,                                                      \
        +[](float A, float B) { return addRounded(Number, A, B); });           \
    add(                                                                       \
        "__nv_fsub_" + S,                                                      \
        +[](float A, float B) { return addRounded(Number, A, -B); });          \
    add(                                                                       \
        "__nv_fmul_" + S,                                                      \
        +[](float A, float B) { return multiplyRounded(Number, A, B); });      \
    add(                                                                       \
        "__nv_fdiv_" + S,                                                      \
        +[](float A, float B) { return divideRounded(Number, A, B); });        \
    add(                                                                       \
        "__nv_frcp_" + S,                                                      \
        +[](float A) { return divideRounded(Number, 1.0f, A); });              \
    add("__nv_fsqrt_" + S, +[](float A) { return rootRounded(Number, A); });   \
    add(                                                                       \
        "__nv_fmaf_" + S, +[](float A, float B, float C) {                     \
          return fmaRounded(Number, A, B, C);                                  \
        });                                                                    \
    add(                                                                       \
        "__nv_dadd_" + S,                                                      \
        +[](double A, double B) { return addRounded(Number, A, B); });         \
    add(                                                                       \
        "__nv_dsub_" + S,                                                      \
        +[](double A, double B) { return addRounded(Number, A, -B); });        \
    add(                                                                       \
        "__nv_dmul_" + S,                                                      \
        +[](double A, double B) { return multiplyRounded(Number, A, B); });    \
    add(                                                                       \
        "__nv_ddiv_" + S,                                                      \
        +[](double A, double B) { return divideRounded(Number, A, B); });      \
    add(                                                                       \
        "__nv_drcp_" + S,                                                      \
        +[](double A) { return divideRounded(Number, 1.0, A); });              \
    add("__nv_dsqrt_" + S, +[](double A) { return rootRounded(Number, A); });  \
    add(                                                                       \
        "__nv_fma_" + S, +[](double A, double B, double C) {                   \
          return fmaRounded(Number, A, B, C);                                  \
        });                                                                    \
    add(                                                                       \
        "__nv_double2float_" + S,                                              \
        +[](double A) { return convertRounded<float>(Number, A); });           \
    add(                                                                       \
        "__nv_int2float_" + S,                                                 \
        +[](int32_t A) { return convertRounded<float>(Number, A); });          \
    add(                                                                       \
        "__nv_uint2float_" + S,                                                \
        +[](uint32_t A) { return convertRounded<float>(Number, A); });         \
    add(                                                                       \
        "__nv_ll2float_" + S,                                                  \
        +[](int64_t A) { return convertRounded<float>(Number, A); });          \
    add(                                                                       \
        "__nv_ull2float_" + S,                                                 \
        +[](uint64_t A) { return convertRounded<float>(Number, A); });         \
    add(                                                                       \
        "__nv_ll2double_" + S,                                                 \
        +[](int64_t A) { return convertRounded<double>(Number, A); });         \
    add(                                                                       \
        "__nv_ull2double_" + S,                                                \
        +[](uint64_t A) { return convertRounded<double>(Number, A); });        \
  }
  MODE(0)
  MODE(1)
  MODE(2)
  MODE(3)
#undef MODE
  add("__nv_frsqrt_rn", +[](float A) { return float(inverseRoot(A)); });
  add("__nv_rcp64h", highReciprocal);
  add(
      "__nv_saturatef", +[](float A) {
        return std::isnan(A) ? 0.0f : std::clamp(A, 0.0f, 1.0f);
      });
  add("ge.add.f", addRounded<float>);
  add("ge.add.d", addRounded<double>);
  add("ge.mul.f", multiplyRounded<float>);
  add("ge.mul.d", multiplyRounded<double>);
  add("ge.div.f", divideRounded<float>);
  add("ge.div.d", divideRounded<double>);
  add("ge.sqrt.f", rootRounded<float>);
  add("ge.sqrt.d", rootRounded<double>);
  add("ge.fma.f", fmaRounded<float>);
  add("ge.fma.d", fmaRounded<double>);
  add("ge.d2f", convertRounded<float, double>);
  add("ge.ll2f", convertRounded<float, int64_t>);
  add("ge.ull2f", convertRounded<float, uint64_t>);
}

void Table::addConversions() {
  add("__truncsfbf2", bfloatOfFloat);
  add("__truncdfbf2", bfloatOfDouble);
  add("__truncsfhf2", halfOfFloat);
  add("__truncdfhf2", halfOfDouble);
  add("__extendhfsf2", floatOfHalf);
  add("__nv_nan", makeNan<double>);
  add("__nv_nanf", makeNan<float>);
}

void Table::addIntegers() {
  add("__nv_hadd", hadd);
  add("__nv_rhadd", rhadd);
  add("__nv_uhadd", uhadd);
  add("__nv_urhadd", urhadd);
  add("ge.fns", findNthSet);
  add("ge.prmt", permuteBytes);
  add("ge.idp4a", dot4);
  add("ge.idp2a", dot2);
  add("ge.mbarrier_init", mbarrierInit);
  add("ge.mbarrier_arrive", mbarrierArrive);
  add("ge.mbarrier_update", mbarrierUpdate);
  add("ge.mbarrier_test", mbarrierTest);
}

void Table::addServices() {
  add("malloc", deviceAllocate);
  add("free", deviceFree);
  add(DeviceLaunchFunction, launchFromDevice);
  add("cudaMalloc", deviceMalloc);
  add("cudaFree", deviceFreeMemory);
  add("cudaMemcpyAsync", deviceCopy);
  add("cudaMemsetAsync", deviceSet);
  add("cudaGetLastError", deviceNoError);
  add("cudaPeekAtLastError", deviceNoError);
  add("cudaGetDevice", deviceZero);
  add("cudaGetDeviceCount", deviceOne);
  add("cudaStreamCreateWithFlags", deviceMakeHandle);
  add("cudaStreamDestroy", deviceNoError);
  add("cudaEventCreateWithFlags", deviceMakeHandle);
  add("cudaEventDestroy", deviceNoError);
  add("cudaEventRecord", deviceNoError);
  add("__gpu_estimate_curand_init", randomInit);
}

void addDeviceFunctions(StringMap<void *> &Entries) {
  Table T(Entries);
  T.addMath();
  T.addReal();
  T.addConversions();
  T.addIntegers();
  T.addServices();
  addPrintFunctions(Entries);
  addTextureFunctions(Entries);
  addMatrixFunctions(Entries);
  addTensorFunctions(Entries);
}

} // namespace gpuestimate
