/// \file
/// A kernel's resources as nvcc and ptxas of an installed SDK make them of the
/// user's own source. Optional: without them, passes of clang stand in for nvcc
/// (Ptxas.h), and the limits of CompilerHabits.h for what it unrolls.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_NVCC_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_NVCC_H

#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace gpuestimate {

struct NvccRequest {
  std::string Path; ///< of nvcc
  /// Of the compile command, without input, output, kind of output and
  /// architecture.
  std::vector<std::string> Arguments;
  std::string Directory; ///< of relative paths; "" = the current one
  std::string File;      ///< the source
  PtxasRequest Assembler;
  /// Of nvcc; the assembler has a limit of its own.
  unsigned TimeoutSeconds = 20;
};

/// Bytes of the arrays in local memory (`.local`) of each kernel of a PTX file,
/// with those of the functions that it calls, by mangled name. Spilled
/// registers are not among them: ptxas makes those. Fails where the file is no
/// PTX that is known here.
llvm::Expected<llvm::StringMap<uint64_t>> localBytes(llvm::StringRef Ptx);

/// A compile by nvcc that runs beside this process.
class NvccRun {
public:
  static llvm::Expected<NvccRun> start(NvccRequest Request);
  NvccRun(NvccRun &&) noexcept;
  ~NvccRun();

  /// Waits for nvcc, then runs ptxas on its PTX. All kernels of the file, with
  /// LocalBytes. Fails when one of them does, or TimeoutSeconds pass
  /// (std::errc::timed_out).
  llvm::Expected<std::vector<CompiledKernel>> finish();

private:
  struct State;
  explicit NvccRun(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace gpuestimate

#endif
