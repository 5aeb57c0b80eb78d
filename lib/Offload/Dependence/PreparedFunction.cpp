/// \file
/// Canonicalizes a clone of a function for Polly and LLVM's dependence tests.
/// No loop is removed.
#include "PreparedFunction.h"

#include "InliningPlan.h"
#include "ReductionPattern.h"
#include "ValueNames.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace gpuestimate {
namespace {

/// Limits for generated code: the time of LLVM's loop passes grows faster than
/// the number and the depth of the loops.
constexpr size_t MaxLoops = 1000;
constexpr unsigned MaxLoopDepth = 16;

/// Removes attributes that disable passes and the side effects of mathematical
/// functions, and names loaded pointers.
void removeRestrictions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  for (auto Kind : {llvm::Attribute::OptimizeNone, llvm::Attribute::NoInline,
                    llvm::Attribute::MinSize, llvm::Attribute::OptimizeForSize})
    F.removeFnAttr(Kind);
  const auto &TLI = FAM.getResult<llvm::TargetLibraryAnalysis>(F);
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (isMathCall(*Call, TLI)) {
          Call->setDoesNotAccessMemory();
          Call->setDoesNotThrow();
          Call->addFnAttr(llvm::Attribute::WillReturn);
        }
  // A loaded pointer gets the name of its variable or field, which later passes
  // remove.
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (llvm::isa<llvm::LoadInst>(I) && !I.hasName()) {
        const std::string Name = nameOf(&I);
        if (!Name.empty())
          I.setName(Name + "."); // a suffix after the point makes it unique
      }
}

/// Marks the arithmetic of unsigned indices as free of unsigned wrap, without
/// which no index would be affine. True if one was changed.
bool assumeNoWrapping(llvm::Function &F) {
  llvm::SmallSetVector<llvm::Value *, 16> Indices;
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
        for (llvm::Value *Index : Gep->indices())
          if (auto *Wide = llvm::dyn_cast<llvm::ZExtInst>(Index))
            Indices.insert(Wide->getOperand(0));
  bool Marked = false;
  for (size_t Next = 0; Next != Indices.size(); ++Next) {
    auto *I = llvm::dyn_cast<llvm::BinaryOperator>(Indices[Next]);
    if (!I || !llvm::isa<llvm::OverflowingBinaryOperator>(I))
      continue;
    const auto *Constant = llvm::dyn_cast<llvm::ConstantInt>(I->getOperand(1));
    if (Constant && Constant->isNegative())
      continue; // a subtraction
    Marked |= !I->hasNoUnsignedWrap() && !Constant;
    I->setHasNoUnsignedWrap();
    Indices.insert(I->op_begin(), I->op_end());
  }
  return Marked;
}

llvm::FunctionPassManager promotion() {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  return Passes;
}

/// Runs a loop pass on the loops at the given locations only.
template <typename PassT>
class SelectedLoops : public llvm::PassInfoMixin<SelectedLoops<PassT>> {
public:
  SelectedLoops(PassT Pass, llvm::ArrayRef<SourceLocation> Locations)
      : Pass(std::move(Pass)), Locations(Locations) {}

  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &LAM,
                              llvm::LoopStandardAnalysisResults &Results,
                              llvm::LPMUpdater &Updater) {
    if (!isRelatedTo(L, Locations))
      return llvm::PreservedAnalyses::all();
    return Pass.run(L, LAM, Results, Updater);
  }

private:
  PassT Pass;
  llvm::ArrayRef<SourceLocation> Locations;
};

llvm::FunctionPassManager
canonicalForm(llvm::ArrayRef<SourceLocation> Locations) {
  // As Polly's own preparation, plus the motion of loop-invariant loads (array
  // pointers kept in structs). Accesses stay in memory: a sum that is promoted
  // to a register would lose the name and the place of its array.
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::ReassociatePass());
  Passes.addPass(llvm::LoopSimplifyPass());
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      SelectedLoops(llvm::LoopRotatePass(), Locations)));
  const llvm::LICMOptions Default;
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      SelectedLoops(llvm::LICMPass(Default.MssaOptCap,
                                   /*MssaNoAccForPromotionCap=*/0,
                                   /*AllowSpeculation=*/true),
                    Locations),
      /*UseMemorySSA=*/true));
  // Unifies hoisted values with those in the guards of the loops.
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  return Passes;
}

