/// \file
/// Odd IR: no crash, no inconsistent model, an error where there is no body.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

TEST(LoweringRobustness, AKernelWithoutABodyIsAnError) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) +
                                         "declare ptx_kernel void @k(ptr)",
                                     Problem, Context);
  ASSERT_TRUE(M);
  llvm::Expected<KernelModel> Model = lowerKernel(*M->getFunction("k"), {});
  ASSERT_FALSE(Model);
  EXPECT_NE(toString(Model.takeError()).find("no body"), std::string::npos);
}

TEST(LoweringRobustness, KernelsAreKnownByConventionOrAnnotation) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + R"(
define void @annotated() { ret void }
define void @plain() { ret void }
define ptx_kernel void @convention() { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @annotated, !"kernel", i32 1}
)",
                                     Problem, Context);
  ASSERT_TRUE(M);
  EXPECT_TRUE(isKernel(*M->getFunction("annotated")));
  EXPECT_TRUE(isKernel(*M->getFunction("convention")));
  EXPECT_FALSE(isKernel(*M->getFunction("plain")));
}

TEST(LoweringRobustness, UnusedKernelsSurviveThePipeline) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + R"(
$t = comdat any
define linkonce_odr ptx_kernel void @t() comdat { ret void }
define linkonce_odr void @unused() { ret void }
)",
                                     Problem, Context);
  ASSERT_TRUE(M);
  prepareForAnalysis(*M);
  EXPECT_TRUE(M->getFunction("t"));
  EXPECT_FALSE(M->getFunction("unused"));
}

TEST(LoweringRobustness, AnEmptyKernelIsOnlyItsExit) {
  KernelModel M = extract("define ptx_kernel void @k() { ret void }");
  EXPECT_EQ(M.Body.size(), 1u);
  EXPECT_TRUE(M.Accesses.empty());
  EXPECT_TRUE(M.Unknowns.empty());
}

TEST(LoweringRobustness, OddTypesAndOperations) {
  // i128, vectors of odd length, aggregates, undefined values, null pointers.
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i128 %big, <3 x float> %v, {i32, float} %pair) {
  %x = mul i128 %big, %big
  store i128 %x, ptr %a, align 16
  %w = fmul <3 x float> %v, %v
  store <3 x float> %w, ptr %a, align 4
  %e = extractvalue {i32, float} %pair, 0
  %d = udiv i32 %e, 0
  store i32 %d, ptr %a
  %q = getelementptr i32, ptr null, i32 %e
  store volatile i32 1, ptr %q
  %u = load volatile i1, ptr %a
  %s = select i1 %u, i32 undef, i32 %e
  store volatile i32 %s, ptr %a
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_GT(M.Operations.size(), 5u);
}

TEST(LoweringRobustness, AHashOfManyStepsStaysSmall) {
  std::string Body = "define ptx_kernel void @k(ptr %a) {\n %v0 = call i32 "
                     "@llvm.nvvm.read.ptx.sreg.tid.x()\n";
  for (int I = 0; I < 3000; ++I) {
    std::string From = "%v" + std::to_string(I), T = std::to_string(I);
    Body += " %s" + T + " = lshr i32 " + From + ", 3\n %x" + T + " = xor i32 " +
            From + ", %s" + T + "\n %v" + std::to_string(I + 1) +
            " = mul i32 %x" + T + ", 73\n";
  }
  Body += " %p = getelementptr i32, ptr %a, i32 %v3000\n store i32 0, ptr %p\n "
          "ret void\n}\n";
  KernelModel M = extract(Body, Pipeline::Skip);
  ASSERT_EQ(M.Accesses.size(), 1u);
  EXPECT_LT(M.Accesses[0].Address.str().size(), 5000u);
}

TEST(LoweringRobustness, ValuesThatDependOnEachOtherAroundALoopEnd) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  br label %body
body:
  %x = phi i32 [ 0, %entry ], [ %y, %body ]
  %y = phi i32 [ 1, %entry ], [ %s, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = add i32 %x, %y
  %p = getelementptr i32, ptr %a, i32 %s
  store volatile i32 1, ptr %p
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  ASSERT_EQ(M.Accesses.size(), 1u);
  EXPECT_TRUE(M.Accesses[0].DataDependent);
}

/// Two copies of a body with a local, a branch on what is not set, and
/// expressions that occur twice; Second: what the second call calls.
KernelModel callTwice(const std::string &Second) {
  auto copy = [](const std::string &Name) {
    return "define internal float @" + Name + R"((ptr %p, i32 %i) {
  %local = alloca i32
  %th = alloca i32
  store i32 %i, ptr %local
  %unset = load i32, ptr %th
  %same = icmp eq i32 %unset, %i
  br i1 %same, label %then, label %next
then:
  br label %next
next:
  %i1 = load i32, ptr %local
  %a1 = getelementptr inbounds float, ptr %p, i32 %i1
  %x = load float, ptr %a1
  %i2 = load i32, ptr %local
  %a2 = getelementptr inbounds float, ptr %p, i32 %i2
  %y = load float, ptr %a2
  %sum = fadd float %x, %y
  %root = fdiv float %sum, 3.0
  ret float %root
}
)";
  };
  return extract(copy("f") + (Second == "f" ? "" : copy(Second)) + R"(
define ptx_kernel void @k(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %next = add nsw i32 %tid, 64
  %a = call float @f(ptr %p, i32 %tid)
  %b = call float @)" +
                 Second + R"((ptr %p, i32 %next)
  %c = fmul float %a, %b
  store float %c, ptr %p
  ret void
}
)");
}

TEST(LoweringRobustness, WhatIsCalledTwiceCountsLikeTwoFunctions) {
  KernelModel Shared = callTwice("f"), Apart = callTwice("g");
  EXPECT_EQ(Shared.Accesses.size(), 3u);
  EXPECT_EQ(dump(Shared), dump(Apart));
}

} // namespace
