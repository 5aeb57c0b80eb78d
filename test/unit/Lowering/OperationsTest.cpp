/// \file
/// Operation classes, sequences, contraction, dependences, unknown calls.
#include "Lowering/Selection/OpTable.h"
#include "gpu-estimate/Lowering/Selection/OperationReference.h"
#include "gpu-estimate/Ptx/InstructionTable.h"
#include "helpers/LoweringTesting.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// Straight-line code on arguments, with the result stored.
KernelModel compute(const std::string &Body, const std::string &Result,
                    const std::string &More = "", Pipeline P = Pipeline::Run) {
  return extract(More + R"(
define ptx_kernel void @k(ptr %out, i32 %i, i32 %j, i64 %l, i64 %m, float %x, float %y, float %z, double %d, double %e) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + Body + "\n  store " +
                     Result + R"(, ptr %out
  ret void
}
)",
                 P);
}

/// The classes in order, with counts, less the prologue, store and exit.
std::string sequence(const KernelModel &M) {
  std::string Text;
  for (const Operation &Op : M.Operations) {
    if (Op.Class == OpClass::Branch && &Op == &M.Operations.back())
      break;
    if (&Op == &M.Operations.front() || info(Op.Class).IsMemory ||
        Op.Class == OpClass::SpecialRegister)
      continue;
    Text += (Text.empty() ? "" : " ") + info(Op.Class).Name.str();
    if (Op.Count != 1)
      Text += "*" + std::to_string(Op.Count);
  }
  return Text;
}

TEST(LoweringOperations, ContractionFollowsTheFlags) {
  auto Fused = [](const std::string &Flags) {
    return sequence(compute("%p = fmul " + Flags +
                                " float %x, %y\n %r = fadd " + Flags +
                                " float %p, %z",
                            "float %r"));
  };
  EXPECT_EQ(Fused("contract"), "fp32_fma");
  EXPECT_EQ(Fused(""), "fp32_mul fp32_add");
  EXPECT_EQ(
      sequence(compute(
          "%p = fmul contract double %d, %e\n %r = fsub contract double %p, %d",
          "double %r")),
      "fp64_fma");
}

// Two arrays with the same index: of sm_60 both words of the scaled index,
// once, and a sum of two words for each base.
TEST(LoweringOperations, AddressesFollowTheInstructionSet) {
  auto Addresses = [](const std::string &Sm) {
    return sequence(extract(R"(
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b, i32 %i) "target-cpu"="sm_)" +
                            Sm + R"(" {
  %p = getelementptr inbounds float, ptr %a, i32 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %b, i32 %i
  store float %v, ptr %q
  ret void
}
)"));
  };
  EXPECT_EQ(Addresses("75"), "int_mul int_mul");
  EXPECT_EQ(Addresses("60"), "shift*2 int_add*2 int_add*2");
  EXPECT_EQ(Addresses("52"), "shift*2 int_add*2 int_add*2");
  EXPECT_EQ(Addresses("35"), "int_mul int_mul");
}

TEST(LoweringOperations, AProductWithAnotherUseIsNotFusedAway) {
  KernelModel M = compute(R"(
  %p = fmul contract float %x, %y
  %r = fadd contract float %p, %z
  %s = fmul float %p, %r)",
                          "float %s");
  EXPECT_EQ(countOf(M, OpClass::Fp32Mul), 2u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::Fp32Add), 1u);
}

TEST(LoweringOperations, FmaCountsAsTwoFlops) {
  KernelModel M = compute(
      "%p = fmul contract float %x, %y\n %r = fadd contract float %p, %z",
      "float %r");
  EXPECT_EQ(first(M, OpClass::Fp32Fma).FlopFp32, 2u);
  EXPECT_EQ(first(M, OpClass::Fp32Fma).FlopFp64, 0u);
}

