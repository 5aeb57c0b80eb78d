/// \file
/// Names of the bounds, for people.
#include "gpu-estimate/Explain/Explain.h"

#include "llvm/ADT/StringSwitch.h"

namespace gpuestimate {

llvm::StringRef describeBottleneck(llvm::StringRef Name) {
  return llvm::StringSwitch<llvm::StringRef>(Name)
      .Case("dram-bandwidth", "the bandwidth of DRAM")
      .Case("l2-bandwidth", "the bandwidth between L1 and L2")
      .Case("l3-bandwidth", "the bandwidth of the cache in front of DRAM")
      .Case("l1-bandwidth", "the bandwidth of L1")
      .Case("shared-bandwidth", "the bandwidth of shared memory")
      .Case("outstanding-requests",
            "the requests that a multiprocessor can have in flight")
      .Case("issue", "the rate at which warps issue instructions")
      .Case("register-read", "the read ports of the registers")
      .Case("fp32", "the fp32 pipe")
      .Case("fp64", "the fp64 pipe")
      .Case("fp16", "the fp16 pipe")
      .Case("int", "the integer pipe")
      .Case("sfu", "the special-function pipe")
      .Case("tensor", "the tensor pipe")
      .Case("load-store", "the load/store unit")
      .Case("branch", "the branch unit")
      .Case("texture", "the texture unit")
      .Case("latency", "latencies that too few warps hide")
      .Case("launch", "the time of the launch itself")
      .Case("tail", "the last, partly filled wave of blocks")
      .Case("dispatch", "the rate at which blocks are started")
      .Case("shared-atomics", "atomics on one address of shared memory")
      .Case("global-atomics", "atomics on global memory")
      .Default(Name);
}

} // namespace gpuestimate
