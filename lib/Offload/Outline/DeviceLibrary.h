/// \file
/// Mathematical functions of the device.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_DEVICELIBRARY_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_DEVICELIBRARY_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuestimate {

/// Replaces calls of the C library (sinf, pow) and the intrinsics that clang
/// makes of them by calls of CUDA's libdevice (__nv_sinf), which device
/// compilers link and the table of operations contains.
void useDeviceLibrary(llvm::Module &M);

} // namespace gpuestimate

#endif
