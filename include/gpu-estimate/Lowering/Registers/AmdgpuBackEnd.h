/// \file
/// A kernel's resources as LLVM's AMDGPU back end reports them. It is part of
/// the LLVM library, so that the numbers are those of the user's compiler
/// (clang -x hip, hipcc) without a ROCm installation.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_AMDGPUBACKEND_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_AMDGPUBACKEND_H

#include "gpu-estimate/Lowering/Registers/CompiledKernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace gpuestimate {

/// The kernels in the assembly of the AMDGPU back end: registers, stack and
/// shared memory of the metadata of the code object, spills by the accesses to
/// fixed places of the stack. The comment of a block may have a name that
/// runAmdgpuBackEnd() gives, "loop.L.S.C.N.": it belongs to the kernel's loop
/// L, that of number S in the source, of which one round is C iterations, and
/// counts N times. Empty without metadata.
std::vector<CompiledKernel> parseAmdgpuAssembly(llvm::StringRef Assembly);

/// The folder of ROCm's device library as clang finds it: by
/// --rocm-device-lib-path or --rocm-path of its arguments, HIP_DEVICE_LIB_PATH
/// or ROCM_PATH of the environment, or where ROCm and Debian install it; "" if
/// there is none.
std::string findRocmDeviceLibrary(llvm::ArrayRef<std::string> ClangArgs);

struct AmdgpuRequest {
  /// Folder of ROCm's device library; "": without it.
  std::string DeviceLibrary;
  /// Fails beyond as many instructions of IR after clang's passes
  /// (std::errc::value_too_large): the back end cannot be interrupted.
  uint64_t MaxInstructions = UINT64_MAX;
};

/// Compiles the kernels of a copy of M that IsWanted accepts (by their mangled
/// names) as clang would at the module's -O level (BackEnd.h). M is a device
/// module as the front end made it, before prepareForAnalysis(). Kernels that
/// call a function without a body are left out. Fails when that leaves none, M
/// is not for AMDGPU, the back end reports an error or the request's limit is
/// exceeded.
llvm::Expected<std::vector<CompiledKernel>>
runAmdgpuBackEnd(const llvm::Module &M,
                 llvm::function_ref<bool(llvm::StringRef)> IsWanted,
                 const AmdgpuRequest &Request = {});

} // namespace gpuestimate

#endif
