#include "ExecutedForms.h"

#include "Arithmetic.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Changes no value.
bool PtxExecutedForm::hint() { return true; }

/// Products are complete when wgmma.mma_async ends; the four warps of a group
/// meet where they wait for them.
bool PtxExecutedForm::groupMatrix() {
  bool DoesNothing = I.has("fence") || I.has("commit_group");
  return DoesNothing || runtimeCall();
}

/// Copies of the copy engine; they are complete at once.
bool PtxExecutedForm::copy() {
  if (I.has("commit_group") || I.has("wait_group"))
    return true;
  bool IsOfBarrier = I.has("mbarrier"); // cp.async.mbarrier.arrive
  return I.has("async") && (IsOfBarrier || I.has("bulk")) && runtimeCall();
}

/// The values of a source: those of a vector one by one.
void PtxExecutedForm::appendInput(const PtxOperand &O,
                                  SmallVectorImpl<Value *> &Inputs) {
  switch (O.Kind) {
  case PtxOperand::Vector:
  case PtxOperand::List:
    for (const PtxOperand &Part : O.Parts)
      appendInput(Part, Inputs);
    return;
  case PtxOperand::Address:
    Inputs.push_back(address(O));
    for (const PtxOperand &Part : drop_begin(O.Parts)) // of a tensor
      appendInput(Part, Inputs);
    return;
  case PtxOperand::Integer:
    Inputs.push_back(B.getInt32(static_cast<uint32_t>(O.Value)));
    return;
  default: {
    if (O.isSink())
      return;
    Type *Held = Operands.registerType(O.Text);
    unsigned Bits = Held ? unsigned(Held->getPrimitiveSizeInBits()) : 32;
    Value *V = Bits == 1
                   ? B.CreateZExt(Operands.readPredicate(O), B.getInt32Ty())
                   : Operands.read(O, PtxType{PtxType::Bits, Bits, 1});
    Inputs.push_back(V);
  }
  }
}

/// An address that a barrier, a matrix or a copy names. A number of 32 bits
/// is one of shared memory.
Value *PtxExecutedForm::address(const PtxOperand &O) {
  const PtxOperand &Base = O.Parts[0];
  Type *Held = Base.Kind == PtxOperand::Name ? Operands.registerType(Base.Text)
                                             : nullptr;
  bool IsShared = Held && Held->isIntegerTy(32);
  Value *V =
      Operands.address(O, IsShared ? ptxspace::Shared : ptxspace::Generic);
  return V->getType()->getPointerAddressSpace() == 0
             ? V
             : B.CreateAddrSpaceCast(V, B.getPtrTy());
}

/// Registers that get results: those of a vector or pair one by one.
void PtxExecutedForm::appendResult(
    const PtxOperand &O, SmallVectorImpl<const PtxOperand *> &Results) {
  if (O.Kind == PtxOperand::Vector || O.Kind == PtxOperand::Pair)
    for (const PtxOperand &Part : O.Parts)
      appendResult(Part, Results);
  else
    Results.push_back(&O);
}

/// A call of the executor: "ptx.MNEMONIC/TYPES" with the sources in order. A
/// sum of wgmma is a source, too.
bool PtxExecutedForm::runtimeCall() {
  bool HasResult = I.Opcode != "cp" && I.Opcode != "stmatrix" &&
                   !I.has("wait_group") && !I.Operands.empty() &&
                   I.Operands[0].Kind != PtxOperand::Address;
  SmallVector<const PtxOperand *> Results;
  SmallVector<Value *> Inputs;
  if (HasResult)
    appendResult(I.Operands[0], Results);
  if (I.Opcode == "wgmma" && HasResult)
    appendInput(I.Operands[0], Inputs);
  for (const PtxOperand &O : ArrayRef(I.Operands).drop_front(HasResult ? 1 : 0))
    appendInput(O, Inputs);
  SmallVector<Type *> ResultTypes, InputTypes;
  std::string Name = "ptx." + I.mnemonic() + "/";
  raw_string_ostream OS(Name);
  for (const PtxOperand *O : Results) {
    Type *Held = O->isSink() ? nullptr : Operands.registerType(O->Text);
    unsigned Bits = Held ? unsigned(Held->getPrimitiveSizeInBits())
                    : I.Opcode == "mbarrier" ? 64
                                             : 32;
    if (Bits == 0)
      return false;
    ResultTypes.push_back(B.getIntNTy(Bits));
    OS << Bits << ",";
  }
  OS << ":";
  for (Value *V : Inputs) {
    InputTypes.push_back(V->getType());
    V->getType()->print(OS);
    OS << ",";
  }
  Type *Returned = ResultTypes.empty() ? B.getVoidTy()
                   : ResultTypes.size() == 1
                       ? ResultTypes[0]
                       : StructType::get(B.getContext(), ResultTypes);
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Name, FunctionType::get(Returned, InputTypes, false));
  CallInst *Call = B.CreateCall(Callee, Inputs);
  Call->setConvergent();
  for (auto [N, O] : enumerate(Results))
    Operands.write(*O, Results.size() == 1 ? static_cast<Value *>(Call)
                                           : B.CreateExtractValue(Call, N));
  return true;
}

