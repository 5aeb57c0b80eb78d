/// \file
/// Launches that are too short or too uneven for the machine.
#include "Advisor.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Smallest share of the time for which the last wave is reported.
static constexpr double TailShare = 0.1;

static SourceLocation launchPlace(const Advisor &A) {
  return A.L.Location.isValid() ? A.L.Location : A.Kernel.Location;
}

void findLaunchBound(Advisor &A) {
  const Prediction &P = A.Base;
  if (P.LaunchOverhead.value() <= P.Execution.value())
    return;
  A.add({"launch", "launch", launchPlace(A),
         "'" + P.Name + "' runs for " + formatTime(P.Execution) +
             ", its launch takes " + formatTime(P.LaunchOverhead),
         "do the work of several launches in one (gain if launching took no "
         "time)",
         P.LaunchOverhead / P.Time});
}

void findTail(Advisor &A) {
  const Prediction &P = A.Base;
  auto Part = find_if(P.Breakdown,
                      [](const auto &Entry) { return Entry.first == "tail"; });
  if (Part == P.Breakdown.end() || Part->second < TailShare)
    return;
  // Part of a wave that the last blocks fill; the other slots are idle.
  double Last = P.Occ.Waves - std::floor(P.Occ.Waves);
  std::string Blocks = formatSizes(P.Used.Grid) + " blocks ";
  std::string Problem =
      P.Occ.Waves < 1 ? Blocks + "fill " + formatPercent(P.Occ.Waves) +
                            " of the GPU's block slots"
      : Last > 0
          ? Blocks + "are " + formatNumber(P.Occ.Waves - Last) +
                (P.Occ.Waves < 2 ? " full wave and " : " full waves and ") +
                formatPercent(Last) + " of another"
          : Blocks + "end with their slowest warps";
  A.add({"tail", "tail", launchPlace(A), Problem,
         "choose a grid of whole waves (" +
             std::to_string(P.Occ.BlocksPerSm * A.Gpu.SmCount) +
             " blocks each), blocks of another size, or blocks that fetch "
             "their work; gain without the last wave",
         A.gain(A.tryWithout("tail"))});
}

} // namespace gpuestimate
