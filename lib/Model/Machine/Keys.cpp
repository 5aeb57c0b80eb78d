/// \file
/// The key table. The rows of the operation classes are generated from the
/// class table, so that a new class cannot be forgotten here.
#include "KeyTableBuilder.h"
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"

#include "llvm/ADT/StringMap.h"
#include <cassert>

namespace gpuestimate {

namespace {

using Builder = KeyTableBuilder<GpuModel>;

void addIdentity(Builder &T) {
  T.text("id", true,
         "name on the command line; lower case, equal to the file's name",
         FIELD(Id));
  T.text("name", true, "full product name", FIELD(Name));
  T.text("vendor", true, "NVIDIA or AMD", FIELD(Vendor));
  T.text("architecture", true, "architecture family", FIELD(Architecture));
  T.text("compute_capability", false, "CUDA compute capability; absent for AMD",
         FIELD(ComputeCapability));
  T.text("gfx_target", false,
         "LLVM target name of an AMD GPU; absent for NVIDIA", FIELD(GfxTarget));
  GpuKey &Aliases = T.row("aliases", KeyDimension::TextList,
                          "other names that `--gpu` accepts; case, spaces and "
                          "dashes do not matter");
  Aliases.Required = false;
  Aliases.Identity = true;
  Aliases.Get = [](const GpuModel &M) -> std::optional<KeyValue> {
    if (M.Aliases.empty())
      return std::nullopt;
    return KeyValue(M.Aliases);
  };
  Aliases.Set = [](GpuModel &M, const KeyValue &V) {
    M.Aliases = std::get<std::vector<std::string>>(V);
  };
}

void addMultiprocessor(Builder &T) {
  using enum KeyDimension;
  T.number("core_clock", Frequency, 50 * Mega, 10 * Giga,
           "core clock under load; the one that cycles convert with",
           FIELD(CoreClock))
      .Moves = Scaling::CoreClock;
  T.number(
      "sm_count", Count, 1, 4096,
      "multiprocessors (NVIDIA) or compute units (AMD; of RDNA pairs of them)",
      FIELD(SmCount));
  T.optionalNumber("limits.sm_count", Count, 1, 4096,
                   "multiprocessors of the whole die, those included that the "
                   "product has disabled: the largest sm_count",
                   FIELD(Limits.SmCount));
  T.optionalNumber("limits.core_clock_min", Frequency, 10 * Mega, 10 * Giga,
                   "lowest core clock that the card can be locked to",
                   FIELD(Limits.CoreClockMin))
      .Moves = Scaling::Fixed;
  T.optionalNumber("limits.core_clock_max", Frequency, 10 * Mega, 10 * Giga,
                   "highest core clock that the card can be locked to",
                   FIELD(Limits.CoreClockMax))
      .Moves = Scaling::Fixed;
  T.optionalNumber("limits.memory_clock_min", Frequency, 10 * Mega, 50 * Giga,
                   "lowest memory clock, in the unit of dram.clock",
                   FIELD(Limits.MemoryClockMin))
      .Moves = Scaling::Fixed;
  T.optionalNumber("limits.memory_clock_max", Frequency, 10 * Mega, 50 * Giga,
                   "highest memory clock, in the unit of dram.clock",
                   FIELD(Limits.MemoryClockMax))
      .Moves = Scaling::Fixed;
  T.number("sm.warp_size", Count, 1, 128, "threads of a warp", FIELD(WarpSize));
  T.number("sm.schedulers", Count, 1, 16, "warp schedulers of a multiprocessor",
           FIELD(SchedulersPerSm));
  T.optionalNumber("sm.fp64_switch", Cycles, 0, 64,
                   "cycles in which an fp64 unit that all schedulers share is "
                   "idle between two warp instructions of different classes; 0 "
                   "if not stated",
                   FIELD(Fp64Switch));
  T.number("sm.issue_rate", Factor, 0.25, 8,
           "warp instructions that one scheduler issues per cycle; above 1 "
           "with dual issue",
           FIELD(IssueRate));
  T.optionalNumber(
      "sm.warp_matrix_rate", Factor, 0.1, 1,
      "part of the throughput of tensor operations that matrix "
      "instructions of one warp (mma, wmma) reach; 1 if not stated",
      FIELD(WarpMatrixRate));

  T.number("occupancy.max_warps", Count, 1, 256,
           "resident warps of a multiprocessor", FIELD(MaxWarpsPerSm));
  T.number("occupancy.max_blocks", Count, 1, 256,
           "resident blocks of a multiprocessor", FIELD(MaxBlocksPerSm));
  T.number("occupancy.max_threads_per_block", Count, 32, 4096,
           "threads of a block", FIELD(MaxThreadsPerBlock));
  T.number("occupancy.registers", Count, 1024, 1 << 20,
           "32-bit registers of a multiprocessor", FIELD(RegistersPerSm));
  T.number("occupancy.register_allocation_unit", Count, 1, 4096,
           "registers of a warp are rounded up to a multiple of this",
           FIELD(RegisterAllocationUnit));
  T.number("occupancy.warp_allocation_granularity", Count, 1, 16,
           "warps whose registers fit are rounded down to a multiple of this",
           FIELD(WarpAllocationGranularity));
  T.number("occupancy.max_registers_per_thread", Count, 16, 1024,
           "registers that one thread can use", FIELD(MaxRegistersPerThread));
  T.extent("occupancy.max_grid", 4294967295.0, "largest grid in x, y and z",
           FIELD(MaxGrid));
  T.extent("occupancy.max_block", 4096, "largest block in x, y and z",
           FIELD(MaxBlock));
}

// NOLINTNEXTLINE(readability-function-size): a table, key by key.
void addMemory(Builder &T) {
  using enum KeyDimension;
  T.number("shared.size", Bytes, KiB, 4 * MiB,
           "shared memory of a multiprocessor in its largest configuration",
           FIELD(SharedPerSm));
  T.number("shared.per_block_max", Bytes, KiB, 4 * MiB,
           "most shared memory of one block, with opt-in",
           FIELD(SharedPerBlockMax));
  T.number("shared.per_block_default", Bytes, KiB, 4 * MiB,
           "most shared memory of one block without opt-in",
           FIELD(SharedPerBlockDefault));
  T.number("shared.allocation_unit", Bytes, 1, 64 * KiB,
           "shared memory of a block is rounded up to a multiple of this",
           FIELD(SharedAllocationUnit));
  T.number("shared.reserved_per_block", Bytes, 0, 64 * KiB,
           "shared memory that the system takes for each resident block",
           FIELD(SharedReservedPerBlock));
  GpuKey &Carveouts = T.row("shared.carveouts", BytesList,
                            "sizes that the shared part of a unified L1 array "
                            "can have, ascending; the rest is L1");
  Carveouts.Required = false;
  Carveouts.Min = 0;
  Carveouts.Max = 4 * MiB;
  Carveouts.Get = [](const GpuModel &M) -> std::optional<KeyValue> {
    if (M.SharedCarveouts.empty())
      return std::nullopt;
    std::vector<double> Sizes;
    for (auto Size : M.SharedCarveouts)
      Sizes.push_back(Size.value());
    return KeyValue(std::move(Sizes));
  };
  Carveouts.Set = [](GpuModel &M, const KeyValue &V) {
    M.SharedCarveouts.clear();
    for (double Size : std::get<std::vector<double>>(V))
      M.SharedCarveouts.emplace_back(Size);
  };
  T.number("shared.latency", Cycles, 1, 2000,
           "load-to-use without bank conflicts", FIELD(SharedLatency));
  T.number("shared.banks", Count, 1, 128, "banks", FIELD(SharedBanks));
  T.number("shared.bank_width", Bytes, 1, 64, "bytes of one bank per pass",
           FIELD(SharedBankWidth));
  T.optionalNumber(
      "shared.conflict_free_segment", Bytes, 4, 4096,
      "aligned piece whose words do not conflict even in one bank; "
      "all banks once if not stated",
      FIELD(SharedConflictFreeSegment));
  T.number("shared.bandwidth", BytesPerCycle, 1, 4096,
           "of one multiprocessor, without bank conflicts",
           FIELD(SharedBandwidth));
  T.number("shared.atomic_latency", Cycles, 1, 5000,
           "one atomic without contention, with its result",
           FIELD(SharedAtomicLatency));
  T.number("shared.atomic_same_address_rate", PerCycle, 1e-3, 1024,
           "atomics of threads on one address, of one multiprocessor",
           FIELD(SharedAtomicSameAddressRate));

  T.number("l1.size", Bytes, KiB, 16 * MiB,
           "of one multiprocessor; the whole array where L1 and shared memory "
           "are one",
           FIELD(L1.Size));
  T.number("l1.line", Bytes, 8, 4 * KiB, "bytes under one tag", FIELD(L1.Line));
  T.number("l1.sector", Bytes, 8, 4 * KiB,
           "bytes of one fill; equal to the line where lines have no sectors",
           FIELD(L1.Sector));
  T.number("l1.latency", Cycles, 1, 5000,
           "load-to-use of a global load that hits", FIELD(L1.Latency));
  T.number("l1.bandwidth", BytesPerCycle, 1, 4096,
           "of one multiprocessor, on hits", FIELD(L1Bandwidth));
  T.flag("l1.unified_with_shared", "L1 and shared memory divide one array",
         FIELD(L1UnifiedWithShared));
  T.flag("l1.caches_global_loads", "false where L1 serves local memory only",
         FIELD(L1CachesGlobalLoads));
  T.flag("l1.writes_through",
         "stores to local memory go on to L2 at once; false: when L1 evicts "
         "what they wrote",
         FIELD(L1WritesThrough));
  T.optionalNumber("l1.sets", Count, 1, 1 << 20,
                   "sets, of as many ways as the capacity beside shared memory "
                   "has lines for; for --cache-model set-associative",
                   FIELD(L1Sets));
  T.flag("l1.hashed_sets",
         "a hash of the line's number chooses its set, not its low bits; "
         "false if not stated",
         FIELD(L1HasHashedSets))
      .Required = false;

  T.number("l2.size", Bytes, 16 * KiB, 4 * GiB, "of the whole chip",
           FIELD(L2.Size));
  T.number("l2.line", Bytes, 8, 4 * KiB, "bytes under one tag", FIELD(L2.Line));
  T.number("l2.sector", Bytes, 8, 4 * KiB,
           "bytes of one fill; equal to the line where lines have no sectors",
           FIELD(L2.Sector));
  T.optionalNumber("l2.ways", Count, 1, 1 << 20,
                   "ways of a set; for --cache-model set-associative",
                   FIELD(L2Ways));
  T.flag("l2.hashed_sets",
         "a hash of the line's number chooses its set, not its low bits; "
         "false if not stated",
         FIELD(L2HasHashedSets))
      .Required = false;
  T.number("l2.latency", Cycles, 1, 10000,
           "load-to-use of a global load that hits (the near partition)",
           FIELD(L2.Latency));
  T.optionalNumber("l2.far_latency", Cycles, 1, 20000,
                   "the same for the slices of the other partition",
                   FIELD(L2FarLatency));
  T.number("l2.partitions", Count, 1, 64,
           "partitions with latencies of their own", FIELD(L2Partitions));
  T.optionalNumber("l2.fetch_size", Bytes, 8, 4 * KiB,
                   "bytes that a load which misses reads from DRAM, more than "
                   "a sector where the cache promotes; the sector if not "
                   "stated",
                   FIELD(L2FetchSize));
  T.number("l2.read_bandwidth", Bandwidth, Giga, 1e15,
           "sustained reads that hit, whole chip", FIELD(L2Bandwidth))
      .Moves = Scaling::CoreClock;
  T.number("l2.write_bandwidth", Bandwidth, Giga, 1e15,
           "sustained writes, whole chip", FIELD(L2WriteBandwidth))
      .Moves = Scaling::CoreClock;
  T.optionalNumber("l2.read_packet_header", Bytes, 0, 256,
                   "of a packet from L2 beyond the sectors of one line that "
                   "it carries; 0 if not stated",
                   FIELD(L2ReadPacketHeader));
  T.optionalNumber("l2.write_packet_header", Bytes, 0, 256,
                   "of a packet to L2 beyond the sectors of one line that it "
                   "carries (address, mask of the bytes); 0 if not stated",
                   FIELD(L2WritePacketHeader));
  T.optionalNumber("l2.miss_bandwidth", BytesPerCycle, 1, 1e6,
                   "that L2 exchanges with DRAM, fills and write-backs "
                   "together, whole chip; no limit if not stated",
                   FIELD(L2MissBandwidth));
  T.optionalNumber("l2.dirty_limit", Factor, 1e-3, 1,
                   "share of the capacity that written lines can fill in a "
                   "launch on an empty cache before it writes them back; all "
                   "of it if not stated",
                   FIELD(L2DirtyLimit));

  T.optionalNumber("l3.size", Bytes, MiB, 16384 * MiB,
                   "of a cache in front of DRAM that all traffic of L2 passes "
                   "(Infinity Cache); with the other keys of l3 or not at all",
                   FIELD(L3Size));
  T.optionalNumber("l3.latency", Cycles, 1, 20000,
                   "load-to-use of a global load that hits there",
                   FIELD(L3Latency))
      .Moves = Scaling::BeyondL2;
  T.optionalNumber("l3.bandwidth", Bandwidth, Giga, 1e15,
                   "sustained, reads and writes together", FIELD(L3Bandwidth))
      .Moves = Scaling::Fixed; // the fabric has a clock of its own

  T.number("dram.size", Bytes, 128 * MiB, 4096 * GiB, "device memory",
           FIELD(DramSize));
  T.number("dram.latency", Cycles, 1, 50000,
           "load-to-use of a global load that misses every cache",
           FIELD(DramLatency))
      .Moves = Scaling::BeyondL2;
  T.optionalNumber(
      "dram.partial_write_read", Bytes, 0, 4 * KiB,
      "bytes read from DRAM when a request writes part of a sector "
      "that is not in L2, because the error-correcting code covers "
      "whole pieces; 0, also if not stated: masked writes",
      FIELD(PartialWriteRead));
  T.optionalNumber(
      "dram.inline_ecc_read", Bytes, 0, 4 * KiB,
      "bytes of error-correcting code that DRAM moves beside each line of L2 "
      "from which it reads, where the code lies in the memory itself (GDDR "
      "with "
      "ECC on); the bandwidths of DRAM are those without it; 0, also if not "
      "stated: ECC is off, or memory has bits of its own for the code (HBM)",
      FIELD(InlineEccRead));
  T.optionalNumber("dram.inline_ecc_write", Bytes, 0, 4 * KiB,
                   "the same beside each line to which it writes, with the "
                   "turn-arounds of the bus that changing the code takes",
                   FIELD(InlineEccWrite));
  T.number("dram.peak_bandwidth", Bandwidth, Giga, 1e15,
           "data rate times width of the interface", FIELD(DramPeakBandwidth))
      .Moves = Scaling::MemoryClock;
  T.optionalNumber("dram.clock", Frequency, 50 * Mega, 50 * Giga,
                   "memory clock in the unit of NVIDIA's drivers: "
                   "dram.peak_bandwidth / (2 * dram.bus_width), which "
                   "is also its value if not stated (AMD's tools show half of "
                   "it for GDDR5)",
                   FIELD(DramClock))
      .Moves = Scaling::MemoryClock;
  T.optionalNumber("dram.bus_width", Bytes, 1, 8192,
                   "width of the memory interface, with which "
                   "dram.peak_bandwidth gives the memory clock",
                   FIELD(DramBusWidth));
  T.number("dram.read_bandwidth", Bandwidth, Giga, 1e15,
           "sustained, reads only", FIELD(DramReadBandwidth))
      .Moves = Scaling::MemoryClock;
  T.number("dram.write_bandwidth", Bandwidth, Giga, 1e15,
           "sustained, writes only", FIELD(DramWriteBandwidth))
      .Moves = Scaling::MemoryClock;
  T.number("dram.copy_bandwidth", Bandwidth, Giga, 1e15,
           "sustained, one read for each write; both counted",
           FIELD(DramCopyBandwidth))
      .Moves = Scaling::MemoryClock;
  T.optionalNumber("dram.row_size", Bytes, 64, 64 * KiB,
                   "bytes of one row (page) of a bank; with the other two keys "
                   "of rows or not at all",
                   FIELD(DramRowSize));
  T.optionalNumber("dram.channels", Count, 1, 1024,
                   "channels that open rows of their own banks",
                   FIELD(DramChannels));
  T.optionalNumber("dram.activation_interval", Time, 1e-10, 1e-6,
                   "shortest time between the activations of two rows in one "
                   "channel: the larger of tRRD and tFAW / 4",
                   FIELD(DramActivationInterval));
  T.optionalNumber("link.bandwidth", Bandwidth, 0.1 * Giga, 1e13,
                   "of the interconnect to the host, sustained, in one "
                   "direction",
                   FIELD(LinkBandwidth))
      .Moves = Scaling::Fixed;
  T.optionalNumber("link.latency", Time, 0, 1e-3,
                   "load-to-use of a load from the memory of the host",
                   FIELD(LinkLatency));
  T.optionalNumber("link.migration_bandwidth", Bandwidth, 0.01 * Giga, 1e13,
                   "rate at which the driver moves pages of managed memory to "
                   "the GPU while a kernel touches them; none: it finds them "
                   "there",
                   FIELD(MigrationBandwidth))
      .Moves = Scaling::Fixed;
  T.optionalNumber("link.fault_latency", Time, 0, 1e-2,
                   "time of one page fault of a kernel beyond that of the "
                   "bytes that it moves",
                   FIELD(PageFaultLatency));

  T.optionalNumber(
      "roofline.fp32", PerCycle, 1e-3, 65536,
      "highest rate of fp32 operations of one multiprocessor that "
      "a program of configurable intensity reached; a multiply-add "
      "is two",
      FIELD(Roofline.Fp32));
  T.optionalNumber("roofline.fp64", PerCycle, 1e-3, 65536, "the same in fp64",
                   FIELD(Roofline.Fp64));
  T.optionalNumber("roofline.int", PerCycle, 1e-3, 65536,
                   "the same of 32-bit integer multiply-adds",
                   FIELD(Roofline.Int));
  T.optionalNumber("roofline.memory", Bandwidth, Giga, 1e15,
                   "highest rate of DRAM bytes that it reached",
                   FIELD(Roofline.Memory))
      .Moves = Scaling::MemoryClock;

  T.number("constant.latency", Cycles, 1, 2000,
           "constant load that hits the first level", FIELD(ConstantLatency));
  T.number("texture.latency", Cycles, 1, 5000, "texture fetch that hits",
           FIELD(TextureLatency));
  T.number("atomics.latency", Cycles, 1, 20000,
           "one atomic on global memory without contention, with its result",
           FIELD(GlobalAtomicLatency));
  T.number("atomics.same_address_rate", PerCycle, 1e-4, 4096,
           "atomics of threads on one global address, whole chip",
           FIELD(GlobalAtomicSameAddressRate));
  T.number("atomics.aggregated_rate", PerCycle, 1e-4, 4096,
           "the same when a warp's atomics are combined first: integers on an "
           "address that all lanes share",
           FIELD(GlobalAtomicAggregatedRate));
  T.optionalNumber("atomics.sector_rate", PerCycle, 1e-4, 4096,
                   "sectors of atomic requests that one slice of L2 executes; "
                   "absent: atomics.same_address_rate",
                   FIELD(GlobalAtomicSectorRate));
  T.optionalNumber("atomics.real_same_address_rate", PerCycle, 1e-4, 4096,
                   "floating-point additions of threads on one global address; "
                   "absent: atomics.same_address_rate",
                   FIELD(GlobalAtomicRealRate));
  T.number("atomics.rate", PerCycle, 1e-3, 65536,
           "sectors of atomic requests to spread addresses, whole chip: a "
           "thread's each where they lie in sectors of their own",
           FIELD(GlobalAtomicRate));
  T.optionalNumber(
      "memory.bytes_in_flight", Bytes, 64, 16 * MiB,
      "global-memory bytes that one multiprocessor can have outstanding",
      FIELD(MaxBytesInFlightPerSm));
  T.number("memory.knee", Factor, 1, 20,
           "exponent p of the knee between latency and bandwidth: time = "
           "(latency^p + bandwidth^p)^(1/p)",
           FIELD(MemoryKnee));
}

void addLaunch(Builder &T) {
  using enum KeyDimension;
  GpuKey &Barrier =
      T.number("barrier.latency", Cycles, 1, 5000,
               "barrier of a block of one warp", FIELD(BarrierLatency));
  // The latency of the barrier instruction is also that of its operation class.
  Barrier.Set = [](GpuModel &M, const KeyValue &V) {
    M.BarrierLatency = gpuestimate::Cycles(std::get<double>(V));
    M.Ops[static_cast<unsigned>(OpClass::Barrier)].Latency = M.BarrierLatency;
  };
  T.number("barrier.per_warp", Cycles, 0, 500,
           "added by each further warp of the block", FIELD(BarrierPerWarp));
  T.number("launch.latency", Time, 0, 1e-3,
           "an empty kernel of one block on the device, from start to end",
           FIELD(LaunchLatency));
  T.number("launch.interval", Time, 0, 1e-3,
           "time between launches that one stream sustains back to back",
           FIELD(LaunchInterval));
  T.number("launch.block_rate", PerCycle, 1e-4, 1024,
           "blocks that start per core cycle, whole chip",
           FIELD(BlockDispatchRate))
      .Moves = Scaling::Dispatcher;
  T.flag("launch.block_rate_follows_core",
         "false where the work distributor has a clock of its own: another "
         "core clock then leaves its blocks per second; true if not stated",
         FIELD(BlockRateFollowsCore))
      .Required = false;
  T.number("launch.block_start", Cycles, 0, 10000,
           "from a free place on a multiprocessor to the first instruction of "
           "the block that takes it, and its retirement",
           FIELD(BlockStart));
  T.number("launch.block_start_per_warp", Cycles, 0, 100,
           "added for each warp of the block", FIELD(BlockStartPerWarp));
  T.optionalNumber("launch.profiled", Time, 0, 1e-3,
                   "an empty kernel as a profiler times it, caches warm; "
                   "launch.latency if not stated",
                   FIELD(LaunchProfiled));
  T.optionalNumber("launch.cold", Time, 0, 1e-3,
                   "an empty kernel as a profiler times it after it has "
                   "flushed and invalidated all caches; launch.profiled if not "
                   "stated",
                   FIELD(LaunchCold));
  T.optionalNumber("tlb.walk", Cycles, 0, 20000,
                   "added to the first access to a page by translating its "
                   "address; 0 if not stated",
                   FIELD(TlbWalk));
  T.optionalNumber("tlb.page", Bytes, 4 * KiB, 4 * GiB,
                   "memory that one translation covers", FIELD(TlbPage));
  T.optionalNumber("code.line_fetch", Cycles, 0, 5000,
                   "from the last instruction of a line of code to the first "
                   "one of the next line, neither in an instruction cache; 0 "
                   "if not stated",
                   FIELD(CodeLineFetch));
  T.optionalNumber("code.line_instructions", Count, 1, 1024,
                   "instructions of a line of code",
                   FIELD(CodeLineInstructions));
}

// NOLINTNEXTLINE(readability-function-size): a table, key by key.
void addPower(Builder &T) {
  using enum KeyDimension;
  T.optionalNumber("power.limit", Power, 1, 10000,
                   "board power at which the driver lowers the core clock",
                   FIELD(Power.Limit));
  T.optionalNumber("power.core_clock", Frequency, 50 * Mega, 10 * Giga,
                   "core clock at which the other values of power hold",
                   FIELD(Power.CoreClock))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.dram_clock", Frequency, 50 * Mega, 50 * Giga,
                   "memory clock at which power.dram_idle holds; without it a "
                   "GPU whose power.dram_idle is above 0 has no power",
                   FIELD(Power.DramClock))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.voltage_knee", Frequency, 50 * Mega, 10 * Giga,
                   "core clock up to which the core has its lowest voltage",
                   FIELD(Power.VoltageKnee))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.voltage_floor", Factor, 0.3, 1,
                   "lowest core voltage as a fraction of that at "
                   "power.core_clock; between, the voltage is linear in the "
                   "clock",
                   FIELD(Power.VoltageFloor));
  T.optionalNumber("power.constant", Power, 0, 1000,
                   "of the board whatever the clocks: fans, regulators, host "
                   "interface",
                   FIELD(Power.Constant));
  T.optionalNumber("power.dram_idle", Power, 0, 1000,
                   "of memory and its controller without traffic, "
                   "proportional to dram.clock",
                   FIELD(Power.DramIdle));
  T.optionalNumber("power.leakage", Power, 0, 1000,
                   "of the core with a context and no kernel, at no clock; "
                   "proportional to the square of the voltage",
                   FIELD(Power.Leakage));
  T.optionalNumber("power.clock_tree", Power, 0, 1000,
                   "added at power.core_clock; proportional to clock times "
                   "the square of the voltage",
                   FIELD(Power.ClockTree));
  T.optionalNumber("power.sm_active", Power, 0, 100,
                   "added by each multiprocessor that holds warps; scales as "
                   "power.clock_tree",
                   FIELD(Power.SmActive));
  T.optionalNumber("power.low_state.memory_clock", Frequency, 50 * Mega,
                   50 * Giga,
                   "memory clock up to which the card is in a performance "
                   "state of lower voltage; no such state if not stated",
                   FIELD(Power.LowState.MemoryClock))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.low_state.voltage_floor", Factor, 0.3, 1,
                   "lowest core voltage of that state, as "
                   "power.voltage_floor",
                   FIELD(Power.LowState.VoltageFloor));
  T.optionalNumber("power.low_state.voltage_knee", Frequency, 50 * Mega,
                   10 * Giga, "core clock up to which it has that voltage",
                   FIELD(Power.LowState.VoltageKnee))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.low_state.voltage_end", Frequency, 50 * Mega,
                   10 * Giga,
                   "core clock at which it reaches power.voltage_floor; "
                   "between, the voltage is linear in the clock",
                   FIELD(Power.LowState.VoltageEnd))
      .Moves = Scaling::Fixed;
  T.optionalNumber("power.low_state.constant", Power, 0, 1000,
                   "takes the place of power.constant and power.leakage in "
                   "that state",
                   FIELD(Power.LowState.Constant));
  T.optionalNumber("power.data_activity", Factor, 0.1, 10,
                   "energy of an event of this launch's data relative to those "
                   "of power.energy, which hold for data of programs; 1 if not "
                   "stated, for `--set` where the data are known",
                   FIELD(Power.DataActivity));
  for (const EnergyClassInfo &Class : energyClassTable()) {
    unsigned I = static_cast<unsigned>(Class.Class);
    T.optionalNumber("power.energy." + Class.Name.str(),
                     Class.PerByte ? EnergyPerByte : Energy, 0, 1e-6,
                     Class.Description.str(),
                     [I](auto &M) -> auto & { return M.Power.Energies[I]; });
  }
}

