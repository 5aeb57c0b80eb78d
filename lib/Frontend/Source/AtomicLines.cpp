#include "AtomicLines.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace gpuestimate {

/// The first statement that begins behind At; of those that begin together,
/// the outermost.
static const clang::Stmt *firstBehind(const clang::SourceManager &Sources,
                                      const clang::Stmt &In,
                                      clang::SourceLocation At) {
  const clang::Stmt *First = nullptr;
  for (const clang::Stmt *Child : In.children()) {
    if (!Child)
      continue;
    bool Behind = Sources.isBeforeInTranslationUnit(At, Child->getBeginLoc());
    const clang::Stmt *Found =
        Behind ? Child : firstBehind(Sources, *Child, At);
    if (Found && (!First || Sources.isBeforeInTranslationUnit(
                                Found->getBeginLoc(), First->getBeginLoc())))
      First = Found;
  }
  return First;
}

std::vector<std::pair<unsigned, unsigned>>
linesOfAtomics(const clang::SourceManager &Sources, const clang::Stmt &Body,
               llvm::ArrayRef<clang::SourceLocation> Directives) {
  std::vector<std::pair<unsigned, unsigned>> Lines;
  for (clang::SourceLocation At : Directives) {
    if (Sources.isBeforeInTranslationUnit(At, Body.getBeginLoc()) ||
        Sources.isBeforeInTranslationUnit(Body.getEndLoc(), At))
      continue;
    if (const clang::Stmt *S = firstBehind(Sources, Body, At))
      Lines.push_back({Sources.getPresumedLineNumber(S->getBeginLoc()),
                       Sources.getPresumedLineNumber(S->getEndLoc())});
  }
  return Lines;
}

} // namespace gpuestimate
