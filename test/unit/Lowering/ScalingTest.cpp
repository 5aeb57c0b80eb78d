/// \file
/// Extraction's work grows with the size of a kernel and not with a power of
/// it; hostile sizes end without a crash; a budget ends it early.
#include "gpu-estimate/Support/WorkBudget.h"
#include "helpers/LoweringTesting.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// The kernel's frame: %v is data, %out + 4*(%t + K) is where case K writes.
std::string kernel(const std::string &Body) {
  return "define ptx_kernel void @k(ptr %in, ptr %out, i32 %n) {\n"
         "entry:\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %p = getelementptr i32, ptr %in, i32 %t\n"
         "  %v = load i32, ptr %p\n" +
         Body + "}\n";
}

std::string number(unsigned N) { return std::to_string(N); }

std::string store(unsigned Case) {
  std::string K = number(Case);
  return "  %i" + K + " = add i32 %t, " + K + "\n  %q" + K +
         " = getelementptr i32, ptr %out, i32 %i" + K +
         "\n  store i32 %v, ptr %q" + K + "\n";
}

std::string switchOn(const std::string &Value, unsigned Cases) {
  std::string Head = "  switch i32 " + Value + ", label %end [\n", Bodies;
  for (unsigned K = 0; K < Cases; ++K) {
    Head += "    i32 " + number(7 * K) + ", label %c" + number(K) + "\n";
    Bodies += "c" + number(K) + ":\n" + store(K) + "  br label %end\n";
  }
  return kernel(Head + "  ]\n" + Bodies + "end:\n  ret void\n");
}

std::string switchOnData(unsigned N) { return switchOn("%v", N); }
std::string switchOnArgument(unsigned N) { return switchOn("%n", N); }

std::string test(unsigned K, const std::string &True,
                 const std::string &False) {
  return "  %c" + number(K) + " = icmp slt i32 %v, " + number(3 * K + 5) +
         "\n  br i1 %c" + number(K) + ", label %" + True + ", label %" + False +
         "\n";
}

std::string elseIfs(unsigned N) {
  std::string Text = "  br label %t0\n";
  for (unsigned K = 0; K < N; ++K)
    Text += "t" + number(K) + ":\n" +
            test(K, "b" + number(K), "t" + number(K + 1)) + "b" + number(K) +
            ":\n" + store(K) + "  br label %end\n";
  return kernel(Text + "t" + number(N) +
                ":\n  br label %end\nend:\n  ret void\n");
}

/// Every arm leaves the kernel, so that what follows has a condition, too.
std::string earlyReturns(unsigned N) {
  std::string Text = "  br label %t0\n";
  for (unsigned K = 0; K < N; ++K)
    Text += "t" + number(K) + ":\n" +
            test(K, "b" + number(K), "t" + number(K + 1)) + "b" + number(K) +
            ":\n" + store(K) + "  ret void\n";
  return kernel(Text + "t" + number(N) + ":\n  ret void\n");
}

std::string andsAsBranches(unsigned N) {
  std::string Text = "  br label %t0\n";
  for (unsigned K = 0; K < N; ++K)
    Text += "t" + number(K) + ":\n" + test(K, "t" + number(K + 1), "end");
  return kernel(Text + "t" + number(N) + ":\n" + store(0) +
                "  br label %end\nend:\n  ret void\n");
}

std::string andsAsSelects(unsigned N) {
  std::string Text = "  %a0 = icmp slt i32 %v, 7\n";
  for (unsigned K = 1; K < N; ++K)
    Text += "  %c" + number(K) + " = icmp ne i32 %v, " + number(3 * K + 5) +
            "\n  %a" + number(K) + " = select i1 %a" + number(K - 1) +
            ", i1 %c" + number(K) + ", i1 false\n";
  return kernel(Text + "  br i1 %a" + number(N - 1) +
                ", label %then, label %end\nthen:\n" + store(0) +
                "  br label %end\nend:\n  ret void\n");
}

std::string nestedIfs(unsigned N) {
  std::string Text = "  br label %t0\n", After;
  for (unsigned K = 0; K < N; ++K) {
    Text +=
        "t" + number(K) + ":\n" + test(K, "t" + number(K + 1), "e" + number(K));
    After = "e" + number(K) + ":\n" + store(K) +
            (K ? "  br label %e" + number(K - 1) + "\n" : "  ret void\n") +
            After;
  }
  return kernel(Text + "t" + number(N) + ":\n  br label %e" + number(N - 1) +
                "\n" + After);
}

std::string straightLine(unsigned N) {
  std::string Text = "  %x0 = add i32 %v, %n\n";
  for (unsigned K = 1; K <= N; ++K)
    Text += "  %l" + number(K) + " = mul i32 %x" + number(K - 1) + ", " +
            number(2 * K + 1) + "\n  %x" + number(K) + " = xor i32 %l" +
            number(K) + ", %t\n";
  return kernel(Text + "  store i32 %x" + number(N) +
                ", ptr %out\n  ret void\n");
}

std::string accesses(unsigned N) {
  std::string Text;
  for (unsigned K = 0; K < N; ++K)
    Text += store(K);
  return kernel(Text + "  ret void\n");
}

/// A list of pointers to pointers.
std::string pointerChain(unsigned N) {
  std::string Text = "  %x0 = getelementptr ptr, ptr %in, i32 %t\n";
  for (unsigned K = 1; K <= N; ++K)
    Text += "  %x" + number(K) + " = load ptr, ptr %x" + number(K - 1) + "\n";
  return kernel(Text + "  store i32 1, ptr %x" + number(N) + "\n  ret void\n");
}

