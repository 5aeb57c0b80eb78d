/// \file
/// The address of one access at single points of a launch.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ADDRESSPROBE_H
#define GPU_ESTIMATE_LIB_EVALUATE_ADDRESSPROBE_H

#include "gpu-estimate/Evaluate/LaneValues.h"
#include <cmath>

namespace gpuestimate {

/// The first thread of a block; coordinates and counters are 0 until they are
/// set.
class AddressProbe {
public:
  AddressProbe(const BoundKernel &Bound, unsigned Access)
      : Program({Bound.boundAddress(Access)}, Bound.names()),
        Inputs(Bound.names().size(), 0) {
    // Any fixed value does: a regular part is the same beside every one.
    for (unsigned V = 0; V < Bound.drawn().size(); ++V)
      Inputs[6 + Bound.kernel().Loops.size() + V] =
          std::floor(Bound.drawn()[V].Range / 2);
  }
  void setBlock(unsigned Dimension, double Index) {
    Inputs[3 + Dimension] = Index;
  }
  void setCounter(unsigned Loop, double Iteration) {
    Inputs[6 + Loop] = Iteration;
  }
  double operator()() {
    double Out;
    Program.evaluate(Inputs, Out);
    return Out;
  }

private:
  CompiledExprs Program;
  std::vector<double> Inputs;
};

} // namespace gpuestimate

#endif
