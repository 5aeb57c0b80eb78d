/// \file
/// Inline PTX as LLVM instructions (PTX ISA, chapters "Instruction Operands"
/// and "Instruction Set").
#include "AssemblyLowering.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuestimate {

Value *AssemblyLowering::run() {
  bindOperands();
  auto *Text = cast<InlineAsm>(Call.getCalledOperand());
  // Comments, and braces that only open a scope of registers.
  std::string Clean;
  StringRef Rest = Text->getAsmString();
  while (!Rest.empty()) {
    auto [Line, Next] = Rest.split('\n');
    Clean += Line.split("//").first;
    Clean += ' ';
    Rest = Next;
  }
  SmallVector<StringRef> Pieces;
  StringRef(Clean).split(Pieces, ';');
  for (StringRef Piece : Pieces) {
    Piece = Piece.trim();
    while (Piece.consume_front("{") || Piece.consume_front("}"))
      Piece = Piece.trim();
    Statement S;
    if (!parse(Piece, S))
      continue;
    if (!lower(S)) {
      if (Problem.empty())
        fail(Piece);
      return nullptr;
    }
  }
  if (Outputs.empty())
    return nullptr;
  auto output = [&](unsigned I) -> Value * {
    Value *V = Registers.lookup("$" + utostr(I));
    return V ? coerce(V, Outputs[I]) : PoisonValue::get(Outputs[I]);
  };
  if (!Call.getType()->isStructTy())
    return output(0);
  Value *Result = PoisonValue::get(Call.getType());
  for (unsigned I = 0; I != Outputs.size(); ++I)
    Result = B.CreateInsertValue(Result, output(I), I);
  return Result;
}

void AssemblyLowering::bindOperands() {
  auto *Text = cast<InlineAsm>(Call.getCalledOperand());
  if (auto *S = dyn_cast<StructType>(Call.getType()))
    Outputs.append(S->element_begin(), S->element_end());
  else if (!Call.getType()->isVoidTy())
    Outputs.push_back(Call.getType());
  unsigned Number = 0, Argument = 0;
  for (const auto &C : Text->ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    std::string Name = "$" + utostr(Number++);
    if (C.Type != InlineAsm::isInput)
      continue;
    Value *V = Call.getArgOperand(Argument++);
    Registers[Name] = V;
    // An input in the place of an output gives its first value.
    StringRef Code = C.Codes.empty() ? StringRef() : StringRef(C.Codes[0]);
    unsigned Tied;
    if (!Code.getAsInteger(10, Tied))
      Registers["$" + utostr(Tied)] = V;
  }
}

/// Splits at commas outside of brackets and braces.
static void splitOperands(StringRef Text, SmallVectorImpl<StringRef> &Result) {
  unsigned Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    if (I < Text.size() && (Text[I] == '{' || Text[I] == '['))
      ++Depth;
    else if (I < Text.size() && (Text[I] == '}' || Text[I] == ']'))
      --Depth;
    else if (I == Text.size() || (Text[I] == ',' && Depth == 0)) {
      StringRef Operand = Text.slice(Begin, I).trim();
      if (!Operand.empty())
        Result.push_back(Operand);
      Begin = I + 1;
    }
  }
}

bool AssemblyLowering::parse(StringRef Text, Statement &S) {
  if (Text.empty())
    return false;
  if (Text.consume_front("@")) {
    size_t End = Text.find_first_of(" \t");
    S.Guard = Text.substr(0, End);
    Text = Text.substr(std::min(End, Text.size())).trim();
  }
  size_t End = Text.find_first_of(" \t");
  StringRef Opcode = Text.substr(0, End);
  Text = Text.substr(std::min(End, Text.size())).trim();
  if (Opcode == ".reg") {
    auto [Type, Names] = Text.split(' ');
    Type = Type.trim();
    SmallVector<StringRef> List;
    splitOperands(Names, List);
    for (StringRef Name : List)
      Declared[Name.trim("%")] = typeNamed(Type.drop_front(), B.getContext());
    return false;
  }
  Opcode.split(S.Words, '.', -1, /*KeepEmpty=*/false);
  splitOperands(Text, S.Operands);
  return true;
}

bool AssemblyLowering::fail(const Twine &What) {
  Problem = ("the PTX '" + What + "'").str();
  return false;
}

Type *AssemblyLowering::typeNamed(StringRef Word, LLVMContext &C) {
  return StringSwitch<Type *>(Word)
      .Case("pred", Type::getInt1Ty(C))
      .Cases("u8", "s8", "b8", Type::getInt8Ty(C))
      .Cases("u16", "s16", "b16", Type::getInt16Ty(C))
      .Cases("u32", "s32", "b32", Type::getInt32Ty(C))
      .Cases("u64", "s64", "b64", Type::getInt64Ty(C))
      .Case("b128", Type::getInt128Ty(C))
      .Case("f16", Type::getHalfTy(C))
      .Case("bf16", Type::getBFloatTy(C))
      .Case("f16x2", FixedVectorType::get(Type::getHalfTy(C), 2))
      .Case("bf16x2", FixedVectorType::get(Type::getBFloatTy(C), 2))
      .Case("f32", Type::getFloatTy(C))
      .Case("f64", Type::getDoubleTy(C))
      .Default(nullptr);
}

Type *AssemblyLowering::typeOf(const Statement &S) const {
  for (StringRef Word : reverse(S.Words))
    if (Type *T = typeNamed(Word, B.getContext()))
      return T;
  return nullptr;
}

bool AssemblyLowering::has(const Statement &S, StringRef Word) {
  return is_contained(S.Words, Word);
}

bool AssemblyLowering::isSigned(const Statement &S) {
  for (StringRef Word : reverse(S.Words))
    if (Word == "s8" || Word == "s16" || Word == "s32" || Word == "s64")
      return true;
  return false;
}

