/// \file
/// Addresses of memory accesses as functions of coordinates and counters.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// A kernel that computes %i from %tid, %bid, %ntid, %n and accesses a[i].
std::string loadAt(const std::string &Index, const std::string &Globals = "",
                   const std::string &Base = "%a") {
  return Globals + R"(
define ptx_kernel void @k(ptr %a, ptr %idx, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
)" + Index +
         R"(
  %p = getelementptr inbounds float, ptr )" +
         Base + R"(, i32 %i
  %v = load volatile float, ptr %p
  ret void
}
)";
}

const MemoryAccess &only(const KernelModel &M) {
  EXPECT_EQ(M.Accesses.size(), 1u) << dump(M);
  return M.Accesses.at(M.Accesses.size() - 1);
}

std::string addressOf(const std::string &Index) {
  return only(extract(loadAt(Index))).Address.str();
}

TEST(LoweringAddress, IsBytesFromTheStartOfAnArgument) {
  KernelModel M =
      extract(loadAt("%b = mul i32 %bid, %ntid\n %i = add i32 %b, %tid"));
  const MemoryAccess &A = only(M);
  EXPECT_EQ(A.Address.str(), "4*blockDim.x*blockIdx.x + 4*threadIdx.x");
  EXPECT_EQ(A.Base, "a");
  EXPECT_EQ(A.BaseArgument, 0);
  EXPECT_EQ(A.Space, MemorySpace::Global);
  EXPECT_EQ(A.Kind, AccessKind::Load);
  EXPECT_EQ(A.BytesPerThread, 4u);
  EXPECT_FALSE(A.DataDependent);
}

TEST(LoweringAddress, FollowsIntegerArithmetic) {
  EXPECT_EQ(addressOf("%i = mul i32 %tid, 7"), "28*threadIdx.x");
  EXPECT_EQ(addressOf("%i = shl i32 %tid, 3"), "32*threadIdx.x");
  EXPECT_EQ(addressOf("%i = and i32 %tid, 31"), "4*(threadIdx.x mod 32)");
  EXPECT_EQ(addressOf("%i = lshr i32 %tid, 5"), "4*floor(threadIdx.x/32)");
  EXPECT_EQ(addressOf("%i = urem i32 %tid, %n"), "4*(threadIdx.x mod n)");
  EXPECT_EQ(addressOf("%i = xor i32 %tid, 1"), "4*(threadIdx.x xor 1)");
}

// IMAD.WIDE extends 32 bits; an index of 64 takes LEA and LEA.HI.X, or one
// shift for several addresses (nvcc 13.0, sm_80).
TEST(LoweringAddress, AnIndexOf64BitsTakesTwoInstructions) {
  auto Of = [](const std::string &Index, const std::string &Second) {
    return extract("define ptx_kernel void @k(ptr %a, ptr %b, i64 %n) {\n"
                   "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                   Index +
                   "  %p = getelementptr float, ptr %a, i64 %i\n"
                   "  store float 0.0, ptr %p\n" +
                   Second + "  ret void\n}\n");
  };
  std::string Second = "  %q = getelementptr float, ptr %b, i64 %i\n"
                       "  store float 0.0, ptr %q\n",
              Narrow = "  %i = sext i32 %tid to i64\n",
              Wide = "  %t = sext i32 %tid to i64\n  %i = add i64 %t, %n\n";
  KernelModel M = Of(Narrow, Second);
  EXPECT_EQ(countOf(M, OpClass::IntMul), 2u) << dump(M);
  // A sum of 32 bits that the passes have split.
  M = Of("  %t = sext i32 %tid to i64\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
         "  %u = mul i32 %x, %x\n  %w = sext i32 %u to i64\n"
         "  %i = add i64 %t, %w\n",
         "");
  EXPECT_EQ(countOf(M, OpClass::Shift), 0u) << dump(M);
  M = Of(Wide, "");
  EXPECT_EQ(countOf(M, OpClass::Shift), 2u) << dump(M);
  M = Of(Wide, Second);
  EXPECT_EQ(countOf(M, OpClass::Shift), 2u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::IntAdd), 6u) << dump(M);
}

