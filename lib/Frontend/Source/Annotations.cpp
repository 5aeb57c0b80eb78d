/// \file
/// Finds annotations in the text of the lines above a declaration or statement,
/// because the AST does not contain comments.
#include "Annotations.h"

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

/// Iterates over the lines of a file upwards from a location.
class LinesAbove {
public:
  LinesAbove(const clang::SourceManager &Sources,
             clang::SourceLocation Location)
      : Sources(Sources), File(Sources.getFileID(Location)),
        Line(Sources.getLineNumber(File, Sources.getFileOffset(Location))) {
    llvm::StringRef Text = Sources.getBufferData(File);
    Preceding = Text.take_front(Sources.getFileOffset(Location));
    size_t Start = Preceding.rfind('\n');
    Preceding =
        Start == llvm::StringRef::npos ? "" : Preceding.take_front(Start);
  }

  /// False at the start of the file.
  bool next(llvm::StringRef &Text) {
    if (Line <= 1)
      return false;
    --Line;
    size_t Start = Preceding.rfind('\n');
    bool First = Start == llvm::StringRef::npos;
    Text = (First ? Preceding : Preceding.drop_front(Start + 1)).trim();
    Preceding = First ? "" : Preceding.take_front(Start);
    return true;
  }

  SourceLocation place() const {
    return presumedLocation(Sources, Sources.translateLineCol(File, Line, 1));
  }

private:
  const clang::SourceManager &Sources;
  clang::FileID File;
  unsigned Line;
  llvm::StringRef Preceding;
};

bool isComment(llvm::StringRef Line) {
  return Line.starts_with("//") || Line.starts_with("/*") ||
         Line.starts_with("*");
}

/// Extracts the text after "gpu-estimate:" at the start of a comment.
bool parseAnnotation(llvm::StringRef Line, std::string &Text) {
  if (!isComment(Line))
    return false;
  Line = Line.ltrim("/*! \t");
  if (!Line.consume_front("gpu-estimate:"))
    return false;
  Line.consume_back("*/");
  Text = Line.trim().str();
  return true;
}

/// Can the line be between the comment and the kernel's name? A line that ends
/// a statement or a body belongs to another declaration.
bool belongsToDeclaration(llvm::StringRef Line) {
  return !Line.empty() && !Line.ends_with(";") && !Line.ends_with("}") &&
         !Line.starts_with("#");
}

std::vector<SourceAnnotation> commentsAbove(const clang::SourceManager &Sources,
                                            clang::SourceLocation Location,
                                            bool IsDeclaration) {
  std::vector<SourceAnnotation> Notes;
  Location = Sources.getExpansionLoc(Location);
  if (Location.isInvalid())
    return Notes;
  LinesAbove Lines(Sources, Location);
  constexpr unsigned MaxDistance = 12;
  llvm::StringRef Line;
  for (unsigned Steps = 0; Steps < MaxDistance && Lines.next(Line); ++Steps) {
    std::string Text;
    if (parseAnnotation(Line, Text))
      Notes.push_back({Lines.place(), std::move(Text)});
    else if (!isComment(Line) && !(IsDeclaration && belongsToDeclaration(Line)))
      break;
  }
  std::reverse(Notes.begin(), Notes.end());
  return Notes;
}

} // namespace

std::vector<SourceAnnotation>
annotationsAbove(const clang::SourceManager &Sources,
                 clang::SourceLocation Statement) {
  return commentsAbove(Sources, Statement, /*IsDeclaration=*/false);
}

std::vector<SourceAnnotation>
annotationsOf(const clang::FunctionDecl &Function) {
  std::vector<SourceAnnotation> Notes;
  const clang::SourceManager &Sources =
      Function.getASTContext().getSourceManager();
  llvm::StringSet<> Places;
  auto Add = [&](std::vector<SourceAnnotation> Annotations) {
    for (SourceAnnotation &N : Annotations)
      if (Places
              .insert(N.Place.File + ":" + std::to_string(N.Place.Line) + ":" +
                      std::to_string(N.Place.Column))
              .second)
        Notes.push_back(std::move(N));
  };
  auto AddAll = [&](const clang::FunctionDecl *Declaration) {
    if (!Declaration)
      return;
    for (const clang::FunctionDecl *D : Declaration->redecls()) {
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

/// Adds annotations of the main file that belong to no kernel, loop or `if`.
static void findUnusedAnnotations(const clang::SourceManager &Sources,
                                  const llvm::StringSet<> &UsedLines,
                                  const SkippedRanges &Skipped,
                                  std::vector<SourceAnnotation> &Unused) {
  clang::FileID Main = Sources.getMainFileID();
  LinesAbove Lines(Sources, Sources.getLocForEndOfFile(Main));
  llvm::SmallVector<std::pair<unsigned, unsigned>> SkippedLines;
  for (const clang::SourceRange &Range : Skipped)
    if (Sources.isInMainFile(Range.getBegin()))
      SkippedLines.push_back({Sources.getExpansionLineNumber(Range.getBegin()),
                              Sources.getExpansionLineNumber(Range.getEnd())});
  unsigned Line =
      Sources.getExpansionLineNumber(Sources.getLocForEndOfFile(Main));
  llvm::StringRef Text;
  while (Lines.next(Text)) {
    --Line;
    std::string Note;
    bool IsSkipped = llvm::any_of(SkippedLines, [&](const auto &Range) {
      return Range.first <= Line && Line <= Range.second;
    });
    if (!IsSkipped && parseAnnotation(Text, Note) &&
        !UsedLines.contains(lineOf(Lines.place())))
      Unused.push_back(
          {Lines.place(), "no kernel, loop or 'if' follows this annotation"});
  }
}

void collectAnnotations(clang::Preprocessor &PP, clang::ASTContext &Context,
                        llvm::ArrayRef<clang::Decl *> TopLevel,
                        const SkippedRanges &Skipped, TranslationUnit &Unit) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  ConstantNames Names(PP, Context);
  llvm::StringSet<> UsedLines;
  auto Use = [&](llvm::ArrayRef<SourceAnnotation> Notes) {
    for (const SourceAnnotation &N : Notes) {
      UsedLines.insert(lineOf(N.Place));
      Names.resolve(N.Text, Unit.Constants);
    }
  };
  for (const KernelSource &Kernel : Unit.Kernels)
    Use(Kernel.Notes);
  for (const SourceAnchor &Anchor : Unit.Anchors)
    Use(Anchor.Notes);
  visitFunctions(
      TopLevel, Sources,
      [&](const clang::FunctionDecl &Function) {
        if (Function.hasAttr<clang::CUDAGlobalAttr>())
          return Use(annotationsOf(Function));
        for (SourceAnnotation &N : attributesOf(Function, Sources))
          Unit.UnusedAnnotations.push_back(
              {N.Place,
               "'" + Function.getNameAsString() + "' is not a kernel"});
      },
      [](const clang::VarDecl &) {});
  findUnusedAnnotations(Sources, UsedLines, Skipped, Unit.UnusedAnnotations);
}

} // namespace gpuestimate
