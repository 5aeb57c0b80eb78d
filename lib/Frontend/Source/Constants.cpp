#include "Constants.h"

#include "gpu-estimate/Support/ConstantExpression.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

void ConstantNames::resolve(llvm::StringRef Text,
                            llvm::StringMap<double> &Into) {
  auto IsLetter = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == ':';
  };
  while (!Text.empty()) {
    llvm::StringRef Name = Text.take_while(IsLetter);
    Text = Text.drop_front(std::max<size_t>(Name.size(), 1));
    if (Name.empty() || llvm::isDigit(Name.front()) || Into.contains(Name))
      continue;
    if (std::optional<double> Value = value(Name, 0))
      Into[Name] = *Value;
  }
}

std::optional<double> ConstantNames::value(llvm::StringRef Name,
                                           unsigned Depth) {
  constexpr unsigned Deepest = 16; // macros that name each other
  if (Depth > Deepest)
    return std::nullopt;
  if (std::optional<double> Value = macro(Name, Depth))
    return Value;
  return declared(Name);
}

std::optional<double> ConstantNames::macro(llvm::StringRef Name,
                                           unsigned Depth) {
  const clang::IdentifierInfo *Identifier = PP.getIdentifierInfo(Name);
  const clang::MacroInfo *Macro =
      Identifier ? PP.getMacroInfo(Identifier) : nullptr;
  if (!Macro || Macro->isFunctionLike())
    return std::nullopt;
  std::string Body;
  for (const clang::Token &Token : Macro->tokens())
    Body += PP.getSpelling(Token) + " ";
  llvm::Expected<double> Value = evaluateConstant(
      Body, [&](llvm::StringRef Inner) { return value(Inner, Depth + 1); });
  if (Value)
    return *Value;
  llvm::consumeError(Value.takeError());
  return std::nullopt;
}

std::optional<double> ConstantNames::declared(llvm::StringRef Name) {
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  Name.split(Parts, "::", -1, /*KeepEmpty=*/false);
  clang::DeclContext *Scope = Context.getTranslationUnitDecl();
  for (size_t I = 0; I < Parts.size(); ++I) {
    auto Declarations = Scope->lookup(&Context.Idents.get(Parts[I]));
    if (Declarations.empty())
      return std::nullopt;
    clang::NamedDecl *D = Declarations.front();
    if (I + 1 < Parts.size()) {
      Scope = llvm::dyn_cast<clang::DeclContext>(D);
      if (!Scope)
        return std::nullopt;
      continue;
    }
    if (const auto *Enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(D))
      return static_cast<double>(Enumerator->getInitVal().getExtValue());
    const auto *Variable = llvm::dyn_cast<clang::VarDecl>(D);
    if (!Variable || !Variable->getType().isConstQualified() ||
        !Variable->hasInit() || Variable->getInit()->isValueDependent())
      return std::nullopt;
    const clang::APValue *Value = Variable->evaluateValue();
    if (Value && Value->isInt())
      return static_cast<double>(Value->getInt().getExtValue());
    if (Value && Value->isFloat())
      return Value->getFloat().convertToDouble();
  }
  return std::nullopt;
}

} // namespace gpuestimate
