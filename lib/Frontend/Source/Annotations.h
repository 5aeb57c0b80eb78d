/// \file
/// Annotations of kernels, loops and conditions in comments and attributes.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANNOTATIONS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANNOTATIONS_H

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

/// Annotations of all declarations of a function, in source order. An
/// instantiation has those of its template.
std::vector<SourceAnnotation>
annotationsOf(const clang::FunctionDecl &Function);

/// Annotations in the comments directly above a statement.
std::vector<SourceAnnotation>
annotationsAbove(const clang::SourceManager &Sources,
                 clang::SourceLocation Statement);

/// Ranges of the source that the preprocessor skips.
using SkippedRanges = std::vector<clang::SourceRange>;
std::shared_ptr<SkippedRanges> collectSkipped(clang::Preprocessor &PP);

/// Fills Unit.Constants for the annotations of Unit's kernels and anchors, and
/// Unit.UnusedAnnotations from the main file.
void collectAnnotations(clang::Preprocessor &PP, clang::ASTContext &Context,
                        llvm::ArrayRef<clang::Decl *> TopLevel,
                        const SkippedRanges &Skipped, TranslationUnit &Unit);

} // namespace gpuestimate

#endif
