/// \file
/// Random kernels, GPUs and launches for property tests. Equal seeds give
/// equal values with every standard library.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATERANDOM_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATERANDOM_H

#include "EvaluateKernels.h"

namespace gpuestimate::test {

class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15ULL + 1) {}
  uint64_t bits() {
    State += 0x9e3779b97f4a7c15ULL;
    uint64_t Z = (State ^ (State >> 30)) * 0xbf58476d1ce4e5b9ULL;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebULL;
    return Z ^ (Z >> 31);
  }
  /// Low .. High, both possible.
  unsigned between(unsigned Low, unsigned High) {
    return Low + bits() % (High - Low + 1);
  }
  double real(double Low, double High) {
    return Low + (High - Low) * (double(bits() >> 11) * 0x1p-53);
  }
  bool chance(double P) { return real(0, 1) < P; }

private:
  uint64_t State;
};

struct RandomKernelOptions {
  /// Every share 0 or 1, every trip count a whole number.
  bool WholeNumbers = false;
  bool Barriers = true;
  bool Predicates = false; ///< half of the blocks may be predicated
  unsigned MaxTrips = 40;
};

/// Nested loops over blocks of all kinds of operations. Shares and trip
/// counts are numbers; the first loop's trip count is the parameter "n".
OpKernel randomKernel(Random &R, const RandomKernelOptions &Options = {});
/// Hit fractions and passes for the kernel's accesses.
std::vector<AccessFacts> randomFacts(Random &R, const KernelModel &Kernel);
/// Latencies rise with the level, bandwidths fall.
GpuModel randomGpu(Random &R);
Launch randomLaunch(Random &R);

} // namespace gpuestimate::test

#endif
