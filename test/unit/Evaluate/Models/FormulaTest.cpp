/// \file
/// The printed formulas: that of figure 3 of the paper term by term, and
/// those of kernels against the timing walk.
#include "Evaluate/Models/Formula.h"
#include "helpers/EvaluateKernels.h"
#include "helpers/LoopFormula.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Kleimenov & Popova 2021, figure 3:
///   for (j = 0; j < 15; ++j) temp = temp * 1.3 + 8.0 + p;
/// %6 = icmp j, 15; br; %8 = fmul temp; %9 = fadd %8; %11 = fadd %9, p;
/// %13 = add j; br
OpKernel figure3(Expr (*Trips)(OpKernel &)) {
  OpKernel K;
  int L = K.loop(-1, Trips(K));
  K.block(L);
  unsigned Compare = K.op(OpClass::Compare, {{5, true}});
  K.op(OpClass::Branch, {{Compare, false}});
  unsigned Product = K.op(OpClass::Fp64Mul, {{4, true}});
  unsigned Sum = K.op(OpClass::Fp64Add, {{Product, false}});
  K.op(OpClass::Fp64Add, {{Sum, false}});
  K.op(OpClass::IntAdd, {{5, true}});
  K.op(OpClass::Branch);
  EXPECT_EQ(checkConsistency(K.Model), "");
  return K;
}

Bindings latencies(double Compare, double Mul, double Add, double Int,
                   double Delay = 1) {
  Bindings B{{"lat.compare", Compare},
             {"lat.fp64_mul", Mul},
             {"lat.fp64_add", Add},
             {"lat.int_add", Int}};
  for (const char *Op :
       {"compare", "branch", "fp64_mul", "fp64_add", "int_add"})
    B[std::string("del.") + Op] = Delay;
  return B;
}

/// The reconstruction of the paper's text, with %13 as the uncertain term.
double paper(const Bindings &B, double Trips) {
  auto cycles = [&](const char *Name) { return B.lookup(Name); };
  double Control = std::max(cycles("del.int_add") + cycles("del.branch"),
                            cycles("lat.int_add")) +
                   cycles("lat.compare") + cycles("del.branch");
  return (cycles("lat.compare") + cycles("del.branch") +
          cycles("lat.fp64_mul") + cycles("lat.fp64_add") +
          std::max(Control, cycles("lat.fp64_add")) + cycles("lat.fp64_mul") +
          cycles("lat.fp64_add") + cycles("del.fp64_add") +
          cycles("del.int_add")) /
         2 * Trips;
}

/// The walk by hand: in order, each operation after its operands.
double byHand(const Bindings &B, double Trips) {
  auto cycles = [&](const char *Name) { return B.lookup(Name); };
  double Cycle = 0, Counter = 0, Value = 0;
  for (int Iteration = 0; Iteration < 2; ++Iteration) {
    Cycle = std::max(Cycle, Counter);
    double Compared = Cycle + cycles("lat.compare");
    Cycle = std::max(Cycle + cycles("del.compare"), Compared) +
            cycles("del.branch");
    Cycle = std::max(Cycle, Value);
    double Product = Cycle + cycles("lat.fp64_mul");
    Cycle = std::max(Cycle + cycles("del.fp64_mul"), Product);
    double Sum = Cycle + cycles("lat.fp64_add");
    Cycle = std::max(Cycle + cycles("del.fp64_add"), Sum);
    Value = Cycle + cycles("lat.fp64_add");
    Cycle += cycles("del.fp64_add");
    Cycle = std::max(Cycle, Counter);
    Counter = Cycle + cycles("lat.int_add");
    Cycle += cycles("del.int_add") + cycles("del.branch");
  }
  return Cycle / 2 * Trips;
}

