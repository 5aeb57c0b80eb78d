#include "EditSites.h"

#include "Functions.h"
#include "Kernels.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuestimate {

namespace {

/// Makes edits of places that the user has written in the main file.
class EditWriter {
public:
  explicit EditWriter(clang::ASTContext &Context)
      : Context(Context), Sources(Context.getSourceManager()) {}

  std::optional<SourceEdit> insertion(clang::SourceLocation Before,
                                      llvm::StringRef Text) const {
    if (Before.isInvalid() || Before.isMacroID() ||
        !Sources.isInMainFile(Before))
      return std::nullopt;
    return SourceEdit{presumedLocation(Sources, Before), 0, Text.str()};
  }
  /// Replaces the tokens of Range; nothing where they are on several lines.
  std::optional<SourceEdit> replacement(clang::CharSourceRange Range) const {
    clang::CharSourceRange Characters =
        clang::Lexer::getAsCharRange(Range, Sources, Context.getLangOpts());
    clang::SourceLocation Begin = Characters.getBegin(),
                          End = Characters.getEnd();
    if (Begin.isInvalid() || End.isInvalid() || Begin.isMacroID() ||
        End.isMacroID() || !Sources.isInMainFile(Begin) ||
        !Sources.isInMainFile(End))
      return std::nullopt;
    unsigned From = Sources.getFileOffset(Begin),
             To = Sources.getFileOffset(End);
    if (To < From || Sources.getSpellingLineNumber(Begin) !=
                         Sources.getSpellingLineNumber(End))
      return std::nullopt;
    return SourceEdit{presumedLocation(Sources, Begin), To - From, ""};
  }
  clang::SourceLocation endOf(clang::SourceLocation Token) const {
    return clang::Lexer::getLocForEndOfToken(Token, 0, Sources,
                                             Context.getLangOpts());
  }

  clang::ASTContext &Context;
  const clang::SourceManager &Sources;
};

/// The shared arrays of a kernel, and those of which some use is not one
/// element.
class SharedArrays : public clang::RecursiveASTVisitor<SharedArrays> {
public:
  llvm::SmallSetVector<const clang::VarDecl *, 4> Found;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> UsedAsWhole;

  bool shouldVisitImplicitCode() const { return false; }

  bool VisitVarDecl(clang::VarDecl *D) {
    if (D->hasAttr<clang::CUDASharedAttr>())
      Found.insert(D);
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *S) {
    unsigned Depth = 1;
    const clang::Expr *Base = S->getBase()->IgnoreParenImpCasts();
    while (const auto *Inner =
               llvm::dyn_cast<clang::ArraySubscriptExpr>(Base)) {
      ++Depth;
      Base = Inner->getBase()->IgnoreParenImpCasts();
    }
    const auto *Use = llvm::dyn_cast<clang::DeclRefExpr>(Base);
    if (Use && Depth == rankOf(Use->getDecl()->getType()) &&
        !AddressTaken.contains(S))
      OneElement.insert(Use);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *S) {
    if (S->getOpcode() == clang::UO_AddrOf)
      AddressTaken.insert(S->getSubExpr()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *S) {
    if (const auto *D = llvm::dyn_cast<clang::VarDecl>(S->getDecl());
        D && D->hasAttr<clang::CUDASharedAttr>() && !OneElement.contains(S))
      UsedAsWhole.insert(D);
    return true;
  }

  static unsigned rankOf(clang::QualType Type) {
    unsigned Rank = 0;
    while (Type->isArrayType()) {
      ++Rank;
      Type = Type->castAsArrayTypeUnsafe()->getElementType();
    }
    return Rank;
  }

private:
  llvm::SmallPtrSet<const clang::Expr *, 16> OneElement, AddressTaken;
};

class KernelEdits {
public:
  KernelEdits(const EditWriter &Writer, const clang::FunctionDecl &Kernel,
              llvm::StringRef Mangled, std::vector<EditSite> &Into)
      : Writer(Writer), Kernel(Kernel), Mangled(Mangled), Into(Into) {}