Value *AssemblyLowering::coerce(Value *V, Type *T) {
  if (V->getType() == T)
    return V;
  if (V->getType()->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  if (V->getType() == T)
    return V;
  auto integer = [&](Type *Any) {
    return B.getIntNTy(Any->isPointerTy() ? 64 : Any->getPrimitiveSizeInBits());
  };
  V = B.CreateBitCast(V, integer(V->getType()));
  V = B.CreateZExtOrTrunc(V, integer(T));
  return T->isPointerTy() ? B.CreateIntToPtr(V, T) : B.CreateBitCast(V, T);
}

Value *AssemblyLowering::read(StringRef Operand, Type *T) {
  if (Operand.starts_with("%")) {
    StringRef Name = Operand.drop_front();
    if (Value *V = Registers.lookup(Name))
      return coerce(V, T);
    std::string Register = Name.str();
    if (StringRef(Register).starts_with("lanemask_"))
      std::replace(Register.begin(), Register.end(), '_', '.');
    if (Register == "WARP_SZ")
      Register = "warpsize";
    Value *V = MakeRegister(Register);
    return V ? coerce(V, T) : nullptr;
  }
  if (Value *V = Registers.lookup(Operand))
    return coerce(V, T);
  bool Negative = Operand.consume_front("-");
  StringRef Digits = Operand;
  if (Digits.starts_with_insensitive("0f") && Digits.size() == 10) {
    uint32_t Bits;
    if (Digits.drop_front(2).getAsInteger(16, Bits))
      return nullptr;
    return coerce(ConstantFP::get(B.getFloatTy(), APFloat(APFloat::IEEEsingle(),
                                                          APInt(32, Bits))),
                  T);
  }
  if (Digits.starts_with_insensitive("0d") && Digits.size() == 18) {
    uint64_t Bits;
    if (Digits.drop_front(2).getAsInteger(16, Bits))
      return nullptr;
    return coerce(
        ConstantFP::get(B.getDoubleTy(),
                        APFloat(APFloat::IEEEdouble(), APInt(64, Bits))),
        T);
  }
  if (Digits.ends_with("U"))
    Digits = Digits.drop_back();
  uint64_t Number;
  if (!Digits.getAsInteger(0, Number)) {
    if (T->isFloatingPointTy())
      return ConstantFP::get(T, Negative ? -double(Number) : double(Number));
    return coerce(B.getInt64(Negative ? -Number : Number), T);
  }
  // Written before it is read on every path of a correct program.
  if (Declared.count(Operand) || Operand.starts_with("$"))
    return PoisonValue::get(T);
  fail("operand " + Operand);
  return nullptr;
}

Value *AssemblyLowering::readPredicate(StringRef Operand) {
  bool Not = Operand.consume_front("!");
  Value *V = read(Operand, B.getInt1Ty());
  return V && Not ? B.CreateNot(V) : V;
}

void AssemblyLowering::write(const Statement &S, StringRef Operand, Value *V) {
  if (Operand == "_" || !V)
    return;
  Operand = Operand.trim("%");
  if (!S.Guard.empty()) {
    Value *Old = Registers.lookup(Operand);
    if (Old)
      V = B.CreateSelect(readPredicate(S.Guard), V, coerce(Old, V->getType()));
  }
  Registers[Operand] = V;
}

/// [register], [register + number], [$0 + 4]
Value *AssemblyLowering::address(const Statement &S, StringRef Operand) {
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return nullptr;
  auto [Base, Offset] = Operand.split('+');
  Base = Base.trim();
  Value *V = Registers.lookup(Base.trim("%"));
  if (!V)
    return nullptr;
  Type *Long = B.getInt64Ty();
  if (has(S, "shared") || has(S, "shared::cta")) {
    // The lower half of an address that lies near the block's shared memory.
    Value *From = B.CreatePtrToInt(SharedBase, Long);
    Value *Low = coerce(V, B.getInt32Ty());
    Value *Distance = B.CreateSub(Low, B.CreateTrunc(From, B.getInt32Ty()));
    V = B.CreateAdd(From, B.CreateSExt(Distance, Long));
  } else {
    V = coerce(V, Long);
  }
  if (!Offset.trim().empty()) {
    int64_t Number;
    if (Offset.trim().getAsInteger(0, Number))
      return nullptr;
    V = B.CreateAdd(V, B.getInt64(Number));
  }
  return B.CreateIntToPtr(V, B.getPtrTy());
}

bool AssemblyLowering::lower(const Statement &S) {
  StringRef Op = S.Words.empty() ? StringRef() : S.Words.front();
  if (Op == "membar" || Op == "fence") {
    B.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  if (Op == "nanosleep" || Op == "prefetch" || Op == "prefetchu" ||
      Op == "discard" || Op == "applypriority" || Op == "pragma" ||
      Op == "griddepcontrol" || Op == "setmaxnreg")
    return true; // no effect on values
  if (Op == "trap" || Op == "brkpt") {
    MakeIntrinsic("trap", B.getVoidTy(), {});
    return true;
  }
  if (Op == "mov" || Op == "cvta" || Op == "selp" || Op == "createpolicy")
    return lowerMove(S);
  if (Op == "setp" || Op == "set")
    return lowerCompare(S);
  if (Op == "cvt")
    return lowerConvert(S);
  if (Op == "ld" || Op == "st" || Op == "ldu")
    return lowerMemory(S);
  if (Op == "atom" || Op == "red")
    return lowerAtomic(S);
  if (Op == "shfl" || Op == "vote" || Op == "bar" || Op == "barrier" ||
      Op == "activemask" || Op == "match" || Op == "redux" || Op == "elect")
    return lowerWarp(S);
  if (Op == "cp")
    return lowerAsyncCopy(S);
  if (Op.starts_with("v") && (Op.ends_with("2") || Op.ends_with("4")))
    return lowerVideo(S);
  if (has(S, "cc") || Op == "addc" || Op == "subc" || Op == "madc")
    return lowerCarry(S);
  Type *T = typeOf(S);
  if (!T)
    return false;
  if (T->isFPOrFPVectorTy())
    return lowerReal(S);
  return lowerInteger(S) || (Problem.empty() && lowerBits(S));
}

bool AssemblyLowering::lowerMove(const Statement &S) {
  StringRef Op = S.Words.front();
  Type *T = typeOf(S);
  if (Op == "createpolicy") { // how long a cache keeps lines
    write(S, S.Operands[0], B.getInt64(0));
    return true;
  }
  if (Op == "selp") {
    if (S.Operands.size() != 4)
      return false;
    Value *A = read(S.Operands[1], T), *C = read(S.Operands[2], T);
    Value *P = readPredicate(S.Operands[3]);
    if (!A || !C || !P)
      return false;
    write(S, S.Operands[0], B.CreateSelect(P, A, C));
    return true;
  }
  if (S.Operands.size() != 2 || !T)
    return false;
  StringRef To = S.Operands[0], From = S.Operands[1];
  auto parts = [](StringRef Vector) {
    SmallVector<StringRef> Result;
    splitOperands(Vector.drop_front().drop_back(), Result);
    return Result;
  };
  unsigned Bits = T->getPrimitiveSizeInBits();
  if (To.starts_with("{")) { // unpack
    Value *V = read(From, B.getIntNTy(Bits));
    auto Names = parts(To);
    if (!V)
      return false;
    unsigned Width = Bits / Names.size();
    for (unsigned I = 0; I != Names.size(); ++I)
      write(S, Names[I],
            B.CreateTrunc(B.CreateLShr(V, I * Width), B.getIntNTy(Width)));
    return true;
  }
  if (From.starts_with("{")) { // pack
    auto Names = parts(From);
    unsigned Width = Bits / Names.size();
    Value *Sum = B.getIntN(Bits, 0);
    for (unsigned I = 0; I != Names.size(); ++I) {
      Value *V = read(Names[I], B.getIntNTy(Width));
      if (!V)
        return false;
      Sum = B.CreateOr(
          Sum, B.CreateShl(B.CreateZExt(V, B.getIntNTy(Bits)), I * Width));
    }
    write(S, To, Sum);
    return true;
  }
  Value *V = T->isIntegerTy(1) ? readPredicate(From) : read(From, T);
  write(S, To, V);
  return V;
}

bool AssemblyLowering::lowerInteger(const Statement &S) {
  StringRef Op = S.Words.front();
  Type *T = typeOf(S);
  bool Signed = isSigned(S);
  SmallVector<Value *> In;
  static constexpr StringLiteral Known[] = {
      "add", "sub", "mul", "mad", "div",   "rem",  "min",
      "max", "abs", "neg", "sad", "mul24", "mad24"};
  if (!is_contained(Known, Op))
    return false;
  for (StringRef Operand : ArrayRef(S.Operands).drop_front()) {
    Type *OperandType = T;
    // mul.wide.u32: the product, and what is added to it, have 64 bits.
    if (has(S, "wide") && In.size() == 2)
      OperandType = B.getIntNTy(2 * T->getIntegerBitWidth());
    Value *V = read(Operand, OperandType);
    if (!V)
      return false;
    In.push_back(V);
  }
  auto widen = [&](Value *V, Type *Wide) {
    return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
  };
  auto less = [&](Value *X, Value *Y) {
    return Signed ? B.CreateICmpSLT(X, Y) : B.CreateICmpULT(X, Y);
  };
  Value *R = nullptr;
  if (In.size() >= 2 && (Op == "mul" || Op == "mad")) {
    Type *Wide = B.getIntNTy(2 * T->getIntegerBitWidth());
    if (has(S, "wide"))
      R = B.CreateMul(widen(In[0], Wide), widen(In[1], Wide));
    else if (has(S, "hi"))
      R = B.CreateTrunc(
          B.CreateLShr(B.CreateMul(widen(In[0], Wide), widen(In[1], Wide)),
                       T->getIntegerBitWidth()),
          T);
    else
      R = B.CreateMul(In[0], In[1]);
    if (Op == "mad" && In.size() == 3)
      R = B.CreateAdd(R, In[2]);
  } else if (In.size() == 2) {
    if (Op == "add")
      R = has(S, "sat")
              ? B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, In[0], In[1])
              : B.CreateAdd(In[0], In[1]);
    else if (Op == "sub")
      R = has(S, "sat")
              ? B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, In[0], In[1])
              : B.CreateSub(In[0], In[1]);
    else if (Op == "div")
      R = Signed ? B.CreateSDiv(In[0], In[1]) : B.CreateUDiv(In[0], In[1]);
    else if (Op == "rem")
      R = Signed ? B.CreateSRem(In[0], In[1]) : B.CreateURem(In[0], In[1]);
    else if (Op == "min")
      R = B.CreateSelect(less(In[0], In[1]), In[0], In[1]);
    else if (Op == "max")
      R = B.CreateSelect(less(In[0], In[1]), In[1], In[0]);
  } else if (In.size() == 1) {
    if (Op == "abs")
      R = B.CreateBinaryIntrinsic(Intrinsic::abs, In[0], B.getFalse());
    else if (Op == "neg")
      R = B.CreateNeg(In[0]);
  } else if (In.size() == 3 && Op == "sad") {
    R = B.CreateAdd(In[2], B.CreateSelect(less(In[0], In[1]),
                                          B.CreateSub(In[1], In[0]),
                                          B.CreateSub(In[0], In[1])));
  }
  if (!R)
    return false;
  write(S, S.Operands[0], R);
  return true;
}

