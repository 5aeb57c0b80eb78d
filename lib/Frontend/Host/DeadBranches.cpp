#include "DeadBranches.h"

#include "HostAnalysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

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

/// Is the branch known not to be taken?
static bool isDead(HostAnalysis &Host, const CallFrame &Frame, const Scope &S) {
  ProgramPoint Before = {S.FirstOrder + 1, S.Parent};
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
