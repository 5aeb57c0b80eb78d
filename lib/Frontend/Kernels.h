/// \file
/// Kernels of a translation unit: those with code, and those without.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_KERNELS_H
#define GPU_ESTIMATE_LIB_FRONTEND_KERNELS_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
class SourceLocation;
class SourceManager;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Kernels from the generator's module, and Unit.NotEmitted from
/// the kernels of the main file that are missing there.
void collectKernels(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit);

/// Where a reader sees it: the place of the macro call for expanded code, and
/// after #line directives, as debug locations in the module do.
SourceLocation presumedLocation(const clang::SourceManager &Sources,
                                clang::SourceLocation Location);

} // namespace gpuestimate

#endif
