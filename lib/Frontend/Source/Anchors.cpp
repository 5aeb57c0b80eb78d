/// \file
/// Walks each function body. Locations are those of the debug information: a
/// loop has the begin of its statement, a comparison its operator, an access
/// the location of its outermost expression.
#include "Anchors.h"

#include "Annotations.h"
#include "Functions.h"
#include "Kernels.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

namespace {

/// Characters of the longest name.
constexpr size_t MaxTextLength = 60;

class FunctionWalk : public clang::RecursiveASTVisitor<FunctionWalk> {
public:
  FunctionWalk(clang::ASTContext &Context, const clang::FunctionDecl &Function,
               llvm::StringSet<> &Added, std::vector<SourceAnchor> &Into)
      : Context(Context), Sources(Context.getSourceManager()),
        Prefix(Function.getNameAsString() + ":"), Added(Added), Into(Into) {}

  bool VisitForStmt(clang::ForStmt *S) {
    loop(*S, variableOf(*S));
    return condition(S->getCond());
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *S) {
    return loop(*S, S->getLoopVariable() ? S->getLoopVariable()->getName()
                                         : llvm::StringRef());
  }
  bool VisitWhileStmt(clang::WhileStmt *S) {
    loop(*S, "");
    return condition(S->getCond());
  }
  bool VisitDoStmt(clang::DoStmt *S) {
    loop(*S, "");
    return condition(S->getCond());
  }
  bool VisitIfStmt(clang::IfStmt *S) {
    // Annotations of an `if` belong to its condition, if it has one.
    if (S->getCond())
      Annotated[stripped(S->getCond())] =
          annotationsAbove(Sources, S->getIfLoc());
    return condition(S->getCond());
  }
  bool VisitConditionalOperator(clang::ConditionalOperator *S) {
    return condition(S->getCond());
  }
  bool VisitBinaryOperator(clang::BinaryOperator *S) {
    if (S->isComparisonOp() && S->getOpcode() != clang::BO_Cmp)
      comparison(*S);
    else if (S->isLogicalOp())
      return condition(S->getLHS()) && condition(S->getRHS());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *S) {
    return access(*S);
  }
  bool VisitUnaryOperator(clang::UnaryOperator *S) {
    return S->getOpcode() != clang::UO_Deref || access(*S);
  }
  bool VisitMemberExpr(clang::MemberExpr *S) {
    return !S->isArrow() || S->isImplicitAccess() || access(*S);
  }

private:
  /// The expression without parentheses, conversions and negations.
  static const clang::Expr *stripped(const clang::Expr *E);
  static llvm::StringRef variableOf(const clang::ForStmt &S);
  bool loop(const clang::Stmt &S, llvm::StringRef Variable);
  bool condition(const clang::Expr *E);
  void comparison(const clang::BinaryOperator &S);
  bool access(const clang::Expr &S);
  std::string text(const clang::Expr &S) const;
  void add(SourceAnchor::KindType Kind, std::string Name,
           clang::SourceLocation Location, std::vector<SourceAnnotation> Notes,
           llvm::StringRef Relation = "", bool AgainstConstant = false);

  clang::ASTContext &Context;
  const clang::SourceManager &Sources;
  std::string Prefix;
  llvm::StringSet<> &Added;
  std::vector<SourceAnchor> &Into;
  llvm::DenseMap<const clang::Expr *, std::vector<SourceAnnotation>> Annotated;
  llvm::StringSet<> Accessed; ///< places; the outermost expression counts
  llvm::StringMap<unsigned> LoopsOver;
  unsigned Loops = 0;
};

} // namespace

void FunctionWalk::add(SourceAnchor::KindType Kind, std::string Name,
                       clang::SourceLocation Location,
                       std::vector<SourceAnnotation> Notes,
                       llvm::StringRef Relation, bool AgainstConstant) {
  SourceAnchor A;
  A.Kind = Kind;
  A.Name = std::move(Name);
  A.Location = presumedLocation(Sources, Location);
  A.Relation = Relation.str();
  A.AgainstConstant = AgainstConstant;
  A.Notes = std::move(Notes);
  // Instantiations of a template share their places.
  if (A.Location.isValid() &&
      Added
          .insert(A.Location.File + ":" + std::to_string(A.Location.Line) +
                  ":" + std::to_string(A.Location.Column) + ":" +
                  std::to_string(Kind) + A.Name)
          .second)
    Into.push_back(std::move(A));
}

