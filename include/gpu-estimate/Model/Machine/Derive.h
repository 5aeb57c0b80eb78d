/// \file
/// Makes the model of a GPU from that of a sibling, by stated rules.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_DERIVE_H
#define GPU_ESTIMATE_MODEL_MACHINE_DERIVE_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// A derived model, and the keys by what became of them.
struct DerivedModel {
  GpuModel Model;
  std::vector<std::string> Set;       ///< stated for the new GPU
  std::vector<std::string> Scaled;    ///< computed from the sibling's value
  std::vector<std::string> Inherited; ///< the sibling's value as it is
  /// The sibling's value, which belongs to the multiprocessor that both have.
  std::vector<std::string> OfMultiprocessor;
  std::vector<std::string> LeftOut; ///< of the sibling's board alone
};

/// The model of a GPU of which only Facts are stated: "KEY=VALUE", or
/// "KEY=VALUE [SOURCE]" for one that has a source of its own. A source may
/// begin with a kind of provenance ("vendor: deviceQuery of the card"); else it
/// is secondary. The facts must include the identity (id, name) and what makes
/// two cards of a generation differ: sm_count, core_clock, l2.size, dram.size,
/// dram.peak_bandwidth, and dram.bus_width and l3.size if From has them.
///
/// The other values follow these rules, with ratios new / From:
///
/// - Bandwidths of L2 scale with bus width * core clock, since slices of L2 go
///   with channels of memory.
/// - l2.miss_bandwidth, atomics.rate, l3.bandwidth and dram.channels scale with
///   the bus width.
/// - Bandwidths of DRAM keep their share of the peak bandwidth.
/// - Latencies of DRAM and of a third level keep the time beyond l2.latency.
/// - Groups of the multiprocessor (sm, shared, l1, operations, ...) stay.
/// - Groups of one board (limits, power, roofline) are left out.
/// - All else stays and is marked as inherited.
llvm::Expected<DerivedModel> deriveGpuModel(const GpuModel &From,
                                            llvm::ArrayRef<std::string> Facts,
                                            llvm::StringRef Source);

} // namespace gpuestimate

#endif
