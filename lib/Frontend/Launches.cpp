#include "Launches.h"
namespace gpuestimate {
void collectLaunches(clang::CodeGenerator &, clang::ASTContext &,
                     llvm::ArrayRef<clang::Decl *>, TranslationUnit &) {}
}