// %i in the words of a funnel shift and in bytes of a word.
TEST(LoweringAddress, FollowsFunnelShiftsAndBytePermutations) {
  auto Of = [](const std::string &Call) {
    return addressOf("%i = call i32 @llvm." + Call);
  };
  EXPECT_EQ(Of("fshl.i32(i32 0, i32 %tid, i32 29)"), "4*floor(threadIdx.x/8)");
  EXPECT_EQ(Of("fshr.i32(i32 0, i32 %tid, i32 3)"), "4*floor(threadIdx.x/8)");
  EXPECT_EQ(Of("fshl.i32(i32 %tid, i32 0, i32 2)"), "16*threadIdx.x");
  EXPECT_EQ(Of("fshr.i32(i32 %tid, i32 %bid, i32 32)"), "4*blockIdx.x");
  // All bytes, the low two of each operand, and the highest one.
  EXPECT_EQ(Of("nvvm.prmt(i32 %tid, i32 0, i32 12816)"), "4*threadIdx.x");
  EXPECT_EQ(Of("nvvm.prmt(i32 %n, i32 %bid, i32 21520)"),
            "262144*(blockIdx.x mod 65536) + 4*(n mod 65536)");
  EXPECT_EQ(Of("nvvm.prmt(i32 %n, i32 0, i32 17475)"),
            "4*(floor(n/16777216) mod 256)");
  EXPECT_TRUE(only(extract(loadAt("%i = call i32 @llvm.nvvm.prmt(i32 %tid, "
                                  "i32 0, i32 %n)")))
                  .DataDependent);
}

/// The address of a load at an index that is computed from reals.
std::string addressOfReal(const std::string &Index) {
  return only(extract(R"(
declare float @__nv_floorf(float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare float @__nv_sinf(float)
declare i32 @__nv_float2int_rn(float)
define ptx_kernel void @k(ptr %a, float %s, float %t) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = uitofp i32 %tid to float
)" + Index + R"(
  %p = getelementptr inbounds float, ptr %a, i32 %i
  %v = load volatile float, ptr %p
  ret void
}
)"))
      .Address.str();
}

TEST(LoweringAddress, FollowsRealArithmetic) {
  // (int)fmaxf(x * s + t, 0)
  EXPECT_EQ(addressOfReal(R"(
  %y = call float @llvm.fmuladd.f32(float %x, float %s, float %t)
  %z = call float @llvm.maxnum.f32(float %y, float 0.0)
  %i = fptosi float %z to i32)"),
            "4*floor(max(s*threadIdx.x + t, 0))");
  EXPECT_EQ(addressOfReal(R"(
  %y = fadd float %x, 0.5
  %z = fmul float %y, 0.25
  %w = call float @__nv_floorf(float %z)
  %i = fptoui float %w to i32)"),
            "4*floor(threadIdx.x/4 + 0.125)");
  EXPECT_EQ(addressOfReal(R"(
  %y = fdiv float %x, 3.0
  %i = call i32 @__nv_float2int_rn(float %y))"),
            "4*floor(threadIdx.x/3 + 0.5)");
  // Toward zero, where the sign is not known.
  EXPECT_EQ(addressOfReal(R"(
  %y = fmul float %x, %s
  %i = fptosi float %y to i32)"),
            "4*floor(max(s*threadIdx.x, 0)) + 4*ceil(min(s*threadIdx.x, 0))");
}

TEST(LoweringAddress, IsUnknownBehindARealFunctionThatIsNotEvaluated) {
  KernelModel M = extract(R"(
declare float @__nv_sinf(float)
define ptx_kernel void @k(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = uitofp i32 %tid to float
  %y = call float @__nv_sinf(float %x)
  %i = fptosi float %y to i32
  %p = getelementptr inbounds float, ptr %a, i32 %i
  %v = load volatile float, ptr %p
  ret void
}
)");
  EXPECT_TRUE(only(M).DataDependent);
}

TEST(LoweringAddress, ChosenByTheCasesOfASwitchThatMeetAgain) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %end [
    i32 0, label %first
    i32 15, label %last
  ]
first:
  %above = getelementptr inbounds i8, ptr %a, i64 64
  br label %both
last:
  %below = getelementptr inbounds i8, ptr %a, i64 4096
  br label %both
both:
  %p = phi ptr [ %above, %first ], [ %below, %last ]
  %v = load volatile float, ptr %p
  br label %end
end:
  ret void
}
)");
  const MemoryAccess &A = only(M);
  EXPECT_EQ(A.Base, "a");
  for (double Tid : {0, 15})
    EXPECT_EQ(evaluate(A.Address, {{"threadIdx.x", Tid}}),
              Tid == 0 ? 64 : 4096);
}