  void collect() {
    restrictPointers();
    launchBounds();
    SharedArrays Arrays;
    Arrays.TraverseStmt(Kernel.getBody());
    for (const clang::VarDecl *Array : Arrays.Found)
      if (!Arrays.UsedAsWhole.contains(Array))
        padding(*Array);
  }

private:
  void add(EditSite::KindType Kind, llvm::StringRef Name,
           std::vector<SourceEdit> Edits) {
    Into.push_back(
        {Kind, Mangled.str(), Name.str(), /*Value=*/0, std::move(Edits)});
  }

  void restrictPointers() {
    std::vector<SourceEdit> Edits;
    for (const clang::ParmVarDecl *P : Kernel.parameters()) {
      clang::QualType Type = P->getOriginalType();
      if (!Type->isPointerType() || Type->isFunctionPointerType() ||
          Type.isRestrictQualified())
        continue;
      auto Edit = P->getName().empty()
                      ? std::nullopt
                      : Writer.insertion(P->getLocation(), "__restrict__ ");
      // Names of a pack share a place.
      if (!Edit || (!Edits.empty() && Edits.back().At == Edit->At))
        return;
      Edits.push_back(std::move(*Edit));
    }
    if (!Edits.empty())
      add(EditSite::RestrictPointers, "", std::move(Edits));
  }

  void launchBounds() {
    std::optional<SourceEdit> Edit;
    if (const auto *Bounds = Kernel.getAttr<clang::CUDALaunchBoundsAttr>()) {
      Edit = Writer.replacement(
          Writer.Sources.getExpansionRange(Bounds->getRange()));
    } else {
      clang::SourceLocation Name = Kernel.getQualifierLoc()
                                       ? Kernel.getQualifierLoc().getBeginLoc()
                                       : Kernel.getLocation();
      Edit = Writer.insertion(Name, "");
    }
    if (Edit)
      add(EditSite::LaunchBounds, "", {std::move(*Edit)});
  }

  void padding(const clang::VarDecl &Array) {
    if (SharedArrays::rankOf(Array.getType()) < 2 || !Array.getTypeSourceInfo())
      return;
    clang::TypeLoc At = Array.getTypeSourceInfo()->getTypeLoc();
    clang::Expr *Row = nullptr;
    while (auto Level = At.getAs<clang::ArrayTypeLoc>()) {
      Row = Level.getSizeExpr();
      At = Level.getElementLoc();
    }
    if (!Row || !Array.getType()->isConstantArrayType())
      return;
    // The last extent may be a macro: what is written is one token then.
    clang::CharSourceRange Written =
        Writer.Sources.getExpansionRange(Row->getSourceRange());
    bool IsSum = llvm::isa<clang::BinaryOperator>(Row->IgnoreImpCasts()) ||
                 llvm::isa<clang::ConditionalOperator>(Row->IgnoreImpCasts());
    if (IsSum && Row->getBeginLoc().isFileID()) {
      auto Open = Writer.insertion(Written.getBegin(), "("),
           Close = Writer.insertion(Writer.endOf(Written.getEnd()), ") + 1");
      if (Open && Close)
        add(EditSite::SharedPadding, Array.getName(),
            {std::move(*Open), std::move(*Close)});
      return;
    }
    if (auto Edit = Writer.insertion(Writer.endOf(Written.getEnd()), " + 1"))
      add(EditSite::SharedPadding, Array.getName(), {std::move(*Edit)});
  }

  const EditWriter &Writer;
  const clang::FunctionDecl &Kernel;
  llvm::StringRef Mangled;
  std::vector<EditSite> &Into;
};

/// The numbers with a name on which an expression of a launch depends.
class NamedNumbers : public clang::RecursiveASTVisitor<NamedNumbers> {
public:
  explicit NamedNumbers(const EditWriter &Writer) : Writer(Writer) {}

  struct Number {
    std::string Name;
    uint64_t Value;
    clang::SourceLocation Written; ///< of the token
  };
  std::vector<Number> Found;

