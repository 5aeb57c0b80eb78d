/// \file
/// The LLVM analyses of one kernel, and helpers that all of Lowering shares.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_ANALYSES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_ANALYSES_H

#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace gpuestimate {

/// The target machine of a device module, so that passes know its address
/// spaces and sources of divergence; null when LLVM lacks the target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const llvm::Module &M);

/// The four analysis managers, wired to each other and to one target.
struct AnalysisManagers {
  /// Callbacks, if any, are asked before each pass.
  explicit AnalysisManagers(
      llvm::TargetMachine *TM,
      llvm::PassInstrumentationCallbacks *Callbacks = nullptr);
  AnalysisManagers(const AnalysisManagers &) = delete;

  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

/// Analyses of one function, valid as long as it does not change.
struct KernelAnalyses {
  explicit KernelAnalyses(llvm::Function &F);

  std::unique_ptr<llvm::TargetMachine> TM;
  AnalysisManagers Managers;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::UniformityInfo &UI;
  const llvm::DataLayout &DL;
};

/// Address spaces that NVPTX and AMDGPU number alike.
namespace addrspace {
inline constexpr unsigned Generic = 0, Global = 1, Shared = 3, Constant = 4,
                          Local = 5;
} // namespace addrspace

/// The source line of an instruction. An instruction that the optimiser merged
/// has no line of its own; it gets the line of its pointer operand, or of its
/// nearest neighbour in the block, preceding instructions first.
SourceLocation locate(const llvm::Instruction &I);

/// Does every path from BB end in a trap or another call that never returns?
bool endsInTrap(const llvm::BasicBlock &BB);

} // namespace gpuestimate

#endif
