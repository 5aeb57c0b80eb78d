/// \file
/// The result of one evaluation (kernel x GPU x launch x bindings) as plain
/// data. The evaluator computes every time and count in it. The session adds
/// what it alone knows of a launch in one place (predict() in lib/Session/
/// Pipeline/LaunchPipeline.h): Repeats, HostFunction, SharedBuffers, the
/// spelling of WhatIf, and premises and assumptions of its own guesses. The
/// record is finished there; nothing changes it afterwards, and reports print
/// it.
///
/// Invariants (checkConsistency): times are finite and not negative;
/// Time = LaunchOverhead + Execution; the breakdown's fractions are >= 0 and
/// sum to 1.
#ifndef GPU_ESTIMATE_MODEL_RESULT_PREDICTION_H
#define GPU_ESTIMATE_MODEL_RESULT_PREDICTION_H

#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Kernel/MachineCode.h"
#include "gpu-estimate/Model/Machine/OpClass.h"
#include "gpu-estimate/Model/Machine/VendorTerms.h"
#include "gpu-estimate/Model/Result/KernelFormulas.h"
#include "gpu-estimate/Model/Result/PowerEstimate.h"
#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Support/Units.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// An assumed value and its effect on the time.
struct Assumption {
  std::string What, Why, Settle;
  double Value = 0;
  /// In four of five programs the real value lies from Low to High; both are
  /// Value where nothing tells how far it may be away (InputRange.h).
  double Low = 0, High = 0;
  /// d(ln time)/d(ln value) by re-evaluation with the value changed by 10%.
  double Sensitivity = 0;
  /// Number of the variation of the value, common to assumptions that are
  /// varied together; -1: it is not varied.
  int Variation = -1;
  /// Factors of the time with the values Low and High, of all assumptions of
  /// the variation.
  TimeFactors Effect;
  /// Part of the variance of the time's logarithm that all assumptions cause.
  double Share = 0;
  SourceLocation Location;
  /// True: its effect was not computed, since that would take too long.
  bool NotVaried = false;
  /// True: it is about the compiler, and says nothing of what else may be
  /// unknown of the launch.
  bool IsOfCompiler = false;
};

struct Occupancy {
  unsigned BlocksPerSm = 0;
  unsigned WarpsPerSm = 0;
  double Fraction = 0;
  std::string LimitedBy; ///< registers | shared | threads | blocks | grid
  double Waves = 0;      ///< blocks / (BlocksPerSm * multiprocessors)
};

/// Totals over the launch.
struct Counts {
  double WarpInstructions = 0;
  std::array<double, NumOpClasses> ByClass{};      ///< warp instructions
  double FlopFp16 = 0, FlopFp32 = 0, FlopFp64 = 0; ///< of active threads
  double GlobalLoadRequests = 0, GlobalLoadSectors = 0;
  double GlobalStoreRequests = 0, GlobalStoreSectors = 0;
  double SharedWavefronts = 0;
  double L2Bytes = 0;   ///< L1 <-> L2, both directions
  double DramBytes = 0; ///< read + write
  double DramReadBytes = 0, DramWriteBytes = 0;
  double Barriers = 0; ///< warp-level barrier instructions
};

/// The counts by the names that reports and datasets use ("dram_bytes"), in the
/// order of the JSON report, without the classes of instructions.
std::vector<std::pair<std::string, double>> namedCounts(const Counts &C);

/// One access of the kernel, for diagnostics and reports.
struct AccessReport {
  SourceLocation Location;
  std::string Base, Space, Kind;
  unsigned BytesPerThread = 0;
  double Requests = 0;          ///< warp instructions over the launch
  double SectorsPerRequest = 0; ///< global: L1 sectors; ideal = bytes/sector
  double IdealSectorsPerRequest = 0;
  double PassesPerRequest = 0; ///< shared: 1 = no bank conflict
  /// Atomics: largest number of lanes of a request on one address.
  double LanesOnOneAddress = 0;
  double L1Hit = 0, L2Hit = 0; ///< fractions
  double L2Bytes = 0;          ///< L1 <-> L2, over the launch
  double DramReadBytes = 0, DramWriteBytes = 0;
  bool DataDependent = false;
  /// Global memory: "coalesced", "constant", "uncoalesced" (StrideClass.h); ""
  /// in the predictions that no report shows.
  std::string StrideClass;
};

