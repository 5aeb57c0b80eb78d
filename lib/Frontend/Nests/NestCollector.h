/// \file
/// Collects the loop nests that directives and requests select.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_NESTS_NESTCOLLECTOR_H
#define GPU_ESTIMATE_LIB_FRONTEND_NESTS_NESTCOLLECTOR_H

#include "LoopPragmas.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

/// Fills Unit.Nests, and Unit.Refused with directives and requests without a
/// loop.
void collectLoopNests(clang::CodeGenerator &Generator,
                      clang::ASTContext &Context,
                      llvm::ArrayRef<clang::Decl *> TopLevel,
                      const LoopPragmas &Pragmas, const OffloadRequest &Request,
                      TranslationUnit &Unit);

} // namespace gpuestimate

#endif
