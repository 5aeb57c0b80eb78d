/// \file
/// Pointers that are read from memory: tables of pointers, lists.
#include "Values.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {

/// Objects that the entries of a table lead to are taken to lie so many bytes
/// apart, whatever their size: none has a sector in common with another.
static constexpr double BetweenObjects = 0x1p26;
/// Alignment of an array that the host allocates, and of what malloc() does.
static constexpr uint64_t OfArray = 256, OfObject = 16;

static bool isCast(const llvm::Value *V) {
  return llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator,
                   llvm::FreezeInst, llvm::IntToPtrInst>(V);
}

/// Bytes in steps of which objects lie that pointers like V lead to: the fields
/// that are used, rounded up to their alignment. An array is an allocation.
static double objectUnit(const llvm::Value *V, const llvm::DataLayout &DL) {
  uint64_t End = 0, Align = 1;
  llvm::SmallVector<std::pair<const llvm::Value *, uint64_t>, 8> Work{{V, 0}};
  llvm::SmallPtrSet<const llvm::Value *, 8> Seen;
  while (!Work.empty()) {
    auto [Pointer, At] = Work.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const llvm::User *U : Pointer->users()) {
      if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(U)) {
        llvm::APInt Offset(DL.getIndexTypeSizeInBits(Gep->getType()), 0);
        if (!Gep->accumulateConstantOffset(DL, Offset))
          return OfArray;
        if (Offset.isNonNegative())
          Work.push_back({Gep, At + Offset.getZExtValue()});
      } else if (isCast(U)) {
        Work.push_back({U, At});
      } else if (llvm::getLoadStorePointerOperand(U) == Pointer) {
        End = std::max(End, At + DL.getTypeStoreSize(llvm::getLoadStoreType(
                                     const_cast<llvm::User *>(U))));
        Align = std::max(
            Align,
            llvm::getLoadStoreAlignment(const_cast<llvm::User *>(U)).value());
      }
    }
  }
  return static_cast<double>(End ? llvm::alignTo(End, Align) : OfObject);
}

/// The pointer that V was read through, less offsets; null if it was not read.
static const llvm::Value *before(const llvm::Value *V) {
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

const llvm::PHINode *Values::listOf(const llvm::Value *V) {
  llvm::SmallVector<const llvm::Value *, 4> Passed;
  while (V && !llvm::isa<llvm::PHINode>(V)) {
    Passed.push_back(V);
    auto Known = ReadFrom.find(V);
    V = Known != ReadFrom.end() ? Known->second : before(V);
    spendWork();
  }
  // The next question need not go all the way again.
  for (const llvm::Value *P : Passed)
    ReadFrom[P] = V;
  const auto *Phi = llvm::dyn_cast_or_null<llvm::PHINode>(V);
  const llvm::Loop *L = Phi ? A.LI.getLoopFor(Phi->getParent()) : nullptr;
  if (!L || L->getHeader() != Phi->getParent() || !L->getLoopLatch() ||
      !L->getLoopPredecessor())
    return nullptr;
  const llvm::Value *Next =
      before(Phi->getIncomingValueForBlock(L->getLoopLatch()));
  while (Next && !llvm::isa<llvm::PHINode>(Next))
    Next = before(Next);
  return Next == Phi ? Phi : nullptr;
}

PointerValue Values::changingPointer(const llvm::PHINode &Phi) {
  Expr Offset = objectUnit(&Phi, A.DL) * opaque(&Phi);
  if (listOf(&Phi) != &Phi)
    return {nullptr, Offset};
  // All of a list is in the object where it begins.
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  return {pointer(Phi.getIncomingValueForBlock(L->getLoopPredecessor())).Base,
          Offset};
}

PointerValue Values::readPointer(const llvm::LoadInst &I) {
  PointerValue From = pointer(I.getPointerOperand());
  if (const llvm::PHINode *List = listOf(&I))
    return {pointer(List).Base, objectUnit(&I, A.DL) * opaque(&I)};
  PointerValue Fixed{&I, Ctx.constant(0)};
  // Which of few, in an array of the thread's own, is not followed.
  if (From.Offset.asConstant() ||
      llvm::isa_and_nonnull<llvm::AllocaInst, llvm::IntrinsicInst>(From.Base))
    return Fixed;
  bool OfLanes = false, Moves = false;
  for (const std::string &Name : From.Offset.parameters()) {
    OfLanes |= llvm::StringRef(Name).starts_with("threadIdx.");
    Moves |= llvm::StringRef(Name).starts_with("blockIdx.");
  }
  for (const auto &[L, Counter] : Counters)
    Moves |= From.Offset.dependsOn(Counter);
  // Rows of a matrix are allocations of their own; elements of a list or a
  // tree may be anywhere in one.
  double Unit = objectUnit(&I, A.DL);
  if (Names.contains(From.Offset) || (OfLanes && Unit < OfArray))
    return {&I, Unit * opaque(&I)};
  if (!OfLanes && !Moves)
    return Fixed;
  return {&I,
          From.Offset * (BetweenObjects / A.DL.getTypeStoreSize(I.getType()))};
}

bool Values::isLaneVarying(const llvm::Value *V) {
  // LLVM takes what is read through a generic pointer to be of each lane's own.
  if (!A.UI.isDivergent(V))
    return false;
  auto [Known, New] = LaneVarying.try_emplace(V, true);
  if (!New)
    return Known->second;
  // A value that is read through so many pointers is taken to vary.
  if (WalkDepth > MaxDepth || !spendWork())
    return true;
  ++WalkDepth;
  bool Varies = computeLaneVarying(V);
  --WalkDepth;
  return LaneVarying[V] = Varies;
}

bool Values::computeLaneVarying(const llvm::Value *V) {
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V))
    return llvm::isa_and_nonnull<llvm::AllocaInst>(
               pointer(Load->getPointerOperand()).Base) ||
           isLaneVarying(Load->getPointerOperand());
  if (llvm::isa<llvm::GEPOperator, llvm::CastInst, llvm::FreezeInst>(V))
    return llvm::any_of(llvm::cast<llvm::User>(V)->operands(),
                        [&](const llvm::Use &U) { return isLaneVarying(U); });
  if (const llvm::PHINode *List = listOf(V); List == V) {
    const llvm::BasicBlock *First =
        A.LI.getLoopFor(List->getParent())->getLoopPredecessor();
    return isLaneVarying(List->getIncomingValueForBlock(First));
  }
  return true;
}

} // namespace gpuestimate
