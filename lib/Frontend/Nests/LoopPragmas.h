/// \file
/// The directives in front of loops, as the preprocessor meets them.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_NESTS_LOOPPRAGMAS_H
#define GPU_ESTIMATE_LIB_FRONTEND_NESTS_LOOPPRAGMAS_H

#include "gpu-estimate/Frontend/HostNest.h"
#include "clang/Basic/SourceLocation.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace gpuestimate {

struct LoopPragma {
  clang::SourceLocation At; ///< of the `#`
  NestDirective Directive;
  std::string Problem; ///< what cannot be understood; then Directive is empty
};
struct LoopPragmas {
  std::vector<LoopPragma> Loops;
  /// Of `omp atomic` and `acc atomic`: they stand before a statement.
  std::vector<clang::SourceLocation> Atomics;
};

/// The directive in the words after `#pragma`; nothing when they are about
/// something else.
std::optional<LoopPragma> parseLoopPragma(llvm::StringRef Words);

/// From now on, every directive outside system headers is added to the result,
/// in the order of the translation unit. `#pragma gpu_estimate` is no longer
/// unknown to PP.
std::shared_ptr<LoopPragmas> collectLoopPragmas(clang::Preprocessor &PP);

} // namespace gpuestimate

#endif
