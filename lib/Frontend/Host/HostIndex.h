/// \file
/// Index of the host functions of a translation unit.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTINDEX_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTINDEX_H

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
class CXXConstructExpr;
class CastExpr;
class Decl;
class Expr;
class FunctionDecl;
class ParmVarDecl;
class Stmt;
class SwitchStmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace gpuestimate {

/// A region of a function body. Its statements are executed together: any
/// number of times for each execution of the parent if it is a loop, at most
/// once otherwise.
struct Scope {
  enum KindType { Function, Loop, Branch } Kind = Function;
  const clang::Stmt *Statement = nullptr; ///< of a loop or a branch
  const Scope *Parent = nullptr;
  unsigned FirstOrder = 0, EndOrder = 0; ///< range of ProgramPoint::Order
  /// The body of the loop contains a break. A return or an exception counts as
  /// the exit after an error, which does not affect the cost of a launch.
  bool HasBreak = false;
  /// The branch is executed if Condition is true (Negated: false).
  const clang::Expr *Condition = nullptr;
  bool Negated = false;
  /// The branch is the code behind the label Statement of this switch.
  const clang::SwitchStmt *Switch = nullptr;

  bool contains(const Scope *Inner) const {
    for (; Inner; Inner = Inner->Parent)
      if (Inner == this)
        return true;
    return false;
  }
};

/// A position in a function body. Orders increase in order of execution, if
/// each statement is executed once.
struct ProgramPoint {
  unsigned Order = 0;
  const Scope *Enclosing = nullptr; ///< innermost scope
};

/// A variable or a member of one: `grid`, `grid.x`, `this->n` (base: the
/// field).
struct AccessPath {
  const clang::ValueDecl *Base = nullptr;
  std::string Fields; ///< "", ".x", ".size.x"
  bool operator<(const AccessPath &O) const {
    return std::tie(Base, Fields) < std::tie(O.Base, O.Fields);
  }
  bool operator==(const AccessPath &) const = default;

  /// Is Base a variable or parameter of a function?
  bool isLocal() const;
};

/// A definition of a variable in the sense of data flow analysis.
struct Write {
  enum KindType {
    Assign,        ///< Value is the new value
    Compound,      ///< Value is the whole `x op= y`
    Increment,     ///< Value is the whole `++x`, `x--`, ...
    Element,       ///< the loop variable of a range for; Value is the range
    Uninitialised, ///< declaration without initializer
    Result,        ///< Value is a query of the device that stores its result
    Opaque,        ///< any change, such as through a pointer or a reference
  } Kind = Opaque;
  std::string Fields; ///< the member that is written, "" = the whole variable
  const clang::Expr *Value = nullptr;
  ProgramPoint Point;
};

/// An assignment to what a pointer points to.
struct ElementWrite {
  std::string Fields;
  ProgramPoint Point;
  /// The element, and what is assigned to it; null for `p[i] += x`.
  const clang::Expr *Target = nullptr, *Value = nullptr;
};

/// A call whose first argument receives the address of a new buffer.
struct Allocation {
  std::string Fields; ///< the member that receives the address
  const clang::CallExpr *Call = nullptr;
  ProgramPoint Point;
};

/// Where an object is made.
struct ConstructionSite {
  const clang::CXXConstructExpr *Made = nullptr;
  ProgramPoint Point;
};

struct CallSite {
  const clang::CallExpr *Call = nullptr;
  const clang::FunctionDecl *Callee = nullptr; ///< canonical declaration
  ProgramPoint Point;
};

/// A host function with a body. All lists are in order of execution.
struct HostFunction {
  const clang::FunctionDecl *Decl = nullptr;
  std::deque<Scope> Scopes; ///< the first one is the function
  /// Writes by variable.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Write>> Writes;
  /// Assignments `*p = value` by the pointer p.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Write>> PointeeWrites;
  /// Where elements are written through a pointer (`p[i] = x`, `p->n += 1`), by
  /// the pointer; Fields: the member that is the pointer.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<ElementWrite>>
      ElementWrites;
  /// Allocations by the pointer that receives the buffer.
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Allocation>> Allocations;
  std::vector<CallSite> Calls;
  std::vector<ConstructionSite> Constructions;
  /// <<<>>>, cudaLaunchKernel, and launches in device code (DeviceLaunches.h).
  std::vector<CallSite> Launches;
  /// Arguments of swap(a, b).
  std::vector<std::pair<AccessPath, AccessPath>> Swaps;
  /// Returned values.
  std::vector<std::pair<const clang::Expr *, ProgramPoint>> Returns;
};

/// The host functions of a translation unit, and kernels where device code
/// launches others: where variables are written, what
/// is called and launched, and which loops and branches enclose it. Program
/// points and scopes serve instead of a control-flow graph.
struct HostIndex {
  /// By canonical declaration.
  std::map<const clang::FunctionDecl *, HostFunction> Functions;
  std::vector<const HostFunction *> InSourceOrder;
  /// Calls of a function by its canonical declaration, each with the function
  /// that contains it.
  llvm::DenseMap<
      const clang::FunctionDecl *,
      llvm::SmallVector<std::pair<const HostFunction *, CallSite>, 1>>
      Callers;

  const HostFunction *find(const clang::FunctionDecl *Function) const;
};

/// Indexes every host function outside system headers.
HostIndex buildHostIndex(clang::ASTContext &Context,
                         llvm::ArrayRef<clang::Decl *> TopLevel);

/// What Call passes to Parameter of the function Callee; null if it passes
/// nothing, or the parameter is another function's. The first argument of a
/// member operator is the object: `f(x)` of an object f passes x to the first
/// parameter of `f.operator()`.
const clang::Expr *argumentFor(const clang::ParmVarDecl &Parameter,
                               const clang::FunctionDecl &Callee,
                               const clang::CallExpr &Call);

/// The variable or member that an lvalue names. Base is null for everything
/// else: an array element, a dereferenced pointer.
AccessPath accessPathOf(const clang::Expr *E);

/// The variable or member behind a pointer into a buffer: `p` of `p + n`,
/// `&p[i]` and `&p->n`. Base is null where there is none.
AccessPath bufferPathOf(const clang::Expr *Pointer);

/// E without parentheses, casts and temporaries.
const clang::Expr *stripCasts(const clang::Expr *E);
/// The operand x of `&x`; E itself, stripped, if it is not of that form.
const clang::Expr *addressedOperand(const clang::Expr *E);

} // namespace gpuestimate

#endif