TEST(LoweringOperations, IntegerFormsFuse) {
  EXPECT_EQ(sequence(compute("%p = mul i32 %i, %j\n %r = add i32 %p, %tid",
                             "i32 %r")),
            "int_mul");
  EXPECT_EQ(sequence(compute("%p = add i32 %i, %j\n %r = add i32 %p, %tid",
                             "i32 %r")),
            "int_add");
  EXPECT_EQ(
      sequence(compute("%p = shl i32 %tid, 3\n %r = add i32 %p, %j", "i32 %r")),
      "shift");
  EXPECT_EQ(sequence(compute("%p = and i32 %tid, %i\n %r = xor i32 %p, %j",
                             "i32 %r")),
            "logic");
}

TEST(LoweringOperations, SixtyFourBitArithmeticIsSeveralInstructions) {
  EXPECT_EQ(sequence(compute("%r = add i64 %l, %m", "i64 %r")), "int_add*2");
  EXPECT_EQ(sequence(compute("%r = shl i64 %l, %m", "i64 %r")), "shift*2");
  KernelModel M = compute("%r = mul i64 %l, %m", "i64 %r");
  EXPECT_EQ(countOf(M, OpClass::IntMul) + countOf(M, OpClass::IntAdd), 4u)
      << dump(M);
}

TEST(LoweringOperations, DivisionsOfZerosTakeTheLongerWay) {
  std::string Library = "declare float @__nv_fdiv_rz(float, float)\n"
                        "declare double @__nv_ddiv_rz(double, double)\n";
  auto Divide = [&](const std::string &Type, DivisionOperands Divisions,
                    const std::string &Function = "") {
    KernelSource Source;
    Source.Divisions = Divisions;
    std::string Quotient = Function.empty()
                               ? "fdiv " + Type + " %x, %y"
                               : "call " + Type + " @" + Function + "(" + Type +
                                     " %x, " + Type + " %y)";
    return extract(Library + "define ptx_kernel void @k(ptr %out, " + Type +
                       " %x, " + Type + " %y) {\n  %q = " + Quotient +
                       "\n  store " + Type + " %q, ptr %out\n  ret void\n}\n",
                   Pipeline::Run, Source);
  };
  auto Instructions = [](const KernelModel &M) {
    unsigned Sum = 0;
    for (const Operation &Op : M.Operations)
      Sum += Op.Count;
    return Sum;
  };
  // The ways through the machine code of CUDA 11.8 for sm_75.
  for (auto [Type, Zero, Invalid] :
       {std::tuple("float", 33u, 26u), std::tuple("double", 33u, 42u)}) {
    KernelModel Ordinary = Divide(Type, DivisionOperands::Ordinary);
    KernelModel OfZero = Divide(Type, DivisionOperands::ZeroDividend);
    KernelModel OfBoth = Divide(Type, DivisionOperands::Invalid);
    EXPECT_EQ(Instructions(OfZero), Instructions(Ordinary) + Zero) << Type;
    EXPECT_EQ(Instructions(OfBoth), Instructions(Ordinary) + Invalid) << Type;
    // What is not said is an assumption; what is said is told.
    ASSERT_EQ(Ordinary.Unknowns.size(), 1u);
    EXPECT_EQ(Ordinary.Unknowns[0].Settle,
              "--divisions zero or --divisions invalid");
    EXPECT_TRUE(OfZero.Unknowns.empty());
    ASSERT_EQ(OfZero.Premises.size(), 1u);
    EXPECT_NE(OfZero.Premises[0].find("--divisions zero"), std::string::npos);
    // Rounded otherwise, it is the same division.
    std::string Rounded = *Type == 'f' ? "__nv_fdiv_rz" : "__nv_ddiv_rz";
    EXPECT_EQ(Instructions(Divide(Type, DivisionOperands::Ordinary, Rounded)),
              Instructions(Ordinary));
    EXPECT_EQ(Instructions(Divide(Type, DivisionOperands::Invalid, Rounded)),
              Instructions(OfBoth));
  }
}