/// Tensor units are the only ones that a GPU of the table may lack; see
/// GpuModel::cost for the other two.
bool isOptional(const OpClassInfo &Class) {
  return Class.UsualPipe == Pipe::Tensor ||
         Class.Class == OpClass::ConvertInt32 ||
         Class.Class == OpClass::WarpReduce;
}

void addOperations(Builder &T) {
  using enum KeyDimension;
  for (const OpClassInfo &Class : opClassTable()) {
    unsigned I = static_cast<unsigned>(Class.Class);
    std::string Prefix = "operations." + Class.Name.str();
    std::string What = Class.Description.str();
    bool Tensor = Class.UsualPipe == Pipe::Tensor;
    if (!Class.IsMemory && Class.Class != OpClass::Barrier) {
      GpuKey &Latency =
          T.number(Prefix + ".latency", Cycles, 0, 5000,
                   "issue to dependent issue: " + What,
                   [I](auto &M) -> auto & { return M.Ops[I].Latency; });
      Latency.Required = !isOptional(Class);
    }
    GpuKey &Throughput =
        T.number(Prefix + ".throughput", PerCycle, 1e-3, 65536,
                 (Tensor ? "multiply-adds of one multiprocessor: "
                         : "threads of one multiprocessor: ") +
                     What,
                 [I](auto &M) -> auto & { return M.Ops[I].Throughput; });
    Throughput.Required = !isOptional(Class);
    GpuKey &OnPipe = T.row(Prefix + ".pipe", PipeName,
                           "pipe that is held; the class's usual one (" +
                               name(Class.UsualPipe).str() + ") if not stated");
    OnPipe.Required = false;
    OnPipe.Get = [I](const GpuModel &M) -> std::optional<KeyValue> {
      return KeyValue(M.Ops[I].On);
    };
    OnPipe.Set = [I](GpuModel &M, const KeyValue &V) {
      M.Ops[I].On = std::get<Pipe>(V);
    };
  }
}

