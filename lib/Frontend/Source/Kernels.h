/// \file
/// Kernels of a translation unit: those with code, and those without.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_KERNELS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_KERNELS_H

#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
class QualType;
class SourceLocation;
class SourceManager;
class VarDecl;
} // namespace clang

namespace gpuestimate {

struct TranslationUnit;

/// Fills Unit.Kernels from the generator's module, and Unit.NotEmitted from
/// the kernels of the main file that are missing there.
void collectKernels(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit);

/// A variable as an argument of a kernel: arrays as pointers.
KernelArgument describeVariable(clang::ASTContext &Context,
                                const clang::VarDecl &Variable);

/// Adds the scalar members of an aggregate in order of their offsets. Unions
/// and arrays are left out: one place in them has several names, or none.
void listMembers(clang::ASTContext &Context, clang::QualType Type,
                 unsigned Argument, uint64_t Offset, const std::string &Prefix,
                 std::vector<AggregateMember> &Members);

/// Where a reader sees it: the place of the macro call for expanded code, and
/// after #line directives, as debug locations in the module do.
SourceLocation presumedLocation(const clang::SourceManager &Sources,
                                clang::SourceLocation Location);

} // namespace gpuestimate

#endif