/// A fetch becomes a call of the function that our headers declare for its
/// geometry (cuda-headers/gpu_estimate/texture.h). PTX has the layer before
/// the coordinates, and pads them to two or four.
bool PtxExecutedForm::texture() {
  struct Geometry {
    StringLiteral Ptx, Cuda;
    unsigned Coordinates;
    bool Layered;
  };
  static constexpr Geometry Geometries[] = {
      {"1d", "1D", 1, false},
      {"2d", "2D", 2, false},
      {"3d", "3D", 3, false},
      {"cube", "Cubemap", 3, false},
      {"a1d", "1DLayered", 1, true},
      {"a2d", "2DLayered", 2, true},
      {"acube", "CubemapLayered", 3, true}};
  const Geometry *G =
      find_if(Geometries, [&](const Geometry &Of) { return I.has(Of.Ptx); });
  const PtxOperand &Source = I.Operands[1];
  std::vector<PtxType> Types = I.types();
  if (G == std::end(Geometries) || Types.size() != 2 ||
      I.Operands[0].Kind != PtxOperand::Vector ||
      Source.Kind != PtxOperand::Address || Source.Parts.size() != 2)
    return false;
  const PtxOperand &Place = Source.Parts[1];
  ArrayRef<PtxOperand> Parts = Place.Kind == PtxOperand::Vector
                                   ? ArrayRef(Place.Parts)
                                   : ArrayRef(Place);
  if (Parts.size() < G->Coordinates + G->Layered)
    return false;
  Type *Real = B.getFloatTy();
  bool IsIndex = !Types[1].isFloat();
  SmallVector<Value *> Arguments = {
      Operands.read(Source.Parts[0], PtxType{PtxType::Bits, 64, 1})};
  for (const PtxOperand &Part :
       Parts.drop_front(G->Layered).take_front(G->Coordinates)) {
    Value *V = Operands.read(Part, Types[1]);
    bool IsLinear = IsIndex && G->Ptx == "1d";
    Arguments.push_back(IsIndex && !IsLinear ? B.CreateSIToFP(V, Real) : V);
  }
  if (G->Layered)
    Arguments.push_back(Operands.read(Parts[0], PtxWord));
  std::string Name = ("__gpu_estimate_tex" + G->Cuda).str();
  if (IsIndex && G->Ptx == "1d")
    Name += "fetch";
  if (I.Opcode == "tld4") {
    Name += "gather";
    int Channel = I.has("g") ? 1 : I.has("b") ? 2 : I.has("a") ? 3 : 0;
    Arguments.push_back(B.getInt32(Channel));
  } else if (I.has("level") && I.Operands.size() > 2) {
    Name += "Lod";
    Arguments.push_back(in(2, PtxType{PtxType::Float, 32, 1}));
  } // the level that gradients choose is the first and only one
  Arguments.push_back(B.getInt32(0)); // bytes of a texel, for the analysis
  Type *Channel = Types[0].isFloat() ? Real : B.getInt32Ty();
  Name += Types[0].isFloat() ? "_v4f32" : "_v4i32";
  SmallVector<Type *> ArgumentTypes;
  for (Value *V : Arguments)
    ArgumentTypes.push_back(V->getType());
  Value *Texel =
      B.CreateCall(B.GetInsertBlock()->getModule()->getOrInsertFunction(
                       Name, FunctionType::get(FixedVectorType::get(Channel, 4),
                                               ArgumentTypes, false)),
                   Arguments);
  for (auto [N, Part] : enumerate(I.Operands[0].Parts))
    Operands.write(Part, B.CreateExtractElement(Texel, N));
  return true;
}

