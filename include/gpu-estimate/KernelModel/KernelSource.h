/// \file
/// A kernel as the source declares it: what Frontend reads from the AST and
/// what cannot be read back from LLVM IR. Plain data, no clang types.
#ifndef GPU_ESTIMATE_KERNELMODEL_KERNELSOURCE_H
#define GPU_ESTIMATE_KERNELMODEL_KERNELSOURCE_H

#include "gpu-estimate/KernelModel/KernelModel.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct KernelSource {
  std::string Mangled;     ///< name of the llvm::Function
  std::string Name;        ///< as written, with template arguments: "ns::saxpy<float>"
  SourceLocation Location; ///< of the name in the definition
  std::vector<KernelArgument> Arguments; ///< in order, one per parameter
  unsigned MaxThreadsPerBlock = 0; ///< __launch_bounds__, 0 = not given
  unsigned MinBlocksPerSm = 0;     ///< __launch_bounds__ second argument, 0 = not given
};

/// A kernel of the file for which there is no code to analyse.
struct UnemittedKernel {
  std::string Name;
  SourceLocation Location;
  std::string Reason; ///< a whole clause: "the template is never instantiated in this file"
};

} // namespace gpuestimate

#endif
