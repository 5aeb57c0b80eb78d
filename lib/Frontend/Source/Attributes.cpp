/// \file
/// Registers the attributes. Their text is kept in the AST in clang's attribute
/// `suppress`, which only the static analyzer uses.
#include "Attributes.h"

#include "Kernels.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

namespace {

constexpr llvm::StringLiteral Mark = "gpu_estimate";

/// The text "assume(n = 1 << 20)" of an attribute at the begin of Source, with
/// or without scope; the name alone if it has no arguments.
std::string textOf(llvm::StringRef Source, llvm::StringRef Name) {
  if (Source.consume_front(Mark))
    Source = Source.ltrim(" \t\r\n:");
  size_t Arguments = Source.find_first_not_of(" \t\r\n", Name.size());
  if (!Source.starts_with(Name) || Arguments == llvm::StringRef::npos ||
      Source[Arguments] != '(')
    return Name.str();
  int Open = 0;
  for (size_t I = Arguments; I < Source.size(); ++I) {
    Open += Source[I] == '(';
    Open -= Source[I] == ')';
    if (Open > 0)
      continue;
    std::string Text = Name.str() + Source.slice(Arguments, I + 1).str();
    std::replace_if(Text.begin(), Text.end(), llvm::isSpace, ' ');
    return Text;
  }
  return Name.str();
}

class KernelAttribute final : public clang::ParsedAttrInfo {
public:
  KernelAttribute() {
    using Syntax = clang::ParsedAttr;
    static constexpr Spelling Names[] = {
        {Syntax::AS_CXX11, "gpu_estimate::assume"},
        {Syntax::AS_CXX11, "gpu_estimate::budget"},
        {Syntax::AS_CXX11, "gpu_estimate::launch"},
        {Syntax::AS_C23, "gpu_estimate::assume"},
        {Syntax::AS_C23, "gpu_estimate::budget"},
        {Syntax::AS_C23, "gpu_estimate::launch"}};
    Spellings = Names;
  }

  bool diagAppertainsToDecl(clang::Sema &S, const clang::ParsedAttr &Attr,
                            const clang::Decl *D) const override {
    if (llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(D))
      return true;
    unsigned Id = S.getDiagnostics().getCustomDiagID(
        clang::DiagnosticsEngine::Warning,
        "'gpu_estimate::%0' applies to kernels only and is ignored here");
    S.Diag(Attr.getLoc(), Id) << Attr.getAttrName()->getName();
    return false;
  }

  AttrHandling
  handleDeclAttribute(clang::Sema &S, clang::Decl *D,
                      const clang::ParsedAttr &Attr) const override {
    const clang::SourceManager &Sources = S.getSourceManager();
    clang::SourceLocation Location = Sources.getSpellingLoc(Attr.getLoc());
    std::string Text = textOf(Sources.getBufferData(Sources.getFileID(Location))
                                  .drop_front(Sources.getFileOffset(Location)),
                              Attr.getAttrName()->getName());
    llvm::StringRef Parts[] = {Mark, Text};
    D->addAttr(clang::SuppressAttr::Create(S.getASTContext(), Parts,
                                           std::size(Parts), Attr.getRange()));
    return AttributeApplied;
  }
};

clang::ParsedAttrInfoRegistry::Add<KernelAttribute>
    Registration(Mark.data(), "what a kernel is called with, and may take");

} // namespace

void registerAttributes() {
  // The use of this function keeps the registration in the program.
}

std::vector<SourceAnnotation>
attributesOf(const clang::Decl &D, const clang::SourceManager &Sources) {
  std::vector<SourceAnnotation> Notes;
  for (const auto *A : D.specific_attrs<clang::SuppressAttr>())
    if (A->diagnosticIdentifiers_size() == 2 &&
        *A->diagnosticIdentifiers_begin() == Mark)
      Notes.push_back({presumedLocation(Sources, A->getLocation()),
                       A->diagnosticIdentifiers_begin()[1].str()});
  return Notes;
}

} // namespace gpuestimate
