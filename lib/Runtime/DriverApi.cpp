/// \file
/// The driver's interface: modules, memory, launches. A context is this
/// process, a module is a DeviceModule, a function is a Kernel.
#include "CodeText.h"
#include "DriverCalls.h"
#include "LaunchApi.h"
#include "Process.h"
#include "gpu-estimate/Execute/TensorMap.h"
#include "gpu-estimate/Run/ImageText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace gpuestimate;

struct CUlinkState_st {
  std::string Input;
};

namespace {

/// The context of a device: an address in this library.
CUcontext contextOf(Process &P, unsigned Device) {
  return reinterpret_cast<CUcontext>(reinterpret_cast<char *>(&P) + Device);
}

unsigned deviceOf(Process &P, CUcontext Context) {
  auto Device = uint64_t(reinterpret_cast<char *>(Context) -
                         reinterpret_cast<char *>(&P));
  return Device < P.Device.Count ? unsigned(Device) : 0;
}

/// The devices of the contexts below this thread's current one.
llvm::SmallVector<unsigned> &devicesBelow() {
  thread_local llvm::SmallVector<unsigned> Devices;
  return Devices;
}

/// Streams and events are the runtime's: the types have the same names.
DeviceModule *module(Process &P, CUmodule Handle) {
  for (const auto &M : P.Modules)
    if (M.get() == reinterpret_cast<DeviceModule *>(Handle))
      return M.get();
  return nullptr;
}

/// Takes over the bitcode, or translates PTX or LLVM IR.
CUresult addModule(ApiCall &Call, CUmodule *Result, std::string Image) {
  DeviceModule &M = Call->addModule();
  std::string Text;
  if (isImageText(Image)) {
    auto Decoded = imageOfText(Image);
    if (!Decoded) {
      Call.notice(llvm::toString(Decoded.takeError()));
      return Call.doneAs<CUresult>(cudaErrorInvalidKernelImage);
    }
    Image = std::move(*Decoded);
  }
  if (isCodeText(Image)) {
    M.IsAlone = true;
    auto Bitcode = translateToBitcode(Image, Call->Device);
    if (!Bitcode) {
      M.Problem = llvm::toString(Bitcode.takeError());
      Call.notice("module " + std::to_string(M.Number) + ": " + M.Problem);
      Call->LastProblem = M.Problem;
      Call.record(RunModule{M.Number, std::move(Image)});
      return Call.doneAs<CUresult>(cudaErrorInvalidKernelImage);
    }
    Text = std::exchange(Image, std::move(*Bitcode));
  }
  M.OwnedBitcode = std::move(Image);
  M.OwnedBitcode.reserve(M.OwnedBitcode.size() + 32); // findBitcode looks ahead
  llvm::StringRef Image0 = M.OwnedBitcode;
  if (Image0.starts_with("BC\xC0\xDE")) {
    M.Bitcode = Image0;
  } else if (auto Found = findBitcode(Image0.data())) {
    M.Bitcode = *Found;
  } else {
    M.Problem = llvm::toString(Found.takeError());
    Call.notice("module " + std::to_string(M.Number) + ": " + M.Problem);
    return Call.doneAs<CUresult>(cudaErrorInvalidKernelImage);
  }
  if (llvm::Error E = readSymbols(M)) {
    M.Problem = llvm::toString(std::move(E));
    return Call.doneAs<CUresult>(cudaErrorInvalidKernelImage);
  }
  Call.record(RunModule{M.Number, Text.empty() ? M.Bitcode.str() : Text});
  *Result = reinterpret_cast<CUmodule>(&M);
  return CUDA_SUCCESS;
}

/// Bytes of an element of a tensor.
unsigned elementBytes(CUtensorMapDataType T) {
  switch (T) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 4;
  }
}

} // namespace

