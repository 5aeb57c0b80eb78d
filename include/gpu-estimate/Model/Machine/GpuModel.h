/// \file
/// One GPU as the evaluation sees it: typed, validated values, each with its
/// unit and source. A model is read from hwmodels/<id>.yaml; the key table in
/// GpuModelKeys.h drives loading, checking, `--set`, printing and the docs.
///
/// Cycles are core-clock cycles. Throughputs are thread-level results per
/// cycle of one whole multiprocessor, so a warp instruction of a class holds
/// its pipe for warp size / throughput cycles (Kleimenov & Popova 2021,
/// delay_inst, definition a). For the tensor classes the unit of work is one
/// multiply-add: Throughput is multiply-adds per cycle of one multiprocessor
/// (half of the FLOP rate), and an operation of such a class in a kernel counts
/// the multiply-adds of its warp-level matrix instruction.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_GPUMODEL_H
#define GPU_ESTIMATE_MODEL_MACHINE_GPUMODEL_H

#include "gpu-estimate/Model/Machine/GpuPower.h"
#include "gpu-estimate/Model/Machine/OpClass.h"
#include "gpu-estimate/Support/Units.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// Origin of a value, as the model file states it.
struct Provenance {
  std::string Text;   ///< the value as written, with unit
  std::string Source; ///< who measured or documented it
  std::string Note;   ///< what else a reader should know; why it was inherited
  std::string Kind;   ///< vendor, measured, ...: see provenanceKinds()
  /// Line in the model file; 0 for a value set on the command line.
  unsigned Line = 0;
  /// Cases of validation/ from whose times the value was computed, as patterns
  /// such as "streams/a40/fma/double/*": the dataset's name, then the case's.
  std::vector<std::string> FittedOn = {};
  /// Short name of Source in the model file; empty where it is cited in full.
  std::string SourceName = {};
};

/// Cost of one operation class on this GPU.
struct OpCost {
  Cycles Latency; ///< issue to dependent issue; memory classes: unused
  /// Results (multiply-adds, for tensor classes) per cycle per multiprocessor.
  /// Zero where the GPU has no such unit (tensor classes; see also cost).
  double Throughput = 0;
  Pipe On = Pipe::Issue; ///< the pipe that is held
};

struct CacheLevel {
  Bytes Size; ///< effective data capacity (per multiprocessor for L1)
  Bytes Line;
  Bytes Sector; ///< unit of a fill; equal to Line where lines are not sectored
  Cycles Latency; ///< load-to-use on a hit
};

/// Error of the default performance model on one dataset of measured times.
struct ValidationRecord {
  std::string Dataset;
  unsigned Cases = 0;   ///< that the mean counts
  double MeanError = 0; ///< mean absolute error, a fraction
  std::string Date;     ///< of the validation, YYYY-MM-DD
};

/// Configurations that the card can be set to; what is not stated is not known.
struct ConfigurationLimits {
  std::optional<unsigned> SmCount; ///< multiprocessors of the whole die
  std::optional<Hertz> CoreClockMin, CoreClockMax;
  std::optional<Hertz> MemoryClockMin, MemoryClockMax; ///< as DramClock
};

/// Ceilings that programs have reached: the experimental roofline. An operation
/// of a multiply-add counts two.
struct ExperimentalRoofline {
  /// Operations per cycle of one multiprocessor.
  std::optional<double> Fp32, Fp64, Int;
  std::optional<BytesPerSecond> Memory; ///< of DRAM
};

struct GpuModel {
  // Identity.
  std::string Id, Name, Vendor, Architecture;
  std::string ComputeCapability; ///< "8.0"; empty for AMD
  std::string GfxTarget;         ///< "gfx803"; empty for NVIDIA
  std::vector<std::string> Aliases;
  std::string File;
  /// Empty: not validated.
  std::vector<ValidationRecord> Validation;

  // Multiprocessors.
  unsigned SmCount = 0;
  unsigned WarpSize = 32;
  unsigned SchedulersPerSm = 4;
  /// Warp instructions per cycle of one scheduler (above 1 with dual issue).
  double IssueRate = 1;
  /// What matrix instructions of one warp reach of the throughput of tensor
  /// operations, which is that of a warp group.
  std::optional<double> WarpMatrixRate;
  Hertz CoreClock; ///< clock under load; converts cycles to seconds
  ConfigurationLimits Limits;

