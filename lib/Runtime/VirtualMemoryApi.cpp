/// \file
/// Virtual memory management in the driver's interface. What a program may
/// access is one allocation for each range of neighbouring mappings.
#include "DriverCalls.h"
#include "Process.h"
#include <algorithm>

using namespace gpuestimate;

namespace {

/// Makes the allocations that the run knows those that are accessible. One that
/// grows is freed and allocated anew.
cudaError_t updateAllocations(ApiCall &Call) {
  Executor *E = Call->executor();
  if (!E)
    return cudaErrorMemoryAllocation;
  std::vector<VirtualMemory::Range> Now = Call->Virtual.accessible();
  std::vector<VirtualMemory::Range> &Known = Call->VirtualAllocations;
  auto isIn = [](const VirtualMemory::Range &R, const auto &Ranges) {
    return std::find(Ranges.begin(), Ranges.end(), R) != Ranges.end();
  };
  for (const VirtualMemory::Range &R : Known) {
    if (isIn(R, Now))
      continue;
    if (const RuntimeAllocation *A =
            Call->Memory.findStart(pointer(CUdeviceptr(R.Address))))
      Call->Memory.remove(*A);
    E->memory().remove(pointer(CUdeviceptr(R.Address)));
    Call.record(RunFree{R.Address, /*Async=*/false});
  }
  for (const VirtualMemory::Range &R : Now) {
    if (isIn(R, Known))
      continue;
    E->memory().add(pointer(CUdeviceptr(R.Address)), R.Bytes);
    Call->Memory.add(
        {R.Address, R.Bytes, RunMemory::Device, 0, currentDevice()});
    Call.record(RunAllocation{R.Address, R.Bytes, RunMemory::Device, ""});
  }
  Known = std::move(Now);
  return cudaSuccess;
}

cudaError_t successIf(bool Works) {
  return Works ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t *Result,
                                       const CUmemAllocationProp *Properties,
                                       CUmemAllocationGranularity_flags) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Result || !Properties)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  *Result = VirtualMemory::Granularity;
  return Call.doneAs<CUresult>(cudaSuccess);
}

CUresult cuMemAddressReserve(CUdeviceptr *Result, size_t Bytes,
                             size_t Alignment, CUdeviceptr,
                             unsigned long long) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Result || Bytes == 0 || Bytes % VirtualMemory::Granularity != 0)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  std::optional<uint64_t> Address = Call->Virtual.reserve(Bytes, Alignment);
  if (!Address)
    return Call.doneAs<CUresult>(cudaErrorMemoryAllocation);
  *Result = CUdeviceptr(*Address);
  return Call.doneAs<CUresult>(cudaSuccess);
}

CUresult cuMemAddressFree(CUdeviceptr Place, size_t Bytes) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return Call.doneAs<CUresult>(
      successIf(Call->Virtual.unreserve({uint64_t(Place), Bytes})));
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *Result, size_t Bytes,
                     const CUmemAllocationProp *Properties,
                     unsigned long long) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Result || !Properties || Bytes == 0 ||
      Bytes % VirtualMemory::Granularity != 0)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  // What is mapped counts among the allocations, too.
  uint64_t Mapped = 0;
  for (const VirtualMemory::Range &R : Call->VirtualAllocations)
    Mapped += R.Bytes;
  uint64_t Others = Call->Memory.bytesOn(currentDevice());
  Others -= std::min(Others, Mapped);
  uint64_t Used = Others + Call->Virtual.createdBytes();
  bool Fits = Bytes <= Call->Device.GlobalBytes -
                           std::min(Call->Device.GlobalBytes, Used);
  VirtualMemory::Properties P;
  P.Device = Properties->location.id;
  P.HandleTypes = unsigned(Properties->requestedHandleTypes);
  P.Compression = Properties->allocFlags.compressionType;
  VirtualMemory::Handle H = Fits ? Call->Virtual.create(Bytes, P) : 0;
  if (!H)
    return Call.doneAs<CUresult>(cudaErrorMemoryAllocation);
  *Result = H;
  return Call.doneAs<CUresult>(cudaSuccess);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle H) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return Call.doneAs<CUresult>(successIf(Call->Virtual.release(H)));
}

CUresult cuMemMap(CUdeviceptr Place, size_t Bytes, size_t Offset,
                  CUmemGenericAllocationHandle H, unsigned long long) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return Call.doneAs<CUresult>(
      successIf(Offset == 0 && Call->Virtual.map({uint64_t(Place), Bytes}, H)));
}

CUresult cuMemUnmap(CUdeviceptr Place, size_t Bytes) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Call->Virtual.unmap({uint64_t(Place), Bytes}))
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  return Call.doneAs<CUresult>(updateAllocations(Call));
}

CUresult cuMemSetAccess(CUdeviceptr Place, size_t Bytes,
                        const CUmemAccessDesc *Descriptions, size_t Count) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  // All devices share the memory of the process.
  bool Access = false;
  for (size_t I = 0; Descriptions && I < Count; ++I)
    Access |= Descriptions[I].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  if (!Descriptions || Count == 0 ||
      !Call->Virtual.allow({uint64_t(Place), Bytes}, Access))
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  return Call.doneAs<CUresult>(updateAllocations(Call));
}

CUresult
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *Result,
                                       CUmemGenericAllocationHandle H) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  const VirtualMemory::Properties *P = Call->Virtual.properties(H);
  if (!Result || !P)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  *Result = {};
  Result->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  Result->requestedHandleTypes = CUmemAllocationHandleType(P->HandleTypes);
  Result->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  Result->location.id = P->Device;
  Result->allocFlags.compressionType = P->Compression;
  return Call.doneAs<CUresult>(cudaSuccess);
}

CUresult cuMemExportToShareableHandle(void *Result,
                                      CUmemGenericAllocationHandle H,
                                      CUmemAllocationHandleType Kind,
                                      unsigned long long) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Result || Kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  int File = Call->Virtual.exportFile(H);
  if (File < 0)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  *static_cast<int *>(Result) = File;
  return Call.doneAs<CUresult>(cudaSuccess);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *Result,
                                        void *Shared,
                                        CUmemAllocationHandleType Kind) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Result || Kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  // The descriptor itself stands in the pointer.
  auto File = static_cast<int>(reinterpret_cast<uintptr_t>(Shared));
  VirtualMemory::Handle H = Call->Virtual.import(
      File, {int(currentDevice()), unsigned(Kind), /*Compression=*/0});
  if (!H)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  *Result = H;
  return Call.doneAs<CUresult>(cudaSuccess);
}

} // extern "C"