TEST(LoweringAddress, ALaneIsTheLinearIndexModuloTheWarp) {
  KernelModel M =
      extract(loadAt("%i = call i32 @llvm.nvvm.read.ptx.sreg.laneid()"));
  for (long X : {0, 5, 31, 33})
    EXPECT_EQ(valueOf(only(M).Address, {{"threadIdx.x", X},
                                        {"threadIdx.y", 3},
                                        {"threadIdx.z", 0},
                                        {"blockDim.x", 40},
                                        {"blockDim.y", 8}}),
              4 * ((X + 3 * 40) % 32));
}

TEST(LoweringAddress, LoadedIndicesAreNamedUnknowns) {
  KernelModel M = extract(loadAt(R"(
  %q = getelementptr inbounds i32, ptr %idx, i32 %tid
  %i = load volatile i32, ptr %q)"));
  ASSERT_EQ(M.Accesses.size(), 2u);
  EXPECT_FALSE(M.Accesses[0].DataDependent);
  EXPECT_TRUE(M.Accesses[1].DataDependent);
  EXPECT_EQ(M.Accesses[1].Address.str(), "4*value@?");
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_EQ(M.Unknowns[0].Kind, Unknown::LoadedValue);
  EXPECT_TRUE(M.Unknowns[0].LaneVarying);
}

TEST(LoweringAddress, SharedArraysHaveASizeAndASpace) {
  KernelModel M = extract(R"(
@tile = internal addrspace(3) global [32 x [33 x float]] undef, align 4
define ptx_kernel void @k(ptr %a) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = getelementptr inbounds [32 x [33 x float]], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %x, i32 %y
  store volatile float 1.0, ptr %p
  ret void
}
)");
  const MemoryAccess &A = only(M);
  EXPECT_EQ(A.Space, MemorySpace::Shared);
  EXPECT_EQ(A.Kind, AccessKind::Store);
  EXPECT_EQ(A.Address.str(), "132*threadIdx.x + 4*threadIdx.y");
  EXPECT_EQ(A.Base, "tile");
  EXPECT_EQ(A.BaseBytes, 32u * 33 * 4);
  EXPECT_EQ(M.Res.StaticSharedBytes, 32u * 33 * 4);
  EXPECT_FALSE(M.Res.UsesDynamicShared);
}

TEST(LoweringAddress, LoopCountersAndPointersThatWalk) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr inbounds float, ptr %a, i32 %tid
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %p = phi ptr [ %start, %entry ], [ %q, %body ]
  %v = load volatile float, ptr %p
  %q = getelementptr inbounds float, ptr %p, i32 32
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  const MemoryAccess &A = only(M);
  for (long I : {0, 1, 5})
    EXPECT_EQ(
        valueOf(A.Address, {{"threadIdx.x", 3}, {M.Loops.at(0).Counter, I}}),
        4 * (3 + 32 * I))
        << dump(M);
}

