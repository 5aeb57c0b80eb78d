/// \file
/// Recursion over declaration contexts and template instantiations.
#include "Functions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

namespace gpuestimate {

namespace {

class Walk {
public:
  Walk(FunctionVisitor OnFunction, VariableVisitor OnVariable)
      : OnFunction(OnFunction), OnVariable(OnVariable) {}

  void visit(const clang::Decl *Decl) {
    if (!Decl || Decl->isInvalidDecl())
      return;
    if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Decl))
      return visitFunction(*Function);
    if (const auto *Template =
            llvm::dyn_cast<clang::FunctionTemplateDecl>(Decl)) {
      // Specialisations hang on the first declaration.
      if (Template->isThisDeclarationADefinition())
        visitFunction(*Template->getTemplatedDecl());
      if (Template->isCanonicalDecl())
        for (const clang::FunctionDecl *Instance : Template->specializations())
          visitInstance(Instance);
      return;
    }
    if (const auto *Template = llvm::dyn_cast<clang::ClassTemplateDecl>(Decl)) {
      if (Template->isCanonicalDecl())
        for (const auto *Instance : Template->specializations())
          if (!Instance->isExplicitSpecialization()) // visited where written
            visitContext(Instance);
      return;
    }
    if (const auto *Friend = llvm::dyn_cast<clang::FriendDecl>(Decl))
      return visit(Friend->getFriendDecl());
    if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Decl))
      return OnVariable(*Variable);
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                  clang::CXXRecordDecl>(Decl))
      visitContext(llvm::cast<clang::DeclContext>(Decl));
  }

private:
  void visitContext(const clang::DeclContext *Context) {
    for (const clang::Decl *Decl : Context->decls())
      visit(Decl);
  }
  void visitFunction(const clang::FunctionDecl &Function) {
    if (Function.isThisDeclarationADefinition())
      OnFunction(Function);
  }
  void visitInstance(const clang::FunctionDecl *Instance) {
    if (Instance->getTemplateSpecializationKind() ==
        clang::TSK_ExplicitSpecialization)
      return; // visited where written
    if (const clang::FunctionDecl *Definition = Instance->getDefinition())
      OnFunction(*Definition);
  }

  FunctionVisitor OnFunction;
  VariableVisitor OnVariable;
};

} // namespace

void visitFunctions(llvm::ArrayRef<clang::Decl *> TopLevel,
                    const clang::SourceManager &Sources,
                    FunctionVisitor OnFunction, VariableVisitor OnVariable) {
  Walk W(OnFunction, OnVariable);
  for (const clang::Decl *Decl : TopLevel)
    if (!Sources.isInSystemHeader(Decl->getLocation()))
      W.visit(Decl);
}

void visitAllFunctions(llvm::ArrayRef<clang::Decl *> TopLevel,
                       FunctionVisitor OnFunction) {
  auto onVariable = [](const clang::VarDecl &) {};
  Walk W(OnFunction, onVariable);
  for (const clang::Decl *Decl : TopLevel)
    W.visit(Decl);
}

} // namespace gpuestimate
