/// \file
/// The list schedule for few registers, against the best of all orders.
#include "Lowering/Registers/Pressure.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace gpuestimate;

namespace {

/// The most alive in this order; nothing when it breaks a dependence.
std::optional<unsigned> pressure(const std::vector<PressureNode> &Nodes,
                                 const std::vector<unsigned> &Order) {
  std::vector<unsigned> Place(Nodes.size());
  for (unsigned I = 0; I < Order.size(); ++I)
    Place[Order[I]] = I;
  unsigned Largest = 0;
  for (unsigned N = 0; N < Nodes.size(); ++N)
    for (const auto *Before : {&Nodes[N].Operands, &Nodes[N].After})
      for (unsigned Other : *Before)
        if (Place[Other] > Place[N])
          return std::nullopt;
  for (unsigned At = 0; At < Order.size(); ++At) {
    unsigned Live = 0;
    for (unsigned N = 0; N < Nodes.size(); ++N) {
      unsigned Last = 0;
      bool Read = Nodes[N].LiveOut;
      for (unsigned Reader = 0; Reader < Nodes.size(); ++Reader)
        if (std::count(Nodes[Reader].Operands.begin(),
                       Nodes[Reader].Operands.end(), N)) {
          Read = true;
          Last = std::max(Last, Place[Reader]);
        }
      bool Begun = Place[N] <= At || Nodes[N].AtEntry;
      if (Read && Begun && (Nodes[N].LiveOut || Last > At))
        Live += Nodes[N].Size;
    }
    Largest = std::max(Largest, Live);
  }
  return Largest;
}

TEST(Pressure, IsReachedByAnOrderAndRarelyFarFromTheBest) {
  std::mt19937 Random(7);
  unsigned Best = 0, Found = 0, InOrder = 0;
  for (unsigned Round = 0; Round < 300; ++Round) {
    std::vector<PressureNode> Nodes(7);
    for (unsigned N = 0; N < Nodes.size(); ++N) {
      Nodes[N].Size = 1 + Random() % 2;
      for (unsigned Before = 0; Before < N; ++Before)
        if (Random() % 3 == 0)
          (Random() % 5 ? Nodes[N].Operands : Nodes[N].After).push_back(Before);
    }
    Nodes.back().LiveOut = true;
    std::vector<unsigned> Order(Nodes.size());
    std::iota(Order.begin(), Order.end(), 0);
    unsigned Given = *pressure(Nodes, Order), Least = Given, Worst = Given;
    while (std::next_permutation(Order.begin(), Order.end()))
      if (auto Pressure = pressure(Nodes, Order)) {
        Least = std::min(Least, *Pressure);
        Worst = std::max(Worst, *Pressure);
      }
    unsigned Scheduled = scheduledPressure(Nodes);
    EXPECT_GE(Scheduled, Least);
    EXPECT_LE(Scheduled, Worst);
    Best += Least;
    Found += Scheduled;
    InOrder += Given;
  }
  EXPECT_LT(Found, 1.1 * Best);
  EXPECT_LT(Found, InOrder);
}

/// Sums over windows of the same words, as an unrolled convolution has them:
/// in the order of the source all words of a window stay alive, while each word
/// could be used by all sums as it is loaded.
TEST(Pressure, WindowsShareTheirWords) {
  constexpr unsigned Sums = 6, Taps = 20;
  std::vector<PressureNode> Nodes;
  std::vector<int> Word(Sums + Taps, -1), Sum(Sums, -1);
  for (unsigned Tap = 0; Tap < Taps; ++Tap)
    for (unsigned S = 0; S < Sums; ++S) {
      if (Word[S + Tap] < 0) {
        Word[S + Tap] = Nodes.size();
        Nodes.emplace_back().Size = 1;
      }
      PressureNode &Add = Nodes.emplace_back();
      Add.Size = 1;
      Add.Operands = {unsigned(Word[S + Tap])};
      if (Sum[S] >= 0)
        Add.Operands.push_back(Sum[S]);
      Sum[S] = Nodes.size() - 1;
      Add.LiveOut = Tap == Taps - 1;
    }
  std::vector<unsigned> Order(Nodes.size());
  std::iota(Order.begin(), Order.end(), 0);
  EXPECT_GE(*pressure(Nodes, Order), 2 * Sums - 1);
  EXPECT_LE(scheduledPressure(Nodes), Sums + 1);
}

/// A matrix product by tensor cores: all products of a step share the fragment
/// on the left, and each has one of its own on the right. In the order of the
/// source all fragments of a step are loaded before the products.
TEST(Pressure, ProductsLoadTheirFragmentsOneAfterTheOther) {
  constexpr unsigned Products = 16, Steps = 4;
  std::vector<PressureNode> Nodes(Products);
  std::vector<unsigned> Sum(Products);
  for (unsigned P = 0; P < Products; ++P) {
    Nodes[P].Size = 2;
    Nodes[P].AtEntry = true;
    Sum[P] = P;
  }
  auto Load = [&](unsigned Size) {
    Nodes.emplace_back().Size = Size;
    return unsigned(Nodes.size() - 1);
  };
  for (unsigned Step = 0; Step < Steps; ++Step) {
    unsigned Left = Load(4);
    std::vector<unsigned> Right;
    for (unsigned P = 0; P < Products; ++P)
      Right.push_back(Load(2));
    for (unsigned P = 0; P < Products; ++P) {
      PressureNode &Product = Nodes.emplace_back();
      Product.Size = 2;
      Product.Operands = {Sum[P], Left, Right[P]};
      Product.LiveOut = Step == Steps - 1;
      Sum[P] = Nodes.size() - 1;
    }
  }
  EXPECT_LE(scheduledPressure(Nodes), 2 * Products + 4 + 2);
}

TEST(Pressure, WhatIsAliveAtTheEntryCountsFromThere) {
  std::vector<PressureNode> Nodes(4);
  for (PressureNode &N : Nodes)
    N.Size = 1;
  Nodes[0].AtEntry = Nodes[1].AtEntry = Nodes[2].AtEntry = true;
  Nodes[3].Operands = {0};
  Nodes[3].LiveOut = Nodes[1].LiveOut = Nodes[2].LiveOut = true;
  EXPECT_EQ(scheduledPressure(Nodes), 3u);
}

} // namespace
