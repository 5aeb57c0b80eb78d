/// \file
/// Trip counts against the loops themselves, run.
#include "helpers/LoweringTesting.h"
#include <functional>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// for (int i = Init; i Test Bound; Update) with a visible effect. Values at
/// hand: %n, %m, %tid, %ntid.
std::string forLoop(const std::string &Init, const std::string &Test,
                    const std::string &Update, const std::string &Before = "") {
  return R"(
define ptx_kernel void @k(ptr %out, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
)" + Before +
         R"(
  br label %head
head:
  %i = phi i32 [ )" +
         Init + R"(, %entry ], [ %next, %body ]
  %go = icmp )" +
         Test + R"(
  br i1 %go, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = )" +
         Update + R"(
  br label %head
exit:
  ret void
}
)";
}

struct Shape {
  const char *Name;
  std::string Text;
  std::function<long(long N, long M, long Tid, long Ntid)> Run;
};

long countWhile(long I, const std::function<bool(long)> &Test,
                const std::function<long(long)> &Update) {
  long Count = 0;
  for (; Test(I) && Count < 100000; I = Update(I))
    ++Count;
  return Count;
}

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> Shapes = {
      {"up by one", forLoop("0", "slt i32 %i, %n", "add nsw i32 %i, 1"),
       [](long N, long, long, long) { return std::max(N, 0L); }},
      {"up to and with", forLoop("0", "sle i32 %i, %n", "add nsw i32 %i, 1"),
       [](long N, long, long, long) { return std::max(N + 1, 0L); }},
      {"up by three", forLoop("0", "slt i32 %i, %n", "add nsw i32 %i, 3"),
       [](long N, long, long, long) {
         return countWhile(
             0, [=](long I) { return I < N; }, [](long I) { return I + 3; });
       }},
      {"down to zero", forLoop("%n", "sgt i32 %i, 0", "add nsw i32 %i, -1"),
       [](long N, long, long, long) { return std::max(N, 0L); }},
      {"down to and with zero, by two",
       forLoop("%n", "sge i32 %i, 0", "add nsw i32 %i, -2"),
       [](long N, long, long, long) {
         return countWhile(
             N, [](long I) { return I >= 0; }, [](long I) { return I - 2; });
       }},
      {"unsigned", forLoop("0", "ult i32 %i, %n", "add nuw i32 %i, 1"),
       [](long N, long, long, long) { return N; }},
      {"between two arguments",
       forLoop("%m", "slt i32 %i, %n", "add nsw i32 %i, 1"),
       [](long N, long M, long, long) { return std::max(N - M, 0L); }},
      {"strided by the block",
       forLoop("%tid", "slt i32 %i, %n", "add nsw i32 %i, %ntid"),
       [](long N, long, long Tid, long Ntid) {
         return countWhile(
             Tid, [=](long I) { return I < N; },
             [=](long I) { return I + Ntid; });
       }},
      {"halving to zero",
       forLoop("%half", "ugt i32 %i, 0", "lshr i32 %i, 1",
               "  %half = lshr i32 %ntid, 1"),
       [](long, long, long, long Ntid) {
         return countWhile(
             Ntid / 2, [](long I) { return I > 0; },
             [](long I) { return I / 2; });
       }},
      {"halving while above a warp",
       forLoop("%ntid", "ugt i32 %i, 32", "lshr i32 %i, 1"),
       [](long, long, long, long Ntid) {
         return countWhile(
             Ntid, [](long I) { return I > 32; }, [](long I) { return I / 2; });
       }},
      {"halving while not zero",
       forLoop("%ntid", "ne i32 %i, 0", "lshr i32 %i, 1"),
       [](long, long, long, long Ntid) {
         return countWhile(
             Ntid, [](long I) { return I != 0; }, [](long I) { return I / 2; });
       }},
      {"quartering", forLoop("%ntid", "ugt i32 %i, 0", "lshr i32 %i, 2"),
       [](long, long, long, long Ntid) {
         return countWhile(
             Ntid, [](long I) { return I > 0; }, [](long I) { return I / 4; });
       }},
      {"doubling", forLoop("1", "slt i32 %i, %n", "shl nsw i32 %i, 1"),
       [](long N, long, long, long) {
         return countWhile(
             1, [=](long I) { return I < N; }, [](long I) { return I * 2; });
       }},
      {"doubling up to and with",
       forLoop("1", "sle i32 %i, %n", "shl nsw i32 %i, 1"),
       [](long N, long, long, long) {
         return countWhile(
             1, [=](long I) { return I <= N; }, [](long I) { return I * 2; });
       }},
      {"times four", forLoop("1", "slt i32 %i, %n", "shl nsw i32 %i, 2"),
       [](long N, long, long, long) {
         return countWhile(
             1, [=](long I) { return I < N; }, [](long I) { return I * 4; });
       }},
  };
  return Shapes;
}

