#include "RuntimeCalls.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuestimate {

bool isRuntimeLaunch(const clang::FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return false;
  return llvm::StringSwitch<bool>(Callee.getName())
      .Cases("cudaLaunchKernel", "cudaLaunchCooperativeKernel", true)
      .Cases("hipLaunchKernel", "hipLaunchCooperativeKernel", true)
      .Default(false);
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

unsigned queryResultCount(const clang::FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return 0;
  llvm::StringRef Name = Callee.getName();
  if (!Name.consume_front("cuda") && !Name.consume_front("hip"))
    return 0;
  return llvm::StringSwitch<unsigned>(Name)
      .Case("DeviceGetAttribute", 1)
      .Case("OccupancyMaxActiveBlocksPerMultiprocessor", 1)
      .Case("OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 1)
      .Case("OccupancyMaxPotentialBlockSize", 2)
      .Case("OccupancyMaxPotentialBlockSizeWithFlags", 2)
      .Default(0);
}

} // namespace gpuestimate
