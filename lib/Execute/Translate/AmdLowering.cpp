/// \file
/// Intrinsics of AMDGPU: registers and waits, exchanges between lanes, and
/// arithmetic that LLVM IR has no word for. What each one computes stands in
/// AMD's instruction set manuals ("AMD Instinct MI200 instruction set
/// architecture" for gfx90a, "RDNA 3" for gfx11).
#include "AmdLowering.h"
#include "CallLowering.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numbers>
#include <optional>

using namespace llvm;

namespace gpuestimate {

Value *AmdLowering::valueOfLane(Value *V, Value *Lane, Builder &B) {
  Type *T = V->getType();
  Value *R = Calls.collective(CollectiveKind::Permute, nullptr, V,
                              B.CreateShl(Lane, 2), nullptr, B);
  return B.CreateBitCast(
      B.CreateTrunc(R, B.getIntNTy(T->getPrimitiveSizeInBits())), T);
}

namespace {

/// Where a lane reads from, and whether there is such a lane.
struct SourceLane {
  Value *Lane, *Exists;
};

} // namespace

/// The patterns of data-parallel primitives (DPP). A row is 16 lanes.
static std::optional<SourceLane> sourceOfDpp(unsigned Control, Value *Lane,
                                             Value *WarpSize, IRBuilder<> &B) {
  auto number = [&](unsigned N) { return B.getInt32(N); };
  auto with = [&](Value *V) { return SourceLane{V, B.getTrue()}; };
  Value *InRow = B.CreateAnd(Lane, 15), *Row = B.CreateAnd(Lane, ~15u);
  auto within = [&](Value *V) { // of the row, else there is none
    return SourceLane{B.CreateAdd(Row, V), B.CreateICmpULT(V, number(16))};
  };
  unsigned Count = Control & 15;
  if (Control <= 0xff) { // quad_perm
    Value *Shift = B.CreateShl(B.CreateAnd(Lane, 3), 1);
    return with(
        B.CreateOr(B.CreateAnd(Lane, ~3u),
                   B.CreateAnd(B.CreateLShr(number(Control), Shift), 3)));
  }
  if (Control > 0x100 && Control <= 0x10f) // row_shl
    return within(B.CreateAdd(InRow, number(Count)));
  if (Control > 0x110 && Control <= 0x11f) // row_shr
    return within(B.CreateSub(InRow, number(Count)));
  if (Control > 0x120 && Control <= 0x12f) // row_ror
    return with(
        B.CreateOr(Row, B.CreateAnd(B.CreateSub(InRow, number(Count)), 15)));
  if (Control == 0x130 || Control == 0x138) { // wave_shl, wave_shr by one
    Value *From = B.CreateAdd(Lane, number(Control == 0x130 ? 1 : -1u));
    return SourceLane{From, B.CreateICmpULT(From, WarpSize)};
  }
  if (Control == 0x134 || Control == 0x13c) { // wave_rol, wave_ror by one
    Value *From = B.CreateAdd(Lane, number(Control == 0x134 ? 1 : -1u));
    return with(B.CreateAnd(From, B.CreateSub(WarpSize, number(1))));
  }
  if (Control == 0x140) // row_mirror
    return with(B.CreateXor(Lane, 15));
  if (Control == 0x141) // row_half_mirror
    return with(B.CreateXor(Lane, 7));
  if (Control == 0x142 || Control == 0x143) { // row_bcast 15 and 31
    unsigned Lanes = Control == 0x142 ? 16 : 32;
    Value *From = B.CreateSub(B.CreateAnd(Lane, ~(Lanes - 1)), number(1));
    return SourceLane{From, B.CreateICmpUGE(Lane, number(Lanes))};
  }
  if (Control >= 0x150 && Control <= 0x15f) // row_share
    return with(B.CreateOr(Row, number(Count)));
  if (Control >= 0x160 && Control <= 0x16f) // row_xmask
    return with(B.CreateXor(Lane, number(Count)));
  return std::nullopt;
}

/// Null if the intrinsic exchanges nothing between lanes.
Value *AmdLowering::exchange(CallBase &Call, StringRef Name, Builder &B) {
  using enum CollectiveKind;
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  auto constant = [&](unsigned I) -> std::optional<unsigned> {
    if (const auto *C = dyn_cast<ConstantInt>(argument(I)))
      return unsigned(C->getZExtValue());
    return std::nullopt;
  };
  Type *T = Call.getType(), *Int = B.getInt32Ty();
  auto lane = [&] { return Calls.lowerRegister("laneid", Int, B); };
  if (Name.starts_with("ballot."))
    return B.CreateZExtOrTrunc(
        Calls.collective(Ballot, nullptr, argument(0), nullptr, nullptr, B), T);
  bool FitsLane = !T->isVoidTy() && !T->isAggregateType() &&
                  T->getPrimitiveSizeInBits() > 0 &&
                  T->getPrimitiveSizeInBits() <= 64;
  if (!FitsLane)
    return nullptr;
  if (Name.starts_with("readfirstlane")) {
    Value *R =
        Calls.collective(FirstLane, nullptr, argument(0), nullptr, nullptr, B);
    return B.CreateBitCast(
        B.CreateTrunc(R, B.getIntNTy(T->getPrimitiveSizeInBits())), T);
  }
  if (Name.starts_with("readlane"))
    return valueOfLane(argument(0), argument(1), B);
  if (Name == "ds.bpermute")
    return valueOfLane(argument(1), B.CreateLShr(argument(0), 2), B);
  if (Name == "permlane64")
    return valueOfLane(argument(0), B.CreateXor(lane(), 32), B);
  if (std::optional<unsigned> Offset;
      Name == "ds.swizzle" && (Offset = constant(1))) {
    Value *Lane = lane(), *From;
    if (*Offset & 0x8000) { // of four lanes
      Value *Shift = B.CreateShl(B.CreateAnd(Lane, 3), 1);
      From = B.CreateOr(
          B.CreateAnd(Lane, ~3u),
          B.CreateAnd(B.CreateLShr(B.getInt32(*Offset & 0xff), Shift), 3));
    } else { // by masks, of 32 lanes
      Value *In = B.CreateAnd(Lane, *Offset & 31);
      In = B.CreateXor(B.CreateOr(In, *Offset >> 5 & 31), *Offset >> 10 & 31);
      From = B.CreateOr(B.CreateAnd(Lane, ~31u), In);
    }
    return valueOfLane(argument(0), From, B);
  }
  bool Moves = Name.starts_with("mov.dpp.");
  if (!Moves && !Name.starts_with("update.dpp."))
    return nullptr;
  unsigned First = Moves ? 0 : 1; // update has the old value before the source
  std::optional<unsigned> Control = constant(First + 1),
                          Rows = constant(First + 2),
                          Banks = constant(First + 3),
                          Bound = constant(First + 4);
  if (!Control || !Rows || !Banks || !Bound)
    return nullptr;
  Value *Lane = lane();
  std::optional<SourceLane> Source =
      sourceOfDpp(*Control, Lane, Calls.lowerRegister("warpsize", Int, B), B);
  if (!Source)
    return nullptr;
  Value *Old = Moves ? Constant::getNullValue(T) : argument(0);
  Value *From = B.CreateSelect(Source->Exists, Source->Lane, Lane);
  Value *Read = valueOfLane(argument(First), From, B);
  Read = B.CreateSelect(Source->Exists, Read,
                        *Bound ? Constant::getNullValue(T) : Old);
  auto enabled = [&](unsigned Mask, unsigned Shift) {
    Value *Number = B.CreateAnd(B.CreateLShr(Lane, Shift), 3);
    return B.CreateTrunc(B.CreateLShr(B.getInt32(Mask), Number), B.getInt1Ty());
  };
  return B.CreateSelect(B.CreateAnd(enabled(*Rows, 4), enabled(*Banks, 2)),
                        Read, Old);
}

/// v_perm_b32: the byte of number S of eight (those of Low come first), a sign
/// (8 to 11), 0 (12) or 255 for each byte S of the selector.
static Value *permuteBytes(Value *High, Value *Low, Value *Selector,
                           IRBuilder<> &B) {
  Type *Long = B.getInt64Ty();
  Value *All = B.CreateOr(B.CreateShl(B.CreateZExt(High, Long), 32),
                          B.CreateZExt(Low, Long));
  Value *Result = B.getInt32(0);
  for (unsigned Byte = 0; Byte < 4; ++Byte) {
    Value *S = B.CreateAnd(B.CreateLShr(Selector, 8 * Byte), 255);
    auto at = [&](Value *Bit) {
      return B.CreateTrunc(B.CreateLShr(All, B.CreateZExt(Bit, Long)),
                           B.getInt32Ty());
    };
    Value *Plain = B.CreateAnd(at(B.CreateShl(B.CreateAnd(S, 7), 3)), 255);
    // Selector 8 means bit 15, 9 bit 31, 10 bit 47, 11 bit 63.
    Value *SignBit =
        B.CreateAdd(B.CreateShl(B.CreateAnd(S, 3), 4), B.getInt32(15));
    Value *Sign = B.CreateMul(B.CreateAnd(at(SignBit), 1), B.getInt32(255));
    Value *Fixed = B.CreateSelect(B.CreateICmpEQ(S, B.getInt32(12)),
                                  B.getInt32(0), B.getInt32(255));
    Value *V = B.CreateSelect(
        B.CreateICmpULT(S, B.getInt32(8)), Plain,
        B.CreateSelect(B.CreateICmpULT(S, B.getInt32(12)), Sign, Fixed));
    Result = B.CreateOr(Result, B.CreateShl(V, 8 * Byte));
  }
  return Result;
}

/// The sum of the products of four bytes each, added to Sum.
static Value *dotOfBytes(Value *First, Value *Second, Value *Sum, bool Signed,
                         IRBuilder<> &B) {
  Type *Int = B.getInt32Ty(), *Byte = B.getInt8Ty();
  for (unsigned I = 0; I < 4; ++I) {
    auto byte = [&](Value *V) {
      Value *Low = B.CreateTrunc(B.CreateLShr(V, 8 * I), Byte);
      return Signed ? B.CreateSExt(Low, Int) : B.CreateZExt(Low, Int);
    };
    Sum = B.CreateAdd(Sum, B.CreateMul(byte(First), byte(Second)));
  }
  return Sum;
}

/// Does the last operand ask for a sum that stops at the ends of its range?
static bool isClamped(const CallBase &Call) {
  const auto *Clamp =
      dyn_cast<ConstantInt>(Call.getArgOperand(Call.arg_size() - 1));
  return !Clamp || !Clamp->isZero();
}

/// Arithmetic of reals. Null for what it does not know.
static Value *lowerReal(CallBase &Call, StringRef Op, IRBuilder<> &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  Type *T = Call.getType();
  auto turns = [&] {
    return B.CreateFMul(argument(0), ConstantFP::get(T, 2 * std::numbers::pi));
  };
  if (Op == "rcp")
    return B.CreateFDiv(ConstantFP::get(T, 1.0), argument(0));
  if (Op == "rsq")
    return B.CreateFDiv(ConstantFP::get(T, 1.0),
                        B.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0)));
  if (Op == "sqrt")
    return B.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0));
  if (Op == "exp2")
    return B.CreateUnaryIntrinsic(Intrinsic::exp2, argument(0));
  if (Op == "log")
    return B.CreateUnaryIntrinsic(Intrinsic::log2, argument(0));
  if (Op == "sin")
    return B.CreateUnaryIntrinsic(Intrinsic::sin, turns());
  if (Op == "cos")
    return B.CreateUnaryIntrinsic(Intrinsic::cos, turns());
  if (Op == "fract")
    return B.CreateFSub(argument(0),
                        B.CreateUnaryIntrinsic(Intrinsic::floor, argument(0)));
  if (Op == "fmed3") { // the one in the middle
    Value *Less = B.CreateMinNum(argument(0), argument(1)),
          *More = B.CreateMaxNum(argument(0), argument(1));
    return B.CreateMaxNum(Less, B.CreateMinNum(More, argument(2)));
  }
  if (Op == "fdot2" && !isClamped(Call)) { // of halves, added to a float
    Value *Sum = argument(2);
    for (unsigned I = 0; I < 2; ++I)
      Sum = B.CreateIntrinsic(
          Intrinsic::fma, {T},
          {B.CreateFPExt(B.CreateExtractElement(argument(0), I), T),
           B.CreateFPExt(B.CreateExtractElement(argument(1), I), T), Sum});
    return Sum;
  }
  return nullptr;
}

