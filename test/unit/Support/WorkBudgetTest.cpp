/// \file
/// Budgets of work: limits, nesting, and what is said when one is passed.
#include "gpu-estimate/Support/WorkBudget.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using namespace gpuestimate;
using namespace std::chrono_literals;

TEST(WorkBudget, WithoutAScopeWorkIsUnlimited) {
  EXPECT_TRUE(spendWork(1'000'000'000));
  EXPECT_FALSE(workExhausted());
}

TEST(WorkBudget, EndsAtExactlyItsLimit) {
  for (uint64_t Limit : {0, 1, 4095, 4096, 4097, 10'000}) {
    WorkBudget Budget({.Units = Limit});
    WorkScope Scope(Budget);
    for (uint64_t I = 0; I < Limit; ++I)
      ASSERT_TRUE(spendWork()) << I << " of " << Limit;
    EXPECT_FALSE(spendWork()) << Limit;
    EXPECT_TRUE(Budget.exhausted());
    EXPECT_EQ(Budget.spent(), Limit + 1);
  }
}

TEST(WorkBudget, StaysExhausted) {
  WorkBudget Budget({.Units = 1});
  WorkScope Scope(Budget);
  EXPECT_FALSE(spendWork(2));
  EXPECT_FALSE(spendWork(0));
  EXPECT_TRUE(workExhausted());
  EXPECT_EQ(Budget.reason(), "it takes more than 1 units of work");
}

TEST(WorkBudget, AnInnerScopeSpendsFromAllAroundIt) {
  WorkBudget Outer({.Units = 10}), Inner({.Units = 100});
  WorkScope OuterScope(Outer);
  {
    WorkScope InnerScope(Inner);
    EXPECT_TRUE(spendWork(10));
    EXPECT_FALSE(spendWork(1));
    EXPECT_FALSE(Inner.exhausted());
    EXPECT_TRUE(Outer.exhausted());
  }
  EXPECT_EQ(Inner.spent(), 11u);
  EXPECT_FALSE(spendWork());
}

TEST(WorkBudget, AnExhaustedInnerScopeLeavesTheOuterOne) {
  WorkBudget Outer({.Units = 100}), Inner({.Units = 10});
  WorkScope OuterScope(Outer);
  {
    WorkScope InnerScope(Inner);
    EXPECT_FALSE(spendWork(11));
  }
  EXPECT_TRUE(spendWork());
}

TEST(WorkBudget, ProcessorTimeEndsWorkWhoseUnitsAreDear) {
  WorkBudget Budget({.CpuTime = 5ms});
  WorkScope Scope(Budget);
  uint64_t Rounds = 0;
  while (spendWork(1000) && Rounds < 1'000'000'000)
    ++Rounds;
  EXPECT_TRUE(Budget.exhausted());
  EXPECT_EQ(Budget.reason(), "it takes more than 5 ms of processor time");
}

TEST(WorkBudget, ProcessorTimeEndsDearWorkBehindCheapWork) {
  WorkBudget Budget({.CpuTime = 100ms});
  WorkScope Scope(Budget);
  for (unsigned I = 0; I < 100'000; ++I) // the clock is read more seldom
    spendWork(1000);
  ASSERT_FALSE(Budget.exhausted());
  volatile uint64_t Sum = 0;
  uint64_t Rounds = 0;
  while (spendWork() && Rounds++ < 10'000'000)
    for (unsigned I = 0; I < 1000; ++I)
      Sum = Sum + I;
  EXPECT_TRUE(Budget.exhausted());
}

TEST(WorkBudget, OtherThreadsHaveBudgetsOfTheirOwn) {
  WorkBudget Budget({.Units = 1});
  WorkScope Scope(Budget);
  EXPECT_FALSE(spendWork(2));
  bool HasBudget = false;
  std::thread([&] { HasBudget = spendWork(); }).join();
  EXPECT_TRUE(HasBudget);
}

TEST(WorkBudget, MemoryEndsWorkThatTakesTooMuch) {
  WorkBudget Budget({.MemoryBytes = 64 << 20});
  WorkScope Scope(Budget);
  std::vector<std::vector<char>> Kept;
  while (spendWork(4096) && Kept.size() < 4096)
    Kept.emplace_back(1 << 20, 'x');
  EXPECT_LT(Kept.size(), 4096u);
  EXPECT_EQ(workLimitPassed(), "it takes more than 64 MiB of memory");
}

TEST(WorkBudget, TheInnermostExhaustedBudgetGivesTheReason) {
  EXPECT_EQ(workLimitPassed(), "");
  WorkBudget Outer({.Units = 10}), Inner({.Units = 5});
  WorkScope OuterScope(Outer);
  WorkScope InnerScope(Inner);
  spendWork(5);
  EXPECT_EQ(workLimitPassed(), "");
  spendWork(1);
  EXPECT_EQ(workLimitPassed(), "it takes more than 5 units of work");
  spendWork(5);
  EXPECT_EQ(workLimitPassed(), "it takes more than 5 units of work");
}
