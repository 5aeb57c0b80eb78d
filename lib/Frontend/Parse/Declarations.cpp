#include "Declarations.h"

#include "Frontend/Host/LaunchCollector.h"
#include "Frontend/Host/LibraryCalls.h"
#include "Frontend/Source/Anchors.h"
#include "Frontend/Source/Annotations.h"
#include "Frontend/Source/Attributes.h"
#include "Frontend/Source/Kernels.h"
#include "Frontend/Source/SourceFiles.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

namespace {

class DeclarationConsumer final : public clang::ASTConsumer {
public:
  DeclarationConsumer(clang::CompilerInstance &Compiler,
                      AnalysisCallback Callback)
      : Compiler(Compiler), Callback(std::move(Callback)) {}

  void Initialize(clang::ASTContext &) override {
    Skipped = collectSkipped(Compiler.getPreprocessor());
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    TopLevel.append(Group.begin(), Group.end());
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    clang::DiagnosticsEngine Silent(new clang::DiagnosticIDs,
                                    new clang::DiagnosticOptions,
                                    new clang::IgnoringDiagConsumer);
    Silent.setSourceManager(&Context.getSourceManager());
    llvm::LLVMContext Names;
    std::unique_ptr<clang::CodeGenerator> Generator(clang::CreateLLVMCodeGen(
        Silent, "names", &Compiler.getVirtualFileSystem(),
        Compiler.getHeaderSearchOpts(), Compiler.getPreprocessorOpts(),
        Compiler.getCodeGenOpts(), Names));
    Generator->Initialize(Context);

    TranslationUnit Unit;
    collectDeclaredKernels(*Generator, Context, TopLevel, Unit);
    std::vector<LibraryKernel> Library =
        collectLibraryCalls(*Generator, Context, TopLevel, Unit);
    collectLaunches(*Generator, Context, TopLevel, Library, Unit);
    collectAnchors(Context, TopLevel, Unit);
    collectAnnotations(Compiler.getPreprocessor(), Context, TopLevel, *Skipped,
                       Unit);
    Unit.Files = filesRead(Compiler);
    Unit.MainFile = mainFileOf(Context.getSourceManager());
    Callback(std::move(Unit));
  }

private:
  clang::CompilerInstance &Compiler;
  AnalysisCallback Callback;
  std::shared_ptr<SkippedRanges> Skipped;
  llvm::SmallVector<clang::Decl *, 0> TopLevel;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
createDeclarationConsumer(clang::CompilerInstance &Compiler,
                          AnalysisCallback Callback) {
  registerAttributes();
  return std::make_unique<DeclarationConsumer>(Compiler, std::move(Callback));
}

} // namespace gpuestimate
