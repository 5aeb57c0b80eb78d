/// \file
/// The group table.
#include "gpu-estimate/Measure/Groups.h"

namespace gpuestimate {

// clang-format off
static constexpr MeasureGroup Table[] = {
    {"device", "what the driver says: sizes, limits, clocks", 4, 4},
    {"clock", "core clock under load, computing and reading memory", 5, 15},
    {"op_latency", "latency of each operation class, by dependent chains", 8, 10},
    {"op_throughput", "throughput of each operation class on all multiprocessors", 8, 10},
    {"issue", "instructions per cycle, alone and mixed over two pipes", 5, 6},
    {"tensor", "matrix multiply-accumulate: latency and throughput", 5, 6},
    {"memory_latency", "latency against the working set: L1, L2, DRAM, shared, constant, texture", 20, 180},
    {"fetch", "bytes that a miss brings, and what a partial store costs", 6, 12},
    {"bandwidth", "bandwidth against the working set, by stride and at random", 12, 90},
    {"occupancy", "DRAM bandwidth against bytes in flight", 8, 30},
    {"shared", "shared memory: bank conflicts by stride and width", 5, 8},
    {"atomics", "atomics: latency, one address, combined, spread", 5, 8},
    {"barrier", "barrier against the warps of the block", 4, 5},
    {"launch", "launches: time against grid, back to back, graph, turnaround of blocks", 8, 40},
};
// clang-format on

llvm::ArrayRef<MeasureGroup> measureGroups() { return Table; }

const MeasureGroup *findMeasureGroup(llvm::StringRef Name) {
  for (const MeasureGroup &Group : Table)
    if (Group.Name == Name)
      return &Group;
  return nullptr;
}

std::string measureGroupNames() {
  std::string Names;
  for (const MeasureGroup &Group : Table)
    Names += (Names.empty() ? "" : ", ") + Group.Name.str();
  return Names;
}

} // namespace gpuestimate
