/// \file
/// Names loops, conditions and accesses so that edits above them do not change
/// the names (Model/Kernel/SourceAnchor.h).
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANCHORS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ANCHORS_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Anchors.
void collectAnchors(clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit);

} // namespace gpuestimate

#endif
