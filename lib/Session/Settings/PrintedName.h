/// \file
/// Names of kernels as profilers print them.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_PRINTEDNAME_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_PRINTEDNAME_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// Whether a file that says Recorded means the kernel of this mangled and
/// demangled name. Profilers print names in several ways: `void f<float,
/// (int)4>(T1 *)`, `f<float, 4>(float*)`, `f<float, 4>`; parameters, return
/// types, casts of template arguments and unnamed namespaces do not count. A
/// name without template arguments means all instances, one without a
/// namespace a function of any.
bool meansKernel(llvm::StringRef Recorded, llvm::StringRef Mangled,
                 llvm::StringRef Demangled);

} // namespace gpuestimate

#endif