/// Arithmetic of words. Null for what it does not know.
static Value *lowerWords(CallBase &Call, StringRef Name, IRBuilder<> &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  StringRef Op = Name.split('.').first;
  if (Op == "perm")
    return permuteBytes(argument(0), argument(1), argument(2), B);
  if ((Op == "sdot4" || Op == "udot4") && !isClamped(Call))
    return dotOfBytes(argument(0), argument(1), argument(2), Op == "sdot4", B);
  if (Op == "ubfe" || Op == "sbfe") {
    Value *Width = B.CreateAnd(argument(2), 31);
    Value *Field = B.CreateLShr(argument(0), B.CreateAnd(argument(1), 31));
    Value *Spare = B.CreateSub(B.getInt32(32), Width);
    Value *Is0 = B.CreateICmpEQ(Width, B.getInt32(0));
    Spare = B.CreateSelect(Is0, B.getInt32(0), Spare);
    Field = B.CreateShl(Field, Spare);
    Field =
        Op == "ubfe" ? B.CreateLShr(Field, Spare) : B.CreateAShr(Field, Spare);
    return B.CreateSelect(Is0, B.getInt32(0), Field);
  }
  if (Name.starts_with("mul.u24") || Name.starts_with("mul.i24")) {
    bool Signed = Name.starts_with("mul.i24");
    auto narrow = [&](Value *V) {
      V = B.CreateShl(V, 8);
      return Signed ? B.CreateAShr(V, 8) : B.CreateLShr(V, 8);
    };
    return B.CreateMul(narrow(argument(0)), narrow(argument(1)));
  }
  if (Name == "sad.u8") { // of absolute differences of bytes
    Value *Sum = argument(2);
    for (unsigned I = 0; I < 4; ++I) {
      auto byte = [&](unsigned From) {
        return B.CreateAnd(B.CreateLShr(argument(From), 8 * I), 255);
      };
      Sum = B.CreateAdd(Sum, B.CreateBinaryIntrinsic(
                                 Intrinsic::abs, B.CreateSub(byte(0), byte(1)),
                                 B.getFalse()));
    }
    return Sum;
  }
  return nullptr;
}

