/// \file
/// Can the iterations of a loop of host code run side by side?
///
/// The polyhedral model of the loop decides where there is one: Polly builds it
/// from LLVM IR, and isl is asked whether two accesses of different iterations
/// of this loop, in the same iteration of the loops around it, can touch one
/// element with at least one of them writing:
///
///   { S[o, i, ..] -> T[o, i', ..] : i < i', access_S(o, i, ..) =
///   access_T(o, i', ..) }
///
/// is empty for every pair. Where Polly finds no model (an index loaded from
/// memory, an inner loop of unknown length) the pairs are put to LLVM's
/// dependence tests instead. Values that an iteration hands to the next one in
/// a register are followed from the loop's phi nodes.
///
/// Example: of
///   for (i = 1; i < n; ++i)
///     for (j = 0; j < n; ++j)
///       A[i][j] = A[i - 1][j] + s;
/// the outer loop is Carried, store to 'A' to load from 'A', "1 iteration"; the
/// inner one is Parallel.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCES_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCES_H

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

/// An update such as `s += x` through which iterations meet.
struct LoopUpdate {
  std::string Operator;  ///< "+", "*", "min", "max", "&", "|", "^"
  bool Unsigned = false; ///< of "min" and "max": how integers compare
  /// Source variables that hold the value from iteration to iteration; empty
  /// when it stays in memory.
  struct Variable {
    std::string Name;
    unsigned Line = 0; ///< of the declaration; 0 = not known
  };
  std::vector<Variable> Variables;
  /// In memory: does every iteration of the loop update the same element?
  bool SameElement = false;
  SourceLocation Location; ///< of the operator or of the store
  SourceLocation Before;   ///< of a scan in memory: the load of what was before
  std::string Text;        ///< "update of 's'"
};

/// What keeps the iterations of one loop from running side by side.
struct LoopDependence {
  enum KindType : uint8_t {
    Parallel,  ///< nothing, if the Assumptions hold
    Reduction, ///< only updates such as s += x, in any order
    Carried,   ///< an iteration needs, or overwrites, what another one did
    Unknown,   ///< cannot be told; Reason says why
  } Kind = Unknown;

  /// The two accesses of a carried dependence, the earlier iteration's first;
  /// Source alone: the update of a reduction.
  SourceLocation Source, Sink;
  std::string SourceText, SinkText; ///< "store to 'A'", "load from 'A'"
  /// Of a carried dependence, the smallest: "1 iteration", "n iterations",
  /// "varies".
  std::string Distance;
  /// Of a reduction: "+", "*", "min", "max", "&", "|", "^"; several are
  /// separated by ", ". Of a carried dependence that is a scan (an operator
  /// applied to the previous iteration's result): its operator. Of an unknown
  /// one, when all that is unknown is which element an update such as
  /// `h[x[i]] += y` hits: its operator, so that atomics would do.
  std::string ReductionOperator;
  /// All updates of a reduction, and of an unknown or carried dependence that
  /// has a ReductionOperator.
  std::vector<LoopUpdate> Updates;
  /// A clause without a full stop: why it is unknown; of a scan, what else is
  /// unknown.
  std::string Reason;
  SourceLocation Place; ///< Unknown: where
  /// What must hold for Kind: "'A' and 'B' do not overlap". Without duplicates.
  std::vector<std::string> Assumptions;
};

/// The dependences of the loops of one function of a host module. The module is
/// the raw one (clang -O3 before any LLVM pass, with line tables); it is not
/// changed: the function is cloned with what it calls, inlined, and brought
/// into the form that Polly expects. Loops of inlined functions are found too.
///
/// Variables and arrays that are declared in the body are private to an
/// iteration; an array declared outside is not, even if every iteration writes
/// it before it reads it.
///
/// The work on a loop is done when it is asked for. The isl part is bounded by
/// a number of operations, not by time, so that the answer is the same on every
/// machine; out of operations is Unknown. One object serves one thread.
class LoopDependences {
public:
  /// Asked: the loops that of() will be called for, where they are known, which
  /// saves work on others. None: any.
  explicit LoopDependences(const llvm::Function &F,
                           llvm::ArrayRef<SourceLocation> Asked = {});
  ~LoopDependences();
  LoopDependences(LoopDependences &&) noexcept;
  LoopDependences &operator=(LoopDependences &&) noexcept;

  /// Loop: the place of its `for`, `while` or `do` (the start location of its
  /// llvm.loop metadata). Column 0 stands for any; files are compared by their
  /// last component. Where several loops start there (a function inlined at two
  /// calls, a macro) the worst answer counts.
  ///
  /// Vouched: the user says that the iterations are independent, so that only
  /// what they combine is looked for. Where they combine nothing the answer is
  /// Parallel, whatever else they do.
  LoopDependence of(const SourceLocation &Loop, bool Vouched = false) const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuestimate

#endif