TEST(LoweringTripCount, IsThatOfTheLoop) {
  for (const Shape &S : shapes()) {
    SCOPED_TRACE(S.Name);
    KernelModel M = extract(S.Text);
    ASSERT_EQ(M.Loops.size(), 1u) << dump(M);
    EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
    for (long N : {0, 1, 2, 3, 7, 8, 31, 32, 33, 100, 1024})
      for (long Other : {0, 5, 40})
        for (long Tid : {0, 1, 31})
          for (long Ntid : {32, 64, 256, 1024}) {
            std::map<std::string, double> At{{"n", N},
                                             {"m", Other},
                                             {"threadIdx.x", Tid},
                                             {"blockDim.x", Ntid}};
            double Enters = valueOf(M.Loops[0].Active, At);
            double Trips =
                Enters == 0 ? 0
                            : std::max(0.0, valueOf(M.Loops[0].TripCount, At));
            ASSERT_EQ(Trips, S.Run(N, Other, Tid, Ntid))
                << "n=" << N << " m=" << Other << " tid=" << Tid
                << " ntid=" << Ntid << " by " << M.Loops[0].TripCount.str()
                << " if " << M.Loops[0].Active.str();
          }
  }
}

TEST(LoweringTripCount, ReadsAsAPersonWouldWriteIt) {
  auto Count = [](const std::string &Text) {
    return extract(Text).Loops.at(0).TripCount.str();
  };
  EXPECT_EQ(Count(shapes()[0].Text), "n");
  EXPECT_EQ(Count(shapes()[2].Text), "ceil(n/3)");
  EXPECT_EQ(Count(shapes()[7].Text), "ceil((n - threadIdx.x)/blockDim.x)");
}

TEST(LoweringTripCount, ADoWhileLoopRunsAtLeastOnce) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  for (long N : {-3, 0, 1, 2, 9})
    EXPECT_EQ(valueOf(M.Loops[0].TripCount, {{"n", N}}), std::max(N, 1L));
}

/// for (i = 0; i < n; ++i) for (j = FIRST; j < BOUND; ++j)
std::string nest(const std::string &First, const std::string &Bound) {
  return R"(
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %inext, %after ]
  %igo = icmp slt i32 %i, %n
  br i1 %igo, label %inner, label %exit
inner:
  %j = phi i32 [ )" +
         First + R"(, %outer ], [ %jnext, %body ]
  %jgo = icmp slt i32 %j, )" +
         Bound + R"(
  br i1 %jgo, label %body, label %after
body:
  store volatile i32 %j, ptr %out
  %jnext = add nsw i32 %j, 1
  br label %inner
after:
  %inext = add nsw i32 %i, 1
  br label %outer
exit:
  ret void
}
)";
}

TEST(LoweringTripCount, TriangularLoopsDependOnTheOuterCounter) {
  for (bool Upper : {false, true}) {
    KernelModel M = extract(Upper ? nest("%i", "%n") : nest("0", "%i"));
    ASSERT_EQ(M.Loops.size(), 2u) << dump(M);
    const Loop &Outer = M.Loops[0], &Inner = M.Loops[1];
    EXPECT_EQ(Inner.Parent, 0);
    for (long N : {1, 2, 5, 17}) {
      EXPECT_EQ(valueOf(Outer.TripCount, {{"n", N}}), N);
      for (long I = 0; I < N; ++I) {
        std::map<std::string, double> At{{"n", N}, {Outer.Counter, I}};
        double Enters = valueOf(Inner.Active, At);
        double Trips = Enters == 0 ? 0 : valueOf(Inner.TripCount, At);
        EXPECT_EQ(Trips, Upper ? N - I : I) << dump(M);
      }
    }
  }
}

TEST(LoweringTripCount, TheFirstOfTwoBoundsCounts) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, i32 %n, i32 %m) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = icmp slt i32 %i, %n
  %b = icmp slt i32 %i, %m
  %go = and i1 %a, %b
  br i1 %go, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  for (long N : {1, 4, 9})
    for (long Other : {1, 6, 20})
      EXPECT_EQ(valueOf(M.Loops[0].TripCount, {{"n", N}, {"m", Other}}),
                std::min(N, Other))
          << dump(M);
}