TEST(LoopFormula, Figure3) {
  // The paper's terms: %6, br, %8 and %9 of the first iteration; then the
  // later of the control path (%13, %6, br) and the data path (%11); %8 and %9
  // of the second; at its end the delays of %11, %13 and br. Beyond the
  // paper's (damaged) text: %13 issues after %11, so del%11 is in the control
  // path, and the last br is counted.
  OpKernel K = figure3([](OpKernel &K) { return K.number(15); });
  EXPECT_EQ(loopTimeFormula(K.Model, 0).str(),
            "15*del.branch + 7.5*del.fp64_add + 7.5*del.int_add + "
            "7.5*lat.compare + 15*lat.fp64_add + 15*lat.fp64_mul + "
            "7.5*max(lat.fp64_add, del.branch + del.fp64_add + lat.compare + "
            "max(lat.int_add, del.branch + del.int_add))");
  K = figure3([](OpKernel &K) { return K.parameter("trip"); });
  EXPECT_EQ(loopTimeFormula(K.Model, 0).str(),
            "trip*(2*del.branch + del.fp64_add + del.int_add + lat.compare + "
            "2*lat.fp64_add + 2*lat.fp64_mul + max(lat.fp64_add, del.branch + "
            "del.fp64_add + lat.compare + max(lat.int_add, del.branch + "
            "del.int_add)))/2");
}

TEST(LoopFormula, Figure3Numerically) {
  OpKernel K = figure3([](OpKernel &K) { return K.parameter("trip"); });
  Expr F = loopTimeFormula(K.Model, 0);
  for (double Trips : {1., 15., 1000.})
    for (double Compare : {2., 6., 13.})
      for (double Mul : {4., 8., 48.})
        for (double Add : {4., 8., 48.})
          for (double Int : {2., 6., 30.}) {
            Bindings B = latencies(Compare, Mul, Add, Int);
            B["trip"] = Trips;
            std::optional<double> T = evaluate(F, B);
            ASSERT_TRUE(T.has_value());
            EXPECT_DOUBLE_EQ(*T, byHand(B, Trips));
            // The paper's text agrees but for one issue delay: where in its
            // two iterations %11 and %13 issue is not readable.
            EXPECT_NEAR(*T, paper(B, Trips), 1.01 * Trips);
          }
}

// Model kleimenov walks loops as the figure says: with the latencies of a GPU
// the walk takes what the formula gives.
TEST(LoopFormula, WalkOfTwoIterationsIsTheFormula) {
  for (double Trips : {3., 15., 1000.}) {
    OpKernel K = figure3([](OpKernel &Of) { return Of.parameter("trip"); });
    WalkUnderTest W(K.Model, plainGpu(), 1, {{"trip", Trips}});
    WarpConditions C =
        W.Costs.conditions(MemoryLatencies::unloaded(W.Gpu), {Term::Registers});
    std::vector<BlockSchedule> Order = programOrder(K.Model);
    WarpTimer Timer(K.Model, W.Costs, Order, 1, WalkRule::Published);
    Bindings B = latencies(4, 4, 4, 4);
    B["trip"] = Trips;
    for (const char *Op : {"fp64_mul", "fp64_add"})
      B[std::string("del.") + Op] = 4;
    EXPECT_DOUBLE_EQ(Timer.cycles(W.Uniform.Sample.Paths.front(), C),
                     evaluate(loopTimeFormula(K.Model, 0), B).value_or(-1))
        << Trips;
  }
}

/// Time of the formula for the values of Extra, and of the walk.
struct Compared {
  double Formula, Walk;
};
Compared compare(const OpKernel &K, const std::vector<AccessFacts> &Facts,
                 Bindings Values = {}) {
  ModelUnderTest M(K.Model, plainGpu(), launch({4, 1, 1}, {32, 1, 1}), Values,
                   Facts);
  Expr F = buildFormulas(K.Model, M.Gpu, M.Model).Time;
  Values["lat.global"] = M.Model.globalLatency();
  Values["lat.shared"] = M.Gpu.SharedLatency.value();
  std::optional<double> T = evaluate(F, Values);
  EXPECT_TRUE(T.has_value()) << F.str();
  return {T.value_or(-1),
          WalkUnderTest(K.Model, M.Gpu, 1, Values, Facts).cycles()};
}