llvm::FunctionPassManager
wideCounters(llvm::ArrayRef<SourceLocation> Locations) {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(SelectedLoops(
      llvm::IndVarSimplifyPass(/*WidenIndVars=*/true), Locations)));
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::ADCEPass());
  Passes.addPass(llvm::LoopSimplifyPass());
  return Passes;
}

} // namespace

bool isSameLocation(const SourceLocation &Queried, const SourceLocation &Loop) {
  namespace path = llvm::sys::path;
  return Queried.Line == Loop.Line &&
         (Queried.Column == 0 || Queried.Column == Loop.Column) &&
         (Queried.File.empty() ||
          path::filename(Queried.File) == path::filename(Loop.File));
}

bool isRelatedTo(const llvm::Loop &L,
                 llvm::ArrayRef<SourceLocation> Locations) {
  auto isListed = [&](const llvm::Loop *Candidate) {
    const SourceLocation Start = locate(Candidate->getStartLoc());
    return llvm::any_of(Locations, [&](const SourceLocation &Location) {
      return isSameLocation(Location, Start);
    });
  };
  for (const llvm::Loop *Outer = &L; Outer; Outer = Outer->getParentLoop())
    if (isListed(Outer))
      return true;
  return Locations.empty() || llvm::any_of(L.getLoopsInPreorder(), isListed);
}

std::vector<SourceLocation> loopLocations(const llvm::Function &F) {
  std::vector<SourceLocation> Locations;
  for (const llvm::BasicBlock &BB : F)
    if (const llvm::MDNode *Loop =
            BB.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop))
      for (const llvm::MDOperand &Operand : Loop->operands())
        if (auto *Start =
                llvm::dyn_cast_or_null<llvm::DILocation>(Operand.get())) {
          Locations.push_back(locate(llvm::DebugLoc(Start)));
          break;
        }
  return Locations;
}

PreparedFunction::PreparedFunction(
    const llvm::Function &Original,
    llvm::ArrayRef<SourceLocation> LoopsToAnalyze)
    : Queried(LoopsToAnalyze) {
  const InliningPlan Calls(Original, Queried);
  llvm::ValueToValueMapTy Map;
  M = llvm::CloneModule(
      *Original.getParent(), Map, [&](const llvm::GlobalValue *Value) {
        return llvm::isa<llvm::GlobalVariable>(Value) || Calls.reach(Value);
      });
  F = llvm::cast<llvm::Function>(Map[&Original]);

  llvm::PassBuilder Builder;
  FAM.registerPass([&] { return Builder.buildDefaultAAPipeline(); });
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  // Callees with several calls are promoted once, before they are inlined.
  for (llvm::Function &Callee : *M)
    if (&Callee != F && !Callee.isDeclaration() && Callee.hasNUsesOrMore(2)) {
      removeRestrictions(Callee, FAM);
      promotion().run(Callee, FAM);
    }
  Calls.inlineInto(*F, Map);
  LoopLocations = loopLocations(*F);
  if (LoopLocations.size() > MaxLoops) {
    Refusal =
        "the function has more than " + std::to_string(MaxLoops) + " loops";
    return;
  }
  const llvm::DominatorTree Dominators(*F);
  const llvm::LoopInfo Loops(Dominators);
  for (const llvm::BasicBlock &BB : *F)
    if (Loops.getLoopDepth(&BB) > MaxLoopDepth) {
      Refusal = "loops are nested more than " + std::to_string(MaxLoopDepth) +
                " deep";
      return;
    }
  removeRestrictions(*F, FAM);
  promotion().run(*F, FAM);
  NoWrapping = assumeNoWrapping(*F);
  canonicalForm(Queried).run(*F, FAM);
  // Stale results name instructions that are gone.
  FAM.clear(*F, F->getName());
}

void PreparedFunction::widenCounters() {
  Wide = true;
  // Scalar evolution depends on the order of earlier queries, so drop it.
  FAM.clear(*F, F->getName());
  wideCounters(Queried).run(*F, FAM);
  FAM.clear(*F, F->getName());
}

} // namespace gpuestimate
