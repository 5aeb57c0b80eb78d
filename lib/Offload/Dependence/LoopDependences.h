/// \file
/// Loop-carried dependences of host code.
///
/// Delinearized subscripts decide most loops (SubscriptTest.cpp). The others
/// are decided by the polyhedral model that Polly builds from LLVM IR: a pair
/// of accesses, at least one of them a write, has a dependence carried by this
/// loop unless isl proves that the set of pairs of iterations that access the
/// same element, in the same iteration of the enclosing loops,
///
///   { S[o, i, ..] -> T[o, i', ..] : i < i', access_S(o, i, ..) =
///   access_T(o, i', ..) }
///
/// is empty. If Polly has no model (an index is loaded from memory, an inner
/// loop has an unknown trip count), LLVM's dependence analysis tests the pairs.
/// Values that iterations pass on in registers are found from the phi nodes of
/// the loop header.
///
/// Example: in
///   for (i = 1; i < n; ++i)
///     for (j = 0; j < n; ++j)
///       A[i][j] = A[i - 1][j] + s;
/// the outer loop carries a dependence from the store to 'A' to the load from
/// 'A' with the distance "1 iteration"; the inner loop is parallel.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_LOOPDEPENDENCES_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_LOOPDEPENDENCES_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuestimate {

/// An update such as `s += x`: it applies an associative operator to the value
/// of an earlier iteration.
struct ReductionUpdate {
  std::string Operator;  ///< "+", "*", "min", "max", "&", "|", "^"
  bool Unsigned = false; ///< "min" and "max" compare unsigned integers
  /// Source variables that hold the value between iterations; empty if it is in
  /// memory.
  struct Variable {
    std::string Name;
    unsigned Line = 0; ///< of the declaration; 0 = unknown
  };
  std::vector<Variable> Variables;
  /// In memory: every iteration of the loop updates the same element.
  bool SameElement = false;
  SourceLocation Location; ///< of the operator or of the store
  SourceLocation Before;   ///< scan in memory: load of the previous result
  std::string Text;        ///< "update of 's'"
};

/// The dependence that decides whether a loop can run in parallel.
struct LoopDependence {
  enum KindType : uint8_t {
    Parallel,  ///< none, if the Assumptions hold
    Reduction, ///< reduction updates only, whose order is free
    Carried,   ///< an iteration reads or overwrites a value of another one
    Unknown,   ///< not decided; Reason says why
  } Kind = Unknown;

  /// The accesses of a carried dependence, Source in the earlier iteration. Of
  /// a reduction, Source is the update.
  SourceLocation Source, Sink;
  std::string SourceText, SinkText; ///< "store to 'A'", "load from 'A'"
  /// The smallest distance of a carried dependence: "1 iteration",
  /// "n iterations", "varies".
  std::string Distance;
  /// The operators of a reduction: "+", "*", "min", "max", "&", "|", "^",
  /// separated by ", ". A carried dependence has an operator if it is a scan
  /// (the operator is applied to the previous iteration's result). An unknown
  /// dependence has one if only the element of an update such as
  /// `h[x[i]] += y` is unknown, so that an atomic operation is sufficient.
  std::string ReductionOperator;
  /// The updates of a dependence that has a ReductionOperator.
  std::vector<ReductionUpdate> Updates;
  /// Why the dependence is unknown, or what else is unknown of a scan: a clause
  /// without a full stop.
  std::string Reason;
  SourceLocation Place; ///< of an unknown dependence
  /// Conditions under which Kind is right: "'A' and 'B' do not overlap".
  std::vector<std::string> Assumptions;
};

/// The dependences of the loops of one function. Its module comes from clang
/// -O3 before any LLVM pass, with line tables, and is not changed: the function
/// is cloned, its callees are inlined, and its loops are canonicalized for
/// Polly. Loops of inlined functions are found too.
///
/// Variables and arrays that are declared in the loop body are private to an
/// iteration. Arrays declared outside are not privatized, even if every
/// iteration writes them before it reads them.
///
/// Loops are analyzed on demand. isl may use a fixed number of operations, not
/// a fixed time, so that the result is the same on every machine; if it needs
/// more, the dependence is Unknown. The class is not thread-safe.
class LoopDependences {
public:
  /// Queried: the loops that dependenceOf() will be called for, which saves
  /// work on others; none: any loop.
  explicit LoopDependences(const llvm::Function &F,
                           llvm::ArrayRef<SourceLocation> Queried = {});
  ~LoopDependences();
  LoopDependences(LoopDependences &&) noexcept;
  LoopDependences &operator=(LoopDependences &&) noexcept;

  /// The dependence of the loop whose `for`, `while` or `do` is at Loop (the
  /// start location of its llvm.loop metadata). Column 0 matches any column;
  /// files are compared by their last component. If several loops start there
  /// (a function inlined at two calls, a macro), the worst dependence counts.
  ///
  /// AssertIndependent: the user asserts that iterations are independent. Then
  /// only reductions are looked for; without any the loop is Parallel.
  LoopDependence dependenceOf(const SourceLocation &Loop,
                              bool AssertIndependent = false) const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuestimate

#endif
