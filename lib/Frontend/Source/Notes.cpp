/// \file
/// Comments are found in the text of the lines above what they are about: the
/// compiler forgets them.
#include "Notes.h"

#include "Attributes.h"
#include "Constants.h"
#include "Functions.h"
#include "Kernels.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

namespace {

/// The lines of a file up to a place, the last one first.
class LinesAbove {
public:
  LinesAbove(const clang::SourceManager &Sources, clang::SourceLocation At)
      : Sources(Sources), File(Sources.getFileID(At)),
        Line(Sources.getLineNumber(File, Sources.getFileOffset(At))) {
    llvm::StringRef Text = Sources.getBufferData(File);
    Rest = Text.take_front(Sources.getFileOffset(At));
    size_t Start = Rest.rfind('\n');
    Rest = Start == llvm::StringRef::npos ? "" : Rest.take_front(Start);
  }

  /// False at the start of the file.
  bool next(llvm::StringRef &Text) {
    if (Line <= 1)
      return false;
    --Line;
    size_t Start = Rest.rfind('\n');
    bool First = Start == llvm::StringRef::npos;
    Text = (First ? Rest : Rest.drop_front(Start + 1)).trim();
    Rest = First ? "" : Rest.take_front(Start);
    return true;
  }

  SourceLocation place() const {
    return presumedLocation(Sources, Sources.translateLineCol(File, Line, 1));
  }

private:
  const clang::SourceManager &Sources;
  clang::FileID File;
  unsigned Line;
  llvm::StringRef Rest;
};

bool isComment(llvm::StringRef Line) {
  return Line.starts_with("//") || Line.starts_with("/*") ||
         Line.starts_with("*");
}

/// What stands behind "gpu-estimate:" at the start of a comment.
bool takeNote(llvm::StringRef Line, std::string &Text) {
  if (!isComment(Line))
    return false;
  Line = Line.ltrim("/*! \t");
  if (!Line.consume_front("gpu-estimate:"))
    return false;
  Line.consume_back("*/");
  Text = Line.trim().str();
  return true;
}

/// Lines that may stand between the comment and the kernel's name. A line that
/// ends a statement or a body belongs to something else.
bool belongsToDeclaration(llvm::StringRef Line) {
  return !Line.empty() && !Line.ends_with(";") && !Line.ends_with("}") &&
         !Line.starts_with("#");
}

std::vector<SourceNote> commentsAbove(const clang::SourceManager &Sources,
                                      clang::SourceLocation At,
                                      bool IsDeclaration) {
  std::vector<SourceNote> Notes;
  At = Sources.getExpansionLoc(At);
  if (At.isInvalid())
    return Notes;
  LinesAbove Lines(Sources, At);
  constexpr unsigned FarthestLine = 12;
  llvm::StringRef Line;
  for (unsigned Steps = 0; Steps < FarthestLine && Lines.next(Line); ++Steps) {
    std::string Text;
    if (takeNote(Line, Text))
      Notes.push_back({Lines.place(), std::move(Text)});
    else if (!isComment(Line) && !(IsDeclaration && belongsToDeclaration(Line)))
      break;
  }
  std::reverse(Notes.begin(), Notes.end());
  return Notes;
}

} // namespace

std::vector<SourceNote> notesAbove(const clang::SourceManager &Sources,
                                   clang::SourceLocation Statement) {
  return commentsAbove(Sources, Statement, /*IsDeclaration=*/false);
}

std::vector<SourceNote> notesOf(const clang::FunctionDecl &Function) {
  std::vector<SourceNote> Notes;
  const clang::SourceManager &Sources =
      Function.getASTContext().getSourceManager();
  llvm::StringSet<> Places;
  auto Add = [&](std::vector<SourceNote> Found) {
    for (SourceNote &N : Found)
      if (Places
              .insert(N.Place.File + ":" + std::to_string(N.Place.Line) + ":" +
                      std::to_string(N.Place.Column))
              .second)
        Notes.push_back(std::move(N));
  };
  auto AddAll = [&](const clang::FunctionDecl *Of) {
    if (!Of)
      return;
    for (const clang::FunctionDecl *D : Of->redecls()) {
      Add(commentsAbove(Sources, D->getLocation(), /*IsDeclaration=*/true));
      Add(attributesOf(*D, Sources));
    }
  };
  AddAll(&Function);
  AddAll(Function.getTemplateInstantiationPattern());
  return Notes;
}

