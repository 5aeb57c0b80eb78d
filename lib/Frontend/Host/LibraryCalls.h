/// \file
/// Calls of libraries: those that lead to kernels of system headers (Thrust,
/// CUB), and those of libraries without source (cuBLAS).
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LIBRARYCALLS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LIBRARYCALLS_H

#include "LibraryLaunches.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.LibraryKernels for Unit.Kernels, and Unit.NotModelled. Removes
/// kernels of system headers that do nothing. Returns
/// the kernels of system headers that calls lead to.
std::vector<LibraryKernel>
collectLibraryCalls(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit);

} // namespace gpuestimate

#endif
