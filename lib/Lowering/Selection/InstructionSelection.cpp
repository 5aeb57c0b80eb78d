#include "InstructionSelection.h"

#include "IfConversion.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/TargetParser/Triple.h"
#include <map>
#include <tuple>

namespace gpuestimate {

using namespace llvm::PatternMatch;

static constexpr unsigned ByteBits = 8, RegisterBits = 32;

const llvm::Value *accessPointer(const llvm::Instruction &I) {
  if (const llvm::Value *P = llvm::getLoadStorePointerOperand(&I))
    return P;
  if (const auto *Rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return Rmw->getPointerOperand();
  if (const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I))
    return Swap->getPointerOperand();
  return nullptr;
}

bool isPackedHalf(const llvm::Type *T) {
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  return V && V->getNumElements() % 2 == 0 &&
         V->getElementType()->is16bitFPTy();
}

std::string typeKey(const llvm::Type *T, bool Narrow) {
  if (isPackedHalf(T))
    return T->getScalarType()->isHalfTy() ? "v2f16" : "v2bf16";
  T = T->getScalarType();
  if (T->isHalfTy())
    return "f16";
  if (T->isBFloatTy())
    return "bf16";
  if (T->isFloatTy())
    return "f32";
  if (T->isDoubleTy() || T->isFloatingPointTy())
    return "f64";
  if (T->isPointerTy())
    return "ptr";
  if (!T->isIntegerTy())
    return "other";
  unsigned Bits = T->getIntegerBitWidth();
  if (Bits == 1)
    return "i1";
  if (Narrow && Bits < 32)
    return "i8";
  return Bits <= 32 ? "i32" : Bits <= 64 ? "i64" : "i128";
}

InstructionSelection::InstructionSelection(KernelAnalyses &A, Values &V,
                                           llvm::Function &F)
    : A(A), V(V), F(F), IsPtx(F.hasFnAttribute(PtxCodeMark)),
      IsAmd(llvm::Triple(F.getParent()->getTargetTriple()).isAMDGPU()) {
  if (!IsPtx)
    findInductionPointers();
  findNeeded();
  mergeAddresses();
  findNeeded(); // without the index arithmetic of merged addresses
  fuseReals();
  selectHalves();
  selectBytes();
  fuseIntegers();
  foldExtensions();
  findOverhead();
  selectBranches();
}

namespace {

bool is64Bit(const llvm::Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  return Space != addrspace::Shared && Space != addrspace::Local;
}

/// The definitions outside of L that V depends on.
void collectLeaves(const llvm::Value *V, const llvm::Loop *L,
                   llvm::SmallVectorImpl<const llvm::Value *> &Leaves) {
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  llvm::SmallVector<const llvm::Value *> Work{V};
  while (!Work.empty() && spendWork()) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (!L->contains(I)) {
      Leaves.push_back(I);
      continue;
    }
    for (const llvm::Value *Operand : llvm::reverse(I->operands()))
      Work.push_back(Operand);
  }
}

/// Says whether the address of an access can walk through a loop by additions:
/// not where a 32-bit index may wrap before it is extended to 64 bits, as
/// unsigned ones may. Compilers then scale the index in each iteration.
class WrapCheck {
public:
  WrapCheck(llvm::ScalarEvolution &SE, const llvm::Loop &L) : SE(SE), L(L) {}

  bool mayWrap(const llvm::Value *Address) {
    llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
    llvm::SmallVector<const llvm::Value *> Work{Address};
    while (!Work.empty() && spendWork()) {
      const auto *I = llvm::dyn_cast<llvm::Instruction>(Work.pop_back_val());
      if (!I || !L.contains(I) || !Seen.insert(I).second)
        continue;
      if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I)) {
        if (!keepsSum(*I->getOperand(0), isSigned(*I)))
          return true;
        continue;
      }
      if (!llvm::isa<llvm::PHINode>(I))
        Work.append(I->value_op_begin(), I->value_op_end());
    }
    return false;
  }

private:
  static bool isSigned(const llvm::Instruction &Extension) {
    return llvm::isa<llvm::SExtInst>(Extension) || Extension.hasNonNeg();
  }

  /// Is the extension of V the sum of what its parts are extended to? Flags of
  /// instructions say so, or the range of a counter.
  bool keepsSum(const llvm::Value &V, bool Signed) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(&V);
    // What was seen before has not been refused.
    if (!I || !L.contains(I) || !Summed.insert({I, Signed}).second ||
        !spendWork())
      return true;
    if (llvm::isa<llvm::PHINode>(I)) {
      llvm::Type *Wide = llvm::Type::getInt64Ty(I->getContext());
      const llvm::SCEV *Counter =
          SE.getSCEV(const_cast<llvm::Instruction *>(I));
      return llvm::isa<llvm::SCEVAddRecExpr>(
          Signed ? SE.getSignExtendExpr(Counter, Wide)
                 : SE.getZeroExtendExpr(Counter, Wide));
    }
    if (const auto *Or = llvm::dyn_cast<llvm::PossiblyDisjointInst>(I)) {
      if (!Or->isDisjoint())
        return false;
    } else if (!llvm::isa<llvm::OverflowingBinaryOperator>(I) ||
               !(Signed ? I->hasNoSignedWrap() : I->hasNoUnsignedWrap())) {
      return false;
    }
    return keepsSum(*I->getOperand(0), Signed) &&
           keepsSum(*I->getOperand(1), Signed);
  }

  llvm::ScalarEvolution &SE;
  const llvm::Loop &L;
  llvm::SmallSet<std::pair<const llvm::Instruction *, bool>, 16> Summed;
};

} // namespace

