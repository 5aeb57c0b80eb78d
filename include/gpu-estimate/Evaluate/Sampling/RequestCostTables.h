/// \file
/// Memo tables of request costs that outlive a launch.
///
/// Costs of requests are remembered in five places:
///
/// | place | key | lifetime |
/// | --- | --- | --- |
/// | RequestCostTables::table | cost class, shape, position | one GPU |
/// | RequestCostTables::laneByLane | the same as bytes of lane distances | one
/// GPU | | RequestCostTables::indirect | cost class, distribution of the index
/// | one GPU | | RequestCostModel | position, for the last shape of one access
/// | one launch | | RequestCostCache | last shape of each access and thread
/// part | one launch |
///
/// table() serves addresses in split form (UniformSplitter), whose shape does
/// not change between blocks and iterations, so that a lookup takes no loop
/// over the lanes; laneByLane() serves all other known addresses. The two do
/// not share entries, because a key of laneByLane() costs a loop over the
/// lanes. If lanes are active with a probability, costs of known addresses are
/// kept in RequestCostModel only: the random outcomes in them depend on the
/// warp.
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