/// Null for what it does not know.
static Value *lowerAmdArithmetic(CallBase &Call, StringRef Name,
                                 IRBuilder<> &B) {
  Type *T = Call.getType();
  if (T->isFloatTy() || T->isDoubleTy() || T->isHalfTy())
    return lowerReal(Call, Name.split('.').first, B);
  return T->isIntegerTy(32) ? lowerWords(Call, Name, B) : nullptr;
}

Value *AmdLowering::lower(CallBase &Call, StringRef Name, Builder &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  Type *Int = B.getInt32Ty(), *Long = B.getInt64Ty();
  if (Name.consume_front("workitem.id"))
    return Calls.lowerRegister(("tid" + Name).str(), Int, B);
  if (Name.consume_front("workgroup.id"))
    return Calls.lowerRegister(("ctaid" + Name).str(), Int, B);
  if (Name == "wavefrontsize")
    return Calls.lowerRegister("warpsize", Int, B);
  if (Name == "s.barrier")
    return Calls.barrier(B.getInt32(0), B.getInt32(0), B.getInt32(0), true, B);
  if (Name == "wave.barrier") // a lane reads what others have stored before
    return Calls.collective(CollectiveKind::Sync, nullptr, nullptr, nullptr,
                            nullptr, B);
  if (Name == "s.waitcnt" || Name == "s.setprio" || Name == "iglp.opt" ||
      Name.starts_with("sched."))
    return nullptr;
  if (Name == "s.sleep") {
    return Calls.spin(B);
  }
  if (Name == "s.memtime" || Name == "s.memrealtime")
    return B.CreateIntrinsic(Intrinsic::readcyclecounter, {}, {});
  if (Name == "mbcnt.lo" || Name == "mbcnt.hi") {
    Value *Lane = B.CreateZExt(Calls.lowerRegister("laneid", Int, B), Long);
    Value *Below = B.CreateSub(B.CreateShl(B.getInt64(1), Lane), B.getInt64(1));
    if (Name == "mbcnt.hi")
      Below = B.CreateLShr(Below, 32);
    Value *Bits = B.CreateAnd(argument(0), B.CreateTrunc(Below, Int));
    return B.CreateAdd(argument(1),
                       B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits));
  }
  if (Value *Result = exchange(Call, Name, B))
    return Result;
  if (Value *Result = lowerAmdArithmetic(Call, Name, B))
    return Result;
  return Calls.fail("the intrinsic llvm.amdgcn." + Name);
}