bool PtxExecutedForm::fence() {
  B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return true;
}

/// How long a cache keeps lines: a number that only hints use.
bool PtxExecutedForm::cachePolicy() { return result(B.getInt64(0)); }

bool PtxExecutedForm::activeMask() {
  return result(
      B.CreateCall(B.GetInsertBlock()->getModule()->getOrInsertFunction(
          "llvm.nvvm.activemask", B.getInt32Ty())));
}

bool PtxExecutedForm::findBit() {
  if (I.Operands.size() != 2)
    return false;
  Value *X = in(1, T);
  if (T.isSigned())
    X = B.CreateSelect(B.CreateICmpSLT(X, ConstantInt::get(type(), 0)),
                       B.CreateNot(X), X);
  Value *Zeros = B.CreateZExtOrTrunc(
      B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()),
      B.getInt32Ty());
  // All ones for zero.
  Value *Place = B.CreateSub(B.getInt32(T.Width - 1), Zeros);
  if (I.has("shiftamt"))
    Place = B.CreateSelect(B.CreateIsNull(X), B.getInt32(-1), Zeros);
  return result(Place);
}

bool PtxExecutedForm::bitMask() {
  if (I.Operands.size() != 3)
    return false;
  Value *X = in(1, PtxWord), *Length = in(2, PtxWord);
  Value *All = B.getInt32(-1), *None = B.getInt32(0), *Limit = B.getInt32(32);
  Value *Start = B.CreateAnd(X, 31);
  Value *End = B.CreateAdd(Start, B.CreateAnd(Length, 31));
  Value *From = B.CreateShl(All, Start);
  Value *IsOpen = B.CreateICmpUGE(End, Limit); // all bits from Start
  if (I.has("clamp")) {
    From = B.CreateSelect(B.CreateICmpUGE(X, Limit), None, From);
    IsOpen = B.CreateOr(IsOpen, B.CreateICmpUGE(Length, Limit));
  }
  Value *Behind = B.CreateShl(All, B.CreateAnd(End, 31));
  return result(
      B.CreateAnd(From, B.CreateNot(B.CreateSelect(IsOpen, None, Behind))));
}

/// A number of bits, at most all, in a type of twice the width.
Value *PtxExecutedForm::bitCount(unsigned Operand, Type *Wide) {
  Value *V = B.CreateZExt(B.CreateAnd(in(Operand, PtxWord), 0xff), Wide);
  return B.CreateBinaryIntrinsic(Intrinsic::umin, V,
                                 ConstantInt::get(Wide, T.Width));
}

bool PtxExecutedForm::extractBits() {
  if (I.Operands.size() != 4)
    return false;
  Type *Wide = B.getIntNTy(2 * T.Width);
  Value *X = in(1, T), *Start = bitCount(2, Wide), *Length = bitCount(3, Wide);
  X = T.isSigned() ? B.CreateSExt(X, Wide) : B.CreateZExt(X, Wide);
  Value *One = ConstantInt::get(Wide, 1);
  Value *Mask = B.CreateSub(B.CreateShl(One, Length), One);
  Value *Field = B.CreateAnd(
      T.isSigned() ? B.CreateAShr(X, Start) : B.CreateLShr(X, Start), Mask);
  if (T.isSigned()) {
    // The sign is the last bit of the field, or of the source before it.
    Value *Unused = B.CreateSub(ConstantInt::get(Wide, 2 * T.Width), Length);
    Value *IsEmpty = B.CreateIsNull(Length);
    Unused = B.CreateSelect(IsEmpty, ConstantInt::get(Wide, 0), Unused);
    Field = B.CreateAShr(B.CreateShl(Field, Unused), Unused);
    Field = B.CreateSelect(IsEmpty, ConstantInt::get(Wide, 0), Field);
  }
  return result(B.CreateTrunc(Field, type()));
}

