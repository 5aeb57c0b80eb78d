/// \file
/// Graphs: nodes are stream operations, a launch does them in order.
#include "GraphApi.h"

#include "CopyApi.h"
#include "LaunchApi.h"
#include "Process.h"
#include <algorithm>
#include <cstdio>

namespace gpuestimate {

GraphNode *Graph::add(cudaGraphNodeType Type, StreamOperation Operation) {
  Nodes.push_back(std::make_unique<GraphNode>());
  GraphNode *N = Nodes.back().get();
  N->Owner = this;
  N->Type = Type;
  N->Operation = std::move(Operation);
  return N;
}

std::vector<const GraphNode *> Graph::inOrder() const {
  // Kahn's algorithm, first come first served.
  llvm::DenseMap<const GraphNode *, unsigned> Missing;
  llvm::DenseMap<const GraphNode *, std::vector<const GraphNode *>> Users;
  std::vector<const GraphNode *> Result;
  for (const auto &N : Nodes) {
    Missing[N.get()] = N->Dependencies.size();
    for (const GraphNode *D : N->Dependencies)
      Users[D].push_back(N.get());
    if (N->Dependencies.empty())
      Result.push_back(N.get());
  }
  for (size_t I = 0; I != Result.size(); ++I)
    for (const GraphNode *User : Users[Result[I]])
      if (--Missing[User] == 0)
        Result.push_back(User);
  return Result;
}

namespace {

std::shared_ptr<Graph> find(ApiCall &Call, cudaGraph_t Handle) {
  return Call->Graphs.lookup(Handle);
}

ExecutableGraph *find(ApiCall &Call, cudaGraphExec_t Handle) {
  auto *E = reinterpret_cast<ExecutableGraph *>(Handle);
  return Call->ExecutableGraphs.contains(E) ? E : nullptr;
}

GraphNode *node(cudaGraphNode_t Handle) {
  return reinterpret_cast<GraphNode *>(Handle);
}

cudaError_t addNode(ApiCall &Call, cudaGraphNode_t *Result, cudaGraph_t Handle,
                    const cudaGraphNode_t *Dependencies, size_t Count,
                    cudaGraphNodeType Type, StreamOperation Operation) {
  auto G = find(Call, Handle);
  if (!G || !Result || (Count && !Dependencies))
    return Call.done(cudaErrorInvalidValue);
  GraphNode *N = G->add(Type, std::move(Operation));
  for (size_t I = 0; I != Count; ++I)
    N->Dependencies.push_back(node(Dependencies[I]));
  *Result = reinterpret_cast<cudaGraphNode_t>(N);
  return Call.done(cudaSuccess);
}

cudaError_t kernelOperation(ApiCall &Call, const cudaKernelNodeParams &P,
                            KernelOperation &Result) {
  Kernel *K = kernelOf(Call.process(), P.func);
  if (!K)
    return cudaErrorInvalidDeviceFunction;
  Result = operation(K, P.gridDim, P.blockDim, P.sharedMemBytes);
  return copyArguments(Call, Result, P.kernelParams, P.extra);
}

MemsetOperation memsetOperation(const cudaMemsetParams &P) {
  MemsetOperation M;
  M.To = {static_cast<char *>(P.dst), P.pitch, 0};
  M.Width = P.width * P.elementSize;
  M.Height = std::max<size_t>(1, P.height);
  M.Value = P.value;
  M.ElementBytes = P.elementSize;
  return M;
}

CopyOperation linearCopy(void *To, const void *From, size_t Bytes,
                         cudaMemcpyKind Kind) {
  CopyOperation C;
  C.To = {static_cast<char *>(To), Bytes, 0};
  C.From = {static_cast<char *>(const_cast<void *>(From)), Bytes, 0};
  C.Width = Bytes;
  C.Kind = Kind;
  C.Async = true;
  return C;
}

void flatten(const Graph &G, ExecutableGraph &Result) {
  for (const GraphNode *N : G.inOrder())
    Result.Operations.push_back({N, N->Operation});
  Result.Defaults = G.Defaults;
}

/// A node that executes other graphs, which it makes, empty as yet.
cudaError_t addConditional(ApiCall &Call, cudaGraphNode_t *Result,
                           cudaGraph_t Handle,
                           const cudaGraphNode_t *Dependencies, size_t Count,
                           cudaConditionalNodeParams &P) {
  auto G = find(Call, Handle);
  size_t Most = P.type == cudaGraphCondTypeIf      ? 2
                : P.type == cudaGraphCondTypeWhile ? 1
                                                   : 1024;
  if (!G || !P.handle || P.size == 0 || P.size > Most)
    return Call.done(cudaErrorInvalidValue);
  ConditionalOperation C;
  C.Value = reinterpret_cast<const unsigned *>(P.handle);
  C.Type = P.type;
  auto Handles = std::make_unique<std::vector<cudaGraph_t>>();
  for (unsigned I = 0; I != P.size; ++I) {
    C.Bodies.push_back(std::make_shared<Graph>());
    Graph *Body = C.Bodies.back().get();
    Call->Graphs[Body] = C.Bodies.back();
    Handles->push_back(reinterpret_cast<cudaGraph_t>(Body));
  }
  P.phGraph_out = Handles->data();
  G->BodyHandles.push_back(std::move(Handles));
  return addNode(Call, Result, Handle, Dependencies, Count,
                 cudaGraphNodeTypeConditional, std::move(C));
}

cudaError_t instantiate(ApiCall &Call, cudaGraphExec_t *Result,
                        cudaGraph_t Handle) {
  auto G = find(Call, Handle);
  if (!G || !Result)
    return Call.done(cudaErrorInvalidValue);
  auto *E = new ExecutableGraph;
  E->Number = Call->NextGraph++;
  flatten(*G, *E);
  Call->ExecutableGraphs.insert(E);
  Call.record(RunCall{});
  *Result = reinterpret_cast<cudaGraphExec_t>(E);
  return Call.done(cudaSuccess);
}

cudaError_t setOperation(ApiCall &Call, cudaGraphExec_t Handle,
                         cudaGraphNode_t Node, StreamOperation Operation) {
  ExecutableGraph *E = find(Call, Handle);
  if (!E)
    return Call.done(cudaErrorInvalidValue);
  for (auto &[N, Old] : E->Operations)
    if (N == node(Node)) {
      Old = std::move(Operation);
      return Call.done(cudaSuccess);
    }
  return Call.done(cudaErrorInvalidValue);
}

/// Copies pointers to nodes as cudaGraphGetNodes does: as many as fit.
cudaError_t give(ApiCall &Call, llvm::ArrayRef<GraphNode *> Nodes,
                 cudaGraphNode_t *Result, size_t *Count) {
  if (!Count)
    return Call.done(cudaErrorInvalidValue);
  if (!Result) {
    *Count = Nodes.size();
    return Call.done(cudaSuccess);
  }
  for (size_t I = 0; I != *Count; ++I)
    Result[I] = I < Nodes.size() ? reinterpret_cast<cudaGraphNode_t>(Nodes[I])
                                 : nullptr;
  *Count = std::min(*Count, Nodes.size());
  return Call.done(cudaSuccess);
}

} // namespace

} // namespace gpuestimate