/// The source text without blanks; empty if it is too long for a name.
std::string FunctionWalk::text(const clang::Expr &S) const {
  clang::CharSourceRange Range = Sources.getExpansionRange(
      clang::CharSourceRange::getTokenRange(S.getSourceRange()));
  llvm::StringRef Written =
      clang::Lexer::getSourceText(Range, Sources, Context.getLangOpts());
  if (Written.contains("//") || Written.contains("/*") ||
      Written.contains('\'') || Written.contains('"'))
    return "";
  std::string Text = Written.str();
  llvm::erase_if(Text, llvm::isSpace);
  return Text.size() <= MaxTextLength ? Text : "";
}

llvm::StringRef FunctionWalk::variableOf(const clang::ForStmt &S) {
  const clang::Stmt *Init = S.getInit();
  if (const auto *Declared = llvm::dyn_cast_or_null<clang::DeclStmt>(Init)) {
    const auto *Variable =
        llvm::dyn_cast<clang::VarDecl>(*Declared->decl_begin());
    return Variable ? Variable->getName() : llvm::StringRef();
  }
  const auto *Assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(Init);
  while (Assigned && Assigned->getOpcode() == clang::BO_Comma)
    Assigned = llvm::dyn_cast<clang::BinaryOperator>(Assigned->getLHS());
  const clang::Expr *Counter = Assigned ? Assigned->getLHS() : nullptr;
  if (const auto *Step =
          llvm::dyn_cast_or_null<clang::UnaryOperator>(S.getInc());
      Step && !Counter)
    Counter = Step->getSubExpr();
  const auto *Name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(
      Counter ? Counter->IgnoreParenImpCasts() : nullptr);
  return Name ? Name->getDecl()->getName() : llvm::StringRef();
}

bool FunctionWalk::loop(const clang::Stmt &S, llvm::StringRef Variable) {
  ++Loops;
  std::string Name =
      Variable.empty() ? "loop" + std::to_string(Loops) : Variable.str();
  if (unsigned N = ++LoopsOver[Name]; N > 1)
    Name += "#" + std::to_string(N);
  add(SourceAnchor::Loop, Prefix + Name, S.getBeginLoc(),
      annotationsAbove(Sources, S.getBeginLoc()));
  return true;
}

const clang::Expr *FunctionWalk::stripped(const clang::Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *Not = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    if (Not->getOpcode() != clang::UO_LNot)
      break;
    E = Not->getSubExpr()->IgnoreParenImpCasts();
  }
  return E;
}

/// Adds a condition that is not a comparison. Comparisons are visited
/// themselves.
bool FunctionWalk::condition(const clang::Expr *E) {
  if (!E)
    return true;
  E = stripped(E);
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E);
      Binary && (Binary->isComparisonOp() || Binary->isLogicalOp()))
    return true;
  if (llvm::isa<clang::CallExpr>(
          E)) // the code of the callee has its own conditions
    return true;
  if (std::string Text = text(*E); !Text.empty())
    add(SourceAnchor::Condition, Prefix + Text, E->getExprLoc(), Annotated[E]);
  return true;
}

void FunctionWalk::comparison(const clang::BinaryOperator &S) {
  std::string Text = text(S);
  if (Text.empty())
    return;
  auto IsConstant = [&](const clang::Expr *E) {
    return !E->isValueDependent() && E->isEvaluatable(Context);
  };
  auto Code = S.getOpcode();
  bool RightConstant = IsConstant(S.getRHS()),
       LeftConstant = IsConstant(S.getLHS());
  if (LeftConstant && !RightConstant)
    Code = clang::BinaryOperator::reverseComparisonOp(Code);
  add(SourceAnchor::Condition, Prefix + Text, S.getOperatorLoc(), Annotated[&S],
      clang::BinaryOperator::getOpcodeStr(Code), LeftConstant || RightConstant);
}

bool FunctionWalk::access(const clang::Expr &S) {
  SourceLocation Location = presumedLocation(Sources, S.getExprLoc());
  std::string Text = text(S);
  if (!Text.empty() && Location.isValid() &&
      Accessed
          .insert(Location.File + ":" + std::to_string(Location.Line) + ":" +
                  std::to_string(Location.Column))
          .second)
    add(SourceAnchor::Access, Prefix + Text, S.getExprLoc(), {});
  return true;
}

void collectAnchors(clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit) {
  llvm::StringSet<> Added;
  const clang::SourceManager &Sources = Context.getSourceManager();
  visitFunctions(
      TopLevel, Sources,
      [&](const clang::FunctionDecl &Function) {
        // Unused inline functions are not in the module.
        if (Function.isInlined() && !Function.isUsed() &&
            !Sources.isInMainFile(Function.getLocation()))
          return;
        if (const clang::Stmt *Body = Function.getBody())
          FunctionWalk(Context, Function, Added, Unit.Anchors)
              .TraverseStmt(const_cast<clang::Stmt *>(Body));
      },
      [](const clang::VarDecl &) {});
}

} // namespace gpuestimate
