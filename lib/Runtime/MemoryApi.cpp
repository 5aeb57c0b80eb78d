/// \file
/// RuntimeAllocation of memory of every kind, and what the interface tells of
/// it.
#include "MemoryApi.h"

#include "Arrays.h"
#include "Process.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace gpuestimate;

namespace {

/// Rows of pitched memory begin at multiples of it (cudaDeviceProp::
/// texturePitchAlignment is smaller; cudaMallocPitch gives 512 bytes).
constexpr uint64_t PitchAlignment = 512;

/// Faults of 4 KiB pages may take longer than a kernel that writes each of them
/// once. Managed memory keeps such pages, which tell what was touched.
void useLargePages(uint64_t Address, uint64_t Bytes) {
  constexpr uint64_t LargePage = 2 << 20;
  uint64_t Begin = llvm::alignTo(Address, LargePage),
           End = llvm::alignDown(Address + Bytes, LargePage);
  if (Begin < End)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
}

cudaError_t allocate(ApiCall &Call, void **Result, uint64_t Bytes,
                     RunMemory Kind, unsigned Flags = 0) {
  if (!Result)
    return cudaErrorInvalidValue;
  *Result = nullptr;
  if (Bytes == 0)
    return cudaSuccess;
  bool OnDevice = Kind != RunMemory::Pinned;
  if (OnDevice && Bytes > Call->Device.GlobalBytes -
                              std::min(Call->Device.GlobalBytes,
                                       Call->Memory.bytesOn(currentDevice())))
    return cudaErrorMemoryAllocation;
  Executor *E = Call->executor();
  void *Place = E ? E->memory().allocate(Bytes) : nullptr;
  if (!Place)
    return cudaErrorMemoryAllocation;
  uint64_t Address = reinterpret_cast<uint64_t>(Place);
  if (Kind == RunMemory::Device)
    useLargePages(Address, Bytes);
  Call->Memory.add({Address, Bytes, Kind, Flags, currentDevice()});
  Call.record(RunAllocation{Address, Bytes, Kind, ""});
  *Result = Place;
  return cudaSuccess;
}

cudaError_t release(ApiCall &Call, void *Place, bool OnDevice, bool Async) {
  if (!Place)
    return cudaSuccess;
  const RuntimeAllocation *A = Call->Memory.findStart(Place);
  if (!A || A->Kind == RunMemory::Variable ||
      A->Kind == RunMemory::Registered || A->onDevice() != OnDevice)
    return cudaErrorInvalidValue;
  if (A->Kind == RunMemory::Managed) {
    RunCopy Read;
    Read.Kind = RunCopyKind::DeviceToHost;
    Read.Migration = RunMigration::Faults;
    Read.Bytes = Call->Managed.useOnHost(*A, 0, A->Bytes, /*OnlyWritten=*/true);
    if (Read.Bytes)
      Call.record(std::move(Read));
    Call->Managed.forget(*A);
  }
  Call->Memory.remove(*A);
  Call->executor()->memory().release(Place);
  Call.record(RunFree{reinterpret_cast<uint64_t>(Place), Async});
  return cudaSuccess;
}

unsigned bitsOf(const cudaChannelFormatDesc &D) {
  return D.x + D.y + D.z + D.w;
}

cudaError_t allocateArray(ApiCall &Call, cudaArray_t *Result,
                          const cudaChannelFormatDesc *Format,
                          cudaExtent Extent, unsigned Flags) {
  if (!Result || !Format || bitsOf(*Format) == 0 || Extent.width == 0)
    return cudaErrorInvalidValue;
  auto *A = new cudaArray;
  A->Format = *Format;
  A->Extent = Extent;
  A->Flags = Flags;
  A->TexelBytes = bitsOf(*Format) / 8;
  void *Place;
  cudaError_t Error = allocate(
      Call, &Place, A->slicePitch() * std::max<uint64_t>(1, Extent.depth),
      RunMemory::Device);
  if (Error) {
    delete A;
    return Error;
  }
  A->Data = static_cast<char *>(Place);
  *Result = A;
  return cudaSuccess;
}

} // namespace