extern "C" {

/// The conditions are those of CUDA's driver API manual.
CUresult cuTensorMapEncodeTiled(CUtensorMap *Result, CUtensorMapDataType Type,
                                cuuint32_t Dimensions, void *Address,
                                const cuuint64_t *Size, const cuuint64_t *Pitch,
                                const cuuint32_t *Box, const cuuint32_t *Step,
                                CUtensorMapInterleave Interleave,
                                CUtensorMapSwizzle Swizzle,
                                CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill Fill) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  constexpr uint64_t PitchAlignment = 16, MaxBox = 256, MaxStep = 8;
  if (!Result || Dimensions == 0 || Dimensions > TensorMap::MaxDimensions ||
      reinterpret_cast<uint64_t>(Address) % PitchAlignment)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  if (Interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return Call.doneAs<CUresult>(cudaErrorNotSupported);
  TensorMap Map;
  Map.Address = reinterpret_cast<uint64_t>(Address);
  Map.Dimensions = uint8_t(Dimensions);
  Map.SwizzledRow = Swizzle == CU_TENSOR_MAP_SWIZZLE_32B    ? 32
                    : Swizzle == CU_TENSOR_MAP_SWIZZLE_64B  ? 64
                    : Swizzle == CU_TENSOR_MAP_SWIZZLE_128B ? 128
                                                            : 0;
  Map.FillsNan = Fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  Map.Pitch[0] = elementBytes(Type);
  for (unsigned D = 0; D != Dimensions; ++D) {
    bool Fits = Size[D] > 0 && Size[D] <= UINT32_MAX && Box[D] > 0 &&
                Box[D] <= MaxBox && Step[D] > 0 && Step[D] <= MaxStep &&
                (D == 0 || Pitch[D - 1] % PitchAlignment == 0);
    if (!Fits)
      return Call.doneAs<CUresult>(cudaErrorInvalidValue);
    if (D > 0)
      Map.Pitch[D] = Pitch[D - 1];
    Map.Size[D] = uint32_t(Size[D]);
    Map.Box[D] = uint16_t(Box[D]);
    Map.Step[D] = uint8_t(Step[D]);
  }
  uint64_t RowBytes = Map.Box[0] * Map.Pitch[0];
  if (RowBytes % 16 || (Map.SwizzledRow && RowBytes > Map.SwizzledRow))
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  std::memcpy(Result, &Map, sizeof(Map));
  return CUDA_SUCCESS;
}

CUresult cuInit(unsigned) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *Result) {
  return result(cudaDriverGetVersion(Result));
}

CUresult cuGetErrorString(CUresult Code, const char **Result) {
  *Result = cudaGetErrorString(cudaError_t(Code));
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult Code, const char **Result) {
  *Result = cudaGetErrorName(cudaError_t(Code));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *Result) {
  return result(cudaGetDeviceCount(Result));
}

CUresult cuDeviceGet(CUdevice *Result, int Ordinal) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Call.isDevice(Ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *Result = Ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *Result, int Length, CUdevice) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  std::snprintf(Result, Length, "%s", Call->Device.Name.c_str());
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *Result, CUdevice) {
  size_t Free;
  return result(cudaMemGetInfo(&Free, Result));
}

CUresult cuDeviceGetAttribute(int *Result, CUdevice_attribute What,
                              CUdevice Device) {
  // Both interfaces number attributes alike.
  return result(cudaDeviceGetAttribute(Result, cudaDeviceAttr(What), Device));
}

CUresult cuDeviceCanAccessPeer(int *Result, CUdevice From, CUdevice To) {
  return result(cudaDeviceCanAccessPeer(Result, From, To));
}

