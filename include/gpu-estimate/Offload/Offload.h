/// \file
/// Loop nests of a host module as kernels of a device module: from here on a
/// nest of plain C goes the way of a CUDA kernel. The outer loops become thread
/// coordinates, the body becomes the thread's work (CGPredict, Wang, Zhong,
/// Mitra 2017, section 3.2), every variable from outside an argument.
///
/// Which loops:
///   grid(x,y,z)   those named
///   collapse(n)   the n outermost
///   otherwise     the outermost loops that are parallel and stand in each
///                 other without anything beside, at most three; the innermost
///                 of them is x, so that neighbours in memory are neighbours
///                 in a warp
/// Block: block(..), else 256 threads for one loop, 32x32 for two, 32x4x2 for
/// three. Grid: as many blocks as the loops' extents need.
///
/// Iterations that meet only in updates (s += x, h[i] += 1, s += x; y = s) are
/// combined: by the block and one atomic operation or a second kernel
/// NAME.final, by one atomic operation each, by a scan in one pass
/// (docs/plain-c.md).
///
/// A loop whose iterations depend on each other is refused with the two
/// accesses and their distance, unless the user vouches for it. What cannot be
/// proven of a marked loop becomes an assumption of the kernel.
#ifndef GPU_ESTIMATE_OFFLOAD_OFFLOAD_H
#define GPU_ESTIMATE_OFFLOAD_OFFLOAD_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// A nest that has become a kernel.
struct OffloadedNest {
  std::string Kernel; ///< KernelSource::Mangled
  /// The loops that became thread coordinates, x first.
  std::vector<SourceLocation> Spread;
  bool Proposed = false; ///< nobody asked for this nest
};

/// Turns Unit.Nests into Unit.Kernels and Unit.Launches, or into Unit.Refused.
/// Unit.Module becomes a module for Unit.Arch, an NVIDIA architecture, that
/// holds the kernels and what they call. Does nothing unless Unit.Host.
/// AssumeIndependent: the user vouches for every loop.
/// Result: one entry for each kernel.
std::vector<OffloadedNest> offloadNests(TranslationUnit &Unit,
                                        bool AssumeIndependent);

} // namespace gpuestimate

#endif
