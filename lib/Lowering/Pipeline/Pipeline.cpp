/// \file
/// The fixed analysis pipeline. It mirrors what -O3 device compilation does to
/// a kernel up to the point where loops are still countable: no runtime
/// unrolling, no loop vectorisation. Their effect is modelled instead.
#include "Analyses.h"
#include "BackEdgeSelects.h"
#include "ByValueCopies.h"
#include "CompilerHabits.h"
#include "Inlining.h"
#include "Lowering/Selection/Libdevice.h"
#include "PackHalves.h"
#include "PhaseWaits.h"
#include "RegisterCopies.h"
#include "ScalarReplacement.h"
#include "SpaceTests.h"
#include "SpecialRegisters.h"
#include "Unroll.h"
#include "WholeUnrolling.h"

#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/Any.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/NaryReassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/Sink.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"
#include <vector>

namespace gpuestimate {

bool isKernel(const llvm::Function &F) {
  if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
      F.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
    return true;
  const llvm::NamedMDNode *Annotations =
      F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return false;
  for (const llvm::MDNode *Node : Annotations->operands()) {
    if (Node->getNumOperands() < 3 || !Node->getOperand(0))
      continue;
    const auto *Annotated =
        llvm::mdconst::dyn_extract_or_null<llvm::Function>(Node->getOperand(0));
    if (Annotated != &F)
      continue;
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
      if (const auto *Key = llvm::dyn_cast<llvm::MDString>(Node->getOperand(I)))
        if (Key->getString() == "kernel")
          return true;
  }
  return false;
}

namespace {

/// Casts pointer arguments to global memory: they are generic in the language,
/// but a launch passes pointers to global memory only.
void markArgumentPointersGlobal(llvm::Function &F) {
  llvm::IRBuilder<> Builder(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (llvm::Argument &A : F.args()) {
    auto *Type = llvm::dyn_cast<llvm::PointerType>(A.getType());
    if (!Type || Type->getAddressSpace() != addrspace::Generic ||
        A.hasByValAttr() || A.use_empty())
      continue;
    auto *Global = Builder.CreateAddrSpaceCast(
        &A, llvm::PointerType::get(F.getContext(), addrspace::Global));
    llvm::Value *Generic = Builder.CreateAddrSpaceCast(Global, Type);
    A.replaceUsesWithIf(Generic,
                        [&](llvm::Use &U) { return U.getUser() != Global; });
  }
}

/// Casts pointers that are loaded from a by-value struct argument to global
/// memory.
void markLoadedPointersGlobal(llvm::Function &F) {
  llvm::SmallVector<llvm::LoadInst *> Loads;
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB)
      if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
        if (auto *Type = llvm::dyn_cast<llvm::PointerType>(Load->getType()))
          if (Type->getAddressSpace() == addrspace::Generic)
            if (auto *A = llvm::dyn_cast<llvm::Argument>(
                    Load->getPointerOperand()->stripInBoundsOffsets()))
              if (A->hasByValAttr())
                Loads.push_back(Load);
  for (llvm::LoadInst *Load : Loads) {
    llvm::IRBuilder<> Builder(Load->getNextNode());
    llvm::Value *Global = Builder.CreateAddrSpaceCast(
        Load, llvm::PointerType::get(F.getContext(), addrspace::Global));
    llvm::Value *Generic = Builder.CreateAddrSpaceCast(Global, Load->getType());
    Load->replaceUsesWithIf(
        Generic, [&](llvm::Use &U) { return U.getUser() != Global; });
  }
}

/// Removes attributes that prevent optimisation, and makes kernels the only
/// functions that others see.
void prepareFunctions(llvm::Module &M) {
  for (llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    // The estimate is of optimised code, also when the user builds without.
    F.removeFnAttr(llvm::Attribute::OptimizeNone);
    F.removeFnAttr(llvm::Attribute::NoInline);
    F.removeFnAttr(llvm::Attribute::OptimizeForSize);
    F.removeFnAttr(llvm::Attribute::MinSize);
    F.setComdat(nullptr);
    // Unused template instantiations must survive the pipeline.
    F.setLinkage(isKernel(F) ? llvm::GlobalValue::ExternalLinkage
                             : llvm::GlobalValue::InternalLinkage);
  }
}

/// Removes the names of values, which passes would copy and make unique with
/// every instruction. Pointers keep theirs for the reports.
void dropNames(llvm::Function &F) {
  for (llvm::BasicBlock &BB : F) {
    BB.setName("");
    for (llvm::Instruction &I : BB)
      if (!I.getType()->isPointerTy())
        I.setName("");
  }
}

/// Looks for the targets of indirect calls, at great cost: a kernel has none
/// that could be anything but what is in the module anyway.
constexpr llvm::StringLiteral SkippedPass = "CalledValuePropagationPass";

/// Units of work that a pass over Unit counts as: the instructions of a
/// function, since a pass visits each of them. Passes over modules, calls and
/// loops are counted with the functions.
uint64_t workOfPass(const llvm::Any &Unit) {
  const auto *F = llvm::any_cast<const llvm::Function *>(&Unit);
  return F ? (*F)->getInstructionCount() : 0;
}

/// Runs Passes until the work of this thread passes a limit.
void run(llvm::Module &M, llvm::TargetMachine *TM,
         llvm::ModulePassManager &&Passes) {
  llvm::PassInstrumentationCallbacks Callbacks;
  Callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef Pass, const llvm::Any &Unit) {
        return Pass != SkippedPass && spendWork(workOfPass(Unit));
      });
  AnalysisManagers Managers(TM, &Callbacks);
  Passes.run(M, Managers.MAM);
}