TEST(LoweringAddress, BuffersThatAlternateAreKnown) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %b = phi i32 [ 0, %entry ], [ %other, %body ]
  %p = getelementptr inbounds [64 x float], ptr %a, i32 %b
  %v = load volatile float, ptr %p
  %other = sub i32 1, %b
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  for (long I : {0, 1, 2, 7})
    EXPECT_EQ(valueOf(only(M).Address, {{M.Loops.at(0).Counter, I}}),
              256 * (I % 2))
        << dump(M);
}

/// A loop whose body loads from Address, which depends on the phi %b.
KernelModel loopOver(const std::string &Phi, const std::string &Next,
                     const std::string &Address = "%p") {
  std::string Get = Address == "%p" ? "  %p = getelementptr inbounds [64 x "
                                      "float], ptr %a, i32 %b\n"
                                    : "";
  return extract("define ptx_kernel void @k(ptr %a, i32 %n) {\n"
                 "entry:\n  br label %body\n"
                 "body:\n"
                 "  %i = phi i32 [ 0, %entry ], [ %next, %body ]\n" +
                 Phi + Get + "  %v = load volatile float, ptr " + Address +
                 "\n" + Next +
                 "  %next = add nsw i32 %i, 1\n"
                 "  %go = icmp slt i32 %next, 4096\n"
                 "  br i1 %go, label %body, label %exit\n"
                 "exit:\n  ret void\n}\n");
}

double addressIn(const KernelModel &M, long Iteration) {
  return valueOf(only(M).Address, {{M.Loops.at(0).Counter, Iteration}});
}

TEST(LoweringAddress, TheIndexOfARingOfBuffersIsKnown) {
  // i = i == 2 ? 0 : i + 1, from each of the three buffers.
  for (long First : {0, 1, 2}) {
    KernelModel M =
        loopOver("  %b = phi i32 [ " + std::to_string(First) +
                     ", %entry ], [ %turn, %body ]\n",
                 "  %up = add nsw i32 %b, 1\n  %last = icmp eq i32 %b, 2\n"
                 "  %turn = select i1 %last, i32 0, i32 %up\n");
    EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
    for (long I : {0, 1, 2, 3, 100})
      EXPECT_EQ(addressIn(M, I), 256 * ((First + I) % 3)) << dump(M);
  }
  // Downwards: i = i == 0 ? 3 : i - 1.
  KernelModel M =
      loopOver("  %b = phi i32 [ 3, %entry ], [ %turn, %body ]\n",
               "  %down = add nsw i32 %b, -1\n  %last = icmp eq i32 %b, 0\n"
               "  %turn = select i1 %last, i32 3, i32 %down\n");
  EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
  for (long I : {0, 1, 3, 4, 9})
    EXPECT_EQ(addressIn(M, I), 256 * (3 - I % 4)) << dump(M);
}

TEST(LoweringAddress, APointerIntoARingOfBuffersIsKnown) {
  // CUTLASS moves the pointer back by all stages behind the last one.
  KernelModel M =
      loopOver("  %b = phi i32 [ 1, %entry ], [ %turn, %body ]\n"
               "  %q = phi ptr [ %a, %entry ], [ %moved, %body ]\n",
               "  %up = add nsw i32 %b, 1\n  %last = icmp eq i32 %b, 2\n"
               "  %turn = select i1 %last, i32 0, i32 %up\n"
               "  %by = select i1 %last, i64 -512, i64 256\n"
               "  %moved = getelementptr i8, ptr %q, i64 %by\n",
               "%q");
  EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
  const long Expected[] = {0, 256, -256};
  for (long I : {0, 1, 2, 3, 4, 5, 99})
    EXPECT_EQ(addressIn(M, I), Expected[I % 3]) << I << dump(M);
}

