#include "ArchMacros.h"

#include "gpu-estimate/Frontend/Sdk.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

namespace {

class ArchMacroWatch : public clang::PPCallbacks {
public:
  ArchMacroWatch(const clang::SourceManager &Sources, bool &Depends)
      : Sources(Sources), OwnHeaders(findShippedHeaders()),
        ClangHeaders(findResourceDir()), Depends(Depends) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &,
                    clang::SourceRange, const clang::MacroArgs *) override {
    look(Name);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &,
               clang::SourceRange) override {
    look(Name);
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &) override {
    look(Name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &) override {
    look(Name);
  }

private:
  void look(const clang::Token &Token) {
    const clang::IdentifierInfo *Name = Token.getIdentifierInfo();
    if (Depends || !Name)
      return;
    llvm::StringRef Text = Name->getName();
    if (!Text.starts_with("__CUDA_ARCH") && !Text.starts_with("__gfx") &&
        !Text.starts_with("__GFX") && !Text.starts_with("__AMDGCN"))
      return;
    llvm::StringRef File =
        Sources.getFilename(Sources.getExpansionLoc(Token.getLocation()));
    Depends = !declaresOnly(File);
  }

  bool declaresOnly(llvm::StringRef File) const {
    auto IsIn = [&](llvm::StringRef Folder) {
      return !Folder.empty() && File.starts_with(Folder);
    };
    llvm::StringRef Name = llvm::sys::path::filename(File);
    return IsIn(ClangHeaders) ||
           (IsIn(OwnHeaders) && Name != "async_copy.h" &&
            Name != "barriers.h" && Name != "cg_algorithms.h");
  }

  const clang::SourceManager &Sources;
  std::string OwnHeaders, ClangHeaders; ///< folders
  bool &Depends;
};

} // namespace

void watchArchMacros(clang::Preprocessor &Preprocessor, bool &Depends) {
  Preprocessor.addPPCallbacks(std::make_unique<ArchMacroWatch>(
      Preprocessor.getSourceManager(), Depends));
}

} // namespace gpuestimate
