/// \file
/// What the driver says about the GPU: nothing is measured.
#include "bench.h"

using namespace bench;

int main(int ArgCount, char **Args) {
  Session S("device", ArgCount, Args);
  DeviceProperties P;
  CHECK(RT(GetDeviceProperties)(&P, 0));
  auto Fact = [&](const char *Name, double Value, const char *Unit) {
    if (Value > 0)
      S.report(Name, {}, {Value}, Unit);
  };
  S.reportText("name", P.name);
  int Driver = 0, Runtime = 0;
  CHECK(RT(DriverGetVersion)(&Driver));
  CHECK(RT(RuntimeGetVersion)(&Runtime));
  Fact("driver_version", Driver, "");
  Fact("runtime_version", Runtime, "");
#if BENCH_HIP
  S.reportText("gfx_target", P.gcnArchName);
  Fact("memory_clock", P.memoryClockRate * 1e3, "Hz");
  Fact("rated_clock", P.clockRate * 1e3, "Hz");
#else
  char Capability[16];
  std::snprintf(Capability, sizeof(Capability), "%d.%d", P.major, P.minor);
  S.reportText("compute_capability", Capability);
  int Kilohertz = 0;
  CHECK(cudaDeviceGetAttribute(&Kilohertz, cudaDevAttrClockRate, 0));
  Fact("rated_clock", Kilohertz * 1e3, "Hz");
  CHECK(cudaDeviceGetAttribute(&Kilohertz, cudaDevAttrMemoryClockRate, 0));
  Fact("memory_clock", Kilohertz * 1e3, "Hz");
  int Blocks = 0;
  CHECK(cudaDeviceGetAttribute(&Blocks, cudaDevAttrMaxBlocksPerMultiprocessor,
                               0));
  Fact("max_blocks", Blocks, "");
  Fact("shared_per_block_max", double(P.sharedMemPerBlockOptin), "B");
  Fact("shared_reserved", double(P.reservedSharedMemPerBlock), "B");
  Fact("registers", P.regsPerMultiprocessor, "");
  Fact("shared_size", double(P.sharedMemPerMultiprocessor), "B");
#endif
  Fact("sm_count", P.multiProcessorCount, "");
  Fact("warp_size", P.warpSize, "");
  Fact("max_warps", P.maxThreadsPerMultiProcessor / P.warpSize, "");
  Fact("max_threads_per_block", P.maxThreadsPerBlock, "");
  Fact("shared_per_block_default", double(P.sharedMemPerBlock), "B");
  Fact("l2_size", double(P.l2CacheSize), "B");
  Fact("dram_size", double(P.totalGlobalMem), "B");
  // Two transfers for each cycle of the memory clock that the driver names.
  Fact("bus_width", P.memoryBusWidth / 8, "B");
}
