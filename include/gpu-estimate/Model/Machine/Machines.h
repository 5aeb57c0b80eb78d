/// \file
/// The machines that a GPU is compared with, as typed, validated values: CPUs
/// from cpumodels/<id>.yaml, FPGA boards from fpgamodels/<id>.yaml. The files
/// follow the rules of the GPU models: every value states its unit, its source
/// and how far to trust it. docs/machine-model.md lists the keys.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_MACHINES_H
#define GPU_ESTIMATE_MODEL_MACHINE_MACHINES_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>

namespace gpuestimate {

/// Fields that models of CPUs and FPGA boards share.
struct MachineIdentity {
  std::string Id, Name;
  std::string File;
  llvm::StringMap<Provenance> Sources; ///< by key
};

/// One level of a CPU's caches.
struct CpuCache {
  Bytes Size;
  unsigned SharedBy = 1; ///< cores that share its capacity and its port
  /// Bytes per core cycle that one core can fetch from this level.
  BytesPerCycle Bandwidth;
};

struct CpuModel : MachineIdentity {
  std::string Triple;    ///< for LLVM: "x86_64-unknown-linux-gnu"
  std::string TargetCpu; ///< for LLVM: "znver3"
  std::string Features;  ///< for LLVM: "+neon", or empty
  /// LLVM's name of a core whose scheduling data stand for this one's; empty:
  /// its own.
  std::string SchedulingCpu;
  unsigned Cores = 1;
  Hertz Clock; ///< that all cores sustain
  /// Clock of one core while the others are idle; absent: Clock.
  std::optional<Hertz> SingleCoreClock;
  Bytes Line;
  Seconds CoreToCore; ///< a line from one core's cache to another core
  std::array<CpuCache, 3> Caches;   ///< L1 first; Size 0 where there is none
  BytesPerSecond DramBandwidth;     ///< of all cores together
  BytesPerSecond CoreDramBandwidth; ///< that one core can use
  /// The GPU works on this CPU's memory: nothing is copied.
  bool UnifiedMemory = false;
  unsigned PcieGeneration = 0, PcieLanes = 0; ///< of the slot; 0: unified

  /// Payload per direction: lanes * transfers * encoding * 256 / (256 + 24),
  /// for packets of 256 bytes with 24 bytes of framing, sequence number,
  /// 64-bit header and LCRC (PCI Express Base Specification 3.0).
  BytesPerSecond linkBandwidth() const;
};

/// An operator of the FPGA's data path.
struct FpgaOperator {
  Cycles Latency;
  unsigned Dsp = 0; ///< DSP slices of one pipelined instance
};

struct FpgaModel : MachineIdentity {
  Hertz Clock;
  unsigned DspSlices = 0;
  unsigned BramBlocks = 0;      ///< memories that can be addressed on their own
  Bytes BramBlock;              ///< data of one memory
  unsigned BramPorts = 2;       ///< accesses of one memory per cycle
  unsigned AxiPorts = 0;        ///< ports from the fabric to DRAM
  Bytes AxiWidth;               ///< of one port, per cycle and direction
  BytesPerSecond DramBandwidth; ///< of the pins
  double DramEfficiency = 1;    ///< share of it that the controller sustains
  FpgaOperator Fp32Add, Fp32Mul, Fp64Add, Fp64Mul, Special, IntMul;
  Cycles Logic;       ///< integer addition, comparison, selection
  Cycles Load, Store; ///< of on-chip memory

  Bytes onChip() const { return BramBlock * BramBlocks; }
};

/// Finds and reads a model by its id or a path that ends in .yaml. Folder holds
/// the models; empty: the shipped ones. The error for an unknown name suggests
/// the nearest one.
llvm::Expected<CpuModel> findCpuModel(llvm::StringRef Name,
                                      llvm::StringRef Folder = "");
llvm::Expected<FpgaModel> findFpgaModel(llvm::StringRef Name,
                                        llvm::StringRef Folder = "");

/// Machines of `--against cpu` and `--against fpga` without a name.
inline constexpr llvm::StringLiteral DefaultCpu = "amd-epyc-7763";
inline constexpr llvm::StringLiteral DefaultFpga = "xilinx-zc702";

/// Reference page of CPU and FPGA model files, as Markdown.
std::string machineReference();

} // namespace gpuestimate

#endif
