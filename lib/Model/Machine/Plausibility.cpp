/// \file
/// Relations that hold on every real GPU.
#include "gpu-estimate/Model/Machine/Plausibility.h"

#include "KnownArchitectures.h"
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// Tolerance between two measurements of one quantity.
constexpr double Noise = 1.02;

/// Compares values by their keys, so that messages can name and print both.
class PlausibilityChecker {
public:
  explicit PlausibilityChecker(const GpuModel &Model) : Model(Model) {}

  std::vector<std::string> Complaints;

  std::optional<double> number(llvm::StringRef Path) const {
    std::optional<KeyValue> Value = findGpuKey(Path)->Get(Model);
    return Value ? std::optional(std::get<double>(*Value)) : std::nullopt;
  }

  void atMost(llvm::StringRef Small, llvm::StringRef Large, double Slack = 1) {
    if (number(Small) > *number(Large) * Slack)
      complain(Small, " is above ", Large);
  }
  void below(llvm::StringRef Small, llvm::StringRef Large) {
    if (number(Small) >= number(Large))
      complain(Small, " is not below ", Large);
  }
  void multiple(llvm::StringRef Large, llvm::StringRef Small) {
    if (std::fmod(*number(Large), *number(Small)) != 0)
      complain(Large, " is not a multiple of ", Small);
  }
  void require(bool Holds, const llvm::Twine &Sentence) {
    if (!Holds)
      Complaints.push_back(Sentence.str());
  }
  std::string text(llvm::StringRef Path) const {
    auto Origin = Model.Sources.find(Path); // as written, if it was written
    const GpuKey &Key = *findGpuKey(Path);
    std::string Value = Origin != Model.Sources.end()
                            ? Origin->second.Text
                            : printKeyValue(Key, *Key.Get(Model));
    return (Path + " (" + Value + ")").str();
  }

private:
  void complain(llvm::StringRef A, llvm::StringRef Relation,
                llvm::StringRef B) {
    Complaints.push_back(text(A) + Relation.str() + text(B));
  }

  const GpuModel &Model;
};

/// Clock times width. A pin carries half a gigabit (DDR3) to 40 (GDDR7) in a
/// second; beyond that, a unit is wrong.
void checkPins(PlausibilityChecker &C, const GpuModel &M) {
  if (!M.DramBusWidth)
    return;
  double Peak = M.DramPeakBandwidth.value(), Width = M.DramBusWidth->value();
  double PinRate = Peak / Width;
  C.require(PinRate >= 0.5e9 && PinRate <= 40e9,
            C.text("dram.peak_bandwidth") + " by " + C.text("dram.bus_width") +
                " is no data rate of a pin");
  if (M.DramClock)
    C.require(std::fabs(2 * M.DramClock->value() * Width / Peak - 1) < 0.02,
              C.text("dram.peak_bandwidth") +
                  " is not two transfers for each " + C.text("dram.clock") +
                  " over " + C.text("dram.bus_width"));
}

/// Checks the limits of the architecture. A measured size of L1 may be less,
/// because a driver may reserve part of the array.
void checkKnown(PlausibilityChecker &C, const GpuModel &M) {
  const KnownArchitecture *Architecture = findKnownArchitecture(
      M.GfxTarget.empty() ? M.ComputeCapability : M.GfxTarget);
  if (!Architecture)
    return;
  auto Is = [&](llvm::StringRef Key, double Expected, double Least,
                llvm::StringRef Unit) {
    double Value = *C.number(Key);
    C.require(Value <= Expected * 1.02 && Value >= Expected * Least,
              C.text(Key) + " does not fit architecture " + Architecture->Name +
                  ", which has " +
                  llvm::Twine(static_cast<uint64_t>(Expected)) + Unit);
  };
  Is("occupancy.max_warps", Architecture->Warps, 1, "");
  Is("occupancy.max_blocks", Architecture->Blocks, 1, "");
  Is("occupancy.registers", Architecture->Registers, 1, "");
  Is("shared.size", Architecture->SharedKiB * 1024.0, 1, " bytes");
  Is("l1.size", Architecture->L1KiB * 1024.0, 0.85, " bytes");
  // Kepler's lanes wait for dual issue, which plain code does not sustain.
  Is("operations.fp32_fma.throughput", Architecture->Fp32Lanes, 0.4, " lanes");
}

