/// \file
/// Copies and memory set to a value.
#include "CopyApi.h"

#include "Arrays.h"
#include "Process.h"

using namespace gpuestimate;

namespace {

char *bytes(const void *Pointer) {
  return static_cast<char *>(const_cast<void *>(Pointer));
}

CopyOperation linear(void *To, const void *From, uint64_t Bytes,
                     cudaMemcpyKind Kind, bool Async) {
  CopyOperation C;
  C.To = {bytes(To), Bytes, 0};
  C.From = {bytes(From), Bytes, 0};
  C.Width = Bytes;
  C.Kind = Kind;
  C.Async = Async;
  return C;
}

CopyOperation rows(Region To, Region From, uint64_t Width, uint64_t Height,
                   cudaMemcpyKind Kind, bool Async) {
  CopyOperation C;
  C.To = To;
  C.From = From;
  C.Width = Width;
  C.Height = Height;
  C.Kind = Kind;
  C.Async = Async;
  return C;
}

Region inArray(const cudaArray *A, uint64_t XBytes, uint64_t Y,
               uint64_t Z = 0) {
  return {A->Data + Z * A->slicePitch() + Y * A->pitch() + XBytes, A->pitch(),
          A->slicePitch()};
}

cudaError_t copy(ApiCall &Call, CopyOperation C, cudaStream_t Stream) {
  if (C.bytes() == 0)
    return Call.done(cudaSuccess);
  if (!C.To.Start || !C.From.Start)
    return Call.done(cudaErrorInvalidValue);
  if (C.Kind < cudaMemcpyHostToHost || C.Kind > cudaMemcpyDefault)
    return Call.done(cudaErrorInvalidMemcpyDirection);
  if (C.Height > 1 && (C.Width > C.To.Pitch || C.Width > C.From.Pitch))
    return Call.done(cudaErrorInvalidPitchValue);
  return Call.done(submit(Call, Stream, cudaGraphNodeTypeMemcpy, C));
}

cudaError_t set(ApiCall &Call, MemsetOperation M, cudaStream_t Stream) {
  return Call.done(submit(Call, Stream, cudaGraphNodeTypeMemset, M));
}

MemsetOperation setLinear(void *To, int Value, uint64_t Bytes, bool Async) {
  MemsetOperation M;
  M.To = {bytes(To), Bytes, 0};
  M.Width = Bytes;
  M.Value = Value;
  M.Async = Async;
  return M;
}

cudaError_t copyToSymbol(ApiCall &Call, const void *Symbol, const void *From,
                         size_t Bytes, size_t Offset, cudaMemcpyKind Kind,
                         bool Async, cudaStream_t Stream) {
  Variable *V = Call->findVariable(Call, Symbol);
  if (!V)
    return Call.done(cudaErrorInvalidSymbol);
  if (Offset > V->Bytes || Bytes > V->Bytes - Offset)
    return Call.done(cudaErrorInvalidValue);
  return copy(Call,
              linear(bytes(Call->storage(Call, *V, currentDevice())) + Offset,
                     From, Bytes, Kind, Async),
              Stream);
}

cudaError_t copyFromSymbol(ApiCall &Call, void *To, const void *Symbol,
                           size_t Bytes, size_t Offset, cudaMemcpyKind Kind,
                           bool Async, cudaStream_t Stream) {
  Variable *V = Call->findVariable(Call, Symbol);
  if (!V)
    return Call.done(cudaErrorInvalidSymbol);
  if (Offset > V->Bytes || Bytes > V->Bytes - Offset)
    return Call.done(cudaErrorInvalidValue);
  return copy(Call,
              linear(To,
                     bytes(Call->storage(Call, *V, currentDevice())) + Offset,
                     Bytes, Kind, Async),
              Stream);
}

} // namespace

