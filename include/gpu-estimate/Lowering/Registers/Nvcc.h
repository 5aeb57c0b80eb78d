/// \file
/// A kernel's resources as nvcc and ptxas of an installed SDK make them of the
/// user's own source. Optional: without them, passes of clang stand in for nvcc
/// (Ptxas.h), and the limits of CompilerHabits.h for what it unrolls.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_NVCC_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_NVCC_H

#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "gpu-estimate/Ptx/PtxCompile.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace gpuestimate {

struct NvccRequest {
  PtxCompileRequest Compile;
  PtxasRequest Assembler; ///< it has a limit of time of its own
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
  /// LocalBytes. Fails when one of them does, or the
  /// limit of nvcc passes (std::errc::timed_out).
  llvm::Expected<std::vector<CompiledKernel>> finish();

private:
  struct State;
  explicit NvccRun(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace gpuestimate

#endif