namespace gpuestimate {

cudaError_t prefetchManaged(ApiCall &Call, const void *Start, uint64_t Bytes,
                            bool ToHost, cudaStream_t Handle) {
  const RuntimeAllocation *A = Call->Memory.find(Start);
  Stream *S = Call->find(Handle);
  if (!A || A->Kind != RunMemory::Managed || Bytes == 0)
    return cudaErrorInvalidValue;
  if (!S)
    return cudaErrorInvalidResourceHandle;
  uint64_t Offset = reinterpret_cast<uint64_t>(Start) - A->Address;
  if (Bytes > A->Bytes - Offset)
    return cudaErrorInvalidValue;
  RunCopy C;
  C.Kind = ToHost ? RunCopyKind::DeviceToHost : RunCopyKind::HostToDevice;
  C.Async = true;
  C.Stream = S->Number;
  C.Migration = RunMigration::Prefetch;
  C.Bytes = ToHost ? Call->Managed.useOnHost(*A, Offset, Bytes, false)
                   : Call->Managed.useOnGpu(*A, Offset, Bytes).ToGpu;
  if (C.Bytes)
    Call.record(std::move(C));
  else
    Call.record(RunCall{});
  return cudaSuccess;
}

cudaError_t adviseManaged(ApiCall &Call, const void *Start, uint64_t Bytes,
                          cudaMemoryAdvise Advice, bool OfHost) {
  const RuntimeAllocation *A = Call->Memory.find(Start);
  if (!A || A->Kind != RunMemory::Managed || Bytes == 0)
    return cudaErrorInvalidValue;
  Call.record(RunCall{});
  if (OfHost ? Advice == cudaMemAdviseSetPreferredLocation
             : Advice == cudaMemAdviseSetAccessedBy) {
    Call->Managed.stayOnHost(*A);
    // The prediction takes it for memory of the host.
    Call.record(RunAllocation{A->Address, A->Bytes, RunMemory::Pinned, ""});
  }
  return cudaSuccess;
}

cudaError_t releaseDevice(ApiCall &Call, void *Place, bool Async) {
  if (Call->GraphMemory.contains(Place))
    return cudaSuccess;
  return release(Call, Place, /*OnDevice=*/true, Async);
}

} // namespace gpuestimate

