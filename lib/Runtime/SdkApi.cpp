/// \file
/// Functions under the names and with the parameters of NVIDIA's headers of
/// toolkit 13, where those differ from the shipped headers.
#include "GraphApi.h"
#include "MemoryApi.h"
#include "Process.h"

using namespace gpuestimate;

#pragma GCC visibility push(default)
extern "C" {

// The location is passed as one register, as the device's number of toolkit 12,
// which is 0 or -1, and which the stream follows.
cudaError_t cudaMemPrefetchAsync(const void *Start, size_t Bytes,
                                 cudaMemLocation To, unsigned,
                                 cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  int Type = int(To.type);
  bool IsToolkit12 = Type <= 0,
       ToHost = IsToolkit12 ? Type < 0 : Type != cudaMemLocationTypeDevice;
  return Call.done(prefetchManaged(Call, Start, Bytes, ToHost,
                                   IsToolkit12 ? nullptr : Stream));
}

cudaError_t cudaMemAdvise(const void *Start, size_t Bytes,
                          cudaMemoryAdvise Advice, cudaMemLocation Of) {
  GPU_ESTIMATE_CALL;
  int Type = int(Of.type);
  bool OfHost = Type <= 0 ? Type < 0 : Type != cudaMemLocationTypeDevice;
  return Call.done(adviseManaged(Call, Start, Bytes, Advice, OfHost));
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
