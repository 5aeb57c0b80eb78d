/// \file
/// Functions of the shipped headers with C++ linkage: those whose parameters
/// differ between versions of the toolkit.
#include "GraphApi.h"
#include "Process.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/runtime_overloads.h"
#pragma GCC visibility pop

using namespace gpuestimate;

namespace {

/// A hint: memory belongs to host and device at once.
cudaError_t hint(const char *Name) {
  ApiCall Call(Name);
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
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

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) {
  return hint("cudaMemPrefetchAsync");
}
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation,
                                 unsigned, cudaStream_t) {
  return hint("cudaMemPrefetchAsync");
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) {
  return hint("cudaMemAdvise");
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                          cudaMemLocation) {
  return hint("cudaMemAdvise");
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