/// SIMD video instructions (PTX ISA, "SIMD Video Instructions"): two or four
/// lanes of a register, vadd2.u32.s32.s32.sat and its kin. Without a mask,
/// which would take lanes of the third source.
bool AssemblyLowering::lowerVideo(const Statement &S) {
  StringRef Op = S.Words.front();
  unsigned Lanes = Op.back() - '0', Width = 32 / Lanes;
  Op = Op.drop_front().drop_back();
  bool IsSet = Op == "set";
  size_t NumTypes = IsSet ? 2 : 3;
  if (S.Operands.size() != 4 || S.Words.size() < NumTypes + 1)
    return false;
  ArrayRef<StringRef> Types = ArrayRef(S.Words).slice(1, NumTypes);
  ArrayRef<StringRef> Rest = ArrayRef(S.Words).drop_front(NumTypes + 1);
  bool Saturates = is_contained(Rest, "sat"), Adds = is_contained(Rest, "add");
  if (Rest.size() != size_t(Saturates) + Adds + IsSet)
    return false;
  Type *Int = B.getInt32Ty();
  Type *Wide = FixedVectorType::get(Int, Lanes);
  Type *Narrow = FixedVectorType::get(B.getIntNTy(Width), Lanes);
  auto source = [&](unsigned I, StringRef Type) -> Value * {
    Value *V = read(S.Operands[I], Int);
    return V ? B.CreateIntCast(B.CreateBitCast(V, Narrow), Wide, Type == "s32")
             : nullptr;
  };
  Value *X = source(1, Types[NumTypes - 2]), *Y = source(2, Types.back());
  Value *Sum = read(S.Operands[3], Int);
  if (!X || !Y || !Sum)
    return false;
  auto all = [&](int64_t Number) {
    return ConstantInt::getSigned(Wide, Number);
  };
  auto pick = [&](CmpInst::Predicate P, Value *V, Value *W) {
    return B.CreateSelect(B.CreateICmp(P, V, W), V, W);
  };
  Value *R = nullptr;
  if (Op == "add") {
    R = B.CreateAdd(X, Y);
  } else if (Op == "sub") {
    R = B.CreateSub(X, Y);
  } else if (Op == "absdiff") {
    R = B.CreateBinaryIntrinsic(Intrinsic::abs, B.CreateSub(X, Y),
                                B.getFalse());
  } else if (Op == "avrg") { // rounded up, away from zero
    R = B.CreateAdd(X, Y);
    R = B.CreateAdd(R, B.CreateZExt(B.CreateICmpSGE(R, all(0)), Wide));
    R = B.CreateAShr(R, all(1));
  } else if (Op == "min") {
    R = pick(CmpInst::ICMP_SLT, X, Y);
  } else if (Op == "max") {
    R = pick(CmpInst::ICMP_SGT, X, Y);
  } else if (IsSet) {
    auto P = StringSwitch<CmpInst::Predicate>(Rest.front())
                 .Case("eq", CmpInst::ICMP_EQ)
                 .Case("ne", CmpInst::ICMP_NE)
                 .Case("lt", CmpInst::ICMP_SLT)
                 .Case("le", CmpInst::ICMP_SLE)
                 .Case("gt", CmpInst::ICMP_SGT)
                 .Case("ge", CmpInst::ICMP_SGE)
                 .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (P != CmpInst::BAD_ICMP_PREDICATE)
      R = B.CreateZExt(B.CreateICmp(P, X, Y), Wide);
  }
  if (!R)
    return false;
  if (Saturates) {
    bool Signed = Types.front() == "s32";
    int64_t Low = Signed ? -(1 << (Width - 1)) : 0,
            High = (1 << (Signed ? Width - 1 : Width)) - 1;
    R = pick(CmpInst::ICMP_SGT, R, all(Low));
    R = pick(CmpInst::ICMP_SLT, R, all(High));
  }
  write(S, S.Operands[0],
        Adds ? B.CreateAdd(Sum, B.CreateAddReduce(R))
             : B.CreateBitCast(B.CreateTrunc(R, Narrow), Int));
  return true;
}

