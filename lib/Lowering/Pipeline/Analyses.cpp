#include "Analyses.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

namespace gpuestimate {

std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const llvm::Module &M) {
  // LLVM's registry is per process; registering twice is harmless, at the
  // same time from two threads is not.
  static std::once_flag Registered;
  std::call_once(Registered, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
  });
  std::string Problem;
  const llvm::Target *T =
      llvm::TargetRegistry::lookupTarget(M.getTargetTriple(), Problem);
  if (!T)
    return nullptr;
  std::string Cpu, Features;
  for (const llvm::Function &F : M) {
    if (F.isDeclaration() || !F.hasFnAttribute("target-cpu"))
      continue;
    Cpu = F.getFnAttribute("target-cpu").getValueAsString().str();
    Features = F.getFnAttribute("target-features").getValueAsString().str();
    break;
  }
  return std::unique_ptr<llvm::TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), Cpu, Features, {}, std::nullopt));
}

AnalysisManagers::AnalysisManagers(
    llvm::TargetMachine *TM, llvm::PassInstrumentationCallbacks *Callbacks) {
  llvm::PassBuilder Builder(TM, llvm::PipelineTuningOptions(), std::nullopt,
                            Callbacks);
  FAM.registerPass([&] { return Builder.buildDefaultAAPipeline(); });
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

KernelAnalyses::KernelAnalyses(llvm::Function &F)
    : TM(createTargetMachine(*F.getParent())), Managers(TM.get()),
      DT(Managers.FAM.getResult<llvm::DominatorTreeAnalysis>(F)),
      LI(Managers.FAM.getResult<llvm::LoopAnalysis>(F)),
      SE(Managers.FAM.getResult<llvm::ScalarEvolutionAnalysis>(F)),
      UI(Managers.FAM.getResult<llvm::UniformityInfoAnalysis>(F)),
      DL(F.getParent()->getDataLayout()) {}

namespace {

bool isSystemPath(llvm::StringRef Path) {
  return Path.starts_with("/usr/") || Path.starts_with("/opt/") ||
         Path.contains("/lib/clang/") || Path.contains("cuda-headers") ||
         Path.contains("cuda_wrappers") || Path.contains("/cuda/include") ||
         Path.contains("targets/x86_64-linux");
}

llvm::SmallString<128> pathOf(const llvm::DILocation &Loc) {
  llvm::StringRef File = Loc.getFilename(), Directory = Loc.getDirectory();
  llvm::SmallString<128> Path;
  if (!File.starts_with("/") && !Directory.empty()) {
    Path += Directory;
    Path += "/";
  }
  Path += File;
  return Path;
}

/// The file as the user named it: clang splits an absolute path at what it has
/// in common with the folder of the compilation, and keeps a relative one.
std::string userPathOf(const llvm::DILocation &Loc) {
  const llvm::DISubprogram *Function = Loc.getScope()->getSubprogram();
  const llvm::DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  if (!Unit || Loc.getDirectory() == Unit->getDirectory())
    return Loc.getFilename().str();
  return pathOf(Loc).str().str();
}

} // namespace

SourceLocation locate(const llvm::DebugLoc &Loc) {
  const llvm::DILocation *At = Loc.get();
  if (!At)
    return {};
  const llvm::DILocation *Chosen = At;
  // Line 0 is the compiler's mark for merged code.
  while (At && (At->getLine() == 0 || isSystemPath(pathOf(*At)))) {
    At = At->getInlinedAt();
    if (At)
      Chosen = At;
  }
  if (Chosen->getLine() == 0)
    return {};
  return {userPathOf(*Chosen), Chosen->getLine(), Chosen->getColumn()};
}

SourceLocation locate(const llvm::Instruction &I) {
  SourceLocation At = locate(I.getDebugLoc());
  if (At.isValid() || !I.getFunction()->getSubprogram())
    return At; // the latter: compiled without lines
  if (const auto *Pointer = llvm::dyn_cast_or_null<llvm::Instruction>(
          llvm::getLoadStorePointerOperand(&I)))
    At = locate(Pointer->getDebugLoc());
  for (const auto *Near = I.getPrevNode(); Near && !At.isValid() && spendWork();
       Near = Near->getPrevNode())
    At = locate(Near->getDebugLoc());
  for (const auto *Near = I.getNextNode(); Near && !At.isValid() && spendWork();
       Near = Near->getNextNode())
    At = locate(Near->getDebugLoc());
  return At;
}

bool endsInTrap(const llvm::BasicBlock &BB) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Seen;
  llvm::SmallVector<const llvm::BasicBlock *, 8> Work{&BB};
  while (!Work.empty()) {
    const llvm::BasicBlock *At = Work.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    // A handler is a few blocks; a long search is not one.
    if (Seen.size() > 8)
      return false;
    const llvm::Instruction *End = At->getTerminator();
    if (llvm::isa<llvm::UnreachableInst>(End))
      continue;
    if (End->getNumSuccessors() == 0)
      return false;
    for (const llvm::BasicBlock *Next : llvm::successors(At))
      Work.push_back(Next);
  }
  // A cycle that never leaves is a loop, not a trap.
  return llvm::any_of(Seen, [](const llvm::BasicBlock *B) {
    return llvm::isa<llvm::UnreachableInst>(B->getTerminator());
  });
}

} // namespace gpuestimate
