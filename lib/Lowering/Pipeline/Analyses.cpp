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
  // LLVM's registry is per process, and registration is not thread-safe.
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

/// The file as the user named it. Clang keeps relative paths and splits an
/// absolute one after its common prefix with the compilation directory.
std::string userPathOf(const llvm::DILocation &Loc) {
  const llvm::DISubprogram *Function = Loc.getScope()->getSubprogram();
  const llvm::DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  if (!Unit || Loc.getDirectory() == Unit->getDirectory())
    return Loc.getFilename().str();
  return pathOf(Loc).str().str();
}

} // namespace

SourceLocation locate(const llvm::DebugLoc &Loc) {
  const llvm::DILocation *Scope = Loc.get();
  if (!Scope)
    return {};
  const llvm::DILocation *UserScope = Scope;
  // Line 0 marks merged code.
  while (Scope && (Scope->getLine() == 0 || isSystemPath(pathOf(*Scope)))) {
    Scope = Scope->getInlinedAt();
    if (Scope)
      UserScope = Scope;
  }
  if (UserScope->getLine() == 0)
    return {};
  return {userPathOf(*UserScope), UserScope->getLine(), UserScope->getColumn()};
}

SourceLocation locate(const llvm::Instruction &I) {
  SourceLocation Location = locate(I.getDebugLoc());
  if (Location.isValid() || !I.getFunction()->getSubprogram())
    return Location; // has a line, or the module has no debug information
  if (const auto *Pointer = llvm::dyn_cast_or_null<llvm::Instruction>(
          llvm::getLoadStorePointerOperand(&I)))
    Location = locate(Pointer->getDebugLoc());
  for (const auto *Neighbour = I.getPrevNode();
       Neighbour && !Location.isValid() && spendWork();
       Neighbour = Neighbour->getPrevNode())
    Location = locate(Neighbour->getDebugLoc());
  for (const auto *Neighbour = I.getNextNode();
       Neighbour && !Location.isValid() && spendWork();
       Neighbour = Neighbour->getNextNode())
    Location = locate(Neighbour->getDebugLoc());
  return Location;
}

bool endsInTrap(const llvm::BasicBlock &BB) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Seen;
  llvm::SmallVector<const llvm::BasicBlock *, 8> Work{&BB};
  while (!Work.empty()) {
    const llvm::BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    // A trap handler has only a few blocks.
    if (Seen.size() > 8)
      return false;
    const llvm::Instruction *End = Block->getTerminator();
    if (llvm::isa<llvm::UnreachableInst>(End))
      continue;
    if (End->getNumSuccessors() == 0)
      return false;
    for (const llvm::BasicBlock *Next : llvm::successors(Block))
      Work.push_back(Next);
  }
  // An endless loop is no trap.
  return llvm::any_of(Seen, [](const llvm::BasicBlock *B) {
    return llvm::isa<llvm::UnreachableInst>(B->getTerminator());
  });
}

} // namespace gpuestimate