/// E without its constant part, which becomes an immediate offset.
Expr InstructionSelection::withoutConstant(Expr E) const {
  if (E.asConstant())
    return E.context().constant(0);
  if (E.kind() == ExprKind::Add)
    for (Expr Operand : E.operands())
      if (std::optional<double> C = Operand.asConstant())
        return E - *C;
  return E;
}

void InstructionSelection::findInductionPointers() {
  std::map<std::tuple<const llvm::Loop *, const llvm::Value *, const ExprNode *,
                      const ExprNode *>,
           unsigned>
      Indices;
  for (llvm::BasicBlock &BB : F) {
    llvm::Loop *L = A.LI.getLoopFor(&BB);
    if (!L)
      continue;
    Expr Counter = V.counter(L);
    for (llvm::Instruction &I : BB) {
      const llvm::Value *P = accessPointer(I);
      if (!P || !spendWork())
        continue;
      PointerValue Address = V.pointer(P);
      const auto *BaseDefinition =
          llvm::dyn_cast_or_null<llvm::Instruction>(Address.Base);
      if (!Address.Base || (BaseDefinition && L->contains(BaseDefinition)) ||
          !Address.Offset.dependsOn(Counter.name()))
        continue;
      ExprContext &Ctx = Counter.context();
      llvm::StringMap<Expr> Next, First;
      Next[Counter.name()] = Counter + 1;
      First[Counter.name()] = Ctx.constant(0);
      Expr Step = Ctx.substitute(Address.Offset, Next) - Address.Offset;
      Expr Start = withoutConstant(Ctx.substitute(Address.Offset, First));
      if (!V.isInvariant(Step, L) || !V.isInvariant(Start, L) ||
          (is64Bit(P) && WrapCheck(A.SE, *L).mayWrap(P)))
        continue;
      auto [Entry, IsNew] = Indices.try_emplace(
          {L, Address.Base, Start.node(), Step.node()}, Pointers.size());
      unsigned Index = Entry->second;
      if (IsNew) {
        InductionPointer &Pointer = Pointers.emplace_back();
        Pointer.L = L;
        Pointer.Base = Address.Base;
        Pointer.Start = Start;
        Pointer.Step = Step;
        Pointer.Is64Bit = is64Bit(P);
        collectLeaves(P, L, Pointer.Leaves);
      }
      PointerOf[&I] = Index;
    }
  }
}

void InstructionSelection::findNeeded() {
  Needed.clear();
  llvm::SmallVector<const llvm::Instruction *> Work;
  auto Need = [&](const llvm::Value *V) {
    if (const auto *I = llvm::dyn_cast<llvm::Instruction>(V))
      if (Needed.insert(I).second)
        Work.push_back(I);
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (I.isTerminator() || I.mayHaveSideEffects() || I.mayReadFromMemory())
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(I) &&
            !I.isLifetimeStartOrEnd() && !llvm::isa<llvm::AssumeInst>(I))
          Need(&I);
  while (!Work.empty() && spendWork()) {
    const llvm::Instruction *I = Work.pop_back_val();
    if (const llvm::Instruction *Earlier = SharedAddress.lookup(I)) {
      Need(Earlier);
      continue;
    }
    auto Entry = PointerOf.find(I);
    const llvm::Value *Pointer =
        Entry == PointerOf.end() ? nullptr : accessPointer(*I);
    for (const llvm::Value *Operand : I->operands())
      if (Operand != Pointer)
        Need(Operand);
    if (Pointer)
      for (const llvm::Value *Leaf : Pointers[Entry->second].Leaves)
        Need(Leaf);
  }
}

/// The shift of 64 bits, of no other use, that the addition of a PTX address
/// does (LEA); null if there is none.
static const llvm::Instruction *addedShift(const llvm::GetElementPtrInst &Gep) {
  const auto *I = Gep.getNumIndices() == 1 &&
                          Gep.getResultElementType()->isIntegerTy(ByteBits)
                      ? llvm::dyn_cast<llvm::Instruction>(*Gep.idx_begin())
                      : nullptr;
  bool IsShift = I && match(I, m_OneUse(m_Shl(m_Value(), m_ConstantInt())));
  return IsShift ? I : nullptr;
}

/// Is Gep what a pointer becomes from one iteration to the next?
static bool stepsThroughLoop(const llvm::GetElementPtrInst &Gep,
                             const llvm::LoopInfo &LI) {
  return llvm::any_of(Gep.users(), [&](const llvm::User *U) {
    const auto *Phi = llvm::dyn_cast<llvm::PHINode>(U);
    const llvm::Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
    return L && L->getHeader() == Phi->getParent() && L->contains(&Gep);
  });
}

