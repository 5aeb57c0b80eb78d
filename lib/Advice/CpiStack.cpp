#include "gpu-estimate/Advice/CpiStack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr ComponentInfo ComponentTable[] = {
    {"issue", "issue", "issue slots",
     "Selected, Not Selected, Dispatch Stall, No Instruction",
     "warp instructions"},
    {"pipes", "pipes", "throughput of the execution pipes",
     "Math Pipe Throttle", "cycles of the pipe that is busiest in the launch"},
    {"load-store", "pipes", "throughput of loads and stores",
     "LG Throttle, MIO Throttle", "warp instructions that access memory"},
    {"registers", "registers", "read ports of the register file",
     "Dispatch Stall", "cycles of the read ports"},
    {"dependency", "dependency", "waiting for results of arithmetic",
     "Wait; Short Scoreboard for special functions",
     "cycles that a warp, alone, waits for the result of the line"},
    {"shared", "shared", "latency, bank passes, bandwidth of shared memory",
     "Short Scoreboard, MIO Throttle", "passes through shared memory"},
    {"l1", "l1", "latency and bandwidth of L1",
     "Long Scoreboard, LG Throttle; TEX Throttle for textures",
     "passes through the data stage of L1"},
    {"uncoalesced", "uncoalesced", "passes of uncoalesced requests",
     "LG Throttle, Long Scoreboard", "passes beyond the first of each request"},
    {"outstanding", "outstanding", "misses that wait for a free entry",
     "Long Scoreboard, LG Throttle", "bytes that loads move between L1 and L2"},
    {"l2", "l2", "latency and bandwidth of L2", "Long Scoreboard",
     "bytes between L1 and L2"},
    {"l3", "l3", "latency and bandwidth of a cache in front of DRAM",
     "Long Scoreboard", "bytes that miss L2"},
    {"dram", "dram", "latency and bandwidth of DRAM",
     "Long Scoreboard; Drain for stores at the end",
     "bytes between L2 and DRAM"},
    {"dram-queue", "dram", "waiting for DRAM behind other requests",
     "Long Scoreboard; Drain for stores at the end",
     "bytes between L2 and DRAM"},
    {"ecc", "ecc", "error-correcting code that lies in DRAM with the data",
     "Long Scoreboard; Drain for stores at the end",
     "bytes between L2 and DRAM"},
    {"link", "link", "latency and bandwidth of the link to the host",
     "Long Scoreboard", "bytes between the GPU and the host"},
    {"atomics", "atomics", "rate of atomics, operations on one address",
     "Long Scoreboard (global), Short Scoreboard (shared), LG Throttle",
     "lanes on one address (shared memory), threads (global memory)"},
    {"barrier", "barrier", "waiting for the other warps of the block",
     "Barrier, Membar", "barriers of warps"},
    {"wait", "wait", "sleeps, and loops that wait for a clock",
     "Sleeping; Wait and Branch Resolving in a loop that reads the clock",
     "cycles of waiting"},
    {"dispatch", "dispatch", "blocks that start and end",
     "none: no warp is resident", "no line"},
    {"tail", "tail", "multiprocessors without work at the end",
     "none: no warp is resident", "no line"},
    {"cold", "cold", "first fetch of code, arguments and translations",
     "No Instruction, IMC Miss, Long Scoreboard", "no line"},
    {"migration", "migration", "page faults and migration of managed memory",
     "Long Scoreboard", "no line"},
    {"launch", "launch", "before and after the execution",
     "none: outside the kernel's duration", "no line"},
};

ArrayRef<ComponentInfo> componentTable() { return ComponentTable; }

StringRef componentGroup(StringRef Component) {
  const ComponentInfo *Info =
      find_if(ComponentTable,
              [&](const ComponentInfo &C) { return C.Name == Component; });
  return Info == std::end(ComponentTable) ? Component : Info->Group;
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
        "lib/Advice/CpiStack.cpp. -->\n\n"
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
  for (const ComponentInfo &C : ComponentTable)
    OS << "| `" << C.Name << "` | " << C.Meaning << " | " << C.StallReasons
       << " |\n";
  OS << "\nWhich models have which: `latency-bandwidth` all but `load-store` "
        "and `dram-queue`;\n`interval` issue, dependency, shared, l1, "
        "uncoalesced, l2, dram, outstanding,\ndram-queue and pipes; "
        "`kleimenov` "
        "launch, issue, dependency, barrier, l1, l2, dram and uncoalesced;\n"
        "`mwp-cwp` issue, "
        "shared, l2, dram and barrier; `quantitative-roofline` pipes,\n"
        "load-store, issue or dram; `sustained-roofline` launch and one of "
        "issue, "
        "pipes, l2, l3,\ndram; `roofline` pipes or dram. `compare` takes "
        "`load-store` as part of `pipes` and\n`dram-queue` as part of "
        "`dram`.\n";
  OS << "\n## By source line\n\n"
        "Each component is shared out among the lines in proportion to what "
        "their operations ask\nof its resource, summed over the launch "
        "(*lines that cost the most time* of the text; `lines`\nof the JSON, "
        "with the components of each):\n\n"
        "```\nshare(line) = sum over components of fraction(component) * "
        "demand of the line / demand of all lines\n```\n\n"
        "| component | demand |\n| --- | --- |\n";
  for (const ComponentInfo &C : ComponentTable)
    OS << "| `" << C.Name << "` | " << C.Demand << " |\n";
  OS << "\nWith what stands under *no line* (`no_line`) the lines sum to the "
        "time: launch, dispatch and\ntail are nobody's, and so is what the "
        "compiler left without a place. An inlined function's\nlines are its "
        "own. Two limits: memory is charged by bytes, so that a store which "
        "nobody waits\nfor costs as much as a load of as many bytes; and a "
        "component is what its term adds to the\ntime (above), so that lines "
        "whose work hides behind another's are charged for little of "
        "it.\n";
  return Page;
}

} // namespace gpuestimate
