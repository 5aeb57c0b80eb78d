/// \file
/// Unknowns of a kernel that follow from what host code has put into buffers.
///
///   host: for (i ...) mask[i] = rand() % 4;      kernel: if (mask[i] == 0) ...
///
/// The condition holds for a quarter of the threads. A term over loads without
/// random draws replaces the unknown; else its default becomes
///
///   condition    the mean over threads and draws
///   trip count   the mean over warps of the largest among the lanes, as the
///                warp runs that often; over threads where all lanes agree
///   loaded value an index, random up to the largest value
///
/// over a fixed number of samples, so that the cost does not depend on the
/// grid.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_HOSTCONTENTS_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_HOSTCONTENTS_H

#include "gpu-estimate/Model/Kernel/BufferContents.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

struct KernelWithContents {
  KernelModel Kernel;
  /// An unknown became a mean over threads of the launch: other launches, and
  /// warps of another size, have another one.
  bool FollowsLaunch = false;
};

/// The kernel as a launch with these buffers runs it on a GPU with warps of
/// WarpSize lanes. Contents: over BufferContents::Number and draws only.
/// Unknowns that Values has stay what they are, and so do those of buffers that
/// the kernel writes. What was settled without a draw is a line of
/// KernelModel::Assumed.
KernelWithContents withHostContents(KernelModel Kernel, const Launch &L,
                                    const Bindings &Values,
                                    const ContentsOfBuffers &Contents,
                                    unsigned WarpSize);

} // namespace gpuestimate

#endif
