/// \file
/// Pointers that are read from memory: where they lead is not known, but what
/// cannot be one object must not be taken for one.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// A kernel that reads a pointer %q from the table %a, by %tid, %bid or %n.
KernelModel readAt(const std::string &Index, const std::string &Uses) {
  return extract(R"(
define ptx_kernel void @k(ptr %a, ptr %out, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = zext i32 %t to i64
  %bid = zext i32 %b to i64
  %p = getelementptr inbounds ptr, ptr %a, i64 )" +
                 Index + R"(
  %q = load ptr, ptr %p, align 8
)" + Uses + R"(
  ret void
}
)");
}

const std::string Fields = R"(
  %x = load volatile float, ptr %q, align 4
  %wp = getelementptr inbounds i8, ptr %q, i64 12
  %w = load volatile float, ptr %wp, align 4
)";

TEST(LoweringPointers, OfEachLaneLeadToObjectsAnywhere) {
  KernelModel M = readAt("%tid", Fields);
  ASSERT_EQ(M.Accesses.size(), 3u) << dump(M);
  EXPECT_EQ(M.Accesses[0].Base, "a");
  EXPECT_FALSE(M.Accesses[0].DataDependent);
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_TRUE(M.Unknowns[0].LaneVarying);
  // 16 bytes are used of each.
  for (unsigned A : {1, 2}) {
    EXPECT_EQ(M.Accesses[A].Base, "*a");
    EXPECT_TRUE(M.Accesses[A].DataDependent);
    Expr Moved =
        M.Context->bind(M.Accesses[A].Address, {{M.Unknowns[0].Name, 3}});
    EXPECT_EQ(Moved.asConstant(), 48 + (A == 2 ? 12 : 0));
  }
}

TEST(LoweringPointers, OfRowsLeadToArraysApart) {
  KernelModel M = readAt("%tid", R"(
  %e = getelementptr inbounds float, ptr %q, i64 %bid
  %x = load volatile float, ptr %e, align 4
)");
  ASSERT_EQ(M.Accesses.size(), 2u) << dump(M);
  EXPECT_TRUE(M.Unknowns.empty());
  Expr At = M.Context->bind(M.Accesses[1].Address,
                            {{"blockIdx.x", 3}, {"threadIdx.x", 2}});
  EXPECT_EQ(At.asConstant(), 2 * 0x1p26 + 12);
}

TEST(LoweringPointers, OfEachBlockLeadToObjectsApart) {
  KernelModel M = readAt("%bid", R"(
  %e = getelementptr inbounds float, ptr %q, i64 %tid
  %x = load volatile float, ptr %e, align 4
)");
  ASSERT_EQ(M.Accesses.size(), 2u) << dump(M);
  EXPECT_FALSE(M.Accesses[1].DataDependent);
  EXPECT_TRUE(M.Unknowns.empty());
  auto at = [&](double Block, double Thread) {
    return *M.Context
                ->bind(M.Accesses[1].Address,
                       {{"blockIdx.x", Block}, {"threadIdx.x", Thread}})
                .asConstant();
  };
  EXPECT_EQ(at(0, 5), 20);
  EXPECT_EQ(at(7, 5) - at(6, 5), 0x1p26);
}

TEST(LoweringPointers, OfAllThreadsLeadToOneObject) {
  KernelModel M = readAt("1", R"(
  %e = getelementptr inbounds float, ptr %q, i64 %tid
  %x = load volatile float, ptr %e, align 4
)");
  ASSERT_EQ(M.Accesses.size(), 2u) << dump(M);
  EXPECT_EQ(M.Accesses[1].Base, "*(a+8)");
  EXPECT_FALSE(M.Accesses[1].DataDependent);
  EXPECT_TRUE(M.Unknowns.empty());
}

/// A search that ends with `break` leaves with a pointer of any iteration.
TEST(LoweringPointers, ThatLeaveALoopOfSeveralExitsAreUnknown) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%i1, %next]
  %p = phi ptr [%a, %entry], [%p1, %next]
  %x = load volatile float, ptr %p, align 4
  %found = fcmp oeq float %x, 0.0
  br i1 %found, label %done, label %next
next:
  %p1 = getelementptr inbounds float, ptr %p, i64 1
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %loop, label %exit
done:
  %q = phi ptr [%p, %loop]
  store float 1.0, ptr %q, align 4
  br label %exit
exit:
  ret void
}
)");
  ASSERT_EQ(M.Accesses.size(), 2u) << dump(M);
  EXPECT_EQ(M.Accesses[1].Base, "a");
  EXPECT_TRUE(M.Accesses[1].DataDependent) << dump(M);
}

TEST(LoweringPointers, OfAListStayInTheObjectWhereItBegins) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %np = getelementptr inbounds i8, ptr %p, i64 8
  %next = load volatile ptr, ptr %np, align 8
  %i1 = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  ASSERT_EQ(M.Accesses.size(), 1u) << dump(M);
  EXPECT_EQ(M.Accesses[0].Base, "a");
  EXPECT_TRUE(M.Accesses[0].DataDependent);
  ASSERT_EQ(M.Unknowns.size(), 1u);
  // All lanes follow the same list.
  EXPECT_FALSE(M.Unknowns[0].LaneVarying);
}

} // namespace
