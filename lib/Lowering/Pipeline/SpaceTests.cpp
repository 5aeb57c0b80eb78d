#include "SpaceTests.h"

#include "Analyses.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;

namespace gpuestimate {

/// The address space of what a generic pointer points to, if it is known.
static std::optional<unsigned> knownSpace(const Value *Pointer) {
  constexpr unsigned MaxSteps = 32;
  for (unsigned I = 0; I < MaxSteps; ++I) {
    if (unsigned Space = Pointer->getType()->getPointerAddressSpace())
      return Space;
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
      Pointer = Cast->getPointerOperand();
    else if (const auto *Element = dyn_cast<GEPOperator>(Pointer))
      Pointer = Element->getPointerOperand();
    else
      return std::nullopt;
  }
  return std::nullopt;
}

/// The space that the intrinsic of this name asks for.
static std::optional<unsigned> askedSpace(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.isspacep."))
    return std::nullopt;
  return StringSwitch<std::optional<unsigned>>(Name)
      .Case("global", addrspace::Global)
      .Cases("shared", "shared.cluster", addrspace::Shared)
      .Case("const", addrspace::Constant)
      .Case("local", addrspace::Local)
      .Default(std::nullopt);
}

PreservedAnalyses FoldSpaceTests::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const auto *Test = dyn_cast<IntrinsicInst>(&I);
    if (!Test)
      continue;
    std::optional<unsigned> Asked =
        askedSpace(Test->getCalledFunction()->getName());
    std::optional<unsigned> Known =
        Asked ? knownSpace(Test->getArgOperand(0)) : std::nullopt;
    if (!Known)
      continue;
    I.replaceAllUsesWith(ConstantInt::getBool(I.getType(), *Known == *Asked));
    I.eraseFromParent();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace gpuestimate