bool AssemblyLowering::lowerBits(const Statement &S) {
  StringRef Op = S.Words.front();
  Type *T = typeOf(S), *Int = B.getInt32Ty();
  auto in = [&](unsigned I, Type *As) -> Value * {
    return I < S.Operands.size() ? read(S.Operands[I], As) : nullptr;
  };
  Value *X = in(1, T);
  if (!X)
    return false;
  unsigned Width = T->getIntegerBitWidth();
  Value *R = nullptr;
  if (Op == "and" || Op == "or" || Op == "xor") {
    Value *Y = Width == 1 ? readPredicate(S.Operands[2]) : in(2, T);
    if (Width == 1)
      X = readPredicate(S.Operands[1]);
    if (!X || !Y)
      return false;
    R = Op == "and"  ? B.CreateAnd(X, Y)
        : Op == "or" ? B.CreateOr(X, Y)
                     : B.CreateXor(X, Y);
  } else if (Op == "not") {
    R = B.CreateNot(X);
  } else if (Op == "cnot") {
    R = B.CreateZExt(B.CreateICmpEQ(X, ConstantInt::get(T, 0)), T);
  } else if (Op == "shl" || Op == "shr") {
    // Distances of the width and more shift everything out.
    Value *By = in(2, Int);
    if (!By)
      return false;
    Value *Far = B.CreateICmpUGE(By, B.getInt32(Width));
    Value *Distance =
        B.CreateZExtOrTrunc(B.CreateSelect(Far, B.getInt32(Width - 1), By), T);
    if (Op == "shr" && isSigned(S))
      R = B.CreateAShr(X, Distance);
    else
      R = B.CreateSelect(Far, ConstantInt::get(T, 0),
                         Op == "shl" ? B.CreateShl(X, Distance)
                                     : B.CreateLShr(X, Distance));
  } else if (Op == "shf" && S.Operands.size() == 4) {
    Value *High = in(2, T), *By = in(3, Int);
    if (!High || !By)
      return false;
    if (has(S, "clamp"))
      By = B.CreateSelect(B.CreateICmpUGT(By, B.getInt32(32)), B.getInt32(32),
                          By);
    else
      By = B.CreateAnd(By, 31);
    Type *Long = B.getInt64Ty();
    Value *Both = B.CreateOr(B.CreateZExt(X, Long),
                             B.CreateShl(B.CreateZExt(High, Long), 32));
    By = B.CreateZExt(By, Long);
    R = has(S, "l") ? B.CreateTrunc(B.CreateLShr(B.CreateShl(Both, By), 32), T)
                    : B.CreateTrunc(B.CreateLShr(Both, By), T);
  } else if (Op == "popc") {
    R = B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, X), Int);
  } else if (Op == "clz") {
    R = B.CreateZExtOrTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()), Int);
  } else if (Op == "brev") {
    R = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, X);
  } else if (Op == "bfind") {
    Value *Y = isSigned(S)
                   ? B.CreateSelect(B.CreateICmpSLT(X, ConstantInt::get(T, 0)),
                                    B.CreateNot(X), X)
                   : X;
    Value *Zeros = B.CreateZExtOrTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, Y, B.getFalse()), Int);
    R = B.CreateSub(B.getInt32(Width - 1), Zeros); // all ones for zero
  } else if (Op == "bmsk") {
    Value *Length = in(2, Int);
    if (!Length)
      return false;
    Value *All = Constant::getAllOnesValue(T), *None = ConstantInt::get(T, 0);
    Value *Limit = ConstantInt::get(Int, 32);
    Value *Start = B.CreateAnd(X, 31);
    Value *End = B.CreateAdd(Start, B.CreateAnd(Length, 31));
    Value *From = B.CreateShl(All, Start);
    Value *IsOpen = B.CreateICmpUGE(End, Limit); // all bits from Start
    if (has(S, "clamp")) {
      From = B.CreateSelect(B.CreateICmpUGE(X, Limit), None, From);
      IsOpen = B.CreateOr(IsOpen, B.CreateICmpUGE(Length, Limit));
    }
    Value *Behind = B.CreateShl(All, B.CreateAnd(End, 31));
    R = B.CreateAnd(From, B.CreateNot(B.CreateSelect(IsOpen, None, Behind)));
  } else if (Op == "bfe") {
    Value *Start = in(2, Int), *Length = in(3, Int);
    if (!Start || !Length || isSigned(S))
      return false;
    Type *Long = B.getIntNTy(2 * Width);
    auto low8 = [&](Value *V) {
      return B.CreateZExt(B.CreateAnd(V, 0xff), Long);
    };
    Value *Limit = ConstantInt::get(Long, Width);
    auto atMost = [&](Value *V) {
      return B.CreateSelect(B.CreateICmpUGT(V, Limit), Limit, V);
    };
    Value *Shifted = B.CreateLShr(B.CreateZExt(X, Long), atMost(low8(Start)));
    Value *Mask = B.CreateSub(
        B.CreateShl(ConstantInt::get(Long, 1), atMost(low8(Length))),
        ConstantInt::get(Long, 1));
    R = B.CreateTrunc(B.CreateAnd(Shifted, Mask), T);
  } else if (Op == "bfi" && S.Operands.size() == 5) {
    Value *Into = in(2, T), *Start = in(3, Int), *Length = in(4, Int);
    if (!Into || !Start || !Length)
      return false;
    Type *Long = B.getIntNTy(2 * Width);
    Value *Limit = ConstantInt::get(Long, Width);
    auto atMost = [&](Value *V) {
      V = B.CreateZExt(B.CreateAnd(V, 0xff), Long);
      return B.CreateSelect(B.CreateICmpUGT(V, Limit), Limit, V);
    };
    Value *Ones =
        B.CreateSub(B.CreateShl(ConstantInt::get(Long, 1), atMost(Length)),
                    ConstantInt::get(Long, 1));
    Value *Mask = B.CreateTrunc(B.CreateShl(Ones, atMost(Start)), T);
    Value *Placed =
        B.CreateTrunc(B.CreateShl(B.CreateZExt(X, Long), atMost(Start)), T);
    R = B.CreateOr(B.CreateAnd(Placed, Mask),
                   B.CreateAnd(Into, B.CreateNot(Mask)));
  } else if (Op == "lop3" && S.Operands.size() == 5) {
    Value *Y = in(2, T), *Z = in(3, T);
    auto *Table = dyn_cast_or_null<ConstantInt>(in(4, Int));
    if (!Y || !Z || !Table)
      return false;
    // Bit i of the table is the result where the operands' bits are i.
    R = ConstantInt::get(T, 0);
    for (unsigned I = 0; I != 8; ++I) {
      if (!(Table->getZExtValue() >> I & 1))
        continue;
      Value *Term = I & 4 ? X : B.CreateNot(X);
      Term = B.CreateAnd(Term, I & 2 ? Y : B.CreateNot(Y));
      R = B.CreateOr(R, B.CreateAnd(Term, I & 1 ? Z : B.CreateNot(Z)));
    }
  } else if (Op == "prmt" && S.Operands.size() == 4 && S.Words.size() == 2) {
    Value *Y = in(2, T), *Z = in(3, T);
    if (!Y || !Z)
      return false;
    R = MakeIntrinsic("prmt", Int, {X, Y, Z});
  } else if (Op == "dp4a" && S.Operands.size() == 4) {
    Value *Y = in(2, Int), *Z = in(3, Int);
    if (!Y || !Z || S.Words.size() != 3)
      return false;
    bool SignedX = S.Words[1].starts_with("s"),
         SignedY = S.Words[2].starts_with("s");
    R = Z;
    for (unsigned I = 0; I != 4; ++I) {
      auto byte = [&](Value *V, bool Signed) {
        V = B.CreateTrunc(B.CreateLShr(V, 8 * I), B.getInt8Ty());
        return Signed ? B.CreateSExt(V, Int) : B.CreateZExt(V, Int);
      };
      R = B.CreateAdd(R, B.CreateMul(byte(X, SignedX), byte(Y, SignedY)));
    }
  }
  if (!R)
    return false;
  write(S, S.Operands[0], R);
  return true;
}

