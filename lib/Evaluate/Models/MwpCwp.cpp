/// \file
/// The equations of mwp-cwp. MwpCwpInputs.cpp makes their inputs.
#include "MwpCwp.h"
#include <algorithm>

namespace gpuestimate {

double mwpCwpLatency(const MwpCwpMachine &M, const MwpCwpClass &C,
                     bool Constant) {
  if (Constant)
    return M.LatencyL2 + C.DramTransactions * M.LatencyDram;
  if (C.DramTransactions <= 1)
    return M.LatencyL2 + std::max(0.0, C.L2Transactions - 1) * M.DepartureL2;
  return M.LatencyL2 + M.LatencyDram +
         (C.DramTransactions - 1) * M.DepartureDram;
}

double mwpCwpDeparture(const MwpCwpMachine &M, const MwpCwpClass &C,
                       bool Constant) {
  double L2 = C.L2Transactions * M.DepartureL2;
  double Dram = C.DramTransactions * M.DepartureDram;
  return Constant ? L2 + Dram : std::max(L2, Dram);
}

/// (24) and (25).
static double weighted(double OfL2, double OfDram, double L2Miss) {
  return OfL2 * (1 - L2Miss) + OfDram * L2Miss;
}

MwpCwpResult mwpCwp(const MwpCwpMachine &M, const MwpCwpWork &W,
                    MwpCwpRules Rules) {
  bool IsBaseline = Rules == MwpCwpRules::Baseline;
  MwpCwpResult R;
  double Instructions = 0, Departures = 0;
  for (auto [Class, Constant] : {std::pair{&W.Coalesced, false},
                                 {&W.Constant, true},
                                 {&W.Uncoalesced, false}}) {
    Instructions += Class->Instructions;
    R.MemoryCycles +=
        Class->Instructions *
        (IsBaseline ? weighted(M.LatencyL2, M.LatencyDram, W.L2Miss)
                    : mwpCwpLatency(M, *Class, Constant));
    Departures +=
        Class->Instructions *
        (IsBaseline ? weighted(M.DepartureL2, M.DepartureDram, W.L2Miss)
                    : mwpCwpDeparture(M, *Class, Constant));
  }
  if (Instructions > 0) {
    R.MemoryLatency = R.MemoryCycles / Instructions;
    R.DepartureDelay = Departures / Instructions;
  }
  R.SharedLoadCycles = W.SharedLoads * M.SharedLoadLatency;
  R.SharedCycles = W.SharedPasses * M.LatencyShared;
  R.MemoryCycles += R.SharedLoadCycles;
  R.ComputeCycles = M.CyclesPerInstruction * W.Instructions + R.SharedCycles;

  R.Mwp = R.DepartureDelay > 0
              ? std::min(R.MemoryLatency / R.DepartureDelay, W.Warps)
              : W.Warps;
  R.Cwp = R.ComputeCycles > 0
              ? std::min((R.MemoryCycles + R.ComputeCycles) / R.ComputeCycles,
                         W.Warps)
              : W.Warps;
  if (W.SharedPasses > 0 && Rules != MwpCwpRules::Printed) {
    R.Case = MwpCwpResult::SharedTiles;
    R.MemoryPart = R.MemoryCycles * W.Batches;
    R.ComputePart = R.ComputeCycles * W.Batches;
  } else if (R.Cwp >= R.Mwp && Instructions > 0) {
    R.Case = MwpCwpResult::MemoryBound;
    R.MemoryPart = R.MemoryCycles * W.Warps / R.Mwp * W.Batches;
    R.ComputePart = R.ComputeCycles / Instructions * R.Mwp * W.Batches;
  } else {
    R.Case = MwpCwpResult::ComputeBound;
    R.MemoryPart = R.MemoryLatency * W.Batches;
    R.ComputePart = R.ComputeCycles * W.Warps * W.Batches;
  }
  R.SyncCycles = R.DepartureDelay * std::max(0.0, R.Mwp - 1) * W.Barriers *
                 W.Blocks * W.Batches;
  return R;
}

} // namespace gpuestimate
