/// \file
/// Memory in the driver's interface: allocations, copies, memory that is set.
#include "DriverCalls.h"
#include "MemoryTable.h"
#include "Process.h"

using namespace gpuestimate;

namespace {

/// The address as a number, of a function that writes a pointer.
template <class F> CUresult allocated(CUdeviceptr *Result, F Allocate) {
  if (!Result)
    return CUDA_ERROR_INVALID_VALUE;
  void *Place = nullptr;
  cudaError_t Error = Allocate(&Place);
  if (!Error)
    *Result = reinterpret_cast<CUdeviceptr>(Place);
  return result(Error);
}

/// Where a copy between rectangles begins; null for one of arrays.
void *destination(const CUDA_MEMCPY2D &C) {
  void *Start = C.dstMemoryType == CU_MEMORYTYPE_ARRAY  ? nullptr
                : C.dstMemoryType == CU_MEMORYTYPE_HOST ? C.dstHost
                                                        : pointer(C.dstDevice);
  return Start
             ? static_cast<char *>(Start) + C.dstY * C.dstPitch + C.dstXInBytes
             : nullptr;
}

const void *source(const CUDA_MEMCPY2D &C) {
  const void *Start = C.srcMemoryType == CU_MEMORYTYPE_ARRAY ? nullptr
                      : C.srcMemoryType == CU_MEMORYTYPE_HOST
                          ? C.srcHost
                          : pointer(C.srcDevice);
  return Start ? static_cast<const char *>(Start) + C.srcY * C.srcPitch +
                     C.srcXInBytes
               : nullptr;
}

/// Rows of elements; the pitch in bytes.
struct Rows {
  size_t Pitch, Width, Height;
};

CUresult set(CUdeviceptr To, unsigned Value, unsigned ElementBytes, Rows R,
             CUstream Stream, bool Async) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  MemsetOperation M;
  M.Width = R.Width * ElementBytes;
  M.Height = R.Height;
  M.To = {static_cast<char *>(pointer(To)), R.Height > 1 ? R.Pitch : M.Width,
          0};
  M.Value = Value;
  M.ElementBytes = ElementBytes;
  M.Async = Async;
  return Call.doneAs<CUresult>(
      submit(Call, Stream, cudaGraphNodeTypeMemset, M));
}

} // namespace