/// Chains of additions through the carry flag, in arithmetic of twice the
/// width.
bool AssemblyLowering::lowerCarry(const Statement &S) {
  StringRef Op = S.Words.front();
  Type *T = typeOf(S);
  if (!T || !T->isIntegerTy() || !S.Guard.empty())
    return false;
  unsigned Width = T->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(2 * Width);
  SmallVector<Value *> In;
  for (StringRef Operand : ArrayRef(S.Operands).drop_front()) {
    Value *V = read(Operand, T);
    if (!V)
      return false;
    In.push_back(B.CreateZExt(V, Wide));
  }
  bool WithCarry = Op.ends_with("c");
  Value *Flag = WithCarry ? Carry : B.getFalse();
  if (!Flag)
    return false;
  Flag = B.CreateZExt(Flag, Wide);
  Value *Sum = nullptr;
  if ((Op == "add" || Op == "addc") && In.size() == 2) {
    Sum = B.CreateAdd(B.CreateAdd(In[0], In[1]), Flag);
  } else if ((Op == "sub" || Op == "subc") && In.size() == 2) {
    Sum = B.CreateSub(B.CreateSub(In[0], In[1]), Flag);
  } else if ((Op == "mad" || Op == "madc") && In.size() == 3) {
    Value *Product = B.CreateMul(In[0], In[1]);
    Value *Mask = B.CreateSub(B.CreateShl(ConstantInt::get(Wide, 1), Width),
                              ConstantInt::get(Wide, 1));
    Product = has(S, "hi") ? B.CreateLShr(Product, Width)
                           : B.CreateAnd(Product, Mask);
    Sum = B.CreateAdd(B.CreateAdd(Product, In[2]), Flag);
  } else {
    return false;
  }
  write(S, S.Operands[0], B.CreateTrunc(Sum, T));
  if (has(S, "cc"))
    Carry = B.CreateTrunc(B.CreateLShr(Sum, Width), B.getInt1Ty());
  return true;
}

