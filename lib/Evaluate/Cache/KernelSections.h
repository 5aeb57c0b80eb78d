/// \file
/// Sections of a kernel (its outermost loops) and the bytes that pass between
/// uses of the same data in two of them.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_KERNELSECTIONS_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_KERNELSECTIONS_H

#include "FootprintModel.h"

namespace gpuestimate {

/// Footprint of a section whose outermost loop sweeps over the data in steps,
/// split at one use of the data in each step.
struct SectionFootprint {
  double BeforeUse = 0, AtUse = 0, AfterUse = 0; ///< bytes
  /// Bytes from the beginning of the section up to the use of the data at a
  /// position (0: the first, 1: the last).
  double bytesUpTo(double Position, double Trips) const;
  double bytesAfter(double Position, double Trips) const {
    return BeforeUse + AtUse + AfterUse - bytesUpTo(Position, Trips);
  }
};

/// Footprints between a use in an earlier section and a use of the same data in
/// a later one. For the data at some position, the rest of the earlier section
/// and the beginning of the later one pass by.
struct SectionDistance {
  SectionFootprint Earlier, Later;
  double Between = 0; ///< bytes of the sections in between
  double EarlierTrips = 1, LaterTrips = 1;
  double bytesAt(double Position) const {
    return Earlier.bytesAfter(Position, EarlierTrips) + Between +
           Later.bytesUpTo(Position, LaterTrips);
  }
  /// Mean of a function of the position.
  double mean(llvm::function_ref<double(double Position)> Value) const;
};

/// The sections of a kernel, one per outermost loop.
class KernelSections {
public:
  explicit KernelSections(const FootprintModel &Footprints);

  /// The outermost loop around a group; negative and unique if there is none.
  int sectionOf(unsigned Group) const;
  /// Two groups are in different sections, both of which are loops.
  bool areDifferentLoops(unsigned A, unsigned B) const {
    return sectionOf(A) != sectionOf(B) && sectionOf(A) >= 0 &&
           sectionOf(B) >= 0;
  }
  /// OnlyHere: footprints that no other part of the kernel touches.
  SectionDistance distance(unsigned Earlier, unsigned Later, double Blocks,
                           bool OnlyHere) const;
  /// First and last group, in program order, that touch the bytes of a group.
  std::pair<unsigned, unsigned> usesOf(unsigned Group) const {
    return *Uses[Footprints.group(Group).FootprintClass];
  }

private:
  const FootprintModel &Footprints;
  /// [FootprintClass]
  std::vector<std::optional<std::pair<unsigned, unsigned>>> Uses;
};

} // namespace gpuestimate

#endif
