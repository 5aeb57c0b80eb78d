/// \file
/// Visits the functions of a translation unit. The walk includes instantiations
/// and skips function bodies and system headers, so that it is fast on a file
/// that includes an SDK.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_FUNCTIONS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class Decl;
class FunctionDecl;
class SourceManager;
class VarDecl;
} // namespace clang

namespace gpuestimate {

using FunctionVisitor = llvm::function_ref<void(const clang::FunctionDecl &)>;
using VariableVisitor = llvm::function_ref<void(const clang::VarDecl &)>;

/// Calls OnFunction for each function definition outside system headers:
/// free functions, methods, patterns of templates and their instantiations;
/// and OnVariable for each variable of namespace or class scope.
void visitFunctions(llvm::ArrayRef<clang::Decl *> TopLevel,
                    const clang::SourceManager &Sources,
                    FunctionVisitor OnFunction, VariableVisitor OnVariable);

/// Visits the functions of system headers, too.
void visitAllFunctions(llvm::ArrayRef<clang::Decl *> TopLevel,
                       FunctionVisitor OnFunction);

} // namespace gpuestimate

#endif
