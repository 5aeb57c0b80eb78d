/// \file
/// Library functions of device code (libdevice), canonicalised so that a module
/// with their bodies is lowered like one that only declares them.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_LIBDEVICE_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_LIBDEVICE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Module;
}

namespace gpuestimate {

/// Replaces __nvvm_reflect(key) by its value under the module's flags and
/// target.
void foldNvvmReflect(llvm::Module &M);

/// Functions with an instruction or intrinsic of the same meaning become that
/// (__nv_fmaf, __nv_min, ...). Those in the operation table stay calls without
/// side effects, even where the module has a body: the body's rare slow paths
/// (argument reduction of a huge angle) would count as if taken half the time.
/// All others keep their body and are inlined.
void canonicaliseLibrary(llvm::Module &M);

/// The CUDA name of a function of AMD's device library: "__nv_sinf" for
/// "__ocml_sin_f32", the fast versions for "__ocml_native_...". Any other name
/// as it is.
std::string cudaLibraryName(llvm::StringRef Name);

} // namespace gpuestimate

#endif