struct GpuKeyTable {
  std::vector<GpuKey> Keys;
  llvm::StringMap<unsigned> Index;
};

const GpuKeyTable &table() {
  static const GpuKeyTable TheTable = [] {
    Builder Rows;
    addIdentity(Rows);
    addMultiprocessor(Rows);
    addMemory(Rows);
    addLaunch(Rows);
    addPower(Rows);
    addOperations(Rows);
    GpuKeyTable Result;
    Result.Keys = std::move(Rows.Keys);
    for (unsigned I = 0; I < Result.Keys.size(); ++I) {
      GpuKey &Key = Result.Keys[I];
      if (Key.Moves == Scaling::ByUnit)
        Key.Moves = usualScaling(Key.Dim);
      assert(Key.Moves != Scaling::ByUnit && "a clock must be stated");
      [[maybe_unused]] bool New =
          Result.Index.try_emplace(Result.Keys[I].Path, I).second;
      assert(New && "one row for each key");
    }
    return Result;
  }();
  return TheTable;
}

} // namespace

llvm::ArrayRef<GpuKey> gpuKeys() { return table().Keys; }

const GpuKey *findGpuKey(llvm::StringRef Path) {
  auto It = table().Index.find(Path);
  return It == table().Index.end() ? nullptr : &table().Keys[It->second];
}

llvm::ArrayRef<ProvenanceKind> provenanceKinds() {
  static constexpr ProvenanceKind Kinds[] = {
      {"vendor",
       "vendor document or header, or a value that the driver reports"},
      {"measured", "microbenchmark on this GPU model"},
      {"fitted", "computed from times or counters that are also cases of "
                 "`validation/`; `fitted_on` names these cases, which do not "
                 "test the value"},
      {"derived", "arithmetic on sourced values; the source gives it"},
      {"secondary", "third-party statement, such as a table of board data"},
      {"measured-arch",
       "microbenchmark on another GPU with the same multiprocessor"},
      {"inherited", "taken from another GPU because nothing better is known; "
                    "the note says from which and why"},
      {"simulator", "setting of a validated simulator, not a measurement"},
      {"assumed", "engineering judgement; the note gives the reason"},
      {"what-if", "set by the user for one run"},
  };
  return Kinds;
}

} // namespace gpuestimate
