/// \file
/// Names of functions on which clang and nvcc agree.
#ifndef GPU_ESTIMATE_FRONTEND_COMPILERNAMES_H
#define GPU_ESTIMATE_FRONTEND_COMPILERNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// The demangled name of a function as both compilers have it. clang marks
/// static functions (_ZL3addPf). nvcc gives unnamed namespaces the name of the
/// file and a hash (_ZN36_GLOBAL__N__0a1b2c3d_4_f_cu_...), and puts static
/// functions that are arguments of templates into such a namespace
/// (_INTERNAL_0a1b2c3d_4_f_cu_...), which is left out here.
std::string commonName(llvm::StringRef Mangled);

} // namespace gpuestimate

#endif
