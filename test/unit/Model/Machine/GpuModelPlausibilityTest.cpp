/// \file
/// Each rule of plausibility: a model that breaks it is told so, by key, and
/// the same model without the change is not.
#include "gpu-estimate/Model/Machine/Plausibility.h"
#include "helpers/GpuModelTesting.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

struct Broken {
  const char *Gpu, *Set;
  const char *Key;  ///< that the complaint names
  const char *Says; ///< what it says about it
};

constexpr char A100[] = "nvidia-a100-40gb-pcie", Rdna[] = "amd-rx-6900-xt",
               V100[] = "nvidia-v100";

constexpr Broken Rules[] = {
    // Latency grows with the distance.
    {A100, "shared.latency=100cycles", "shared.latency", "is above l1.latency"},
    {A100, "l1.latency=300cycles", "l1.latency", "is not below l2.latency"},
    {A100, "dram.latency=100cycles", "l2.latency", "is not below dram.latency"},
    {A100, "l2.far_latency=50cycles", "l2.latency", "is above l2.far_latency"},
    {A100, "l2.far_latency=5000cycles", "l2.far_latency",
     "is not below dram.latency"},
    {Rdna, "l3.latency=20cycles", "l2.latency", "is not below l3.latency"},
    {Rdna, "l3.latency=9000cycles", "l3.latency", "is not below dram.latency"},
    {A100, "constant.latency=900cycles", "constant.latency",
     "is above l2.latency"},
    {A100, "shared.atomic_latency=5cycles", "shared.latency",
     "is above shared.atomic_latency"},
    // Bandwidth against clock times width, and against what lies behind it.
    {A100, "dram.read_bandwidth=1600GB/s", "dram.read_bandwidth",
     "is above dram.peak_bandwidth"},
    {A100, "dram.write_bandwidth=1600GB/s", "dram.write_bandwidth",
     "is above dram.peak_bandwidth"},
    {A100, "dram.copy_bandwidth=1600GB/s", "dram.copy_bandwidth",
     "is above dram.peak_bandwidth"},
    {A100, "dram.read_bandwidth=100GB/s", "dram.read_bandwidth",
     "is less than a third of dram.peak_bandwidth"},
    {A100, "dram.write_bandwidth=100GB/s", "dram.write_bandwidth",
     "is less than a third of dram.peak_bandwidth"},
    {A100, "dram.copy_bandwidth=100GB/s", "dram.copy_bandwidth",
     "is less than a third of dram.peak_bandwidth"},
    {A100, "dram.clock=2430MHz", "dram.peak_bandwidth",
     "is not two transfers for each dram.clock"},
    {A100, "dram.peak_bandwidth=1700GB/s", "dram.bus_width",
     "is not two transfers for each dram.clock"},
    {"nvidia-rtx-3090", "dram.bus_width=12B", "dram.bus_width",
     "is no data rate of a pin"},
    {"nvidia-jetson-orin", "dram.bus_width=4096B", "dram.bus_width",
     "is no data rate of a pin"},
    {A100, "l2.read_bandwidth=1000GB/s", "dram.read_bandwidth",
     "is above l2.read_bandwidth"},
    {A100, "l2.write_bandwidth=90TB/s", "l2.write_bandwidth",
     "is above l2.read_bandwidth"},
    {A100, "l2.read_bandwidth=90TB/s", "l2.read_bandwidth",
     "is above l1.bandwidth over all multiprocessors"},
    {A100, "shared.bandwidth=256B/cycle", "shared.bandwidth",
     "is above shared.banks x shared.bank_width"},
    {Rdna, "l3.bandwidth=100GB/s", "dram.read_bandwidth",
     "is above l3.bandwidth"},
    // Sizes of caches.
    {A100, "l2.size=40MB", "l2.size", "is not a multiple of 64 KiB"},
    {"nvidia-gtx-1050", "l2.size=4GiB", "l2.size", "is not below dram.size"},
    {A100, "l1.size=128KiB", "l1.size", "does not fit architecture 8.0"},
    {A100, "l1.size=80KiB", "l1.size", "does not fit architecture 8.0"},
    {A100, "shared.size=100KiB", "shared.size",
     "does not fit architecture 8.0"},
    {A100, "shared.size=200KiB", "shared.size", "is above l1.size"},
    {A100, "shared.per_block_max=170KiB", "shared.per_block_max",
     "is above shared.size"},
    {A100, "shared.per_block_default=167KiB", "shared.per_block_default",
     "is above shared.per_block_max"},
    {A100, "shared.carveouts=0B,8KiB", "shared.carveouts",
     "is not shared.size"},
    {A100, "l1.sector=48B", "l1.line", "is not a multiple of l1.sector"},
    {A100, "l2.sector=48B", "l2.line", "is not a multiple of l2.sector"},
    {A100, "l3.size=64MiB", "l3", "needs size, latency and bandwidth together"},
    {Rdna, "l3.size=2MiB", "l2.size", "is not below l3.size"},
    // Throughputs against lanes and schedulers.
    {A100, "operations.fp32_fma.throughput=128/cycle", "fp32_fma.throughput",
     "does not fit architecture 8.0, which has 64 lanes"},
    {A100, "operations.fp32_fma.throughput=16/cycle", "fp32_fma.throughput",
     "does not fit architecture 8.0"},
    {A100, "operations.logic.throughput=512/cycle", "logic.throughput",
     "is above what the schedulers issue"},
    {A100, "operations.fp32_add.throughput=32/cycle", "fp32_fma.throughput",
     "is above operations.fp32_add.throughput"},
    {A100, "operations.fp64_add.throughput=16/cycle", "fp64_fma.throughput",
     "is above operations.fp64_add.throughput"},
    {A100, "operations.fp16_add.throughput=16/cycle", "fp16_fma.throughput",
     "is above operations.fp16_add.throughput"},
    {A100, "operations.fp64_fma.throughput=100/cycle", "fp64_fma.throughput",
     "is above operations.fp32_fma.throughput"},
    {A100, "atomics.same_address_rate=4000/cycle", "atomics.same_address_rate",
     "is above atomics.rate"},
    {A100, "atomics.aggregated_rate=0.001/cycle", "atomics.same_address_rate",
     "is above atomics.aggregated_rate"},
    // Residency, launches.
    {V100, "occupancy.max_warps=32", "occupancy.max_warps",
     "does not fit architecture 7.0, which has 64"},
    {V100, "occupancy.max_blocks=16", "occupancy.max_blocks",
     "does not fit architecture 7.0"},
    {V100, "occupancy.registers=131072", "occupancy.registers",
     "does not fit architecture 7.0"},
    {A100, "occupancy.max_warps=16", "occupancy.max_threads_per_block",
     "does not fit a multiprocessor"},
    {A100, "occupancy.max_warps=62", "occupancy.max_warps",
     "is not a multiple of sm.schedulers"},
    {A100, "occupancy.register_allocation_unit=100", "occupancy.registers",
     "is not a multiple of occupancy.register_allocation_unit"},
    {A100, "launch.latency=10us", "launch.latency", "is above launch.interval"},
};

