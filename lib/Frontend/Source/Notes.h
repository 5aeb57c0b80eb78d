/// \file
/// What comments and attributes say of kernels, loops and conditions.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_NOTES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_NOTES_H

#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Preprocessor;
class SourceLocation;
class SourceManager;
class SourceRange;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Comments and attributes of all declarations of a function, in the order of
/// the source; of an instantiation, those of its template.
std::vector<SourceNote> notesOf(const clang::FunctionDecl &Function);

/// Comments in the lines right above a statement.
std::vector<SourceNote> notesAbove(const clang::SourceManager &Sources,
                                   clang::SourceLocation Statement);

/// Parts of the source that the preprocessor skips.
using SkippedRanges = std::vector<clang::SourceRange>;
std::shared_ptr<SkippedRanges> collectSkipped(clang::Preprocessor &PP);

/// Fills Unit.Constants for the notes of Unit's kernels and anchors, and
/// Unit.IdleNotes from the main file.
void collectNotes(clang::Preprocessor &PP, clang::ASTContext &Context,
                  llvm::ArrayRef<clang::Decl *> TopLevel,
                  const SkippedRanges &Skipped, TranslationUnit &Unit);

} // namespace gpuestimate

#endif
