#include "AtomicLines.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace gpuestimate {

/// The outermost statement that begins first after a location.
static const clang::Stmt *firstBehind(const clang::SourceManager &Sources,
                                      const clang::Stmt &Parent,
                                      clang::SourceLocation Location) {
  const clang::Stmt *First = nullptr;
  for (const clang::Stmt *Child : Parent.children()) {
    if (!Child)
      continue;
    bool Behind =
        Sources.isBeforeInTranslationUnit(Location, Child->getBeginLoc());
    const clang::Stmt *Candidate =
        Behind ? Child : firstBehind(Sources, *Child, Location);
    if (Candidate &&
        (!First || Sources.isBeforeInTranslationUnit(Candidate->getBeginLoc(),
                                                     First->getBeginLoc())))
      First = Candidate;
  }
  return First;
}

std::vector<std::pair<unsigned, unsigned>>
linesOfAtomics(const clang::SourceManager &Sources, const clang::Stmt &Body,
               llvm::ArrayRef<clang::SourceLocation> Directives) {
  std::vector<std::pair<unsigned, unsigned>> Lines;
  for (clang::SourceLocation Location : Directives) {
    if (Sources.isBeforeInTranslationUnit(Location, Body.getBeginLoc()) ||
        Sources.isBeforeInTranslationUnit(Body.getEndLoc(), Location))
      continue;
    if (const clang::Stmt *S = firstBehind(Sources, Body, Location))
      Lines.push_back({Sources.getPresumedLineNumber(S->getBeginLoc()),
                       Sources.getPresumedLineNumber(S->getEndLoc())});
  }
  return Lines;
}

} // namespace gpuestimate