bool PtxExecutedForm::insertBits() {
  if (I.Operands.size() != 5)
    return false;
  Type *Wide = B.getIntNTy(2 * T.Width);
  Value *X = B.CreateZExt(in(1, T), Wide), *Into = in(2, T);
  Value *Start = bitCount(3, Wide), *Length = bitCount(4, Wide);
  Value *One = ConstantInt::get(Wide, 1);
  Value *Ones = B.CreateSub(B.CreateShl(One, Length), One);
  Value *Mask = B.CreateTrunc(B.CreateShl(Ones, Start), type());
  Value *Placed = B.CreateTrunc(B.CreateShl(X, Start), type());
  return result(B.CreateOr(B.CreateAnd(Placed, Mask),
                           B.CreateAnd(Into, B.CreateNot(Mask))));
}

/// Bit i of the table is the result where the bits of the sources are i.
bool PtxExecutedForm::logicTable() {
  if (I.Operands.size() != 5 || I.Operands[4].Kind != PtxOperand::Integer)
    return false;
  Value *X = in(1, T), *Y = in(2, T), *Z = in(3, T);
  Value *R = ConstantInt::get(type(), 0);
  for (unsigned Case = 0; Case != 8; ++Case) {
    if (!(I.Operands[4].Value >> Case & 1))
      continue;
    Value *Term = Case & 4 ? X : B.CreateNot(X);
    Term = B.CreateAnd(Term, Case & 2 ? Y : B.CreateNot(Y));
    R = B.CreateOr(R, B.CreateAnd(Term, Case & 1 ? Z : B.CreateNot(Z)));
  }
  return result(R);
}

/// shf.clamp: the amount is at most the width.
bool PtxExecutedForm::funnelShift() {
  if (I.Operands.size() != 4 || T.Width != 32)
    return false;
  Type *Long = B.getInt64Ty();
  Value *By =
      B.CreateBinaryIntrinsic(Intrinsic::umin, in(3, PtxWord), B.getInt32(32));
  By = B.CreateZExt(By, Long);
  Value *Both = B.CreateOr(B.CreateZExt(in(1, PtxWord), Long),
                           B.CreateShl(B.CreateZExt(in(2, PtxWord), Long), 32));
  Both = I.has("l") ? B.CreateLShr(B.CreateShl(Both, By), 32)
                    : B.CreateLShr(Both, By);
  return result(B.CreateTrunc(Both, B.getInt32Ty()));
}

/// dp4a.atype.btype d, a, b, c
bool PtxExecutedForm::dotProduct() {
  std::vector<PtxType> Types = I.types();
  if (I.Operands.size() != 4 || Types.size() != 2)
    return false;
  Value *X = in(1, PtxWord), *Y = in(2, PtxWord), *Sum = in(3, PtxWord);
  auto Byte = [&](Value *V, unsigned N, bool Signed) {
    V = B.CreateTrunc(B.CreateLShr(V, 8 * N), B.getInt8Ty());
    return B.CreateIntCast(V, B.getInt32Ty(), Signed);
  };
  for (unsigned N = 0; N != 4; ++N)
    Sum = B.CreateAdd(Sum, B.CreateMul(Byte(X, N, Types[0].isSigned()),
                                       Byte(Y, N, Types[1].isSigned())));
  return result(Sum);
}

/// dp2a.atype.btype.half d, a, b, c: the halves of a times two bytes of b.
bool PtxExecutedForm::dotProductOfHalves() {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2)
    return false;
  Value *X = in(1, PtxWord), *Y = in(2, PtxWord), *Sum = in(3, PtxWord);
  auto Part = [&](Value *V, unsigned FirstBit, unsigned Bits, PtxType Of) {
    V = B.CreateTrunc(B.CreateLShr(V, FirstBit), B.getIntNTy(Bits));
    return B.CreateIntCast(V, B.getInt32Ty(), Of.isSigned());
  };
  unsigned FirstByte = I.has("hi") ? 2 : 0;
  for (unsigned N = 0; N != 2; ++N)
    Sum = B.CreateAdd(Sum,
                      B.CreateMul(Part(X, 16 * N, 16, Types[0]),
                                  Part(Y, 8 * (FirstByte + N), 8, Types[1])));
  return result(Sum);
}

