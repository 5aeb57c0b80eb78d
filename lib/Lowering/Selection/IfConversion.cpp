#include "IfConversion.h"

#include "OpTable.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace gpuestimate {

/// Machine instructions up to which ptxas 13.0 predicates one side of a branch,
/// the same on sm_75, sm_80, sm_86, sm_90 and sm_100. Branches around 1 to 23
/// additions, loads and stores are gone up to 8 instructions, up to 6 where the
/// condition is the same for all threads, and up to 20 where one of them loads
/// from global memory. Atomics keep their branch.
static constexpr unsigned MaxPredicated = 8, MaxPredicatedUniform = 6,
                          MaxPredicatedWithLoad = 20;
/// Instructions of an inner side, without accesses, that become selects so that
/// the outer side has no branch.
static constexpr unsigned MaxSelected = 2;

/// Instructions of a side of a branch that AMD's compiler masks, about.
static constexpr unsigned MaxMasked = 10;

/// Memory whose loads a compiler takes to be slow.
static bool mayBeGlobal(const llvm::Value &Pointer) {
  unsigned Space = Pointer.getType()->getPointerAddressSpace();
  if (Space != addrspace::Generic)
    return Space == addrspace::Global;
  unsigned Object =
      llvm::getUnderlyingObject(&Pointer)->getType()->getPointerAddressSpace();
  return Object == addrspace::Generic || Object == addrspace::Global;
}

bool IfConversion::add(const llvm::Instruction &I, PredicatedCode &To) const {
  if (Selection.isDead(I) || I.isTerminator() || Selection.isFree(I) ||
      llvm::isa<llvm::PHINode>(I) || I.isDebugOrPseudoInst())
    return true;
  const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
  if (Call && (Call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(Call)))
    return false;
  if (I.isAtomic() || I.getOpcode() == llvm::Instruction::FDiv ||
      I.isIntDivRem())
    return false;
  if (const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I)) {
    To.Size += !Gep->hasAllConstantIndices();
    return true;
  }
  if (const llvm::Value *Pointer = accessPointer(I)) {
    ++To.Size;
    To.Accesses = true;
    To.LoadsGlobal |= llvm::isa<llvm::LoadInst>(I) && mayBeGlobal(*Pointer);
    return true;
  }
  const OpRow *Row = findOpRow(Selection.key(I));
  if (!Row) {
    To.Size += Selection.repeat(I);
    return true;
  }
  for (const OpStep &Step : Row->steps()) {
    if (Step.Class == OpClass::Branch)
      return false; // to a slow path
    To.Size += Step.Count * Selection.repeat(I);
  }
  return true;
}

unsigned IfConversion::maxSize(const llvm::BranchInst &Branch,
                               const PredicatedCode &Side) const {
  if (IsAmd)
    return MaxMasked;
  if (Side.LoadsGlobal)
    return MaxPredicatedWithLoad;
  return A.UI.isDivergent(&Branch) ? MaxPredicated : MaxPredicatedUniform;
}

std::optional<IfConversion::PredicatedCode>
IfConversion::side(const llvm::BranchInst &Branch, unsigned Which,
                   unsigned Budget) const {
  const llvm::BasicBlock &Side = *Branch.getSuccessor(Which);
  if (Side.getSinglePredecessor() != Branch.getParent())
    return std::nullopt;
  PredicatedCode Code;
  for (const llvm::Instruction &I : Side)
    if (!add(I, Code) || Code.Size > Budget)
      return std::nullopt;
  Code.Next = Side.getSingleSuccessor();
  if (!Code.Next) {
    const auto *Inside = llvm::dyn_cast<llvm::BranchInst>(Side.getTerminator());
    // The inner condition counts, which bounds the recursion through empty
    // blocks.
    if (!Inside || ++Code.Size > Budget)
      return std::nullopt;
    std::optional<PredicatedCode> Inner = sides(*Inside, Budget - Code.Size);
    bool IsSelect = Inner && Inner->Size <= MaxSelected && !Inner->Accesses;
    if (!IsSelect && !(Inner && IsAmd))
      return std::nullopt;
    Code.Next = Inner->Next;
    Code.Size += Inner->Size;
    Code.LoadsGlobal |= Inner->LoadsGlobal;
    Code.Accesses |= Inner->Accesses;
  }
  if (Code.Size > maxSize(Branch, Code))
    return std::nullopt;
  return Code;
}

std::optional<IfConversion::PredicatedCode>
IfConversion::sides(const llvm::BranchInst &Branch, unsigned Budget) const {
  std::optional<PredicatedCode> Side0 = side(Branch, 0, Budget),
                                Side1 = side(Branch, 1, Budget);
  if (Side0 && Side0->Next == Branch.getSuccessor(1))
    return Side0;
  if (Side1 && Side1->Next == Branch.getSuccessor(0))
    return Side1;
  if (Side0 && Side1 && Side0->Next == Side1->Next)
    return PredicatedCode{Side0->Next, Side0->Size + Side1->Size,
                          Side0->LoadsGlobal || Side1->LoadsGlobal,
                          Side0->Accesses || Side1->Accesses};
  return std::nullopt;
}

bool IfConversion::isConditional(const llvm::BasicBlock &BB) const {
  const llvm::Loop *L = A.LI.getLoopFor(&BB);
  const auto *Node = A.DT.getNode(&BB);
  while (Node && (Node = Node->getIDom()) && spendWork()) {
    const llvm::BasicBlock *Above = Node->getBlock();
    if (L && !L->contains(Above))
      return false;
    if (A.LI.getLoopFor(Above) != L || PDT.dominates(&BB, Above))
      continue;
    if (llvm::none_of(llvm::successors(Above), [&](const auto *Next) {
          return llvm::isa<llvm::ReturnInst>(Next->getTerminator()) ||
                 (L && !L->contains(Next));
        }))
      return true;
  }
  return false;
}

IfConversion::IfConversion(KernelAnalyses &A,
                           const InstructionSelection &Selection,
                           llvm::Function &F)
    : A(A), Selection(Selection),
      PDT(A.Managers.FAM.getResult<llvm::PostDominatorTreeAnalysis>(F)),
      IsAmd(llvm::Triple(F.getParent()->getTargetTriple()).isAMDGPU()) {}

const llvm::BasicBlock *
IfConversion::joinOf(const llvm::BranchInst &Branch) const {
  std::optional<PredicatedCode> Code = sides(Branch, MaxPredicatedWithLoad);
  if (!Code)
    return nullptr;
  // In a conditional block, a branch around a load from global memory stays.
  // ptxas predicates some of these; on what that depends is not known.
  bool Stays =
      Code->LoadsGlobal && !IsAmd && isConditional(*Branch.getParent());
  return Stays ? nullptr : Code->Next;
}

} // namespace gpuestimate
