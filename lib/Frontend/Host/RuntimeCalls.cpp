#include "RuntimeCalls.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuestimate {

RuntimeLaunch runtimeLaunch(const clang::FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return RuntimeLaunch::None;
  return llvm::StringSwitch<RuntimeLaunch>(Callee.getName())
      .Cases("cudaLaunchKernel", "cudaLaunchCooperativeKernel",
             RuntimeLaunch::Sizes)
      .Cases("hipLaunchKernel", "hipLaunchCooperativeKernel",
             RuntimeLaunch::Sizes)
      .Case("cudaLaunchKernelEx", RuntimeLaunch::Configured)
      .Cases("cudaLaunchKernelExC", "hipLaunchKernelExC",
             RuntimeLaunch::ConfiguredC)
      .Default(RuntimeLaunch::None);
}

bool isAllocation(const clang::FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return false;
  return llvm::StringSwitch<bool>(Callee.getName())
      .Cases("cudaMalloc", "cudaMallocManaged", "cudaMallocHost", true)
      .Cases("cudaMallocAsync", "cudaHostAlloc", true)
      .Cases("hipMalloc", "hipMallocManaged", "hipHostMalloc", true)
      .Case("hipMallocAsync", true)
      .Default(false);
}

bool isDevicePointerQuery(const clang::FunctionDecl &Callee) {
  return Callee.getDeclName().isIdentifier() &&
         (Callee.getName() == "cudaHostGetDevicePointer" ||
          Callee.getName() == "hipHostGetDevicePointer");
}

BufferPlace allocatedPlace(const clang::FunctionDecl &Callee) {
  return llvm::StringSwitch<BufferPlace>(Callee.getName())
      .Cases("cudaMallocHost", "cudaHostAlloc", "hipHostMalloc",
             BufferPlace::Host)
      .Cases("cudaMallocManaged", "hipMallocManaged", BufferPlace::Managed)
      .Default(BufferPlace::Device);
}

/// The name without the prefix of its runtime; empty for other functions.
static llvm::StringRef runtimeName(const clang::FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return {};
  llvm::StringRef Name = Callee.getName();
  return Name.consume_front("cuda") || Name.consume_front("hip")
             ? Name
             : llvm::StringRef();
}

bool isRuntimeFunction(const clang::FunctionDecl &Callee) {
  return !runtimeName(Callee).empty();
}

bool isPrefetch(const clang::FunctionDecl &Callee) {
  return runtimeName(Callee).starts_with("MemPrefetchAsync");
}

bool isDeviceWrite(const clang::FunctionDecl &Callee) {
  llvm::StringRef Name = runtimeName(Callee);
  return Name.starts_with("Memset") || Name.starts_with("Memcpy");
}

unsigned queryResultCount(const clang::FunctionDecl &Callee) {
  return llvm::StringSwitch<unsigned>(runtimeName(Callee))
      .Case("DeviceGetAttribute", 1)
      .Case("OccupancyMaxActiveBlocksPerMultiprocessor", 1)
      .Case("OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 1)
      .Case("OccupancyMaxPotentialBlockSize", 2)
      .Case("OccupancyMaxPotentialBlockSizeWithFlags", 2)
      .Default(0);
}

} // namespace gpuestimate
