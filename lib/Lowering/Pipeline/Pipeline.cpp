/// \file
/// The fixed analysis pipeline. It mirrors what -O3 device compilation does to
/// a kernel up to the point where loops are still countable: no runtime
/// unrolling, no loop vectorisation. Their effect is modelled instead.
#include "Analyses.h"
#include "BackEdgeSelects.h"
#include "ByValueCopies.h"
#include "CompilerHabits.h"
#include "Lowering/Selection/Libdevice.h"
#include "PackHalves.h"
#include "PhaseWaits.h"
#include "SpaceTests.h"
#include "SpecialRegisters.h"
#include "Unroll.h"
#include "WholeUnrolling.h"

#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/Any.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
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
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/Sink.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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

/// Instructions of the largest function that is inlined, with those that are
/// inlined into it.
constexpr uint64_t MaxInlinedSize = 20'000;

/// Instructions that inlining may add to the module.
constexpr uint64_t MaxInlineGrowth = 200'000;

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

/// Functions that call themselves, directly or through others, and all
/// functions in an order in which callees come before their callers.
struct CallOrder {
  llvm::SmallPtrSet<const llvm::Function *, 8> Recursive;
  std::vector<llvm::Function *> CalleesFirst;
};

CallOrder orderCalls(llvm::Module &M) {
  CallOrder Order;
  llvm::CallGraph Graph(M);
  for (auto Scc = llvm::scc_begin(&Graph); !Scc.isAtEnd(); ++Scc)
    for (llvm::CallGraphNode *Node : *Scc) {
      if (Scc.hasCycle())
        Order.Recursive.insert(Node->getFunction());
      if (Node->getFunction())
        Order.CalleesFirst.push_back(Node->getFunction());
    }
  return Order;
}

/// Decides for each call whether it is inlined. A function with all that is
/// inlined into it may have MaxInlinedSize instructions unless the source
/// forces it inline, and inlining may add MaxInlineGrowth instructions to the
/// whole module: without such a limit, a chain of N functions that each call
/// the next one twice grows to 2^N copies. A call beyond the limits stays a
/// call.
void limitInlining(const CallOrder &Order) {
  llvm::DenseMap<const llvm::Function *, uint64_t> Size; // after inlining
  uint64_t Growth = 0;
  for (llvm::Function *F : Order.CalleesFirst) {
    if (F->isDeclaration())
      continue;
    uint64_t Instructions = F->getInstructionCount();
    bool Forced = F->hasFnAttribute(llvm::Attribute::AlwaysInline);
    uint64_t Limit = isKernel(*F) || Forced ? MaxInlineGrowth : MaxInlinedSize;
    for (llvm::Instruction &I : llvm::instructions(*F)) {
      auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
      const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
        continue;
      uint64_t Added = Size.lookup(Callee);
      if (Instructions + Added > Limit || Growth + Added > MaxInlineGrowth) {
        Call->setIsNoInline();
        continue;
      }
      Instructions += Added;
      Growth += Added;
    }
    Size[F] = Instructions;
    if (Instructions > Limit)
      F->removeFnAttr(llvm::Attribute::AlwaysInline);
    else if (!isKernel(*F) && !Order.Recursive.contains(F))
      F->addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

/// Marks every function for inlining but kernels and those that cannot be
/// inlined, and removes attributes that prevent optimisation.
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
  // A kernel calling another one (CUDA dynamic parallelism goes through the
  // host stub, HIP does not) stays a call.
  CallOrder Order = orderCalls(M);
  limitInlining(Order);

  // The inliner takes functions in the module's order. What is called in one
  // place goes before what it calls, so that the code of a chain of such calls
  // is copied once and not at each of them.
  for (llvm::Function *F : Order.CalleesFirst)
    if (F->hasFnAttribute(llvm::Attribute::AlwaysInline) && F->hasOneUse()) {
      F->removeFromParent();
      M.getFunctionList().push_front(F);
    }
}

/// Simplifies functions with several call sites before they are inlined, once
/// instead of in every copy, by the first passes of the pipeline.
void simplifyShared(llvm::Module &M, llvm::TargetMachine *TM) {
  AnalysisManagers Managers(TM);
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Passes.addPass(llvm::EarlyCSEPass());
  Passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function &F : M)
    if (F.hasFnAttribute(llvm::Attribute::AlwaysInline) && F.hasNUsesOrMore(2))
      Passes.run(F, Managers.FAM);
}

