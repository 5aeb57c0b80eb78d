/// \file
/// The accesses to one array as subscripts of its rows, and when these stay
/// within the rows.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESSUBSCRIPTS_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESSUBSCRIPTS_H

#include "DependencesInternal.h"
#include "DependencesLinear.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class GEPOperator;
}

namespace gpuestimate {

/// An address as subscripts: the sum of Subscripts[D] * Strides[D], and Rest
/// bytes within the element. Strides are the array's, largest first.
struct Subscripted {
  const MemoryUse *Use;
  int64_t Size; ///< of the access, bytes
  llvm::SmallVector<LinearForm, 4> Subscripts;
  int64_t Rest;
};

/// The largest values of parameters under which a proof holds.
using Limits = llvm::MapVector<const llvm::SCEV *, int64_t>;
void addLimit(Limits &To, const llvm::SCEV *Parameter, int64_t Most);

/// The parameter behind a symbol, and what the symbol adds to it: the bound
/// `zext (n - 1)` of a loop that runs at all.
std::pair<const llvm::SCEV *, int64_t> parameterOf(const llvm::SCEV *Symbol);

/// The accesses to one array.
class ArrayRows {
public:
  explicit ArrayRows(LoopQuestion &Q)
      : Q(Q), DT(Q.P.get<llvm::DominatorTreeAnalysis>()) {}

  /// False: they are no linear subscripts of the same rows.
  bool read(llvm::ArrayRef<const MemoryUse *> Uses);

  llvm::ArrayRef<Subscripted> accesses() const { return Accesses; }
  /// Bytes from one value of a subscript to the next, largest first; each is a
  /// multiple of the next one.
  llvm::ArrayRef<int64_t> strides() const { return Strides; }

  /// Is each subscript from From on within its row? Under: if these limits
  /// hold.
  bool inBounds(const Subscripted &Access, size_t From, Limits &Under);
  /// Does it happen in every iteration of all loops around it, but for loops
  /// without any? Else a condition in the nest says more about the counters.
  bool alwaysRuns(const Subscripted &Access);

private:
  bool findStrides(llvm::ArrayRef<const MemoryUse *> Uses);
  void addStrides(const llvm::GEPOperator &Gep);
  bool subscript(const MemoryUse &Use);
  bool isNotNegative(const LinearForm &Form, const Subscripted &Access);
  bool isAtMost(const LinearForm &Form, int64_t Most, const Subscripted &Access,
                Limits &Under);
  bool isGuarded(llvm::ICmpInst::Predicate Is, const llvm::SCEV *Symbol,
                 int64_t Limit, const Subscripted &Access);
  bool isEntered(const llvm::Loop &L, const llvm::BasicBlock *At,
                 const llvm::Loop *Entered);
  bool asksForTrips(const llvm::BranchInst &Guard, const llvm::Loop &Of);
  int64_t sizeOf(const MemoryUse &Use) const;

  LoopQuestion &Q;
  const llvm::DominatorTree &DT;
  int64_t Largest = 1; ///< access, bytes
  llvm::SmallVector<int64_t, 4> Strides;
  std::vector<Subscripted> Accesses;
};

} // namespace gpuestimate

#endif
