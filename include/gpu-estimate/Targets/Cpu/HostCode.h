/// \file
/// A loop nest's machine code for a CPU, and the cycles of its loops.
///
/// The function that holds the nest is compiled in this process as the user's
/// compiler would for that CPU (LLVM's default pipeline of the level, with
/// vectorisation), to assembly. The instructions of each loop go through
/// llvm-mca's simulation of the CPU's schedulers, ports and register files, as
/// described by LLVM's scheduling data; loads hit the first cache.
#ifndef GPU_ESTIMATE_TARGETS_CPU_HOSTCODE_H
#define GPU_ESTIMATE_TARGETS_CPU_HOSTCODE_H

#include "gpu-estimate/Targets/Nest/MachineNest.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace gpuestimate {

struct HostTarget {
  std::string Triple, Cpu, Features;
  unsigned Level = 3; ///< -O
  /// Core whose scheduling data are used; "" = Cpu's own.
  std::string SchedulingCpu = {};
};

/// Compiles the nest whose outermost loop starts at Nest. Host is the
/// unoptimised module of a C or C++ file; it is cloned, not changed. Errors: no
/// loop there, a target that this LLVM has no backend or no scheduling data
/// for, an instruction without scheduling data.
llvm::Expected<MachineNest> compileNest(const llvm::Module &Host,
                                        const SourceLocation &Nest,
                                        const HostTarget &Target);

} // namespace gpuestimate

#endif
