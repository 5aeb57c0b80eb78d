/// \file
/// Functions on graphs whose parameters differ between versions of the toolkit.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_GRAPHAPI_H
#define GPU_ESTIMATE_LIB_RUNTIME_GRAPHAPI_H

#include "Graphs.h"

namespace gpuestimate {

cudaError_t addDependencies(cudaGraph_t Handle, const cudaGraphNode_t *From,
                            const cudaGraphNode_t *To, size_t Count);
/// A node of any kind.
cudaError_t addNode(cudaGraphNode_t *Result, cudaGraph_t Handle,
                    const cudaGraphNode_t *Dependencies, size_t Count,
                    cudaGraphNodeParams *P);
cudaError_t updateGraph(cudaGraphExec_t Handle, cudaGraph_t Other);

} // namespace gpuestimate

#endif