extern "C" {

cudaError_t cudaMalloc(void **Result, size_t Bytes) {
  GPU_ESTIMATE_CALL;
  return Call.done(allocate(Call, Result, Bytes, RunMemory::Device));
}

cudaError_t cudaMallocManaged(void **Result, size_t Bytes, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  if (Bytes == 0)
    return Call.done(cudaErrorInvalidValue);
  return Call.done(allocate(Call, Result, Bytes, RunMemory::Managed, Flags));
}

cudaError_t cudaMallocHost(void **Result, size_t Bytes) {
  GPU_ESTIMATE_CALL;
  return Call.done(allocate(Call, Result, Bytes, RunMemory::Pinned));
}

cudaError_t cudaHostAlloc(void **Result, size_t Bytes, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  return Call.done(allocate(Call, Result, Bytes, RunMemory::Pinned, Flags));
}

cudaError_t cudaMallocPitch(void **Result, size_t *Pitch, size_t Width,
                            size_t Height) {
  GPU_ESTIMATE_CALL;
  if (!Pitch)
    return Call.done(cudaErrorInvalidValue);
  *Pitch = llvm::alignTo(Width, PitchAlignment);
  return Call.done(allocate(Call, Result, *Pitch * Height, RunMemory::Device));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *Result, cudaExtent Extent) {
  GPU_ESTIMATE_CALL;
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  Result->pitch = llvm::alignTo(Extent.width, PitchAlignment);
  Result->xsize = Extent.width;
  Result->ysize = Extent.height;
  return Call.done(allocate(Call, &Result->ptr,
                            Result->pitch * Extent.height * Extent.depth,
                            RunMemory::Device));
}

// Memory of a stream's pool: work executes in the order of the calls. In a
// capture it belongs to the graph.
cudaError_t cudaMallocAsync(void **Result, size_t Bytes, cudaStream_t Handle) {
  GPU_ESTIMATE_CALL;
  cudaError_t Error = allocate(Call, Result, Bytes, RunMemory::Device);
  Stream *S = Call->find(Handle);
  if (!Error && S && S->Capture)
    Call->GraphMemory.insert(*Result);
  return Call.done(Error);
}

cudaError_t cudaMallocFromPoolAsync(void **Result, size_t Bytes, cudaMemPool_t,
                                    cudaStream_t Stream) {
  return cudaMallocAsync(Result, Bytes, Stream);
}

cudaError_t cudaFree(void *Place) {
  GPU_ESTIMATE_CALL;
  return Call.done(releaseDevice(Call, Place, /*Async=*/false));
}

cudaError_t cudaFreeAsync(void *Place, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  return Call.done(
      submit(Call, Stream, cudaGraphNodeTypeMemFree, FreeOperation{Place}));
}

cudaError_t cudaFreeHost(void *Place) {
  GPU_ESTIMATE_CALL;
  return Call.done(release(Call, Place, /*OnDevice=*/false, /*Async=*/false));
}

cudaError_t cudaHostRegister(void *Place, size_t Bytes, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  if (!Place || Bytes == 0)
    return Call.done(cudaErrorInvalidValue);
  if (Call->Memory.find(Place))
    return Call.done(cudaErrorHostMemoryAlreadyRegistered);
  Executor *E = Call->executor();
  if (!E)
    return Call.done(cudaErrorMemoryAllocation);
  uint64_t Address = reinterpret_cast<uint64_t>(Place);
  E->memory().add(Place, Bytes);
  Call->Memory.add({Address, Bytes, RunMemory::Registered, Flags});
  Call.record(RunAllocation{Address, Bytes, RunMemory::Registered, ""});
  return Call.done(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *Place) {
  GPU_ESTIMATE_CALL;
  const RuntimeAllocation *A = Call->Memory.findStart(Place);
  if (!A || A->Kind != RunMemory::Registered)
    return Call.done(cudaErrorHostMemoryNotRegistered);
  Call->Memory.remove(*A);
  Call->executor()->memory().remove(Place);
  Call.record(RunFree{reinterpret_cast<uint64_t>(Place), /*Async=*/false});
  return Call.done(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void **Result, void *Host, unsigned) {
  GPU_ESTIMATE_CALL;
  if (!Result || !Call->Memory.find(Host))
    return Call.done(cudaErrorInvalidValue);
  *Result = Host;
  return Call.done(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned *Flags, void *Host) {
  GPU_ESTIMATE_CALL;
  const RuntimeAllocation *A = Call->Memory.find(Host);
  if (!Flags || !A || !A->isPageLocked())
    return Call.done(cudaErrorInvalidValue);
  *Flags = A->Flags;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  GPU_ESTIMATE_CALL;
  // Programs leave out what they do not ask for.
  uint64_t All = Call->Device.GlobalBytes;
  if (Total)
    *Total = All;
  if (Free)
    *Free = All - std::min(All, Call->Memory.bytesOn(currentDevice()));
  return Call.done(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Result,
                                     const void *Place) {
  GPU_ESTIMATE_CALL;
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  *Result = {};
  const RuntimeAllocation *A = Call->Memory.find(Place);
  Result->device = A ? int(A->Device) : cudaInvalidDeviceId;
  Result->hostPointer = const_cast<void *>(Place);
  if (!A)
    return Call.done(cudaSuccess);
  Result->devicePointer = Result->hostPointer;
  Result->type = A->isPageLocked()               ? cudaMemoryTypeHost
                 : A->Kind == RunMemory::Managed ? cudaMemoryTypeManaged
                                                 : cudaMemoryTypeDevice;
  if (Result->type == cudaMemoryTypeDevice)
    Result->hostPointer = nullptr;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemRangeGetAttribute(void *Data, size_t Bytes,
                                     cudaMemRangeAttribute, const void *,
                                     size_t) {
  GPU_ESTIMATE_CALL;
  // No location is preferred: pages belong to host and device at once.
  if (Bytes != 4)
    return Call.done(cudaErrorInvalidValue);
  int Invalid = cudaInvalidDeviceId;
  std::memcpy(Data, &Invalid, 4);
  return Call.done(cudaSuccess);
}

// Arrays.

cudaError_t cudaMallocArray(cudaArray_t *Result,
                            const cudaChannelFormatDesc *Format, size_t Width,
                            size_t Height, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  return Call.done(
      allocateArray(Call, Result, Format, {Width, Height, 0}, Flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *Result,
                              const cudaChannelFormatDesc *Format,
                              cudaExtent Extent, unsigned Flags) {
  GPU_ESTIMATE_CALL;
  return Call.done(allocateArray(Call, Result, Format, Extent, Flags));
}

cudaError_t cudaFreeArray(cudaArray_t Array) {
  GPU_ESTIMATE_CALL;
  if (!Array)
    return Call.done(cudaSuccess);
  cudaError_t Error = releaseDevice(Call, Array->Data, /*Async=*/false);
  delete Array;
  return Call.done(Error);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *Format, cudaExtent *Extent,
                             unsigned *Flags, cudaArray_t Array) {
  GPU_ESTIMATE_CALL;
  if (!Array)
    return Call.done(cudaErrorInvalidResourceHandle);
  if (Format)
    *Format = Array->Format;
  if (Extent)
    *Extent = Array->Extent;
  if (Flags)
    *Flags = Array->Flags;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *Format,
                               cudaArray_const_t Array) {
  GPU_ESTIMATE_CALL;
  if (!Format || !Array)
    return Call.done(cudaErrorInvalidValue);
  *Format = Array->Format;
  return Call.done(cudaSuccess);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int X, int Y, int Z, int W,
                                            cudaChannelFormatKind Kind) {
  return {X, Y, Z, W, Kind};
}

// Pools: there is one, and it holds nothing back.

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Pool, int) {
  GPU_ESTIMATE_CALL;
  if (!Pool)
    return Call.done(cudaErrorInvalidValue);
  *Pool = reinterpret_cast<cudaMemPool_t>(&Call.process());
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *Pool, const cudaMemPoolProps *) {
  return cudaDeviceGetDefaultMemPool(Pool, 0);
}

cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr What,
                                    void *Value) {
  GPU_ESTIMATE_CALL;
  if (!Value)
    return Call.done(cudaErrorInvalidValue);
  if (What < cudaMemPoolAttrReleaseThreshold) {
    *static_cast<int *>(Value) = 1;
  } else {
    uint64_t Used = Call->Memory.bytesOn(currentDevice());
    std::memcpy(Value, &Used, sizeof(Used));
  }
  return Call.done(cudaSuccess);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *,
                                 size_t) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

} // extern "C"

GPU_ESTIMATE_DECLARED_ALIAS(cudaDeviceGetMemPool, cudaDeviceGetDefaultMemPool);
GPU_ESTIMATE_ALIAS(hipMalloc, cudaMalloc);
GPU_ESTIMATE_ALIAS(hipMallocManaged, cudaMallocManaged);
GPU_ESTIMATE_ALIAS(hipHostMalloc, cudaHostAlloc);
GPU_ESTIMATE_ALIAS(hipMallocPitch, cudaMallocPitch);
GPU_ESTIMATE_ALIAS(hipMallocAsync, cudaMallocAsync);
GPU_ESTIMATE_ALIAS(hipFree, cudaFree);
GPU_ESTIMATE_ALIAS(hipFreeAsync, cudaFreeAsync);
GPU_ESTIMATE_ALIAS(hipHostFree, cudaFreeHost);
GPU_ESTIMATE_ALIAS(hipHostRegister, cudaHostRegister);
GPU_ESTIMATE_ALIAS(hipHostUnregister, cudaHostUnregister);
GPU_ESTIMATE_ALIAS(hipHostGetDevicePointer, cudaHostGetDevicePointer);
GPU_ESTIMATE_ALIAS(hipMemGetInfo, cudaMemGetInfo);