void InstructionSelection::mergeAddresses() {
  // Address computations that differ by a constant are merged into one that
  // dominates them; blocks are visited in the order of the dominator tree.
  using Key = std::pair<const llvm::Value *, const ExprNode *>;
  // None of the earlier computations dominates another, so that at most one
  // dominates the next: the last one that the tree enters before it.
  using Entered = std::map<unsigned, const llvm::GetElementPtrInst *>;
  llvm::DenseMap<Key, Entered> EarlierOf;
  A.DT.updateDFSNumbers();
  for (llvm::BasicBlock *BB : llvm::depth_first(&F.getEntryBlock()))
    for (llvm::Instruction &I : *BB) {
      auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
      if (!Gep || isDead(I) || Gep->getType()->isVectorTy() || !spendWork())
        continue;
      if (Gep->hasAllConstantIndices()) {
        if (IsPtx && stepsThroughLoop(*Gep, A.LI)) {
          Keys[Gep] = is64Bit(Gep) ? "pointer.step.64" : "pointer.step.32";
          // One of the copies of an unrolled body has it.
          Overhead.insert(Gep);
        } else {
          Free.insert(Gep);
        }
        continue;
      }
      if (const llvm::Instruction *Shift = IsPtx ? addedShift(*Gep) : nullptr) {
        Free.insert(Shift);
        Keys[Gep] = "lea.i64";
      }
      PointerValue Address = IsPtx ? PointerValue() : V.pointer(Gep);
      if (!Address.Base)
        continue;
      Entered &Earlier =
          EarlierOf[{Address.Base, withoutConstant(Address.Offset).node()}];
      unsigned Number = A.DT.getNode(BB)->getDFSNumIn();
      auto Next = Earlier.upper_bound(Number);
      if (Next != Earlier.begin() &&
          A.DT.dominates(std::prev(Next)->second, Gep)) {
        SharedAddress[Gep] = std::prev(Next)->second;
        Free.insert(Gep);
      } else {
        Earlier[Number] = Gep;
      }
    }
}

unsigned InstructionSelection::repeat(const llvm::Instruction &I) const {
  const llvm::Type *T = I.getType();
  if (llvm::isa<llvm::CmpInst, llvm::CastInst>(I))
    T = I.getOperand(0)->getType();
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  if (!V || llvm::isa<llvm::GetElementPtrInst, llvm::InsertElementInst>(I))
    return 1;
  unsigned Bits = V->getScalarSizeInBits();
  bool Half =
      V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy();
  // Half precision works on pairs.
  return Half && Bits == 16 ? (V->getNumElements() + 1) / 2
                            : V->getNumElements();
}

/// Is Index, of an element of 16 bits, the upper half of a register?
static bool isUpperHalf(const llvm::Value *Index) {
  const auto *N = llvm::dyn_cast<llvm::ConstantInt>(Index);
  return N && N->getZExtValue() % 2 != 0;
}

/// Are the registers of a vector of 16-bit numbers those of an operand, in any
/// order?
static bool takesWholeRegisters(const llvm::ShuffleVectorInst &Shuffle) {
  llvm::ArrayRef<int> Mask = Shuffle.getShuffleMask();
  for (size_t N = 0; N + 1 < Mask.size(); N += 2)
    if (Mask[N] % 2 != 0 || Mask[N + 1] != Mask[N] + 1)
      return false;
  return true;
}

/// Does arithmetic alone use the vector of 16-bit numbers, each pair of which
/// has halves of one register?
static bool isModifierOfPairs(const llvm::ShuffleVectorInst &Shuffle) {
  llvm::ArrayRef<int> Mask = Shuffle.getShuffleMask();
  for (size_t N = 0; N + 1 < Mask.size(); N += 2)
    if (Mask[N] >= 0 && Mask[N + 1] >= 0 && Mask[N] / 2 != Mask[N + 1] / 2)
      return false;
  return llvm::all_of(Shuffle.users(), [](const llvm::User *U) {
    return isPackedHalf(U->getType()) &&
           llvm::isa<llvm::BinaryOperator, llvm::IntrinsicInst>(U);
  });
}

