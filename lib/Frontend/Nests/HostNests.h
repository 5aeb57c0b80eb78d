/// \file
/// From directives and requests to the loop nests of host functions.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_NESTS_HOSTNESTS_H
#define GPU_ESTIMATE_LIB_FRONTEND_NESTS_HOSTNESTS_H

#include "LoopPragmas.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

/// Fills Unit.Nests, and Unit.Refused with the directives and requests that
/// lead to no loop.
void collectNests(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                  llvm::ArrayRef<clang::Decl *> TopLevel,
                  const LoopPragmas &Pragmas, const OffloadRequest &Request,
                  TranslationUnit &Unit);

} // namespace gpuestimate

#endif
