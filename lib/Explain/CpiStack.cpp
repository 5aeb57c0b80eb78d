#include "gpu-estimate/Explain/CpiStack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr ComponentInfo Table[] = {
    {"issue", "issue", "issue slots",
     "Selected, Not Selected, Dispatch Stall, No Instruction"},
    {"pipes", "pipes", "throughput of the execution pipes",
     "Math Pipe Throttle"},
    {"load-store", "pipes", "throughput of loads and stores",
     "LG Throttle, MIO Throttle"},
    {"registers", "registers", "read ports of the register file",
     "Dispatch Stall"},
    {"dependency", "dependency", "results of arithmetic that are not there yet",
     "Wait; Short Scoreboard for special functions"},
    {"shared", "shared", "latency, bank passes, bandwidth of shared memory",
     "Short Scoreboard, MIO Throttle"},
    {"l1", "l1", "latency and bandwidth of L1",
     "Long Scoreboard, LG Throttle; TEX Throttle for textures"},
    {"uncoalesced", "uncoalesced", "passes of uncoalesced requests",
     "LG Throttle, Long Scoreboard"},
    {"outstanding", "outstanding", "misses that wait for a free entry",
     "Long Scoreboard, LG Throttle"},
    {"l2", "l2", "latency and bandwidth of L2", "Long Scoreboard"},
    {"l3", "l3", "latency and bandwidth of a cache in front of DRAM",
     "Long Scoreboard"},
    {"dram", "dram", "latency and bandwidth of DRAM",
     "Long Scoreboard; Drain for stores at the end"},
    {"dram-queue", "dram", "waiting for DRAM behind other requests",
     "Long Scoreboard; Drain for stores at the end"},
    {"atomics", "atomics", "rate of atomics, operations on one address",
     "Long Scoreboard (global), Short Scoreboard (shared), LG Throttle"},
    {"barrier", "barrier", "waiting for the other warps of the block",
     "Barrier, Membar"},
    {"dispatch", "dispatch", "blocks that start and end",
     "none: no warp is resident"},
    {"tail", "tail", "multiprocessors without work at the end",
     "none: no warp is resident"},
    {"launch", "launch", "before and after the execution",
     "none: outside the kernel's duration"},
};

ArrayRef<ComponentInfo> componentTable() { return Table; }

StringRef componentGroup(StringRef Component) {
  const ComponentInfo *Known = find_if(
      Table, [&](const ComponentInfo &C) { return C.Name == Component; });
  return Known == std::end(Table) ? Component : Known->Group;
}

std::vector<std::pair<std::string, double>> cpiStack(const Prediction &P) {
  std::vector<std::pair<std::string, double>> Stack;
  if (P.WarpCyclesPerInstruction > 0)
    for (const auto &[Component, Fraction] : P.Breakdown)
      Stack.push_back({Component, Fraction * P.WarpCyclesPerInstruction});
  return Stack;
}

std::string cpiStackReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "# CPI stack and stall reasons\n\n"
        "<!-- Written by gpu-estimate-docs from the table in "
        "lib/Explain/CpiStack.cpp. -->\n\n"
        "Every prediction has a CPI stack, whatever its model: the cycles that "
        "a resident warp\nspends for each instruction that it issues, by the "
        "components of *where the time goes*\n(column CPI of the text; "
        "`cpi_stack` of the JSON).\n\n```\n"
        "CPI            = time * clock * multiprocessors with a block * "
        "resident warps / warp instructions\n"
        "CPI(component) = CPI * the component's share of the time\n```\n\n"
        "The sum is Nsight Compute's *warp cycles per issued instruction* "
        "(section Warp State\nStatistics), as far as the launch has full "
        "waves: there a profiler counts the warps that\nare resident, here "
        "they are the occupancy's. A profiler asks each warp what it waits "
        "for;\na model asks what its term adds to the time. So this is which "
        "bars to hold against each\nother, not a promise that they are "
        "equal.\n\n"
        "| component | stands for | stall reasons of Nsight Compute |\n"
        "| --- | --- | --- |\n";
  for (const ComponentInfo &C : Table)
    OS << "| `" << C.Name << "` | " << C.Meaning << " | " << C.StallReasons
       << " |\n";
  OS << "\nWhich models have which: `latency-bandwidth` all but `load-store` "
        "and `dram-queue`;\n`interval` issue, dependency, shared, l1, "
        "uncoalesced, l2, dram, outstanding and\ndram-queue; `mwp-cwp` issue, "
        "shared, l2, dram and barrier; `quantitative-roofline` pipes,\n"
        "load-store, issue or dram; `roofline` pipes or dram. `compare` takes "
        "`load-store` as part\nof `pipes` and `dram-queue` as part of "
        "`dram`.\n";
  return Page;
}

} // namespace gpuestimate