  // Limits of residency (occupancy).
  unsigned MaxWarpsPerSm = 0, MaxBlocksPerSm = 0, MaxThreadsPerBlock = 1024;
  unsigned RegistersPerSm = 0;           ///< 32-bit registers
  unsigned RegisterAllocationUnit = 256; ///< registers per warp
  unsigned WarpAllocationGranularity = 4;
  unsigned MaxRegistersPerThread = 255;
  Bytes SharedPerSm, SharedPerBlockMax, SharedPerBlockDefault;
  Bytes SharedAllocationUnit, SharedReservedPerBlock;
  /// Sizes that the shared part of a unified L1 array can have, ascending;
  /// the rest of L1.Size is L1. Empty where shared memory has its own array.
  std::vector<Bytes> SharedCarveouts;
  std::array<unsigned, 3> MaxGrid = {2147483647u, 65535u, 65535u};
  std::array<unsigned, 3> MaxBlock = {1024u, 1024u, 64u};

  // Operations.
  std::array<OpCost, NumOpClasses> Ops;

  // Memory.
  CacheLevel L1; ///< Size is the unified L1 + shared array where they share one
  bool L1UnifiedWithShared = true;
  bool L1CachesGlobalLoads = true; ///< Kepler, some Maxwell: local memory only
  bool L1WritesThrough = false;    ///< local memory; since Volta
  /// Sets of L1, whose ways follow from the capacity that shared memory leaves,
  /// and whether a hash of the line's address chooses the set; with
  /// `--cache-model set-associative`.
  std::optional<double> L1Sets;
  bool L1HasHashedSets = false;
  BytesPerCycle L1Bandwidth; ///< per multiprocessor, on hits
  CacheLevel L2;
  /// Ways of L2, whose sets follow from its size, and whether they are hashed.
  std::optional<double> L2Ways;
  bool L2HasHashedSets = false;
  BytesPerSecond L2Bandwidth; ///< whole chip, reads
  BytesPerSecond L2WriteBandwidth;
  /// Sectors of one line travel between a multiprocessor and L2 in one packet.
  /// Bytes of a packet beyond its sectors, for loads and for stores; 0 if not
  /// stated.
  std::optional<Bytes> L2ReadPacketHeader, L2WritePacketHeader;
  /// Bytes that L2 exchanges with DRAM per core cycle, fills and write-backs
  /// together, whole chip; no limit if not stated.
  std::optional<BytesPerCycle> L2MissBandwidth;
  /// Share of L2 that written lines may fill before the cache writes them back
  /// early; 1 if not stated.
  std::optional<double> L2DirtyLimit;
  unsigned L2Partitions = 1;
  /// Bytes that a load which misses L2 reads from DRAM; the sector if not
  /// stated.
  std::optional<Bytes> L2FetchSize;
  /// Bytes that a store to part of a sector which is not in L2 reads from DRAM;
  /// absent if memory takes masked writes.
  std::optional<Bytes> PartialWriteRead;
  /// Bytes of error-correcting code that DRAM moves beside each line of L2 that
  /// it reads from and that it writes to, where the code lies in the memory
  /// itself (inline ECC of GDDR): 16 and 48 beside lines of 128 bytes make a
  /// copy take 25% longer. Absent: ECC is off, or memory has bits of its own
  /// for the code (HBM).
  std::optional<Bytes> InlineEccRead, InlineEccWrite;
  std::optional<Cycles> L2FarLatency; ///< on a hit in the other partition
  /// A cache in front of DRAM through which all traffic of L2 passes (AMD's
  /// Infinity Cache); all three or none.
  std::optional<Bytes> L3Size;
  std::optional<Cycles> L3Latency;
  std::optional<BytesPerSecond> L3Bandwidth; ///< reads and writes together
  Cycles DramLatency;
  BytesPerSecond DramPeakBandwidth; ///< pins
  /// Two transfers each cycle, as drivers report it: peak bandwidth = 2 * clock
  /// * bus width, whatever the pins do (AMD's tools show half of it for GDDR5).
  std::optional<Hertz> DramClock;
  std::optional<Bytes> DramBusWidth;
  BytesPerSecond DramReadBandwidth, DramWriteBandwidth,
      DramCopyBandwidth; ///< sustained
  Bytes DramSize;
  /// Bytes of one row (page) of a DRAM bank, the channels that have banks of
  /// their own, and the shortest time between two activations of rows in one
  /// channel; all three or none.
  std::optional<Bytes> DramRowSize;
  std::optional<double> DramChannels;
  std::optional<Seconds> DramActivationInterval;
  /// The interconnect to the host, in one direction.
  std::optional<BytesPerSecond> LinkBandwidth;
  std::optional<Seconds> LinkLatency;
  /// Pages of managed memory that the host holds and a kernel touches: the rate
  /// at which the driver moves them to the GPU, and the time of a lone fault
  /// beyond that of its bytes.
  std::optional<BytesPerSecond> MigrationBandwidth;
  std::optional<Seconds> PageFaultLatency;
  Cycles SharedLatency;
  unsigned SharedBanks = 32;
  Bytes SharedBankWidth;
  /// Aligned piece of shared memory whose words do not conflict with each
  /// other; where it is larger than all banks of one word (Kepler), a bank
  /// delivers several words of it in one pass. Absent: one word of each bank.
  std::optional<Bytes> SharedConflictFreeSegment;
  BytesPerCycle SharedBandwidth; ///< per multiprocessor
  Cycles ConstantLatency, TextureLatency;
  Cycles SharedAtomicLatency, GlobalAtomicLatency;
  /// Atomic operations per cycle: on one address of shared memory (per
  /// multiprocessor), on one address of global memory and on spread addresses
  /// of global memory (whole chip, thread-level operations).
  double SharedAtomicSameAddressRate = 1, GlobalAtomicSameAddressRate = 1,
         GlobalAtomicRate = 1;
  /// Same-address rate of atomic operations that are combined into one per warp
  /// before they leave the multiprocessor (integer add of a uniform value,
  /// result unused: nvcc does this).
  double GlobalAtomicAggregatedRate = 1;
  /// Sectors of atomic requests that one L2 slice executes per cycle; nullopt:
  /// GlobalAtomicSameAddressRate.
  std::optional<double> GlobalAtomicSectorRate;
  /// Same-address rate of floating-point additions; nullopt:
  /// GlobalAtomicSameAddressRate.
  std::optional<double> GlobalAtomicRealRate;
  /// Global-memory bytes that one multiprocessor can have outstanding.
  std::optional<Bytes> MaxBytesInFlightPerSm;
  /// Exponent p that combines the latency-bound time a and the bandwidth-bound
  /// time b: (a^p + b^p)^(1/p). 20 is nearly their maximum; smaller values
  /// describe memory systems whose latency grows with their load.
  double MemoryKnee = 20;