/// The header is the body, and ends with one of two tests: it runs once more
/// than the test is passed.
TEST(LoweringTripCount, ATestInTheMiddleCountsWhatPrecedesIt) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, i32 %n, i32 %m) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %square = mul nsw i32 %i, %i
  %cube = mul nsw i32 %square, %i
  store volatile i32 %cube, ptr %out
  %next = add nsw i32 %i, 1
  %a = icmp slt i32 %next, %n
  br i1 %a, label %rest, label %exit
rest:
  %b = icmp slt i32 %next, %m
  br i1 %b, label %body, label %exit
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  for (long N : {1, 4, 9})
    for (long Other : {1, 6, 20})
      EXPECT_EQ(valueOf(M.Loops[0].TripCount, {{"n", N}, {"m", Other}}),
                std::min(N, Other))
          << dump(M);
}

/// A value of a loop that has ended, by a test in its middle, is not a term
/// over its counter.
TEST(LoweringTripCount, ALoopDoesNotCountWithTheCounterOfAnEndedOne) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, i32 %n, i32 %m, i32 %step) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = icmp ult i32 %i, %n
  br i1 %a, label %body, label %tail
body:
  store volatile i32 %i, ptr %out
  %left = sub i32 %m, %i
  %b = icmp ult i32 %left, %step
  %next = add i32 %i, %step
  br i1 %b, label %exit, label %head
tail:
  %j = phi i32 [ %i, %head ], [ %after, %tail ]
  store volatile i32 %j, ptr %out
  %after = add i32 %j, 1
  %c = icmp ult i32 %after, %m
  br i1 %c, label %tail, label %exit
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 2u);
  for (const Loop &L : M.Loops)
    for (const Loop &Other : M.Loops)
      if (&L != &Other) {
        EXPECT_FALSE(L.TripCount.dependsOn(Other.Counter)) << dump(M);
      }
}

TEST(LoweringTripCount, DataThatEndsALoopIsAnUnknownWithABound) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %in, ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %go = icmp slt i32 %i, %n
  br i1 %go, label %body, label %exit
body:
  %p = getelementptr inbounds i32, ptr %in, i32 %i
  %v = load volatile i32, ptr %p
  %found = icmp eq i32 %v, 7
  br i1 %found, label %exit, label %more
more:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  ASSERT_EQ(M.Unknowns.size(), 1u) << dump(M);
  const Unknown &U = M.Unknowns[0];
  EXPECT_EQ(U.Kind, Unknown::TripCount);
  EXPECT_EQ(U.Name, "trip@?");
  EXPECT_EQ(M.Loops[0].TripCount.str(), U.Name);
  ASSERT_TRUE(U.UpperBound);
  EXPECT_EQ(valueOf(*U.UpperBound, {{"n", 12}}), 12);
  EXPECT_EQ(U.Default, 16);
  EXPECT_EQ(M.Loops[0].Unroll, 1u)
      << "a loop with an early exit keeps its tests";
}

TEST(LoweringTripCount, ALoadedBoundIsAnUnknownWithoutABoundAndNeedsNoGuard) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias readonly %rows, ptr noalias %out) !dbg !5 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds i32, ptr %rows, i32 %tid
  %n = load i32, ptr %p, !dbg !8
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %go = icmp slt i32 %i, %n, !dbg !9
  br i1 %go, label %body, label %exit, !dbg !9
body:
  store volatile i32 %i, ptr %out, !dbg !10
  %next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "rows.cu", directory: "/home")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 1, scope: !5)
!9 = !DILocation(line: 4, column: 9, scope: !5)
!10 = !DILocation(line: 5, column: 5, scope: !5)
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  EXPECT_EQ(M.Loops[0].TripCount.str(), "trip@rows.cu:4") << dump(M);
  EXPECT_EQ(M.Loops[0].Active.str(), "1")
      << "zero iterations are among the unknown's values";
  ASSERT_EQ(M.Unknowns.size(), 1u) << dump(M);
  EXPECT_FALSE(M.Unknowns[0].UpperBound);
  EXPECT_TRUE(M.Unknowns[0].LaneVarying);
  EXPECT_EQ(M.Unknowns[0].Settle, "--param 'trip@rows.cu:4=VALUE'");
}

TEST(LoweringTripCount, AnEndlessLoopIsAnUnknown) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out) {
entry:
  br label %body
body:
  store volatile i32 1, ptr %out
  br label %body
}
)",
                          Pipeline::Skip);
  ASSERT_EQ(M.Loops.size(), 1u);
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_EQ(M.Unknowns[0].Why, "the loop has no exit");
}

} // namespace
