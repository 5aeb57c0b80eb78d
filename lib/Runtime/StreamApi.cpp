/// \file
/// Streams, events, waiting, and the capture of a stream into a graph.
#include "Process.h"
#include "gpu-estimate/Run/DeviceStreams.h"

using namespace gpuestimate;

namespace {

cudaStream_t handle(Stream *S) { return reinterpret_cast<cudaStream_t>(S); }
cudaEvent_t handle(Event *E) { return reinterpret_cast<cudaEvent_t>(E); }

cudaError_t createStream(ApiCall &Call, cudaStream_t *Result, unsigned Flags,
                         int Priority) {
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  auto *S = new Stream;
  S->Number = defaultStream(currentDevice()) + Call->NextStream++;
  S->Flags = Flags;
  S->NonBlocking = Flags & cudaStreamNonBlocking;
  S->Priority = Priority;
  Call->Streams.insert(S);
  Call.record(RunStream{S->Number, S->NonBlocking, false});
  *Result = handle(S);
  return Call.done(cudaSuccess);
}

cudaError_t createEvent(ApiCall &Call, cudaEvent_t *Result, unsigned Flags) {
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  auto *E = new Event;
  E->Number = Call->NextEvent++;
  E->Timing = !(Flags & cudaEventDisableTiming);
  Call->Events.insert(E);
  Call.record(RunCall{});
  *Result = handle(E);
  return Call.done(cudaSuccess);
}

cudaError_t query(ApiCall &Call, RunWait::KindType On, RunHandle Number) {
  RunReply Reply = Call.record(RunQuery{On, Number});
  return Call.done(Reply.Ready ? cudaSuccess : cudaErrorNotReady);
}

/// A graph that is captured; streams that join by an event share it.
cudaError_t beginCapture(ApiCall &Call, Stream *S,
                         std::shared_ptr<Graph> Target) {
  if (!S)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (S->Capture)
    return Call.done(cudaErrorIllegalState);
  if (isDefaultStream(S->Number))
    return Call.done(cudaErrorStreamCaptureUnsupported);
  S->Capture = std::move(Target);
  S->IsCaptureOrigin = true;
  S->CaptureEnds.clear();
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

} // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *Result) {
  GPU_ESTIMATE_CALL;
  return createStream(Call, Result, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Result, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  return createStream(Call, Result, Flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Result, unsigned Flags,
                                         int Priority) {
  GPU_ESTIMATE_CALL;
  return createStream(Call, Result, Flags, Priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t Handle) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || isDefaultStream(S->Number))
    return Call.done(cudaErrorInvalidResourceHandle);
  Call.record(RunStream{S->Number, S->NonBlocking, true});
  Call->Streams.erase(S);
  delete S;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  GPU_ESTIMATE_CALL;
  if (Least)
    *Least = 0;
  if (Greatest)
    *Greatest = -5;
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t Handle, int *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || !Result)
    return Call.done(cudaErrorInvalidResourceHandle);
  *Result = S->Priority;
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t Handle, unsigned *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || !Result)
    return Call.done(cudaErrorInvalidResourceHandle);
  *Result = S->Flags;
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t Handle, unsigned long long *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || !Result)
    return Call.done(cudaErrorInvalidResourceHandle);
  *Result = S->Number;
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t Handle, int *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || !Result)
    return Call.done(S ? cudaErrorInvalidValue
                       : cudaErrorInvalidResourceHandle);
  *Result = int(deviceOf(S->Number));
  return Call.done(cudaSuccess);
}

// Hints that change no result; the model of the GPU does not know them.
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue *) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t Handle, cudaEvent_t Source,
                                unsigned) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  Event *E = Call->find(Source);
  if (!S || !E)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (!E->Capture)
    return Call.done(submit(Call, Handle, cudaGraphNodeTypeWaitEvent,
                            EventWaitOperation{E}));
  // The event was recorded during a capture: the stream joins it.
  if (S->Capture && S->Capture != E->Capture)
    return Call.done(cudaErrorStreamCaptureMerge);
  if (!S->Capture) {
    S->Capture = E->Capture;
    S->CaptureEnds.clear();
  }
  S->CaptureEnds.insert(S->CaptureEnds.end(), E->CaptureEnds.begin(),
                        E->CaptureEnds.end());
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t Handle) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (S->Capture)
    return Call.done(cudaErrorStreamCaptureUnsupported);
  Call.record(RunWait{RunWait::Stream, S->Number});
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t Handle) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S)
    return Call.done(cudaErrorInvalidResourceHandle);
  return query(Call, RunWait::Stream, S->Number);
}

