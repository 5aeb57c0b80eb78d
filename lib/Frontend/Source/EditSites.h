/// \file
/// Finds the places where a kernel of the main file can be tuned by a small
/// change of its text (Model/Kernel/EditSite.h).
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_EDITSITES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_EDITSITES_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Edits for Unit.Kernels. Text that comes out of a macro is left
/// alone, except the number of a `#define NAME NUMBER`.
void collectEditSites(clang::CodeGenerator &Generator,
                      clang::ASTContext &Context,
                      llvm::ArrayRef<clang::Decl *> TopLevel,
                      TranslationUnit &Unit);

} // namespace gpuestimate

#endif