/// Shared arrays lie where the device's linker puts them, well aligned, which
/// lets neighbouring loads become one.
void alignSharedArrays(llvm::Module &M) {
  for (llvm::GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == addrspace::Shared && G.hasInitializer() &&
        G.getValueType()->isSized() &&
        M.getDataLayout().getTypeAllocSize(G.getValueType()) >= 16)
      G.setAlignment(std::max(G.getAlign().valueOrOne(), llvm::Align(16)));
}

/// What ptxas and the back ends do to addresses, loads and the order of
/// instructions.
llvm::FunctionPassManager latePasses(const llvm::Module &M,
                                     DeviceCompiler Compiler) {
  // Another GVN, the dearest of all passes, would find next to nothing more.
  llvm::FunctionPassManager Late;
  Late.addPass(BackEdgeSelects());
  Late.addPass(llvm::InferAddressSpacesPass());
  if (Compiler == DeviceCompiler::Nvcc)
    Late.addPass(RegisterCopies());
  Late.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Late.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  Late.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  Late.addPass(llvm::InferAlignmentPass());
  Late.addPass(llvm::LoadStoreVectorizerPass());
  Late.addPass(PackHalves());
  // As the NVPTX back end does: neighbouring addresses from each other. Behind
  // PTX no compiler does it: ptxas does not know which sums wrap around.
  bool IsPtx = llvm::any_of(
      M, [](const llvm::Function &F) { return F.hasFnAttribute(PtxCodeMark); });
  if (!IsPtx) {
    Late.addPass(llvm::SeparateConstOffsetFromGEPPass());
    Late.addPass(llvm::StraightLineStrengthReducePass());
    Late.addPass(llvm::EarlyCSEPass());
    Late.addPass(llvm::NaryReassociatePass());
  }
  Late.addPass(llvm::EarlyCSEPass());
  Late.addPass(llvm::ADCEPass());
  // As machine sinking and ptxas do: what only one side of a branch uses moves
  // there.
  Late.addPass(llvm::SinkingPass());
  Late.addPass(llvm::LoopSimplifyPass());
  Late.addPass(llvm::LCSSAPass());
  return Late;
}

} // namespace

void prepareForAnalysis(llvm::Module &M) {
  std::unique_ptr<llvm::TargetMachine> TM = createTargetMachine(M);
  foldNvvmReflect(M);
  translateInlineAssembly(M, AssemblyUse::Estimate);
  assumePhasesEnded(M);
  const InlineRequests Source(M);
  prepareFunctions(M);
  canonicaliseLibrary(M);
  for (llvm::Function &F : M) {
    dropNames(F);
    if (isKernel(F) && !F.isDeclaration())
      markArgumentPointersGlobal(F);
  }

  {
    AnalysisManagers Managers(TM.get());
    if (llvm::Triple(M.getTargetTriple()).isNVPTX()) {
      markEscapingArguments(M, Source, Managers);
      limitSpecialRegisters(M);
    }
    inlineCalls(M, Managers.FAM);
  }
  llvm::PassBuilder Builder(TM.get());
  Builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &Passes, llvm::OptimizationLevel) {
        Passes.addPass(FoldSpaceTests());
      });
  {
    llvm::ModulePassManager Early;
    Early.addPass(llvm::GlobalDCEPass());
    run(M, TM.get(), std::move(Early));
  }
  const DeviceCompiler Compiler = compilerOf(M);
  for (llvm::Function &F : M)
    if (isKernel(F) && !F.isDeclaration())
      forwardByValueCopies(F, Compiler);
  {
    llvm::ModulePassManager Scalars;
    Scalars.addPass(
        llvm::createModuleToFunctionPassAdaptor(ScalarReplacement()));
    run(M, TM.get(), std::move(Scalars));
  }
  recoverAssemblyPointers(M);
  for (llvm::Function &F : M)
    if (isKernel(F) && !F.isDeclaration())
      markLoadedPointersGlobal(F);
  {
    // At once: InstCombine removes the pair of casts that says "global".
    llvm::ModulePassManager Spaces;
    Spaces.addPass(llvm::createModuleToFunctionPassAdaptor(
        llvm::InferAddressSpacesPass()));
    run(M, TM.get(), std::move(Spaces));
  }
  unrollWhole(M, Compiler, TM.get());

  run(M, TM.get(),
      Builder.buildModuleSimplificationPipeline(
          llvm::OptimizationLevel::O3, llvm::ThinOrFullLTOPhase::None));

  removeAssemblyFences(M);
  unrollOverArrays(M, Compiler, TM.get());
  unrollToSink(M, TM.get());
  unrollForWideLoads(M, TM.get());

  alignSharedArrays(M);
  if (llvm::Triple(M.getTargetTriple()).isNVPTX())
    for (llvm::Function &F : M)
      if (isKernel(F) && !F.isDeclaration())
        copyByValueArguments(F, Compiler);

  llvm::ModulePassManager Last;
  Last.addPass(
      llvm::createModuleToFunctionPassAdaptor(latePasses(M, Compiler)));
  Last.addPass(llvm::GlobalDCEPass());
  run(M, TM.get(), std::move(Last));
}

} // namespace gpuestimate
