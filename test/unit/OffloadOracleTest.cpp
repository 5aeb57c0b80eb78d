/// \file
/// Random nests with constant bounds: the answer against trying out all pairs
/// of iterations.
#include "OffloadTesting.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

constexpr int OuterTrips = 7, InnerTrips = 5;

struct Index {
  int I, J, Constant;
  int at(int Outer, int Inner) const {
    return I * Outer + J * Inner + Constant;
  }
  std::string text() const {
    return "A[" + std::to_string(I) + " * i + " + std::to_string(J) +
           " * j + " + std::to_string(Constant) + "]";
  }
};

/// Do two iterations touch one element, the store being one of the accesses?
bool meet(const Index &Store, const Index &Load, int I1, int J1, int I2,
          int J2) {
  const int To = Store.at(I1, J1), Other = Store.at(I2, J2);
  return To == Other || To == Load.at(I2, J2) || Other == Load.at(I1, J1);
}

bool outerIsCarried(const Index &Store, const Index &Load) {
  for (int I1 = 0; I1 != OuterTrips; ++I1)
    for (int I2 = I1 + 1; I2 < OuterTrips; ++I2)
      for (int J1 = 0; J1 != InnerTrips; ++J1)
        for (int J2 = 0; J2 != InnerTrips; ++J2)
          if (meet(Store, Load, I1, J1, I2, J2))
            return true;
  return false;
}

bool innerIsCarried(const Index &Store, const Index &Load) {
  for (int I = 0; I != OuterTrips; ++I)
    for (int J1 = 0; J1 != InnerTrips; ++J1)
      for (int J2 = J1 + 1; J2 < InnerTrips; ++J2)
        if (meet(Store, Load, I, J1, I, J2))
          return true;
  return false;
}

TEST(OffloadOracle, RandomNests) {
  std::mt19937 Random(20);
  auto index = [&] {
    auto number = [&](unsigned Size) { return int(Random() % Size); };
    return Index{number(9) - 2, number(4) - 1, 50 + number(12)};
  };
  unsigned Carried = 0, Parallel = 0;
  for (int Round = 0; Round != 60; ++Round) {
    const Index Store = index(), Load = index();
    // Two operators: no reduction, whatever meets.
    const std::string Text =
        "void f(int *A) {\n/*i*/for (int i = 0; i < " +
        std::to_string(OuterTrips) + "; i++)\n/*j*/for (int j = 0; j < " +
        std::to_string(InnerTrips) + "; j++)\n" + Store.text() + " = " +
        Load.text() + " * 3 + 1;\n}";
    const HostCode Code(Text);
    const LoopDependences Of(Code.main());
    const bool Expected[] = {outerIsCarried(Store, Load),
                             innerIsCarried(Store, Load)};
    const char *Marks[] = {"i", "j"};
    for (int L = 0; L != 2; ++L) {
      const LoopDependence D = Of.of(Code.loop(Marks[L]));
      EXPECT_EQ(D.Kind, Expected[L] ? LoopDependence::Carried
                                    : LoopDependence::Parallel)
          << Text << "\n"
          << Marks[L] << ": " << summary(D);
      ++(Expected[L] ? Carried : Parallel);
    }
  }
  // Neither answer is the rule.
  EXPECT_GT(Carried, 20u);
  EXPECT_GT(Parallel, 20u);
}

} // namespace
