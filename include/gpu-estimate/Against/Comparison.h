/// \file
/// A loop nest on the GPU and on another machine, as plain data: does it pay to
/// move it?
#ifndef GPU_ESTIMATE_AGAINST_COMPARISON_H
#define GPU_ESTIMATE_AGAINST_COMPARISON_H

#include "gpu-estimate/Against/FpgaTime.h"

namespace gpuestimate {

/// `--against KIND[=NAME][:CORES]`.
struct AgainstRequest {
  enum KindType : uint8_t { Cpu, Fpga } Kind = Cpu;
  std::string Name;              ///< id or file; "" = the default machine
  std::optional<unsigned> Cores; ///< CPU; all of the socket unless given
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

struct Comparison {
  AgainstRequest::KindType Kind = AgainstRequest::Cpu;
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
