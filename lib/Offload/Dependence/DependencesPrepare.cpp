/// \file
/// The clone that is analysed: one function with what it calls inlined, in the
/// form that Polly and LLVM's dependence tests understand, with every loop
/// still there.
#include "DependencesInternal.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
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

/// The time of LLVM's loop passes grows faster than the number and the depth of
/// the loops. Generated code only.
constexpr size_t MostLoops = 1000;
constexpr unsigned DeepestLoop = 16;

/// Attributes that would keep passes away, errno, and lost names.
void relax(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
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
  // A pointer is called as the variable or field that holds it, as long as
  // that is still to be seen.
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (llvm::isa<llvm::LoadInst>(I) && !I.hasName()) {
        const std::string Name = nameOf(&I);
        if (!Name.empty())
          I.setName(Name + "."); // what makes it unique comes after the point
      }
}

/// Indices of unsigned type could wrap around by the letter of the language,
/// which would leave no index linear. True when one was taken not to.
bool forbidWrapping(llvm::Function &F) {
  llvm::SmallSetVector<llvm::Value *, 16> Indices;
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
        for (llvm::Value *Index : Gep->indices())
          if (auto *Wide = llvm::dyn_cast<llvm::ZExtInst>(Index))
            Indices.insert(Wide->getOperand(0));
  bool Marked = false;
  for (size_t At = 0; At != Indices.size(); ++At) {
    auto *I = llvm::dyn_cast<llvm::BinaryOperator>(Indices[At]);
    if (!I || !llvm::isa<llvm::OverflowingBinaryOperator>(I))
      continue;
    const auto *Constant = llvm::dyn_cast<llvm::ConstantInt>(I->getOperand(1));
    if (Constant && Constant->isNegative())
      continue; // the way to write a subtraction
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

/// A pass on loops, for some of them.
template <typename PassT>
class OfSomeLoops : public llvm::PassInfoMixin<OfSomeLoops<PassT>> {
public:
  OfSomeLoops(PassT Pass, llvm::ArrayRef<SourceLocation> Places)
      : Pass(std::move(Pass)), Places(Places) {}

  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &LAM,
                              llvm::LoopStandardAnalysisResults &Results,
                              llvm::LPMUpdater &Updater) {
    if (!concerns(L, Places))
      return llvm::PreservedAnalyses::all();
    return Pass.run(L, LAM, Results, Updater);
  }

private:
  PassT Pass;
  llvm::ArrayRef<SourceLocation> Places;
};

llvm::FunctionPassManager canonicalForm(llvm::ArrayRef<SourceLocation> Places) {
  // As Polly's own preparation, plus the motion of loop-invariant loads (array
  // pointers kept in structs). Accesses stay in memory: a sum that is promoted
  // to a register would lose the name and the place of its array.
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::ReassociatePass());
  Passes.addPass(llvm::LoopSimplifyPass());
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      OfSomeLoops(llvm::LoopRotatePass(), Places)));
  const llvm::LICMOptions Default;
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      OfSomeLoops(llvm::LICMPass(Default.MssaOptCap,
                                 /*MssaNoAccForPromotionCap=*/0,
                                 /*AllowSpeculation=*/true),
                  Places),
      /*UseMemorySSA=*/true));
  // What was hoisted is the same value that guards the loop.
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  return Passes;
}

llvm::FunctionPassManager wideCounters(llvm::ArrayRef<SourceLocation> Places) {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      OfSomeLoops(llvm::IndVarSimplifyPass(/*WidenIndVars=*/true), Places)));
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::ADCEPass());
  Passes.addPass(llvm::LoopSimplifyPass());
  return Passes;
}

} // namespace

std::vector<SourceLocation> placesOfLoops(const llvm::Function &F) {
  std::vector<SourceLocation> Places;
  for (const llvm::BasicBlock &BB : F)
    if (const llvm::MDNode *Loop =
            BB.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop))
      for (const llvm::MDOperand &Operand : Loop->operands())
        if (auto *At =
                llvm::dyn_cast_or_null<llvm::DILocation>(Operand.get())) {
          Places.push_back(locate(llvm::DebugLoc(At)));
          break;
        }
  return Places;
}

PreparedFunction::PreparedFunction(const llvm::Function &Original,
                                   llvm::ArrayRef<SourceLocation> AskedAbout)
    : Asked(AskedAbout) {
  const CallsToInline Calls(Original, Asked);
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

  // What is called in several places is promoted once.
  for (llvm::Function &Callee : *M)
    if (&Callee != F && !Callee.isDeclaration() && Callee.hasNUsesOrMore(2)) {
      relax(Callee, FAM);
      promotion().run(Callee, FAM);
    }
  Calls.inlineInto(*F, Map);
  Places = placesOfLoops(*F);
  if (Places.size() > MostLoops) {
    Refusal =
        "the function has more than " + std::to_string(MostLoops) + " loops";
    return;
  }
  const llvm::DominatorTree Dominators(*F);
  const llvm::LoopInfo Loops(Dominators);
  for (const llvm::BasicBlock &BB : *F)
    if (Loops.getLoopDepth(&BB) > DeepestLoop) {
      Refusal =
          "loops are nested more than " + std::to_string(DeepestLoop) + " deep";
      return;
    }
  relax(*F, FAM);
  promotion().run(*F, FAM);
  NoWrapping = forbidWrapping(*F);
  canonicalForm(Asked).run(*F, FAM);
  // Stale results name instructions that are gone.
  FAM.clear(*F, F->getName());
}

void PreparedFunction::widenCounters() {
  Wide = true;
  // What was asked before must not matter: evolutions depend on their order.
  FAM.clear(*F, F->getName());
  wideCounters(Asked).run(*F, FAM);
  FAM.clear(*F, F->getName());
}

} // namespace gpuestimate