CUresult cuDeviceGetUuid(CUuuid *Result, CUdevice) {
  *Result = {};
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *Result, int Length, CUdevice Device) {
  return result(cudaDeviceGetPCIBusId(Result, Length, Device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *Result, const char *Id) {
  return result(cudaDeviceGetByPCIBusId(Result, Id));
}

CUresult cuDeviceComputeCapability(int *Major, int *Minor, CUdevice) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  *Major = Call->Device.Major;
  *Minor = Call->Device.Minor;
  return CUDA_SUCCESS;
}

// Contexts: each device has one, which is current where the device is.

CUresult cuCtxGetCurrent(CUcontext *Result) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  *Result = contextOf(Call.process(), currentDevice());
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext Context) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Context) // a thread without a context; the device stays the same
    return CUDA_SUCCESS;
  if (contextOf(Call.process(), deviceOf(Call.process(), Context)) != Context)
    return Call.doneAs<CUresult>(cudaErrorDeviceUninitialized);
  currentDevice() = deviceOf(Call.process(), Context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext Context) {
  unsigned Before = currentDevice();
  if (CUresult Error = cuCtxSetCurrent(Context))
    return Error;
  devicesBelow().push_back(Before);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *Result) {
  CUresult Error = Result ? cuCtxGetCurrent(Result) : CUDA_SUCCESS;
  if (!Error && !devicesBelow().empty())
    currentDevice() = devicesBelow().pop_back_val();
  return Error;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *Result, CUdevice Device) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!Call.isDevice(Device))
    return Call.doneAs<CUresult>(cudaErrorInvalidDevice);
  *Result = contextOf(Call.process(), unsigned(Device));
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *Result, unsigned, CUdevice Device) {
  CUresult Error = cuDevicePrimaryCtxRetain(Result, Device);
  return Error ? Error : cuCtxPushCurrent(*Result);
}

CUresult cuCtxCreate_v4(CUcontext *Result, CUctxCreateParams *, unsigned Flags,
                        CUdevice Device) {
  return cuCtxCreate(Result, Flags, Device);
}

CUresult cuCtxDestroy(CUcontext Context) {
  CUcontext Current;
  CUresult Error = cuCtxGetCurrent(&Current);
  return Error || Current != Context ? Error : cuCtxPopCurrent(nullptr);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }

CUresult cuCtxGetDevice(CUdevice *Result) {
  return result(cudaGetDevice(Result));
}

CUresult cuCtxEnablePeerAccess(CUcontext Peer, unsigned Flags) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return result(
      cudaDeviceEnablePeerAccess(int(deviceOf(Call.process(), Peer)), Flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext Peer) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  return result(
      cudaDeviceDisablePeerAccess(int(deviceOf(Call.process(), Peer))));
}

CUresult cuCtxAttach(CUcontext *Result, unsigned) {
  return cuCtxGetCurrent(Result);
}
CUresult cuCtxDetach(CUcontext) { return CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxReset(CUdevice) { return CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned Flags) {
  return result(cudaSetDeviceFlags(Flags));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned *Flags, int *IsActive) {
  *IsActive = 1;
  return result(cudaGetDeviceFlags(Flags));
}

CUresult cuCtxGetFlags(unsigned *Result) {
  return result(cudaGetDeviceFlags(Result));
}

CUresult cuCtxGetApiVersion(CUcontext, unsigned *Result) {
  *Result = 3020; // since CUDA 3.2
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *Result, CUlimit What) {
  return result(cudaDeviceGetLimit(Result, cudaLimit(What)));
}
CUresult cuCtxSetLimit(CUlimit What, size_t Value) {
  return result(cudaDeviceSetLimit(cudaLimit(What), Value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *Result) {
  *Result = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *Result) {
  *Result = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) { return CUDA_SUCCESS; }

CUresult cuCtxGetStreamPriorityRange(int *Least, int *Greatest) {
  return result(cudaDeviceGetStreamPriorityRange(Least, Greatest));
}

CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }

// Modules.

CUresult cuModuleLoad(CUmodule *Result, const char *File) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return Call.doneAs<CUresult>(cudaErrorFileNotFound);
  return addModule(Call, Result, (*Buffer)->getBuffer().str());
}

CUresult cuModuleLoadData(CUmodule *Result, const void *Image) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  // The text of PTX ends with a zero (cuModuleLoadData in CUDA's manual).
  if (std::isprint(*static_cast<const unsigned char *>(Image)) ||
      std::isspace(*static_cast<const unsigned char *>(Image)))
    if (llvm::StringRef Text(static_cast<const char *>(Image));
        isCodeText(Text) || isImageText(Text))
      return addModule(Call, Result, Text.str());
  auto Found = findBitcode(Image);
  if (!Found) {
    Call.notice("cuModuleLoadData: " + llvm::toString(Found.takeError()));
    return Call.doneAs<CUresult>(cudaErrorInvalidKernelImage);
  }
  return addModule(Call, Result, Found->str());
}

