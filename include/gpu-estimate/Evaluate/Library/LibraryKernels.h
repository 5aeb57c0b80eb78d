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
/// Convolutions are products whose operands share elements (implicit GEMM,
/// Chetlur et al. 2014, arXiv:1410.0759): DRAM gives each element once.
///
/// Attention. FlashAttention-2 (Dao 2023, arXiv:2307.08691, algorithms 1 and
/// 2): a thread block has 128 queries and steps over the keys, 64 at a time;
/// the scores stay in registers. In a step the tensor cores wait for the
/// softmax:
///
///   step = 128 * 64 * (width + value width) / rate of the tensor cores
///          + max(exponentials / rate of SFU, fp32 instructions / rate of FMA)
///   time = launch.latency + max(ceil(blocks / multiprocessors) * steps * step
///                               + ends, DRAM bytes / DRAM bandwidth)
///
/// For example, 16 x 16 heads of 2048 queries and keys of 128 halves on an
/// A100: a step of 2048 + 704 cycles, 74% of the peak of the tensor cores; the
/// paper reports 50 to 73%.
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
  /// Elements of A and of B in memory where they are fewer than M K and K N:
  /// those of an image whose patches are the rows of A. 0: all.
  double DistinctA = 0, DistinctB = 0;
};

/// softmax(Q * K^T) * V without the scores in memory. fp32 operands are three
/// products of TF32 each on tensor cores (CUTLASS's OpMultiplyAddFastF32, which
/// PyTorch's memory-efficient kernels use).
struct AttentionProblem {
  double Heads = 0;    ///< of the queries, times the batch
  double KeyHeads = 0; ///< of keys and values, times the batch
  double Queries = 0, Keys = 0;
  double Width = 0, ValueWidth = 0; ///< elements of a key, of a value
  GemmType Type = GemmType::Half;   ///< or Single
  bool Causal = false;              ///< a query sees no later key
  bool Backward = false; ///< the gradients of Q, K and V, scores anew
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

/// Time of a product with a given tiling. The error tells why it cannot be
/// launched: too much shared memory, or too many registers.
llvm::Expected<LibraryKernelTime> tiledGemmTime(const GpuModel &Gpu,
                                                const GemmProblem &Problem,
                                                const ProductTiling &Tiling);

/// The error tells that there is no kernel for this type.
llvm::Expected<LibraryKernelTime> attentionTime(const GpuModel &Gpu,
                                                const AttentionProblem &P);

LibraryKernelTime streamTime(const GpuModel &Gpu, const StreamProblem &Problem);

} // namespace gpuestimate

#endif
