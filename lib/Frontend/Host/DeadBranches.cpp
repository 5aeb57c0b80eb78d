#include "DeadBranches.h"

#include "HostAnalysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace gpuestimate {

/// The value of a label; nothing for a default label, and where it is unknown.
static std::optional<double> labelValue(HostAnalysis &Host,
                                        const clang::SwitchCase &Label) {
  const auto *Case = llvm::dyn_cast<clang::CaseStmt>(&Label);
  if (!Case || Case->getRHS()) // a range of values
    return std::nullopt;
  return Host.Expressions.value(Case->getLHS(), {}, {}).asConstant();
}

namespace {
/// Follows the statements of a switch whose value is known.
class SwitchWalk {
public:
  SwitchWalk(HostAnalysis &Host, const clang::SwitchStmt &Switch, double Value)
      : Host(Host), Value(Value) {
    for (const clang::SwitchCase *Label = Switch.getSwitchCaseList(); Label;
         Label = Label->getNextSwitchCase()) {
      if (llvm::isa<clang::DefaultStmt>(Label))
        continue;
      std::optional<double> Of = labelValue(Host, *Label);
      IsKnown &= Of.has_value();
      HasCase |= Of == Value;
    }
  }

  /// Is the code behind a label of the switch's body reached?
  bool reaches(const clang::CompoundStmt &Body, const clang::Stmt *Label) {
    if (!IsKnown)
      return true;
    bool Reached = false;
    for (const clang::Stmt *S : Body.body()) {
      const clang::Stmt *Inner = S;
      while (const auto *At = llvm::dyn_cast<clang::SwitchCase>(Inner)) {
        Reached |= matches(*At);
        Inner = At->getSubStmt();
      }
      if (S == Label)
        return Reached;
      if (jumps(Inner))
        Reached = false;
    }
    return true;
  }

private:
  bool matches(const clang::SwitchCase &Label) {
    return llvm::isa<clang::DefaultStmt>(Label)
               ? !HasCase
               : labelValue(Host, Label) == Value;
  }
  static bool jumps(const clang::Stmt *S) {
    if (const auto *Block = llvm::dyn_cast<clang::CompoundStmt>(S))
      return !Block->body_empty() && jumps(Block->body_back());
    return llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt,
                     clang::GotoStmt>(S);
  }

  HostAnalysis &Host;
  double Value;
  bool HasCase = false, IsKnown = true;
};
} // namespace

static ProgramPoint before(const Scope &S) {
  return {S.FirstOrder + 1, S.Parent};
}

/// Is the branch known not to be taken?
static bool isDead(HostAnalysis &Host, const CallFrame &Frame, const Scope &S) {
  ProgramPoint Before = before(S);
  if (S.Condition) {
    Expr Taken = Host.Expressions.truth(S.Condition, S.Negated, Frame, Before);
    return Taken && Taken.isConstant(0);
  }
  if (!S.Switch)
    return false;
  Expr Value = Host.Expressions.value(S.Switch->getCond(), Frame, Before);
  std::optional<double> Number =
      Value ? Value.asConstant() : std::optional<double>();
  const auto *Body = llvm::dyn_cast<clang::CompoundStmt>(S.Switch->getBody());
  return Number && Body &&
         !SwitchWalk(Host, *S.Switch, *Number).reaches(*Body, S.Statement);
}

/// The only value of the switch with which the code behind its label S is
/// reached.
static std::optional<double> onlyValue(HostAnalysis &Host, const Scope &S) {
  const auto *Body = llvm::dyn_cast<clang::CompoundStmt>(S.Switch->getBody());
  if (!Body)
    return std::nullopt;
  std::optional<double> Only;
  double Greatest = 0;
  for (const clang::SwitchCase *Label = S.Switch->getSwitchCaseList(); Label;
       Label = Label->getNextSwitchCase()) {
    if (llvm::isa<clang::DefaultStmt>(Label))
      continue;
    std::optional<double> Value = labelValue(Host, *Label);
    if (!Value)
      return std::nullopt;
    Greatest = std::max(Greatest, *Value);
    if (!SwitchWalk(Host, *S.Switch, *Value).reaches(*Body, S.Statement))
      continue;
    if (Only)
      return std::nullopt;
    Only = Value;
  }
  // A value that no label has.
  if (SwitchWalk(Host, *S.Switch, Greatest + 1).reaches(*Body, S.Statement))
    return std::nullopt;
  return Only;
}

llvm::StringMap<double> valuesOnPath(HostAnalysis &Host, const CallFrame &Frame,
                                     ProgramPoint Point) {
  llvm::StringMap<double> Values;
  auto Learn = [&](Expr Variable, std::optional<double> Value) {
    if (Variable && Value && Variable.kind() == ExprKind::Parameter)
      Values.try_emplace(Variable.name(), *Value);
  };
  for (const CallFrame *At = &Frame; At; At = At->Call ? At->Caller : nullptr) {
    for (const Scope *S = Point.Enclosing; S; S = S->Parent) {
      if (S->Kind != Scope::Branch)
        continue;
      if (S->Switch)
        Learn(Host.Expressions.value(S->Switch->getCond(), *At, before(*S)),
              onlyValue(Host, *S));
      const auto *Compared = llvm::dyn_cast_or_null<clang::BinaryOperator>(
          S->Condition ? S->Condition->IgnoreParenImpCasts() : nullptr);
      if (!Compared ||
          Compared->getOpcode() != (S->Negated ? clang::BO_NE : clang::BO_EQ))
        continue;
      Expr Left = Host.Expressions.value(Compared->getLHS(), *At, before(*S)),
           Right = Host.Expressions.value(Compared->getRHS(), *At, before(*S));
      if (Left && Right) {
        Learn(Left, Right.asConstant());
        Learn(Right, Left.asConstant());
      }
    }
    Point = At->CallPoint;
  }
  return Values;
}

bool isNeverReached(HostAnalysis &Host, const CallFrame &Frame,
                    ProgramPoint Point) {
  for (const CallFrame *At = &Frame; At; At = At->Call ? At->Caller : nullptr) {
    for (const Scope *S = Point.Enclosing; S; S = S->Parent)
      if (S->Kind == Scope::Branch && isDead(Host, *At, *S))
        return true;
    Point = At->CallPoint;
  }
  return false;
}

} // namespace gpuestimate
