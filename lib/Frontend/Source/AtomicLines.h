/// \file
/// Statements that a directive says are atomic.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATOMICLINES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATOMICLINES_H

#include "llvm/ADT/ArrayRef.h"
#include <utility>
#include <vector>

namespace clang {
class SourceLocation;
class SourceManager;
class Stmt;
} // namespace clang

namespace gpuestimate {

/// First and last line of the statement behind each of the directives that
/// stand within Body. A directive that the compiler ignores is in no tree, so
/// places decide.
std::vector<std::pair<unsigned, unsigned>>
linesOfAtomics(const clang::SourceManager &Sources, const clang::Stmt &Body,
               llvm::ArrayRef<clang::SourceLocation> Directives);

} // namespace gpuestimate

#endif
