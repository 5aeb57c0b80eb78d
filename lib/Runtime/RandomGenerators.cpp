#include "RandomGenerators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace gpuestimate {

//===----------------------------------------------------------------------===//
// XORWOW
//===----------------------------------------------------------------------===//

using BitVector160 = std::array<uint32_t, 5>;

static void step(BitVector160 &V) {
  uint32_t T = V[0] ^ (V[0] >> 2);
  V = {V[1], V[2], V[3], V[4], (V[4] ^ (V[4] << 4)) ^ (T ^ (T << 1))};
}

namespace {
/// A linear map of the words, by the images of the 160 unit vectors.
struct BitMatrix160 {
  std::array<BitVector160, 160> Columns{};

  BitVector160 operator*(const BitVector160 &V) const {
    BitVector160 Sum{};
    for (unsigned Bit = 0; Bit < 160; ++Bit)
      if (V[Bit / 32] >> (Bit % 32) & 1)
        for (unsigned W = 0; W < 5; ++W)
          Sum[W] ^= Columns[Bit][W];
    return Sum;
  }
  BitMatrix160 squared() const {
    BitMatrix160 Result;
    for (unsigned Bit = 0; Bit < 160; ++Bit)
      Result.Columns[Bit] = *this * Columns[Bit];
    return Result;
  }
};
} // namespace

/// [i] the map of 2^i steps.
static const std::vector<BitMatrix160> &xorwowPowers() {
  static const std::vector<BitMatrix160> Powers = [] {
    std::vector<BitMatrix160> All(1);
    for (unsigned Bit = 0; Bit < 160; ++Bit) {
      BitVector160 Unit{};
      Unit[Bit / 32] = 1u << (Bit % 32);
      step(Unit);
      All[0].Columns[Bit] = Unit;
    }
    while (All.size() <= Xorwow::SequenceBits)
      All.push_back(All.back().squared());
    return All;
  }();
  return Powers;
}

static constexpr uint32_t WeylStep = 362437;

/// Marsaglia's start values, mixed with the seed as curand_kernel.h does.
Xorwow::Xorwow(uint64_t Seed) {
  uint32_t Low = 1099087573u * (uint32_t(Seed) ^ 0xaad26b49u),
           High = 2591861531u * (uint32_t(Seed >> 32) ^ 0xf7dcefddu);
  Counter = 6615241u + High + Low;
  Words = {123456789u + Low, 362436069u ^ Low, 521288629u + High,
           88675123u ^ High, 5783321u + Low};
}

uint32_t Xorwow::next() {
  step(Words);
  Counter += WeylStep;
  return Words[4] + Counter;
}

/// In (0, 1], of 32 bits.
static float uniformOf(uint32_t Bits) {
  constexpr float Unit = 0x1p-32f;
  return float(Bits) * Unit + Unit / 2;
}

/// In (0, 1], of 53 of 64 bits.
static double uniformOf(uint64_t Low, uint64_t High) {
  return double(Low ^ High << 21) * 0x1p-53 + 0x1p-54;
}

float Xorwow::uniform() { return uniformOf(next()); }

double Xorwow::uniformDouble() {
  uint64_t Low = next();
  return uniformOf(Low, next());
}

void Xorwow::skip(uint64_t Numbers) {
  for (unsigned Bit = 0; Bit < 64; ++Bit)
    if (Numbers >> Bit & 1)
      Words = xorwowPowers()[Bit] * Words;
  Counter += uint32_t(Numbers) * WeylStep;
}

void Xorwow::skipSequence() {
  // 2^67 steps of the counter are none.
  Words = xorwowPowers()[SequenceBits] * Words;
}

//===----------------------------------------------------------------------===//
// MRG32k3a
//===----------------------------------------------------------------------===//

static constexpr uint64_t Modulus1 = 4294967087, Modulus2 = 4294944443;
static constexpr uint64_t A12 = 1403580, A13 = 810728, A21 = 527612,
                          A23 = 1370589;

namespace {
using Matrix3 = std::array<std::array<uint64_t, 3>, 3>;
/// Maps of both recurrences.
struct MatrixPair {
  Matrix3 First, Second;
};
} // namespace

static Matrix3 product(const Matrix3 &A, const Matrix3 &B, uint64_t Modulus) {
  Matrix3 Result{};
  for (unsigned I = 0; I < 3; ++I)
    for (unsigned J = 0; J < 3; ++J)
      for (unsigned K = 0; K < 3; ++K)
        Result[I][J] = (Result[I][J] + A[I][K] * B[K][J] % Modulus) % Modulus;
  return Result;
}