TEST(LoweringOperations, DivisionsAreTheirSequences) {
  KernelModel M = compute("%r = fdiv float %x, %y", "float %r");
  EXPECT_EQ(countOf(M, OpClass::Sfu), 1u);
  EXPECT_GE(countOf(M, OpClass::Fp32Fma), 5u);
  KernelModel Fast = compute("%r = fdiv fast float %x, %y", "float %r");
  EXPECT_EQ(countOf(Fast, OpClass::Fp32Fma), 0u) << dump(Fast);
  EXPECT_EQ(countOf(Fast, OpClass::Sfu), 1u);
  EXPECT_GE(countOf(compute("%r = fdiv double %d, %e", "double %r"),
                    OpClass::Fp64Fma),
            6u);
  // By a variable about twenty instructions, by a constant a high product.
  unsigned Variable = 0;
  for (const Operation &Op :
       compute("%r = sdiv i32 %i, %j", "i32 %r").Operations)
    Variable += Op.Count;
  EXPECT_GE(Variable, 18u);
  EXPECT_EQ(sequence(compute("%r = udiv i32 %tid, 10", "i32 %r")),
            "shift int_mul");
}

TEST(LoweringOperations, AQuotientAndItsRemainderShareTheDivision) {
  auto Both = [](const char *First, const char *Second) {
    return compute("%quotient = " + std::string(First) +
                       " i32 %i, %j\n %other = " + Second +
                       " i32 %i, %j\n %r = xor i32 %quotient, %other",
                   "i32 %r");
  };
  auto Sfu = [](const KernelModel &M) { return countOf(M, OpClass::Sfu); };
  KernelModel Forward = Both("udiv", "urem"), Backward = Both("srem", "sdiv");
  EXPECT_EQ(Sfu(Forward), 1u) << dump(Forward);
  EXPECT_EQ(Sfu(Backward), 1u) << dump(Backward);
  // The quotient times the divisor, taken from the dividend, is one IMAD.
  KernelModel Alone = compute("%r = udiv i32 %i, %j", "i32 %r");
  EXPECT_EQ(countOf(Forward, OpClass::IntMul),
            countOf(Alone, OpClass::IntMul) + 1);
  // Of other operands both are divisions.
  EXPECT_EQ(
      Sfu(compute("%quotient = udiv i32 %i, %j\n %other = urem i32 %j, %i\n "
                  "%r = xor i32 %quotient, %other",
                  "i32 %r")),
      2u);
  EXPECT_EQ(Sfu(Both("udiv", "srem")), 2u);
}

TEST(LoweringOperations, FastMathSavesWhatItGivesUp) {
  const char *Declare = "declare float @llvm.sqrt.f32(float)\n";
  auto Count = [&](const std::string &Body) {
    KernelModel M = compute(Body, "float %r", Declare);
    unsigned Sum = 0;
    for (const Operation &Op : M.Operations)
      if (Op.Class == OpClass::Fp32Fma || Op.Class == OpClass::Fp32Mul ||
          Op.Class == OpClass::Sfu)
        Sum += Op.Count;
    return Sum;
  };
  unsigned Exact = Count("%s = call float @llvm.sqrt.f32(float %x)\n"
                         "%r = fdiv float 1.0, %s");
  unsigned Fast = Count("%s = call fast float @llvm.sqrt.f32(float %x)\n"
                        "%r = fdiv fast float 1.0, %s");
  EXPECT_EQ(Fast, 3u) << "one special function, scaled for denormals";
  EXPECT_GT(Exact, 2 * Fast);
}

TEST(LoweringOperations, TheStepsOfASequenceWaitForEachOther) {
  KernelModel M = compute("%q = fdiv double %d, %e\n %r = fadd double %q, 1.0",
                          "double %r");
  unsigned Last = 0;
  for (unsigned I = 1; I < M.Operations.size(); ++I)
    if (M.Operations[I].Class == OpClass::Fp64Add)
      Last = I;
  ASSERT_NE(Last, 0u);
  // Walking back from the sum one reaches the reciprocal at the start.
  bool Reached = false;
  for (unsigned At = Last; !M.Operations[At].Operands.empty();) {
    At = M.Operations[At].Operands[0].Producer;
    Reached = Reached || M.Operations[At].Class == OpClass::Sfu;
  }
  EXPECT_TRUE(Reached) << dump(M);
}

