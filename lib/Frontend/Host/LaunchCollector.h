/// \file
/// Kernel launches in the host code of a translation unit.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHCOLLECTOR_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHCOLLECTOR_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Launches with the launches of Unit.Kernels.
void collectLaunches(clang::CodeGenerator &Generator,
                     clang::ASTContext &Context,
                     llvm::ArrayRef<clang::Decl *> TopLevel,
                     TranslationUnit &Unit);

} // namespace gpuestimate

#endif
