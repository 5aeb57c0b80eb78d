/// \file
/// Names of the bounds, for people.
#include "gpu-estimate/Advice/Bottleneck.h"
#include "gpu-estimate/Advice/Advice.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

static constexpr BottleneckInfo BottleneckTable[] = {
    {"issue", "issue", "the rate at which warps issue instructions"},
    {"register-read", "registers", "the read ports of the registers"},
    {"fp32", "pipes", "the fp32 pipe"},
    {"fp64", "pipes", "the fp64 pipe"},
    {"fp16", "pipes", "the fp16 pipe"},
    {"int", "pipes", "the integer pipe"},
    {"sfu", "pipes", "the special-function pipe"},
    {"tensor", "pipes", "the tensor pipe"},
    {"load-store", "load-store", "the load/store unit"},
    {"texture", "pipes", "the texture unit"},
    {"branch", "pipes", "the branch unit"},
    {"shared-bandwidth", "shared", "the bandwidth of shared memory"},
    {"l1-bandwidth", "l1", "the bandwidth of L1"},
    {"outstanding-requests", "outstanding",
     "the requests that a multiprocessor can have in flight"},
    {"shared-atomics", "atomics", "atomics on one address of shared memory"},
    {"l2-bandwidth", "l2", "the bandwidth between L1 and L2"},
    {"l3-bandwidth", "l3", "the bandwidth of the cache in front of DRAM"},
    {"dram-bandwidth", "dram", "the bandwidth of DRAM"},
    {"host-link", "link", "the link to the memory of the host"},
    {"global-atomics", "atomics", "atomics on global memory"},
    {"dispatch", "dispatch", "the rate at which blocks are started"},
    {"latency", "dependency", "latencies that too few warps hide"},
    {"launch", "launch", "the time of the launch itself"},
    {"tail", "tail", "the last, partly filled wave of blocks"},
    {"wait", "wait", "the clock that it waits for"},
    {"migration", "migration", "the migration of managed memory"},
};

llvm::ArrayRef<BottleneckInfo> bottleneckTable() { return BottleneckTable; }

const BottleneckInfo *findBottleneck(llvm::StringRef Name) {
  const auto *Info = llvm::find_if(
      BottleneckTable, [&](const BottleneckInfo &B) { return B.Name == Name; });
  return Info == std::end(BottleneckTable) ? nullptr : Info;
}

llvm::StringRef describeBottleneck(llvm::StringRef Name) {
  const BottleneckInfo *Info = findBottleneck(Name);
  return Info ? Info->Words : Name;
}

} // namespace gpuestimate
