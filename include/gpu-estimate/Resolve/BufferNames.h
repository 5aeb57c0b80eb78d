/// \file
/// The buffers of a kernel by name, and those that a value depends on.
#ifndef GPU_ESTIMATE_RESOLVE_BUFFERNAMES_H
#define GPU_ESTIMATE_RESOLVE_BUFFERNAMES_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "gpu-estimate/Run/BufferData.h"
#include <set>

namespace llvm {
class BasicBlock;
class Function;
class Value;
} // namespace llvm

namespace gpuestimate {

/// The initial contents of a buffer, from the option --buffer.
struct BufferInput {
  std::string Name; ///< a pointer argument or member, or a variable
  std::string Text; ///< "rows.npy", "iota", as the user wrote it
  BufferData::FillKind Fill = BufferData::Zeros;
  std::shared_ptr<const NpyArray> Array; ///< BufferData::File
};

/// The pointers of a kernel by their names in the source.
class BufferNames {
public:
  BufferNames(const llvm::Function &F, const KernelModel &Model,
              const KernelSource &Source);

  /// "a", "p.data" or a variable's name; "" for another value.
  std::string of(const llvm::Value *Pointer) const;
  /// The values that are this pointer: an argument, loads of a member, a
  /// variable.
  llvm::SmallVector<const llvm::Value *> valuesOf(llvm::StringRef Name) const;
  /// The type of the accesses through Name; ElementType::Bytes where they
  /// differ. DeclaredBytes is the size of an element in the source, 0 if
  /// unknown.
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

/// The buffers in the backward slice of V, an instruction of the kernel; the
/// slice continues through shared and private memory.
std::set<std::string> buffersInSlice(const BufferNames &Names,
                                     const llvm::Value *V);
/// The buffers in the backward slices of the exit conditions of the loop with
/// this header.
std::set<std::string> buffersInLoopSlice(const BufferNames &Names,
                                         const llvm::BasicBlock *Header);

} // namespace gpuestimate

#endif
