/// \file
/// What Triton writes beside the code of a kernel: NAME.json in a folder of its
/// cache, where NAME.ptx and NAME.llir lie. The keys that tell of the launch:
///
///   "name": "add_kernel"                       the kernel
///   "num_warps": 4, "warp_size": 32            threads of a block: 128
///   "shared": 49152                            dynamic shared memory, bytes
///   "num_ctas": 2, "cluster_dims": [2, 1, 1]   blocks of a cluster
///   "target": {"backend": "cuda", "arch": 90, "warp_size": 32}
///
/// gpu-estimate's own package for Python adds what Triton knows and does not
/// write:
///
///   "parameter_names": ["x", "y", "n"]         those of the PTX, in order
///   "registers": 32                            of a thread, by ptxas
///
/// The number of thread blocks is the program's and not in the file.
#ifndef GPU_ESTIMATE_FOREIGNIR_TRITONMETADATA_H
#define GPU_ESTIMATE_FOREIGNIR_TRITONMETADATA_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

struct TritonMetadata {
  std::string Kernel; ///< "" = not stated
  std::optional<unsigned> ThreadsPerBlock;
  std::optional<uint64_t> DynamicSharedBytes;
  std::array<unsigned, 3> Cluster = {}; ///< blocks; 0 = no cluster
  std::vector<std::string> Parameters;  ///< names; empty = not stated
  std::optional<unsigned> Registers;
  std::string Target; ///< "sm_90", "gfx942"; "" = not stated
  /// Values that cannot be true, and what to do; "" = there are none. Each of
  /// them counts as not stated.
  std::string Problem;
};

/// Reads the text of such a file. Nothing: the text is JSON of something else,
/// which has no `num_warps`. Text that is no JSON has a Problem.
std::optional<TritonMetadata> readTritonMetadata(llvm::StringRef Text);

} // namespace gpuestimate

#endif