/// SROA for functions of any size. A slot that is not written at once, such as
/// the fields of a __half2 that clang stores one by one, seems to carry its
/// value around the loop, and LLVM then searches a block from its beginning for
/// the first access to it: slots x instructions of a block. With many slots,
/// long blocks are therefore cut into pieces while SROA runs.
class ScalarReplacement : public llvm::PassInfoMixin<ScalarReplacement> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM) {
    llvm::SROAPass Sroa(llvm::SROAOptions::ModifyCFG);
    uint64_t Slots =
        llvm::count_if(llvm::instructions(F), llvm::IsaPred<llvm::AllocaInst>);
    bool Cut = Slots > ManySlots && cutBlocks(F);
    if (!spendWork(Slots * longestBlock(F) / SearchedPerUnit))
      return llvm::PreservedAnalyses::none();
    if (!Cut)
      return Sroa.run(F, FAM);
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
    Sroa.run(F, FAM);
    for (llvm::BasicBlock &BB : llvm::make_early_inc_range(F))
      llvm::MergeBlockIntoPredecessor(&BB);
    return llvm::PreservedAnalyses::none();
  }

private:
  static constexpr uint64_t ManySlots = 256;
  static constexpr uint64_t PieceSize = 256;
  /// Instructions that LLVM searches in the time of a unit of work.
  static constexpr uint64_t SearchedPerUnit = 256;

  /// Cuts blocks into pieces of PieceSize instructions; was any longer?
  static bool cutBlocks(llvm::Function &F) {
    bool Changed = false;
    for (llvm::BasicBlock &BB : F) { // the rest of a cut block comes next
      uint64_t Size = 0;
      for (llvm::Instruction &I : llvm::make_range(
               BB.getFirstNonPHIOrDbgOrAlloca(), std::prev(BB.end())))
        if (++Size > PieceSize) {
          llvm::SplitBlock(&BB, &I);
          Changed = true;
          break;
        }
    }
    return Changed;
  }

  /// Instructions of the longest block of F, without those of the stack slots.
  static uint64_t longestBlock(llvm::Function &F) {
    uint64_t Longest = 0;
    for (llvm::BasicBlock &BB : F)
      Longest = std::max<uint64_t>(
          Longest, std::distance(BB.getFirstNonPHIOrDbgOrAlloca(), BB.end()));
    return Longest;
  }
};

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

  simplifyShared(M, TM.get());
  if (llvm::Triple(M.getTargetTriple()).isNVPTX()) {
    AnalysisManagers Managers(TM.get());
    markEscapingArguments(M, Source, Managers);
    limitSpecialRegisters(M);
  }
  llvm::PassBuilder Builder(TM.get());
  Builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &Passes, llvm::OptimizationLevel) {
        Passes.addPass(FoldSpaceTests());
      });
  {
    llvm::ModulePassManager Early;
    Early.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
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

  // Shared arrays lie where the device's linker puts them, well aligned, which
  // lets neighbouring loads become one.
  for (llvm::GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == addrspace::Shared && G.hasInitializer() &&
        G.getValueType()->isSized() &&
        M.getDataLayout().getTypeAllocSize(G.getValueType()) >= 16)
      G.setAlignment(std::max(G.getAlign().valueOrOne(), llvm::Align(16)));

  if (llvm::Triple(M.getTargetTriple()).isNVPTX())
    for (llvm::Function &F : M)
      if (isKernel(F) && !F.isDeclaration())
        copyByValueArguments(F, Compiler);

  // Another GVN, the dearest of all passes, would find next to nothing more.
  llvm::FunctionPassManager Late;
  Late.addPass(BackEdgeSelects());
  Late.addPass(llvm::InferAddressSpacesPass());
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
  llvm::ModulePassManager Last;
  Last.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(Late)));
  Last.addPass(llvm::GlobalDCEPass());
  run(M, TM.get(), std::move(Last));
}

} // namespace gpuestimate
