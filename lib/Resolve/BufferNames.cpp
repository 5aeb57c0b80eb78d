#include "gpu-estimate/Resolve/BufferNames.h"

#include "ScalarParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned SharedSpace = 3;

BufferNames::BufferNames(const Function &F, const KernelModel &Model,
                         const KernelSource &Source)
    : F(F), Model(Model), Source(Source) {}

/// The name without its scope: "weights" for "ns::weights".
static std::string variableName(const GlobalVariable &G) {
  std::string Full = demangle(G.getName());
  size_t Scope = Full.rfind("::");
  return Scope == std::string::npos ? Full : Full.substr(Scope + 2);
}

static const Type *inMemoryType(const Argument &A) {
  return A.hasPassPointeeByValueCopyAttr() ? A.getPointeeInMemoryValueType()
                                           : nullptr;
}

std::string BufferNames::of(const Value *Pointer) const {
  if (const auto *A = dyn_cast<Argument>(Pointer))
    return A->getType()->isPointerTy() && !inMemoryType(*A)
               ? Model.Arguments[A->getArgNo()].Name
               : "";
  if (const auto *G = dyn_cast<GlobalVariable>(Pointer))
    return G->getAddressSpace() == SharedSpace ? "" : variableName(*G);
  const auto *Load = dyn_cast<LoadInst>(Pointer);
  if (!Load || !Load->getType()->isPointerTy())
    return "";
  APInt Offset(64, 0);
  const Value *Base =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          F.getParent()->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  const auto *A = dyn_cast<Argument>(Base);
  if (!A || !inMemoryType(*A))
    return "";
  for (const AggregateMember &M : Source.Members)
    if (M.Argument == A->getArgNo() && M.Offset == Offset.getZExtValue())
      return Model.Arguments[A->getArgNo()].Name + "." + M.Name;
  return "";
}

SmallVector<const Value *> BufferNames::valuesOf(StringRef Name) const {
  SmallVector<const Value *> Pointers;
  for (const Argument &A : F.args())
    if (of(&A) == Name)
      Pointers.push_back(&A);
  for (const GlobalVariable &G : F.getParent()->globals())
    if (of(&G) == Name)
      Pointers.push_back(&G);
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst>(I) && of(&I) == Name)
      Pointers.push_back(&I);
  return Pointers;
}

std::vector<std::string> BufferNames::all() const {
  std::vector<std::string> Names;
  auto Add = [&](const Value *V) {
    if (std::string Name = of(V); !Name.empty() && !is_contained(Names, Name))
      Names.push_back(Name);
  };
  for (const Argument &A : F.args())
    Add(&A);
  for (const Instruction &I : instructions(F))
    Add(&I);
  for (const GlobalVariable &G : F.getParent()->globals())
    if (!G.isConstant())
      Add(&G);
  return Names;
}

/// Calls Visit on the types that are read or written through Pointer.
template <typename Function>
static void visitAccesses(ArrayRef<const Value *> Pointers, Function Visit) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work(Pointers);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode,
              SelectInst, FreezeInst>(U))
        Work.push_back(U);
      else if (const auto *Load = dyn_cast<LoadInst>(U))
        Visit(Load->getType());
      else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getPointerOperand() == V)
          Visit(Store->getValueOperand()->getType());
      } else if (const auto *Rmw = dyn_cast<AtomicRMWInst>(U))
        Visit(Rmw->getValOperand()->getType());
      else if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(U))
        Visit(Swap->getCompareOperand()->getType());
      else if (const auto *Call = dyn_cast<CallBase>(U))
        if (const auto *Callee = Call->getCalledFunction();
            Callee && Callee->getName().starts_with("llvm.nvvm.ld"))
          Visit(Call->getType());
    }
  }
}

ElementType BufferNames::elementOf(StringRef Name, unsigned Declared) const {
  ElementType Type{ElementType::Bytes, std::max(1u, Declared)};
  std::optional<ElementType> Seen;
  bool Mixed = false;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  visitAccesses(valuesOf(Name), [&](llvm::Type *T) {
    for (const ScalarPart &L : scalarParts(T, Layout)) {
      ElementType Part{L.Type->isFloatingPointTy() ? ElementType::Real
                                                   : ElementType::Integer,
                       L.Bytes};
      Mixed |= Seen && *Seen != Part;
      Seen = Part;
    }
  });
  if (!Seen || Mixed)
    return Type;
  // A structure of equal members counts as its member.
  if (Declared && Declared % Seen->Size)
    return Type;
  return *Seen;
}

} // namespace gpuestimate
