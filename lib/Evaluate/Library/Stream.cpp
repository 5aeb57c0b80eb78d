#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

LibraryKernelTime streamTime(const GpuModel &Gpu, const StreamProblem &P) {
  double All = P.ReadBytes + P.WrittenBytes;
  bool FitsL2 = All <= Gpu.L2.Size.value();
  Seconds Moving;
  if (FitsL2)
    Moving = Bytes(P.ReadBytes) / Gpu.L2Bandwidth +
             Bytes(P.WrittenBytes) / Gpu.L2WriteBandwidth;
  else
    Moving = Bytes(All) / dramBandwidthOfLines(Gpu, P.WrittenBytes / All);
  Cycles Issuing(P.Instructions / Gpu.WarpSize /
                 (Gpu.SchedulersPerSm * Gpu.IssueRate * Gpu.SmCount));
  Seconds Steady = std::max(Moving, Issuing / Gpu.CoreClock);
  // Each kernel starts its blocks, waits once for memory, and stores.
  Cycles Latency = FitsL2 ? Gpu.L2.Latency : Gpu.DramLatency;
  Seconds Ends = (Gpu.BlockStart + Latency + Gpu.L2.Latency) *
                 double(P.Kernels) / Gpu.CoreClock;
  Seconds Launches = Gpu.LaunchLatency * double(P.Kernels);

  LibraryKernelTime Result;
  Result.Time = Launches + Ends + Steady;
  bool IsIssueBound = Issuing / Gpu.CoreClock > Moving;
  Result.Bound = IsIssueBound ? Resource::Issue
                 : FitsL2     ? Resource::L2Bandwidth
                              : Resource::DramBandwidth;
  Term Main = IsIssueBound ? Term::Issue : FitsL2 ? Term::L2 : Term::Dram;
  Result.Breakdown = {{Main, Steady / Result.Time},
                      {Term::Dependency, Ends / Result.Time},
                      {Term::Launch, Launches / Result.Time}};
  Result.Share = Steady / Result.Time;
  Result.Shape = formatv("{0} bytes in {1} kernel{2}", uint64_t(All), P.Kernels,
                         P.Kernels == 1 ? "" : "s")
                     .str();
  return Result;
}

} // namespace gpuestimate
