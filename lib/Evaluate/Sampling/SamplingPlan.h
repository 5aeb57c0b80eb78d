/// \file
/// Stratified samples of long ranges: which members are evaluated, and how many
/// members each represents (its weight).
///
/// Positions are hashes of a seed and the point's number. There is no global
/// random number generator, so that equal inputs give equal results.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGPLAN_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGPLAN_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include <array>
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Launches of at most this many warps are enumerated.
inline constexpr uint64_t ExactWarps = 64;
/// Approximate number of warps that are sampled in a larger launch.
inline constexpr uint64_t SampledWarps = 256;
/// Approximate number of blocks that are sampled if a condition depends on two
/// block coordinates at once: twelve in each dimension, so that a sixth of them
/// lie on the edge of a triangle.
inline constexpr double CoupledBlocks = 144;
/// Approximate limit of the lane evaluations (expressions x lanes) for sampling
/// one launch; the share of a warp limits the sampled iterations of its loops.
inline constexpr double MaxLaneEvaluations = 1 << 18;

struct SamplePoint {
  uint64_t Index = 0;
  double Weight = 0; ///< a whole number; the weights of a plan sum to Count
};

/// Samples at most Max members of 0 .. Count-1: all members if they are few;
/// otherwise the first and the last represent themselves, because boundary
/// conditions take effect there, and the others are sampled evenly. The
/// alignment of an address that moves with the index has a period of a power of
/// two up to
/// 8. So each residue modulo 8 (a smaller power of two if there are fewer
/// points) gets equally many points, which represent the members with that
/// residue; quantities that depend on the alignment alone are counted exactly.
/// ByPosition: one member of each of Max equal parts instead, with varying
/// residues, for quantities that depend on the position.
std::vector<SamplePoint> samplePoints(uint64_t Count, uint64_t Max,
                                      uint64_t Seed, bool ByPosition = false);

/// Samples at most Max of the Count warps of the Block-th sampled block: one of
/// each of Max equal parts, at a position that differs between blocks, so that
/// all warps are sampled about equally often.
std::vector<SamplePoint> sampleWarps(uint64_t Count, uint64_t Max,
                                     uint64_t Block);

/// Whether the launch is small enough to evaluate all warps: at most
/// ExactWarps, or a total cost of at most MaxLaneEvaluations. CostOfWarp: lane
/// evaluations per warp; infinite if it depends on the number of sampled
/// iterations.
bool isExact(const Launch &L, unsigned WarpsPerBlock, double CostOfWarp,
             double Effort = 1);

/// Whether a condition or trip count depends on two block coordinates at once,
/// as in a triangle. The amount of work is then known only from many blocks.
bool isCoupled(const KernelModel &Kernel, const Launch &L);

/// Samples the blocks of a launch.
/// All: every block is sampled (isExact).
/// Relevant[d]: an expression depends on the block index of dimension d; other
/// dimensions need one point.
/// ActiveGrid[d]: number of blocks in dimension d, from the first, that may
/// have work; the others exit at once and are represented by one of them.
/// Coupled: isCoupled.
std::vector<SampledBlock>
sampleBlocks(const Launch &L, unsigned WarpsPerBlock, bool All,
             std::array<bool, 3> Relevant,
             const std::array<uint64_t, 3> &ActiveGrid, bool Coupled = false,
             double Effort = 1);

} // namespace gpuestimate

#endif
