#include "DeviceLaunches.h"

#include "HostIndex.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace gpuestimate {

static constexpr llvm::StringLiteral ClassName = "gpu_estimate_device_launch";

std::optional<DeviceLaunch> deviceLaunch(const clang::CallExpr &Call) {
  const auto *Operator = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&Call);
  if (!Operator || Operator->getOperator() != clang::OO_Call)
    return std::nullopt;
  const clang::Expr *Object = stripCasts(Operator->getArg(0));
  const auto *Class =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          Object->getType()->getAsCXXRecordDecl());
  const auto *Made = llvm::dyn_cast<clang::CXXConstructExpr>(Object);
  if (!Class || Class->getName() != ClassName || !Made ||
      Class->getTemplateArgs().size() == 0)
    return std::nullopt;
  const clang::TemplateArgument &Argument = Class->getTemplateArgs()[0];
  DeviceLaunch Launch;
  if (Argument.getKind() == clang::TemplateArgument::Declaration)
    Launch.Kernel = llvm::dyn_cast<clang::FunctionDecl>(Argument.getAsDecl());
  for (unsigned I = 0; I < 3 && I < Made->getNumArgs(); ++I)
    if (!llvm::isa<clang::CXXDefaultArgExpr>(Made->getArg(I)))
      Launch.Sizes[I] = Made->getArg(I);
  Launch.Arguments.append(Call.arg_begin() + 1, Call.arg_end());
  return Launch;
}

bool hasDeviceLaunches(clang::ASTContext &Context) {
  for (const clang::NamedDecl *Found :
       Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(ClassName)))
    if (const auto *Template = llvm::dyn_cast<clang::ClassTemplateDecl>(Found))
      return Template->spec_begin() != Template->spec_end();
  return false;
}

} // namespace gpuestimate