/// The row for the elements of a vector, which are parts of its registers. Two
/// 16-bit floating-point numbers are one register. Their arithmetic takes
/// either half twice, or both in any order (HFMA2 R0, R1.H1_H1, ...); elsewhere
/// a byte permutation (PRMT) puts them where they belong. AMD's GPUs store an
/// upper half as it is, and what they need to join two is not measured.
static std::string keyOfElements(const llvm::Instruction &I, bool IsAmd) {
  const std::string Opcode = I.getOpcodeName();
  if (const auto *Shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&I))
    return isPackedHalf(I.getType()) && !takesWholeRegisters(*Shuffle) &&
                   !isModifierOfPairs(*Shuffle)
               ? "shufflevector.v2f16"
               : Opcode;
  if (llvm::isa<llvm::ExtractElementInst>(I))
    return !IsAmd && I.getType()->is16bitFPTy() &&
                   isUpperHalf(I.getOperand(1)) &&
                   llvm::any_of(I.users(), llvm::IsaPred<llvm::StoreInst>)
               ? "extractelement.f16"
               : Opcode;
  const llvm::Value *Inserted = I.getOperand(1), *Index = I.getOperand(2);
  if (llvm::isa<llvm::Constant>(Inserted))
    return Opcode;
  // The first byte of a register is there.
  const auto *At = llvm::dyn_cast<llvm::ConstantInt>(Index);
  if (Inserted->getType()->isIntegerTy(8) && At && At->getZExtValue() % 4 != 0)
    return "insertelement.i8";
  // A conversion of two numbers writes both halves (F2FP.PACK_AB).
  return !IsAmd && Inserted->getType()->is16bitFPTy() && isUpperHalf(Index) &&
                 !llvm::isa<llvm::FPTruncInst>(Inserted)
             ? "insertelement.f16"
             : Opcode;
}

std::string InstructionSelection::key(const llvm::Instruction &I) const {
  if (auto Entry = Keys.find(&I); Entry != Keys.end())
    return Entry->second;
  std::string Opcode = I.getOpcodeName();
  auto TypeOf = [&](const llvm::Type *T) {
    const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
    if (V &&
        (V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy()))
      return std::string(V->getElementType()->isHalfTy() ? "v2f16" : "v2bf16");
    return typeKey(T);
  };
  switch (I.getOpcode()) {
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp:
    return Opcode + "." + TypeOf(I.getOperand(0)->getType());
  case llvm::Instruction::FDiv: {
    bool Fast = I.hasApproxFunc() || I.hasAllowReciprocal();
    if (const auto *Op = llvm::dyn_cast<llvm::FPMathOperator>(&I))
      Fast = Fast || Op->getFPAccuracy() >= 2;
    std::string Type = TypeOf(I.getType());
    const auto *One = llvm::dyn_cast<llvm::ConstantFP>(I.getOperand(0));
    std::string Name =
        One && One->isExactlyValue(1.0) && (Type == "f32" || Type == "f64")
            ? "frcp"
            : "fdiv";
    return Name + (Fast && Type == "f32" ? ".fast." : ".") + Type;
  }
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::Trunc:
    return Opcode + "." +
           typeKey(I.getOperand(0)->getType()->getScalarType(), true) + "." +
           typeKey(I.getType()->getScalarType(),
                   llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(I));
  case llvm::Instruction::GetElementPtr:
    return Opcode + (is64Bit(&I) ? ".64" : ".32");
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
    return keyOfElements(I, IsAmd);
  case llvm::Instruction::Br:
  case llvm::Instruction::Ret:
  case llvm::Instruction::Unreachable:
  case llvm::Instruction::Fence:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Alloca:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::IndirectBr:
  case llvm::Instruction::VAArg:
    return Opcode;
  default:
    return Opcode + "." + TypeOf(I.getType());
  }
}

// Fusion: products with sums, shifts with additions, three-input logic, and
// extensions inside wide factors and indices.

void InstructionSelection::fuseReals() {
  llvm::DenseMap<const llvm::Instruction *, bool> OnlySummed;
  auto Product = [&](const llvm::Value *V) -> const llvm::Instruction * {
    const auto *M = llvm::dyn_cast<llvm::Instruction>(V);
    if (M && M->getOpcode() == llvm::Instruction::FNeg && M->hasOneUse())
      M = llvm::dyn_cast<llvm::Instruction>(M->getOperand(0));
    if (!M || M->getOpcode() != llvm::Instruction::FMul ||
        !M->hasAllowContract())
      return nullptr;
    auto [Entry, IsNew] = OnlySummed.try_emplace(M, false);
    if (!IsNew)
      return Entry->second ? M : nullptr;
    // Every sum that uses the product repeats it: profitable only if the
    // product itself becomes unnecessary.
    for (const llvm::User *U : M->users()) {
      spendWork();
      const auto *Sum = llvm::dyn_cast<llvm::Instruction>(U);
      if (Sum && Sum->getOpcode() == llvm::Instruction::FNeg &&
          Sum->hasOneUse())
        Sum = llvm::dyn_cast<llvm::Instruction>(*Sum->user_begin());
      bool IsSum = Sum && (Sum->getOpcode() == llvm::Instruction::FAdd ||
                           Sum->getOpcode() == llvm::Instruction::FSub);
      if (!IsSum || !Sum->hasAllowContract())
        return nullptr;
    }
    Entry->second = true;
    return M;
  };
  // An approximate 1/sqrt(x) is one instruction of the special function unit.
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      const llvm::Value *X;
      if (I.getOpcode() != llvm::Instruction::FDiv || !I.hasApproxFunc() ||
          !I.getType()->isFloatTy() ||
          !match(&I,
                 m_FDiv(m_FPOne(), m_OneUse(m_Intrinsic<llvm::Intrinsic::sqrt>(
                                       m_Value(X))))))
        continue;
      Free.insert(llvm::cast<llvm::Instruction>(I.getOperand(1)));
      Keys[&I] = "frsqrt.fast.f32";
    }
  llvm::DenseMap<const llvm::Instruction *, unsigned> Absorbed;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if ((I.getOpcode() != llvm::Instruction::FAdd &&
           I.getOpcode() != llvm::Instruction::FSub) ||
          !I.hasAllowContract())
        continue;
      const llvm::Instruction *L = Product(I.getOperand(0)),
                              *R = Product(I.getOperand(1));
      const llvm::Instruction *M =
          L && R ? (L->hasOneUse() ? L : R) : (L ? L : R);
      if (!M)
        continue;
      Keys[&I] = "fma." + typeKey(I.getType());
      ++Absorbed[M];
    }
  // A product stays when one of its sums absorbed its other product.
  for (auto [M, Count] : Absorbed)
    if (Count == M->getNumUses())
      Free.insert(M);
}