namespace gpuestimate {

CopyOperation copyOf(const cudaMemcpy3DParms &P, bool Async) {
  // Positions in an array, and the width of a copy with one, are in texels.
  const cudaArray *Array = P.srcArray ? P.srcArray : P.dstArray;
  uint64_t Unit = Array ? Array->TexelBytes : 1;
  auto region = [](const cudaArray *A, const cudaPitchedPtr &Pointer,
                   const cudaPos &Position) -> Region {
    if (A)
      return inArray(A, Position.x * A->TexelBytes, Position.y, Position.z);
    uint64_t Slice = Pointer.pitch * Pointer.ysize;
    return {bytes(Pointer.ptr) + Position.z * Slice +
                Position.y * Pointer.pitch + Position.x,
            Pointer.pitch, Slice};
  };
  CopyOperation C;
  C.To = region(P.dstArray, P.dstPtr, P.dstPos);
  C.From = region(P.srcArray, P.srcPtr, P.srcPos);
  C.Width = P.extent.width * Unit;
  C.Height = P.extent.height;
  C.Depth = P.extent.depth;
  C.Kind = P.kind;
  C.Async = Async;
  return C;
}

} // namespace gpuestimate

extern "C" {

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  return copy(Call, linear(To, From, Bytes, Kind, false), nullptr);
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return copy(Call, linear(To, From, Bytes, Kind, true), Stream);
}

cudaError_t cudaMemcpyPeerAsync(void *To, int, const void *From, int,
                                size_t Bytes, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return copy(Call, linear(To, From, Bytes, cudaMemcpyDeviceToDevice, true),
              Stream);
}

cudaError_t cudaMemcpyPeer(void *To, int, const void *From, int, size_t Bytes) {
  GPU_ESTIMATE_CALL;
  return copy(Call, linear(To, From, Bytes, cudaMemcpyDeviceToDevice, false),
              nullptr);
}

cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  return copy(Call,
              rows({bytes(To), ToPitch, 0}, {bytes(From), FromPitch, 0}, Width,
                   Height, Kind, false),
              nullptr);
}

cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return copy(Call,
              rows({bytes(To), ToPitch, 0}, {bytes(From), FromPitch, 0}, Width,
                   Height, Kind, true),
              Stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *P) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  return copy(Call, copyOf(*P, false), nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *P, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  if (!P)
    return Call.done(cudaErrorInvalidValue);
  return copy(Call, copyOf(*P, true), Stream);
}

// Copies with an array; x is in bytes.

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t To, size_t X, size_t Y,
                                     const void *From, size_t Pitch,
                                     size_t Width, size_t Height,
                                     cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  if (!To)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call,
              rows(inArray(To, X, Y), {bytes(From), Pitch, 0}, Width, Height,
                   Kind, true),
              Stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t To, size_t X, size_t Y,
                                const void *From, size_t Pitch, size_t Width,
                                size_t Height, cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  if (!To)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call,
              rows(inArray(To, X, Y), {bytes(From), Pitch, 0}, Width, Height,
                   Kind, false),
              nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *To, size_t Pitch,
                                       cudaArray_const_t From, size_t X,
                                       size_t Y, size_t Width, size_t Height,
                                       cudaMemcpyKind Kind,
                                       cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  if (!From)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call,
              rows({bytes(To), Pitch, 0}, inArray(From, X, Y), Width, Height,
                   Kind, true),
              Stream);
}

cudaError_t cudaMemcpy2DFromArray(void *To, size_t Pitch,
                                  cudaArray_const_t From, size_t X, size_t Y,
                                  size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  if (!From)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call,
              rows({bytes(To), Pitch, 0}, inArray(From, X, Y), Width, Height,
                   Kind, false),
              nullptr);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t To, size_t ToX, size_t ToY,
                                     cudaArray_const_t From, size_t FromX,
                                     size_t FromY, size_t Width, size_t Height,
                                     cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  if (!To || !From)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call,
              rows(inArray(To, ToX, ToY), inArray(From, FromX, FromY), Width,
                   Height, Kind, false),
              nullptr);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t To, size_t X, size_t Y,
                                   const void *From, size_t Bytes,
                                   cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  if (!To)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call, linear(inArray(To, X, Y).Start, From, Bytes, Kind, true),
              Stream);
}

cudaError_t cudaMemcpyToArray(cudaArray_t To, size_t X, size_t Y,
                              const void *From, size_t Bytes,
                              cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  if (!To)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call, linear(inArray(To, X, Y).Start, From, Bytes, Kind, false),
              nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void *To, cudaArray_const_t From, size_t X,
                                     size_t Y, size_t Bytes,
                                     cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  if (!From)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call, linear(To, inArray(From, X, Y).Start, Bytes, Kind, true),
              Stream);
}

