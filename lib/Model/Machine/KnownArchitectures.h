/// \file
/// Limits that all GPUs of an architecture share, for checks of GPU models.
/// Source: the tables "technical specifications per compute capability" and
/// "arithmetic throughput" of the CUDA C++ Programming Guide (versions 8 to
/// 13), the GPU hardware specifications of the ROCm documentation, and LLVM's
/// AMDGPUBaseInfo (wavefronts and work-groups of a compute unit).
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_KNOWNARCHITECTURES_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_KNOWNARCHITECTURES_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

struct KnownArchitecture {
  llvm::StringLiteral
      Name;               ///< compute capability, or LLVM's name of an AMD GPU
  unsigned Warps, Blocks; ///< resident on a multiprocessor
  unsigned Registers;     ///< of 32 bits, of a multiprocessor
  unsigned SharedKiB;     ///< largest configuration
  unsigned L1KiB;         ///< the whole array where it is unified
  unsigned Fp32Lanes;     ///< results of a multiprocessor for each cycle
};

/// Null if Name is not in the table.
const KnownArchitecture *findKnownArchitecture(llvm::StringRef Name);

} // namespace gpuestimate

#endif
