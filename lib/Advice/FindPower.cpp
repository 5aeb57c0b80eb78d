/// \file
/// Launches that the power limit of the board slows down.
#include "Advisor.h"

#include "gpu-estimate/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

void findThrottling(Advisor &A) {
  const Prediction &P = A.Base;
  if (!P.Power.Throttled || P.Power.Throttled->Time <= P.Time)
    return;
  const ThrottledLaunch &T = *P.Power.Throttled;
  std::string Parts;
  constexpr size_t MaxParts = 2;
  for (const auto &[Component, Fraction] :
       ArrayRef(P.Power.Breakdown).take_front(MaxParts))
    Parts +=
        (Parts.empty() ? "" : ", ") + Component + " " + formatPercent(Fraction);
  A.add({"energy", "power-limit", A.Kernel.Location,
         "'" + P.Name + "' would draw " + formatPower(*P.Power.Board) + " of " +
             formatPower(*P.Power.Limit) + ": the clock falls to " +
             formatFrequency(T.Clock) + ", where it takes " +
             formatTime(T.Time) + " and " + formatEnergy(T.Energy) +
             "; most of it is " + Parts,
         "", std::nullopt});
}

} // namespace gpuestimate
