#include <cstdio>
#include <cstring>
#include <cuda.h>

static int Wrong = 0;
static void expect(bool Holds, int Line) {
  if (!Holds)
    std::printf("line %d\n", Line), ++Wrong;
}
#define EXPECT(Condition) expect(Condition, __LINE__)
#define DO(Call) expect((Call) == CUDA_SUCCESS, __LINE__)

int main() {
  CUdevice Device;
  CUcontext Context, Current;
  DO(cuInit(0));
  DO(cuDeviceGet(&Device, 0));
  DO(cuCtxCreate(&Context, CU_CTX_SCHED_BLOCKING_SYNC, Device));
  int Managed = 0;
  DO(cuDeviceGetAttribute(
      &Managed, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, Device));
  EXPECT(Managed == 1);

  size_t Free = 0, Total = 0;
  DO(cuMemGetInfo(&Free, nullptr));
  DO(cuMemGetInfo(nullptr, &Total));
  EXPECT(Free == Total && Free > 0);

  CUstream Stream;
  DO(cuStreamCreateWithPriority(&Stream, CU_STREAM_NON_BLOCKING, 0));
  EXPECT(cuStreamQuery(Stream) == CUDA_SUCCESS);

  // A rectangle of 3 rows of 5 words in a pitched allocation.
  CUdeviceptr Rows, Copy, Start;
  size_t Pitch, Bytes;
  unsigned Words[15], Seen[15];
  for (unsigned I = 0; I < 15; ++I)
    Words[I] = I;
  DO(cuMemAllocPitch(&Rows, &Pitch, 20, 3, 4));
  CUDA_MEMCPY2D In = {};
  In.srcMemoryType = CU_MEMORYTYPE_HOST;
  In.srcHost = Words;
  In.srcPitch = 20;
  In.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  In.dstDevice = Rows;
  In.dstPitch = Pitch;
  In.WidthInBytes = 20;
  In.Height = 3;
  DO(cuMemcpy2D(&In));
  DO(cuMemsetD2D32(Rows + 4, Pitch, 77, 2, 3)); // words 1 and 2 of each row
  CUDA_MEMCPY2D Out = {};
  Out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  Out.srcDevice = Rows;
  Out.srcPitch = Pitch;
  Out.dstMemoryType = CU_MEMORYTYPE_HOST;
  Out.dstHost = Seen;
  Out.dstPitch = 20;
  Out.WidthInBytes = 20;
  Out.Height = 3;
  DO(cuMemcpy2DAsync(&Out, CU_STREAM_PER_THREAD));
  DO(cuCtxSynchronize());
  for (unsigned I = 0; I < 15; ++I)
    EXPECT(Seen[I] == (I % 5 == 1 || I % 5 == 2 ? 77 : I));

  DO(cuMemAllocManaged(&Copy, 64, CU_MEM_ATTACH_GLOBAL));
  DO(cuMemsetD16Async(Copy, 0x1234, 32, Stream));
  DO(cuStreamSynchronize(Stream));
  unsigned Pattern;
  std::memcpy(&Pattern, reinterpret_cast<void *>(Copy + 60), 4);
  EXPECT(Pattern == 0x12341234);
  DO(cuMemGetAddressRange(&Start, &Bytes, Copy + 40));
  EXPECT(Start == Copy && Bytes == 64);
  unsigned Type = 0, IsManaged = 0;
  DO(cuPointerGetAttribute(&Type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, Copy));
  DO(cuPointerGetAttribute(&IsManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, Copy));
  EXPECT(Type == CU_MEMORYTYPE_DEVICE && IsManaged == 1);
  EXPECT(cuPointerGetAttribute(&Type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               reinterpret_cast<CUdeviceptr>(Words)) ==
         CUDA_ERROR_INVALID_VALUE);

  void *Host;
  CUdeviceptr OnDevice;
  DO(cuMemHostAlloc(&Host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
  DO(cuMemHostGetDevicePointer(&OnDevice, Host, 0));
  DO(cuMemcpyAsync(OnDevice, Copy, 64, Stream));
  auto Add = [](void *Data) { ++*static_cast<int *>(Data); };
  int Calls = 0;
  DO(cuLaunchHostFunc(Stream, Add, &Calls));
  DO(cuStreamSynchronize(Stream));
  EXPECT(Calls == 1 && std::memcmp(Host, &Pattern, 4) == 0);
  DO(cuCtxGetCurrent(&Current));
  EXPECT(Current == Context);
  std::printf("%d wrong\n", Wrong);
}