CUresult cuModuleLoadDataEx(CUmodule *Result, const void *Image, unsigned,
                            CUjit_option *, void **) {
  return cuModuleLoadData(Result, Image);
}

CUresult cuModuleLoadFatBinary(CUmodule *Result, const void *Image) {
  return cuModuleLoadData(Result, Image);
}

// The linker of modules: one input, which is loaded as it is.

CUresult cuLinkCreate(unsigned, CUjit_option *, void **, CUlinkState *Result) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  *Result = new CUlinkState_st;
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState State, CUjitInputType Type, void *Data,
                       size_t Bytes, const char *, unsigned, CUjit_option *,
                       void **) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  if (!State || !Data)
    return Call.doneAs<CUresult>(cudaErrorInvalidValue);
  if (!State->Input.empty()) {
    Call.notice("cuLinkAddData: several inputs are not linked");
    return Call.doneAs<CUresult>(cudaErrorNotSupported);
  }
  State->Input.assign(static_cast<const char *>(Data), Bytes);
  if (Type == CU_JIT_INPUT_PTX)
    State->Input.push_back('\0');
  return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState State, CUjitInputType Type, const char *File,
                       unsigned, CUjit_option *, void **) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return CUDA_ERROR_FILE_NOT_FOUND;
  std::string Data = (*Buffer)->getBuffer().str();
  return cuLinkAddData(State, Type, Data.data(), Data.size(), File, 0, nullptr,
                       nullptr);
}

CUresult cuLinkComplete(CUlinkState State, void **Image, size_t *Bytes) {
  if (!State || State->Input.empty())
    return CUDA_ERROR_INVALID_VALUE;
  *Image = State->Input.data();
  if (Bytes)
    *Bytes = State->Input.size();
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState State) {
  delete State;
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }

CUresult cuModuleGetFunction(CUfunction *Result, CUmodule Handle,
                             const char *Name) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  DeviceModule *M = module(Call.process(), Handle);
  if (!M)
    return Call.doneAs<CUresult>(cudaErrorInvalidResourceHandle);
  for (const auto &K : M->Kernels)
    if (K->Mangled == Name) {
      *Result = reinterpret_cast<CUfunction>(K.get());
      return CUDA_SUCCESS;
    }
  return Call.doneAs<CUresult>(cudaErrorSymbolNotFound);
}

CUresult cuModuleGetGlobal(CUdeviceptr *Address, size_t *Bytes, CUmodule Handle,
                           const char *Name) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  DeviceModule *M = module(Call.process(), Handle);
  if (!M)
    return Call.doneAs<CUresult>(cudaErrorInvalidResourceHandle);
  // A static variable has the linkage in its name.
  size_t Length = std::strlen(Name);
  std::string OfStatic = "_ZL" + std::to_string(Length) + Name;
  for (const auto &V : M->Variables)
    if (V->Mangled == Name || V->Mangled == OfStatic) {
      void *Storage = Call->storage(Call, *V, currentDevice());
      if (!Storage)
        break;
      if (Address)
        *Address = reinterpret_cast<CUdeviceptr>(Storage);
      if (Bytes)
        *Bytes = V->Bytes;
      return CUDA_SUCCESS;
    }
  return Call.doneAs<CUresult>(cudaErrorSymbolNotFound);
}

// Streams and events.