using namespace gpuestimate;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *Result, unsigned) {
  GPU_ESTIMATE_CALL;
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  auto G = std::make_shared<Graph>();
  Call->Graphs[G.get()] = G;
  *Result = reinterpret_cast<cudaGraph_t>(G.get());
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t Handle) {
  GPU_ESTIMATE_CALL;
  return Call.done(Call->Graphs.erase(Handle) ? cudaSuccess
                                              : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t *Result, cudaGraph_t Handle) {
  GPU_ESTIMATE_CALL;
  auto G = find(Call, Handle);
  if (!G || !Result)
    return Call.done(cudaErrorInvalidValue);
  auto Copy = std::make_shared<Graph>();
  llvm::DenseMap<GraphNode *, GraphNode *> Twin;
  for (const auto &N : G->Nodes)
    Twin[N.get()] = Copy->add(N->Type, N->Operation);
  for (const auto &N : G->Nodes)
    for (GraphNode *D : N->Dependencies)
      Twin[N.get()]->Dependencies.push_back(Twin[D]);
  Call->Graphs[Copy.get()] = Copy;
  *Result = reinterpret_cast<cudaGraph_t>(Copy.get());
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const cudaKernelNodeParams *P) {
  GPU_ESTIMATE_CALL;
  KernelOperation K;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  if (cudaError_t Error = kernelOperation(Call, *P, K))
    return Call.done(Error);
  cudaError_t Error = addNode(Call, Result, G, Dependencies, Count,
                              cudaGraphNodeTypeKernel, std::move(K));
  if (!Error)
    node(*Result)->KernelParameters = *P;
  return Error;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t Handle,
                                         cudaKernelNodeParams *Result) {
  GPU_ESTIMATE_CALL;
  GraphNode *N = node(Handle);
  auto *K = N ? std::get_if<KernelOperation>(&N->Operation) : nullptr;
  if (!K || !Result)
    return Call.done(cudaErrorInvalidValue);
  N->ArgumentPointers.clear();
  for (std::string &Bytes : K->Arguments)
    N->ArgumentPointers.push_back(Bytes.data());
  Result->func = N->KernelParameters.func ? N->KernelParameters.func
                                          : static_cast<void *>(K->Function);
  Result->gridDim = dim3(K->Grid[0], K->Grid[1], K->Grid[2]);
  Result->blockDim = dim3(K->Block[0], K->Block[1], K->Block[2]);
  Result->sharedMemBytes = K->DynamicSharedBytes;
  Result->kernelParams = N->ArgumentPointers.data();
  Result->extra = nullptr;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t Handle,
                                         const cudaKernelNodeParams *P) {
  GPU_ESTIMATE_CALL;
  GraphNode *N = node(Handle);
  KernelOperation K;
  if (!N || !P)
    return Call.done(cudaErrorInvalidValue);
  if (cudaError_t Error = kernelOperation(Call, *P, K))
    return Call.done(Error);
  N->Operation = std::move(K);
  N->KernelParameters = *P;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t E,
                                             cudaGraphNode_t Handle,
                                             const cudaKernelNodeParams *P) {
  GPU_ESTIMATE_CALL;
  KernelOperation K;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  if (cudaError_t Error = kernelOperation(Call, *P, K))
    return Call.done(Error);
  return setOperation(Call, E, Handle, std::move(K));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count, const cudaMemcpy3DParms *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemcpy,
                 copyOf(*P, true));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t E,
                                             cudaGraphNode_t Handle,
                                             const cudaMemcpy3DParms *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  return setOperation(Call, E, Handle, copyOf(*P, true));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Result, cudaGraph_t G,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t Count, void *To, const void *From,
                                     size_t Bytes, cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemcpy,
                 linearCopy(To, From, Bytes, Kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *Result,
                                           cudaGraph_t G,
                                           const cudaGraphNode_t *Dependencies,
                                           size_t Count, const void *Symbol,
                                           const void *From, size_t Bytes,
                                           size_t Offset, cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  Variable *V = Call->findVariable(Call, Symbol);
  if (!V)
    return Call.done(cudaErrorInvalidSymbol);
  return addNode(
      Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemcpy,
      linearCopy(static_cast<char *>(Call->storage(Call, *V, currentDevice())) +
                     Offset,
                 From, Bytes, Kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *Result, cudaGraph_t G, const cudaGraphNode_t *Dependencies,
    size_t Count, void *To, const void *Symbol, size_t Bytes, size_t Offset,
    cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  Variable *V = Call->findVariable(Call, Symbol);
  if (!V)
    return Call.done(cudaErrorInvalidSymbol);
  return addNode(
      Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemcpy,
      linearCopy(To,
                 static_cast<char *>(Call->storage(Call, *V, currentDevice())) +
                     Offset,
                 Bytes, Kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count, const cudaMemsetParams *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemset,
                 memsetOperation(*P));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                 const cudaGraphNode_t *Dependencies,
                                 size_t Count, const cudaHostNodeParams *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  HostOperation H;
  H.Function = P->fn;
  H.Data = P->userData;
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeHost,
                 H);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                  const cudaGraphNode_t *Dependencies,
                                  size_t Count) {
  GPU_ESTIMATE_CALL;
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeEmpty,
                 {});
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                        const cudaGraphNode_t *Dependencies,
                                        size_t Count, cudaEvent_t Event) {
  GPU_ESTIMATE_CALL;
  gpuestimate::Event *E = Call->find(Event);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  return addNode(Call, Result, G, Dependencies, Count,
                 cudaGraphNodeTypeEventRecord, EventRecordOperation{E});
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                      const cudaGraphNode_t *Dependencies,
                                      size_t Count, cudaEvent_t Event) {
  GPU_ESTIMATE_CALL;
  gpuestimate::Event *E = Call->find(Event);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  return addNode(Call, Result, G, Dependencies, Count,
                 cudaGraphNodeTypeWaitEvent, EventWaitOperation{E});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                       const cudaGraphNode_t *Dependencies,
                                       size_t Count, cudaGraph_t Child) {
  GPU_ESTIMATE_CALL;
  auto Found = find(Call, Child);
  if (!Found)
    return Call.done(cudaErrorInvalidValue);
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeGraph,
                 ChildGraphOperation{Found});
}

// The memory exists from now on: its address is a parameter of later nodes.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t Count, cudaMemAllocNodeParams *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  if (cudaError_t Error = cudaMalloc(&P->dptr, P->bytesize))
    return Call.done(Error);
  Call->GraphMemory.insert(P->dptr);
  return addNode(Call, Result, G, Dependencies, Count,
                 cudaGraphNodeTypeMemAlloc, {});
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *Result, cudaGraph_t G,
                                    const cudaGraphNode_t *Dependencies,
                                    size_t Count, void *) {
  GPU_ESTIMATE_CALL;
  // It is freed with the graph: a second launch uses the same address.
  return addNode(Call, Result, G, Dependencies, Count, cudaGraphNodeTypeMemFree,
                 {});
}

