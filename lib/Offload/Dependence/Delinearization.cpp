#include "Delinearization.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {

void addParameterLimit(ParameterLimits &To, const llvm::SCEV *Symbol,
                       int64_t Max) {
  auto [It, New] = To.insert({Symbol, Max});
  if (!New)
    It->second = std::min(It->second, Max);
}

std::pair<const llvm::SCEV *, int64_t> parameterOf(const llvm::SCEV *Symbol) {
  if (llvm::isa<llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(Symbol))
    Symbol = llvm::cast<llvm::SCEVCastExpr>(Symbol)->getOperand();
  const auto *Sum = llvm::dyn_cast<llvm::SCEVAddExpr>(Symbol);
  const auto *Addend =
      Sum && Sum->getNumOperands() == 2
          ? llvm::dyn_cast<llvm::SCEVConstant>(Sum->getOperand(0))
          : nullptr;
  if (!Addend || Addend->getAPInt().getSignificantBits() > 32)
    return {Symbol, 0};
  return {Sum->getOperand(1), Addend->getAPInt().getSExtValue()};
}

bool DelinearizedArray::read(llvm::ArrayRef<const LoopAccess *> Uses) {
  return findStrides(Uses) && llvm::all_of(Uses, [&](const LoopAccess *Use) {
           return subscript(*Use);
         });
}

/// Takes row lengths from the array types of all accesses.
bool DelinearizedArray::findStrides(llvm::ArrayRef<const LoopAccess *> Uses) {
  for (const LoopAccess *Use : Uses) {
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

void DelinearizedArray::addStrides(const llvm::GEPOperator &Gep) {
  const llvm::DataLayout &Layout = Q.L.getHeader()->getDataLayout();
  for (auto It = llvm::gep_type_begin(Gep); It != llvm::gep_type_end(Gep); ++It)
    if (It.isSequential() && !It.getIndexedType()->isScalableTy())
      Strides.push_back(Layout.getTypeAllocSize(It.getIndexedType()));
}

bool DelinearizedArray::subscript(const LoopAccess &Use) {
  const llvm::SCEV *Offset =
      Q.SE.getMinusSCEV(Q.SE.getSCEV(Use.Pointer), Q.SE.getSCEV(Use.Base));
  auto Form =
      affineForm(Q.SE, Offset, Q.LI.getLoopFor(Use.I->getParent()), Q.L);
  DelinearizedAccess Access{&Use, sizeOf(Use), {}, 0};
  for (int64_t Stride : Strides) {
    AffineForm Multiples;
    if (Form)
      Form = divideByStride(Q.SE, *Form, Stride, Q.L, Multiples);
    if (!Form)
      return false;
    Access.Subscripts.push_back(std::move(Multiples));
  }
  if (!Form->isConstant() || Form->Constant < 0 ||
      Form->Constant + Access.Size > Strides.back())
    return false; // beyond the element
  Access.ElementOffset = Form->Constant;
  Accesses.push_back(std::move(Access));
  return true;
}

bool DelinearizedArray::inBounds(const DelinearizedAccess &Access, size_t Begin,
                                 ParameterLimits &Required) {
  for (size_t D = Begin; D < Strides.size(); ++D) {
    const int64_t Max = Strides[D - 1] / Strides[D] - 1;
    const AffineForm &Subscript = Access.Subscripts[D];
    const auto First =
        extremeValue(Q.SE, Subscript, /*Upper=*/false, nullptr, Q.L);
    const auto Last =
        extremeValue(Q.SE, Subscript, /*Upper=*/true, nullptr, Q.L);
    // A range that starts in the second half of a row and has an unknown end
    // began before the row in the source.
    if (!First || !Last || !isNotNegative(*First, Access) ||
        (!Last->isConstant() && First->Constant > Max / 2) ||
        !isAtMost(*Last, Max, Access, Required))
      return false;
  }
  return true;
}

bool DelinearizedArray::isNotNegative(const AffineForm &Form,
                                      const DelinearizedAccess &Access) {
  int64_t Least = Form.Constant;
  for (const auto &[Symbol, Factor] : Form.Symbols) {
    const llvm::APInt Minimum = Q.SE.getSignedRangeMin(Symbol);
    int64_t Product;
    if (Factor < 0)
      return false;
    if (Minimum.getSignificantBits() > 32 ||
        llvm::MulOverflow(Factor, Minimum.getSExtValue(), Product) ||
        llvm::AddOverflow(Least, Product, Least))
      Least = INT64_MIN;
  }
  if (Least >= 0 || Form.Symbols.size() != 1 || Form.Constant < INT32_MIN)
    return Least >= 0;
  const auto [Symbol, Factor] = Form.Symbols.front();
  const int64_t Needed = -llvm::divideFloorSigned(Form.Constant, Factor);
  const auto [Parameter, Addend] = parameterOf(Symbol);
  constexpr auto AtLeast = llvm::ICmpInst::ICMP_SGE;
  // n >= 1 leaves n - 1 without overflow.
  return isGuarded(AtLeast, Symbol, Needed, Access) ||
         (Addend <= 0 && Needed >= 0 &&
          isGuarded(AtLeast, Parameter, Needed - Addend, Access));
}

bool DelinearizedArray::isAtMost(const AffineForm &Form, int64_t Max,
                                 const DelinearizedAccess &Access,
                                 ParameterLimits &Required) {
  if (Form.isConstant())
    return Form.Constant <= Max;
  if (Form.Symbols.size() != 1 || !Form.Counters.empty())
    return false;
  const auto [Symbol, Factor] = Form.Symbols.front();
  if (Factor < 0)
    return false;
  const int64_t Limit = llvm::divideFloorSigned(Max - Form.Constant, Factor);
  if (Limit < 0 || Limit > INT32_MAX)
    return false;
  if (Q.SE.getUnsignedRangeMax(Symbol).ule(Limit) ||
      isGuarded(llvm::ICmpInst::ICMP_SLE, Symbol, Limit, Access))
    return true;
  const auto [Parameter, Addend] = parameterOf(Symbol);
  if (nameOf(Parameter).empty() || !alwaysRuns(Access))
    return false;
  addParameterLimit(Required, Parameter, Limit - Addend);
  return true;
}

/// Does a guard of one of the enclosing loops imply the comparison?
bool DelinearizedArray::isGuarded(llvm::ICmpInst::Predicate Predicate,
                                  const llvm::SCEV *Symbol, int64_t Limit,
                                  const DelinearizedAccess &Access) {
  if (Q.SE.getTypeSizeInBits(Symbol->getType()) < 32)
    return false; // the limit may not fit
  const llvm::SCEV *Bound =
      Q.SE.getConstant(Symbol->getType(), Limit, /*isSigned=*/true);
  for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent()); L;
       L = L->getParentLoop())
    if (Q.SE.isAvailableAtLoopEntry(Symbol, L) &&
        Q.SE.isLoopEntryGuardedByCond(L, Predicate, Symbol, Bound))
      return true;
  return false;
}

