/// \file
/// What nvcc said of sources before, in the user's cache folder.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_COMPILERANSWERS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_COMPILERANSWERS_H

#include "gpu-estimate/Lowering/Registers/Nvcc.h"
#include <optional>

namespace gpuestimate {

/// The kernels of one compile, or why there are none.
struct CompilerAnswer {
  std::vector<CompiledKernel> Kernels;
  std::string Problem; ///< "" = nvcc and ptxas succeeded
};

/// Hash of all that decides what nvcc and ptxas make of a source: their files,
/// the arguments, and the contents of the source and its headers (Files, which
/// may lack those of the SDK). "" where one of them cannot be read.
std::string answerKey(const NvccRequest &Request,
                      llvm::ArrayRef<std::string> Files);

/// Answers by key, in $XDG_CACHE_HOME/gpu-estimate/nvcc, else
/// ~/.cache/gpu-estimate/nvcc. The oldest are removed beyond a thousand.
class CompilerAnswers {
public:
  CompilerAnswers();

  std::optional<CompilerAnswer> find(llvm::StringRef Key) const;
  void keep(llvm::StringRef Key, const CompilerAnswer &Answer) const;

private:
  std::string pathOf(llvm::StringRef Key) const;

  std::string Folder; ///< "" = there is none
};

} // namespace gpuestimate

#endif
