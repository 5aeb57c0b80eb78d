/// \file
/// The time of a kernel of a vendor's library, whose code is not at hand: what
/// the operation must compute and move, in the shape that the library's
/// documentation gives its kernels.
///
/// Matrix products. The kernel computes C in tiles; a thread block has one tile
/// (or, with split-K, a part of its sum) and steps along K. Sizes of tiles are
/// those of NVIDIA's "Matrix Multiplication Background User's Guide" (section
/// 2.3); tiles of a warp, bytes of a step and number of stages are those of
/// CUTLASS's default configurations. For each size and split
///
///   blocks   = ceil(M / tileM) * ceil(N / tileN) * batch * split
///   n        = ceil(blocks / multiprocessors)      (wave quantisation)
///   step     = max of, for one step of one tile on one multiprocessor,
///              multiply-adds / rate of the unit, instructions / issue rate,
///              bytes of shared memory and of L2 / their bandwidth
///   alone    = fill of the pipeline + steps * max(step, latency / (stages -
///   1))
///              + barrier, store of the tile
///   time     = launch.latency + max(n * steps * step + fill and store,
///                                   ceil(n / resident) * alone,
///                                   DRAM bytes / DRAM bandwidth)
///
/// and the library is taken to choose what takes the least time, as its
/// heuristics intend. For example, 4096 x 4096 x 4096 halves on an A100: tiles
/// of 128 x 128, 1024 blocks, n = 10, 128 steps of 512 cycles: 467 us.
///
/// Vectors. Bytes at the bandwidth of DRAM, or of L2 where they fit into it and
/// a launch before has left them there, or instructions at the issue rate.
///
/// The clock is taken to be core_clock: a board that lowers it at its power
/// limit, as large products on tensor cores make it do, takes longer.
#ifndef GPU_ESTIMATE_EVALUATE_LIBRARY_LIBRARYKERNELS_H
#define GPU_ESTIMATE_EVALUATE_LIBRARY_LIBRARYKERNELS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Term.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// What multiplies: elements of the operands, and the unit where there are two.
enum class GemmType : uint8_t {
  Half,   ///< fp16 or bf16; tensor cores where the GPU has them
  Tf32,   ///< fp32 operands, rounded, on tensor cores
  Single, ///< fp32
  Double, ///< fp64; tensor cores where the GPU has them
  Int8,   ///< 8-bit integers on tensor cores
};

/// C = A * B, Batch times: A is M x K, B is K x N.
struct GemmProblem {
  double M = 0, N = 0, K = 0, Batch = 1;
  GemmType Type = GemmType::Single;
  bool Complex = false;   ///< of Single or Double
  double ResultBytes = 0; ///< of an element of C
};

/// How a kernel that is not a library's computes C: what its source fixes
/// before it is compiled.
struct ProductTiling {
  unsigned M = 0, N = 0, K = 0; ///< of the tile, and of a step along K
  unsigned Warps = 4, Stages = 2;
  unsigned Split = 1; ///< parts of the sum, each of a thread block of its own
};

/// An operation that passes over its data once.
struct StreamProblem {
  double ReadBytes = 0, WrittenBytes = 0;
  double Instructions = 0; ///< of threads
  unsigned Kernels = 1;    ///< one after the other: 2 for a reduction
};

struct LibraryKernelTime {
  Seconds Time;     ///< alone on the GPU, launch.latency included
  double Share = 1; ///< of the GPU, as LaunchCost::Share
  Resource Bound = Resource::DramBandwidth;
  /// Components of the time and their fractions, which sum to 1.
  std::vector<std::pair<Term, double>> Breakdown;
  std::string Shape; ///< "tiles of 128x128 in 1024 blocks"
};

/// The error names the unit that the GPU has not.
llvm::Expected<LibraryKernelTime> gemmTime(const GpuModel &Gpu,
                                           const GemmProblem &Problem);

/// The same for a given tiling. The error tells why it cannot be launched: too
/// much shared memory, or too many registers.
llvm::Expected<LibraryKernelTime> tiledGemmTime(const GpuModel &Gpu,
                                                const GemmProblem &Problem,
                                                const ProductTiling &Tiling);

LibraryKernelTime streamTime(const GpuModel &Gpu, const StreamProblem &Problem);

} // namespace gpuestimate

#endif
