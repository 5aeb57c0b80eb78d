/// \file
/// Launches of kernels, attributes of kernels, and occupancy.
#include "LaunchApi.h"

#include "Process.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

namespace gpuestimate {

/// CU_LAUNCH_PARAM_BUFFER_POINTER of the driver's interface.
static void *const BufferPointerTag = reinterpret_cast<void *>(1);

const std::vector<KernelParameter> *parametersOf(ApiCall &Call, Kernel &K) {
  if (!K.Parameters) {
    auto Read = readParameters(Call->Modules[K.Module]->Bitcode, K.Mangled);
    if (!Read) {
      Call.notice("kernel " + K.Mangled + ": " +
                  llvm::toString(Read.takeError()));
      return nullptr;
    }
    K.Parameters = std::move(*Read);
  }
  return &*K.Parameters;
}

namespace {

/// The bytes of dynamic shared memory that a launch may ask for.
uint64_t dynamicSharedLimit(Process &P, const Kernel &K) {
  return std::max(K.DynamicSharedLimit, P.Device.SharedBytesPerBlock);
}

cudaError_t checkShape(Process &P, const KernelOperation &K) {
  uint64_t Threads = 1;
  for (unsigned I = 0; I != 3; ++I) {
    // Sizes of CUDA's programming guide for all architectures.
    uint64_t GridLimit = I == 0 ? 0x7fffffff : 0xffff;
    uint64_t BlockLimit = I == 2 ? 64 : 1024;
    if (K.Grid[I] == 0 || K.Block[I] == 0 || K.Grid[I] > GridLimit ||
        K.Block[I] > BlockLimit)
      return cudaErrorInvalidConfiguration;
    Threads *= K.Block[I];
  }
  if (Threads > P.Device.MaxThreadsPerBlock)
    return cudaErrorInvalidConfiguration;
  if (K.DynamicSharedBytes > dynamicSharedLimit(P, *K.Function))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

KernelFacts factsOf(ApiCall &Call, Kernel &K) {
  Process &P = Call.process();
  P.linkModules(Call);
  auto Loaded = P.load(Call, *P.Modules[K.Module], currentDevice());
  if (!Loaded)
    return {};
  auto Facts = P.executor()->facts(*Loaded, K.Mangled);
  if (Facts)
    return *Facts;
  Call.notice("kernel " + K.Mangled + ": " + llvm::toString(Facts.takeError()));
  return {};
}

/// Registers of a thread, as the prediction has them. Without one, 32: they let
/// a multiprocessor be full (65,536 registers for 2,048 threads), so that
/// registers are no limit.
unsigned registersOf(ApiCall &Call, Kernel &K) {
  Call->announce(Call, K);
  if (K.Registers)
    return K.Registers;
  Call.notice("the program asks for registers or occupancy of " + K.Mangled +
              ", which has no prediction: it is taken to have 32 registers a "
              "thread");
  return 32;
}

/// Thread blocks that a multiprocessor holds: the least of what threads,
/// blocks, shared memory and registers allow (CUDA's occupancy calculator).
unsigned activeBlocks(ApiCall &Call, Kernel &K, unsigned Threads,
                      uint64_t DynamicShared) {
  const DeviceFacts &D = Call->Device;
  KernelFacts Facts = factsOf(Call, K);
  if (Threads == 0 || Threads > D.MaxThreadsPerBlock)
    return 0;
  unsigned Warps = llvm::divideCeil(Threads, D.WarpSize);
  uint64_t Blocks = std::min<uint64_t>(
      D.MaxBlocksPerSm, D.MaxThreadsPerSm / (Warps * D.WarpSize));
  // A warp gets registers in units of 8 a thread (CUDA's occupancy calculator).
  uint64_t Registers = llvm::alignTo(registersOf(Call, K), 8);
  Blocks = std::min<uint64_t>(Blocks, D.RegistersPerSm /
                                          (Registers * Warps * D.WarpSize));
  uint64_t Shared = Facts.StaticSharedBytes + DynamicShared;
  if (Shared)
    Blocks = std::min<uint64_t>(Blocks, D.SharedBytesPerSm / Shared);
  return Blocks;
}

} // namespace

cudaError_t launch(ApiCall &Call, KernelOperation K, void **Arguments,
                   void **Extra, cudaStream_t Stream) {
  if (cudaError_t Error = checkShape(Call.process(), K))
    return Error;
  if (cudaError_t Error = copyArguments(Call, K, Arguments, Extra))
    return Error;
  return submit(Call, Stream, cudaGraphNodeTypeKernel, std::move(K));
}

cudaError_t copyArguments(ApiCall &Call, KernelOperation &K, void **Arguments,
                          void **Extra) {
  const auto *Parameters = parametersOf(Call, *K.Function);
  if (!Parameters)
    return cudaErrorInvalidDeviceFunction;
  // cuLaunchKernel takes all arguments in one buffer, too.
  const char *Buffer = nullptr;
  if (Extra)
    for (unsigned I = 0; Extra[I]; I += 2)
      if (Extra[I] == BufferPointerTag)
        Buffer = static_cast<const char *>(Extra[I + 1]);
  if (!Parameters->empty() && !Arguments && !Buffer)
    return cudaErrorInvalidValue;
  K.Arguments.clear();
  for (size_t I = 0; I != Parameters->size(); ++I) {
    const KernelParameter &P = (*Parameters)[I];
    const char *Place =
        Buffer ? Buffer + P.Offset : static_cast<const char *>(Arguments[I]);
    K.Arguments.emplace_back(Place, P.Bytes);
  }
  return cudaSuccess;
}

KernelOperation operation(Kernel *K, dim3 Grid, dim3 Block, uint64_t Shared) {
  KernelOperation Result;
  Result.Function = K;
  Result.Grid = {Grid.x, Grid.y, Grid.z};
  Result.Block = {Block.x, Block.y, Block.z};
  Result.DynamicSharedBytes = Shared;
  return Result;
}

Kernel *kernelOf(Process &P, const void *Function) {
  if (Kernel *K = P.findKernel(Function))
    return K;
  // cudaGetFuncBySymbol and cuModuleGetFunction give the kernel itself.
  for (const auto &Module : P.Modules)
    for (const auto &K : Module->Kernels)
      if (K.get() == Function)
        return K.get();
  return nullptr;
}

namespace {

struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  cudaStream_t Stream;
};

/// The launch configurations that this thread has pushed and whose kernel stubs
/// have not popped them yet.
std::vector<Configuration> &configurations() {
  thread_local std::vector<Configuration> Stack;
  return Stack;
}

} // namespace

} // namespace gpuestimate