/// Whether one complaint names Key and says what it should.
bool complains(const GpuModel &Model, const Broken &Rule) {
  return llvm::any_of(checkPlausibility(Model), [&](llvm::StringRef Complaint) {
    return Complaint.contains(Rule.Key) && Complaint.contains(Rule.Says);
  });
}

TEST(GpuModelPlausibility, EachRuleNoticesWhatBreaksIt) {
  for (const Broken &Rule : Rules) {
    GpuModel Model = shipped(Rule.Gpu);
    EXPECT_FALSE(complains(Model, Rule)) << Rule.Gpu << " as it is";
    ASSERT_FALSE(setGpuValue(Model, Rule.Set)) << Rule.Set;
    EXPECT_TRUE(complains(Model, Rule))
        << Rule.Gpu << " " << Rule.Set << "\n"
        << llvm::join(checkPlausibility(Model), "\n");
  }
}

TEST(GpuModelPlausibility, AGpuIsOfOneMaker) {
  GpuModel Model = shipped(A100);
  Model.GfxTarget = "gfx90a";
  EXPECT_TRUE(llvm::is_contained(
      checkPlausibility(Model),
      "a GPU has either a compute_capability or a gfx_target"));
}

TEST(GpuModelPlausibility, AMeasuredL1MayLackWhatTheDriverTakes) {
  GpuModel Model = shipped(A100);
  ASSERT_FALSE(setGpuValue(Model, "l1.size=180KiB"));
  EXPECT_TRUE(checkPlausibility(Model).empty());
}

TEST(GpuModelPlausibility, ClockAndPeakMoveTogether) {
  GpuModel Model = shipped(A100);
  ASSERT_FALSE(setGpuValue(Model, "dram_bandwidth=2980GB/s"));
  EXPECT_EQ(*Model.DramClock, Hertz(2430e6));
  EXPECT_TRUE(checkPlausibility(Model).empty());
}

} // namespace
