/// \file
/// What the limits of a loop nest on another machine are called: the values of
/// Comparison::Bottleneck.
#ifndef GPU_ESTIMATE_TARGETS_NEST_LIMITNAMES_H
#define GPU_ESTIMATE_TARGETS_NEST_LIMITNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

struct MachineLimitInfo {
  llvm::StringRef Name, Meaning;
};

/// In the order of cpuLimitTable(); the caches are L1 and those beyond it.
enum class CpuLimit : uint8_t { Cores, L1, L2, L3, Dram, Threads };
llvm::ArrayRef<MachineLimitInfo> cpuLimitTable();
inline llvm::StringRef name(CpuLimit Limit) {
  return cpuLimitTable()[static_cast<size_t>(Limit)].Name;
}

/// In the order of fpgaLimitTable(). The first four are what makes a pipeline
/// as long as it is.
enum class FpgaLimit : uint8_t {
  Recurrence,
  Dsp,
  Ports,
  Fill,
  Pipeline,
  Axi,
  Dram
};
llvm::ArrayRef<MachineLimitInfo> fpgaLimitTable();
inline llvm::StringRef name(FpgaLimit Limit) {
  return fpgaLimitTable()[static_cast<size_t>(Limit)].Name;
}

} // namespace gpuestimate

#endif
