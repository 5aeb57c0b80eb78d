/// \file
/// A kernel of a device module, translated to the host's target.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_LAUNCH_HOSTMODULE_H
#define GPU_ESTIMATE_LIB_EXECUTE_LAUNCH_HOSTMODULE_H

#include "Execute/Device/ThreadContext.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace llvm {
class DataLayout;
class Function;
class GlobalVariable;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuestimate {

struct HostModule {
  std::unique_ptr<llvm::Module> M;
  /// Do threads wait for each other? With vectors: do threads of one vector
  /// wait for those of another?
  bool UsesFibers = false;
  /// Do threads wait, in a loop, for what those of other blocks may write?
  bool WaitsForMemory = false;
  /// Do threads of a block wait for each other in a loop of the kernel?
  bool WaitsInLoops = false;
  unsigned Lanes = 1; ///< threads that each call of the kernel's code executes
  uint64_t StaticSharedBytes = 0;
  uint64_t SharedAlignment = 1; ///< of all variables in shared memory
  std::vector<SharedVariable> SharedVariables;
  uint64_t LocalBytes = 0; ///< of a thread's arrays
  bool Recurses = false;   ///< calls remain whose depth is not known
  /// The line number of an instruction counts from 1 in this table.
  std::vector<SourceLocation> Lines;
};

struct HostModuleRequest {
  const llvm::Function *Kernel = nullptr; ///< after prepareForAnalysis()
  llvm::StringRef Name;                   ///< of the compiled function
  llvm::TargetMachine *Host = nullptr;
  /// The storage of a variable, null if it has none.
  llvm::function_ref<void *(const llvm::GlobalVariable &)> Storage;
  /// Functions that compiled code may call.
  const llvm::StringMap<void *> *Functions = nullptr;
  bool Traced = false;         ///< with calls of the recorder (Trace.h)
  bool FindsRaces = false;     ///< with calls of the RaceDetector
  bool Vectorised = false;     ///< by vectoriseLanes(); fails if that does
  bool LanesShareRows = false; ///< of the thread block, where Vectorised
};

/// Translates the kernel and what it calls, and optimises it for the host. The
/// result has one external function, a HostKernelFunction.
llvm::Expected<HostModule> translateToHost(const HostModuleRequest &Request);

} // namespace gpuestimate

#endif
