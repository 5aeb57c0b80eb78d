#include "RandomGenerators.h"

#include <cmath>
#include <utility>
#include <vector>

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

float Xorwow::uniform() {
  constexpr float Unit = 0x1p-32f;
  return float(next()) * Unit + Unit / 2;
}

double Xorwow::uniformDouble() {
  uint64_t Low = next(), High = next();
  return double(Low ^ High << 21) * 0x1p-53 + 0x1p-54;
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
// The order of memory
//===----------------------------------------------------------------------===//

namespace {

template <class Sequence> class Interleaved final : public RandomGenerator {
  static constexpr unsigned Count = 4096;

public:
  void reset(uint64_t Seed, uint64_t Offset) override {
    Sequences.clear();
    Sequence Start(Seed);
    for (unsigned I = 0; I < Count; ++I) {
      Sequences.push_back(Start);
      Sequences.back().skip(Offset / Count + (I < Offset % Count));
      Start.skipSequence();
    }
    Next = Offset % Count;
  }
  void bits(uint32_t *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take().next();
  }
  void uniform(float *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take().uniform();
  }
  void uniform(double *Out, size_t Number) override {
    for (size_t I = 0; I < Number; ++I)
      Out[I] = take().uniformDouble();
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
  Sequence &take() {
    Sequence &S = Sequences[Next];
    Next = (Next + 1) % Count;
    return S;
  }
  template <class Real, class Draw>
  void pairs(Real *Out, size_t Number, Real Mean, Real Deviation, Draw Of) {
    constexpr Real TwoPi = Real(6.283185307179586476925);
    for (size_t I = 0; I + 1 < Number; I += 2) {
      Sequence &S = take();
      Real Radius = std::sqrt(Real(-2) * std::log(Of(S)));
      Real Angle = TwoPi * Of(S);
      Out[I] = Mean + Deviation * Radius * std::sin(Angle);
      Out[I + 1] = Mean + Deviation * Radius * std::cos(Angle);
    }
  }

  std::vector<Sequence> Sequences;
  size_t Next = 0;
};

} // namespace

std::unique_ptr<RandomGenerator> makeXorwow() {
  return std::make_unique<Interleaved<Xorwow>>();
}
std::unique_ptr<RandomGenerator> makeMrg32k3a() {
  return std::make_unique<Interleaved<Mrg32k3a>>();
}

} // namespace gpuestimate