/// Divergence of one guarded block or loop.
struct DivergenceReport {
  SourceLocation Location;
  double ActiveLanes = 32; ///< mean active lanes of the warps that execute it
  double TimeShare = 0;    ///< share of issue cycles spent there
};

/// The cost of one source line, in fractions of the predicted time.
struct LineCost {
  SourceLocation Where; ///< file and line
  double Share = 0;
  std::vector<std::pair<std::string, double>> Parts; ///< components, they sum
                                                     ///< to Share
  double EnergyShare = 0; ///< of the launch's energy, where that is known
};

/// One bound of the combination: how long the kernel would take if only this
/// mattered. Names are the `bottleneck` values of the JSON contract.
struct Bound {
  std::string Name;
  Cycles Time;
};

/// Latency of a memory level on an idle machine, and where the bandwidth loops
/// of the paper leave it under this launch's load (BandwidthRefinement.h).
struct LevelLatency {
  std::string Level; ///< "shared", "l1", "l2", "l3" or "dram"
  Cycles Idle, Loaded;
  unsigned Iterations = 0; ///< of the loop that raised it
  /// False: no latency makes the kernel wait long enough, so that the level's
  /// bandwidth alone says how long it takes.
  bool Converged = true;
};

/// Pointer arguments that were taken to point into one buffer.
struct SharedBuffer {
  /// The arguments with their distances from the first one, in bytes.
  std::vector<std::pair<std::string, double>> Pointers;
  std::string Source; ///< "host-code" | "param"
};

struct Prediction {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Gpu, GpuName, Model;
  VendorTerms Terms; ///< of the GPU
  unsigned WarpSize = 32;
  std::vector<std::string> WhatIf; ///< "--set" overrides in force
  Launch Used;
  std::vector<std::pair<std::string, double>>
      Arguments; ///< bindings that were used
  std::vector<SharedBuffer> SharedBuffers;

  Seconds Time, LaunchOverhead, Execution;
  /// Nothing where it is not known how far the model errs (only the default
  /// model is compared with enough measurements), or what a called function
  /// does.
  std::optional<TimeError> Error;
  /// Nothing without Error, or where it is not known how far assumptions move
  /// the time.
  std::optional<TimeInterval> Interval;
  std::string Bottleneck;
  /// component -> fraction of Time, largest first.
  std::vector<std::pair<std::string, double>> Breakdown;
  std::vector<Bound> Bounds;
  /// Quantities of the model by the names that its papers give them ("MWP").
  std::vector<std::pair<std::string, double>> Intermediates;
  /// Cycles that a resident warp spends for each instruction that it issues:
  /// time * clock * multiprocessors in use * resident warps / warp
  /// instructions. Times the breakdown's fractions it is the CPI stack.
  double WarpCyclesPerInstruction = 0;
  PowerEstimate Power;

  Occupancy Occ;
  unsigned RegistersPerThread = 0;
  std::string RegistersSource;
  std::optional<MachineCode> Code; ///< where a compiler has made it
  uint64_t SharedBytesPerBlock = 0;
  Counts Count;
  double L1HitRate = 0, L2HitRate = 0;
  std::vector<LevelLatency> Latencies; ///< of the levels that are used
  std::vector<AccessReport> Accesses;
  std::vector<DivergenceReport> Divergence;
  /// Time by source line (LineCosts.h), largest first, and by component what
  /// is no line's; together 1, where WantedResults::Lines asks for them.
  std::vector<LineCost> Lines;
  std::vector<std::pair<std::string, double>> OffLine;

  KernelFormulas Formulas;
  /// Largest Share first, then largest |Sensitivity|.
  std::vector<Assumption> Assumptions;
  /// What holds by assumption and has no number: "'A' and 'B' do not overlap".
  std::vector<std::string> Premises;
  /// A loop nest of plain C: the function that it stands in, and how often one
  /// run of the program launches it.
  std::string HostFunction;
  double Repeats = 1;
  std::string Caches; ///< "cold" | "warm"
};

/// Empty when the invariants hold, else the first violation. Explained: with a
/// breakdown (WantedResults::Explanation).
std::string checkConsistency(const Prediction &P, bool Explained = true);

} // namespace gpuestimate

#endif
