/// \file
/// Functions under the names and with the parameters of NVIDIA's headers of
/// toolkit 13, where those differ from the shipped headers.
#include "GraphApi.h"
#include "Process.h"

using namespace gpuestimate;

#pragma GCC visibility push(default)
extern "C" {

// The location is passed as one register, as the device's number of toolkit 12.
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation,
                                 unsigned, cudaStream_t) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                          cudaMemLocation) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Result, cudaGraph_t Graph,
                                 unsigned long long Flags) {
  return cudaGraphInstantiateWithFlags(Result, Graph, Flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t Graph,
                                cudaGraphExecUpdateResultInfo *Info) {
  cudaError_t Error = updateGraph(Handle, Graph);
  if (Info)
    Info->result = Error ? cudaGraphExecUpdateErrorTopologyChanged
                         : cudaGraphExecUpdateSuccess;
  return Error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t Graph,
                                     const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To,
                                     const cudaGraphEdgeData *, size_t Count) {
  return addDependencies(Graph, From, To, Count);
}

} // extern "C"
#pragma GCC visibility pop
