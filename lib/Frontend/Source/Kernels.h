/// \file
/// Kernels of a translation unit.
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

/// Fills Unit.Kernels from the declarations of the file and its headers, those
/// of the system included. The generator only names them.
void collectDeclaredKernels(clang::CodeGenerator &Generator,
                            clang::ASTContext &Context,
                            llvm::ArrayRef<clang::Decl *> TopLevel,
                            TranslationUnit &Unit);

/// Describes a variable as a kernel argument. Arrays become pointers.
KernelArgument describeVariable(clang::ASTContext &Context,
                                const clang::VarDecl &Variable);

/// Adds the scalar members of an aggregate in order of their offsets, elements
/// of arrays among them ("rows[2]"), up to 1024 in all. Members of unions,
/// which have several names, are left out.
void listMembers(clang::ASTContext &Context, clang::QualType Type,
                 unsigned Argument, uint64_t Offset, const std::string &Prefix,
                 std::vector<AggregateMember> &Members);

/// The location as in debug information: of the macro call for expanded code,
/// and after #line directives.
SourceLocation presumedLocation(const clang::SourceManager &Sources,
                                clang::SourceLocation Location);

} // namespace gpuestimate

#endif