bool AssemblyLowering::lowerReal(const Statement &S) {
  StringRef Op = S.Words.front();
  Type *T = typeOf(S);
  // Rounding away from the nearest is left to the intrinsics of the source.
  if (has(S, "rz") || has(S, "rm") || has(S, "rp"))
    return false;
  SmallVector<Value *> In;
  for (StringRef Operand : ArrayRef(S.Operands).drop_front()) {
    Value *V = read(Operand, T);
    if (!V)
      return false;
    In.push_back(V);
  }
  auto unary = [&](Intrinsic::ID Id) {
    return B.CreateUnaryIntrinsic(Id, In[0]);
  };
  Value *One = ConstantFP::get(T, 1.0), *R = nullptr;
  if (In.size() == 1) {
    R = Op == "rcp"     ? B.CreateFDiv(One, In[0])
        : Op == "sqrt"  ? unary(Intrinsic::sqrt)
        : Op == "rsqrt" ? B.CreateFDiv(One, unary(Intrinsic::sqrt))
        : Op == "ex2"   ? unary(Intrinsic::exp2)
        : Op == "lg2"   ? unary(Intrinsic::log2)
        : Op == "sin"   ? unary(Intrinsic::sin)
        : Op == "cos"   ? unary(Intrinsic::cos)
        : Op == "tanh"  ? MakeIntrinsic("tanh.approx", T, {In[0]})
        : Op == "abs"   ? unary(Intrinsic::fabs)
        : Op == "neg"   ? B.CreateFNeg(In[0])
                        : nullptr;
  } else if (In.size() == 2) {
    R = Op == "add"   ? B.CreateFAdd(In[0], In[1])
        : Op == "sub" ? B.CreateFSub(In[0], In[1])
        : Op == "mul" ? B.CreateFMul(In[0], In[1])
        : Op == "div" ? B.CreateFDiv(In[0], In[1])
        : Op == "min" ? B.CreateBinaryIntrinsic(Intrinsic::minnum, In[0], In[1])
        : Op == "max" ? B.CreateBinaryIntrinsic(Intrinsic::maxnum, In[0], In[1])
        : Op == "copysign"
            ? B.CreateBinaryIntrinsic(Intrinsic::copysign, In[1], In[0])
            : nullptr;
  } else if (In.size() == 3 && (Op == "fma" || Op == "mad")) {
    R = B.CreateIntrinsic(Intrinsic::fma, {T}, In);
  }
  if (!R)
    return false;
  if (has(S, "sat") || has(S, "relu"))
    R = B.CreateBinaryIntrinsic(Intrinsic::maxnum, R, ConstantFP::get(T, 0.0));
  if (has(S, "sat"))
    R = B.CreateBinaryIntrinsic(Intrinsic::minnum, R, One);
  write(S, S.Operands[0], R);
  return true;
}

/// setp.lt.s32 p, a, b; setp.lt.and.s32 p|q, a, b, c
bool AssemblyLowering::lowerCompare(const Statement &S) {
  Type *T = typeOf(S);
  if (!T || S.Operands.size() < 3 || S.Words.front() == "set")
    return false;
  Value *X = read(S.Operands[1], T), *Y = read(S.Operands[2], T);
  if (!X || !Y)
    return false;
  StringRef How = S.Words[1];
  bool Signed = isSigned(S), Real = T->isFPOrFPVectorTy();
  auto P = StringSwitch<CmpInst::Predicate>(How)
               .Case("eq", Real ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ)
               .Case("ne", Real ? CmpInst::FCMP_ONE : CmpInst::ICMP_NE)
               .Cases("lt", "lo",
                      Real     ? CmpInst::FCMP_OLT
                      : Signed ? CmpInst::ICMP_SLT
                               : CmpInst::ICMP_ULT)
               .Cases("le", "ls",
                      Real     ? CmpInst::FCMP_OLE
                      : Signed ? CmpInst::ICMP_SLE
                               : CmpInst::ICMP_ULE)
               .Cases("gt", "hi",
                      Real     ? CmpInst::FCMP_OGT
                      : Signed ? CmpInst::ICMP_SGT
                               : CmpInst::ICMP_UGT)
               .Cases("ge", "hs",
                      Real     ? CmpInst::FCMP_OGE
                      : Signed ? CmpInst::ICMP_SGE
                               : CmpInst::ICMP_UGE)
               .Case("neu", CmpInst::FCMP_UNE)
               .Case("ltu", CmpInst::FCMP_ULT)
               .Case("num", CmpInst::FCMP_ORD)
               .Case("nan", CmpInst::FCMP_UNO)
               .Default(CmpInst::BAD_ICMP_PREDICATE);
  if (P == CmpInst::BAD_ICMP_PREDICATE)
    return false;
  Value *R = Real ? B.CreateFCmp(P, X, Y) : B.CreateICmp(P, X, Y);
  auto [First, Second] = S.Operands[0].split('|');
  Value *Inverse = B.CreateNot(R);
  if (S.Operands.size() == 4) {
    Value *Other = readPredicate(S.Operands[3]);
    if (!Other)
      return false;
    auto join = [&](Value *V) {
      return has(S, "and")  ? B.CreateAnd(V, Other)
             : has(S, "or") ? B.CreateOr(V, Other)
                            : B.CreateXor(V, Other);
    };
    R = join(R);
    Inverse = join(Inverse);
  }
  write(S, First, R);
  if (!Second.empty())
    write(S, Second, Inverse);
  return true;
}

