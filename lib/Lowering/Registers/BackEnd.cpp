#include "BackEnd.h"

#include "Lowering/Pipeline/Analyses.h"
#include "Lowering/Pipeline/CompilerHabits.h"
#include "Lowering/Pipeline/WholeUnrolling.h"

#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>
#include <system_error>

namespace gpuestimate {

namespace {

/// What LLVM's passes and back end have to say about our copy of the module is
/// not for the user (a loop that stays a loop); an error ends this attempt.
class Listener final : public llvm::DiagnosticHandler {
public:
  explicit Listener(std::string &FirstError) : FirstError(FirstError) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override {
    if (Info.getSeverity() == llvm::DS_Error && FirstError.empty()) {
      llvm::raw_string_ostream OS(FirstError);
      llvm::DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
    }
    return true;
  }

private:
  std::string &FirstError;
};

/// While it lives, a module's context is listened to.
class Listening {
public:
  explicit Listening(llvm::LLVMContext &Context)
      : Context(Context), Before(Context.getDiagnosticHandler()) {
    Context.setDiagnosticHandler(std::make_unique<Listener>(FirstError));
  }
  ~Listening() { Context.setDiagnosticHandler(std::move(Before)); }
  Listening(const Listening &) = delete;
  Listening &operator=(const Listening &) = delete;

  llvm::Error takeError() const {
    return FirstError.empty()
               ? llvm::Error::success()
               : llvm::createStringError("the back end: " + FirstError);
  }

private:
  llvm::LLVMContext &Context;
  std::unique_ptr<llvm::DiagnosticHandler> Before;
  std::string FirstError;
};

/// Takes the bodies of the kernels that reach a function without one: the back
/// end needs every body that is called, and what stands for a function of ours
/// (a texture fetch) is not even code to it. Fails where no kernel is left.
llvm::Error
dropIncompleteKernels(llvm::Module &M,
                      llvm::function_ref<bool(llvm::StringRef)> IsProvided) {
  llvm::SetVector<llvm::Function *> Incomplete;
  for (llvm::Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && !F.use_empty() &&
        !isKernel(F) && !IsProvided(F.getName()))
      Incomplete.insert(&F);
  if (Incomplete.empty())
    return llvm::Error::success();
  std::string First = Incomplete.front()->getName().str();
  for (unsigned I = 0; I < Incomplete.size(); ++I) {
    llvm::SmallVector<llvm::User *> Users(Incomplete[I]->users());
    while (!Users.empty()) {
      llvm::User *U = Users.pop_back_val();
      if (auto *Use = llvm::dyn_cast<llvm::Instruction>(U))
        Incomplete.insert(Use->getFunction());
      else
        llvm::append_range(Users, U->users());
    }
  }
  for (llvm::Function *F : Incomplete) {
    F->deleteBody();
    F->setComdat(nullptr);
  }
  if (llvm::any_of(M, [](const llvm::Function &F) {
        return !F.isDeclaration() && isKernel(F);
      }))
    return llvm::Error::success();
  return llvm::createStringError("the body of %s is not known", First.c_str());
}

/// Writes the target's assembly of M. The back end may leave its passes in a
/// state in which they cannot be destroyed: they are lost then.
llvm::Error print(llvm::Module &M, llvm::TargetMachine &TM,
                  llvm::raw_pwrite_stream &OS) {
  auto Passes = std::make_unique<llvm::legacy::PassManager>();
  if (TM.addPassesToEmitFile(*Passes, OS, nullptr,
                             llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the target cannot emit assembly");
  if (runGuarded([&] { Passes->run(M); }))
    return llvm::Error::success();
  (void)Passes.release();
  return llvm::createStringError(std::errc::state_not_recoverable,
                                 "the back end crashed");
}

/// Lets the target forget M after a crash. The NVPTX target keeps what a module
/// annotates until it has printed the module, by the module's address, and
/// would take it for that of a later module at this address. Only printing
/// takes it away, so that M is printed without its code.
void forget(llvm::Module &M, llvm::TargetMachine &TM) {
  for (llvm::Function &F : M)
    if (!F.isDeclaration()) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
  llvm::raw_null_ostream Nowhere;
  llvm::consumeError(print(M, TM, Nowhere));
}

using Observation = void (KernelObserver::*)(llvm::Function &,
                                             llvm::FunctionAnalysisManager &);

/// Calls a member of an observer for each kernel. It changes names and metadata
/// only.
class ObserverPass : public llvm::PassInfoMixin<ObserverPass> {
public:
  ObserverPass(KernelObserver &Observer, Observation What)
      : Observer(Observer), What(What) {}
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM) {
    auto &FAM =
        MAM.getResult<llvm::FunctionAnalysisManagerModuleProxy>(M).getManager();
    for (llvm::Function &F : M)
      if (!F.isDeclaration() && isKernel(F))
        (Observer.*What)(F, FAM);
    return llvm::PreservedAnalyses::all();
  }

private:
  KernelObserver &Observer;
  Observation What;
};

/// Lays out what nvcc lays out beyond LLVM's limits, so that the same arrays
/// are in registers.
class NvccUnrollPass : public llvm::PassInfoMixin<NvccUnrollPass> {
public:
  explicit NvccUnrollPass(llvm::TargetMachine &TM) : TM(TM) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    unrollOverArrays(M, DeviceCompiler::Nvcc, &TM);
    return llvm::PreservedAnalyses::none();
  }

private:
  llvm::TargetMachine &TM;
};

/// The passes of clang -O1 to -O3.
void optimise(llvm::Module &M, llvm::TargetMachine &TM,
              KernelObserver *Observer) {
  AnalysisManagers Managers(&TM);
  unsigned Level = levelOf(M);
  llvm::PipelineTuningOptions Tuning;
  Tuning.LoopVectorization = Tuning.SLPVectorization = Level >= 2;
  llvm::PassBuilder Builder(&TM, Tuning);
  const llvm::OptimizationLevel &Passes =
      Level >= 3   ? llvm::OptimizationLevel::O3
      : Level == 2 ? llvm::OptimizationLevel::O2
                   : llvm::OptimizationLevel::O1;
  using llvm::ModulePassManager, llvm::OptimizationLevel;
  if (compilerOf(M) == DeviceCompiler::Nvcc)
    Builder.registerOptimizerEarlyEPCallback([&TM](ModulePassManager &MPM,
                                                   OptimizationLevel) {
      MPM.addPass(NvccUnrollPass(TM));
      llvm::FunctionPassManager Cleanup;
      Cleanup.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      Cleanup.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
      Cleanup.addPass(llvm::InstCombinePass());
      Cleanup.addPass(llvm::SimplifyCFGPass());
      MPM.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(Cleanup)));
    });
  if (Observer) {
    Builder.registerOptimizerEarlyEPCallback([Observer](ModulePassManager &MPM,
                                                        OptimizationLevel) {
      MPM.addPass(ObserverPass(*Observer, &KernelObserver::beforeUnrolling));
    });
    Builder.registerOptimizerLastEPCallback(
        [Observer](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(ObserverPass(*Observer, &KernelObserver::beforeBackEnd));
        });
  }
  Builder.buildPerModuleDefaultPipeline(Passes).run(M, Managers.MAM);
}

} // namespace

