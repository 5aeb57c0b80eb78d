/// \file
/// Reaching definitions of host variables.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_REACHINGWRITES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_REACHINGWRITES_H

#include "HostValue.h"
#include <optional>

namespace gpuestimate {

struct HostAnalysis;

/// The writes of a variable that can reach a use.
struct ReachingSet {
  const Write *Last = nullptr; ///< the last one that always happens before
  std::vector<const Write *>
      Others; ///< those that may happen after it, ordered
};

/// Reads variables: finds the writes that reach a use and evaluates them.
///
/// If only one write reaches the use, the variable has its value. If branches
/// with known conditions write it, the value is a choice between theirs. In all
/// other cases it is a parameter with the variable's name. Parameters of a
/// function have the values of the call's arguments.
class ReachingWrites {
public:
  explicit ReachingWrites(HostAnalysis &Host);

  /// The value of a variable at a program point.
  HostValue read(const AccessPath &Path, const CallFrame &Frame,
                 ProgramPoint Point);
  /// The value of a member (".rest_.first_") of an aggregate: of a variable, a
  /// list of initialisers, a constructor, or what a function returns.
  HostValue member(const clang::Expr *Aggregate, llvm::StringRef Fields,
                   const CallFrame &Frame, ProgramPoint Point);
  /// The value of an induction variable at the end of an iteration, in terms of
  /// the values at its start; null if it is unknown.
  Expr afterIteration(const InductionVariable &Variable);
  /// The expression that a pointer or a function variable holds, or E itself.
  const clang::Expr *resolve(const clang::Expr *E, const CallFrame &Frame,
                             ProgramPoint Point);
  /// The writes of the member Fields that reach Point, out of all writes of one
  /// variable in order.
  static ReachingSet reaching(llvm::ArrayRef<Write> Writes,
                              llvm::StringRef Fields, ProgramPoint Point);

private:
  /// Nodes of the longest term. Beyond it the variable's name says more.
  static constexpr unsigned MaxTermSize = 400;

  using TaggedWrites =
      std::vector<std::pair<const HostFunction *, const Write *>>;

  HostValue written(const Write &W, const AccessPath &Path,
                    const CallFrame &Frame);
  HostValue writtenUncached(const Write &W, const AccessPath &Path,
                            const CallFrame &Frame);
  /// The value that the constructor of the only base of a class gives to a
  /// member; Inside is the frame of the derived class's constructor.
  HostValue ofBase(const clang::CXXConstructorDecl &Constructor,
                   llvm::StringRef Fields, const CallFrame &Inside,
                   ProgramPoint Begin);
  /// The value that a constructor gives to a member of its object: what its
  /// body assigns, or else its list of initialisers, or else the declaration.
  HostValue constructed(const clang::CXXConstructExpr &Construct,
                        llvm::StringRef Fields, const CallFrame &Frame,
                        ProgramPoint Point);
  HostValue readParameter(const AccessPath &Path, const CallFrame &Frame);
  HostValue readGlobal(const AccessPath &Path, const CallFrame &Frame);
  HostValue merged(const AccessPath &Path, const ReachingSet &Writes,
                   const CallFrame &Frame, ProgramPoint Point);
  static const Scope *carryingLoop(const ReachingSet &Writes,
                                   ProgramPoint Point);
  const TaggedWrites &allWrites(const clang::ValueDecl *Variable);
  /// Nodes of a term when it is written out, at most MaxTermSize + 1.
  unsigned size(Expr Term);

  HostAnalysis &Host;
  const HostIndex &Index;
  ExprContext &Terms;
  std::map<const clang::ValueDecl *, TaggedWrites> WritesOfGlobals;
  std::map<const ExprNode *, unsigned> Sizes;
  /// Values of writes, by write, member and frame.
  std::map<std::tuple<const Write *, std::string, const CallFrame *>, HostValue>
      Written;
};

/// The initialiser of a member in a list of initialisers; null where there is
/// none. Fields: ".size.x".
const clang::Expr *memberInitialiser(const clang::Expr *Aggregate,
                                     llvm::StringRef Fields);

/// The component of a dim3: ".x" -> 0; nothing for other members.
std::optional<unsigned> dim3Component(llvm::StringRef Fields);

} // namespace gpuestimate

#endif
