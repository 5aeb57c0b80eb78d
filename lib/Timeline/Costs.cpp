#include "gpu-estimate/Model/Machine/InlineEcc.h"
#include "gpu-estimate/Timeline/TimelineCosts.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

TimelineCosts timelineCosts(const GpuModel &Gpu) {
  constexpr double NsPerSecond = 1e9;
  TimelineCosts C;
  using Assume = TimelineCost;

  // An empty kernel takes launch.latency in a graph and launch.interval in a
  // stream, so a stream is bound by the host's calls.
  C.LaunchCallNs = Gpu.LaunchInterval.value() * NsPerSecond;
  C.LaunchLatencyNs = Gpu.LaunchLatency.value() * NsPerSecond;
  C.GraphCallNs =
      Assume(C.LaunchCallNs, "the launch of a graph takes the host as long as "
                             "that of a kernel");
  C.CopyCallNs = Assume(6000, "a call that copies takes the host 6 us");
  C.AllocateNs = Assume(60000, "cudaMalloc and cudaFree take the host 60 us");
  C.FreeNs = C.AllocateNs;
  C.StreamCallNs = Assume(10000, "making or destroying a stream takes 10 us");
  C.CallNs = Assume(500, "any other call takes the host 0.5 us");

  TimelineCost LinkLatencyNs =
      Gpu.LinkLatency
          ? TimelineCost(Gpu.LinkLatency->value() * NsPerSecond)
          : Assume(1200, "a round trip between host and GPU takes 1.2 us "
                         "(link.latency is not stated)");
  C.SubmitNs = {1.5 * LinkLatencyNs, LinkLatencyNs.Assumption};
  C.CompletionNs = {0.5 * LinkLatencyNs, LinkLatencyNs.Assumption};

  constexpr double Pcie4 = 25;
  C.LinkRate = Gpu.LinkBandwidth
                   ? TimelineCost(Gpu.LinkBandwidth->value() / NsPerSecond)
                   : Assume(Pcie4, "the link to the host is PCIe 4.0 with 16 "
                                   "lanes, 25 GB/s (link.bandwidth is not "
                                   "stated)");
  C.StagingRate = Assume(10.5, "the host copies pageable memory to pinned "
                               "memory at 10.5 GB/s");
  C.FaultNs = Gpu.PageFaultLatency
                  ? TimelineCost(Gpu.PageFaultLatency->value() * NsPerSecond)
                  : Assume(0, "the first page fault of a launch takes no time "
                              "(link.fault_latency is not stated)");
  C.MigrationRate =
      Gpu.MigrationBandwidth
          ? TimelineCost(Gpu.MigrationBandwidth->value() / NsPerSecond)
          : Assume(C.LinkRate, "pages of managed memory migrate at the rate of "
                               "the link (link.migration_bandwidth is not "
                               "stated)");
  C.CopyStartNs = Assume(1300, "the shortest copy takes the GPU 1.3 us");
  C.DeviceCopyRate = Gpu.DramCopyBandwidth.value() /
                     dramBytesPerByte(Gpu, 0.5) / 2 / NsPerSecond;
  C.MemsetRate =
      Gpu.DramWriteBandwidth.value() / dramBytesPerByte(Gpu, 1) / NsPerSecond;
  return C;
}

} // namespace gpuestimate