static void apply(const Matrix3 &A, std::array<uint64_t, 3> &V,
                  uint64_t Modulus) {
  std::array<uint64_t, 3> Result{};
  for (unsigned I = 0; I < 3; ++I)
    for (unsigned K = 0; K < 3; ++K)
      Result[I] = (Result[I] + A[I][K] * V[K] % Modulus) % Modulus;
  V = Result;
}

/// [i] the maps of 2^i steps.
static const std::vector<MatrixPair> &mrgPowers() {
  static const std::vector<MatrixPair> Powers = [] {
    Matrix3 First{}, Second{};
    First[0][1] = First[1][2] = Second[0][1] = Second[1][2] = 1;
    First[2] = {Modulus1 - A13, A12, 0};
    Second[2] = {Modulus2 - A23, 0, A21};
    std::vector<MatrixPair> All = {{First, Second}};
    while (All.size() <= Mrg32k3a::SequenceBits) {
      const auto &[A, B] = All.back();
      All.push_back({product(A, A, Modulus1), product(B, B, Modulus2)});
    }
    return All;
  }();
  return Powers;
}

/// L'Ecuyer's start values, times the halves of the seed as curand_kernel.h
/// does.
Mrg32k3a::Mrg32k3a(uint64_t Seed) {
  First.fill(12345);
  Second.fill(12345);
  if (Seed == 0)
    return;
  uint64_t Low = uint32_t(Seed) ^ 0x55555555u,
           High = uint32_t(Seed >> 32) ^ 0xAAAAAAAAu;
  for (unsigned I = 0; I < 3; ++I) {
    First[I] = (I == 1 ? High : Low) * First[I] % Modulus1;
    Second[I] = (I == 1 ? Low : High) * Second[I] % Modulus2;
  }
}

uint64_t Mrg32k3a::combined() {
  uint64_t New1 =
      (A12 * First[1] + (Modulus1 - A13) * First[0] % Modulus1) % Modulus1;
  uint64_t New2 =
      (A21 * Second[2] + (Modulus2 - A23) * Second[0] % Modulus2) % Modulus2;
  First = {First[1], First[2], New1};
  Second = {Second[1], Second[2], New2};
  return New1 > New2 ? New1 - New2 : New1 + Modulus1 - New2;
}

uint32_t Mrg32k3a::next() {
  constexpr double ToAllBits = 1.000000048662; // (2^32 - 1) / Modulus1
  return uint32_t(double(combined()) * ToAllBits);
}

double Mrg32k3a::uniformDouble() {
  constexpr double ToUnit = 2.3283065498378288e-10; // largest result: 1
  return double(combined()) * ToUnit;
}

float Mrg32k3a::uniform() { return float(uniformDouble()); }

void Mrg32k3a::skip(uint64_t Numbers) {
  for (unsigned Bit = 0; Bit < 64; ++Bit)
    if (Numbers >> Bit & 1) {
      apply(mrgPowers()[Bit].First, First, Modulus1);
      apply(mrgPowers()[Bit].Second, Second, Modulus2);
    }
}

void Mrg32k3a::skipSequence() {
  apply(mrgPowers()[SequenceBits].First, First, Modulus1);
  apply(mrgPowers()[SequenceBits].Second, Second, Modulus2);
}

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//

void Philox::encrypt() {
  constexpr uint64_t FirstFactor = 0xD2511F53, SecondFactor = 0xCD9E8D57;
  constexpr uint32_t FirstWeyl = 0x9E3779B9, SecondWeyl = 0xBB67AE85;
  uint64_t Number = Position / 4;
  Block = {uint32_t(Number), uint32_t(Number >> 32), uint32_t(Sequence),
           uint32_t(Sequence >> 32)};
  uint32_t FirstKey = uint32_t(Seed), SecondKey = uint32_t(Seed >> 32);
  for (unsigned Round = 0; Round < 10; ++Round) {
    uint64_t First = FirstFactor * Block[0], Second = SecondFactor * Block[2];
    Block = {uint32_t(Second >> 32) ^ Block[1] ^ FirstKey, uint32_t(Second),
             uint32_t(First >> 32) ^ Block[3] ^ SecondKey, uint32_t(First)};
    FirstKey += FirstWeyl;
    SecondKey += SecondWeyl;
  }
  HasBlock = true;
}

uint32_t Philox::next() {
  if (!HasBlock || Position % 4 == 0)
    encrypt();
  return Block[Position++ % 4];
}

float Philox::uniform() { return uniformOf(next()); }

