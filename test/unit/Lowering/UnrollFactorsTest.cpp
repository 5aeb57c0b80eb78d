/// \file
/// How often compilers lay out the body of a loop, against what nvcc 13.0 and
/// its ptxas do for sm_80: the loads in the loops of the machine code and of
/// the PTX.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// A loop of Loads loads, each from an array of its own, that are squared and
/// summed, and of Products more of the sum with itself. It counts from First to
/// Bound.
std::string loopOf(unsigned Loads, unsigned Products,
                   const std::string &First = "%from",
                   const std::string &Bound = "%n") {
  std::string Arguments, Body, Sum = "%old";
  for (unsigned I = 0; I < Loads; ++I) {
    std::string N = std::to_string(I);
    Arguments += "ptr noalias readonly %a" + N + ", ";
    Body += "  %p" + N + " = getelementptr inbounds float, ptr %a" + N +
            ", i64 %i\n  %v" + N + " = load float, ptr %p" + N + "\n  %x" + N +
            " = fmul contract float %v" + N + ", %v" + N + "\n  %s" + N +
            " = fadd contract float " + Sum + ", %x" + N + "\n";
    Sum = "%s" + N;
  }
  for (unsigned I = 0; I < Products; ++I) {
    std::string N = std::to_string(I);
    Body += "  %m" + N + " = fmul float " + Sum + ", " + Sum + "\n";
    Sum = "%m" + N;
  }
  return "define ptx_kernel void @k(" + Arguments +
         "ptr noalias %to, i64 %from, i64 %n) {\n"
         "entry:\n"
         "  br label %body\n"
         "body:\n"
         "  %i = phi i64 [ " +
         First +
         ", %entry ], [ %next, %body ]\n"
         "  %old = phi float [ 0.0, %entry ], [ " +
         Sum + ", %body ]\n" + Body +
         "  %next = add nuw nsw i64 %i, 1\n"
         "  %more = icmp slt i64 %next, " +
         Bound +
         "\n"
         "  br i1 %more, label %body, label %exit\n"
         "exit:\n"
         "  store float " +
         Sum +
         ", ptr %to\n"
         "  ret void\n"
         "}\n";
}

unsigned factorOf(const std::string &Ir, bool IsCompiled) {
  KernelSource Source;
  Source.IsCompiled = IsCompiled;
  KernelModel M = extract(Ir, Pipeline::Skip, Source);
  return M.Loops.at(0).Unroll;
}

TEST(LoweringUnrollFactors, TwoCompilersUnrollWhatCudaDeclares) {
  auto Factor = [](unsigned Loads, unsigned Products) {
    return factorOf(loopOf(Loads, Products), /*IsCompiled=*/false);
  };
  // ptxas unrolls what nvcc's front end has unrolled by 4 once more ...
  EXPECT_EQ(Factor(1, 0), 16u);
  EXPECT_EQ(Factor(2, 0), 16u);
  EXPECT_EQ(Factor(1, 8), 16u);
  // ... while that is small.
  EXPECT_EQ(Factor(4, 0), 4u);
  EXPECT_EQ(Factor(12, 0), 4u);
  EXPECT_EQ(Factor(1, 40), 4u);
  // The front end lays out at most 200 instructions.
  EXPECT_EQ(Factor(16, 0), 2u);
  EXPECT_EQ(Factor(20, 0), 2u);
  EXPECT_EQ(Factor(1, 64), 2u);
  EXPECT_EQ(Factor(1, 100), 1u);
}

TEST(LoweringUnrollFactors, PtxasUnrollsNoLoopThatCountsFrom0In64Bits) {
  for (bool IsCompiled : {false, true}) {
    unsigned FrontEnd = IsCompiled ? 1 : 4;
    EXPECT_EQ(factorOf(loopOf(1, 0, "0"), IsCompiled), FrontEnd);
    EXPECT_EQ(factorOf(loopOf(2, 0, "0"), IsCompiled), FrontEnd);
    EXPECT_EQ(factorOf(loopOf(2, 0, "%from"), IsCompiled), 4 * FrontEnd);
  }
}

TEST(LoweringUnrollFactors, OnlyPtxasUnrollsWhatIsCompiled) {
  auto Factor = [](unsigned Loads, unsigned Products) {
    return factorOf(loopOf(Loads, Products), /*IsCompiled=*/true);
  };
  EXPECT_EQ(Factor(1, 0), 4u);
  EXPECT_EQ(Factor(8, 0), 4u);
  EXPECT_EQ(Factor(16, 0), 1u);
  EXPECT_EQ(Factor(1, 40), 4u);
  EXPECT_EQ(Factor(1, 52), 1u);
  // Without a latency to hide, ptxas lays out less.
  EXPECT_EQ(Factor(0, 8), 4u);
  EXPECT_EQ(Factor(0, 32), 1u);
}

