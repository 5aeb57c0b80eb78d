#include "PointerValues.h"

#include "IntegerValues.h"
#include "Joins.h"
#include "Recurrences.h"
#include "ScevValues.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {

/// Bytes between the objects that the entries of an array of pointers lead to;
/// objects that far apart share no sector.
static constexpr double ObjectSpacing = 0x1p26;
/// Alignment in bytes of an array that cudaMalloc() returns, and of an object
/// that malloc() returns.
static constexpr uint64_t ArrayAlignment = 256, HeapAlignment = 16;

static bool isCast(const llvm::Value *V) {
  return llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator,
                   llvm::FreezeInst, llvm::IntToPtrInst>(V);
}

/// Spacing in bytes of the objects that pointers like V lead to: the end of the
/// last field that is accessed, rounded up to the alignment of the fields; an
/// indexed object is an allocation of its own.
static double objectStride(const llvm::Value *V, const llvm::DataLayout &DL) {
  uint64_t End = 0, Align = 1;
  llvm::SmallVector<std::pair<const llvm::Value *, uint64_t>, 8> Work{{V, 0}};
  llvm::SmallPtrSet<const llvm::Value *, 8> Seen;
  while (!Work.empty()) {
    auto [Pointer, FieldOffset] = Work.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const llvm::User *U : Pointer->users()) {
      if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(U)) {
        llvm::APInt Offset(DL.getIndexTypeSizeInBits(Gep->getType()), 0);
        if (!Gep->accumulateConstantOffset(DL, Offset))
          return ArrayAlignment;
        if (Offset.isNonNegative())
          Work.push_back({Gep, FieldOffset + Offset.getZExtValue()});
      } else if (isCast(U)) {
        Work.push_back({U, FieldOffset});
      } else if (llvm::getLoadStorePointerOperand(U) == Pointer) {
        End = std::max(End,
                       FieldOffset + DL.getTypeStoreSize(llvm::getLoadStoreType(
                                         const_cast<llvm::User *>(U))));
        Align = std::max(
            Align,
            llvm::getLoadStoreAlignment(const_cast<llvm::User *>(U)).value());
      }
    }
  }
  return static_cast<double>(End ? llvm::alignTo(End, Align) : HeapAlignment);
}

/// The address that V was loaded from, without offsets; null if V is no load.
static const llvm::Value *loadedFrom(const llvm::Value *V) {
  while (isCast(V))
    V = llvm::cast<llvm::User>(V)->getOperand(0);
  const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
  if (!Load)
    return nullptr;
  V = Load->getPointerOperand();
  while (isCast(V) || llvm::isa<llvm::GEPOperator>(V))
    V = llvm::cast<llvm::User>(V)->getOperand(0);
  return V;
}

PointerValue PointerValues::of(const llvm::Value *V) {
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(V))
    if (Expr Placeholder = Recurrent.placeholderOf(Phi))
      return {OpenBases.lookup(Phi), Placeholder};
  if (auto Entry = Memo.find(V); Entry != Memo.end())
    return Entry->second;
  if (Context.ExprDepth > ValueContext::MaxDepth || !spendWork())
    return {nullptr, Integers.opaque(V)};
  ++Context.ExprDepth;
  PointerValue P = compute(V);
  --Context.ExprDepth;
  if (Context.isTooLarge(P.Offset))
    P.Offset = Integers.opaque(V);
  if (!Recurrent.dependsOnOpenPhi(P.Offset))
    Memo[V] = P;
  return P;
}

