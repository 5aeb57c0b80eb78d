/// \file
/// Counts of one sampled request, with a memory of recent ones.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLINGREQUESTS_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLINGREQUESTS_H

#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace gpuestimate {

struct RequestCounts {
  double Sectors = 0, FullSectors = 0, Wavefronts = 0, SameAddress = 0;
};

/// Counts the requests of one access. What a request costs depends on the
/// distances between its lanes, on where the first one lies within a line and
/// the banks, and on who takes part; a regular access repeats all three, so
/// counts are kept by that position for as long as the rest stays the same.
class RequestCounter {
public:
  RequestCounter(const MemoryAccess &Access, const GpuModel &Gpu);

  /// Addresses: as the kernel names them (an offset into the private object
  /// for local memory), NaN where a lane takes no part. Probability: empty, or
  /// of each lane to take part; then the counts are expected values, those of
  /// sectors exactly, the others from outcomes that Seed draws.
  const RequestCounts &count(llvm::ArrayRef<double> Addresses,
                             llvm::ArrayRef<double> Probability = {},
                             uint64_t Seed = 0);

  /// count() of the lanes of On, at least one, all of which certainly take
  /// part. Null where the address of one is unknown, or costs do not repeat.
  const RequestCounts *countCertain(llvm::ArrayRef<double> Addresses,
                                    uint64_t On);

  /// Costs of requests by their bytes, which accesses of equal Kind share.
  using Memory = llvm::StringMap<RequestCounts>;
  void remember(Memory &In, unsigned Kind) {
    Shared = &In;
    KindNumber = Kind;
  }

  /// Without the memory: what one request costs.
  RequestCounts countNow(llvm::ArrayRef<double> Addresses);
  /// Likewise, of the lanes whose bit is set in On.
  RequestCounts countOf(llvm::ArrayRef<double> Addresses, uint64_t On);
  /// Positions after which costs repeat, a power of two; 0 where they do not.
  unsigned period() const { return Period; }

private:
  RequestCounts expect(llvm::ArrayRef<double> Addresses,
                       llvm::ArrayRef<double> Probability, uint64_t Seed);
  double expectedSectors(llvm::ArrayRef<double> Addresses,
                         llvm::ArrayRef<double> Probability);
  bool repeats(size_t Lanes, double First) const;
  void takeCandidate();
  RequestCounts countShape(llvm::ArrayRef<double> Addresses, double First);
  void place(llvm::ArrayRef<double> Addresses);

  const MemoryAccess &Access;
  const GpuModel &Gpu;
  unsigned Bytes;  ///< of one piece: a word of a private object
  unsigned Pieces; ///< per lane
  unsigned Sector, Line;
  unsigned Segment = 0; ///< GpuModel::SharedConflictFreeSegment
  unsigned Period;      ///< of positions; 0: no memory
  struct Slot {
    RequestCounts Counts;
    uint64_t Round = 0; ///< valid if it is the current one
  };
  Slot &slot(double First);

  std::vector<double> Shape, Candidate, Placed, Outcome, Chance;
  uint64_t ShapeOf = 0;    ///< lanes of Shape, if all certainly take part
  std::vector<Slot> Known; ///< [position]
  uint64_t Round = 0;      ///< counts the changes of Shape
  RequestCounts Last;
  Memory *Shared = nullptr; ///< of requests that all lanes certainly make
  unsigned KindNumber = 0;
  std::vector<double> Key;
};

/// Means over requests that were executed.
struct SeenRequests {
  RequestCounts Mean;
  double Lanes = 0; ///< that take part
};
/// [access] of those of Kernel whose addresses depend on data and of which
/// requests were seen. Executed may be null.
std::vector<std::optional<SeenRequests>>
seenRequests(const KernelModel &Kernel, const GpuModel &Gpu,
             const ExecutedLaunch *Executed);

} // namespace gpuestimate

#endif
