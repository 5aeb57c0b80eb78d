/// \file
/// Cost of the requests of one access, with a memo of recent requests.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_REQUESTCOSTMODEL_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_REQUESTCOSTMODEL_H

#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace gpuestimate {

/// Cost of one warp request, possibly an expected value.
struct RequestCost {
  double Sectors = 0;     ///< distinct sectors
  double FullSectors = 0; ///< sectors that a store writes completely
  double Wavefronts = 0;  ///< passes through shared memory or the L1 data stage
  double SameAddress = 0; ///< atomics: largest number of lanes on one address
  double Lines = 0;       ///< distinct lines of L1
};
/// Costs of requests by the bytes of what they depend on.
using RequestCostMap = llvm::StringMap<RequestCost>;

/// Computes the cost of the requests of one access.
///
/// A cost depends on the distances of the lanes from the first active lane (the
/// shape of the request), on the position of the first active lane within a
/// cache line and the banks, and on which lanes are active. Regular accesses
/// repeat all three, so that costs of the current shape are kept by position;
/// they are dropped when the shape changes. A RequestCostMap that accesses of
/// one cost class share keeps them longer (RequestCostTables.h lists all
/// memos).
class RequestCostModel {
public:
  RequestCostModel(const MemoryAccess &Access, const GpuModel &Gpu);

  /// Cost of a request. Addresses: as in the kernel model (an offset into the
  /// private object for local memory), NaN for an inactive lane. Probability:
  /// empty, or of each lane to be active; the costs are then expected values,
  /// exact for sectors, and means over a few random outcomes that Seed
  /// determines for the others.
  const RequestCost &cost(llvm::ArrayRef<double> Addresses,
                          llvm::ArrayRef<double> Probability = {},
                          uint64_t Seed = 0);

  /// cost() with exactly the lanes of the mask ActiveLanes (not 0) active. Null
  /// if one of their addresses is unknown, or costs are not periodic.
  const RequestCost *cachedCost(llvm::ArrayRef<double> Addresses,
                                uint64_t ActiveLanes);

  /// Uses a map that accesses of equal CostClass share.
  void shareCosts(RequestCostMap &Map, unsigned CostClass) {
    SharedCosts = &Map;
    CostClassNumber = CostClass;
  }

  /// cost() without any memo.
  RequestCost computeCost(llvm::ArrayRef<double> Addresses);
  /// computeCost() with exactly the lanes of the mask ActiveLanes active.
  RequestCost computeCost(llvm::ArrayRef<double> Addresses,
                          uint64_t ActiveLanes);
  /// Bytes after which costs repeat when all addresses move, a power of two; 0
  /// if they do not repeat.
  unsigned period() const { return Period; }

private:
  RequestCost expectedCost(llvm::ArrayRef<double> Addresses,
                           llvm::ArrayRef<double> Probability, uint64_t Seed);
  double expectedSectors(llvm::ArrayRef<double> Addresses,
                         llvm::ArrayRef<double> Probability);
  bool isPeriodic(size_t Lanes, double First) const;
  void setShape();
  RequestCost shapeCost(llvm::ArrayRef<double> Addresses, double First);
  void place(llvm::ArrayRef<double> Addresses);

  const MemoryAccess &Access;
  const GpuModel &Gpu;
  unsigned Bytes;        ///< width of one lane's access, or of a word of it
  unsigned Words;        ///< per lane; 1 except in local memory
  unsigned Sector, Line; ///< bytes
  unsigned Segment = 0;  ///< GpuModel::SharedConflictFreeSegment
  unsigned Period;       ///< period()
  struct Slot {
    RequestCost Cost;
    uint64_t ShapeVersion = 0; ///< valid if it is the current one
  };
  Slot &slot(double First);

  std::vector<double> Shape, Candidate, Placed, Outcome, LaneProbability;
  uint64_t ShapeLanes = 0;   ///< active lanes of Shape; 0: with probabilities
  std::vector<Slot> Slots;   ///< [position]
  uint64_t ShapeVersion = 0; ///< number of changes of Shape
  RequestCost LastCost;
  RequestCostMap *SharedCosts = nullptr; ///< requests without probabilities
  unsigned CostClassNumber = 0;
  std::vector<double> Key;
};

/// Mean cost of the requests of an access that were executed.
struct ExecutedRequests {
  RequestCost Mean;
  double Lanes = 0; ///< mean number of active lanes
};
/// Mean sectors of the counted requests to global memory; nullopt if they were
/// not counted in sectors of this GPU.
std::optional<double> executedSectors(const MemoryAccess &Access,
                                      const GpuModel &Gpu,
                                      const ExecutedCounts &Counts);
/// [access] the executed requests of each access whose addresses depend on
/// data; nullopt if there are none. Executed may be null.
std::vector<std::optional<ExecutedRequests>>
executedRequests(const KernelModel &Kernel, const GpuModel &Gpu,
                 const ExecutedLaunch *Executed);

} // namespace gpuestimate

#endif
