#include "gpu-estimate/Model/Transform/BufferParts.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

KernelModel withBufferParts(KernelModel Kernel,
                            llvm::ArrayRef<BufferPart> Parts) {
  for (MemoryAccess &A : Kernel.Accesses) {
    if (A.Space != MemorySpace::Global && A.Space != MemorySpace::Texture)
      continue;
    const auto *Part = llvm::find_if(
        Parts, [&](const BufferPart &P) { return P.Pointer == A.Base; });
    if (Part == Parts.end() || A.Base.empty())
      continue;
    A.Buffer = Part->Buffer;
    if (A.Address)
      A.Address = A.Address + Part->Offset;
  }
  return Kernel;
}

} // namespace gpuestimate