cudaError_t cudaMemcpyFromArray(void *To, cudaArray_const_t From, size_t X,
                                size_t Y, size_t Bytes, cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  if (!From)
    return Call.done(cudaErrorInvalidResourceHandle);
  return copy(Call, linear(To, inArray(From, X, Y).Start, Bytes, Kind, false),
              nullptr);
}

// Variables of the device.

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  return copyToSymbol(Call, Symbol, From, Bytes, Offset, Kind, false, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return copyToSymbol(Call, Symbol, From, Bytes, Offset, Kind, true, Stream);
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  GPU_ESTIMATE_CALL;
  return copyFromSymbol(Call, To, Symbol, Bytes, Offset, Kind, false, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind,
                                      cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return copyFromSymbol(Call, To, Symbol, Bytes, Offset, Kind, true, Stream);
}

cudaError_t cudaGetSymbolAddress(void **Result, const void *Symbol) {
  GPU_ESTIMATE_CALL;
  Variable *V = Call->findVariable(Call, Symbol);
  if (!Result || !V)
    return Call.done(cudaErrorInvalidSymbol);
  *Result = Call->storage(Call, *V, currentDevice());
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetSymbolSize(size_t *Result, const void *Symbol) {
  GPU_ESTIMATE_CALL;
  Variable *V = Call->findVariable(Call, Symbol);
  if (!Result || !V)
    return Call.done(cudaErrorInvalidSymbol);
  *Result = V->Bytes;
  return Call.done(cudaSuccess);
}

// Memory set to a value.

cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  GPU_ESTIMATE_CALL;
  return set(Call, setLinear(To, Value, Bytes, false), nullptr);
}

cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes,
                            cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return set(Call, setLinear(To, Value, Bytes, true), Stream);
}

cudaError_t cudaMemset2DAsync(void *To, size_t Pitch, int Value, size_t Width,
                              size_t Height, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  MemsetOperation M = setLinear(To, Value, Width, true);
  M.To.Pitch = Pitch;
  M.Height = Height;
  return set(Call, M, Stream);
}

cudaError_t cudaMemset2D(void *To, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  GPU_ESTIMATE_CALL;
  MemsetOperation M = setLinear(To, Value, Width, false);
  M.To.Pitch = Pitch;
  M.Height = Height;
  return set(Call, M, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr To, int Value, cudaExtent Extent,
                              cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  MemsetOperation M = setLinear(To.ptr, Value, Extent.width, true);
  M.To = {bytes(To.ptr), To.pitch, To.pitch * To.ysize};
  M.Height = Extent.height;
  M.Depth = Extent.depth;
  return set(Call, M, Stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr To, int Value, cudaExtent Extent) {
  GPU_ESTIMATE_CALL;
  MemsetOperation M = setLinear(To.ptr, Value, Extent.width, false);
  M.To = {bytes(To.ptr), To.pitch, To.pitch * To.ysize};
  M.Height = Extent.height;
  M.Depth = Extent.depth;
  return set(Call, M, nullptr);
}

} // extern "C"

GPU_ESTIMATE_ALIAS(hipMemcpy, cudaMemcpy);
GPU_ESTIMATE_ALIAS(hipMemcpyAsync, cudaMemcpyAsync);
GPU_ESTIMATE_ALIAS(hipMemcpy2D, cudaMemcpy2D);
GPU_ESTIMATE_ALIAS(hipMemcpy2DAsync, cudaMemcpy2DAsync);
GPU_ESTIMATE_ALIAS(hipMemcpyPeer, cudaMemcpyPeer);
GPU_ESTIMATE_ALIAS(hipMemcpyToSymbol, cudaMemcpyToSymbol);
GPU_ESTIMATE_ALIAS(hipMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync);
GPU_ESTIMATE_ALIAS(hipMemcpyFromSymbol, cudaMemcpyFromSymbol);
GPU_ESTIMATE_ALIAS(hipMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync);
GPU_ESTIMATE_ALIAS(hipGetSymbolAddress, cudaGetSymbolAddress);
GPU_ESTIMATE_ALIAS(hipGetSymbolSize, cudaGetSymbolSize);
GPU_ESTIMATE_ALIAS(hipMemset, cudaMemset);
GPU_ESTIMATE_ALIAS(hipMemsetAsync, cudaMemsetAsync);
GPU_ESTIMATE_ALIAS(hipMemset2D, cudaMemset2D);
GPU_ESTIMATE_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
GPU_ESTIMATE_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);