// The value stays until the process ends: executable graphs outlive the graph.
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *Result,
                                             cudaGraph_t Handle,
                                             unsigned Default, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  auto G = find(Call, Handle);
  if (!G || !Result)
    return Call.done(cudaErrorInvalidValue);
  void *Place = nullptr;
  if (cudaError_t Error = cudaMalloc(&Place, sizeof(unsigned)))
    return Call.done(Error);
  if (Flags & cudaGraphCondAssignDefault)
    G->Defaults.push_back({static_cast<unsigned *>(Place), Default});
  *Result = reinterpret_cast<uint64_t>(Place);
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t Handle,
                                 cudaGraphNodeType *Result) {
  GPU_ESTIMATE_CALL;
  if (!Handle || !Result)
    return Call.done(cudaErrorInvalidValue);
  *Result = node(Handle)->Type;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t Handle, cudaGraphNode_t *Result,
                              size_t *Count) {
  GPU_ESTIMATE_CALL;
  auto G = find(Call, Handle);
  if (!G)
    return Call.done(cudaErrorInvalidValue);
  std::vector<GraphNode *> Nodes;
  for (const auto &N : G->Nodes)
    Nodes.push_back(N.get());
  return give(Call, Nodes, Result, Count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t Handle, cudaGraphNode_t *Result,
                                  size_t *Count) {
  GPU_ESTIMATE_CALL;
  auto G = find(Call, Handle);
  if (!G)
    return Call.done(cudaErrorInvalidValue);
  std::vector<GraphNode *> Nodes;
  for (const auto &N : G->Nodes)
    if (N->Dependencies.empty())
      Nodes.push_back(N.get());
  return give(Call, Nodes, Result, Count);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Result,
                                          cudaGraph_t Handle,
                                          unsigned long long) {
  GPU_ESTIMATE_CALL;
  return instantiate(Call, Result, Handle);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *Result,
                                           cudaGraph_t Handle,
                                           cudaGraphInstantiateParams *P) {
  GPU_ESTIMATE_CALL;
  if (P)
    P->result_out = cudaGraphInstantiateSuccess;
  return instantiate(Call, Result, Handle);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Handle) {
  GPU_ESTIMATE_CALL;
  ExecutableGraph *E = find(Call, Handle);
  if (!E)
    return Call.done(cudaErrorInvalidValue);
  Call->ExecutableGraphs.erase(E);
  delete E;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t Handle, cudaStream_t) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(find(Call, Handle) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t Handle, cudaStream_t Place) {
  GPU_ESTIMATE_CALL;
  ExecutableGraph *E = find(Call, Handle);
  Stream *S = Call->find(Place);
  if (!E || !S)
    return Call.done(cudaErrorInvalidValue);
  if (S->Capture) {
    for (const auto &[N, Operation] : E->Operations)
      if (cudaError_t Error = submit(Call, Place, N->Type, Operation))
        return Call.done(Error);
    return Call.done(cudaSuccess);
  }
  Call.record(RunGraphLaunch{E->Number, S->Number, true});
  for (const ConditionalDefault &D : E->Defaults)
    *D.Place = D.Value;
  cudaError_t Error = cudaSuccess;
  for (const auto &[N, Operation] : E->Operations)
    if ((Error = perform(Call, Operation, S->Number)))
      break;
  Call.record(RunGraphLaunch{E->Number, S->Number, false});
  return Call.done(Error);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char *, unsigned) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

} // extern "C"

