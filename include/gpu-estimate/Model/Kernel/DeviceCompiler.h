/// \file
/// The compiler that makes device code of a source file.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_DEVICECOMPILER_H
#define GPU_ESTIMATE_MODEL_KERNEL_DEVICECOMPILER_H

#include <cstdint>

namespace gpuestimate {

/// The compiler whose decisions the analysis follows where compilers differ
/// (docs/compilers.md). PTX and LLVM IR have been compiled and have none.
enum class DeviceCompiler : uint8_t { Nvcc, Clang };

constexpr const char *name(DeviceCompiler Compiler) {
  return Compiler == DeviceCompiler::Nvcc ? "nvcc" : "clang";
}

} // namespace gpuestimate

#endif