const llvm::Instruction *InstructionSelection::absorbable(
    const llvm::Value *V,
    llvm::function_ref<bool(const llvm::Instruction &)> Matches) const {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (I && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I) && I->hasOneUse())
    I = llvm::dyn_cast<llvm::Instruction>(I->getOperand(0));
  return I && I->hasOneUse() && !Free.contains(I) && Matches(*I) ? I : nullptr;
}

void InstructionSelection::fuseSum(const llvm::Instruction &Sum,
                                   InstructionSet &Fused) {
  auto Absorb =
      [&](llvm::function_ref<bool(const llvm::Instruction &)> Matches) -> bool {
    for (const llvm::Value *Operand : Sum.operands())
      if (const llvm::Instruction *I = absorbable(Operand, Matches)) {
        Free.insert(I);
        Fused.insert(&Sum);
        return true;
      }
    return false;
  };
  bool IsWide = typeKey(Sum.getType()) == "i64";
  if (Absorb([](const llvm::Instruction &X) {
        return X.getOpcode() == llvm::Instruction::Mul &&
               X.getType()->getScalarSizeInBits() <= 32;
      })) {
    Keys[&Sum] = IsWide ? "mulwide.i64" : "mul.i32";
    return;
  }
  if (Absorb([](const llvm::Instruction &X) {
        return X.getOpcode() == llvm::Instruction::Shl &&
               llvm::isa<llvm::ConstantInt>(X.getOperand(1));
      })) {
    Keys[&Sum] = IsWide ? "lea.i64" : "lea.i32";
    return;
  }
  // An addition of three numbers.
  Absorb([&](const llvm::Instruction &X) {
    return (X.getOpcode() == llvm::Instruction::Add ||
            X.getOpcode() == llvm::Instruction::Sub) &&
           !Fused.contains(&X) && X.getType() == Sum.getType();
  });
}

static bool isBitwise(const llvm::Instruction &I) {
  return I.getOpcode() == llvm::Instruction::And ||
         I.getOpcode() == llvm::Instruction::Or ||
         I.getOpcode() == llvm::Instruction::Xor;
}

void InstructionSelection::fuseComparison(const llvm::Instruction &Logic) {
  for (const llvm::Value *Operand : Logic.operands())
    if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Operand);
        C && C->hasOneUse())
      Free.insert(&Logic);
}

void InstructionSelection::fuseBitwise(const llvm::Instruction &Logic,
                                       InstructionSet &Fused) {
  for (const llvm::Value *Operand : Logic.operands())
    if (const llvm::Instruction *X =
            absorbable(Operand,
                       [&](const llvm::Instruction &Y) {
                         return isBitwise(Y) && !Fused.contains(&Y) &&
                                !Keys.contains(&Y) &&
                                Y.getType() == Logic.getType();
                       });
        X && !Fused.contains(&Logic)) {
      Free.insert(X);
      Fused.insert(&Logic);
    }
}

void InstructionSelection::selectPartOfWide(const llvm::Instruction &Shift) {
  const auto *By = llvm::dyn_cast<llvm::ConstantInt>(Shift.getOperand(1));
  bool IsPart = By && Shift.getType()->isIntegerTy() &&
                Shift.getType()->getIntegerBitWidth() > RegisterBits &&
                llvm::all_of(Shift.users(), [](const llvm::User *U) {
                  return llvm::isa<llvm::TruncInst>(U) &&
                         U->getType()->getIntegerBitWidth() <= RegisterBits;
                });
  if (IsPart && By->getZExtValue() % RegisterBits == 0)
    Free.insert(&Shift);
  else if (IsPart)
    Keys[&Shift] = "lshr.i32";
}

/// Is V a number of at most 32 bits, extended?
static bool isExtended(const llvm::Value *V) {
  if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V))
    return C->getValue().getSignificantBits() <= 32;
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(V);
}

