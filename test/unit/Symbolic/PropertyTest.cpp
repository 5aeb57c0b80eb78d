/// \file
/// Properties over random expressions and bindings. The oracle interprets the
/// tree as written; everything else goes through the library.
#include "helpers/SymbolicRandom.h"

#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr unsigned NumTrees = 4000, NumBindings = 8;

Bindings toBindings(const Environment &Values) {
  Bindings Result;
  for (const auto &[Name, Value] : Values)
    Result[Name] = Value;
  return Result;
}

bool near(double A, double B) {
  return std::fabs(A - B) <=
         1e-9 * std::fmax(1.0, std::fmax(std::fabs(A), std::fabs(B)));
}

/// Runs Check(tree, its term) over the same trees for each property.
template <typename Callable> void forEachTree(unsigned Seed, Callable Check) {
  RandomTrees Random(Seed);
  for (unsigned I = 0; I < NumTrees && !testing::Test::HasFailure(); ++I) {
    ExprContext C;
    assumeRanges(C);
    TreeRef T = Random.tree(1 + I % 4);
    Expr E = build(C, *T);
    SCOPED_TRACE(describe(*T) + "  =>  " + E.str());
    Check(Random, C, *T, E);
  }
}

TEST(SymbolicProperty, SimplifyingKeepsTheValue) {
  unsigned Compared = 0;
  forEachTree(1,
              [&](RandomTrees &Random, ExprContext &, const Tree &T, Expr E) {
                for (unsigned B = 0; B < NumBindings; ++B) {
                  Environment Values = Random.environment();
                  auto Wanted = interpret(T, Values);
                  if (!Wanted)
                    continue;
                  ++Compared;
                  auto Got = evaluate(E, toBindings(Values));
                  ASSERT_TRUE(Got.has_value());
                  ASSERT_PRED2(near, *Got, Wanted->Value);
                  ASSERT_TRUE(!E.isInteger() || *Got == std::floor(*Got));
                  ASSERT_GE(*Got, E.range().Low);
                  ASSERT_LE(*Got, E.range().High);
                }
              });
  // The oracle must not have declined most cases.
  EXPECT_GT(Compared, NumTrees * NumBindings / 3);
}

TEST(SymbolicProperty, CompiledProgramsComputeWhatEvaluateDoes) {
  std::vector<std::string> Inputs;
  for (const RandomParameter &P : randomParameters())
    if (P.Name != std::string("m")) // one is left unbound: unknown
      Inputs.push_back(P.Name);
  RandomTrees Random(2);
  for (unsigned I = 0; I < NumTrees / 2; ++I) {
    ExprContext C;
    assumeRanges(C);
    std::vector<Expr> Exprs;
    for (unsigned K = 0; K < 3; ++K)
      Exprs.push_back(build(C, *Random.tree(1 + (I + K) % 4)));
    CompiledExprs Program(Exprs, Inputs);
    unsigned Width = static_cast<unsigned>(Random.whole(1, 70));
    std::vector<double> Many(Inputs.size() * Width), Outputs(3 * Width), One(3);
    for (unsigned L = 0; L < Width; ++L) {
      Environment Values = Random.environment();
      for (unsigned K = 0; K < Inputs.size(); ++K)
        Many[K * Width + L] = Values[Inputs[K]];
    }
    Program.evaluateMany(Many, Outputs, Width);
    for (unsigned L = 0; L < Width; L += 5) {
      std::vector<double> Row;
      Bindings Values;
      for (unsigned K = 0; K < Inputs.size(); ++K) {
        Row.push_back(Many[K * Width + L]);
        Values[Inputs[K]] = Row.back();
      }
      Program.evaluate(Row, One);
      for (unsigned K = 0; K < 3; ++K) {
        auto Wanted = evaluate(Exprs[K], Values);
        double Lane = Outputs[K * Width + L];
        ASSERT_EQ(Wanted.has_value(), One[K] == One[K]) << Exprs[K].str();
        ASSERT_EQ(Wanted.has_value(), Lane == Lane) << Exprs[K].str();
        if (Wanted) {
          ASSERT_EQ(*Wanted, One[K]) << Exprs[K].str();
          ASSERT_EQ(*Wanted, Lane) << Exprs[K].str();
        }
      }
    }
  }
}

TEST(SymbolicProperty, BoundContainsTheValue) {
  unsigned Finite = 0;
  forEachTree(3, [&](RandomTrees &Random, ExprContext &, const Tree &, Expr E) {
    Environment Values = Random.environment();
    IntervalBindings Ranges;
    for (const RandomParameter &P : randomParameters()) {
      double Value = Values[P.Name];
      if (Random.whole(0, 4)) // some stay unbound
        Ranges[P.Name] = {std::max(P.Low, Value - Random.whole(0, 6)),
                          std::min(P.High, Value + Random.whole(0, 6))};
    }
    Interval Range = bound(E, Ranges);
    Finite += std::isfinite(Range.Low) && std::isfinite(Range.High);
    if (auto Value = evaluate(E, toBindings(Values))) {
      ASSERT_LE(Range.Low, *Value);
      ASSERT_GE(Range.High, *Value);
    }
  });
  EXPECT_GT(Finite, NumTrees / 4) << "bounds that say nothing prove nothing";
}

