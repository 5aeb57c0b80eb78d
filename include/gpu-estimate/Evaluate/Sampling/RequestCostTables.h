/// \file
/// Memo tables of request costs that outlive a launch.
///
/// Costs of requests are remembered in five places, of which three live as long
/// as the GPU:
///
/// - table(): by cost class, shape and position, for addresses in split form
///   (UniformSplitter). Their shape does not change between blocks and
///   iterations, so that a lookup takes no loop over the lanes.
/// - laneByLane(): by the same, as the bytes of the lanes' distances, for all
///   other known addresses. A key costs a loop over the lanes. Scattered
///   requests rarely repeat a shape, so that they are not worth a table() each,
///   which has an entry for every position.
/// - indirect(): by cost class and distribution of the index.
///
/// and two as long as the evaluation of a launch:
///
/// - RequestCostModel: by position, for the last shape of one access. It saves
///   the key of laneByLane() where the shape stays, and alone keeps costs of
///   lanes that are active with a probability: these are means over random
///   outcomes, seeded by the first warp that comes to the position.
/// - RequestCostCache: the last shape of each access and thread part.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_REQUESTCOSTTABLES_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_REQUESTCOSTTABLES_H

#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>

namespace gpuestimate {

/// Costs of requests on one GPU by cost class (memory space, kind and width of
/// the access, sector size), shape (distances of the active lanes from the
/// first one) and position (of the first active lane, modulo the period).
/// Accesses of one class share them across kernels and launches.
class RequestCostTables {
public:
  explicit RequestCostTables(const GpuModel &Gpu) : Gpu(Gpu) {}
  RequestCostTables(const RequestCostTables &) = delete;

  struct Slot {
    RequestCost Cost;
    bool IsKnown = false;
  };
  /// [position] costs of one class and shape.
  using Table = std::vector<Slot>;

  /// Number of the access's cost class; nullopt if its costs are not periodic.
  std::optional<unsigned> costClass(const MemoryAccess &A,
                                    const RequestCostModel &Model);
  /// Number of the shape of the lanes of the mask ActiveLanes (not 0); nullopt
  /// if an address is unknown.
  std::optional<unsigned> shapeOf(llvm::ArrayRef<double> Addresses,
                                  uint64_t ActiveLanes);
  Table &table(unsigned CostClass, unsigned Shape);
  /// Costs of requests whose addresses are known lane by lane only.
  RequestCostMap &laneByLane() { return LaneByLane; }
  /// Expected costs of indirect requests (IndirectRequestCosts).
  RequestCostMap &indirect() { return Indirect; }
  /// Clears the tables that have grown large; cost classes, shapes and
  /// references to tables become invalid.
  void trim();

private:
  struct ClassInfo {
    unsigned Period;
    std::map<unsigned, Table> Tables; ///< by shape
  };
  const GpuModel &Gpu;
  std::map<std::tuple<MemorySpace, AccessKind, unsigned, unsigned>, unsigned>
      ClassNumbers;
  std::vector<ClassInfo> Classes;
  llvm::StringMap<unsigned> Shapes; ///< key: the bytes of the distances
  RequestCostMap LaneByLane, Indirect;
  std::vector<double> Distances;
  size_t NumTables = 0;
};

} // namespace gpuestimate

#endif
