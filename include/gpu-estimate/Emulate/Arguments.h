/// \file
/// From names to the arguments and buffers of an emulated launch, and which
/// buffers decide a value.
#ifndef GPU_ESTIMATE_EMULATE_ARGUMENTS_H
#define GPU_ESTIMATE_EMULATE_ARGUMENTS_H

#include "gpu-estimate/Emulate/Emulate.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include <set>

namespace llvm {
class Value;
}

namespace gpuestimate {

/// Contents that somebody gave for a buffer.
struct GivenBuffer {
  std::string Name; ///< of a pointer argument or member, or of a variable
  std::string Text; ///< "rows.npy", "iota", as it is to be quoted
  BufferData::FillKind Fill = BufferData::Zeros;
  std::shared_ptr<const NpyArray> Array; ///< BufferData::File
};

/// The pointers of a kernel by the names that a user knows them by.
class BufferNames {
public:
  BufferNames(const llvm::Function &F, const KernelModel &Model,
              const KernelSource &Source);

  /// "a", "p.data" or a variable's name; "" for another value.
  std::string of(const llvm::Value *Pointer) const;
  /// The values that are this pointer: an argument, loads of a member, a
  /// variable.
  llvm::SmallVector<const llvm::Value *> valuesOf(llvm::StringRef Name) const;
  /// What the kernel accesses through it; Bytes where that differs. Bytes of
  /// an element as the source declares it, 0: unknown.
  ElementType elementOf(llvm::StringRef Name, unsigned DeclaredBytes) const;
  /// All names, in order.
  std::vector<std::string> all() const;
  const llvm::Function &function() const { return F; }
  const KernelModel &model() const { return Model; }
  const KernelSource &source() const { return Source; }

private:
  const llvm::Function &F;
  const KernelModel &Model;
  const KernelSource &Source;
};

/// Fills Arguments, Memory and Variable of Request (Kernel, L and Memory are
/// set). Values: as for an evaluation; for a pointer its elements. What it does
/// not name is the number of threads along x, reals are 1; buffers that are not
/// given hold zeros. An error, which names the buffer and what helps, where a
/// file's elements are not those of its parameter.
llvm::Error bindArguments(const BufferNames &Names, const Bindings &Values,
                          llvm::ArrayRef<GivenBuffer> Given,
                          EmulationRequest &Request);

/// Buffers from which V was computed, also by way of shared and private
/// memory. V: an instruction of the kernel.
std::set<std::string> decidingBuffers(const BufferNames &Names,
                                      const llvm::Value *V);
/// Those that decide how often the loop with this header runs.
std::set<std::string> decidingBuffersOfLoop(const BufferNames &Names,
                                            const llvm::BasicBlock *Header);

} // namespace gpuestimate

#endif
