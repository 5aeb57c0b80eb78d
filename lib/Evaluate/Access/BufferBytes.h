/// \file
/// Sizes of the buffers that a kernel accesses.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_BUFFERBYTES_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_BUFFERBYTES_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include <optional>

namespace gpuestimate {

/// Assumed size in bytes of a buffer that an indirect access reads when neither
/// its size nor a bound of the index is known. It is larger than any L2 in 2024
/// and smaller than any DRAM, so that such accesses are predicted to miss.
inline constexpr double UnknownBufferBytes = 1 << 26;

/// Bytes of the object that the access lies in; nullopt if unknown. All has the
/// number of elements of a buffer under the name of its argument. Example: `x`
/// with elements of 4 bytes and x = 1000 in All has 4000 bytes.
std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All);

} // namespace gpuestimate

#endif
