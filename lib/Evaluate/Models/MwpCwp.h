/// \file
/// The model `mwp-cwp`: warp parallelism of memory and computation, Hong & Kim
/// (ISCA 2009) as CGPredict uses it (Wang, Zhong, Mitra, ACM TECS 16(5s):146,
/// 2017). Equation numbers are those of CGPredict.
///
/// Memory instructions of a warp fall into classes c by the largest stride
/// between neighbouring threads: one element (coalesced), 0 (constant),
/// anything else (uncoalesced). pw_c: L2 transactions of one instruction; n_c:
/// its DRAM transactions; dd: departure delay, the cycles between two
/// transactions.
///
///   coalesced, uncoalesced
///   (1) n_c <= 1: mem_l_c = mem_ld_L2 + (pw_c - 1) dd_L2
///   (2) n_c > 1:  mem_l_c = mem_ld_L2 + mem_ld_dram + (n_c - 1) dd_dram
///   (3) dep_del_c = max(pw_c dd_L2, n_c dd_dram)
///   constant
///   (4) mem_l_c = mem_ld_L2 + n_c mem_ld_dram
///   (5) dep_del_c = pw_c dd_L2 + n_c dd_dram
///   all
///   (6) mem_cycles = sum of mem_l_c insts_c
///   (7) mem_l = mem_cycles / no_mem_insts
///   (8) departure_delay = sum of dep_del_c insts_c / no_mem_insts
///   (12) comp_cycles = inst_cycle no_total_insts
///   (13) MWP = min(mem_l / departure_delay, N)
///   (14) CWP = min((mem_cycles + comp_cycles) / comp_cycles, N)
///   (15) batch = no_blocks / B, not rounded
///   (16) CWP >= MWP: (mem_cycles N / MWP + comp_cycles / no_mem_insts MWP)
///                    batch
///   (17) CWP < MWP:  (mem_l + comp_cycles N) batch
///   (18) exec_time = exec_cycles / freq
///   with tiles in shared memory
///   (19) smem_load_cycles = no_smem_load_inst smem_load_const
///   (20) smem_cycles = mem_ld_smem passes
///   (21) mem_cycles += smem_load_cycles
///   (22) comp_cycles += smem_cycles
///   (23) sync_cost = departure_delay (MWP - 1) no_synch_insts B batch
///
/// With shared memory, (16) and (17) are far above the estimates that the paper
/// prints (table 5); (mem_cycles + comp_cycles) batch, without the factor N,
/// is within 2% of them, so that is the rule of mwp-cwp. Model mwp-cwp-printed
/// takes (16) and (17) there, too.
///
/// Model mwp-cwp-baseline is what the paper compares its own with: one miss
/// rate for all classes,
///   (24) mem_l_c = mem_ld_L2 (1 - L2_miss) + mem_ld_dram L2_miss
///   (25) dep_del_c = dd_L2 (1 - L2_miss) + dd_dram L2_miss
///
/// (9) to (11), the reuse distances within the sets of a cache that give n_c,
/// are replaced by our traffic unless CacheRule::SetAssociative asks for them
/// (lib/Evaluate/Cache/SectoredCache.h). docs/models/mwp-cwp.md says how the
/// inputs are made of kernel and GPU model.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_MWPCWP_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_MWPCWP_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// In cycles.
struct MwpCwpMachine {
  double CyclesPerInstruction = 0;                 ///< inst_cycle
  double LatencyL2 = 0, LatencyDram = 0;           ///< mem_ld_L2, mem_ld_dram
  double LatencyShared = 0, SharedLoadLatency = 0; ///< .., smem_load_const
  double DepartureL2 = 0, DepartureDram = 0;       ///< dd_L2, dd_dram
};

struct MwpCwpClass {
  double Instructions = 0;     ///< of one warp: insts_c
  double L2Transactions = 0;   ///< of one instruction: pw_c
  double DramTransactions = 0; ///< of one instruction: n_c
};

/// Of one warp, where nothing else is said.
struct MwpCwpWork {
  MwpCwpClass Coalesced, Constant, Uncoalesced;
  double Instructions = 0; ///< no_total_insts: memory and computation
  double SharedLoads = 0;  ///< no_smem_load_inst: loads that fill tiles
  double SharedPasses = 0; ///< sum of X_c insts_c over accesses to tiles
  double Barriers = 0;     ///< no_synch_insts
  double L2Miss = 0;       ///< L2_miss: share of all L2 transactions
  double Warps = 1;        ///< N, of one multiprocessor
  double Blocks = 1;       ///< B, of one multiprocessor
  double Batches = 1;      ///< batch
};

struct MwpCwpResult {
  double MemoryCycles = 0;     ///< mem_cycles
  double MemoryLatency = 0;    ///< mem_l
  double DepartureDelay = 0;   ///< departure_delay
  double ComputeCycles = 0;    ///< comp_cycles, with smem_cycles
  double SharedCycles = 0;     ///< smem_cycles
  double SharedLoadCycles = 0; ///< smem_load_cycles
  double Mwp = 0, Cwp = 0;
  enum CaseType : uint8_t {
    MemoryBound,  ///< (16)
    ComputeBound, ///< (17)
    SharedTiles,  ///< the rule for shared memory
  } Case = MemoryBound;
  /// exec_cycles = MemoryPart + ComputePart + SyncCycles, of the launch.
  double MemoryPart = 0, ComputePart = 0, SyncCycles = 0;
  double cycles() const { return MemoryPart + ComputePart + SyncCycles; }
};

enum class MwpCwpRules : uint8_t {
  Refined, ///< model mwp-cwp
  Printed, ///< (16) and (17) with shared memory, too
  Baseline ///< (24) and (25) in place of (1) to (5)
};

/// (1), (2) or (4): cycles of one instruction.
double mwpCwpLatency(const MwpCwpMachine &M, const MwpCwpClass &C,
                     bool Constant);
/// (3) or (5): cycles between two instructions of different warps.
double mwpCwpDeparture(const MwpCwpMachine &M, const MwpCwpClass &C,
                       bool Constant);
/// (6) to (23).
MwpCwpResult mwpCwp(const MwpCwpMachine &M, const MwpCwpWork &W,
                    MwpCwpRules Rules = MwpCwpRules::Refined);

/// The machine as one multiprocessor sees it while In's launch runs.
MwpCwpMachine mwpCwpMachine(const ModelInputs &In);
MwpCwpWork mwpCwpWork(const ModelInputs &In);

/// Refuses GPUs that lack one of the latencies or bandwidths.
llvm::Error fillMwpCwp(Prediction &P, const ModelInputs &In);
llvm::Error fillMwpCwpPrinted(Prediction &P, const ModelInputs &In);
llvm::Error fillMwpCwpBaseline(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