namespace gpuestimate {

cudaError_t addDependencies(cudaGraph_t Handle, const cudaGraphNode_t *From,
                            const cudaGraphNode_t *To, size_t Count) {
  ApiCall Call("cudaGraphAddDependencies");
  if (!find(Call, Handle) || (Count && (!From || !To)))
    return Call.done(cudaErrorInvalidValue);
  for (size_t I = 0; I != Count; ++I)
    node(To[I])->Dependencies.push_back(node(From[I]));
  return Call.done(cudaSuccess);
}

cudaError_t addNode(cudaGraphNode_t *Result, cudaGraph_t Handle,
                    const cudaGraphNode_t *Dependencies, size_t Count,
                    cudaGraphNodeParams *P) {
  if (!P)
    return cudaErrorInvalidValue;
  switch (P->type) {
  case cudaGraphNodeTypeKernel: {
    cudaKernelNodeParams K = {};
    K.func = P->kernel.func;
    K.gridDim = {P->kernel.gridDim.x, P->kernel.gridDim.y, P->kernel.gridDim.z};
    K.blockDim = {P->kernel.blockDim.x, P->kernel.blockDim.y,
                  P->kernel.blockDim.z};
    K.sharedMemBytes = P->kernel.sharedMemBytes;
    K.kernelParams = P->kernel.kernelParams;
    K.extra = P->kernel.extra;
    return cudaGraphAddKernelNode(Result, Handle, Dependencies, Count, &K);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(Result, Handle, Dependencies, Count,
                                  &P->memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return cudaGraphAddMemsetNode(Result, Handle, Dependencies, Count,
                                  &P->memset);
  case cudaGraphNodeTypeHost:
    return cudaGraphAddHostNode(Result, Handle, Dependencies, Count, &P->host);
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(Result, Handle, Dependencies, Count,
                                      P->graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(Result, Handle, Dependencies, Count);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(Result, Handle, Dependencies, Count,
                                     P->eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(Result, Handle, Dependencies, Count,
                                       P->eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return cudaGraphAddMemAllocNode(Result, Handle, Dependencies, Count,
                                    &P->alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(Result, Handle, Dependencies, Count,
                                   P->free.dptr);
  default:
    break;
  }
  ApiCall Call("cudaGraphAddNode");
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  if (P->type != cudaGraphNodeTypeConditional) {
    Call.notice("cudaGraphAddNode of this kind is not supported: it failed");
    return Call.done(cudaErrorNotSupported);
  }
  return addConditional(Call, Result, Handle, Dependencies, Count,
                        P->conditional);
}

// The structure of the graph must be the same; its operations may differ.
cudaError_t updateGraph(cudaGraphExec_t Handle, cudaGraph_t Other) {
  ApiCall Call("cudaGraphExecUpdate");
  ExecutableGraph *E = find(Call, Handle);
  auto G = find(Call, Other);
  if (!E || !G)
    return Call.done(cudaErrorInvalidValue);
  if (G->Nodes.size() != E->Operations.size())
    return Call.done(cudaErrorGraphExecUpdateFailure);
  E->Operations.clear();
  flatten(*G, *E);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

} // namespace gpuestimate
