/// \file
/// nvcc's compile of a source to PTX.
#ifndef GPU_ESTIMATE_PTX_PTXCOMPILE_H
#define GPU_ESTIMATE_PTX_PTXCOMPILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

struct PtxCompileRequest {
  std::string Path; ///< of nvcc
  std::string Arch; ///< "sm_90a"
  /// Arguments of the compile command, without input, output, kind of output
  /// and architecture.
  std::vector<std::string> Arguments;
  std::string Directory; ///< of relative paths; "" = the current one
  std::string File;      ///< the source
  bool HasLines = false; ///< the PTX says which line each instruction is of
  unsigned TimeoutSeconds = 20;
};

/// A compile of one file by nvcc that runs beside this process and ends with
/// this object.
class PtxCompile {
public:
  static llvm::Expected<PtxCompile> start(PtxCompileRequest Request);
  PtxCompile(PtxCompile &&) noexcept;
  ~PtxCompile();

  /// Waits for the PTX. Fails when nvcc does, with its first line that reports
  /// an error, or when TimeoutSeconds have passed (std::errc::timed_out).
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> finish();

private:
  struct State;
  explicit PtxCompile(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace gpuestimate

#endif
