/// \file
/// The C library's mathematics as the device has it.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_DEVICELIBRARY_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_DEVICELIBRARY_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuestimate {

/// Calls of sinf, pow, ... and the intrinsics that clang makes of them become
/// calls of CUDA's libdevice (__nv_sinf), which is what a device compiler links
/// and what the cost table knows.
void useDeviceLibrary(llvm::Module &M);

} // namespace gpuestimate

#endif
