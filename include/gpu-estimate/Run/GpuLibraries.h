/// \file
/// The libraries of CUDA and HIP, and those that display what a GPU computes,
/// by the names of their functions and of their files.
///
/// A program may call, or only name, functions of them that the runtime library
/// does not have. The link of a program defines each of these as a function
/// that returns its library's own "not supported" (lib/Commands/Run), so that a
/// program goes on that can do without.
#ifndef GPU_ESTIMATE_RUN_GPULIBRARIES_H
#define GPU_ESTIMATE_RUN_GPULIBRARIES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuestimate {

struct GpuLibrary {
  llvm::StringLiteral Prefix; ///< of the names of its functions
  llvm::StringLiteral Name;   ///< "cuSPARSE"
  /// The status of a call that the library does not support, or its nearest
  /// one; 0 for libraries whose functions return no status.
  int64_t NotSupported;
};

/// The name of a function without what a C++ compiler adds:
/// "_Z16cudaGraphAddNodePP..." is "cudaGraphAddNode". Names of C stay.
llvm::StringRef unmangledName(llvm::StringRef Function);

/// The library that has a function of this name, if it is one of them:
/// `cublasLtMatmul` is cuBLASLt's, `cublasSgemm` cuBLAS's, plain or as C++
/// mangles it. The character behind a prefix is a capital letter, a digit or
/// `_`, so that a program's own `custom` or `global` is none.
const GpuLibrary *gpuLibraryOf(llvm::StringRef Function);

/// Does a library of CUDA or HIP have this name after `-l` or `lib`? The
/// runtime library stands for it: "cublasLt", "cudart_static", "nppif".
bool isReplacedLibrary(llvm::StringRef Name);

/// isReplacedLibrary of a file: "/usr/local/cuda/lib64/libcufft.so.11".
bool isReplacedLibraryFile(llvm::StringRef Path);

/// Is the name after `-l` one of a library for graphics, which a program links
/// where it is installed, and does without where not?
bool isGraphicsLibrary(llvm::StringRef Name);

} // namespace gpuestimate

#endif
