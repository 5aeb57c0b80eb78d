/// \file
/// Values of host expressions and the call stack in which they are evaluated.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTVALUE_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTVALUE_H

#include "HostIndex.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace gpuestimate {

/// One function of a chain of calls.
struct CallFrame {
  const HostFunction *Function = nullptr;
  /// The call that leads to Function; null if no caller is known.
  const clang::CallExpr *Call = nullptr;
  ProgramPoint CallPoint; ///< position of Call in the caller
  const CallFrame *Caller = nullptr;
  unsigned Depth = 0;
  /// The construction that leads to Function, a constructor, in place of Call.
  const clang::CXXConstructExpr *Construction = nullptr;

  /// What the caller passes to a parameter of Function; null if nothing, or no
  /// caller is known.
  const clang::Expr *argument(const clang::ParmVarDecl &Parameter) const;

  /// The buffer of Function, by the caller's variables: itself if it is no
  /// local variable, PathOf(argument) if it is behind a parameter, and without
  /// a base otherwise.
  AccessPath
  inCaller(const AccessPath &Buffer,
           llvm::function_ref<AccessPath(const clang::Expr *)> PathOf) const;
};

/// Owns call frames, whose addresses stay valid.
class CallFrames {
public:
  /// Depth at which no further call is evaluated in place.
  static constexpr unsigned MaxInlineDepth = 8;

  const CallFrame &add(const CallFrame &Frame) {
    return Frames.emplace_back(Frame);
  }
  /// A frame for Call, which stands at Point of Caller's function.
  const CallFrame &inlineCall(const HostFunction &Callee,
                              const clang::CallExpr &Call,
                              const CallFrame &Caller, ProgramPoint Point) {
    return add({&Callee, &Call, Point, &Caller, Caller.Depth + 1});
  }
  /// A frame for Function, reached from code in From in an unknown way.
  const CallFrame &withoutCaller(const HostFunction &Function,
                                 const CallFrame &From) {
    return add({&Function, nullptr, {}, nullptr, From.Depth + 1});
  }

private:
  std::deque<CallFrame> Frames;
};

/// The symbolic value of a host expression.
struct HostValue {
  Expr E;               ///< null: unknown
  bool Integral = true; ///< an integer for all bindings of the parameters
  /// Operands of a quotient of integers that was computed in floating point:
  /// ceil() and conversions to integer turn it into an integer division.
  Expr Numerator = {}, Denominator = {};
  explicit operator bool() const { return static_cast<bool>(E); }
};

/// Sizes in x, y and z.
using Dim3 = std::array<Expr, 3>;

/// A variable that a loop changes. Its value in one iteration is a parameter.
struct InductionVariable {
  std::string Name; ///< of the parameter
  const clang::ValueDecl *Variable = nullptr;
  const Scope *Loop = nullptr;
  const CallFrame *Frame = nullptr;
};

} // namespace gpuestimate

#endif