/// cvt.rn.f32.s32 d, a: the first type is the result's.
bool AssemblyLowering::lowerConvert(const Statement &S) {
  SmallVector<StringRef> Types;
  for (StringRef Word : S.Words)
    if (typeNamed(Word, B.getContext()))
      Types.push_back(Word);
  if (Types.size() != 2 || S.Operands.size() < 2)
    return false;
  Type *To = typeNamed(Types[0], B.getContext()),
       *From = typeNamed(Types[1], B.getContext());
  bool FromSigned = Types[1].starts_with("s"),
       ToSigned = Types[0].starts_with("s");
  if (To->isVectorTy() || From->isVectorTy()) {
    // cvt.rn.f16x2.f32 d, a, b: a is the upper half.
    if (From->isVectorTy() || S.Operands.size() != 3)
      return false;
    return false;
  }
  Value *V = read(S.Operands[1], From), *R = nullptr;
  if (!V)
    return false;
  if (From->isIntegerTy() && To->isIntegerTy())
    R = FromSigned ? B.CreateSExtOrTrunc(V, To) : B.CreateZExtOrTrunc(V, To);
  else if (From->isIntegerTy())
    R = FromSigned ? B.CreateSIToFP(V, To) : B.CreateUIToFP(V, To);
  else if (To->isIntegerTy()) {
    Intrinsic::ID Round = has(S, "rni")   ? Intrinsic::roundeven
                          : has(S, "rmi") ? Intrinsic::floor
                          : has(S, "rpi") ? Intrinsic::ceil
                                          : Intrinsic::trunc;
    V = B.CreateUnaryIntrinsic(Round, V);
    R = B.CreateIntrinsic(ToSigned ? Intrinsic::fptosi_sat
                                   : Intrinsic::fptoui_sat,
                          {To, From}, {V});
  } else {
    if (has(S, "rz") || has(S, "rm") || has(S, "rp"))
      return false;
    R = B.CreateFPCast(V, To);
  }
  write(S, S.Operands[0], R);
  return true;
}

bool AssemblyLowering::lowerMemory(const Statement &S) {
  bool IsStore = S.Words.front() == "st";
  Type *T = typeOf(S);
  if (!T || S.Operands.size() < 2)
    return false;
  Value *P = address(S, S.Operands[IsStore ? 0 : 1]);
  if (!P)
    return false;
  bool Ordered = has(S, "volatile") || has(S, "relaxed") || has(S, "acquire") ||
                 has(S, "release") || has(S, "mmio");
  StringRef Data = S.Operands[IsStore ? 1 : 0];
  SmallVector<StringRef> Parts;
  if (Data.consume_front("{")) {
    Data.consume_back("}");
    splitOperands(Data, Parts);
  } else {
    Parts.push_back(Data);
  }
  unsigned Bytes = T->getPrimitiveSizeInBits() / 8;
  Value *Guard = S.Guard.empty() ? nullptr : readPredicate(S.Guard);
  if (Guard && Ordered)
    return false;
  // A vector's parts keep their order; the flag that others wait for is last.
  for (unsigned I = 0; I != Parts.size(); ++I) {
    Value *Place = B.CreateConstInBoundsGEP1_64(T, P, I);
    if (Guard) {
      auto *Vector = FixedVectorType::get(T, 1);
      Value *Mask = B.CreateInsertElement(
          PoisonValue::get(FixedVectorType::get(B.getInt1Ty(), 1)), Guard,
          uint64_t(0));
      if (IsStore) {
        Value *V = read(Parts[I], T);
        if (!V)
          return false;
        B.CreateMaskedStore(
            B.CreateInsertElement(PoisonValue::get(Vector), V, uint64_t(0)),
            Place, Align(Bytes), Mask);
      } else {
        Value *V = B.CreateMaskedLoad(Vector, Place, Align(Bytes), Mask);
        write(S, Parts[I], B.CreateExtractElement(V, uint64_t(0)));
      }
      continue;
    }
    if (IsStore) {
      Value *V = read(Parts[I], T);
      if (!V)
        return false;
      StoreInst *Store = B.CreateAlignedStore(V, Place, Align(Bytes), Ordered);
      if (Ordered && Bytes <= 8)
        Store->setAtomic(AtomicOrdering::Release);
    } else {
      LoadInst *Load = B.CreateAlignedLoad(T, Place, Align(Bytes), Ordered);
      if (Ordered && Bytes <= 8)
        Load->setAtomic(AtomicOrdering::Acquire);
      Value *V = Load;
      if (isSigned(S) && Bytes < 4)
        V = B.CreateSExt(V, B.getInt32Ty());
      write(S, Parts[I], V);
    }
  }
  return true;
}