void checkMemory(PlausibilityChecker &C, const GpuModel &M) {
  C.atMost("shared.latency", "l1.latency");
  C.below("l1.latency", "l2.latency");
  C.below("l2.latency", "dram.latency");
  if (M.L2FarLatency) {
    C.atMost("l2.latency", "l2.far_latency");
    C.below("l2.far_latency", "dram.latency");
  }
  bool Whole = M.L3Size && M.L3Latency && M.L3Bandwidth;
  C.require(Whole || (!M.L3Size && !M.L3Latency && !M.L3Bandwidth),
            "l3 needs size, latency and bandwidth together");
  if (Whole) {
    C.below("l2.size", "l3.size");
    C.below("l2.latency", "l3.latency");
    C.below("l3.latency", "dram.latency");
    C.atMost("dram.read_bandwidth", "l3.bandwidth");
  }
  int RowKeys = M.DramRowSize.has_value() + M.DramChannels.has_value() +
                M.DramActivationInterval.has_value();
  C.require(RowKeys == 0 || RowKeys == 3,
            "rows of dram need row_size, channels and activation_interval "
            "together");
  C.atMost("constant.latency", "l2.latency");
  C.atMost("shared.latency", "shared.atomic_latency");

  for (const char *Sustained :
       {"dram.read_bandwidth", "dram.write_bandwidth", "dram.copy_bandwidth"}) {
    C.atMost(Sustained, "dram.peak_bandwidth");
    // Less than a third of the pins is a unit mistake, not a slow memory.
    C.require(C.number(Sustained) >= *C.number("dram.peak_bandwidth") / 3,
              C.text(Sustained) + " is less than a third of " +
                  C.text("dram.peak_bandwidth"));
  }
  checkPins(C, M);
  C.atMost("dram.read_bandwidth", "l2.read_bandwidth");
  C.atMost("l2.write_bandwidth", "l2.read_bandwidth", 1.1);
  double L1PerSecond = M.L1Bandwidth.value() * M.SmCount * M.CoreClock.value();
  C.require(M.L2Bandwidth.value() <= L1PerSecond * 1.1,
            C.text("l2.read_bandwidth") +
                " is above l1.bandwidth over all multiprocessors");
  // A work-group processor of RDNA, two compute units, has two L1 caches.
  unsigned Memories = M.Vendor == "AMD" && M.WarpSize == 32 ? 2 : 1;
  C.require(M.SharedBandwidth.value() <=
                Memories * M.SharedBanks * M.SharedBankWidth.value(),
            C.text("shared.bandwidth") +
                " is above shared.banks x shared.bank_width");

  // A cache has whole banks, so 40 MB instead of 40 MiB is a mistake.
  C.require(std::fmod(M.L2.Size.value(), 65536) == 0,
            C.text("l2.size") + " is not a multiple of 64 KiB");
  C.multiple("l1.line", "l1.sector");
  C.multiple("l2.line", "l2.sector");
  C.atMost("l1.size", "dram.size");
  C.below("l2.size", "dram.size");
  C.atMost("shared.per_block_max", "shared.size");
  C.atMost("shared.per_block_default", "shared.per_block_max");
  if (M.L1UnifiedWithShared)
    C.atMost("shared.size", "l1.size");
  C.require(M.SharedCarveouts.empty() ||
                M.SharedCarveouts.back() == M.SharedPerSm,
            "the largest of shared.carveouts is not shared.size");
  C.atMost("atomics.same_address_rate", "atomics.rate", Noise);
  C.atMost("atomics.same_address_rate", "atomics.aggregated_rate", Noise);
}

void checkExecution(PlausibilityChecker &C, const GpuModel &M) {
  double Threads = double(M.MaxWarpsPerSm) * M.WarpSize;
  C.require(Threads >= M.MaxThreadsPerBlock,
            "a block of occupancy.max_threads_per_block does not fit a "
            "multiprocessor");
  C.multiple("occupancy.registers", "occupancy.register_allocation_unit");
  C.require(M.SchedulersPerSm == 0 || M.MaxWarpsPerSm % M.SchedulersPerSm == 0,
            C.text("occupancy.max_warps") + " is not a multiple of " +
                C.text("sm.schedulers"));
  // Only tensor units can retire more results than are issued. The factor 1.5
  // allows for Kepler's 192 lanes, which need a dual issue that plain code does
  // not sustain.
  double Issued = 1.5 * M.SchedulersPerSm * M.IssueRate * M.WarpSize;
  for (const OpClassInfo &Class : opClassTable()) {
    const OpCost &Cost = M.cost(Class.Class);
    std::string Key = "operations." + Class.Name.str() + ".throughput";
    if (Cost.On == Pipe::Tensor)
      continue;
    C.require(Cost.Throughput <= Issued,
              C.text(Key) + " is above what the schedulers issue");
  }
  // The add, multiply and fused forms share their lanes.
  for (const char *Type : {"fp32", "fp64", "fp16"}) {
    std::string Prefix = std::string("operations.") + Type;
    C.atMost(Prefix + "_fma.throughput", Prefix + "_add.throughput", Noise);
  }
  C.atMost("operations.fp64_fma.throughput", "operations.fp32_fma.throughput",
           Noise);
  C.atMost("launch.latency", "launch.interval", 2);
  C.require(M.ComputeCapability.empty() != M.GfxTarget.empty(),
            "a GPU has either a compute_capability or a gfx_target");
}

} // namespace

std::vector<std::string> checkPlausibility(const GpuModel &Model) {
  PlausibilityChecker C(Model);
  checkMemory(C, Model);
  checkKnown(C, Model);
  checkExecution(C, Model);
  return std::move(C.Complaints);
}

} // namespace gpuestimate
