/// \file
/// Index of host functions: where variables are written, what is called and
/// launched, and which loops and branches surround each of these. It is what
/// the evaluation of launches asks instead of a control-flow graph: positions
/// are numbers in order of execution, scopes form a tree.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTCODE_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class CastExpr;
class Decl;
class Expr;
class FunctionDecl;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace gpuestimate {

/// A region whose statements are executed together, once or not at all for
/// each execution of the parent (a loop: any number of times).
struct Scope {
  enum KindType { Function, Loop, Branch } Kind = Function;
  const clang::Stmt *Statement = nullptr; ///< the loop
  const Scope *Parent = nullptr;
  unsigned FirstOrder = 0, EndOrder = 0; ///< positions inside
  /// Loops: the body contains a break. A return or an exception is taken for
  /// the way out after an error, which a launch's cost does not ask about.
  bool LeftEarly = false;
  /// Branches of an if: executed when Condition is true (Negated: false).
  const clang::Expr *Condition = nullptr;
  bool Negated = false;

  bool contains(const Scope *Inner) const {
    for (; Inner; Inner = Inner->Parent)
      if (Inner == this)
        return true;
    return false;
  }
};

struct Position {
  unsigned Order = 0;
  const Scope *In = nullptr;
};

/// A variable, or a member of one: `grid`, `grid.x`, `this->n` (root: field).
struct Place {
  const clang::ValueDecl *Root = nullptr;
  std::string Path; ///< "", ".x", ".size.x"
  bool operator<(const Place &O) const {
    return std::tie(Root, Path) < std::tie(O.Root, O.Path);
  }
};

struct Write {
  enum KindType {
    Assign,        ///< Value is the new value
    Compound,      ///< Value is the whole `x op= y`
    Increment,     ///< Value is `++x` or `x--` ...
    Element,       ///< the next one of a range; Value is the range
    Uninitialised, ///< declared without a value
    Result,        ///< Value is a call that says what it stores there
    Opaque,        ///< something may change it here
  } Kind = Opaque;
  std::string Path;
  const clang::Expr *Value = nullptr;
  Position At;
};

/// A call whose first argument receives the address of a new buffer.
struct Allocation {
  std::string Path; ///< of the member that receives it
  const clang::CallExpr *Call = nullptr;
  Position At;
};

struct CallSite {
  const clang::CallExpr *Call = nullptr;
  const clang::FunctionDecl *Callee = nullptr; ///< canonical
  Position At;
};

/// What is known of one host function with a body.
struct HostFunction {
  const clang::FunctionDecl *Decl = nullptr;
  std::deque<Scope> Scopes; ///< the first is the function
  /// Writes by root, in order.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Write>> Writes;
  /// Buffers that pointers receive, in order.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Allocation>> Allocations;
  std::vector<CallSite> Calls;
  std::vector<CallSite> Launches; ///< <<<>>> and cudaLaunchKernel
  /// Arguments of swap(a, b).
  std::vector<std::pair<Place, Place>> Swaps;
  /// Values returned, in order.
  std::vector<std::pair<const clang::Expr *, Position>> Returns;
};

/// Host code of a translation unit.
struct HostCode {
  /// Canonical declaration -> function.
  std::map<const clang::FunctionDecl *, HostFunction> Functions;
  std::vector<const HostFunction *> InOrder; ///< of the source
  /// Canonical callee -> calls, with the function that contains each.
  llvm::DenseMap<
      const clang::FunctionDecl *,
      llvm::SmallVector<std::pair<const HostFunction *, CallSite>, 1>>
      Callers;

  const HostFunction *find(const clang::FunctionDecl *Function) const;
};

/// Indexes every host function outside system headers.
HostCode indexHostCode(clang::ASTContext &Context,
                       llvm::ArrayRef<clang::Decl *> TopLevel);

/// Is this a runtime call that launches a kernel given by pointer?
bool isRuntimeLaunch(const clang::FunctionDecl &Callee);
/// Is this a runtime call that allocates: (pointer to result, bytes, ...)?
bool isAllocation(const clang::FunctionDecl &Callee);
/// Of a call that stores what the runtime knows through its first arguments:
/// their number; 0 for every other.
unsigned deviceAnswers(const clang::FunctionDecl &Callee);

/// The place that an lvalue names; no root when it is none that is tracked
/// (an array element, a dereferenced pointer).
Place placeOf(const clang::Expr *E);

/// Without parentheses, casts and temporaries.
const clang::Expr *strip(const clang::Expr *E);
/// x of `&x`; E itself else, stripped.
const clang::Expr *addressed(const clang::Expr *E);

} // namespace gpuestimate

#endif
