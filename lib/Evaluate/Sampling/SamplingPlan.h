/// \file
/// Which members of a long range are looked at, and for how many each stands.
///
/// Points are chosen without a global random generator: every position is a
/// hash of a seed and its number, so that equal inputs give equal results.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGPLAN_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGPLAN_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include <array>
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Launches of at most this many warps are enumerated.
inline constexpr uint64_t ExactWarps = 64;
/// Warps that are looked at in a larger launch, about.
inline constexpr uint64_t SampledWarps = 256;
/// Blocks that are looked at, about, where a condition depends on two of their
/// coordinates at once: in each dimension twelve, so that the edge of a
/// triangle is met in a sixth of them.
inline constexpr double CoupledBlocks = 144;
/// Expressions x lanes that sampling one launch may evaluate, about; what
/// remains per warp decides how many iterations of a loop are looked at.
inline constexpr double MaxLaneEvaluations = 1 << 18;

struct SamplePoint {
  uint64_t Index = 0;
  double Weight = 0; ///< a whole number; the weights of a plan sum to Count
};

/// At most Max members of 0 .. Count-1. All of them when they are few; else the
/// first and the last stand for themselves (boundary conditions bite there)
/// and the rest is sampled evenly. An address that moves with the index is
/// misaligned in a pattern whose period is a power of two up to 8; so as many
/// members of each residue modulo 8 (of a smaller power of two where there are
/// fewer points) are taken, and stand for those with that residue: what depends
/// on the alignment alone is counted exactly. ByPlace: one member of each of as
/// many parts instead, with different residues, for what depends on the place.
std::vector<SamplePoint> samplePoints(uint64_t Count, uint64_t Max,
                                      uint64_t Seed, bool ByPlace = false);

/// At most Max of a block's Count warps, of the Block-th one that is looked at:
/// one of each part of the warps, another one in the next blocks, so that all
/// blocks together show all warps about equally often.
std::vector<SamplePoint> sampleWarps(uint64_t Count, uint64_t Max,
                                     uint64_t Block);

struct SampledBlock {
  std::array<uint64_t, 3> Index{};
  double Weight = 0; ///< blocks that it stands for
};

/// The launch is small enough to be enumerated: ExactWarps, or as many as
/// sampling may evaluate. CostOfWarp: expressions x lanes that each warp takes,
/// infinite where that is up to how many iterations are looked at.
bool isExact(const Launch &L, unsigned WarpsPerBlock, double CostOfWarp,
             double Effort = 1);

/// Some condition or trip count depends on the block's place in two dimensions
/// at once, as in a triangle: then only many blocks tell how much work there
/// is.
bool isCoupled(const KernelModel &Kernel, const Launch &L);

/// All: the launch is enumerated.
/// Working[d]: so many blocks of the dimension, from the first, may have work;
/// the rest goes home at once and one of them stands for all.
/// Relevant[d]: something depends on the block index of dimension d; a
/// dimension on which nothing depends needs one point.
/// Coupled: some condition depends on two dimensions at once.
std::vector<SampledBlock> sampleBlocks(const Launch &L, unsigned WarpsPerBlock,
                                       bool All, std::array<bool, 3> Relevant,
                                       const std::array<uint64_t, 3> &Working,
                                       bool Coupled = false, double Effort = 1);

} // namespace gpuestimate

#endif