extern "C" {

CUresult cuMemGetInfo(size_t *Free, size_t *Total) {
  return result(cudaMemGetInfo(Free, Total));
}

CUresult cuMemAlloc(CUdeviceptr *Result, size_t Bytes) {
  return allocated(Result,
                   [&](void **Place) { return cudaMalloc(Place, Bytes); });
}

CUresult cuMemFree(CUdeviceptr Place) {
  return result(cudaFree(pointer(Place)));
}

CUresult cuMemAllocManaged(CUdeviceptr *Result, size_t Bytes, unsigned Flags) {
  return allocated(Result, [&](void **Place) {
    return cudaMallocManaged(Place, Bytes, Flags);
  });
}

CUresult cuMemAllocPitch(CUdeviceptr *Result, size_t *Pitch, size_t Width,
                         size_t Height, unsigned) {
  return allocated(Result, [&](void **Place) {
    return cudaMallocPitch(Place, Pitch, Width, Height);
  });
}

CUresult cuMemAllocAsync(CUdeviceptr *Result, size_t Bytes, CUstream Stream) {
  return allocated(Result, [&](void **Place) {
    return cudaMallocAsync(Place, Bytes, Stream);
  });
}

CUresult cuMemFreeAsync(CUdeviceptr Place, CUstream Stream) {
  return result(cudaFreeAsync(pointer(Place), Stream));
}

CUresult cuMemHostAlloc(void **Result, size_t Bytes, unsigned Flags) {
  return result(cudaHostAlloc(Result, Bytes, Flags));
}

CUresult cuMemHostRegister(void *Place, size_t Bytes, unsigned Flags) {
  return result(cudaHostRegister(Place, Bytes, Flags));
}

CUresult cuMemHostUnregister(void *Place) {
  return result(cudaHostUnregister(Place));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *Result, void *Host,
                                   unsigned Flags) {
  return allocated(Result, [&](void **Place) {
    return cudaHostGetDevicePointer(Place, Host, Flags);
  });
}

CUresult cuMemHostGetFlags(unsigned *Result, void *Host) {
  return result(cudaHostGetFlags(Result, Host));
}

CUresult cuMemAllocHost(void **Result, size_t Bytes) {
  return result(cudaMallocHost(Result, Bytes));
}

CUresult cuMemFreeHost(void *Place) { return result(cudaFreeHost(Place)); }

CUresult cuMemcpyHtoD(CUdeviceptr To, const void *From, size_t Bytes) {
  return result(cudaMemcpy(pointer(To), From, Bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *To, CUdeviceptr From, size_t Bytes) {
  return result(cudaMemcpy(To, pointer(From), Bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  return result(
      cudaMemcpy(pointer(To), pointer(From), Bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr To, const void *From, size_t Bytes,
                           CUstream Stream) {
  return result(cudaMemcpyAsync(pointer(To), From, Bytes,
                                cudaMemcpyHostToDevice, Stream));
}

CUresult cuMemcpyDtoHAsync(void *To, CUdeviceptr From, size_t Bytes,
                           CUstream Stream) {
  return result(cudaMemcpyAsync(To, pointer(From), Bytes,
                                cudaMemcpyDeviceToHost, Stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                           CUstream Stream) {
  return result(cudaMemcpyAsync(pointer(To), pointer(From), Bytes,
                                cudaMemcpyDeviceToDevice, Stream));
}

CUresult cuMemcpy(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  return result(
      cudaMemcpy(pointer(To), pointer(From), Bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                       CUstream Stream) {
  return result(cudaMemcpyAsync(pointer(To), pointer(From), Bytes,
                                cudaMemcpyDefault, Stream));
}

CUresult cuMemcpyPeer(CUdeviceptr To, CUcontext, CUdeviceptr From, CUcontext,
                      size_t Bytes) {
  return result(cudaMemcpyPeer(pointer(To), 0, pointer(From), 0, Bytes));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr To, CUcontext, CUdeviceptr From,
                           CUcontext, size_t Bytes, CUstream Stream) {
  return result(
      cudaMemcpyPeerAsync(pointer(To), 0, pointer(From), 0, Bytes, Stream));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *Copy) {
  void *To = destination(*Copy);
  const void *From = source(*Copy);
  if (!To || !From)
    return CUDA_ERROR_NOT_SUPPORTED;
  return result(cudaMemcpy2D(To, Copy->dstPitch, From, Copy->srcPitch,
                             Copy->WidthInBytes, Copy->Height,
                             cudaMemcpyDefault));
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *Copy) {
  return cuMemcpy2D(Copy);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *Copy, CUstream Stream) {
  void *To = destination(*Copy);
  const void *From = source(*Copy);
  if (!To || !From)
    return CUDA_ERROR_NOT_SUPPORTED;
  return result(cudaMemcpy2DAsync(To, Copy->dstPitch, From, Copy->srcPitch,
                                  Copy->WidthInBytes, Copy->Height,
                                  cudaMemcpyDefault, Stream));
}

CUresult cuMemsetD8Async(CUdeviceptr To, unsigned char Value, size_t Count,
                         CUstream Stream) {
  return set(To, Value, 1, {0, Count, 1}, Stream, true);
}
CUresult cuMemsetD16Async(CUdeviceptr To, unsigned short Value, size_t Count,
                          CUstream Stream) {
  return set(To, Value, 2, {0, Count, 1}, Stream, true);
}
CUresult cuMemsetD32Async(CUdeviceptr To, unsigned Value, size_t Count,
                          CUstream Stream) {
  return set(To, Value, 4, {0, Count, 1}, Stream, true);
}
CUresult cuMemsetD8(CUdeviceptr To, unsigned char Value, size_t Count) {
  return set(To, Value, 1, {0, Count, 1}, nullptr, false);
}
CUresult cuMemsetD16(CUdeviceptr To, unsigned short Value, size_t Count) {
  return set(To, Value, 2, {0, Count, 1}, nullptr, false);
}
CUresult cuMemsetD32(CUdeviceptr To, unsigned Value, size_t Count) {
  return set(To, Value, 4, {0, Count, 1}, nullptr, false);
}
CUresult cuMemsetD2D8(CUdeviceptr To, size_t Pitch, unsigned char Value,
                      size_t Width, size_t Height) {
  return set(To, Value, 1, {Pitch, Width, Height}, nullptr, false);
}
CUresult cuMemsetD2D16(CUdeviceptr To, size_t Pitch, unsigned short Value,
                       size_t Width, size_t Height) {
  return set(To, Value, 2, {Pitch, Width, Height}, nullptr, false);
}
CUresult cuMemsetD2D32(CUdeviceptr To, size_t Pitch, unsigned Value,
                       size_t Width, size_t Height) {
  return set(To, Value, 4, {Pitch, Width, Height}, nullptr, false);
}

CUresult cuMemPrefetchAsync(CUdeviceptr Place, size_t Bytes, CUdevice Device,
                            CUstream Stream) {
  return result(cudaMemPrefetchAsync(pointer(Place), Bytes, Device, Stream));
}

CUresult cuMemAdvise(CUdeviceptr Place, size_t Bytes, CUmem_advise Advice,
                     CUdevice Device) {
  return result(
      cudaMemAdvise(pointer(Place), Bytes, cudaMemoryAdvise(Advice), Device));
}

CUresult cuMemGetAddressRange(CUdeviceptr *Start, size_t *Bytes,
                              CUdeviceptr Place) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  const RuntimeAllocation *A = Call->Memory.find(pointer(Place));
  if (!A)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  if (Start)
    *Start = A->Address;
  if (Bytes)
    *Bytes = A->Bytes;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *Result, CUpointer_attribute What,
                               CUdeviceptr Place) {
  cudaPointerAttributes A;
  if (cudaError_t Error = cudaPointerGetAttributes(&A, pointer(Place)))
    return result(Error);
  if (A.type == cudaMemoryTypeUnregistered)
    return CUDA_ERROR_INVALID_VALUE;
  switch (What) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return cuCtxGetCurrent(static_cast<CUcontext *>(Result));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(Result) = A.type == cudaMemoryTypeHost
                                           ? CU_MEMORYTYPE_HOST
                                           : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr *>(Result) = Place;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *static_cast<void **>(Result) = A.hostPointer;
    return A.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(Result) = A.type == cudaMemoryTypeManaged;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(Result) = A.device;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
}

} // extern "C"

// The names that NVIDIA's header gives to functions of today's interface.
GPU_ESTIMATE_ALIAS(cuMemGetInfo_v2, cuMemGetInfo);
GPU_ESTIMATE_ALIAS(cuMemAlloc_v2, cuMemAlloc);
GPU_ESTIMATE_ALIAS(cuMemFree_v2, cuMemFree);
GPU_ESTIMATE_ALIAS(cuMemAllocHost_v2, cuMemAllocHost);
GPU_ESTIMATE_ALIAS(cuMemcpyHtoD_v2, cuMemcpyHtoD);
GPU_ESTIMATE_ALIAS(cuMemcpyDtoH_v2, cuMemcpyDtoH);
GPU_ESTIMATE_ALIAS(cuMemcpyDtoD_v2, cuMemcpyDtoD);
GPU_ESTIMATE_ALIAS(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync);
GPU_ESTIMATE_ALIAS(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync);
GPU_ESTIMATE_ALIAS(cuMemsetD8_v2, cuMemsetD8);
GPU_ESTIMATE_ALIAS(cuMemsetD32_v2, cuMemsetD32);
GPU_ESTIMATE_ALIAS(cuMemAllocPitch_v2, cuMemAllocPitch);
GPU_ESTIMATE_ALIAS(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer);
GPU_ESTIMATE_ALIAS(cuMemHostRegister_v2, cuMemHostRegister);
GPU_ESTIMATE_ALIAS(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync);
GPU_ESTIMATE_ALIAS(cuMemcpy2D_v2, cuMemcpy2D);
GPU_ESTIMATE_ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned);
GPU_ESTIMATE_ALIAS(cuMemcpy2DAsync_v2, cuMemcpy2DAsync);
GPU_ESTIMATE_ALIAS(cuMemsetD16_v2, cuMemsetD16);
GPU_ESTIMATE_ALIAS(cuMemsetD2D8_v2, cuMemsetD2D8);
GPU_ESTIMATE_ALIAS(cuMemsetD2D16_v2, cuMemsetD2D16);
GPU_ESTIMATE_ALIAS(cuMemsetD2D32_v2, cuMemsetD2D32);
GPU_ESTIMATE_ALIAS(cuMemGetAddressRange_v2, cuMemGetAddressRange);
