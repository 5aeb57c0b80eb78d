/// \file
/// Classification of accesses by the stride between adjacent threads
/// (CGPredict: Wang, Zhong, Mitra 2017, section 3.3.2).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_STRIDECLASS_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_STRIDECLASS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// Class of the largest stride between adjacent threads of a warp: at most one
/// element (Coalesced), 0 (Constant), or more (Uncoalesced).
enum class StrideClass : uint8_t { Coalesced, Constant, Uncoalesced };
llvm::StringRef name(StrideClass Class); ///< "coalesced", ...

/// The class of every access, from the addresses of the launch's first warp in
/// the first iteration of every loop. An access with an unknown address is
/// uncoalesced. All: every free parameter except coordinates and counters.
std::vector<StrideClass> strideClasses(const KernelModel &Kernel,
                                       const GpuModel &Gpu, const Launch &L,
                                       const Bindings &All);

} // namespace gpuestimate

#endif
