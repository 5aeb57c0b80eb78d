/// \file
/// Reads LLVM IR that another compiler has written, as text (.ll) or bitcode
/// (.bc), for NVPTX or AMDGPU: Triton, XLA, Numba, Julia, clang's OpenMP, Rust.
/// The text may come from LLVM 3.7 to 22. What is newer than the LLVM that is
/// linked is rewritten before it is parsed, see lib/ForeignIr/IrFilter.h.
///
/// The launch that the IR knows becomes annotations of the kernel, as if the
/// source had them: the block of `reqntid`, the grid of the range of a block
/// index, and the sizes of buffers from `dereferenceable(N)`.
#ifndef GPU_ESTIMATE_FOREIGNIR_READIR_H
#define GPU_ESTIMATE_FOREIGNIR_READIR_H

#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace gpuestimate {

/// One file of LLVM IR, ready for the lowering.
struct IrUnit {
  IrUnit();
  ~IrUnit();
  IrUnit(IrUnit &&);
  IrUnit &operator=(IrUnit &&);

  std::unique_ptr<llvm::LLVMContext> Context; ///< outlives Module
  std::unique_ptr<llvm::Module> Module;
  /// The kernels with a body, in the order of the file. A parameter has the
  /// name of its debug information, else of the IR, else arg0, arg1, ... by its
  /// position.
  std::vector<KernelSource> Kernels;
  bool IsAmd = false; ///< for AMDGPU; else for NVPTX
  /// The architecture that the file was made for, "sm_90a" or "gfx942"; "" if
  /// it does not tell.
  std::string Target;
};

/// The architecture that the code is analysed for, by the file's target.
struct IrArchitectures {
  std::string Nvidia; ///< "sm_80"
  std::string Amd;    ///< "gfx906"
};

/// The IR in Buffer, whose name is used in messages. Fails, naming the file,
/// the line of text and a way out, for what is neither text nor bitcode of LLVM
/// IR, is broken, is not for a GPU, or uses syntax that is not known.
llvm::Expected<IrUnit> readIr(llvm::MemoryBufferRef Buffer,
                              const IrArchitectures &For);

} // namespace gpuestimate

#endif