TEST(LoweringOperations, LibraryFunctionsNeedNoBody) {
  KernelModel M = compute("%r = call float @__nv_expf(float %x)", "float %r",
                          "declare float @__nv_expf(float)\n");
  EXPECT_EQ(countOf(M, OpClass::Sfu), 1u) << dump(M);
  EXPECT_TRUE(M.Unknowns.empty());
  KernelModel Fma =
      compute("%r = call float @__nv_fmaf(float %x, float %y, float %z)",
              "float %r", "declare float @__nv_fmaf(float, float, float)\n");
  EXPECT_EQ(sequence(Fma), "fp32_fma");
}

TEST(LoweringOperations, ABodyOfALibraryFunctionChangesNothing) {
  std::string Call = "%r = call float @__nv_sinf(float %x)";
  KernelModel Declared =
      compute(Call, "float %r", "declare float @__nv_sinf(float)\n");
  KernelModel Defined = compute(Call, "float %r", R"(
define float @__nv_sinf(float %v) {
  %slow = fcmp ogt float %v, 1.0e5
  br i1 %slow, label %a, label %b
a:
  ret float 0.0
b:
  ret float %v
}
)");
  EXPECT_EQ(sequence(Declared), sequence(Defined));
}

TEST(LoweringOperations, ResultsThroughPointersStayInRegisters) {
  KernelModel M =
      compute(R"(
  %s = alloca float
  %c = alloca float
  call void @__nv_sincosf(float %x, ptr %s, ptr %c)
  %sv = load float, ptr %s
  %cv = load float, ptr %c
  %r = fadd float %sv, %cv)",
              "float %r", "declare void @__nv_sincosf(float, ptr, ptr)\n");
  EXPECT_EQ(M.Accesses.size(), 1u) << dump(M);
  EXPECT_EQ(M.Res.LocalBytes, 0u);
}

TEST(LoweringOperations, FastMathOfNvccApproximatesWhatClangDoesNot) {
  auto Operations = [](const std::string &Flags, const std::string &Denormals,
                       const std::string &Name) {
    return extract(R"(
define ptx_kernel void @k(ptr %out, float %x) #0 {
  %r = call )" + Flags +
                   " float @" + Name + R"((float %x, float 3.0)
  store float %r, ptr %out
  ret void
}
declare float @)" + Name +
                   R"((float, float)
attributes #0 = { "denormal-fp-math-f32"=")" +
                   Denormals + "\" }\n")
        .Operations.size();
  };
  size_t Fast = Operations("", "preserve-sign,preserve-sign", "__nv_fast_powf"),
         Slow = Operations("", "preserve-sign,preserve-sign", "__nv_powf");
  EXPECT_LT(Fast, Slow);
  EXPECT_EQ(Operations("afn", "preserve-sign,preserve-sign", "__nv_powf"),
            Fast);
  // clang's -ffast-math calls powf, with and without denormals.
  EXPECT_EQ(Operations("afn", "ieee,ieee", "__nv_powf"), Slow);
  EXPECT_EQ(Operations("fast", "preserve-sign,preserve-sign", "__nv_powf"),
            Slow);
}

TEST(LoweringOperations, WhatTheTableLacksIsListed) {
  KernelModel M = compute("call void @mystery(i32 %i)", "i32 %i",
                          "declare void @mystery(i32)\n");
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_EQ(M.Unknowns[0].Kind, Unknown::Call);
  EXPECT_NE(M.Unknowns[0].What.find("mystery"), std::string::npos);
}

