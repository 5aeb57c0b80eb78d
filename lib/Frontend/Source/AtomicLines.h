/// \file
/// Statements that a directive marks as atomic.
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

/// First and last line of the statement after each directive in Body. The AST
/// does not contain directives that the compiler ignores, so locations are
/// compared.
std::vector<std::pair<unsigned, unsigned>>
linesOfAtomics(const clang::SourceManager &Sources, const clang::Stmt &Body,
               llvm::ArrayRef<clang::SourceLocation> Directives);

} // namespace gpuestimate

#endif