  bool VisitIntegerLiteral(clang::IntegerLiteral *Literal) {
    clang::SourceLocation At = Literal->getLocation();
    if (!At.isMacroID() || Writer.Sources.isMacroArgExpansion(At))
      return true;
    add(clang::Lexer::getImmediateMacroName(At, Writer.Sources,
                                            Writer.Context.getLangOpts()),
        *Literal, Writer.Sources.getSpellingLoc(At));
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *Use) {
    const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Use->getDecl());
    if (!Variable || !Variable->hasInit() || !Seen.insert(Variable).second)
      return true;
    if (Variable->getType()->isIntegerType()) {
      if (const auto *Literal = llvm::dyn_cast<clang::IntegerLiteral>(
              Variable->getInit()->IgnoreImpCasts());
          Literal && Literal->getLocation().isFileID()) {
        add(Variable->getName(), *Literal, Literal->getLocation());
        return true;
      }
    }
    return TraverseStmt(const_cast<clang::Expr *>(Variable->getInit()));
  }

private:
  void add(llvm::StringRef Name, const clang::IntegerLiteral &Literal,
           clang::SourceLocation Written) {
    for (const Number &Other : Found)
      if (Other.Written == Written)
        return;
    Found.push_back(
        {Name.str(), Literal.getValue().getLimitedValue(), Written});
  }

  const EditWriter &Writer;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Seen;
};

/// The launches of host functions, and the constants of their blocks.
class BlockSizes : public clang::RecursiveASTVisitor<BlockSizes> {
public:
  BlockSizes(const EditWriter &Writer, clang::CodeGenerator &Generator,
             TranslationUnit &Unit)
      : Writer(Writer), Generator(Generator), Unit(Unit) {}

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *Call) {
    const clang::FunctionDecl *Kernel = Call->getDirectCallee();
    if (!Kernel || Call->getConfig()->getNumArgs() < 2)
      return true;
    NamedNumbers Numbers(Writer);
    Numbers.TraverseStmt(Call->getConfig()->getArg(1));
    // With several of them nobody knows which one may change.
    if (Numbers.Found.size() != 1)
      return true;
    const NamedNumbers::Number &Only = Numbers.Found.front();
    auto Edit = Writer.replacement(
        clang::CharSourceRange::getTokenRange(Only.Written, Only.Written));
    std::string Mangled =
        Generator.GetMangledName(clang::GlobalDecl(Kernel)).str();
    if (Edit && llvm::none_of(Unit.Edits, [&](const EditSite &Other) {
          return Other.Kind == EditSite::BlockSize && Other.Kernel == Mangled &&
                 Other.Name == Only.Name;
        }))
      Unit.Edits.push_back({EditSite::BlockSize,
                            std::move(Mangled),
                            Only.Name,
                            Only.Value,
                            {std::move(*Edit)}});
    return true;
  }

private:
  const EditWriter &Writer;
  clang::CodeGenerator &Generator;
  TranslationUnit &Unit;
};

} // namespace

void collectEditSites(clang::CodeGenerator &Generator,
                      clang::ASTContext &Context,
                      llvm::ArrayRef<clang::Decl *> TopLevel,
                      TranslationUnit &Unit) {
  EditWriter Writer(Context);
  const clang::SourceManager &Sources = Context.getSourceManager();
  for (const KernelSource &Kernel : Unit.Kernels) {
    const auto *Decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        Generator.GetDeclForMangledName(Kernel.Mangled));
    if (Decl && Decl->getDefinition() &&
        Sources.isInMainFile(Decl->getDefinition()->getLocation()))
      KernelEdits(Writer, *Decl->getDefinition(), Kernel.Mangled, Unit.Edits)
          .collect();
  }
  BlockSizes Sizes(Writer, Generator, Unit);
  visitFunctions(
      TopLevel, Sources,
      [&](const clang::FunctionDecl &Function) {
        if (Sources.isInMainFile(Function.getLocation()) &&
            !Function.isTemplated() && Function.getBody())
          Sizes.TraverseStmt(Function.getBody());
      },
      [](const clang::VarDecl &) {});
}

} // namespace gpuestimate
