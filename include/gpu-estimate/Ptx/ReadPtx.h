/// \file
/// Translates PTX, the assembly language of NVIDIA's virtual machine (PTX ISA
/// 3.0 to 9.0), to an LLVM module for NVPTX, such as clang makes of CUDA before
/// any optimisation. Kernels of any compiler are analysed this way: Triton,
/// Numba, JAX, Julia, nvcc.
///
/// Addresses of PTX are integers. The translation finds the pointer that each
/// is derived from, so that the module has pointer parameters and
/// getelementptr as the one of CUDA, and marks the sums and products of an
/// address as not wrapping around: no other flag says that in PTX.
#ifndef GPU_ESTIMATE_PTX_READPTX_H
#define GPU_ESTIMATE_PTX_READPTX_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "gpu-estimate/Ptx/CodeMark.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace gpuestimate {

/// The compute capability of an architecture, 90 of "sm_90a"; 0 of another
/// text.
unsigned ptxCapability(llvm::StringRef Arch);

/// Is Text PTX? Every module has a `.version` before its first instruction.
bool isPtxText(llvm::StringRef Text);

/// One PTX file as LLVM IR.
struct PtxUnit {
  PtxUnit();
  ~PtxUnit();
  PtxUnit(PtxUnit &&);
  PtxUnit &operator=(PtxUnit &&);

  std::unique_ptr<llvm::LLVMContext> Context; ///< outlives Module
  std::unique_ptr<llvm::Module> Module;
  /// The entries with a body, in the order of the file. Parameters are named
  /// arg0, arg1, ... by their position.
  std::vector<KernelSource> Kernels;
  std::string Target; ///< of `.target`: "sm_80"
  /// What ptxas can be given; empty for a dump of several modules.
  std::string Text;
};

/// The PTX in Text, which may be what `cuobjdump -ptx` writes of a program: the
/// kernels of all its modules are read then, each of the newest architecture
/// that Arch can run. File is its name in messages and in the debug locations
/// of code without `.loc`. Arch ("sm_90") is the architecture that the module
/// is for: PTX runs on those at least as new as its target. Fails, naming file
/// and line, for text that is no PTX. An instruction that is not known becomes
/// inline assembly, which the lowering names as an assumption.
llvm::Expected<PtxUnit> readPtx(llvm::StringRef Text, const std::string &File,
                                const std::string &Arch);

} // namespace gpuestimate

#endif