TEST(LoweringUnrollFactors, OnlyTheFrontEndUnrollsAVariableStep) {
  // for (int j = threadIdx.x; j < n; j += step) to[j] += a[j];
  auto Factor = [](const std::string &Step, const std::string &Flags,
                   const std::string &Work, const std::string &Bound = "%n") {
    return factorOf(R"(
define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %to, i32 %n,
                          i32 %step) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !2
  %any = icmp slt i32 %tid, %n
  br i1 %any, label %body, label %exit
body:
  %j = phi i32 [ %tid, %entry ], [ %next, %body ]
  %i = sext i32 %j to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %to, i64 %i
)" + Work + "  %next = add " +
                        Flags + " i32 %j, " + Step + R"(
  %more = icmp slt i32 %next, )" +
                        Bound + R"(
  br i1 %more, label %body, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{i32 1, i32 1025}
)",
                    /*IsCompiled=*/false);
  };
  const char *Store = "  store float %v, ptr %q\n";
  EXPECT_EQ(Factor("256", "nsw", Store), 16u);
  EXPECT_EQ(Factor("%step", "nsw", Store), 4u);
  // A sum of unsigned integers may wrap around: there is no trip count, which
  // ptxas does not need where the step is constant.
  EXPECT_EQ(Factor("%step", "", Store), 1u);
  EXPECT_EQ(Factor("256", "", Store), 4u);
  // Ranges show that this one does not; nvcc does not look at them.
  EXPECT_EQ(Factor("%ntid", "nsw", Store, "4096"), 1u);
  // Nor is there one if the loop may run forever, the step being 0.
  EXPECT_EQ(Factor("%step", "nsw",
                   "  %o = atomicrmw fadd ptr %q, float %v monotonic\n"),
            1u);
}

TEST(LoweringUnrollFactors, OnlyTheFrontEndUnrollsAMultipliedCounter) {
  // for (int j = 0; j < n; ++j) sum += a[...];
  auto Factor = [](const std::string &Index, const std::string &Work = "") {
    return factorOf(R"(
define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %to, i32 %n,
                          i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %j = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %added, %body ]
)" + Index + R"(
  %index = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %index
  %v = load float, ptr %p
  %added = fadd contract float %sum, %v
)" + Work + R"(
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  %all = phi float [ 0.0, %entry ], [ %added, %body ]
  store float %all, ptr %to
  ret void
}
)",
                    /*IsCompiled=*/false);
  };
  EXPECT_EQ(Factor("  %i = add nsw i32 %j, %t\n"), 16u);
  EXPECT_EQ(Factor("  %x = shl nsw i32 %j, 1\n  %i = add nsw i32 %x, %t\n"),
            16u);
  EXPECT_EQ(Factor("  %x = mul nsw i32 %j, 3\n  %i = add nsw i32 %x, %t\n"),
            4u);
  EXPECT_EQ(Factor("  %x = shl nsw i32 %j, 5\n  %i = add nsw i32 %x, %t\n"),
            4u);
  EXPECT_EQ(Factor("  %x = mul nsw i32 %j, %m\n  %i = add nsw i32 %x, %t\n"),
            16u);
  EXPECT_EQ(Factor("  %s = add nsw i32 %j, %t\n  %i = shl nsw i32 %s, 5\n"),
            16u);
  EXPECT_EQ(Factor("  %i = shl nsw i32 %j, 5\n"), 16u);
  // The counter has another use.
  EXPECT_EQ(Factor("  %x = shl nsw i32 %j, 5\n  %i = add nsw i32 %x, %t\n",
                   "  %q = getelementptr inbounds i8, ptr %to, i32 %j\n"
                   "  %w = load i8, ptr %q\n  store i8 %w, ptr %to\n"),
            16u);
}

TEST(LoweringUnrollFactors, AKnownTripCountAllowsMoreCopies) {
  EXPECT_EQ(factorOf(loopOf(1, 0, "0", "1024"), /*IsCompiled=*/false), 16u);
  EXPECT_EQ(factorOf(loopOf(1, 40, "0", "1000"), /*IsCompiled=*/false), 4u);
}

} // namespace