using namespace gpuestimate;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     void *Stream) {
  configurations().push_back(
      {Grid, Block, Shared, static_cast<cudaStream_t>(Stream)});
  return 0;
}

unsigned __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                    void *Stream) {
  auto &Stack = configurations();
  if (Stack.empty())
    return cudaErrorMissingConfiguration;
  *Grid = Stack.back().Grid;
  *Block = Stack.back().Block;
  *Shared = Stack.back().Shared;
  *static_cast<cudaStream_t *>(Stream) = Stack.back().Stream;
  Stack.pop_back();
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Arguments, size_t Shared,
                             cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  return Call.done(launch(Call, operation(K, Grid, Block, Shared), Arguments,
                          nullptr, Stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t Shared, cudaStream_t Stream) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  KernelOperation Launch = operation(K, Grid, Block, Shared);
  Launch.Cooperative = true;
  uint64_t Blocks = uint64_t(Grid.x) * Grid.y * Grid.z;
  unsigned Threads = Block.x * Block.y * Block.z;
  if (Blocks > uint64_t(activeBlocks(Call, *K, Threads, Shared)) *
                   Call->Device.Multiprocessors)
    return Call.done(cudaErrorCooperativeLaunchTooLarge);
  return Call.done(launch(Call, std::move(Launch), Arguments, nullptr, Stream));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Arguments) {
  GPU_ESTIMATE_CALL;
  if (!Config)
    return Call.done(cudaErrorInvalidValue);
  Kernel *K = kernelOf(Call.process(), Function);
  if (!K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  KernelOperation Launch =
      operation(K, Config->gridDim, Config->blockDim, Config->dynamicSmemBytes);
  for (unsigned I = 0; I != Config->numAttrs; ++I) {
    const cudaLaunchAttribute &A = Config->attrs[I];
    if (A.id == cudaLaunchAttributeCooperative)
      Launch.Cooperative = A.val.cooperative;
    if (A.id == cudaLaunchAttributeClusterDimension &&
        A.val.clusterDim.x * A.val.clusterDim.y * A.val.clusterDim.z > 1)
      Call.notice("cudaLaunchKernelEx: clusters of thread blocks execute as "
                  "single blocks");
  }
  return Call.done(
      launch(Call, std::move(Launch), Arguments, nullptr, Config->stream));
}

// Attributes of kernels.

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Result,
                                  const void *Function) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!Result || !K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  KernelFacts Facts = factsOf(Call, *K);
  // The structure of toolkit 11 ends before the fields for clusters.
  std::memset(Result, 0, offsetof(cudaFuncAttributes, clusterDimMustBeSet));
  Result->sharedSizeBytes = Facts.StaticSharedBytes;
  Result->constSizeBytes = Facts.ConstantBytes;
  Result->localSizeBytes = Facts.LocalBytes;
  Result->maxThreadsPerBlock =
      std::min(Facts.MaxThreadsPerBlock, Call->Device.MaxThreadsPerBlock);
  Result->numRegs = registersOf(Call, *K);
  Result->ptxVersion = Result->binaryVersion =
      Call->Device.Major * 10 + Call->Device.Minor;
  Result->maxDynamicSharedSizeBytes =
      dynamicSharedLimit(Call.process(), *K) - Facts.StaticSharedBytes;
  Result->preferredShmemCarveout = K->SharedCarveout;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *Function, cudaFuncAttribute What,
                                 int Value) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  if (What == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (Value < 0 || uint64_t(Value) > Call->Device.SharedBytesPerBlockOptIn)
      return Call.done(cudaErrorInvalidValue);
    K->DynamicSharedLimit = Value;
  } else if (What == cudaFuncAttributePreferredSharedMemoryCarveout) {
    K->SharedCarveout = Value;
  }
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