CUresult cuStreamCreate(CUstream *Result, unsigned Flags) {
  return result(cudaStreamCreateWithFlags(Result, Flags));
}
CUresult cuStreamDestroy(CUstream Stream) {
  return result(cudaStreamDestroy(Stream));
}
CUresult cuStreamSynchronize(CUstream Stream) {
  return result(cudaStreamSynchronize(Stream));
}
CUresult cuStreamWaitEvent(CUstream Stream, CUevent Event, unsigned Flags) {
  return result(cudaStreamWaitEvent(Stream, Event, Flags));
}
CUresult cuEventCreate(CUevent *Result, unsigned Flags) {
  return result(cudaEventCreateWithFlags(Result, Flags));
}
CUresult cuEventRecord(CUevent Event, CUstream Stream) {
  return result(cudaEventRecord(Event, Stream));
}
CUresult cuEventSynchronize(CUevent Event) {
  return result(cudaEventSynchronize(Event));
}
CUresult cuEventElapsedTime(float *Result, CUevent From, CUevent To) {
  return result(cudaEventElapsedTime(Result, From, To));
}
CUresult cuEventQuery(CUevent Event) { return result(cudaEventQuery(Event)); }
CUresult cuEventRecordWithFlags(CUevent Event, CUstream Stream,
                                unsigned Flags) {
  return result(cudaEventRecordWithFlags(Event, Stream, Flags));
}
CUresult cuStreamCreateWithPriority(CUstream *Result, unsigned Flags,
                                    int Priority) {
  return result(cudaStreamCreateWithPriority(Result, Flags, Priority));
}
CUresult cuStreamGetPriority(CUstream Stream, int *Result) {
  return result(cudaStreamGetPriority(Stream, Result));
}
CUresult cuStreamGetFlags(CUstream Stream, unsigned *Result) {
  return result(cudaStreamGetFlags(Stream, Result));
}
CUresult cuStreamGetCtx(CUstream, CUcontext *Result) {
  return cuCtxGetCurrent(Result);
}
CUresult cuStreamQuery(CUstream Stream) {
  return result(cudaStreamQuery(Stream));
}
CUresult cuStreamAttachMemAsync(CUstream Stream, CUdeviceptr Place,
                                size_t Bytes, unsigned Flags) {
  return result(cudaStreamAttachMemAsync(Stream, pointer(Place), Bytes, Flags));
}
CUresult cuStreamAddCallback(CUstream Stream, CUstreamCallback Callback,
                             void *Data, unsigned Flags) {
  // The status that the callback gets has the same numbers.
  return result(cudaStreamAddCallback(
      Stream, reinterpret_cast<cudaStreamCallback_t>(Callback), Data, Flags));
}
CUresult cuLaunchHostFunc(CUstream Stream, CUhostFn Function, void *Data) {
  return result(cudaLaunchHostFunc(Stream, Function, Data));
}
CUresult cuEventDestroy(CUevent Event) {
  return result(cudaEventDestroy(Event));
}

// Kernels.

CUresult cuFuncSetAttribute(CUfunction Function, CUfunction_attribute What,
                            int Value) {
  return result(cudaFuncSetAttribute(Function, cudaFuncAttribute(What), Value));
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) {
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *Result, CUfunction_attribute What,
                            CUfunction Function) {
  cudaFuncAttributes A;
  cudaError_t Error = cudaFuncGetAttributes(&A, Function);
  if (Error)
    return result(Error);
  switch (What) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *Result = A.maxThreadsPerBlock;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *Result = A.sharedSizeBytes;
    break;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *Result = A.constSizeBytes;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *Result = A.localSizeBytes;
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *Result = A.ptxVersion;
    break;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *Result = A.binaryVersion;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *Result = A.numRegs;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *Result = A.maxDynamicSharedSizeBytes;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction Function, unsigned GridX, unsigned GridY,
                        unsigned GridZ, unsigned BlockX, unsigned BlockY,
                        unsigned BlockZ, unsigned Shared, CUstream Stream,
                        void **Arguments, void **Extra) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  Kernel *K = kernelOf(Call.process(), Function);
  if (!K)
    return Call.doneAs<CUresult>(cudaErrorInvalidResourceHandle);
  KernelOperation Launch = operation(K, dim3(GridX, GridY, GridZ),
                                     dim3(BlockX, BlockY, BlockZ), Shared);
  return Call.doneAs<CUresult>(
      launch(Call, std::move(Launch), Arguments, Extra, Stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction Function, unsigned GridX,
                                   unsigned GridY, unsigned GridZ,
                                   unsigned BlockX, unsigned BlockY,
                                   unsigned BlockZ, unsigned Shared,
                                   CUstream Stream, void **Arguments) {
  return result(cudaLaunchCooperativeKernel(Function, dim3(GridX, GridY, GridZ),
                                            dim3(BlockX, BlockY, BlockZ),
                                            Arguments, Shared, Stream));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Result, CUfunction Function, int Threads, size_t Shared, unsigned) {
  return result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(Result, Function,
                                                              Threads, Shared));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Result,
                                                     CUfunction Function,
                                                     int Threads,
                                                     size_t Shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      Result, Function, Threads, Shared, 0);
}