/// "sdiv.pow2.i32", "udiv.const.i64" of a division by a constant.
static std::string constantDivisionKey(const llvm::Instruction &I,
                                       const llvm::ConstantInt &By,
                                       llvm::StringRef Type) {
  bool IsSigned = I.getOpcode() == llvm::Instruction::SDiv ||
                  I.getOpcode() == llvm::Instruction::SRem;
  return (llvm::Twine(I.getOpcodeName()) +
          (IsSigned && By.getValue().isPowerOf2() ? ".pow2." : ".const.") +
          Type)
      .str();
}

void InstructionSelection::fuseIntegers() {
  InstructionSet Fused;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (isDead(I) || !I.getType()->isIntOrIntVectorTy() || Keys.contains(&I))
        continue;
      std::string Type = typeKey(I.getType());
      switch (I.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
        fuseSum(I, Fused);
        break;
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        if (Type == "i1")
          fuseComparison(I);
        else
          fuseBitwise(I, Fused);
        break;
      case llvm::Instruction::Select:
        if (Type == "i1" &&
            (match(&I, m_LogicalAnd()) || match(&I, m_LogicalOr())))
          fuseComparison(I);
        break;
      case llvm::Instruction::LShr:
        selectPartOfWide(I);
        break;
      case llvm::Instruction::Mul:
        if (Type == "i64" && isExtended(I.getOperand(0)) &&
            isExtended(I.getOperand(1)))
          Keys[&I] = "mulwide.i64";
        break;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
        if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(I.getOperand(1));
            C && Type != "i128")
          Keys[&I] = constantDivisionKey(I, *C, Type);
        break;
      default:
        break;
      }
    }
}

namespace {

/// Does I extend whole bytes by zeros? A predicate (i1) is selected instead.
bool extendsBytes(const llvm::Instruction &I) {
  return llvm::isa<llvm::ZExtInst>(I) &&
         I.getOperand(0)->getType()->getScalarSizeInBits() % ByteBits == 0;
}

/// Number of bits, 8 or 16, of the part of a register that V is, or 0. Taken:
/// the instructions that take it, which the user of V does instead.
unsigned
partOfRegister(const llvm::Value *V, const llvm::DataLayout &DL,
               llvm::SmallVectorImpl<const llvm::Instruction *> &Taken) {
  unsigned Active = llvm::computeKnownBits(V, DL).countMaxActiveBits();
  unsigned Bits = Active <= ByteBits       ? ByteBits
                  : Active <= 2 * ByteBits ? 2 * ByteBits
                                           : 0;
  while (const auto *I =
             Bits ? llvm::dyn_cast<llvm::Instruction>(V) : nullptr) {
    const llvm::APInt *By;
    bool Takes =
        I->hasOneUse() && I->getType()->isIntegerTy() &&
        I->getType()->getIntegerBitWidth() <= RegisterBits &&
        (extendsBytes(*I) || match(I, m_And(m_Value(), m_LowBitMask())) ||
         (match(I, m_LShr(m_Value(), m_APInt(By))) && By->urem(Bits) == 0));
    if (Takes)
      Taken.push_back(I);
    else if (!llvm::isa<llvm::TruncInst>(I))
      break;
    V = I->getOperand(0);
  }
  return Bits;
}

/// The instructions by which V consists of whole bytes of another register and
/// zeros; does one of them shift?
bool movedBytes(const llvm::Value *V,
                llvm::SmallVectorImpl<const llvm::Instruction *> &Moves) {
  bool Shifts = false;
  while (const auto *I = llvm::dyn_cast<llvm::Instruction>(V)) {
    const llvm::APInt *C;
    bool IsShift = match(I, m_LogicalShift(m_Value(), m_APInt(C))) &&
                   C->urem(ByteBits) == 0;
    bool IsMask = match(I, m_And(m_Value(), m_APInt(C)));
    for (unsigned Bit = 0; IsMask && Bit < C->getBitWidth(); Bit += ByteBits) {
      llvm::APInt Byte =
          C->extractBits(std::min(ByteBits, C->getBitWidth() - Bit), Bit);
      IsMask = Byte.isZero() || Byte.isAllOnes();
    }
    if (!I->hasOneUse() || !(IsShift || IsMask || extendsBytes(*I)))
      break;
    Moves.push_back(I);
    Shifts |= IsShift;
    V = I->getOperand(0);
  }
  return Shifts;
}

/// Does every byte of A | B come from one of them?
bool haveDistinctBytes(const llvm::Value *A, const llvm::Value *B,
                       const llvm::DataLayout &DL) {
  llvm::APInt MayBeSet[] = {~llvm::computeKnownBits(A, DL).Zero,
                            ~llvm::computeKnownBits(B, DL).Zero};
  for (unsigned Bit = 0; Bit < MayBeSet[0].getBitWidth(); Bit += ByteBits)
    if (!MayBeSet[0].extractBits(ByteBits, Bit).isZero() &&
        !MayBeSet[1].extractBits(ByteBits, Bit).isZero())
      return false;
  return true;
}

} // namespace

void InstructionSelection::selectHalves() {
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      const auto *Shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&I);
      if (!Shuffle || isDead(I) || !isPackedHalf(I.getType()) ||
          !isModifierOfPairs(*Shuffle))
        continue;
      Free.insert(&I);
      const auto *First =
          llvm::dyn_cast<llvm::InsertElementInst>(I.getOperand(0));
      if (First && First->hasOneUse() &&
          llvm::isa<llvm::UndefValue>(First->getOperand(0)))
        Free.insert(First);
    }
}