TEST(LoweringOperations, RecursionIsListed) {
  KernelModel M = extract(R"(
define i32 @f(i32 %n) {
  %z = icmp sgt i32 %n, 1
  br i1 %z, label %more, label %stop
more:
  %m = sub i32 %n, 1
  %a = call i32 @f(i32 %m)
  %p = sub i32 %n, 2
  %b = call i32 @f(i32 %p)
  %s = add i32 %a, %b
  ret i32 %s
stop:
  ret i32 1
}
define ptx_kernel void @k(ptr %out, i32 %n) {
  %r = call i32 @f(i32 %n)
  store i32 %r, ptr %out
  ret void
}
)");
  bool Listed = false;
  for (const Unknown &U : M.Unknowns)
    Listed =
        Listed || (U.Kind == Unknown::Call && U.IsLeftOut &&
                   U.Why.find("recursive") != std::string::npos &&
                   U.Why.find("for unknown arguments") != std::string::npos);
  EXPECT_TRUE(Listed) << dump(M);
  // One level: two subtractions, an addition and calls.
  unsigned Additions = 0;
  for (const Operation &Op : M.Operations)
    Additions += Op.Class == OpClass::IntAdd ? Op.Count : 0;
  EXPECT_GE(Additions, 2u);
}

TEST(LoweringOperations, ShortConditionsInConditionsBecomePredicates) {
  // if (first && second) more: Work additions stand between the conditions.
  auto Branches = [](unsigned Work) {
    std::string Adds, Last = "%x";
    for (unsigned I = 0; I < Work; ++I) {
      std::string Next = "%s" + std::to_string(I);
      Adds += "  " + Next + " = fadd float " + Last + ", %z\n";
      Last = Next;
    }
    KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, float %x, float %y, float %z) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = sitofp i32 %tid to float
  %first = fcmp olt float %t, %y
  br i1 %first, label %outer, label %join
outer:
)" + Adds + "  %second = fcmp olt float " +
                                Last + R"(, %t
  br i1 %second, label %inner, label %join
inner:
  %more = fadd float %y, %z
  br label %join
join:
  %r = phi float [ 0.0, %0 ], [ 1.0, %outer ], [ %more, %inner ]
  store float %r, ptr %out
  br label %end
end:
  ret void
}
)",
                            Pipeline::Skip);
    return countOf(M, OpClass::Branch);
  };
  unsigned Exit = 1;
  EXPECT_EQ(Branches(2), Exit);
  // The inner one still is a predicate, the outer one jumps and meets again.
  EXPECT_EQ(Branches(12), Exit + 3);
}

TEST(LoweringOperations, ASideOfABranchIsPredicatedUpToTheLimitsOfPtxas) {
  // if (tid < 7) { x = in[0]; x = x + z; ...; out[0] = x; }
  auto IsPredicated = [](unsigned Work, bool Loads, bool Atomic,
                         llvm::StringRef Compared) {
    std::string Code = Loads ? "  %v = load float, ptr addrspace(1) %in\n" : "",
                Last = Loads ? "%v" : "%x";
    for (unsigned I = 0; I < Work; ++I) {
      std::string Next = "%s" + std::to_string(I);
      Code += "  " + Next + " = fadd float " + Last + ", %z\n";
      Last = Next;
    }
    Code += Atomic ? "  %o = atomicrmw fadd ptr addrspace(1) %out, float " +
                         Last + " monotonic\n"
                   : "  store float " + Last + ", ptr addrspace(1) %out\n";
    KernelModel M = extract(
        R"(
define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in, float %x,
                          float %z, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 )" +
            Compared.str() + R"(, 7
  br i1 %inside, label %side, label %join
side:
)" + Code + R"(  br label %join
join:
  br label %end
end:
  ret void
}
)",
        Pipeline::Skip);
    bool HasBlock = llvm::any_of(
        M.Blocks, [](const BasicBlock &B) { return B.Predicated; });
    EXPECT_EQ(HasBlock, countOf(M, OpClass::Branch) == 1) << dump(M);
    return HasBlock;
  };
  // 7 additions and the store: 8 machine instructions.
  EXPECT_TRUE(IsPredicated(7, false, false, "%tid"));
  EXPECT_FALSE(IsPredicated(8, false, false, "%tid"));
  EXPECT_TRUE(IsPredicated(5, false, false, "%n"));
  EXPECT_FALSE(IsPredicated(6, false, false, "%n"));
  // With a load from global memory 20.
  EXPECT_TRUE(IsPredicated(18, true, false, "%tid"));
  EXPECT_FALSE(IsPredicated(19, true, false, "%tid"));
  EXPECT_FALSE(IsPredicated(1, false, true, "%tid"));
}

