/// \file
/// A loop nest on the GPU and on another machine, as plain data: does it pay to
/// move it?
#ifndef GPU_ESTIMATE_MODEL_RESULT_TARGETCOMPARISON_H
#define GPU_ESTIMATE_MODEL_RESULT_TARGETCOMPARISON_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Support/Units.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuestimate {

/// `--against KIND[=NAME][:CORES]`.
struct TargetRequest {
  enum KindType : uint8_t { Cpu, Fpga } Kind = Cpu;
  std::string Name;              ///< id or file; "" = the default machine
  std::optional<unsigned> Cores; ///< CPU; all of the socket unless given
};

/// One pipelined loop in the design that was chosen.
struct FpgaPipeline {
  SourceLocation Location;
  double Interval = 1; ///< II, cycles
  /// What it comes from: "recurrence", "dsp" or "memory ports".
  std::string Limit;
  double Depth = 0; ///< cycles of one iteration
  unsigned UnrollInner = 1, UnrollSpread = 1;
  double Dsp = 0;    ///< slices used
  double Cycles = 0; ///< of all entries
};

/// The size from which one machine is faster than the other.
struct BreakEven {
  std::string Parameter;
  /// The smallest value at which the GPU is faster, copies included; nothing
  /// where it is on one side at every value that was tried.
  std::optional<double> Value;
  bool AboveIsGpu = true;  ///< which side the GPU wins
  double From = 0, To = 0; ///< values tried
};

struct TargetComparison {
  TargetRequest::KindType Kind = TargetRequest::Cpu;
  std::string Machine, MachineName;
  unsigned Cores = 1; ///< CPU: that share the work
  /// Why there is none; the other fields then say nothing.
  std::string Problem;

  Seconds Time; ///< there
  Seconds Gpu;  ///< on the GPU, its launch included
  std::string Bottleneck;
  /// What each limit alone would take: "pipeline", "axi", "dram"; "cores",
  /// "l2", "l3", "dram".
  std::vector<std::pair<std::string, Seconds>> Limits;
  std::vector<FpgaPipeline> Pipelines; ///< FPGA

  /// The arrays must be copied to the GPU and back.
  bool Copies = false;
  Bytes BytesIn, BytesOut;
  Seconds CopyTime;

  std::optional<BreakEven> Even;
  std::vector<std::string> Premises; ///< clauses: what was taken for granted

  double speedUp() const { return Time / Gpu; }
  double speedUpWithCopies() const { return Time / (Gpu + CopyTime); }
  bool pays() const { return Problem.empty() && speedUpWithCopies() > 1; }
};

} // namespace gpuestimate

#endif
