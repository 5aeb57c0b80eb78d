/// \file
/// The smallest initiation interval that a dependence graph allows.
#include "gpu-estimate/Targets/Fpga/FpgaTime.h"

#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Is there a circuit whose latencies exceed Interval times its distances?
/// Longest paths (Bellman-Ford) settle within as many rounds as there are nodes
/// unless there is one.
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
  double Low = 1;
  while (Low < High) {
    double Middle = std::floor((Low + High) / 2);
    if (isViolated(Nodes, Edges, Middle))
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

} // namespace gpuestimate