bool DelinearizedArray::alwaysRuns(const DelinearizedAccess &Access) {
  const llvm::BasicBlock *Block = Access.Use->I->getParent();
  const llvm::Loop *Entered = nullptr; // inner loop that contains the access
  for (const llvm::Loop *L = Q.LI.getLoopFor(Block); L;
       L = L->getParentLoop()) {
    if (!Block || !L->getLoopLatch() ||
        (!DT.dominates(Block, L->getLoopLatch()) &&
         !isEntered(*L, Block, Entered)))
      return false;
    Entered = L;
    Block = L->getLoopPreheader();
  }
  return true;
}

/// Are all branches from the header of L to the block At guards of the inner
/// loop Entered?
bool DelinearizedArray::isEntered(const llvm::Loop &L,
                                  const llvm::BasicBlock *Block,
                                  const llvm::Loop *Entered) {
  while (Block != L.getHeader()) {
    Block = DT.getNode(Block)->getIDom()->getBlock();
    if (Q.LI.getLoopFor(Block) != &L)
      continue; // exit of an earlier loop
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Block->getTerminator());
    if (!Branch || (Branch->isConditional() &&
                    (!Entered || !asksForTrips(*Branch, *Entered))))
      return false;
  }
  return true;
}

/// Does a guard depend on the same counters as the bounds of its loop?
bool DelinearizedArray::asksForTrips(const llvm::BranchInst &Guard,
                                     const llvm::Loop &Inner) {
  const auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(Guard.getCondition());
  const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Inner);
  if (!Compare || llvm::isa<llvm::SCEVCouldNotCompute>(Trips))
    return false;
  for (const llvm::Loop *L = Inner.getParentLoop(); L; L = L->getParentLoop())
    if (Q.SE.isLoopInvariant(Trips, L) &&
        !llvm::all_of(Compare->operands(), [&](llvm::Value *Operand) {
          return Q.SE.isLoopInvariant(Q.SE.getSCEV(Operand), L);
        }))
      return false;
  return true;
}

int64_t DelinearizedArray::sizeOf(const LoopAccess &Use) const {
  return Q.L.getHeader()->getDataLayout().getTypeStoreSize(
      llvm::getLoadStoreType(Use.I));
}

} // namespace gpuestimate
