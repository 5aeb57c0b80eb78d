/// \file
/// Parameters of symbolic values, named after the variables they stand for.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_SYMBOLTABLE_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_SYMBOLTABLE_H

#include "HostValue.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Gives each variable whose value is unknown one parameter with a unique name.
/// A second variable called `n` is `n@function`, a third one `n@function#2`.
class SymbolTable {
public:
  explicit SymbolTable(ExprContext &Terms) : Terms(Terms) {}

  /// The parameter of a variable: in each iteration of Loop, or everywhere if
  /// Loop is null.
  HostValue symbol(const AccessPath &Path, const Scope *Loop,
                   const CallFrame &Frame);
  /// Does the term contain a parameter that stands for a local variable of
  /// Function? Such a term means nothing to the function's callers.
  bool namesLocalsOf(const clang::FunctionDecl &Function, Expr Term) const;

  /// Variables that loops change. The list grows while values are computed.
  const std::deque<InductionVariable> &inductionVariables() const {
    return Variables;
  }
  /// Values that parameters have unless a branch changes them (see
  /// LaunchSite::Defaults).
  const llvm::StringMap<double> &defaults() const { return Defaults; }
  void setDefault(const HostValue &Parameter, double Value) {
    Defaults[Parameter.E.name()] = Value;
  }

private:
  ExprContext &Terms;
  std::deque<InductionVariable> Variables;
  llvm::StringMap<double> Defaults;
  std::map<std::pair<AccessPath, const Scope *>, std::string> Names;
  llvm::StringMap<const clang::ValueDecl *> NamesTaken;
};

} // namespace gpuestimate

#endif