/// One statement of AMD's assembler, whose operands are the result and the
/// arguments in their order ("v_add_f32 $0, $1, $2"), and waits. Null and
/// Unknown for all others.
Value *AmdLowering::lowerAssembly(CallBase &Call, StringRef Text, Builder &B) {
  auto [Mnemonic, Operands] = Text.trim(" \t\n;").split(' ');
  if (Mnemonic.starts_with("s_nop") || Mnemonic.starts_with("s_waitcnt"))
    return nullptr;
  StringRef Name = Mnemonic;
  for (StringRef Encoding : {"_e32", "_e64"})
    Name.consume_back(Encoding);
  SmallVector<StringRef, 4> Given;
  Operands.split(Given, ',');
  bool InOrder = Given.size() == Call.arg_size() + 1;
  for (unsigned I = 0; I < Given.size(); ++I)
    InOrder &= Given[I].trim() == ("$" + Twine(I)).str();
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  auto real = [&](unsigned I) {
    return B.CreateBitCast(argument(I), B.getFloatTy());
  };
  auto word = [&](unsigned I) {
    return B.CreateBitCast(argument(I), B.getInt32Ty());
  };
  Type *T = Call.getType();
  auto result = [&](Value *V) -> Value * { return B.CreateBitCast(V, T); };
  bool IsWord = !T->isVoidTy() && !T->isAggregateType() &&
                T->getPrimitiveSizeInBits() == 32;
  for (const Value *V : Call.args())
    IsWord &= V->getType()->getPrimitiveSizeInBits() == 32;
  if (InOrder && IsWord && Call.arg_size() == 1) {
    if (Name == "v_mov_b32" || Name == "s_mov_b32")
      return result(argument(0));
  } else if (InOrder && IsWord && Call.arg_size() == 2) {
    if (Name == "v_add_f32")
      return result(B.CreateFAdd(real(0), real(1)));
    if (Name == "v_sub_f32")
      return result(B.CreateFSub(real(0), real(1)));
    if (Name == "v_mul_f32")
      return result(B.CreateFMul(real(0), real(1)));
    if (Name == "v_max_f32")
      return result(B.CreateMaxNum(real(0), real(1)));
    if (Name == "v_min_f32")
      return result(B.CreateMinNum(real(0), real(1)));
    if (Name == "v_and_b32")
      return result(B.CreateAnd(word(0), word(1)));
    if (Name == "v_or_b32")
      return result(B.CreateOr(word(0), word(1)));
    if (Name == "v_xor_b32")
      return result(B.CreateXor(word(0), word(1)));
    if (Name == "v_lshlrev_b32") // the shift comes first
      return result(B.CreateShl(word(1), B.CreateAnd(word(0), 31)));
    if (Name == "v_lshrrev_b32")
      return result(B.CreateLShr(word(1), B.CreateAnd(word(0), 31)));
    if (Name == "v_mul_lo_u32")
      return result(B.CreateMul(word(0), word(1)));
  } else if (InOrder && IsWord && Call.arg_size() == 3) {
    if (Name == "v_fma_f32")
      return result(B.CreateIntrinsic(Intrinsic::fma, {B.getFloatTy()},
                                      {real(0), real(1), real(2)}));
    if (Name == "v_add3_u32")
      return result(B.CreateAdd(B.CreateAdd(word(0), word(1)), word(2)));
  }
  return Calls.fail("the instruction '" + Mnemonic + "' in inline assembly");
}

} // namespace gpuestimate
