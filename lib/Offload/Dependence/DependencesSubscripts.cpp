#include "DependencesSubscripts.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {

void addLimit(Limits &To, const llvm::SCEV *Symbol, int64_t Most) {
  auto [It, New] = To.insert({Symbol, Most});
  if (!New)
    It->second = std::min(It->second, Most);
}

std::pair<const llvm::SCEV *, int64_t> parameterOf(const llvm::SCEV *Symbol) {
  if (llvm::isa<llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(Symbol))
    Symbol = llvm::cast<llvm::SCEVCastExpr>(Symbol)->getOperand();
  const auto *Sum = llvm::dyn_cast<llvm::SCEVAddExpr>(Symbol);
  const auto *More =
      Sum && Sum->getNumOperands() == 2
          ? llvm::dyn_cast<llvm::SCEVConstant>(Sum->getOperand(0))
          : nullptr;
  if (!More || More->getAPInt().getSignificantBits() > 32)
    return {Symbol, 0};
  return {Sum->getOperand(1), More->getAPInt().getSExtValue()};
}

bool ArrayRows::read(llvm::ArrayRef<const MemoryUse *> Uses) {
  return findStrides(Uses) && llvm::all_of(Uses, [&](const MemoryUse *Use) {
           return subscript(*Use);
         });
}

/// Row lengths, by the types of the array; all accesses must agree.
bool ArrayRows::findStrides(llvm::ArrayRef<const MemoryUse *> Uses) {
  for (const MemoryUse *Use : Uses) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(Use->I))
      return false;
    Largest = std::max(Largest, sizeOf(*Use));
    for (const llvm::Value *V = Use->Pointer; V != Use->Base;) {
      const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(V);
      if (!Gep)
        break;
      addStrides(*Gep);
      V = Gep->getPointerOperand();
    }
  }
  llvm::erase_if(Strides, [&](int64_t Stride) { return Stride < Largest; });
  if (Strides.empty())
    Strides.push_back(Largest);
  llvm::sort(Strides, std::greater<>());
  Strides.erase(std::unique(Strides.begin(), Strides.end()), Strides.end());
  for (size_t D = 1; D < Strides.size(); ++D)
    if (Strides[D - 1] % Strides[D] != 0)
      return false;
  return true;
}

void ArrayRows::addStrides(const llvm::GEPOperator &Gep) {
  const llvm::DataLayout &Layout = Q.L.getHeader()->getDataLayout();
  for (auto It = llvm::gep_type_begin(Gep); It != llvm::gep_type_end(Gep); ++It)
    if (It.isSequential() && !It.getIndexedType()->isScalableTy())
      Strides.push_back(Layout.getTypeAllocSize(It.getIndexedType()));
}

bool ArrayRows::subscript(const MemoryUse &Use) {
  const llvm::SCEV *Offset =
      Q.SE.getMinusSCEV(Q.SE.getSCEV(Use.Pointer), Q.SE.getSCEV(Use.Base));
  auto Form =
      linearForm(Q.SE, Offset, Q.LI.getLoopFor(Use.I->getParent()), Q.L);
  Subscripted Access{&Use, sizeOf(Use), {}, 0};
  for (int64_t Stride : Strides) {
    LinearForm Multiples;
    if (Form)
      Form = splitOff(Q.SE, *Form, Stride, Q.L, Multiples);
    if (!Form)
      return false;
    Access.Subscripts.push_back(std::move(Multiples));
  }
  if (!Form->isConstant() || Form->Constant < 0 ||
      Form->Constant + Access.Size > Strides.back())
    return false; // a struct's members at other places than its own
  Access.Rest = Form->Constant;
  Accesses.push_back(std::move(Access));
  return true;
}

bool ArrayRows::inBounds(const Subscripted &Access, size_t From,
                         Limits &Under) {
  for (size_t D = From; D < Strides.size(); ++D) {
    const int64_t Most = Strides[D - 1] / Strides[D] - 1;
    const LinearForm &At = Access.Subscripts[D];
    const auto First = extremeOf(Q.SE, At, /*Upper=*/false, nullptr, Q.L);
    const auto Last = extremeOf(Q.SE, At, /*Upper=*/true, nullptr, Q.L);
    // What starts in the second half of a row, and where it ends is not known,
    // started before the row by what the source says.
    if (!First || !Last || !isNotNegative(*First, Access) ||
        (!Last->isConstant() && First->Constant > Most / 2) ||
        !isAtMost(*Last, Most, Access, Under))
      return false;
  }
  return true;
}