/// atom.global.add.u32 d, [a], b; red.global.add.f32 [a], b
bool AssemblyLowering::lowerAtomic(const Statement &S) {
  bool HasResult = S.Words.front() == "atom";
  Type *T = typeOf(S);
  if (!T || !S.Guard.empty() || S.Operands.size() < 2u + HasResult)
    return false;
  Value *P = address(S, S.Operands[HasResult]);
  if (!P)
    return false;
  bool Real = T->isFPOrFPVectorTy(), Signed = isSigned(S);
  Value *R = nullptr;
  if (has(S, "cas")) {
    Type *Bits = B.getIntNTy(T->getPrimitiveSizeInBits());
    Value *Old = read(S.Operands[2], Bits), *New = read(S.Operands[3], Bits);
    if (!Old || !New)
      return false;
    R = B.CreateExtractValue(
        B.CreateAtomicCmpXchg(P, Old, New, MaybeAlign(),
                              AtomicOrdering::AcquireRelease,
                              AtomicOrdering::Acquire),
        0);
  } else {
    auto Op = AtomicRMWInst::BAD_BINOP;
    for (StringRef Word : S.Words) {
      auto Named =
          StringSwitch<AtomicRMWInst::BinOp>(Word)
              .Case("add", Real ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
              .Case("exch", AtomicRMWInst::Xchg)
              .Case("min", Real     ? AtomicRMWInst::FMin
                           : Signed ? AtomicRMWInst::Min
                                    : AtomicRMWInst::UMin)
              .Case("max", Real     ? AtomicRMWInst::FMax
                           : Signed ? AtomicRMWInst::Max
                                    : AtomicRMWInst::UMax)
              .Case("and", AtomicRMWInst::And)
              .Case("or", AtomicRMWInst::Or)
              .Case("xor", AtomicRMWInst::Xor)
              .Case("inc", AtomicRMWInst::UIncWrap)
              .Case("dec", AtomicRMWInst::UDecWrap)
              .Default(AtomicRMWInst::BAD_BINOP);
      if (Named != AtomicRMWInst::BAD_BINOP)
        Op = Named;
    }
    Value *V = read(S.Operands[1 + HasResult], T);
    if (Op == AtomicRMWInst::BAD_BINOP || !V)
      return false;
    R = B.CreateAtomicRMW(Op, P, V, MaybeAlign(),
                          AtomicOrdering::AcquireRelease);
  }
  if (HasResult)
    write(S, S.Operands[0], R);
  return true;
}

bool AssemblyLowering::lowerWarp(const Statement &S) {
  if (!S.Guard.empty())
    return false;
  StringRef Op = S.Words.front();
  Type *Int = B.getInt32Ty(), *Bit = B.getInt1Ty();
  auto in = [&](unsigned I) -> Value * {
    return I < S.Operands.size() ? read(S.Operands[I], Int) : nullptr;
  };
  if (Op == "activemask") {
    write(S, S.Operands[0], MakeIntrinsic("activemask", Int, {}));
    return true;
  }
  if (Op == "bar" || Op == "barrier") {
    if (has(S, "warp")) {
      Value *Mask = in(0);
      return Mask &&
             (MakeIntrinsic("bar.warp.sync", B.getVoidTy(), {Mask}), true);
    }
    if (!has(S, "sync") || has(S, "cluster"))
      return false;
    Value *Number = in(0);
    if (!Number)
      return false;
    if (S.Operands.size() == 1) {
      MakeIntrinsic("barrier.sync", B.getVoidTy(), {Number});
      return true;
    }
    Value *Count = in(1);
    return Count &&
           (MakeIntrinsic("barrier.sync.cnt", B.getVoidTy(), {Number, Count}),
            true);
  }
  if (Op == "shfl") {
    // shfl.sync.up.b32 d|p, a, b, c, mask
    Value *Data = in(1), *Lane = in(2), *Clamp = in(3);
    bool Sync = has(S, "sync");
    Value *Mask = Sync ? in(4) : nullptr;
    if (!Data || !Lane || !Clamp || (Sync && !Mask))
      return false;
    StringRef Kind = has(S, "up")     ? "up"
                     : has(S, "down") ? "down"
                     : has(S, "bfly") ? "bfly"
                                      : "idx";
    SmallVector<Value *> Arguments = {Data, Lane, Clamp};
    if (Sync)
      Arguments.insert(Arguments.begin(), Mask);
    Type *Pair = StructType::get(Int, Bit);
    Value *R = MakeIntrinsic(
        (Twine("shfl.") + (Sync ? "sync." : "") + Kind + ".i32p").str(), Pair,
        Arguments);
    if (!R)
      return false;
    auto [To, Valid] = S.Operands[0].split('|');
    write(S, To, B.CreateExtractValue(R, 0));
    if (!Valid.empty())
      write(S, Valid, B.CreateExtractValue(R, 1));
    return true;
  }
  if (Op == "vote") {
    // vote.sync.ballot.b32 d, p, mask
    Value *P = readPredicate(S.Operands[1]);
    Value *Mask = has(S, "sync") ? in(2) : B.getInt32(-1);
    if (!P || !Mask)
      return false;
    bool Ballot = has(S, "ballot");
    StringRef Name = Ballot          ? "vote.ballot.sync"
                     : has(S, "all") ? "vote.all.sync"
                     : has(S, "any") ? "vote.any.sync"
                                     : "vote.uni.sync";
    write(S, S.Operands[0], MakeIntrinsic(Name, Ballot ? Int : Bit, {Mask, P}));
    return true;
  }
  if (Op == "match" && has(S, "any")) {
    Type *T = typeOf(S);
    // match.any.sync.b64 d, a, mask: the type is that of a.
    Value *Data = read(S.Operands[1], T), *Mask = in(2);
    if (!Data || !Mask)
      return false;
    write(S, S.Operands[0], MakeIntrinsic("match.any.sync", Int, {Mask, Data}));
    return true;
  }
  if (Op == "redux") {
    Value *Data = in(1), *Mask = in(2);
    if (!Data || !Mask || S.Words.size() < 4)
      return false;
    StringRef Kind = S.Words[2];
    bool Unsigned =
        S.Words.back().starts_with("u") && (Kind == "min" || Kind == "max");
    write(S, S.Operands[0],
          MakeIntrinsic(
              (Twine("redux.sync.") + (Unsigned ? "u" : "") + Kind).str(), Int,
              {Mask, Data}));
    return true;
  }
  return false;
}

/// cp.async.ca.shared.global [to], [from], bytes, source bytes: done at once.
bool AssemblyLowering::lowerAsyncCopy(const Statement &S) {
  if (!has(S, "async") || has(S, "bulk"))
    return false;
  if (has(S, "commit_group") || has(S, "wait_group") || has(S, "wait_all"))
    return true;
  if (S.Operands.size() < 3 || !S.Guard.empty())
    return false;
  Statement From = S;
  erase(From.Words, "shared");
  erase(From.Words, "shared::cta");
  Value *To = address(S, S.Operands[0]), *Source = address(From, S.Operands[1]);
  auto *Bytes =
      dyn_cast_or_null<ConstantInt>(read(S.Operands[2], B.getInt32Ty()));
  if (!To || !Source || !Bytes)
    return false;
  uint64_t Count = Bytes->getZExtValue();
  if (S.Operands.size() == 3) {
    B.CreateMemCpy(To, Align(4), Source, Align(4), Count);
    return true;
  }
  Value *Read = read(S.Operands[3], B.getInt32Ty());
  if (!Read)
    return false;
  B.CreateMemSet(To, B.getInt8(0), Count, Align(4));
  B.CreateMemCpy(To, Align(4), Source, Align(4),
                 B.CreateZExt(Read, B.getInt64Ty()));
  return true;
}

} // namespace gpuestimate