// NOLINTNEXTLINE(readability-function-size): a case per opcode.
PointerValue PointerValues::compute(const llvm::Value *V) {
  if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(V)) {
    PointerValue P = of(Gep->getPointerOperand());
    unsigned Bits = A.DL.getIndexTypeSizeInBits(Gep->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> Variable;
    llvm::APInt Constant(Bits, 0);
    if (!Gep->collectOffset(A.DL, Bits, Variable, Constant))
      return {P.Base, Integers.opaque(V)};
    llvm::SmallVector<Expr> Terms{
        P.Offset, Ctx.constant(static_cast<double>(Constant.getSExtValue()))};
    for (const auto &[Index, Scale] : Variable)
      Terms.push_back(static_cast<double>(Scale.getSExtValue()) *
                      Integers.of(Index));
    P.Offset = Ctx.add(Terms);
    return P;
  }
  // mapa gives the place in the shared memory of another block of a cluster.
  if (const auto *Map = llvm::dyn_cast<llvm::IntrinsicInst>(V);
      Map && Map->getIntrinsicID() == llvm::Intrinsic::nvvm_mapa)
    return of(Map->getArgOperand(0));
  switch (llvm::Operator::getOpcode(V)) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
    return of(llvm::cast<llvm::User>(V)->getOperand(0));
  case llvm::Instruction::IntToPtr:
    // A pointer that was converted to an integer, for example to align it.
    if (const auto *Add = llvm::dyn_cast<llvm::PtrToIntOperator>(
            llvm::cast<llvm::User>(V)->getOperand(0)))
      return of(Add->getPointerOperand());
    if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(
            llvm::cast<llvm::User>(V)->getOperand(0)))
      return readPointer(*Load);
    return {V, Ctx.constant(0)};
  default:
    break;
  }
  if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(V)) {
    PointerValue P = of(Select->getTrueValue()),
                 Q = of(Select->getFalseValue());
    if (P.Base != Q.Base && P.Base && Q.Base)
      return join({Select->getCondition(), Select->getTrueValue(),
                   Select->getFalseValue()},
                  P, Q);
    return {
        P.Base == Q.Base ? P.Base : nullptr,
        Ctx.select(Integers.of(Select->getCondition()), P.Offset, Q.Offset)};
  }
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(V)) {
    const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
    bool IsHeader = L && L->getHeader() == Phi->getParent();
    if (IsHeader && A.SE.isSCEVable(Phi->getType())) {
      const llvm::SCEV *S = A.SE.getSCEV(const_cast<llvm::PHINode *>(Phi));
      const auto *R = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S);
      const auto *Base =
          llvm::dyn_cast<llvm::SCEVUnknown>(A.SE.getPointerBase(S));
      if (R && R->isAffine() && Base && Base->getValue() != V) {
        PointerValue P = of(Base->getValue());
        P.Offset = P.Offset + Scevs.of(A.SE.removePointerBase(S));
        return P;
      }
    }
    if (const llvm::Value *Same = Phi->hasConstantValue()) {
      PointerValue P = of(Same);
      Expr E = Integers.outsideLoops(P.Offset, Same, Phi->getParent());
      return {P.Base, E ? E : Integers.opaque(V)};
    }
    if (!IsHeader)
      if (Join J = findJoin(*Phi, A); J.Condition) {
        PointerValue P = of(J.IfTrue), Q = of(J.IfFalse);
        if (P.Base && Q.Base && !Names.contains(P.Offset) &&
            !Names.contains(Q.Offset))
          return join(J, P, Q);
        if (!Names.contains(Integers.conditionOf(J)))
          return join(J, P, Q);
      }
    return IsHeader ? changingPointer(*Phi)
                    : PointerValue{nullptr, Integers.opaque(V)};
  }
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V))
    return readPointer(*Load);
  // An argument, a variable or a private array.
  return {V, Ctx.constant(0)};
}

PointerValue PointerValues::join(const Join &J, const PointerValue &P,
                                 const PointerValue &Q) {
  Expr C = Integers.conditionOf(J);
  if (!Names.contains(C))
    return {P.Base == Q.Base ? P.Base : nullptr,
            Ctx.select(C, P.Offset, Q.Offset)};
  const llvm::Value *Likelier =
      likelihood(J).Probability >= 0.5 ? P.Base : Q.Base;
  return {P.Base == Q.Base ? P.Base : Likelier,
          Ctx.select(Integers.likelierSide(J), P.Offset, Q.Offset)};
}

const llvm::PHINode *PointerValues::listOf(const llvm::Value *V) {
  llvm::SmallVector<const llvm::Value *, 4> Chain;
  while (V && !llvm::isa<llvm::PHINode>(V)) {
    Chain.push_back(V);
    auto Entry = ChainRoots.find(V);
    V = Entry != ChainRoots.end() ? Entry->second : loadedFrom(V);
    spendWork();
  }
  for (const llvm::Value *P : Chain)
    ChainRoots[P] = V;
  const auto *Phi = llvm::dyn_cast_or_null<llvm::PHINode>(V);
  const llvm::Loop *L = Phi ? A.LI.getLoopFor(Phi->getParent()) : nullptr;
  if (!L || L->getHeader() != Phi->getParent() || !L->getLoopLatch() ||
      !L->getLoopPredecessor())
    return nullptr;
  const llvm::Value *Next =
      loadedFrom(Phi->getIncomingValueForBlock(L->getLoopLatch()));
  while (Next && !llvm::isa<llvm::PHINode>(Next))
    Next = loadedFrom(Next);
  return Next == Phi ? Phi : nullptr;
}

