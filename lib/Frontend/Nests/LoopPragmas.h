/// \file
/// Reads the directives before loops from the preprocessor.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_NESTS_LOOPPRAGMAS_H
#define GPU_ESTIMATE_LIB_FRONTEND_NESTS_LOOPPRAGMAS_H

#include "gpu-estimate/Frontend/HostLoopNest.h"
#include "clang/Basic/SourceLocation.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace gpuestimate {

struct LoopPragma {
  clang::SourceLocation Location; ///< of the `#`
  NestDirective Directive;
  std::string Problem; ///< why it cannot be parsed; then Directive is empty
};
struct LoopPragmas {
  std::vector<LoopPragma> Loops;
  /// Locations of `omp atomic` and `acc atomic`, which precede a statement.
  std::vector<clang::SourceLocation> Atomics;
};

/// Parses the words after `#pragma`; nothing for other pragmas.
std::optional<LoopPragma> parseLoopPragma(llvm::StringRef Words);

/// Registers callbacks that add every directive outside system headers to the
/// result, in the order of the translation unit, and makes `#pragma
/// gpu_estimate` known to PP.
std::shared_ptr<LoopPragmas> collectLoopPragmas(clang::Preprocessor &PP);

} // namespace gpuestimate

#endif
