/// \file
/// Runs every thread of a kernel model, loop by loop: what sampling, traffic
/// estimation and the cache simulator's input are held against.
#ifndef GPU_ESTIMATE_TEST_ORACLE_WARPRUNNER_H
#define GPU_ESTIMATE_TEST_ORACLE_WARPRUNNER_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include <functional>
#include <vector>

namespace gpuestimate::test {

/// One request of one warp: NaN for the lanes that take no part.
struct Request {
  unsigned Access;
  std::vector<double> Lanes;
};

/// What an array of indices holds: element number -> value.
using ArrayContents = std::function<double(double Element)>;

/// Runs every thread of one warp; all conditions must be 0 or 1.
class WarpRunner {
public:
  WarpRunner(const KernelModel &K, const Launch &L, const Bindings &Values,
             unsigned Lanes = 32, ArrayContents Contents = {});

  unsigned warpsPerBlock() const {
    return (L.threadsPerBlock() + Lanes - 1) / Lanes;
  }
  void run(std::array<uint64_t, 3> BlockIndex, unsigned Warp);

  std::function<void(const Request &)> OnRequest = [](const Request &) {};
  std::function<void()> OnBarrier = [] {};
  std::vector<double> BlockWarps, BlockThreads, LoopEntries, LoopIterations;

private:
  using Mask = std::vector<bool>;
  void fill(unsigned Slot, double V);
  std::vector<double> values(CompiledExprs &E);
  Mask where(Mask In, CompiledExprs &Condition);
  void runBody(const std::vector<RegionNode> &Body, const Mask &In);
  void runBlock(unsigned Index, const Mask &In);
  void request(unsigned Access, const Mask &In);

  const KernelModel &K;
  const Launch &L;
  unsigned Lanes;
  ArrayContents Contents;
  std::vector<std::string> Names;
  std::vector<double> Inputs;
  std::vector<CompiledExprs> Active, LoopActive, Trips, Addresses;
  /// [access] input of the value that it loads, or -1.
  std::vector<int> Loads;
};

} // namespace gpuestimate::test

#endif