void InstructionSelection::selectBytes() {
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (isDead(I) || I.getType()->isVectorTy() || !spendWork())
        continue;
      if (llvm::isa<llvm::UIToFPInst>(I) && I.getType()->isFloatTy()) {
        llvm::SmallVector<const llvm::Instruction *> Taken;
        if (partOfRegister(I.getOperand(0), DL, Taken) && !Taken.empty()) {
          Free.insert(Taken.begin(), Taken.end());
          Keys[&I] = "uitofp.i8.f32";
        }
        continue;
      }
      if (I.getOpcode() != llvm::Instruction::Or ||
          !I.getType()->isIntegerTy(RegisterBits) ||
          !haveDistinctBytes(I.getOperand(0), I.getOperand(1), DL))
        continue;
      llvm::SmallVector<const llvm::Instruction *> Moves;
      bool Shifts = false;
      for (const llvm::Value *Operand : I.operands())
        Shifts |= movedBytes(Operand, Moves);
      if (Shifts) {
        Free.insert(Moves.begin(), Moves.end());
        Keys[&I] = "prmt";
      }
    }
}

void InstructionSelection::foldExtensions() {
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I))
        continue;
      const llvm::Value *Operand = I.getOperand(0);
      bool ToWide = I.getType()->getScalarSizeInBits() > 32;
      // A load extends its value.
      if (llvm::isa<llvm::LoadInst>(Operand) &&
          !(ToWide && llvm::isa<llvm::SExtInst>(I))) {
        Free.insert(&I);
        continue;
      }
      // Arithmetic that was narrowed to small values is done in 32 bits.
      if (llvm::isa<llvm::ZExtInst>(I) && !Operand->getType()->isIntegerTy(1) &&
          Operand->getType()->getScalarSizeInBits() < 32 &&
          !llvm::isa<llvm::TruncInst>(Operand)) {
        Free.insert(&I);
        continue;
      }
      // IMAD.WIDE and address arithmetic take 32-bit factors.
      bool OnlyWide =
          ToWide && llvm::all_of(I.users(), [&](const llvm::User *U) {
            const auto *User = llvm::dyn_cast<llvm::Instruction>(U);
            return User &&
                   (llvm::isa<llvm::GetElementPtrInst>(User) || isDead(*User) ||
                    (Keys.contains(User) &&
                     Keys.lookup(User) == "mulwide.i64"));
          });
      if (OnlyWide)
        Free.insert(&I);
    }
}

// Loop overhead and branches.

bool InstructionSelection::isCountedTest(const llvm::ICmpInst &Test,
                                         const llvm::Loop *L) const {
  if (!Test.getOperand(0)->getType()->isIntOrPtrTy())
    return false;
  bool Pointers = Test.getOperand(0)->getType()->isPointerTy();
  PointerValue X, Y;
  for (unsigned N = 0; N < 2; ++N) {
    PointerValue &P = N ? Y : X;
    P = Pointers ? V.pointer(Test.getOperand(N))
                 : PointerValue{nullptr, V.of(Test.getOperand(N))};
  }
  if (X.Base != Y.Base)
    return false;
  Expr D = X.Offset - Y.Offset, Counter = V.counter(L);
  ExprContext &Ctx = Counter.context();
  llvm::StringMap<Expr> Next, First;
  Next[Counter.name()] = Counter + 1;
  First[Counter.name()] = Ctx.constant(0);
  std::optional<double> Step = (Ctx.substitute(D, Next) - D).asConstant();
  return Step && *Step != 0 && V.isInvariant(Ctx.substitute(D, First), L);
}

/// Does I do more than compute and store? A loop with such an instruction may
/// run forever.
static bool hasOtherEffects(const llvm::Instruction &I) {
  if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
    return !Store->isSimple();
  return I.mayHaveSideEffects();
}

bool InstructionSelection::isCountedByVariable(const llvm::ICmpInst &Test,
                                               const llvm::Loop *L) const {
  // AMD's compiler does not divide for a trip count; PTX is laid out already.
  if (IsAmd || IsPtx || !A.SE.isSCEVable(Test.getOperand(0)->getType()))
    return false;
  // The range of a special register may show here that a sum does not wrap
  // around, which nvcc knows of signed integers only. So it counts where ranges
  // do not show it.
  auto MayWrap = [&](const llvm::SCEV *Step, const llvm::SCEV *Bound) {
    bool Wraps = false;
    (void)A.SE.getSignedRangeMax(Bound).sadd_ov(A.SE.getSignedRangeMax(Step),
                                                Wraps);
    return Wraps;
  };
  bool Varies = false;
  for (unsigned Side = 0; Side < 2; ++Side) {
    const auto *Counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        A.SE.getSCEV(Test.getOperand(Side)));
    if (!Counter || Counter->getLoop() != L || !Counter->isAffine())
      continue;
    const llvm::SCEV *Step = Counter->getStepRecurrence(A.SE);
    Varies |= !llvm::isa<llvm::SCEVConstant>(Step) &&
              MayWrap(Step, A.SE.getSCEV(Test.getOperand(1 - Side)));
  }
  // The step may be zero; then only a loop that must end has a trip count.
  return Varies && A.SE.hasLoopInvariantBackedgeTakenCount(L) &&
         llvm::none_of(L->blocks(), [](const llvm::BasicBlock *BB) {
           return llvm::any_of(*BB, hasOtherEffects);
         });
}