PointerValue PointerValues::recurrentPointer(const llvm::PHINode &Phi) {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  const llvm::BasicBlock *Latch = L->getLoopLatch(),
                         *Before = L->getLoopPredecessor();
  if (!Latch || !Before || Phi.getNumIncomingValues() != 2)
    return {nullptr, {}};
  PointerValue Start = of(Phi.getIncomingValueForBlock(Before));
  if (!Start.Base || Names.contains(Start.Offset))
    return {nullptr, {}};
  OpenBases[&Phi] = Start.Base;
  Expr Offset = Recurrent.closedForm(Phi, L, Start.Offset, [&] {
    PointerValue Next = of(Phi.getIncomingValueForBlock(Latch));
    return Next.Base == Start.Base ? Next.Offset : Expr();
  });
  OpenBases.erase(&Phi);
  return {Start.Base, Offset};
}

PointerValue PointerValues::changingPointer(const llvm::PHINode &Phi) {
  if (PointerValue P = recurrentPointer(Phi); P.Offset)
    return P;
  Expr Offset = objectStride(&Phi, A.DL) * Integers.opaque(&Phi);
  if (listOf(&Phi) != &Phi)
    return {nullptr, Offset};
  // All elements of a list are in the object of its first element.
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  return {of(Phi.getIncomingValueForBlock(L->getLoopPredecessor())).Base,
          Offset};
}

PointerValue PointerValues::readPointer(const llvm::LoadInst &I) {
  PointerValue Address = of(I.getPointerOperand());
  if (const llvm::PHINode *List = listOf(&I))
    return {of(List).Base, objectStride(&I, A.DL) * Integers.opaque(&I)};
  PointerValue Fixed{&I, Ctx.constant(0)};
  // Arrays of pointers in private memory are not followed.
  if (Address.Offset.asConstant() ||
      llvm::isa_and_nonnull<llvm::AllocaInst, llvm::IntrinsicInst>(
          Address.Base))
    return Fixed;
  bool PerLane = false, PerBlockOrIteration = false;
  for (const std::string &Name : Address.Offset.parameters()) {
    PerLane |= llvm::StringRef(Name).starts_with("threadIdx.");
    PerBlockOrIteration |= llvm::StringRef(Name).starts_with("blockIdx.");
  }
  for (const auto &[L, Counter] : Context.Counters)
    PerBlockOrIteration |= Address.Offset.dependsOn(Counter);
  // Rows of a matrix are separate allocations; elements of a list or a tree
  // may be anywhere in one allocation.
  double Stride = objectStride(&I, A.DL);
  if (Names.contains(Address.Offset) || (PerLane && Stride < ArrayAlignment))
    return {&I, Stride * Integers.opaque(&I)};
  if (!PerLane && !PerBlockOrIteration)
    return Fixed;
  return {&I, Address.Offset *
                  (ObjectSpacing / A.DL.getTypeStoreSize(I.getType()))};
}

bool PointerValues::isLaneVarying(const llvm::Value *V) {
  if (!A.UI.isDivergent(V))
    return false;
  auto [Entry, IsNew] = LaneVarying.try_emplace(V, true);
  if (!IsNew)
    return Entry->second;
  // A value at the end of such a long chain of loads is assumed to vary.
  if (Context.ChainDepth > ValueContext::MaxDepth || !spendWork())
    return true;
  ++Context.ChainDepth;
  bool Varies = computeLaneVarying(V);
  --Context.ChainDepth;
  return LaneVarying[V] = Varies;
}

bool PointerValues::computeLaneVarying(const llvm::Value *V) {
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V))
    return llvm::isa_and_nonnull<llvm::AllocaInst>(
               of(Load->getPointerOperand()).Base) ||
           isLaneVarying(Load->getPointerOperand());
  if (llvm::isa<llvm::GEPOperator, llvm::CastInst, llvm::FreezeInst>(V))
    return llvm::any_of(llvm::cast<llvm::User>(V)->operands(),
                        [&](const llvm::Use &U) { return isLaneVarying(U); });
  if (const llvm::PHINode *List = listOf(V); List == V) {
    const llvm::BasicBlock *Entry =
        A.LI.getLoopFor(List->getParent())->getLoopPredecessor();
    return isLaneVarying(List->getIncomingValueForBlock(Entry));
  }
  return true;
}

} // namespace gpuestimate