TEST(Formula, ALongOneIsCutOffAndSaysSo) {
  OpKernel Short, Long;
  for (OpKernel *K : {&Short, &Long})
    for (unsigned B = 0; B < (K == &Long ? 9000 : 90); ++B) {
      K->block(-1, K->parameter("p(" + std::to_string(B) + ")"));
      K->op(OpClass::Fp32Add);
    }
  for (OpKernel *K : {&Short, &Long}) {
    ModelUnderTest M(K->Model, plainGpu(), launch({4, 1, 1}, {32, 1, 1}), {},
                     {});
    Formulas F = buildFormulas(K->Model, M.Gpu, M.Model);
    bool Whole = K == &Short;
    EXPECT_EQ(F.CutOff,
              Whole ? "" : " + ... (cut off after 4999 of 9000 blocks)");
    EXPECT_EQ(F.Delay.operands().size(), Whole ? 90u : 4999u);
    EXPECT_LT(F.Time.str().size(), size_t(1) << 17);
  }
}

TEST(Formula, StraightCode) {
  OpKernel K;
  K.block(-1);
  unsigned A = K.load("a"), B = K.load("b");
  unsigned S = K.op(OpClass::Fp32Add, {{A, false}, {B, false}});
  unsigned T = K.loadShared("s", {{S, false}});
  K.store("c", {{T, false}});
  for (AccessFacts Hit : {AccessFacts{1, 0}, {0, 1}, {0, 0}, {0.5, 0.25}}) {
    Compared C = compare(K, {Hit, Hit, {}, {}});
    EXPECT_NEAR(C.Formula, C.Walk, 1e-2);
  }
}

TEST(Formula, LoopTimesItsTripCount) {
  OpKernel K;
  int L = K.loop(-1, K.parameter("n"));
  K.block(L);
  unsigned V = K.load("a", {}, (K.id() + K.counter(L) * 32) * 4);
  K.op(OpClass::Fp32Add, {{V, false}, {1, true}});
  for (double N : {0., 1., 10., 1000.}) {
    Compared C = compare(K, {{0, 0.5}}, {{"n", N}});
    EXPECT_NEAR(C.Formula, C.Walk, 1e-3 * C.Walk + 1e-2) << N;
  }
}

TEST(Formula, PrintsArgumentsAndLatencies) {
  OpKernel K;
  int L = K.loop(-1, K.parameter("n"));
  K.block(L);
  unsigned V = K.load("a", {}, (K.id() + K.counter(L) * 32) * 4);
  K.op(OpClass::Fp32Add, {{V, false}});
  ModelUnderTest M(K.Model, plainGpu(), launch({4, 1, 1}, {32, 1, 1}),
                   {{"n", 100}}, {{1, 0}});
  Formulas F = buildFormulas(K.Model, M.Gpu, M.Model);
  EXPECT_EQ(F.Time.str(), "n*(lat.global + 1)");
  EXPECT_EQ(F.Delay.str(), "2*n");
  EXPECT_EQ(F.Mem.str(), "4*n");
}

TEST(Formula, TriangularLoopIsASum) {
  OpKernel K;
  int Outer = K.loop(-1, K.parameter("n"));
  int Inner = K.loop(Outer, K.counter(Outer));
  K.block(Inner);
  K.load("a", {}, K.counter(Inner) * 4 + K.tid());
  ModelUnderTest M(K.Model, plainGpu(), launch({4, 1, 1}, {32, 1, 1}),
                   {{"n", 10}, {"i0", 4.5}}, {{1, 0}});
  Expr Mem = buildFormulas(K.Model, M.Gpu, M.Model).Mem;
  for (double N : {1., 2., 10., 100.})
    EXPECT_DOUBLE_EQ(evaluate(Mem, {{"n", N}}).value_or(-1),
                     4 * N * (N - 1) / 2);
}

} // namespace