// Hints that the model of the GPU takes from the launch itself.
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig) {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaFuncGetName(const char **Result, const void *Function) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!Result || !K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  *Result = K->Mangled.c_str();
  return Call.done(cudaSuccess);
}

cudaError_t cudaFuncGetParamInfo(const void *Function, size_t Index,
                                 size_t *Offset, size_t *Bytes) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  const auto *Parameters = K ? parametersOf(Call, *K) : nullptr;
  if (!Parameters)
    return Call.done(cudaErrorInvalidDeviceFunction);
  if (Index >= Parameters->size())
    return Call.done(cudaErrorInvalidValue);
  if (Offset)
    *Offset = (*Parameters)[Index].Offset;
  if (Bytes)
    *Bytes = (*Parameters)[Index].Bytes;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *Result, const void *Function) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!Result || !K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  *Result = reinterpret_cast<cudaFunction_t>(K);
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetKernel(cudaKernel_t *Result, const void *Function) {
  return cudaGetFuncBySymbol(reinterpret_cast<cudaFunction_t *>(Result),
                             Function);
}

// Occupancy.

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Result, const void *Function, int Threads, size_t Shared, unsigned) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!Result || !K)
    return Call.done(cudaErrorInvalidDeviceFunction);
  *Result = Threads > 0 ? activeBlocks(Call, *K, Threads, Shared) : 0;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Result,
                                                          const void *Function,
                                                          int Threads,
                                                          size_t Shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      Result, Function, Threads, Shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Result,
                                                      const void *Function,
                                                      int Blocks, int) {
  GPU_ESTIMATE_CALL;
  Kernel *K = kernelOf(Call.process(), Function);
  if (!Result || !K || Blocks <= 0)
    return Call.done(cudaErrorInvalidValue);
  uint64_t Share = Call->Device.SharedBytesPerSm / Blocks;
  uint64_t Static = factsOf(Call, *K).StaticSharedBytes;
  *Result = std::min(Share - std::min(Share, Static),
                     dynamicSharedLimit(Call.process(), *K));
  return Call.done(cudaSuccess);
}

// The interface before CUDA 7: cudaConfigureCall, cudaSetupArgument,
// cudaLaunch.

cudaError_t cudaConfigureCall(dim3 Grid, dim3 Block, size_t Shared,
                              cudaStream_t Stream) {
  return cudaError_t(__cudaPushCallConfiguration(Grid, Block, Shared, Stream));
}

} // extern "C"

GPU_ESTIMATE_ALIAS(__hipPushCallConfiguration, __cudaPushCallConfiguration);
GPU_ESTIMATE_ALIAS(__hipPopCallConfiguration, __cudaPopCallConfiguration);
GPU_ESTIMATE_ALIAS(hipLaunchKernel, cudaLaunchKernel);
GPU_ESTIMATE_ALIAS(hipFuncGetAttributes, cudaFuncGetAttributes);
GPU_ESTIMATE_ALIAS(hipFuncSetCacheConfig, cudaFuncSetCacheConfig);
GPU_ESTIMATE_ALIAS(hipLaunchCooperativeKernel, cudaLaunchCooperativeKernel);
GPU_ESTIMATE_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
GPU_ESTIMATE_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
GPU_ESTIMATE_ALIAS(hipOccupancyMaxActiveBlocksPerMultiprocessor,
                   cudaOccupancyMaxActiveBlocksPerMultiprocessor);
