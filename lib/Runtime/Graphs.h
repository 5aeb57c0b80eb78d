/// \file
/// Graphs of stream operations, captured or built by hand.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_GRAPHS_H
#define GPU_ESTIMATE_LIB_RUNTIME_GRAPHS_H

#include "Operations.h"

namespace gpuestimate {

struct GraphNode {
  Graph *Owner = nullptr;
  cudaGraphNodeType Type = cudaGraphNodeTypeEmpty;
  StreamOperation Operation;
  std::vector<GraphNode *> Dependencies;
  // What cudaGraphKernelNodeGetParams and its kin give back.
  cudaKernelNodeParams KernelParameters = {};
  std::vector<void *> ArgumentPointers;
};

/// The value of a conditional handle that a launch of the graph sets first.
struct ConditionalDefault {
  unsigned *Place = nullptr;
  unsigned Value = 0;
};

/// Nodes in the order in which they were added.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> Nodes;
  std::vector<ConditionalDefault> Defaults;
  /// What conditional nodes gave the program: handles of their bodies.
  std::vector<std::unique_ptr<std::vector<cudaGraph_t>>> BodyHandles;

  GraphNode *add(cudaGraphNodeType Type, StreamOperation Operation);
  /// Nodes such that each stands behind those it depends on.
  std::vector<const GraphNode *> inOrder() const;
};

/// A graph that can be launched: its operations, by the nodes of the graph that
/// it came from.
struct ExecutableGraph {
  RunHandle Number = 0;
  std::vector<std::pair<const GraphNode *, StreamOperation>> Operations;
  std::vector<ConditionalDefault> Defaults;
};

} // namespace gpuestimate

#endif