double Philox::uniformDouble() {
  uint64_t Low = next();
  return uniformOf(Low, next());
}

void Philox::skip(uint64_t Numbers) {
  Position += Numbers;
  HasBlock = false;
}

//===----------------------------------------------------------------------===//
// The order of memory
//===----------------------------------------------------------------------===//

namespace {

template <class Sequence> class Interleaved final : public RandomGenerator {
  static constexpr unsigned Together = Sequence::Together;

public:
  explicit Interleaved(unsigned Count) : Count(Count) {}

  void reset(uint64_t Seed, uint64_t Offset) override {
    Sequences.clear();
    Sequence Start(Seed);
    Next = Offset % (uint64_t(Count) * Together);
    uint64_t Rounds = Offset / (uint64_t(Count) * Together);
    for (uint64_t I = 0; I < Count; ++I) {
      Sequences.push_back(Start);
      uint64_t OfRound =
          Next <= I * Together
              ? 0
              : std::min<uint64_t>(Next - I * Together, Together);
      Sequences.back().skip(Rounds * Together + OfRound);
      Start.skipSequence();
    }
  }
  void bits(uint32_t *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take(1).next();
  }
  void uniform(float *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take(1).uniform();
  }
  void uniform(double *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take(1).uniformDouble();
  }
  void normal(float *Out, size_t Number, float Mean, float Deviation) override {
    pairs(Out, Number, Mean, Deviation,
          [](Sequence &S) { return S.uniform(); });
  }
  void normal(double *Out, size_t Number, double Mean,
              double Deviation) override {
    pairs(Out, Number, Mean, Deviation,
          [](Sequence &S) { return S.uniformDouble(); });
  }

private:
  /// The sequence of the next Results. A sequence that gives one result at a
  /// time gives a pair in its place.
  Sequence &take(unsigned Results) {
    Sequence &S = Sequences[Next / Together];
    Next = (Next + std::min(Results, Together)) % (size_t(Count) * Together);
    return S;
  }
  template <class Real, class Draw>
  void pairs(Real *Out, size_t Number, Real Mean, Real Deviation, Draw Of) {
    constexpr Real TwoPi = Real(6.283185307179586476925);
    for (size_t I = 0; I + 1 < Number; I += 2) {
      Sequence &S = take(2);
      Real Radius = std::sqrt(Real(-2) * std::log(Of(S)));
      Real Angle = TwoPi * Of(S);
      Out[I] = Mean + Deviation * Radius * std::sin(Angle);
      Out[I + 1] = Mean + Deviation * Radius * std::cos(Angle);
    }
  }

  unsigned Count;
  std::vector<Sequence> Sequences;
  size_t Next = 0; ///< result of the round in which all sequences take part
};

} // namespace

std::unique_ptr<RandomGenerator> makeXorwow() {
  return std::make_unique<Interleaved<Xorwow>>(4096);
}
std::unique_ptr<RandomGenerator> makeMrg32k3a(unsigned Sequences) {
  return std::make_unique<Interleaved<Mrg32k3a>>(Sequences);
}
std::unique_ptr<RandomGenerator> makePhilox() {
  return std::make_unique<Interleaved<Philox>>(65536);
}

//===----------------------------------------------------------------------===//
// Sobol' sequences
//===----------------------------------------------------------------------===//

