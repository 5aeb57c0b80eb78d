/// \file
/// A loop nest on the cores of a CPU: a roofline of the cores' own cycles and
/// of each memory level's bandwidth (Williams, Waterman, Patterson 2009; with
/// the levels of Stengel et al. 2015).
///
///   cores  sum over the machine code's loops of iterations x cycles of one
///          (HostCode.h), over the cores that share the outermost spread loop
///   l2     bytes beyond L1 of one core / what a core fetches from L2
///   l3     bytes beyond L2 of one core / what a core fetches from L3
///   dram   bytes beyond the last level of all cores / DRAM bandwidth
///   time   the largest of them, and starting and joining the threads:
///          2 x ceil(log2 cores) x a line from core to core (a tree)
///
/// Reuse.h counts the bytes; a store reads its line first. Latencies are
/// assumed to be hidden (prefetchers, out-of-order execution). The number of
/// cores (1, 2, 4, .. all) is the fastest one.
#ifndef GPU_ESTIMATE_TARGETS_CPU_CPUTIME_H
#define GPU_ESTIMATE_TARGETS_CPU_CPUTIME_H

#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Targets/Nest/MachineNest.h"
#include "gpu-estimate/Targets/Nest/Nest.h"

namespace gpuestimate {

struct CpuTime {
  Seconds Time;
  std::string Bottleneck; ///< name of the largest limit
  std::vector<std::pair<std::string, Seconds>> Limits;
  unsigned Cores = 1; ///< that have work
  std::vector<std::string> Premises;
};

/// Returns the time on at most Cores cores. Warm: the nest ran just before, so
/// its data are cached as far as they fit.
CpuTime timeOnCpu(const LoopNestNumbers &Nest, const MachineNest &Code,
                  const CpuModel &Cpu, unsigned Cores, bool Warm);

/// Returns the cycles of one core for the whole nest. Premises receives clauses
/// about loops whose iterations are unknown.
Cycles coreCycles(const LoopNestNumbers &Nest, const MachineNest &Code,
                  std::vector<std::string> &Premises);

} // namespace gpuestimate

#endif
