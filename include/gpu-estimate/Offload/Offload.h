/// \file
/// Outlines loop nests of host code into kernels of a device module. The outer
/// loops become thread coordinates, the body becomes the work of a thread
/// (CGPredict, Wang, Zhong, Mitra 2017, section 3.2), and variables from
/// outside become arguments.
///
/// Loops that become thread coordinates:
///   grid(x,y,z)   the listed ones
///   collapse(n)   the n outermost ones
///   otherwise     the outermost parallel loops that are perfectly nested, at
///                 most three; the innermost of them is x, so that a warp
///                 accesses neighbouring elements
/// The block is given by block(..); by default it has 256 threads for one loop,
/// 32x32 for two and 32x4x2 for three. The grid covers the loops' extents.
///
/// Reductions: `s += x` is reduced by the block and by an atomic operation or a
/// second kernel NAME.final; `h[i] += 1` becomes an atomic operation;
/// `s += x; y = s` becomes a single-pass scan (docs/plain-c.md).
///
/// A loop with a loop-carried dependence is refused, with the two accesses and
/// the distance, unless the user asserts independence. Unproven independence of
/// a loop with a directive becomes an assumption of the kernel.
#ifndef GPU_ESTIMATE_OFFLOAD_OFFLOAD_H
#define GPU_ESTIMATE_OFFLOAD_OFFLOAD_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// Turns Unit.Nests into Unit.Kernels and Unit.Launches, or into Unit.Refused.
/// Unit.Module becomes a module for Unit.Arch, an NVIDIA architecture, that
/// holds the kernels and what they call. Does nothing unless Unit.Host.
/// AssumeIndependent: the user asserts that all loops are independent.
void offloadNests(TranslationUnit &Unit, bool AssumeIndependent);

} // namespace gpuestimate

#endif