TEST(LoweringAddress, APointerToTheBufferOfTheTurnBeforeIsKnown) {
  KernelModel M =
      loopOver("  %b = phi i32 [ 0, %entry ], [ %turn, %body ]\n"
               "  %q = phi ptr [ %a, %entry ], [ %of, %body ]\n",
               "  %up = add nsw i32 %b, 1\n  %last = icmp eq i32 %b, 2\n"
               "  %turn = select i1 %last, i32 0, i32 %up\n"
               "  %of = getelementptr inbounds [64 x float], ptr %a, i32 %b\n",
               "%q");
  EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
  for (long I : {0, 1, 2, 3, 4, 99})
    EXPECT_EQ(addressIn(M, I), I == 0 ? 0 : 256 * ((I - 1) % 3)) << dump(M);
}

TEST(LoweringAddress, AnIndexThatStopsAtTheLastTileIsKnown) {
  // if (i < n - 1) ++tile;
  KernelModel M = loopOver("  %b = phi i32 [ 0, %entry ], [ %moved, %body ]\n",
                           "  %end = add nsw i32 %n, -1\n"
                           "  %more = icmp slt i32 %i, %end\n"
                           "  %step = zext i1 %more to i32\n"
                           "  %moved = add nsw i32 %b, %step\n");
  EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
  for (long I : {0, 1, 6, 7, 8, 100})
    EXPECT_EQ(valueOf(only(M).Address, {{M.Loops.at(0).Counter, I}, {"n", 8}}),
              256 * std::min(I, 7l))
        << dump(M);
}

TEST(LoweringAddress, AValueOfNoFixedPeriodIsUnknown) {
  // A linear congruential generator.
  KernelModel M =
      loopOver("  %b = phi i32 [ 1, %entry ], [ %turn, %body ]\n",
               "  %x = mul i32 %b, 25173\n  %y = add i32 %x, 13849\n"
               "  %turn = and i32 %y, 65535\n");
  EXPECT_FALSE(M.Unknowns.empty()) << dump(M);
}

TEST(LoweringAddress, ACopyOfTheCounterThatLagsIsKnown) {
  auto AddressFrom = [](const char *First) {
    return extract(std::string(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %body
body:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %lag = phi i32 [ )") +
                   First + R"(, %entry ], [ %next, %body ]
  %p = getelementptr inbounds float, ptr %a, i32 %lag
  %v = load volatile float, ptr %p
  %next = add nsw i32 %i, 64
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  };
  KernelModel Same = AddressFrom("%tid"), Other = AddressFrom("7");
  EXPECT_TRUE(Same.Unknowns.empty()) << dump(Same);
  EXPECT_TRUE(Other.Unknowns.empty()) << dump(Other);
  for (long I : {0, 1, 5}) {
    EXPECT_EQ(valueOf(only(Same).Address,
                      {{"threadIdx.x", 3}, {Same.Loops.at(0).Counter, I}}),
              4 * (3 + 64 * I));
    EXPECT_EQ(valueOf(only(Other).Address,
                      {{"threadIdx.x", 3}, {Other.Loops.at(0).Counter, I}}),
              I == 0 ? 4 * 7 : 4 * (3 + 64 * I));
  }
}

TEST(LoweringAddress, ATermThatEveryPathComputesIsKnown) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = load volatile i32, ptr %b
  %c = icmp slt i32 %q, %m
  br i1 %c, label %then, label %else
then:
  store volatile i32 1, ptr %b
  %i = mul i32 %tid, %n
  br label %join
else:
  store volatile i32 2, ptr %b
  %j = mul i32 %n, %tid
  br label %join
join:
  %k = phi i32 [ %i, %then ], [ %j, %else ]
  %p = getelementptr inbounds float, ptr %a, i32 %k
  store volatile float 1.0, ptr %p
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_EQ(M.Accesses.back().Address.str(), "4*n*threadIdx.x") << dump(M);
}

TEST(LoweringAddress, MembersOfAStructArgumentAreNamed) {
  KernelSource Source;
  Source.Arguments = {
      {.Name = "view", .Kind = KernelArgument::Aggregate, .Bytes = 16}};
  Source.Members = {{0, 0, "data"}, {0, 8, "pitch"}};
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr byval({ptr, i32}) align 8 %s) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %data = load ptr, ptr %s
  %q = getelementptr inbounds i8, ptr %s, i64 8
  %pitch = load i32, ptr %q
  %i = mul i32 %tid, %pitch
  %p = getelementptr inbounds float, ptr %data, i32 %i
  store float 0.0, ptr %p
  ret void
}
)",
                          Pipeline::Run, Source);
  const MemoryAccess &A = only(M);
  EXPECT_EQ(A.Base, "view.data");
  EXPECT_EQ(A.Space, MemorySpace::Global);
  EXPECT_EQ(A.Address.str(), "4*threadIdx.x*view.pitch");
  EXPECT_EQ(countOf(M, OpClass::LoadConstant), 0u) << "arguments are operands";
}