TEST(LoweringOperations, SpecialRegistersAreReadOnceAndSizesAreOperands) {
  KernelModel M = compute(R"(
  %t2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %a = mul i32 %tid, %n
  %r = xor i32 %a, %t2)",
                          "i32 %r");
  EXPECT_EQ(countOf(M, OpClass::SpecialRegister), 1u) << dump(M);
}

TEST(LoweringOperations, VotesReductionsAndMatchesAreDifferentUnits) {
  EXPECT_EQ(sequence(compute("%r = call i1 @llvm.nvvm.vote.any.sync(i32 -1, "
                             "i1 true)\n%w = zext i1 %r to i32",
                             "i32 %w", "", Pipeline::Skip)),
            "vote select");
  EXPECT_EQ(
      sequence(compute(
          "%r = call i32 @llvm.nvvm.redux.sync.add(i32 %i, i32 -1)", "i32 %r")),
      "warp_reduce move");
  EXPECT_EQ(sequence(compute("%r = call i32 @llvm.nvvm.match.any.sync.i64(i32 "
                             "-1, i64 %l)",
                             "i32 %r")),
            "warp_reduce");
  // The result of a barrier with a reduction is read from the barrier.
  KernelModel M =
      compute("%r = call i32 @llvm.nvvm.barrier0.popc(i32 %i)", "i32 %r");
  auto IsBarrier = [](const Operation &Op) {
    return Op.Class == OpClass::Barrier;
  };
  auto Barrier = llvm::find_if(M.Operations, IsBarrier);
  ASSERT_NE(Barrier, M.Operations.end());
  EXPECT_EQ(std::next(Barrier)->Class, OpClass::SpecialRegister);
}

TEST(LoweringOperations, AtomicsGoByTheirSpace) {
  KernelModel M = extract(R"(
@bins = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds [64 x i32], ptr addrspace(3) @bins, i32 0, i32 %tid
  %o = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
  %q = getelementptr inbounds i32, ptr %a, i32 %tid
  %r = atomicrmw add ptr %q, i32 %o monotonic
  ret void
}
)");
  EXPECT_EQ(countOf(M, OpClass::AtomicShared), 1u);
  EXPECT_EQ(countOf(M, OpClass::AtomicGlobal), 1u);
  ASSERT_EQ(M.Accesses.size(), 2u);
  EXPECT_TRUE(M.Accesses[0].ReturnsValue);
  EXPECT_FALSE(M.Accesses[1].ReturnsValue);
  EXPECT_TRUE(M.Accesses[1].BypassL1);
}

TEST(LoweringOperations, MatrixInstructionsKnowTheirMultiplyAdds) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %ld) {
  %f = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %a, i32 %ld)
  ret void
}
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
)",
                          Pipeline::Skip);
  // 16 x 16 halves are 512 bytes: 16 for each of 32 lanes.
  unsigned Bytes = 0;
  std::set<double> Seen;
  for (const MemoryAccess &A : M.Accesses) {
    Bytes += A.BytesPerThread;
    for (long Lane = 0; Lane < 32; ++Lane)
      Seen.insert(valueOf(A.Address, {{"threadIdx.x", Lane},
                                      {"threadIdx.y", 0},
                                      {"threadIdx.z", 0},
                                      {"blockDim.x", 32},
                                      {"blockDim.y", 1},
                                      {"ld", 64}}));
  }
  EXPECT_EQ(Bytes, 16u);
  // Every word of the 16 rows of 32 bytes, once; rows are 128 bytes apart.
  EXPECT_EQ(Seen.size(), 128u);
  EXPECT_EQ(*Seen.rbegin(), 15 * 128 + 28);
}