/// szext: the low bits of a, as many as b says, extended to the whole register.
bool PtxExecutedForm::extendLowBits() {
  Value *X = in(1, PtxWord), *Number = in(2, PtxWord);
  Value *Low = B.CreateAnd(Number, 31), *Zero = B.getInt32(0);
  Value *Above = B.CreateShl(B.getInt32(-1), Low);
  Value *HasSign = T.isSigned() ? B.CreateIsNotNull(Low) : B.getFalse();
  if (I.has("clamp")) {
    Value *IsWhole = B.CreateICmpUGE(Number, B.getInt32(32));
    Above = B.CreateSelect(IsWhole, Zero, Above);
    HasSign = B.CreateAnd(HasSign, B.CreateNot(IsWhole));
  }
  Value *Sign = B.CreateLShr(
      X, B.CreateAnd(B.CreateSub(Low, B.getInt32(1)), B.getInt32(31)));
  HasSign = B.CreateAnd(HasSign, B.CreateTrunc(Sign, B.getInt1Ty()));
  return result(B.CreateOr(B.CreateAnd(X, B.CreateNot(Above)),
                           B.CreateSelect(HasSign, Above, Zero)));
}

/// testp: is a real number of a kind?
bool PtxExecutedForm::testKind() {
  unsigned Kinds =
      StringSwitch<unsigned>(I.Modifiers.empty() ? StringRef() : I.Modifiers[0])
          .Case("finite", fcFinite)
          .Case("infinite", fcInf)
          .Case("number", fcAllFlags & ~fcNan)
          .Case("notanumber", fcNan)
          .Case("normal", fcNormal)
          .Case("subnormal", fcSubnormal)
          .Default(fcNone);
  return Kinds != fcNone && T.isFloat() &&
         result(B.createIsFPClass(in(1), Kinds));
}

/// `.relu`: negative results become zero.
bool PtxExecutedForm::clampedReal() {
  if (!T.isFloat() || !I.has("relu") || I.has("xorsign") ||
      I.Operands.size() < 3)
    return false;
  Value *X = in(1, T), *Y = in(2, T), *R = nullptr;
  if (I.Opcode == "fma") {
    if (I.Operands.size() != 4)
      return false;
    R = B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, in(3, T)});
  } else {
    bool IsMin = I.Opcode == "min";
    R = B.CreateBinaryIntrinsic(
        I.has("NaN") ? (IsMin ? Intrinsic::minimum : Intrinsic::maximum)
                     : (IsMin ? Intrinsic::minnum : Intrinsic::maxnum),
        X, Y);
  }
  Constant *Zero = ConstantFP::get(X->getType(), 0.0);
  return result(B.CreateBinaryIntrinsic(Intrinsic::maxnum, R, Zero));
}

/// Functions of types that LLVM's intrinsics do not take, computed as those
/// of each lane in single precision.
bool PtxExecutedForm::functionOfReal() {
  if (!T.isFloat() || I.Operands.size() != 2)
    return false;
  StringRef Rounding = ptxRounding(I);
  if (!Rounding.empty() && Rounding != "rn")
    return false;
  Value *X = in(1, T);
  Type *Lane = B.getFloatTy();
  Type *Wide = T.Lanes > 1
                   ? static_cast<Type *>(FixedVectorType::get(Lane, T.Lanes))
                   : Lane;
  if (T.Width == 64)
    Wide = X->getType();
  else if (T.Width < 32)
    X = B.CreateFPExt(X, Wide);
  auto Unary = [&](Intrinsic::ID Id) { return B.CreateUnaryIntrinsic(Id, X); };
  Constant *One = ConstantFP::get(Wide, 1.0);
  Value *R = nullptr;
  if (I.Opcode == "ex2") {
    R = Unary(Intrinsic::exp2);
  } else if (I.Opcode == "lg2") {
    R = Unary(Intrinsic::log2);
  } else if (I.Opcode == "rcp") {
    R = B.CreateFDiv(One, X);
  } else if (I.Opcode == "sqrt") {
    R = Unary(Intrinsic::sqrt);
  } else if (I.Opcode == "rsqrt") {
    R = B.CreateFDiv(One, Unary(Intrinsic::sqrt));
  } else {
    R = X; // tanh, of each lane
    for (unsigned N = 0; N != T.Lanes; ++N) {
      Value *Of = T.Lanes > 1 ? B.CreateExtractElement(X, N) : X;
      Value *V = callIntrinsic(B, "llvm.nvvm.tanh.approx.f", {Of});
      if (!V)
        V = B.CreateCall(B.GetInsertBlock()->getModule()->getOrInsertFunction(
                             "__nv_tanhf", Lane, Lane),
                         {Of});
      R = T.Lanes > 1 ? B.CreateInsertElement(R, V, N) : V;
    }
  }
  return result(T.Width < 32 ? B.CreateFPTrunc(R, type()) : R);
}