bool ArrayRows::isNotNegative(const LinearForm &Form,
                              const Subscripted &Access) {
  int64_t Least = Form.Constant;
  for (const auto &[Symbol, Factor] : Form.Symbols) {
    const llvm::APInt Of = Q.SE.getSignedRangeMin(Symbol);
    int64_t Product;
    if (Factor < 0)
      return false;
    if (Of.getSignificantBits() > 32 ||
        llvm::MulOverflow(Factor, Of.getSExtValue(), Product) ||
        llvm::AddOverflow(Least, Product, Least))
      Least = INT64_MIN;
  }
  if (Least >= 0 || Form.Symbols.size() != 1 || Form.Constant < INT32_MIN)
    return Least >= 0;
  const auto [Symbol, Factor] = Form.Symbols.front();
  const int64_t Needed = -llvm::divideFloorSigned(Form.Constant, Factor);
  const auto [Parameter, More] = parameterOf(Symbol);
  constexpr auto AtLeast = llvm::ICmpInst::ICMP_SGE;
  // n >= 1 leaves n - 1 without overflow.
  return isGuarded(AtLeast, Symbol, Needed, Access) ||
         (More <= 0 && Needed >= 0 &&
          isGuarded(AtLeast, Parameter, Needed - More, Access));
}

bool ArrayRows::isAtMost(const LinearForm &Form, int64_t Most,
                         const Subscripted &Access, Limits &Under) {
  if (Form.isConstant())
    return Form.Constant <= Most;
  if (Form.Symbols.size() != 1 || !Form.Counters.empty())
    return false;
  const auto [Symbol, Factor] = Form.Symbols.front();
  if (Factor < 0)
    return false;
  const int64_t Limit = llvm::divideFloorSigned(Most - Form.Constant, Factor);
  if (Limit < 0 || Limit > INT32_MAX)
    return false;
  if (Q.SE.getUnsignedRangeMax(Symbol).ule(Limit) ||
      isGuarded(llvm::ICmpInst::ICMP_SLE, Symbol, Limit, Access))
    return true;
  const auto [Parameter, More] = parameterOf(Symbol);
  if (nameOf(Parameter).empty() || !alwaysRuns(Access))
    return false;
  addLimit(Under, Parameter, Limit - More);
  return true;
}

/// Does a condition around the access's loops say so?
bool ArrayRows::isGuarded(llvm::ICmpInst::Predicate Is,
                          const llvm::SCEV *Symbol, int64_t Limit,
                          const Subscripted &Access) {
  if (Q.SE.getTypeSizeInBits(Symbol->getType()) < 32)
    return false; // the limit may not fit
  const llvm::SCEV *Bound =
      Q.SE.getConstant(Symbol->getType(), Limit, /*isSigned=*/true);
  for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent()); L;
       L = L->getParentLoop())
    if (Q.SE.isAvailableAtLoopEntry(Symbol, L) &&
        Q.SE.isLoopEntryGuardedByCond(L, Is, Symbol, Bound))
      return true;
  return false;
}

bool ArrayRows::alwaysRuns(const Subscripted &Access) {
  const llvm::BasicBlock *At = Access.Use->I->getParent();
  const llvm::Loop *Entered = nullptr; // on the way to the access
  for (const llvm::Loop *L = Q.LI.getLoopFor(At); L; L = L->getParentLoop()) {
    if (!At || !L->getLoopLatch() ||
        (!DT.dominates(At, L->getLoopLatch()) && !isEntered(*L, At, Entered)))
      return false;
    Entered = L;
    At = L->getLoopPreheader();
  }
  return true;
}

/// Do all conditions from the start of an iteration of L to At ask only whether
/// the loop behind it runs at all?
bool ArrayRows::isEntered(const llvm::Loop &L, const llvm::BasicBlock *At,
                          const llvm::Loop *Entered) {
  while (At != L.getHeader()) {
    At = DT.getNode(At)->getIDom()->getBlock();
    if (Q.LI.getLoopFor(At) != &L)
      continue; // the end of a loop before
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(At->getTerminator());
    if (!Branch || (Branch->isConditional() &&
                    (!Entered || !asksForTrips(*Branch, *Entered))))
      return false;
  }
  return true;
}

/// Does the guard of a loop depend on no other counters than its bounds do?
bool ArrayRows::asksForTrips(const llvm::BranchInst &Guard,
                             const llvm::Loop &Of) {
  const auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(Guard.getCondition());
  const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Of);
  if (!Compare || llvm::isa<llvm::SCEVCouldNotCompute>(Trips))
    return false;
  for (const llvm::Loop *L = Of.getParentLoop(); L; L = L->getParentLoop())
    if (Q.SE.isLoopInvariant(Trips, L) &&
        !llvm::all_of(Compare->operands(), [&](llvm::Value *Operand) {
          return Q.SE.isLoopInvariant(Q.SE.getSCEV(Operand), L);
        }))
      return false;
  return true;
}

int64_t ArrayRows::sizeOf(const MemoryUse &Use) const {
  return Q.L.getHeader()->getDataLayout().getTypeStoreSize(
      llvm::getLoadStoreType(Use.I));
}

} // namespace gpuestimate
