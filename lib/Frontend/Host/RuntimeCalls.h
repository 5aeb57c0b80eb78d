/// \file
/// Calls of the CUDA and HIP runtime that matter to a launch.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_RUNTIMECALLS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_RUNTIMECALLS_H

#include "gpu-estimate/Model/Kernel/HostMemory.h"
#include <cstdint>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace gpuestimate {

/// How a function of the runtime launches a kernel that it is given.
enum class RuntimeLaunch : uint8_t {
  None,
  /// cudaLaunchKernel(kernel, grid, block, arguments, shared bytes, stream)
  Sizes,
  Configured, ///< cudaLaunchKernelEx(&config, kernel, argument...)
  ConfiguredC ///< cudaLaunchKernelExC(&config, kernel, arguments)
};
RuntimeLaunch runtimeLaunch(const clang::FunctionDecl &Callee);
/// Does the function allocate memory, with the arguments (pointer to the
/// result, bytes, ...)?
bool isAllocation(const clang::FunctionDecl &Callee);
/// Does the function store the GPU's address of a buffer of the host, with the
/// arguments (pointer to the result, pointer of the host, flags)?
bool isDevicePointerQuery(const clang::FunctionDecl &Callee);
/// Where a function for which isAllocation holds puts the buffer.
BufferPlace allocatedPlace(const clang::FunctionDecl &Callee);
/// Does the function belong to the CUDA or HIP runtime?
bool isRuntimeFunction(const clang::FunctionDecl &Callee);
/// Does the function move managed memory to the device or the host that its
/// third argument names, with the arguments (pointer, bytes, place, ...)?
bool isPrefetch(const clang::FunctionDecl &Callee);
/// Does the function make the GPU write what its first argument points to
/// (cudaMemset, cudaMemcpy)?
bool isDeviceWrite(const clang::FunctionDecl &Callee);
/// The number of leading arguments through which a query of the device stores
/// its results; 0 for every other function.
unsigned queryResultCount(const clang::FunctionDecl &Callee);

} // namespace gpuestimate

#endif
