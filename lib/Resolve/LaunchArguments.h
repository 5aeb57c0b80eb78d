/// \file
/// The arguments and buffers of a launch of which some warps are executed.
#ifndef GPU_ESTIMATE_LIB_RESOLVE_LAUNCHARGUMENTS_H
#define GPU_ESTIMATE_LIB_RESOLVE_LAUNCHARGUMENTS_H

#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Resolve/BufferNames.h"
#include "gpu-estimate/Run/SampleRequest.h"

namespace gpuestimate {

/// The request to execute launch L: the kernel, its arguments and its buffers.
/// Bitcode, Lanes and the limits are left to the caller. Values holds
/// parameters by name, for a pointer its element count. An integer without a
/// value is the number of threads along x, a real is 1; a buffer that is not in
/// Given holds zeros. Fails where the elements of a file do not fit its
/// parameter, with a hint.
llvm::Expected<SampleRequest> launchRequest(const BufferNames &Names,
                                            const Launch &L,
                                            const Bindings &Values,
                                            llvm::ArrayRef<BufferInput> Given);

} // namespace gpuestimate

#endif
