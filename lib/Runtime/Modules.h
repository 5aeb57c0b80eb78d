/// \file
/// Device code that the program registered: modules, kernels and variables.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_MODULES_H
#define GPU_ESTIMATE_LIB_RUNTIME_MODULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A parameter of a kernel: its bytes lie at Offset in a packed buffer of
/// arguments (cuLaunchKernel's `extra`).
struct KernelParameter {
  uint64_t Offset = 0, Bytes = 0;
};

/// A kernel of a module.
struct Kernel {
  uint64_t Module = 0;
  std::string Mangled;
  std::optional<uint64_t> Number; ///< once a RunKernel record names it
  bool WantsTraces = true;        ///< the reply to that record
  /// Cost of the traces so far: executions of blocks of code by traced warps,
  /// and, as all of them are evaluated, instructions of the kernel by warps.
  uint64_t TraceCost = 0;
  unsigned Registers = 0;           ///< of a thread, by that reply; 0: unknown
  std::optional<unsigned> Assigned; ///< registers by the program's compiler
  std::optional<std::vector<KernelParameter>> Parameters; ///< once known
  uint64_t DynamicSharedLimit = 0; ///< cudaFuncSetAttribute; 0: the default
  int SharedCarveout = -1;
  /// Numbers of launches by the hash of their shape and arguments, and of
  /// different arguments by that of the shape.
  llvm::DenseMap<uint64_t, uint64_t> Launches, ArgumentSets;

  /// Are some warps of the next launch traced? Where what the kernel does
  /// depends on data, every launch is, because contents of buffers may change.
  /// When the traces of the kernel have cost too much, of the launches with the
  /// same arguments each with twice the number of the one before is, and of the
  /// different arguments of a shape (grid, block, shared memory) likewise.
  bool wantsTrace(llvm::StringRef Shape, llvm::ArrayRef<std::string> Arguments);
  /// About 10 seconds of a processor.
  static constexpr uint64_t MaxTraceCost = 1 << 21;
};

/// A __device__, __constant__ or __managed__ variable.
struct Variable {
  uint64_t Module = 0;
  std::string Mangled;
  uint64_t Bytes = 0;
  bool IsConstant = false;
  bool IsManaged = false;       ///< the host sees it, too
  bool IsShared = false;        ///< managed, and a launch has had its value
  void *HostVariable = nullptr; ///< the host's variable in its place
  bool IsTexture = false;       ///< a texture reference
  bool ReadAsUnit = false; ///< its read mode is cudaReadModeNormalizedFloat
  /// On each device that has loaded its module.
  std::map<unsigned, void *> StorageOn;
};

/// Device code of one translation unit.
struct DeviceModule {
  uint64_t Number = 0;
  llvm::StringRef Bitcode;  ///< in the program's own memory
  std::string OwnedBitcode; ///< of a module that the program loads
  std::string Problem;      ///< why the code cannot be used
  /// The executor's number on each device that has needed it.
  std::map<unsigned, uint64_t> LoadedOn;
  std::vector<std::unique_ptr<Kernel>> Kernels;
  std::vector<std::unique_ptr<Variable>> Variables;
  bool ManagedKnown = false; ///< are its variables marked as managed?
  bool IsAlone = false;      ///< names of its own: it is not linked to others
};

/// The bitcode in what a fat binary wrapper points at. The build of
/// `gpu-estimate run` writes "GEBC0001", its length as a 64-bit little-endian
/// number, and the bitcode; LLVM's own wrapper of bitcode has a length, too.
llvm::Expected<llvm::StringRef> findBitcode(const void *Data);

/// The parameters of a kernel: sizes and alignments of its types in the
/// module's data layout.
llvm::Expected<std::vector<KernelParameter>>
readParameters(llvm::StringRef Bitcode, llvm::StringRef Mangled);

/// Marks the managed variables: the headers annotate them.
llvm::Error markManaged(DeviceModule &Module);

/// All kernels, and variables with their sizes, of a module that is loaded by
/// name (cuModuleLoadData).
llvm::Error readSymbols(DeviceModule &Module);

} // namespace gpuestimate

#endif
