/// \file
/// ROCm's device library (OCML, OCKL): the bodies of the functions that HIP's
/// mathematics and runtime services call. A machine without ROCm has none.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_ROCMDEVICELIBRARY_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_ROCMDEVICELIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Links what M calls of the files ocml.bc and ockl.bc in Folder, with IEEE
/// arithmetic as clang does by default: denormals are kept, divisions and roots
/// are rounded correctly. M is for AMDGPU. Fails when a file cannot be read.
llvm::Error linkRocmDeviceLibrary(llvm::Module &M, llvm::StringRef Folder);

} // namespace gpuestimate

#endif
