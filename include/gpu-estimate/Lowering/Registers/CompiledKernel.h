/// \file
/// A kernel's resources in machine code that a compiler made of it.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_COMPILEDKERNEL_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_COMPILEDKERNEL_H

#include "gpu-estimate/Model/Kernel/MachineCode.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpuestimate {

/// Bytes are those of one thread. ptxas tells spills as the code is written:
/// what a loop repeats counts once. On AMD a loop with a constant trip count
/// counts so often, any other once.
struct CompiledKernel {
  std::string Mangled;
  unsigned Registers = 0;  ///< of one thread; on AMD its vector registers
  unsigned StackBytes = 0; ///< private arrays, call frames and spilled values
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0;
  /// How often the code waits for loads of spilled values, in latencies of one
  /// load, as the longest path through the loads and the instructions that wait
  /// for them. Not known of ptxas.
  double SpillWaits = 0;
  uint64_t StaticSharedBytes = 0;
  /// Arrays in local memory, before registers are spilled. Known of nvcc.
  std::optional<uint64_t> LocalBytes;
  MachineCode Code;
};

} // namespace gpuestimate

#endif
