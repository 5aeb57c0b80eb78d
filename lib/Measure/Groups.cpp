/// \file
/// The group table.
#include "gpu-estimate/Measure/Groups.h"

namespace gpuestimate {

// The seconds follow from the launches, repetitions and sizes in the programs
// on a GPU with 60 MB of L2, times three for slower GPUs. Most of the time is
// for the pointer chase: each working set is read four times at up to a million
// steps of 0.4 microseconds. clang-format off
static constexpr MeasureGroup Table[] = {
    {"device", "what the driver says: sizes, limits, clocks", 1, 1},
    {"clock", "core clock under load, computing and reading memory", 2, 4},
    {"op_latency", "latency of each operation class, by dependent chains", 2,
     3},
    {"op_throughput",
     "throughput of each operation class on all multiprocessors", 2, 3},
    {"issue", "instructions per cycle, alone and mixed over two pipes", 1, 2},
    {"tensor", "matrix multiply-accumulate: latency and throughput", 1, 2},
    {"memory_latency",
     "latency against the working set: L1, L2, DRAM, shared, constant, texture",
     15, 100},
    {"fetch", "bytes that a miss brings, and what a partial store costs", 3, 5},
    {"bandwidth", "bandwidth against the working set, by stride and at random",
     8, 25},
    {"intensity", "operations a second against operations per byte", 0, 2},
    {"occupancy", "bandwidth against warps and bytes in flight", 4, 10},
    {"shared", "shared memory: bank conflicts by stride and width", 2, 2},
    {"constant", "constant memory: bandwidth by footprint and pattern", 0, 5},
    {"atomics", "atomics: latency, one address, combined, spread", 2, 2},
    {"barrier", "barrier against the warps of the block", 1, 2},
    {"launch",
     "launches: time against grid, back to back, graph, turnaround of blocks",
     3, 10},
    {"cold", "cold caches: first lines of code, translations, empty kernels", 2,
     4},
    {"managed", "page faults of managed memory that the host wrote", 0, 4},
    {"power",
     "board power: limit, idle, and with one part of the chip busy at a time",
     11, 60},
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
