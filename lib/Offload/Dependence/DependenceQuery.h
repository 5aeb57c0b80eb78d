/// \file
/// The query for the dependences of one loop, which the tests of this folder
/// answer together.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCEQUERY_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCEQUERY_H

#include "LoopDependences.h"
#include "PreparedFunction.h"
#include "ReductionPattern.h"
#include "ValueNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include <map>
#include <optional>

namespace gpuestimate {

/// Can two arrays, known by their base pointers, share an element?
enum class Aliasing : uint8_t {
  Never,    ///< alias analysis proves that they do not
  Assumed,  ///< assumed not to, and reported as an assumption
  Possible, ///< they may be the same pointer
};

/// One memory access of a loop.
struct LoopAccess {
  llvm::Instruction *I;
  llvm::Value *Pointer;
  llvm::Value *Base; ///< the pointer that the address is computed from
  bool Write;
};

/// One result of a test. Among findings of one kind the lowest Rank counts: a
/// flow dependence has rank 0, an output dependence 1, an anti dependence 2.
struct DependenceFinding {
  LoopDependence D;
  unsigned Rank = 0;
  std::optional<int64_t> Iterations; ///< the dependence distance, if constant
};

/// The order of kinds by how much they restrict parallel execution.
unsigned severity(LoopDependence::KindType Kind);

/// A query for the dependences of one loop. Tests read its accesses and add
/// findings and assumptions; answer() combines them.
class DependenceQuery {
public:
  /// More accesses are not tested, because the number of pairs is quadratic.
  static constexpr size_t MaxAccesses = 256;

  DependenceQuery(PreparedFunction &P, llvm::Loop &L);

  LoopDependence answer() &&;
  static LoopDependence independent();

  void add(DependenceFinding F);
  void assume(std::string Assumption);
  bool hasNoFindings() const { return Findings.empty(); }
  /// Does a finding make the dependence unknown?
  bool hasUnknown() const;
  /// Do iterations update something that they share, as far as is known?
  bool hasUpdates() const;
  /// Adds a loop-carried dependence. Source belongs to the earlier iteration.
  void carried(const LoopAccess &Source, const LoopAccess &Sink,
               std::string Distance, std::optional<int64_t> Iterations);
  void carried(const LoopAccess &Source, const LoopAccess &Sink,
               int64_t Iterations);
  void unknown(std::string Reason, const llvm::DebugLoc &Location,
               std::optional<ReductionUpdate> Update = std::nullopt);
  /// Describes the update that Store completes.
  ReductionUpdate updateOf(const llvm::Instruction &Store,
                           llvm::StringRef Operator) const;

  /// The operator with which a load or a store updates memory; "" if it is not
  /// part of an update. An update is a load, an operator and a store to the
  /// same address, with no other use of the loaded value.
  llvm::StringRef updateOperator(const llvm::Instruction *I) const {
    return Updates.lookup(I);
  }
  Aliasing overlap(const LoopAccess &A, const LoopAccess &B);
  /// Does every iteration have its own object?
  bool isPrivate(const llvm::Value *V) const;
  /// Is the trip count of at least one exit computable before the loop starts?
  bool hasComputableTripCount() const;
  bool isInvariant(const llvm::Value *V) const;

  PreparedFunction &P;
  llvm::Loop &L;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::TargetLibraryInfo &TLI;
  llvm::AAResults &AA;
  llvm::SmallVector<LoopAccess, 16> Uses;         ///< without private memory
  llvm::SmallVector<llvm::CallBase *, 2> Readers; ///< calls that only read

private:
  void collectUses();
  void collectUpdates();
  void addReduction(const llvm::Instruction &Update, llvm::StringRef Operator);

  llvm::SmallVector<DependenceFinding, 4> Findings;
  std::vector<std::string> Assumptions;
  llvm::DenseMap<const llvm::Instruction *, llvm::StringRef> Updates;
};

/// The base pointer of an address. Choices: how many nested selects between
/// addresses of one array are followed.
llvm::Value *basePointer(llvm::ScalarEvolution &SE, llvm::Value *Pointer,
                         unsigned Choices = 3);
/// Aliasing by base pointers alone; DependenceQuery::overlap adds the results
/// of alias analysis.
Aliasing aliasingOfBases(llvm::Value *A, llvm::Value *B);

/// Tests calls and early exits. False: accesses cannot be tested.
bool checkControlFlow(DependenceQuery &Q);
/// Tests values that iterations pass on in registers. False: wide induction
/// variables may show that such a value is a function of the counter.
bool checkScalarRecurrences(DependenceQuery &Q);
/// Tests accesses to different arrays. False: other accesses cannot be tested.
bool checkAliasing(DependenceQuery &Q);
/// Tests accesses to one array by delinearized subscripts. False: undecided.
bool testSubscripts(DependenceQuery &Q);
/// Tests accesses to one array by LLVM's dependence analysis.
void testPairs(DependenceQuery &Q);

/// Polly's models of the regions of one function, built when first needed.
class PolyhedralModels {
public:
  explicit PolyhedralModels(PreparedFunction &P);
  ~PolyhedralModels();
  PolyhedralModels(const PolyhedralModels &) = delete;
  /// Tests accesses to one array by isl. False: no model contains the loop.
  bool examine(DependenceQuery &Q);

private:
  struct Implementation;
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuestimate

#endif
