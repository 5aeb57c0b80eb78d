/// \file
/// The attributes in clang's registry. What they say is kept in the AST in an
/// attribute of clang that no code is generated from: `suppress`, which only
/// the static analyzer reads.
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

/// "assume(n = 1 << 20)" of a Source that begins with it or with its scope; the
/// name alone where no bracket follows or none closes.
std::string textOf(llvm::StringRef Source, llvm::StringRef Name) {
  if (Source.consume_front(Mark))
    Source = Source.ltrim(" \t\r\n:");
  size_t At = Source.find_first_not_of(" \t\r\n", Name.size());
  if (!Source.starts_with(Name) || At == llvm::StringRef::npos ||
      Source[At] != '(')
    return Name.str();
  int Open = 0;
  for (size_t I = At; I < Source.size(); ++I) {
    Open += Source[I] == '(';
    Open -= Source[I] == ')';
    if (Open > 0)
      continue;
    std::string Text = Name.str() + Source.slice(At, I + 1).str();
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
        "'gpu_estimate::%0' is about a kernel, and ignored here");
    S.Diag(Attr.getLoc(), Id) << Attr.getAttrName()->getName();
    return false;
  }

  AttrHandling
  handleDeclAttribute(clang::Sema &S, clang::Decl *D,
                      const clang::ParsedAttr &Attr) const override {
    const clang::SourceManager &Sources = S.getSourceManager();
    clang::SourceLocation At = Sources.getSpellingLoc(Attr.getLoc());
    std::string Text = textOf(Sources.getBufferData(Sources.getFileID(At))
                                  .drop_front(Sources.getFileOffset(At)),
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

std::vector<SourceNote> attributesOf(const clang::Decl &D,
                                     const clang::SourceManager &Sources) {
  std::vector<SourceNote> Notes;
  for (const auto *A : D.specific_attrs<clang::SuppressAttr>())
    if (A->diagnosticIdentifiers_size() == 2 &&
        *A->diagnosticIdentifiers_begin() == Mark)
      Notes.push_back({presumedLocation(Sources, A->getLocation()),
                       A->diagnosticIdentifiers_begin()[1].str()});
  return Notes;
}

} // namespace gpuestimate
