/// \file
/// A memory of what requests cost, by shape and position.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLINGSHAPES_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLINGSHAPES_H

#include "gpu-estimate/Evaluate/Sampling/SamplingRequests.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>

namespace gpuestimate {

/// What a request costs depends on the distances between its lanes (its
/// shape), on where the first one lies within a line and the banks (its
/// position), and on the kind of access. Accesses of one kind share what is
/// remembered, whatever kernel or launch they belong to, for one GPU.
class RequestShapes {
public:
  explicit RequestShapes(const GpuModel &Gpu) : Gpu(Gpu) {}
  RequestShapes(const RequestShapes &) = delete;

  struct Slot {
    RequestCounts Counts;
    bool Known = false;
  };
  /// [position] of requests of one kind and shape.
  using Table = std::vector<Slot>;

  /// Number of the kind; equal ones count alike. Nothing for accesses that are
  /// not remembered.
  std::optional<unsigned> kindOf(const MemoryAccess &A,
                                 const RequestCounter &Counter);
  /// Addresses of the lanes whose bit is set in On, at least one, relative to
  /// the first of them. Nothing where one is unknown.
  std::optional<unsigned> shapeOf(llvm::ArrayRef<double> Addresses,
                                  uint64_t On);
  Table &table(unsigned Kind, unsigned Shape);
  /// For addresses that are looked at lane by lane.
  RequestCounter::Memory &laneByLane() { return LaneByLane; }
  /// For addresses that are drawn, by what their costs depend on.
  RequestCounter::Memory &drawn() { return Drawn; }
  /// Forgets everything that has grown large; numbers and tables are no longer
  /// valid then.
  void trim();

private:
  struct KindInfo {
    unsigned Period;
    std::map<unsigned, Table> Tables;
  };
  const GpuModel &Gpu;
  std::map<std::tuple<MemorySpace, AccessKind, unsigned, unsigned>, unsigned>
      KindNumbers;
  std::vector<KindInfo> Kinds;
  llvm::StringMap<unsigned> Shapes; ///< by the bytes of the distances
  RequestCounter::Memory LaneByLane, Drawn;
  std::vector<double> Distances;
  size_t Size = 0; ///< tables
};

} // namespace gpuestimate

#endif
