/// \file
/// Power of the board and energies of events, from loads that keep one part of
/// the chip busy at the clock under load. With P the power of a load, i and e
/// its instructions and events a second:
///
///   constant  = P(idle)           all that is drawn without a kernel
///   sm_active = (P(one warp) - P(idle)) / multiprocessors
///   energy of an event = (P - P(one warp) - i * energy.instruction
///                         - bytes of nearer levels) / e
///
/// One clock tells nothing of the voltage, so its keys are inherited.
#include "Fitter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// One load of group power.
struct Load {
  double Watts, Instructions, Events;
};

std::optional<Load> load(const Fitter &F, StringRef Name) {
  const Measurement *Board = F.one("power", "board", "load", Name),
                    *Instructions =
                        F.one("power", "instructions", "load", Name),
                    *Events = F.one("power", "events", "load", Name);
  if (!Board || !Instructions || !Events)
    return std::nullopt;
  return Load{Board->Value, Instructions->Value, Events->Value};
}

} // namespace

void fitPower(Fitter &F) {
  if (const Measurement *Limit = F.one("power", "limit"))
    F.add("power.limit", Limit->Value, "vendor", "power",
          "enforced by the driver");
  std::optional<Load> Idle = load(F, "idle"), Warp = load(F, "one_warp"),
                      Plain = load(F, "instruction");
  if (!Idle || !Warp || !Plain || Plain->Instructions <= 0) {
    if (F.has("power"))
      F.doubt("power: the driver counts no energy");
    return;
  }
  double SmCount = F.smCount();
  F.add("power.core_clock", F.clock(), "measured", "power",
        "the clock under load");
  F.add("power.constant", Idle->Watts, "measured", "power",
        "board with a context and no kernel; what of it follows clock and "
        "voltage is not told apart");
  for (StringRef Key : {"power.dram_idle", "power.leakage", "power.clock_tree"})
    F.add(Key, 0, "derived", "power", "part of power.constant");
  F.add("power.sm_active", std::max(0.0, Warp->Watts - Idle->Watts) / SmCount,
        "measured", "power", "one warp on each multiprocessor, less idle");
  double Instruction =
      std::max(0.0, (Plain->Watts - Warp->Watts) / Plain->Instructions);
  F.add("power.energy.instruction", Instruction, "measured", "power",
        "logic on all multiprocessors");
  double Nearer = 0; // joules of a byte up to the level before
  for (StringRef Name : {"fp32", "fp64", "fp16", "int_mul", "sfu", "shared",
                         "l1", "l2", "dram"}) {
    std::optional<Load> L = load(F, Name);
    if (!L || L->Events <= 0)
      continue;
    double Each =
        (L->Watts - Warp->Watts - Instruction * L->Instructions) / L->Events -
        Nearer;
    F.add(("power.energy." + Name).str(), std::max(0.0, Each), "measured",
          "power",
          formatv("{0:F1} W at {1:E3} a second", L->Watts, L->Events).str());
    if (Name == "l1" || Name == "l2")
      Nearer += std::max(0.0, Each);
  }
}

} // namespace gpuestimate
