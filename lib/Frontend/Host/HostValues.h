/// \file
/// Values of host expressions, as symbolic terms over what the source does not
/// determine. Variables are followed to the write that reaches the place of
/// use: conservatively, by positions and scopes (see HostCode.h), through
/// calls in both directions. What cannot be followed becomes a parameter with
/// the variable's name.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTVALUES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTVALUES_H

#include "HostCode.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A function under evaluation, and the call that leads to it.
struct Frame {
  const HostFunction *Function = nullptr;
  const clang::CallExpr *Site = nullptr; ///< null: nobody is known to call
  Position SiteAt;                       ///< of Site in Caller's function
  const Frame *Caller = nullptr;
  unsigned Depth = 0;
};

/// A term with what is needed to tell whole numbers from others.
struct HostValue {
  Expr E;                      ///< null: unknown
  bool Integral = true;        ///< a whole number for all bindings
  Expr Numerator, Denominator; ///< of a quotient of whole numbers
  explicit operator bool() const { return static_cast<bool>(E); }
};

/// A variable that a loop changes, with its value in one iteration as a
/// parameter.
struct LoopVariable {
  std::string Name; ///< of the parameter
  const clang::ValueDecl *Root = nullptr;
  const Scope *Loop = nullptr;
  const Frame *In = nullptr;
};

using Dim3 = std::array<Expr, 3>;

class HostValues {
public:
  HostValues(clang::ASTContext &AST, const HostCode &Code, ExprContext &Terms)
      : AST(AST), Code(Code), Terms(Terms) {}

  /// Null when the value is unknown and has no name.
  Expr value(const clang::Expr *E, const Frame &F, Position At) {
    if (Depth == 0)
      Steps = 0; // each question has its own budget
    return evaluate(E, F, At).E;
  }
  Dim3 dim3(const clang::Expr *E, const Frame &F, Position At);
  /// Size of the buffer that a pointer points to; null when no allocation was
  /// seen, or several of different size.
  Expr bufferBytes(const clang::Expr *E, const Frame &F, Position At);
  Expr bufferBytes(const clang::VarDecl &Pointer, const Frame &F);
  /// Value of a place at a position; a parameter when it is unknown.
  HostValue read(const Place &P, const Frame &F, Position At);
  /// The place's own last value at the end of an iteration of Loop, in terms
  /// of values at its start; null when it is unknown.
  Expr afterIteration(const LoopVariable &Variable);
  /// The expression that a pointer or function variable holds, or E itself.
  const clang::Expr *resolve(const clang::Expr *E, const Frame &F, Position At);
  /// The kernel that a launch or a query names; null when it cannot be told.
  const clang::FunctionDecl *kernelOf(const clang::Expr *Callee, const Frame &F,
                                      Position At);

  const Frame &inlineCall(const HostFunction &Callee,
                          const clang::CallExpr &Call, const Frame &F,
                          Position At);

  ExprContext &terms() { return Terms; }
  /// Grows while values are computed.
  const std::deque<LoopVariable> &loopVariables() const { return Variables; }
  /// See LaunchSite::Defaults.
  const llvm::StringMap<double> &defaults() const { return Defaults; }
  /// See LaunchSite::Queries, with the kernel as a declaration.
  struct Query {
    OccupancyQuery Asked;
    const clang::FunctionDecl *Kernel = nullptr;
  };
  const llvm::StringMap<Query> &queries() const { return Queries; }

private:
  struct Reaching {
    const Write *Last = nullptr;       ///< always executed before the use
    std::vector<const Write *> Others; ///< may be executed between, in order
  };
  using TaggedWrites =
      std::vector<std::pair<const HostFunction *, const Write *>>;

  // HostExpressions.cpp
  HostValue evaluate(const clang::Expr *E, const Frame &F, Position At);
  HostValue evaluateUncached(const clang::Expr *E, const Frame &F, Position At);
  HostValue constantOf(const clang::Expr *E);
  HostValue cast(const clang::CastExpr &Cast, const Frame &F, Position At);
  HostValue binary(unsigned Opcode, bool Real, HostValue A, HostValue B);
  HostValue call(const clang::CallExpr &Call, const Frame &F, Position At);
  HostValue mathCall(llvm::StringRef Name, llvm::ArrayRef<HostValue> Args);
  bool namesLocalsOf(const clang::FunctionDecl &Function, Expr E) const;
  HostValue returned(const clang::CallExpr &Call, const Frame &F, Position At);
  HostValue containerSize(const clang::Expr *Object, const Frame &F,
                          Position At);
  Expr truth(const clang::Expr *Condition, bool Negated, const Frame &F,
             Position At);
  HostValue whole(HostValue V);
  HostValue constant(double Value);

  // HostDevice.cpp
  /// A field of cudaDeviceProp, whatever object it is in; a null term else.
  HostValue deviceField(const clang::Expr *E);
  /// What a query of the runtime stores at a place.
  HostValue answer(const clang::CallExpr &Query, const Place &P, const Frame &F,
                   Position At);
  HostValue deviceAttribute(const clang::CallExpr &Query);

  // HostPlaces.cpp
  Reaching reaching(llvm::ArrayRef<Write> Writes, llvm::StringRef Path,
                    Position At) const;
  HostValue written(const Write &W, const Place &P, const Frame &F);
  HostValue writtenUncached(const Write &W, const Place &P, const Frame &F);
  HostValue member(const clang::Expr *Aggregate, llvm::StringRef Path,
                   const Frame &F, Position At);
  HostValue readParameter(const Place &P, const Frame &F);
  HostValue readGlobal(const Place &P, const Frame &F);
  HostValue merged(const Place &P, const Reaching &R, const Frame &F,
                   Position At);
  const Scope *carryingLoop(const Reaching &R, Position At) const;
  HostValue symbol(const Place &P, const Scope *Loop, const Frame &F);
  const TaggedWrites &allWrites(const clang::ValueDecl *Root);

  // HostBuffers.cpp
  struct BufferSearch;
  static Expr sizeOf(const BufferSearch &Search);
  void findBuffers(const clang::Expr *E, const Frame &F, Position At,
                   BufferSearch &Search);
  void findBuffers(const Place &P, const Frame &F, BufferSearch &Search);

  // Generous for launches; guards against code that is recursive or generated.
  static constexpr unsigned MaxSteps = 20000, MaxDepth = 120;
  /// A longer term is no help to a reader; its variable is named instead.
  static constexpr unsigned MaxTermSize = 400;
  static constexpr unsigned MaxInlineDepth = 8, MaxReturns = 6;

  clang::ASTContext &AST;
  const HostCode &Code;
  ExprContext &Terms;
  std::deque<Frame> Frames;
  std::deque<LoopVariable> Variables;
  llvm::StringMap<double> Defaults;
  llvm::StringMap<Query> Queries;
  /// Parameter name of a place in a loop (or anywhere: null).
  std::map<std::pair<Place, const Scope *>, std::string> Names;
  llvm::StringMap<const clang::ValueDecl *> NamesTaken;
  std::map<const clang::ValueDecl *, TaggedWrites> WritesOfGlobals;
  /// Nodes of a term when it is written out, up to MaxTermSize.
  unsigned size(Expr E);
  std::map<const ExprNode *, unsigned> Sizes;
  /// What a write wrote to a path, in a frame.
  std::map<std::tuple<const Write *, std::string, const Frame *>, HostValue>
      Written;
  unsigned Steps = 0, Depth = 0;
};

/// Number of components' names of dim3: ".x" -> 0; nullopt for others.
std::optional<unsigned> dim3Component(llvm::StringRef Path);

} // namespace gpuestimate

#endif