cudaError_t cudaDeviceSynchronize() {
  GPU_ESTIMATE_CALL;
  Call.record(RunWait{RunWait::Device, defaultStream(currentDevice())});
  return Call.done(cudaSuccess);
}

// Functions of the host in a stream.

cudaError_t cudaLaunchHostFunc(cudaStream_t Handle, cudaHostFn_t Function,
                               void *Data) {
  GPU_ESTIMATE_CALL;
  if (!Function)
    return Call.done(cudaErrorInvalidValue);
  HostOperation H;
  H.Function = Function;
  H.Data = Data;
  return Call.done(submit(Call, Handle, cudaGraphNodeTypeHost, H));
}

cudaError_t cudaStreamAddCallback(cudaStream_t Handle,
                                  cudaStreamCallback_t Function, void *Data,
                                  unsigned) {
  GPU_ESTIMATE_CALL;
  if (!Function)
    return Call.done(cudaErrorInvalidValue);
  HostOperation H;
  H.Callback = Function;
  H.Data = Data;
  H.Stream = Handle;
  return Call.done(submit(Call, Handle, cudaGraphNodeTypeHost, H));
}

// Events.

cudaError_t cudaEventCreate(cudaEvent_t *Result) {
  GPU_ESTIMATE_CALL;
  return createEvent(Call, Result, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Result, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  return createEvent(Call, Result, Flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t Handle) {
  GPU_ESTIMATE_CALL;
  Event *E = Call->find(Handle);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  Call->Events.erase(E);
  delete E;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t Handle, cudaStream_t Place) {
  GPU_ESTIMATE_CALL;
  Event *E = Call->find(Handle);
  Stream *S = Call->find(Place);
  if (!E || !S)
    return Call.done(cudaErrorInvalidResourceHandle);
  E->Capture = S->Capture;
  E->CaptureEnds = S->CaptureEnds;
  if (S->Capture)
    return Call.done(cudaSuccess);
  return Call.done(submit(Call, Place, cudaGraphNodeTypeEventRecord,
                          EventRecordOperation{E}));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t Handle, cudaStream_t Place,
                                     unsigned Flags) {
  if (!(Flags & cudaEventRecordExternal))
    return cudaEventRecord(Handle, Place);
  GPU_ESTIMATE_CALL;
  Event *E = Call->find(Handle);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  return Call.done(submit(Call, Place, cudaGraphNodeTypeEventRecord,
                          EventRecordOperation{E}));
}

cudaError_t cudaEventQuery(cudaEvent_t Handle) {
  GPU_ESTIMATE_CALL;
  Event *E = Call->find(Handle);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (!E->Recorded)
    return Call.done(cudaSuccess);
  return query(Call, RunWait::Event, E->Number);
}

cudaError_t cudaEventSynchronize(cudaEvent_t Handle) {
  GPU_ESTIMATE_CALL;
  Event *E = Call->find(Handle);
  if (!E)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (E->Recorded)
    Call.record(RunWait{RunWait::Event, E->Number});
  return Call.done(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float *Result, cudaEvent_t From,
                                 cudaEvent_t To) {
  GPU_ESTIMATE_CALL;
  Event *A = Call->find(From), *B = Call->find(To);
  if (!Result || !A || !B || !A->Timing || !B->Timing)
    return Call.done(Result ? cudaErrorInvalidResourceHandle
                            : cudaErrorInvalidValue);
  if (!A->Recorded || !B->Recorded)
    return Call.done(cudaErrorInvalidResourceHandle);
  RunReply Reply = Call.record(RunElapsed{A->Number, B->Number});
  *Result = Reply.ElapsedMs;
  return Call.done(Reply.Ready ? cudaSuccess : cudaErrorNotReady);
}

// Capture.

cudaError_t cudaStreamBeginCapture(cudaStream_t Handle, cudaStreamCaptureMode) {
  GPU_ESTIMATE_CALL;
  return beginCapture(Call, Call->find(Handle), std::make_shared<Graph>());
}

// The nodes come behind those that the program names.
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t Handle, cudaGraph_t Into,
                                          const cudaGraphNode_t *Dependencies,
                                          const cudaGraphEdgeData *,
                                          size_t Count, cudaStreamCaptureMode) {
  GPU_ESTIMATE_CALL;
  std::shared_ptr<Graph> G = Call->Graphs.lookup(Into);
  Stream *S = Call->find(Handle);
  if (!G || (Count && !Dependencies))
    return Call.done(cudaErrorInvalidValue);
  cudaError_t Error = beginCapture(Call, S, G);
  for (size_t I = 0; !Error && I != Count; ++I)
    S->CaptureEnds.push_back(reinterpret_cast<GraphNode *>(Dependencies[I]));
  return Error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t Handle, cudaGraph_t *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (!S->Capture || !S->IsCaptureOrigin)
    return Call.done(cudaErrorStreamCaptureUnmatched);
  std::shared_ptr<Graph> Captured = S->Capture;
  // The program may leave out the name of a graph that it has already.
  if (!Result && !Call->Graphs.contains(Captured.get()))
    return Call.done(cudaErrorInvalidValue);
  for (Stream *Other : Call->Streams)
    if (Other->Capture == Captured) {
      Other->Capture = nullptr;
      Other->CaptureEnds.clear();
      Other->IsCaptureOrigin = false;
    }
  for (Event *E : Call->Events)
    if (E->Capture == Captured) {
      E->Capture = nullptr;
      E->CaptureEnds.clear();
    }
  Call->Graphs[Captured.get()] = Captured;
  Call.record(RunCall{});
  if (Result)
    *Result = reinterpret_cast<cudaGraph_t>(Captured.get());
  return Call.done(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Handle,
                                  cudaStreamCaptureStatus *Result) {
  GPU_ESTIMATE_CALL;
  Stream *S = Call->find(Handle);
  if (!S || !Result)
    return Call.done(cudaErrorInvalidResourceHandle);
  *Result =
      S->Capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return Call.done(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

} // extern "C"

GPU_ESTIMATE_DECLARED_ALIAS(cudaThreadSynchronize, cudaDeviceSynchronize);
GPU_ESTIMATE_ALIAS(hipDeviceSynchronize, cudaDeviceSynchronize);
GPU_ESTIMATE_ALIAS(hipStreamCreate, cudaStreamCreate);
GPU_ESTIMATE_ALIAS(hipStreamCreateWithFlags, cudaStreamCreateWithFlags);
GPU_ESTIMATE_ALIAS(hipStreamDestroy, cudaStreamDestroy);
GPU_ESTIMATE_ALIAS(hipStreamSynchronize, cudaStreamSynchronize);
GPU_ESTIMATE_ALIAS(hipStreamQuery, cudaStreamQuery);
GPU_ESTIMATE_ALIAS(hipStreamWaitEvent, cudaStreamWaitEvent);
GPU_ESTIMATE_ALIAS(hipEventCreate, cudaEventCreate);
GPU_ESTIMATE_ALIAS(hipEventCreateWithFlags, cudaEventCreateWithFlags);
GPU_ESTIMATE_ALIAS(hipEventDestroy, cudaEventDestroy);
GPU_ESTIMATE_ALIAS(hipEventRecord, cudaEventRecord);
GPU_ESTIMATE_ALIAS(hipEventQuery, cudaEventQuery);
GPU_ESTIMATE_ALIAS(hipEventSynchronize, cudaEventSynchronize);
GPU_ESTIMATE_ALIAS(hipEventElapsedTime, cudaEventElapsedTime);