  // Barriers and launches.
  Cycles BarrierLatency; ///< one warp
  Cycles BarrierPerWarp; ///< added per further warp of the block
  /// One launch from start to end of an empty one-block kernel as seen by
  /// device timestamps around it (the time_launch intercept x2).
  Seconds LaunchLatency;
  /// Time between back-to-back launches that one stream sustains.
  Seconds LaunchInterval;
  /// Blocks that the work distributor starts per core cycle, whole chip (x1).
  double BlockDispatchRate = 1;
  /// False where the distributor has a clock of its own, so that the blocks per
  /// second stay when the core clock moves.
  bool BlockRateFollowsCore = true;
  /// Time between two blocks in one slot of a multiprocessor: retirement of a
  /// block and start of the next one up to its first instruction; and the part
  /// that each warp of the block adds.
  Cycles BlockStart, BlockStartPerWarp;

  /// One launch of an empty kernel as a profiler times it: the time stamps
  /// themselves take a part.
  std::optional<Seconds> LaunchProfiled;

  // What a launch with cold caches adds.
  /// The launch overhead after the profiler has flushed and invalidated all
  /// caches.
  std::optional<Seconds> LaunchCold;
  std::optional<Cycles> TlbWalk; ///< translation of an address on a TLB miss
  std::optional<Bytes> TlbPage;  ///< memory that one translation covers
  /// First fetch of a line of code into an instruction cache, and the
  /// instructions of a line.
  std::optional<Cycles> CodeLineFetch;
  std::optional<double> CodeLineInstructions;
  /// Cycles in which a shared fp64 unit is idle between two warp instructions.
  std::optional<Cycles> Fp64Switch;

  ExperimentalRoofline Roofline;
  GpuPower Power; ///< what the board draws

  /// Provenance by key (GpuModelKeys.h); a missing key has no value in the
  /// file.
  llvm::StringMap<Provenance> Sources;

  const OpCost &cost(OpClass C) const {
    const OpCost &Own = Ops[static_cast<unsigned>(C)];
    if (Own.Throughput > 0)
      return Own;
    // What a class costs that the file does not state. The guide of CUDA gives
    // reductions of a warp the rate of population counts (16 a cycle).
    if (C == OpClass::ConvertInt32)
      return cost(OpClass::Convert32);
    return C == OpClass::WarpReduce ? cost(OpClass::Popc) : Own;
  }
};

} // namespace gpuestimate

#endif