/// The size of block, of whole warps, with which most threads are resident.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *Grid, int *Block,
                                                   CUfunction Function,
                                                   CUoccupancyB2DSize SharedOf,
                                                   size_t Shared, int Limit,
                                                   unsigned) {
  GPU_ESTIMATE_CALL_AS(CUresult);
  cudaFuncAttributes A;
  if (cudaError_t Error = cudaFuncGetAttributes(&A, Function))
    return result(Error);
  int Largest = A.maxThreadsPerBlock, Most = 0;
  if (Limit > 0)
    Largest = std::min(Largest, Limit);
  *Grid = *Block = 0;
  for (int Threads = Largest / 32 * 32; Threads > 0; Threads -= 32) {
    int Blocks = 0;
    size_t Bytes = SharedOf ? SharedOf(Threads) : Shared;
    if (cudaError_t Error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &Blocks, Function, Threads, Bytes))
      return result(Error);
    if (Blocks * Threads <= Most)
      continue;
    Most = Blocks * Threads;
    *Block = Threads;
    *Grid = Blocks * int(Call->Device.Multiprocessors);
  }
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *Grid, int *Block,
                                          CUfunction Function,
                                          CUoccupancyB2DSize SharedOf,
                                          size_t Shared, int Limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(Grid, Block, Function,
                                                   SharedOf, Shared, Limit, 0);
}

} // extern "C"

// The names that NVIDIA's header gives to functions of today's interface.
GPU_ESTIMATE_ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);
GPU_ESTIMATE_ALIAS(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);
GPU_ESTIMATE_ALIAS(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);
GPU_ESTIMATE_ALIAS(cuDeviceTotalMem_v2, cuDeviceTotalMem);
GPU_ESTIMATE_ALIAS(cuCtxCreate_v2, cuCtxCreate);
GPU_ESTIMATE_ALIAS(cuLinkCreate_v2, cuLinkCreate);
GPU_ESTIMATE_ALIAS(cuLinkAddData_v2, cuLinkAddData);
GPU_ESTIMATE_ALIAS(cuLinkAddFile_v2, cuLinkAddFile);
GPU_ESTIMATE_ALIAS(cuCtxDestroy_v2, cuCtxDestroy);
GPU_ESTIMATE_ALIAS(cuCtxPushCurrent_v2, cuCtxPushCurrent);
GPU_ESTIMATE_ALIAS(cuCtxPopCurrent_v2, cuCtxPopCurrent);
GPU_ESTIMATE_ALIAS(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);
GPU_ESTIMATE_ALIAS(cuModuleGetGlobal_v2, cuModuleGetGlobal);
GPU_ESTIMATE_ALIAS(cuStreamDestroy_v2, cuStreamDestroy);
GPU_ESTIMATE_ALIAS(cuEventDestroy_v2, cuEventDestroy);
GPU_ESTIMATE_ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime);