unsigned levelOf(const llvm::Module &M) {
  const auto *Flag = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
      M.getModuleFlag("gpu-estimate.level"));
  return Flag ? std::clamp<unsigned>(Flag->getZExtValue(), 1, 3) : 3;
}

std::unique_ptr<llvm::Module>
copyKernels(const llvm::Module &Source,
            llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  std::unique_ptr<llvm::Module> M = llvm::CloneModule(Source);
  for (llvm::Function &F : *M)
    if (!F.isDeclaration() && isKernel(F) && !IsWanted(F.getName())) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
  return M;
}

llvm::Error emitAssembly(llvm::Module &M,
                         llvm::function_ref<bool(llvm::StringRef)> IsProvided,
                         llvm::raw_pwrite_stream &OS, KernelObserver *Observer,
                         uint64_t MaxInstructions) {
  std::unique_ptr<llvm::TargetMachine> TM = createTargetMachine(M);
  if (!TM)
    return llvm::createStringError("LLVM has no target for the module");
  // Registers do not depend on it, and the printer fails on some of it (a call
  // of an extern "C" function whose declaration has a scope).
  llvm::StripDebugInfo(M);
  TM->Options.MCOptions.AsmVerbose = Observer != nullptr;
  for (llvm::Function &F : M)
    if (!F.isDeclaration() && !isKernel(F)) {
      F.setLinkage(llvm::GlobalValue::InternalLinkage);
      F.setComdat(nullptr);
    }
  Listening Diagnostics(M.getContext());
  optimise(M, *TM, Observer);
  if (llvm::Error Problem = dropIncompleteKernels(M, IsProvided))
    return Problem;
  if (uint64_t Instructions = M.getInstructionCount();
      Instructions > MaxInstructions)
    return llvm::createStringError(
        std::errc::value_too_large,
        "%llu instructions are more than the %llu of the limit (--deadline)",
        static_cast<unsigned long long>(Instructions),
        static_cast<unsigned long long>(MaxInstructions));
  if (llvm::Error Problem = print(M, *TM, OS)) {
    forget(M, *TM);
    return Problem;
  }
  return Diagnostics.takeError();
}

} // namespace gpuestimate
