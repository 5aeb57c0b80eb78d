/// \file
/// Names of the limits of a loop nest on another machine: the values of
/// TargetComparison::Bottleneck.
#ifndef GPU_ESTIMATE_TARGETS_NEST_LIMITNAMES_H
#define GPU_ESTIMATE_TARGETS_NEST_LIMITNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

struct MachineLimitInfo {
  llvm::StringRef Name, Meaning;
};

/// Limits on a CPU, in the order of cpuLimitTable().
enum class CpuLimit : uint8_t { Cores, L1, L2, L3, Dram, Threads };
llvm::ArrayRef<MachineLimitInfo> cpuLimitTable();
inline llvm::StringRef name(CpuLimit Limit) {
  return cpuLimitTable()[static_cast<size_t>(Limit)].Name;
}

/// Limits on an FPGA, in the order of fpgaLimitTable(). The first four limit a
/// pipeline.
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
