/// \file
/// The smallest initiation interval that a dependence graph allows.
#include "gpu-estimate/Targets/Fpga/FpgaTime.h"

#include "gpu-estimate/Support/Bisect.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// True if the latencies of some circuit exceed Interval times its distances.
/// Without such a circuit, longest paths (Bellman-Ford) converge within as many
/// rounds as there are nodes.
static bool isViolated(unsigned Nodes, llvm::ArrayRef<DependenceEdge> Edges,
                       double Interval) {
  std::vector<double> Start(Nodes, 0);
  for (unsigned Round = 0; Round <= Nodes; ++Round) {
    bool Moved = false;
    for (const DependenceEdge &E : Edges) {
      double Earliest = Start[E.From] + E.Latency - Interval * E.Distance;
      if (Earliest > Start[E.To] + 1e-9) {
        Start[E.To] = Earliest;
        Moved = true;
      }
    }
    if (!Moved)
      return false;
  }
  return true;
}

double recurrenceInterval(unsigned Nodes,
                          llvm::ArrayRef<DependenceEdge> Edges) {
  double High = 1;
  for (const DependenceEdge &E : Edges)
    High += E.Latency;
  return lastTrue(0.0, std::ceil(High),
                  [&](double Interval) {
                    return isViolated(Nodes, Edges, Interval);
                  }) +
         1;
}

} // namespace gpuestimate