namespace {

/// A primitive polynomial over GF(2) and the first direction numbers of a
/// dimension.
struct SobolDimension {
  unsigned Degree, Coefficients; ///< without those of x^Degree and 1
  std::array<uint8_t, 7> Starts;
};

constexpr SobolDimension SobolDimensions[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};
static_assert(std::size(SobolDimensions) + 1 == MaxSobolDimensions);

using DirectionNumbers = std::array<uint32_t, 32>;

/// Dimension counts from 0, where it has van der Corput's sequence.
DirectionNumbers directionsOf(unsigned Dimension) {
  DirectionNumbers V{};
  if (Dimension == 0) {
    for (unsigned I = 0; I < 32; ++I)
      V[I] = 1u << (31 - I);
    return V;
  }
  const SobolDimension &D = SobolDimensions[Dimension - 1];
  for (unsigned I = 0; I < 32; ++I) {
    if (I < D.Degree) {
      V[I] = uint32_t(D.Starts[I]) << (31 - I);
      continue;
    }
    V[I] = V[I - D.Degree] ^ (V[I - D.Degree] >> D.Degree);
    for (unsigned K = 1; K < D.Degree; ++K)
      if (D.Coefficients >> (D.Degree - 1 - K) & 1)
        V[I] ^= V[I - K];
  }
  return V;
}

/// The x below which the standard normal distribution has the probability P:
/// M. Wichura, "Algorithm AS 241", Applied Statistics 37(3), 1988, has rational
/// functions for it; here two steps of Newton's method on erfc follow a start
/// of three digits (C. Hastings, "Approximations for Digital Computers", 1955).
double normalQuantile(double P) {
  double Tail = std::min(P, 1 - P);
  if (Tail <= 0)
    return P < 0.5 ? -INFINITY : INFINITY;
  double T = std::sqrt(-2 * std::log(Tail));
  double X = T - (2.515517 + T * (0.802853 + T * 0.010328)) /
                     (1 + T * (1.432788 + T * (0.189269 + T * 0.001308)));
  for (unsigned Step = 0; Step < 3; ++Step) {
    double Density = std::exp(-X * X / 2) / 2.506628274631000502;
    X += (std::erfc(X * M_SQRT1_2) / 2 - Tail) / Density;
  }
  return P < 0.5 ? -X : X;
}

class Sobol32 final : public RandomGenerator {
public:
  void reset(uint64_t Dimensions, uint64_t Offset) override {
    Directions.clear();
    for (unsigned D = 0; D < Dimensions; ++D)
      Directions.push_back(directionsOf(D));
    Next = Offset;
  }
  void bits(uint32_t *Out, size_t Number) override {
    fill(Out, Number, [](uint32_t X) { return X; });
  }
  void uniform(float *Out, size_t Number) override {
    fill(Out, Number, [](uint32_t X) { return uniformOf(X); });
  }
  void uniform(double *Out, size_t Number) override {
    fill(Out, Number, [](uint32_t X) { return X * 0x1p-32 + 0x1p-32; });
  }
  void normal(float *Out, size_t Number, float Mean, float Deviation) override {
    fill(Out, Number, [&](uint32_t X) {
      return float(Mean + Deviation * normalQuantile((X + 0.5) * 0x1p-32));
    });
  }
  void normal(double *Out, size_t Number, double Mean,
              double Deviation) override {
    fill(Out, Number, [&](uint32_t X) {
      return Mean + Deviation * normalQuantile((X + 0.5) * 0x1p-32);
    });
  }

private:
  /// Point n is the sum over GF(2) of the direction numbers at the bits of n's
  /// Gray code; the next point differs by the one at n's lowest bit 0.
  template <class T, class Map> void fill(T *Out, size_t Number, Map Of) {
    size_t Points = Number / Directions.size();
    for (const DirectionNumbers &V : Directions) {
      uint32_t X = 0;
      uint64_t Gray = Next ^ (Next >> 1);
      for (unsigned Bit = 0; Bit < 32; ++Bit)
        X ^= Gray >> Bit & 1 ? V[Bit] : 0;
      for (size_t I = 0; I < Points; ++I) {
        *Out++ = Of(X);
        X ^= V[std::countr_one(Next + I) % 32];
      }
    }
    Next += Points;
  }

  std::vector<DirectionNumbers> Directions;
  uint64_t Next = 0;
};

} // namespace

std::unique_ptr<RandomGenerator> makeSobol32() {
  return std::make_unique<Sobol32>();
}

//===----------------------------------------------------------------------===//
// Poisson's distribution
//===----------------------------------------------------------------------===//

/// Probabilities below 1e-30 do not count. They are computed by their ratio
/// from the mode, where the logarithm of the gamma function gives the first.
PoissonQuantiles::PoissonQuantiles(double Mean) {
  auto Mode = uint32_t(Mean);
  double AtMode =
      std::exp(Mode * std::log(Mean) - Mean - std::lgamma(Mode + 1.0));
  constexpr double Smallest = 1e-30;
  std::vector<double> Below;
  First = Mode;
  for (double P = AtMode; First > 0;) {
    P *= First / Mean;
    if (P < Smallest)
      break;
    Below.push_back(P);
    --First;
  }
  double Sum = 0;
  for (auto It = Below.rbegin(); It != Below.rend(); ++It)
    Cumulative.push_back(Sum += *It);
  double P = AtMode;
  for (uint32_t K = Mode; P >= Smallest; P *= Mean / ++K)
    Cumulative.push_back(Sum += P);
}

uint32_t PoissonQuantiles::operator()(double Uniform) const {
  auto It = std::lower_bound(Cumulative.begin(), Cumulative.end(), Uniform);
  if (It == Cumulative.end())
    --It;
  return First + uint32_t(It - Cumulative.begin());
}

} // namespace gpuestimate
