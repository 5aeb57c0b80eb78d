/// \file
/// Pointer arguments into one buffer.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_BUFFERPARTS_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_BUFFERPARTS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// A pointer argument that points Offset bytes behind another one, Buffer,
/// into the same buffer. Both are names as in MemoryAccess::Base ("x1", or
/// "p.x1" for a member of a structure).
struct BufferPart {
  std::string Pointer, Buffer;
  double Offset = 0;
  std::string Source; ///< as SharedBuffer::Source
  bool operator==(const BufferPart &) const = default;
};

/// The kernel with the accesses through each part as accesses to its buffer, so
/// that the caches find the reuse between them and count each line once. Their
/// order in the program stays that of a compiler that does not know of it.
KernelModel withBufferParts(KernelModel Kernel,
                            llvm::ArrayRef<BufferPart> Parts);

} // namespace gpuestimate

#endif