TEST(LoweringAddress, FourNeighbouringWordsAreOneAccess) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias readonly align 16 %a, ptr noalias align 16 %b) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr inbounds [4 x float], ptr %a, i32 %tid
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %x0 = load float, ptr %p0, align 16
  %x1 = load float, ptr %p1, align 4
  %x2 = load float, ptr %p2, align 8
  %x3 = load float, ptr %p3, align 4
  %s = fadd float %x0, %x1
  %t = fadd float %s, %x2
  %u = fadd float %t, %x3
  %q = getelementptr inbounds float, ptr %b, i32 %tid
  store float %u, ptr %q
  ret void
}
)");
  EXPECT_EQ(countOf(M, OpClass::LoadGlobal), 1u) << dump(M);
  EXPECT_EQ(M.Accesses.at(0).BytesPerThread, 16u);
  EXPECT_TRUE(M.Accesses.at(0).ReadOnly);
  EXPECT_EQ(countOf(M, OpClass::Fp32Add), 3u);
}

TEST(LoweringAddress, PrivateArraysWithADynamicIndexAreLocal) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = alloca [8 x i32], align 4
  %p = getelementptr inbounds [8 x i32], ptr %t, i32 0, i32 %tid
  store i32 1, ptr %p
  %q = getelementptr inbounds [8 x i32], ptr %t, i32 0, i32 %n
  %v = load i32, ptr %q
  store i32 %v, ptr %a
  ret void
}
)");
  EXPECT_EQ(countOf(M, OpClass::StoreLocal), 1u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::LoadLocal), 1u);
  EXPECT_EQ(M.Res.LocalBytes, 32u);
}

TEST(LoweringAddress, ConstantMemoryAtAFixedAddressIsAnOperand) {
  auto Loads = [](const std::string &Index) {
    KernelModel M = extract(R"(
@table = addrspace(4) externally_initialized global [16 x float] undef, align 4
define ptx_kernel void @k(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds [16 x float], ptr addrspace(4) @table, i32 0, i32 )" +
                            Index + R"(
  %v = load float, ptr addrspace(4) %p
  store float %v, ptr %a
  ret void
}
)");
    return countOf(M, OpClass::LoadConstant);
  };
  EXPECT_EQ(Loads("3"), 0u);
  EXPECT_EQ(Loads("%tid"), 1u);
}

/// `for (int i = tid; i < n; i += step)` with a 64-bit n: the rotated loop
/// keeps the widened counter of the next iteration.
TEST(LoweringAddress, AWidenedCounterFollowsItsCounter) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i64 %n, i32 %step) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = sext i32 %tid to i64
  br label %loop
loop:
  %wide = phi i64 [ %first, %0 ], [ %next.wide, %loop ]
  %i = phi i32 [ %tid, %0 ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store volatile float 0.0, ptr %p
  %next = add nsw i32 %i, %step
  %next.wide = sext i32 %next to i64
  %more = icmp ult i64 %next.wide, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
)");
  const MemoryAccess &A = only(M);
  EXPECT_FALSE(A.DataDependent) << dump(M);
  EXPECT_TRUE(A.Address.dependsOn(M.Loops.at(0).Counter)) << dump(M);
  EXPECT_TRUE(A.Address.dependsOn("step"));
}

} // namespace
