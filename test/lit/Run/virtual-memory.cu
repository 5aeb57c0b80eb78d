// Virtual memory management: memory of two handles behind each other is one
// allocation for copies and kernels, one handle has two addresses, and a file
// descriptor carries memory to another handle.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcuda | FileCheck %s --check-prefixes=CHECK,RIGHT
// CHECK: supported 1, granularity 2097152
// CHECK: grown 0 wrong, alias 0 wrong, shared 0 wrong
// CHECK: refused 1 1 1, freed 0
// RIGHT-NOT: is not supported
// RUN: not %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 --args unmapped -- -lcuda 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: fault: {{.*}}'twice'
#include <cstdio>
#include <cuda.h>
#include <unistd.h>
#include <vector>

__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

static int wrong(CUdeviceptr place, const std::vector<int> &expected) {
  std::vector<int> got(expected.size());
  cuMemcpyDtoH(got.data(), place, got.size() * sizeof(int));
  int count = 0;
  for (size_t i = 0; i < got.size(); ++i)
    count += got[i] != expected[i];
  return count;
}

int main(int argc, char **) {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  int supported = 0;
  cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  size_t part = 0;
  cuMemGetAllocationGranularity(&part, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  printf("supported %d, granularity %zu\n", supported, part);

  CUdeviceptr place, alias;
  CUmemGenericAllocationHandle first, second, imported;
  cuMemAddressReserve(&place, 4 * part, 0, 0, 0);
  cuMemAddressReserve(&alias, 2 * part, 0, 0, 0);
  cuMemCreate(&first, part, &properties, 0);
  cuMemCreate(&second, part, &properties, 0);
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  cuMemMap(place, part, 0, first, 0);
  cuMemSetAccess(place, part, &access, 1);
  if (argc > 1) // the second part is not there
    twice<<<1, 32>>>((int *)(place + part), 32);
  cuMemMap(place + part, part, 0, second, 0);
  cuMemSetAccess(place + part, part, &access, 1);

  int n = 2 * part / sizeof(int);
  std::vector<int> values(n), doubled(n);
  for (int i = 0; i < n; ++i)
    doubled[i] = 2 * (values[i] = i);
  cuMemcpyHtoD(place, values.data(), 2 * part);
  twice<<<(n + 255) / 256, 256>>>((int *)place, n);
  int grown = wrong(place, doubled);

  int file;
  cuMemExportToShareableHandle(&file, second, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
  cuMemImportFromShareableHandle(&imported, (void *)(uintptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  close(file);
  cuMemMap(alias, part, 0, first, 0);
  cuMemMap(alias + part, part, 0, imported, 0);
  cuMemSetAccess(alias, 2 * part, &access, 1);
  std::vector<int> low(doubled.begin(), doubled.begin() + n / 2), high(doubled.begin() + n / 2, doubled.end());
  printf("grown %d wrong, alias %d wrong, shared %d wrong\n", grown, wrong(alias, low), wrong(alias + part, high));

  int overlapping = cuMemMap(place, part, 0, second, 0);
  int busy = cuMemAddressFree(place, 4 * part);
  int whole = cuMemUnmap(place, part / 2);
  for (CUmemGenericAllocationHandle h : {first, second, imported})
    cuMemRelease(h);
  cuMemUnmap(place, 2 * part);
  cuMemUnmap(alias, 2 * part);
  int freed = cuMemAddressFree(place, 4 * part) | cuMemAddressFree(alias, 2 * part);
  printf("refused %d %d %d, freed %d\n", overlapping, busy, whole, freed);
}