TEST(SymbolicProperty, BindingSomeThenTheRestIsBindingAll) {
  forEachTree(4,
              [&](RandomTrees &Random, ExprContext &C, const Tree &T, Expr E) {
                Environment Values = Random.environment();
                auto Wanted = interpret(T, Values);
                if (!Wanted)
                  return;
                Bindings First, Rest;
                for (const auto &[Name, Value] : Values)
                  (Random.whole(0, 1) ? First : Rest)[Name] = Value;
                Expr Bound = C.bind(E, First);
                for (const auto &Entry : First)
                  ASSERT_FALSE(Bound.dependsOn(Entry.getKey())) << Bound.str();
                auto Got = evaluate(Bound, Rest);
                ASSERT_TRUE(Got.has_value()) << Bound.str();
                ASSERT_PRED2(near, *Got, Wanted->Value) << Bound.str();
                ASSERT_TRUE(C.bind(Bound, Rest).asConstant().has_value());
              });
}

TEST(SymbolicProperty, SubstitutionIsEvaluationOfTheReplacement) {
  forEachTree(
      5, [&](RandomTrees &Random, ExprContext &C, const Tree &T, Expr E) {
        // "i" is also the name that sums bind: replacements must not be
        // captured.
        TreeRef Replacement = Random.tree(2);
        Environment Values = Random.environment(), Replaced = Values;
        auto Inner = interpret(*Replacement, Values);
        if (!Inner || !Inner->Exact || Inner->Value != std::floor(Inner->Value))
          return;
        Replaced["n"] = Inner->Value;
        auto Wanted = interpret(T, Replaced);
        if (!Wanted)
          return;
        llvm::StringMap<Expr> Map;
        Map["n"] = build(C, *Replacement);
        Expr Result = C.substitute(E, Map);
        auto Got = evaluate(Result, toBindings(Values));
        ASSERT_TRUE(Got.has_value()) << Result.str();
        ASSERT_PRED2(near, *Got, Wanted->Value)
            << "n := " << describe(*Replacement) << "  =>  " << Result.str();
      });
}

TEST(SymbolicProperty, PrintingIsTheSameInEveryContext) {
  ExprContext Crowded;
  assumeRanges(Crowded);
  // Other terms, names and addresses than in a fresh context.
  for (const char *Name : {"zz", "i", "lat.global", "k", "n"})
    Crowded.floorDiv(Crowded.parameter(Name) + 7, Crowded.constant(3));
  forEachTree(6, [&](RandomTrees &, ExprContext &C, const Tree &T, Expr E) {
    ASSERT_EQ(E.str(), build(Crowded, T).str());
    ASSERT_EQ(build(C, T), E) << "equal terms are the same pointer";
  });
}

TEST(SymbolicProperty, ImportKeepsTheValue) {
  forEachTree(7,
              [&](RandomTrees &Random, ExprContext &, const Tree &T, Expr E) {
                ExprContext Other;
                assumeRanges(Other);
                Expr Copy = Other.import(E);
                ASSERT_EQ(&Copy.context(), &Other);
                Environment Values = Random.environment();
                if (auto Wanted = interpret(T, Values)) {
                  auto Got = evaluate(Copy, toBindings(Values));
                  ASSERT_TRUE(Got.has_value());
                  ASSERT_PRED2(near, *Got, Wanted->Value);
                }
              });
}

TEST(SymbolicProperty, ExpandMakesEqualPolynomialsOneTerm) {
  RandomTrees Random(8);
  for (unsigned I = 0; I < NumTrees; ++I) {
    ExprContext C;
    Expr X = build(C, *Random.polynomial(2)),
         Y = build(C, *Random.polynomial(2)),
         Z = build(C, *Random.polynomial(1));
    Expr Left = C.expand(Z * (X + Y)), Right = C.expand(X * Z + Y * Z);
    ASSERT_EQ(Left, Right) << Left.str() << "\n" << Right.str();
    ASSERT_TRUE((C.expand(Left - Z * X - Z * Y)).isConstant(0)) << Left.str();
    // Small values, so that sums that cancel are exact.
    Bindings Values;
    for (const RandomParameter &P : randomParameters())
      Values[P.Name] = static_cast<double>(Random.whole(-3, 4));
    auto Wanted = evaluate(Z * (X + Y), Values);
    ASSERT_TRUE(Wanted.has_value());
    ASSERT_PRED2(near, *evaluate(Left, Values), *Wanted) << Left.str();
  }
}

} // namespace
