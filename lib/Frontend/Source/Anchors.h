/// \file
/// Loops, conditions and accesses of the functions of a file, by names that
/// edits above them do not change (Model/Kernel/SourceAnchor.h).
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANCHORS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANCHORS_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Anchors, without the notes.
void collectAnchors(clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit);

} // namespace gpuestimate

#endif
