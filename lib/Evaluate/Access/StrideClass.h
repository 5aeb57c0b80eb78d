/// \file
/// Accesses by the distance between neighbouring threads (CGPredict, Wang,
/// Zhong, Mitra 2017, section 3.3.2).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_STRIDECLASS_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_STRIDECLASS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// The largest stride between adjacent threads of a warp: one element, none,
/// anything else.
enum class StrideClass : uint8_t { Coalesced, Constant, Uncoalesced };
llvm::StringRef name(StrideClass Class); ///< "coalesced", ...

/// Of every access, by the addresses of the launch's first warp in the first
/// iteration of every loop; an address that cannot be told is uncoalesced.
/// All: every free parameter but coordinates and counters.
std::vector<StrideClass> strideClasses(const KernelModel &Kernel,
                                       const GpuModel &Gpu, const Launch &L,
                                       const Bindings &All);

} // namespace gpuestimate

#endif