std::string calls(unsigned N) {
  std::string Text = "define internal i32 @f0(i32 %x) {\n  ret i32 %x\n}\n";
  for (unsigned K = 1; K <= N; ++K)
    Text += "define internal i32 @f" + number(K) +
            "(i32 %x) {\n  %y = mul i32 "
            "%x, " +
            number(2 * K + 1) + "\n  %z = call i32 @f" + number(K - 1) +
            "(i32 %y)\n  %r = xor i32 %z, %x\n  ret i32 %r\n}\n";
  return Text + kernel("  %r = call i32 @f" + number(N) +
                       "(i32 %v)\n  store i32 %r, ptr %out\n  ret void\n");
}

uint64_t workOf(const std::string &Text, Pipeline P = Pipeline::Skip) {
  WorkBudget Budget({});
  WorkScope Scope(Budget);
  extract(Text, P);
  return Budget.spent();
}

using Generator = std::string (*)(unsigned);

void expectNearLinear(Generator Make, Pipeline P = Pipeline::Skip,
                      unsigned First = 100) {
  uint64_t Before = workOf(Make(First), P);
  EXPECT_GT(Before, First); // it is counted
  for (unsigned Size : {2 * First, 4 * First, 8 * First}) {
    uint64_t Work = workOf(Make(Size), P);
    EXPECT_LE(static_cast<double>(Work), 2.5 * static_cast<double>(Before))
        << "size " << Size;
    Before = Work;
  }
}

TEST(LoweringScaling, SwitchOnData) { expectNearLinear(switchOnData); }
TEST(LoweringScaling, SwitchOnAnArgument) {
  expectNearLinear(switchOnArgument);
}
TEST(LoweringScaling, ElseIfs) { expectNearLinear(elseIfs); }
TEST(LoweringScaling, EarlyReturns) { expectNearLinear(earlyReturns); }
TEST(LoweringScaling, AndsAsBranches) { expectNearLinear(andsAsBranches); }
TEST(LoweringScaling, AndsAsSelects) { expectNearLinear(andsAsSelects); }
TEST(LoweringScaling, NestedIfs) { expectNearLinear(nestedIfs); }
TEST(LoweringScaling, StraightLine) { expectNearLinear(straightLine); }
TEST(LoweringScaling, Accesses) { expectNearLinear(accesses); }
TEST(LoweringScaling, PointerChain) { expectNearLinear(pointerChain); }
/// As deep as the pipeline inlines all of them.
TEST(LoweringScaling, Calls) { expectNearLinear(calls, Pipeline::Run, 40); }

TEST(LoweringScaling, AHundredThousandInstructionsInAChain) {
  KernelModel M = extract(straightLine(50'000), Pipeline::Skip);
  EXPECT_GE(M.Operations.size(), 50'000u);
}

TEST(LoweringScaling, AHundredThousandPointersInAChain) {
  KernelModel M = extract(pointerChain(100'000), Pipeline::Skip);
  EXPECT_EQ(M.Accesses.size(), 100'002u);
}

TEST(LoweringScaling, AHundredThousandAnds) {
  KernelModel M = extract(andsAsSelects(100'000), Pipeline::Skip);
  // Taken to be one in two for each of `<`, `!=` to hold in 84% of the cases.
  const BasicBlock &Then = M.Blocks[1];
  ASSERT_FALSE(Then.Active.asConstant());
}

/// The shares of a switch's cases add up, the default included.
TEST(LoweringScaling, SharesOfAnEarlyReturnAddUp) {
  KernelModel M = extract(earlyReturns(200), Pipeline::Skip);
  std::map<std::string, double> Values;
  for (const Unknown &U : M.Unknowns)
    Values[U.Name] = 0.01;
  // Blocks in order: the entry, then of each branch its test and its arm.
  double Returned = 0;
  unsigned Arms = 0;
  for (const BasicBlock &B : M.Blocks)
    for (const MemoryAccess &A : M.Accesses)
      if (A.Kind == AccessKind::Store &&
          A.Block == static_cast<unsigned>(&B - M.Blocks.data())) {
        Returned += valueOf(B.Active, Values);
        ++Arms;
      }
  EXPECT_EQ(Arms, 200u);
  EXPECT_NEAR(Returned, 1 - std::pow(0.99, 200), 1e-12);
}

/// Whatever the limit, the end is a model or an error.
TEST(LoweringScaling, ABudgetEndsItEarly) {
  for (Generator Make : {switchOnData, switchOnArgument, elseIfs, andsAsSelects,
                         nestedIfs, straightLine, pointerChain, accesses}) {
    std::string Text = Prelude + Make(60);
    llvm::LLVMContext Context;
    llvm::SMDiagnostic Problem;
    auto M = llvm::parseAssemblyString(Text, Problem, Context);
    ASSERT_TRUE(M);
    for (uint64_t Units = 1; Units < 100'000; Units = Units * 3 / 2 + 1) {
      WorkBudget Budget({.Units = Units});
      WorkScope Scope(Budget);
      llvm::Expected<KernelModel> Model = lowerKernel(*M->getFunction("k"), {});
      bool Whole = bool(Model);
      EXPECT_EQ(Whole, !Budget.exhausted()) << Units << " units";
      std::string Why = Model ? "" : toString(Model.takeError());
      EXPECT_TRUE(Why.empty() || Why.find("ended early") != std::string::npos)
          << Why;
      // What is visited after the end is little.
      EXPECT_LT(Budget.spent(), Units + 2000);
    }
  }
}

} // namespace