/// SIMD video instructions (PTX ISA, "SIMD Video Instructions"): two or four
/// lanes of a register, vadd2.u32.s32.s32.sat and its kin. Without a mask,
/// which would take lanes of the third source.
bool PtxExecutedForm::video() {
  StringRef Operation = I.Opcode;
  unsigned Lanes = Operation.back() - '0', Width = 32 / Lanes;
  Operation = Operation.drop_front().drop_back();
  bool IsSet = Operation == "set";
  size_t NumTypes = IsSet ? 2 : 3;
  if (I.Operands.size() != 4 || I.Modifiers.size() < NumTypes)
    return false;
  ArrayRef<StringRef> Types = ArrayRef(I.Modifiers).take_front(NumTypes);
  ArrayRef<StringRef> Rest = ArrayRef(I.Modifiers).drop_front(NumTypes);
  bool Saturates = is_contained(Rest, "sat"), Adds = is_contained(Rest, "add");
  if (Rest.size() != size_t(Saturates) + Adds + IsSet)
    return false;
  Type *Int = B.getInt32Ty();
  Type *Wide = FixedVectorType::get(Int, Lanes);
  Type *Narrow = FixedVectorType::get(B.getIntNTy(Width), Lanes);
  auto Source = [&](unsigned N, StringRef Type) {
    return B.CreateIntCast(B.CreateBitCast(in(N, PtxWord), Narrow), Wide,
                           Type == "s32");
  };
  Value *X = Source(1, Types[NumTypes - 2]), *Y = Source(2, Types.back()),
        *Sum = in(3, PtxWord);
  auto All = [&](int64_t Number) {
    return ConstantInt::getSigned(Wide, Number);
  };
  auto Pick = [&](CmpInst::Predicate P, Value *V, Value *W) {
    return B.CreateSelect(B.CreateICmp(P, V, W), V, W);
  };
  Value *R = nullptr;
  if (Operation == "add") {
    R = B.CreateAdd(X, Y);
  } else if (Operation == "sub") {
    R = B.CreateSub(X, Y);
  } else if (Operation == "absdiff") {
    R = B.CreateBinaryIntrinsic(Intrinsic::abs, B.CreateSub(X, Y),
                                B.getFalse());
  } else if (Operation == "avrg") { // rounded up, away from zero
    R = B.CreateAdd(X, Y);
    R = B.CreateAdd(R, B.CreateZExt(B.CreateICmpSGE(R, All(0)), Wide));
    R = B.CreateAShr(R, All(1));
  } else if (Operation == "min") {
    R = Pick(CmpInst::ICMP_SLT, X, Y);
  } else if (Operation == "max") {
    R = Pick(CmpInst::ICMP_SGT, X, Y);
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
    R = Pick(CmpInst::ICMP_SGT, R, All(Low));
    R = Pick(CmpInst::ICMP_SLT, R, All(High));
  }
  return result(Adds ? B.CreateAdd(Sum, B.CreateAddReduce(R))
                     : B.CreateBitCast(B.CreateTrunc(R, Narrow), Int));
}

} // namespace gpuestimate