/// May the counter that Test compares wrap around before it passes the bound:
/// `i += 32` of an unsigned integer? LLVM's analysis of today concludes from a
/// step that is a power of two that it does not; that of nvcc 13 does not.
static bool testedCounterMayWrap(const llvm::ICmpInst &Test) {
  if (Test.isEquality())
    return false;
  for (const llvm::Value *Side : Test.operands()) {
    const auto *Next = llvm::dyn_cast<llvm::BinaryOperator>(Side);
    const auto *Step =
        Next && Next->getOpcode() == llvm::Instruction::Add
            ? llvm::dyn_cast<llvm::ConstantInt>(Next->getOperand(1))
            : nullptr;
    if (Step && !Step->isOne() && !Step->isMinusOne())
      return Test.isSigned() ? !Next->hasNoSignedWrap()
                             : !Next->hasNoUnsignedWrap();
  }
  return false;
}

void InstructionSelection::findOverhead() {
  for (llvm::Loop *L : A.LI.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock *> Exiting;
    L->getExitingBlocks(Exiting);
    // Only a loop with one counted exit is unrolled without its tests.
    if (Exiting.size() != 1)
      continue;
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Exiting[0]->getTerminator());
    const auto *Test =
        Branch && Branch->isConditional()
            ? llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition())
            : nullptr;
    if (!Test || !L->contains(Test))
      continue;
    if (!isCountedTest(*Test, L)) {
      if (!isCountedByVariable(*Test, L))
        continue;
      VariableSteps.insert(L);
    } else if (testedCounterMayWrap(*Test)) {
      WithoutTripCount.insert(L);
    }
    Overhead.insert(Branch);
    if (!Test->hasOneUse())
      continue;
    Overhead.insert(Test);
    const llvm::BasicBlock *Latch = L->getLoopLatch();
    for (const llvm::PHINode &Phi : L->getHeader()->phis()) {
      const auto *Next = Latch ? llvm::dyn_cast<llvm::Instruction>(
                                     Phi.getIncomingValueForBlock(Latch))
                               : nullptr;
      if (!Next || !L->contains(Next))
        continue;
      // In PTX, addresses are sums with the counter: an addition of three
      // operands takes the constant that a copy of the body adds.
      bool IsConstant = IsPtx && Next->getOpcode() == llvm::Instruction::Add &&
                        llvm::isa<llvm::ConstantInt>(Next->getOperand(1));
      auto OnlyCounts = [&](const llvm::Instruction &I) {
        return llvm::all_of(I.users(), [&](const llvm::User *U) {
          const auto *User = llvm::cast<llvm::Instruction>(U);
          return User == Test || User == &Phi || User == Next ||
                 isDead(*User) ||
                 (IsConstant && User->getOpcode() == llvm::Instruction::Add &&
                  User->getType()->isIntegerTy());
        });
      };
      if (OnlyCounts(*Next) && OnlyCounts(Phi))
        Overhead.insert(Next);
    }
  }
}

void InstructionSelection::selectBranches() {
  IfConversion Conversion(A, *this, F);
  for (const llvm::BasicBlock &BB : F) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(BB.getTerminator());
    if (!Branch)
      continue;
    if (Branch->isUnconditional()) {
      Free.insert(Branch);
      continue;
    }
    const llvm::Loop *L = A.LI.getLoopFor(&BB);
    const llvm::BasicBlock *S0 = Branch->getSuccessor(0),
                           *S1 = Branch->getSuccessor(1);
    if (L && (!L->contains(S0) || !L->contains(S1)))
      continue; // a loop's exit stays a branch
    // A return is a predicated EXIT instruction.
    bool Leaves = llvm::isa<llvm::ReturnInst>(S0->getTerminator()) ||
                  llvm::isa<llvm::ReturnInst>(S1->getTerminator());
    if (Leaves)
      continue;
    if (const llvm::BasicBlock *Join = Conversion.joinOf(*Branch)) {
      Keys[Branch] = "br.predicated";
      for (const llvm::BasicBlock *Side : {S0, S1})
        if (!IsAmd && Side != Join)
          Guards[Side] = Branch->getCondition();
    } else if (A.UI.isDivergent(Branch)) {
      Keys[Branch] = "br.diverging";
    }
  }
}

unsigned smOf(const llvm::Function &F) {
  llvm::StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Cpu.consume_front("sm_") && !Cpu.consumeInteger(10, Number) ? Number
                                                                     : 0;
}

} // namespace gpuestimate
