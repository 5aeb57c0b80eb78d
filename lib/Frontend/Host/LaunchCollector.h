/// \file
/// Kernel launches in the host code of a translation unit.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHCOLLECTOR_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHCOLLECTOR_H

#include "LibraryLaunches.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Launches with the launches of Unit.Kernels, those of the kernels
/// of Library included. Removes kernels of Library that no call launches for as
/// many items as it is given.
void collectLaunches(clang::CodeGenerator &Generator,
                     clang::ASTContext &Context,
                     llvm::ArrayRef<clang::Decl *> TopLevel,
                     llvm::ArrayRef<LibraryKernel> Library,
                     TranslationUnit &Unit);

} // namespace gpuestimate

#endif