TEST(LoweringOperations, InlineAssemblyIsReadByMnemonic) {
  KernelModel M = compute(R"(
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0x96;", "=r,r,r,r"(i32 %i, i32 %j, i32 %tid)
  call void asm sideeffect "bar.sync 0;", ""())",
                          "i32 %r");
  EXPECT_EQ(countOf(M, OpClass::Logic), 1u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::Barrier), 1u);
  KernelModel Copy = extract(R"(
define ptx_kernel void @k(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds <4 x float>, ptr %a, i32 %tid
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l,~{memory}"(i32 %tid, ptr %p)
  ret void
}
)");
  ASSERT_EQ(countOf(Copy, OpClass::AsyncCopy), 1u) << dump(Copy);
  EXPECT_EQ(Copy.Accesses[0].Kind, AccessKind::AsyncCopy);
  EXPECT_EQ(Copy.Accesses[0].Address.str(), "16*threadIdx.x");
  EXPECT_EQ(Copy.Accesses[0].BytesPerThread, 16u);
}

TEST(LoweringOperations, MemoryOfOtherBlocksIsAnAssumption) {
  KernelModel M = compute(
      R"(
  %r = call i32 asm "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r"(i32 %i, i32 %j))",
      "i32 %r");
  ASSERT_EQ(M.Unknowns.size(), 1u) << dump(M);
  EXPECT_EQ(M.Unknowns[0].What.rfind("distributed shared memory", 0), 0u);
}

TEST(LoweringOperations, PartsOfAWideValueAreItsRegisters) {
  // The second word of 16 bytes is a register; what begins inside of one is
  // a funnel shift; pairs of halves of a vector are registers, too.
  const char *Wide = R"(
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %v = load i128, ptr addrspace(1) %a, align 16
  %s = lshr i128 %v, SHIFT
  %w = trunc i128 %s to i32
  store i32 %w, ptr addrspace(1) %out
  ret void
}
)";
  auto With = [&](const std::string &Shift) {
    std::string Text = Wide;
    Text.replace(Text.find("SHIFT"), 5, Shift);
    return extract(Text);
  };
  EXPECT_EQ(countOf(With("32"), OpClass::Shift), 0u);
  EXPECT_EQ(countOf(With("72"), OpClass::Shift), 1u);
  auto Pair = [](const std::string &Mask) {
    return extract(R"(
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %v = load <8 x half>, ptr addrspace(1) %a, align 16
  %p = shufflevector <8 x half> %v, <8 x half> poison, <2 x i32> )" +
                   Mask + R"(
  %s = fadd <2 x half> %p, %p
  store <2 x half> %s, ptr addrspace(1) %out
  ret void
}
)");
  };
  EXPECT_EQ(countOf(Pair("<i32 2, i32 3>"), OpClass::BitField), 0u);
  EXPECT_EQ(countOf(Pair("<i32 1, i32 2>"), OpClass::BitField), 1u);
}

TEST(LoweringOperations, TheReferencePageIsTheTable) {
  auto File = llvm::MemoryBuffer::getFile(std::string(GPU_ESTIMATE_SOURCE_DIR) +
                                          "/docs/operations.md");
  ASSERT_TRUE(File) << "docs/operations.md is missing";
  // The page has an opening between the title and the table.
  std::string Reference = operationReference();
  std::string Table = Reference.substr(Reference.find("\n\n"));
  EXPECT_NE((*File)->getBuffer().find(Table), llvm::StringRef::npos)
      << "run scripts/check-docs --fix";
}

