/// \file
/// Delinearization: array subscripts from linear addresses.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DELINEARIZATION_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DELINEARIZATION_H

#include "AffineForm.h"
#include "DependenceQuery.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class GEPOperator;
}

namespace gpuestimate {

/// An access with its subscripts: its offset from the array's base is
/// sum(Subscripts[D] * Strides[D]) + ElementOffset. Strides (bytes) belong to
/// the array, the largest one first; ElementOffset is the offset in the element
/// (bytes).
struct DelinearizedAccess {
  const LoopAccess *Use;
  int64_t Size; ///< accessed bytes
  llvm::SmallVector<AffineForm, 4> Subscripts;
  int64_t ElementOffset;
};

/// Upper bounds of parameters under which a proof holds.
using ParameterLimits = llvm::MapVector<const llvm::SCEV *, int64_t>;
void addParameterLimit(ParameterLimits &To, const llvm::SCEV *Parameter,
                       int64_t Max);

/// The parameter of a symbol and the constant that the symbol adds to it:
/// (n, -1) for the loop bound `zext (n - 1)`.
std::pair<const llvm::SCEV *, int64_t> parameterOf(const llvm::SCEV *Symbol);

/// The accesses to one array, delinearized.
class DelinearizedArray {
public:
  explicit DelinearizedArray(DependenceQuery &Q)
      : Q(Q), DT(Q.P.get<llvm::DominatorTreeAnalysis>()) {}

  /// False if the addresses are not affine or their row lengths differ.
  bool read(llvm::ArrayRef<const LoopAccess *> Uses);

  llvm::ArrayRef<DelinearizedAccess> accesses() const { return Accesses; }
  /// Bytes between two values of a subscript, largest first. Each stride is a
  /// multiple of the next one.
  llvm::ArrayRef<int64_t> strides() const { return Strides; }

  /// Are the subscripts [Begin, end) within their rows? Adds the parameter
  /// limits that this requires to Required.
  bool inBounds(const DelinearizedAccess &Access, size_t Begin,
                ParameterLimits &Required);
  /// Does the access happen in every iteration of its loops, except where an
  /// enclosing loop has no iterations? Otherwise a condition restricts
  /// counters.
  bool alwaysRuns(const DelinearizedAccess &Access);

private:
  bool findStrides(llvm::ArrayRef<const LoopAccess *> Uses);
  void addStrides(const llvm::GEPOperator &Gep);
  bool subscript(const LoopAccess &Use);
  bool isNotNegative(const AffineForm &Form, const DelinearizedAccess &Access);
  bool isAtMost(const AffineForm &Form, int64_t Max,
                const DelinearizedAccess &Access, ParameterLimits &Required);
  bool isGuarded(llvm::ICmpInst::Predicate Predicate, const llvm::SCEV *Symbol,
                 int64_t Limit, const DelinearizedAccess &Access);
  bool isEntered(const llvm::Loop &L, const llvm::BasicBlock *Block,
                 const llvm::Loop *Entered);
  bool asksForTrips(const llvm::BranchInst &Guard, const llvm::Loop &Inner);
  int64_t sizeOf(const LoopAccess &Use) const;

  DependenceQuery &Q;
  const llvm::DominatorTree &DT;
  int64_t Largest = 1; ///< access, bytes
  llvm::SmallVector<int64_t, 4> Strides;
  std::vector<DelinearizedAccess> Accesses;
};

} // namespace gpuestimate

#endif
