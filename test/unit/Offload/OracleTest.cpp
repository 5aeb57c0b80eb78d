/// \file
/// Random nests: the answer against trying out all pairs of iterations.
#include "helpers/OffloadTesting.h"
#include <array>
#include <map>
#include <optional>
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
    const LoopDependences Dependences(Code.main());
    const bool Expected[] = {outerIsCarried(Store, Load),
                             innerIsCarried(Store, Load)};
    const char *Marks[] = {"i", "j"};
    for (int L = 0; L != 2; ++L) {
      const LoopDependence D = Dependences.dependenceOf(Code.loop(Marks[L]));
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

/// Three loops over rows, bounds by the parameter n.
constexpr int RowLength = 9;

struct Bounds {
  const char *Text; ///< of the header
  std::pair<int, int> (*Range)(int N, int I, int J);
};

// i, then j, then k; ends are exclusive.
const Bounds OuterBounds[] = {
    {"i = 0; i < n", [](int N, int, int) { return std::pair(0, N); }},
    {"i = 1; i < n - 1", [](int N, int, int) { return std::pair(1, N - 1); }}};
const Bounds MiddleBounds[] = {
    {"j = 0; j < n", [](int N, int, int) { return std::pair(0, N); }},
    {"j = 0; j <= i", [](int, int I, int) { return std::pair(0, I + 1); }},
    {"j = i + 1; j < n", [](int N, int I, int) { return std::pair(I + 1, N); }},
    {"j = 1; j < 4", [](int, int, int) { return std::pair(1, 4); }}};
const Bounds InnerBounds[] = {
    {"k = 0; k < n", [](int N, int, int) { return std::pair(0, N); }},
    {"k = 0; k < 3", [](int, int, int) { return std::pair(0, 3); }},
    {"k = j; k < n", [](int N, int, int J) { return std::pair(J, N); }},
    {"k = i; k < i + 1", [](int, int I, int) { return std::pair(I, I + 1); }}};

struct Subscript {
  int I, J, K, Constant;
  int at(const std::array<int, 3> &Point) const {
    return I * Point[0] + J * Point[1] + K * Point[2] + Constant;
  }
  std::string text() const {
    return "[" + std::to_string(I) + " * i + " + std::to_string(J) + " * j + " +
           std::to_string(K) + " * k + " + std::to_string(Constant) + "]";
  }
};

struct RowNest {
  const Bounds *Loops[3];
  Subscript Store[2], Load[2];

  std::string text() const {
    const char *Names[] = {"i", "j", "k"};
    std::string Text =
        "void f(int n, int (*A)[" + std::to_string(RowLength) + "]) {\n";
    for (int L = 0; L != 3; ++L)
      Text += std::string("/*") + Names[L] + "*/for (int " + Loops[L]->Text +
              "; " + Names[L] + "++)\n";
    return Text + "A" + Store[0].text() + Store[1].text() + " = A" +
           Load[0].text() + Load[1].text() + " * 3 + 1;\n}";
  }

  /// Do two iterations of a loop touch one element, as it lies in memory?
  bool isCarried(int Loop, int N) const {
    // When an element was first used, for each iteration of the loops around.
    std::map<std::vector<int>, int> FirstOf[2]; // by stores, by all
    const auto [I0, I1] = Loops[0]->Range(N, 0, 0);
    for (int I = I0; I < I1; ++I) {
      const auto [J0, J1] = Loops[1]->Range(N, I, 0);
      for (int J = J0; J < J1; ++J) {
        const auto [K0, K1] = Loops[2]->Range(N, I, J);
        for (int K = K0; K < K1; ++K)
          if (meets(Loop, {I, J, K}, FirstOf))
            return true;
      }
    }
    return false;
  }

private:
  static int flat(const Subscript (&S)[2], const std::array<int, 3> &At) {
    return S[0].at(At) * RowLength + S[1].at(At);
  }
  bool meets(int Loop, const std::array<int, 3> &At,
             std::map<std::vector<int>, int> (&FirstOf)[2]) const {
    std::vector<int> Around(At.begin(), At.begin() + Loop);
    for (bool Writes : {true, false}) {
      Around.push_back(flat(Writes ? Store : Load, At));
      // A store meets all, a load the stores.
      const auto Before = FirstOf[Writes].find(Around);
      if (Before != FirstOf[Writes].end() && Before->second != At[Loop])
        return true;
      if (Writes)
        FirstOf[false].try_emplace(Around, At[Loop]);
      FirstOf[true].try_emplace(Around, At[Loop]);
      Around.pop_back();
    }
    return false;
  }
};

/// The largest n that an answer allows, among those that are tried; nothing if
/// it assumes something else.
std::optional<int> largestN(const LoopDependence &D) {
  int MaxN = 12;
  for (const std::string &One : D.Assumptions) {
    if (One.rfind("n <= ", 0) != 0 || One.find("and") != std::string::npos)
      return std::nullopt;
    MaxN = std::min(MaxN, std::stoi(One.substr(5)));
  }
  return MaxN;
}

TEST(OffloadOracle, RowsWithAParameter) {
  std::mt19937 Random(7);
  auto number = [&](unsigned Size) { return int(Random() % Size); };
  unsigned Carried = 0, Parallel = 0, Limited = 0;
  for (int Round = 0; Round != 150; ++Round) {
    auto subscript = [&] {
      Subscript S{0, 0, 0, number(3)};
      (&S.I)[number(3)] = 1 + (number(6) == 0);
      if (number(4) == 0)
        (&S.I)[number(3)] += 1 - 2 * number(2);
      return S;
    };
    RowNest Nest{{&OuterBounds[number(2)], &MiddleBounds[number(4)],
                  &InnerBounds[number(4)]},
                 {subscript(), subscript()},
                 {}};
    for (int D = 0; D != 2; ++D)
      Nest.Load[D] = number(3) == 0 ? subscript() : Nest.Store[D];
    Nest.Load[1].Constant = number(3);
    const HostCode Code(Nest.text());
    const LoopDependences Dependences(Code.main());
    const char *Marks[] = {"i", "j", "k"};
    for (int L = 0; L != 3; ++L) {
      const LoopDependence D = Dependences.dependenceOf(Code.loop(Marks[L]));
      const std::optional<int> MaxN = largestN(D);
      const std::string What = Nest.text() + "\n" + Marks[L] + ": " +
                               summary(D) + "; " + assumptions(D);
      if (D.Kind == LoopDependence::Parallel && MaxN) {
        for (int N = 0; N <= *MaxN; ++N)
          EXPECT_FALSE(Nest.isCarried(L, N)) << What << "\nn = " << N;
        ++(*MaxN < 12 ? Limited : Parallel);
      } else if (D.Kind == LoopDependence::Carried) {
        bool Found = false;
        for (int N = 0; N <= 12 && !Found; ++N)
          Found = Nest.isCarried(L, N);
        EXPECT_TRUE(Found) << What;
        ++Carried;
      }
    }
  }
  EXPECT_GT(Carried, 50u);
  EXPECT_GT(Parallel, 50u);
  EXPECT_GT(Limited, 20u);
}

} // namespace
