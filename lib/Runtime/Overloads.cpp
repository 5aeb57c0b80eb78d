/// \file
/// Functions of the shipped headers with C++ linkage: those whose parameters
/// differ between versions of the toolkit.
#include "GraphApi.h"
#include "MemoryApi.h"
#include "Process.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/runtime_overloads.h"
#pragma GCC visibility pop

using namespace gpuestimate;

namespace {

/// Device: -1 is the host.
cudaError_t prefetch(const void *Start, size_t Bytes, int Device,
                     cudaStream_t Stream) {
  ApiCall Call("cudaMemPrefetchAsync");
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  return Call.done(prefetchManaged(Call, Start, Bytes, Device < 0, Stream));
}

cudaError_t advise(const void *Start, size_t Bytes, cudaMemoryAdvise Advice,
                   bool OfHost) {
  ApiCall Call("cudaMemAdvise");
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  return Call.done(adviseManaged(Call, Start, Bytes, Advice, OfHost));
}

cudaError_t captureInfo(cudaStream_t Handle, cudaStreamCaptureStatus *Status,
                        unsigned long long *Number, cudaGraph_t *Target,
                        const cudaGraphNode_t **Nodes, size_t *Count) {
  ApiCall Call("cudaStreamGetCaptureInfo");
  Stream *S = Call->find(Handle);
  if (!S || !Status)
    return Call.done(cudaErrorInvalidResourceHandle);
  *Status =
      S->Capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (Number)
    *Number = reinterpret_cast<uint64_t>(S->Capture.get());
  if (Target)
    *Target = reinterpret_cast<cudaGraph_t>(S->Capture.get());
  if (Nodes)
    *Nodes = reinterpret_cast<cudaGraphNode_t *>(S->CaptureEnds.data());
  if (Count)
    *Count = S->CaptureEnds.size();
  return Call.done(cudaSuccess);
}

} // namespace

cudaError_t cudaMemPrefetchAsync(const void *Start, size_t Bytes, int Device,
                                 cudaStream_t Stream) {
  return prefetch(Start, Bytes, Device, Stream);
}
cudaError_t cudaMemPrefetchAsync(const void *Start, size_t Bytes,
                                 cudaMemLocation To, unsigned,
                                 cudaStream_t Stream) {
  return prefetch(Start, Bytes, To.type == cudaMemLocationTypeDevice ? 0 : -1,
                  Stream);
}
cudaError_t cudaMemAdvise(const void *Start, size_t Bytes,
                          cudaMemoryAdvise Advice, int Device) {
  return advise(Start, Bytes, Advice, Device < 0);
}
cudaError_t cudaMemAdvise(const void *Start, size_t Bytes,
                          cudaMemoryAdvise Advice, cudaMemLocation Of) {
  return advise(Start, Bytes, Advice, Of.type != cudaMemLocationTypeDevice);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Result, cudaGraph_t Graph,
                                 unsigned long long Flags) {
  return cudaGraphInstantiateWithFlags(Result, Graph, Flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Result, cudaGraph_t Graph,
                                 cudaGraphNode_t *, char *, size_t) {
  return cudaGraphInstantiateWithFlags(Result, Graph, 0);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t Graph,
                                cudaGraphExecUpdateResultInfo *Info) {
  cudaError_t Error = updateGraph(Handle, Graph);
  if (Info)
    Info->result = Error ? cudaGraphExecUpdateErrorTopologyChanged
                         : cudaGraphExecUpdateSuccess;
  return Error;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t Graph,
                                cudaGraphNode_t *,
                                cudaGraphExecUpdateResult *Result) {
  cudaError_t Error = updateGraph(Handle, Graph);
  if (Result)
    *Result = Error ? cudaGraphExecUpdateErrorTopologyChanged
                    : cudaGraphExecUpdateSuccess;
  return Error;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Result, cudaGraph_t Graph,
                             const cudaGraphNode_t *Dependencies, size_t Count,
                             cudaGraphNodeParams *P) {
  return addNode(Result, Graph, Dependencies, Count, P);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Result, cudaGraph_t Graph,
                             const cudaGraphNode_t *Dependencies,
                             const cudaGraphEdgeData *, size_t Count,
                             cudaGraphNodeParams *P) {
  return addNode(Result, Graph, Dependencies, Count, P);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t Graph,
                                     const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To, size_t Count) {
  return addDependencies(Graph, From, To, Count);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t Graph,
                                     const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To,
                                     const cudaGraphEdgeData *, size_t Count) {
  return addDependencies(Graph, From, To, Count);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t Stream,
                                     cudaStreamCaptureStatus *Status,
                                     unsigned long long *Number) {
  return captureInfo(Stream, Status, Number, nullptr, nullptr, nullptr);
}
cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t Stream, cudaStreamCaptureStatus *Status,
                         unsigned long long *Number, cudaGraph_t *Graph,
                         const cudaGraphNode_t **Nodes, size_t *Count) {
  return captureInfo(Stream, Status, Number, Graph, Nodes, Count);
}
