/// \file
/// Compares addresses at single points with the reference evaluator.
#include "Evaluate/Access/AddressProbe.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// One access in a loop of a launch of 16 x 8 blocks.
struct Probed {
  TestKernel K;
  GpuModel G = testGpu();
  Launch L;
  std::optional<LaunchProgram> Bound;
  int Loop;

  Probed() {
    L.Grid = {16, 8, 1};
    L.Block = {64, 1, 1};
    Loop = K.loop(-1, K.number(10));
  }
  AddressProbe at(Expr Address) {
    K.access(K.block(Loop), "p", Address);
    return AddressProbe(Bound.emplace(K.Model, G, L, Bindings()), 0);
  }
  Expr i() { return K.counter(Loop); }
};

constexpr unsigned X = AddressProbe::block(0), Y = AddressProbe::block(1);

} // namespace

TEST(AddressProbe, SumOfMultiples) {
  Probed P;
  AddressProbe At = P.at(4 * P.K.id() + 1024 * P.K.bid('y') - 8 * P.i() + 12);
  At.setBlock(0, 3);
  At.setBlock(1, 2);
  At.setCounter(P.Loop, 5);
  EXPECT_EQ(At(), 4 * 64 * 3 + 1024 * 2 - 8 * 5 + 12);
  EXPECT_EQ(At.step(X, 16), 256);
  EXPECT_EQ(At.step(Y, 8), 1024);
  EXPECT_EQ(At.step(AddressProbe::counter(P.Loop), 10), -8);
  EXPECT_EQ(At.step(AddressProbe::block(2), 1), 0);
  EXPECT_EQ(At.step(X, 0x1p45), std::nullopt); // no longer exact
}

TEST(AddressProbe, Residue) {
  Probed P;
  Expr Inner = P.K.context().mod(P.K.bid() + 5 * P.i(), P.K.number(7));
  AddressProbe At = P.at(4 * Inner + 128 * P.K.bid('y'));
  At.setBlock(0, 4);
  At.setBlock(1, 3);
  At.setCounter(P.Loop, 2);
  EXPECT_EQ(At(), 4 * ((4 + 10) % 7) + 128 * 3);
  EXPECT_EQ(At.step(Y, 8), 128);
  EXPECT_EQ(At.step(X, 16), std::nullopt);
  EXPECT_EQ(At.step(AddressProbe::counter(P.Loop), 10), std::nullopt);
}

TEST(AddressProbe, CourseLeavesOutConstants) {
  Probed P;
  auto address = [&](double Constant) {
    return 4 * P.K.context().mod(P.K.bid(), P.K.number(7)) + 8 * P.i() +
           Constant;
  };
  P.K.access(P.K.block(P.Loop), "p", address(0));
  P.K.access(P.K.block(P.Loop), "p", address(40));
  P.K.access(P.K.block(P.Loop), "p", 2 * address(0));
  P.K.access(P.K.block(P.Loop), "p",
             P.K.context().div(P.K.bid(), P.K.number(2)));
  P.Bound.emplace(P.K.Model, P.G, P.L, Bindings());
  AddressProbe First(*P.Bound, 0), Moved(*P.Bound, 1), Twice(*P.Bound, 2),
      Broken(*P.Bound, 3);
  EXPECT_EQ(First.course(X), Moved.course(X));
  EXPECT_NE(First.course(X), Twice.course(X));
  EXPECT_TRUE(Broken.course(X).empty());
  Moved.setCounter(P.Loop, 1);
  EXPECT_NE(First.course(X), Moved.course(X));
  EXPECT_EQ(First.course(AddressProbe::counter(P.Loop)),
            Moved.course(AddressProbe::counter(P.Loop)));
}