namespace {

class SkipListener final : public clang::PPCallbacks {
public:
  explicit SkipListener(std::shared_ptr<SkippedRanges> Into)
      : Into(std::move(Into)) {}
  void SourceRangeSkipped(clang::SourceRange Range,
                          clang::SourceLocation) override {
    Into->push_back(Range);
  }

private:
  std::shared_ptr<SkippedRanges> Into;
};

} // namespace

std::shared_ptr<SkippedRanges> collectSkipped(clang::Preprocessor &PP) {
  auto Ranges = std::make_shared<SkippedRanges>();
  PP.addPPCallbacks(std::make_unique<SkipListener>(Ranges));
  return Ranges;
}

static std::string lineOf(const SourceLocation &L) {
  return L.File + ":" + std::to_string(L.Line);
}

/// Comments of the main file that nothing has taken.
static void findIdleComments(const clang::SourceManager &Sources,
                             const llvm::StringSet<> &Taken,
                             const SkippedRanges &Skipped,
                             std::vector<SourceNote> &Idle) {
  clang::FileID Main = Sources.getMainFileID();
  LinesAbove Lines(Sources, Sources.getLocForEndOfFile(Main));
  llvm::SmallVector<std::pair<unsigned, unsigned>> Off;
  for (const clang::SourceRange &Range : Skipped)
    if (Sources.isInMainFile(Range.getBegin()))
      Off.push_back({Sources.getExpansionLineNumber(Range.getBegin()),
                     Sources.getExpansionLineNumber(Range.getEnd())});
  unsigned Line =
      Sources.getExpansionLineNumber(Sources.getLocForEndOfFile(Main));
  llvm::StringRef Text;
  while (Lines.next(Text)) {
    --Line;
    std::string Note;
    bool IsOff = llvm::any_of(Off, [&](const auto &Range) {
      return Range.first <= Line && Line <= Range.second;
    });
    if (!IsOff && takeNote(Text, Note) &&
        !Taken.contains(lineOf(Lines.place())))
      Idle.push_back(
          {Lines.place(), "no kernel, loop or 'if' follows this annotation"});
  }
}

void collectNotes(clang::Preprocessor &PP, clang::ASTContext &Context,
                  llvm::ArrayRef<clang::Decl *> TopLevel,
                  const SkippedRanges &Skipped, TranslationUnit &Unit) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  ConstantNames Names(PP, Context);
  llvm::StringSet<> Taken;
  auto Take = [&](llvm::ArrayRef<SourceNote> Notes) {
    for (const SourceNote &N : Notes) {
      Taken.insert(lineOf(N.Place));
      Names.resolve(N.Text, Unit.Constants);
    }
  };
  for (const KernelSource &Kernel : Unit.Kernels)
    Take(Kernel.Notes);
  for (const SourceAnchor &Anchor : Unit.Anchors)
    Take(Anchor.Notes);
  visitFunctions(
      TopLevel, Sources,
      [&](const clang::FunctionDecl &Function) {
        if (Function.hasAttr<clang::CUDAGlobalAttr>())
          return Take(notesOf(Function));
        for (SourceNote &N : attributesOf(Function, Sources))
          Unit.IdleNotes.push_back(
              {N.Place, "'" + Function.getNameAsString() + "' is no kernel"});
      },
      [](const clang::VarDecl &) {});
  findIdleComments(Sources, Taken, Skipped, Unit.IdleNotes);
}

} // namespace gpuestimate