TEST(LoweringOperations, EachPtxInstructionHasAMeaningAndACost) {
  // Control flow, which has no row of its own in the table of meanings.
  static constexpr llvm::StringLiteral Control[] = {"bra", "brkpt", "exit",
                                                    "ret", "trap"};
  llvm::StringRef Before;
  for (const PtxInstructionRow &Row : ptxInstructionTable()) {
    EXPECT_LT(Before, Row.Opcode) << "the table is searched by halves";
    Before = Row.Opcode;
    EXPECT_EQ(Row.Estimated != nullptr, !Row.InIr.empty()) << Row.Opcode.str();
    // MatrixEmitter prices products by their shape.
    std::string Key = ("ptx:" + Row.Opcode + ".").str();
    EXPECT_TRUE(Row.Estimated || Row.Opcode == "wgmma" || findOpRow(Key))
        << Row.Opcode.str() << " stays inline assembly, and has no cost";
  }
  for (const OpRow &Row : assemblyRows()) {
    llvm::StringRef Key = Row.Key;
    ASSERT_TRUE(Key.consume_front("ptx:"));
    llvm::StringRef Opcode = Key.split('.').first;
    bool IsPrefix = Opcode.consume_back("*"); // "vadd*": vadd2 and vadd4
    EXPECT_TRUE(Opcode.empty() || llvm::is_contained(Control, Opcode) ||
                llvm::any_of(ptxInstructionTable(),
                             [&](const PtxInstructionRow &Known) {
                               return IsPrefix
                                          ? Known.Opcode.starts_with(Opcode)
                                          : Known.Opcode == Opcode;
                             }))
        << Opcode.str() << " has a cost and no meaning";
  }
}

TEST(LoweringOperations, ConversionsTakeBytesOfARegister) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b) {
  %v = load i32, ptr %a
  %b0 = and i32 %v, 255
  %s1 = lshr i32 %v, 8
  %b1 = and i32 %s1, 255
  %b3 = lshr i32 %v, 24
  %f0 = uitofp i32 %b0 to float
  %f1 = uitofp i32 %b1 to float
  %f3 = uitofp i32 %b3 to float
  %x = fadd float %f0, %f1
  %y = fadd float %x, %f3
  store float %y, ptr %b
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_EQ(countOf(M, OpClass::Shift), 0u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::Logic), 0u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::Convert16), 3u) << dump(M);
}

TEST(LoweringOperations, APredicateIsNoByteOfARegister) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(i32 %x, i32 %y, ptr noalias %b) {
  %c = icmp slt i32 %x, %y
  %e = zext i1 %c to i32
  %s = shl i32 %e, 8
  %l = and i32 %x, 255
  %o = or i32 %l, %s
  store i32 %o, ptr %b
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_EQ(countOf(M, OpClass::Select), 1u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::BitField), 1u) << dump(M);
}

TEST(LoweringOperations, BytesArePutTogetherByPermutations) {
  // As bfi of PTX and as a vector of the source.
  auto Permutations = [](const std::string &Body) {
    KernelModel M = extract("define ptx_kernel void @k(i8 %p, i8 %q, i8 %r, "
                            "i8 %s, i32 %o, ptr noalias %b) {\n" +
                                Body + "  ret void\n}\n",
                            Pipeline::Skip);
    EXPECT_EQ(countOf(M, OpClass::Shift), 0u) << dump(M);
    EXPECT_EQ(countOf(M, OpClass::Logic), 0u) << dump(M);
    return countOf(M, OpClass::BitField);
  };
  EXPECT_EQ(Permutations(R"(
  %p4 = zext i8 %p to i32
  %q4 = zext i8 %q to i32
  %r4 = zext i8 %r to i32
  %q8 = shl i32 %q4, 8
  %pq = or i32 %p4, %q8
  %r8 = shl i32 %r4, 16
  %r9 = and i32 %r8, 16711680
  %pqr = or i32 %pq, %r9
  %o8 = shl i32 %o, 24
  %all = or i32 %pqr, %o8
  store i32 %all, ptr %b
)"),
            3u);
  EXPECT_EQ(Permutations(R"(
  %v0 = insertelement <4 x i8> undef, i8 %p, i64 0
  %v1 = insertelement <4 x i8> %v0, i8 %q, i64 1
  %v2 = insertelement <4 x i8> %v1, i8 %r, i64 2
  %v3 = insertelement <4 x i8> %v2, i8 %s, i64 3
  store <4 x i8> %v3, ptr %b
)"),
            3u);
}

} // namespace
