/// \file
/// Power and energy of one launch, as plain data (Evaluate/Power).
#ifndef GPU_ESTIMATE_MODEL_RESULT_POWERESTIMATE_H
#define GPU_ESTIMATE_MODEL_RESULT_POWERESTIMATE_H

#include "gpu-estimate/Support/Units.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// The launch at the clock to which the board's power limit pulls it.
struct ThrottledLaunch {
  Hertz Clock;
  Seconds Time;
  Joules Energy;
};

struct PowerEstimate {
  /// Mean power of the board during the launch at the clock of the GPU model;
  /// nothing where the model lacks a value: Missing says which.
  std::optional<Watts> Board;
  std::string Missing;
  Joules Energy; ///< Board times the time of the launch
  std::optional<Watts> Limit;
  /// Component -> fraction of Energy, largest first: "constant", "idle",
  /// "active", "instruction", "fp32", ..., "dram".
  std::vector<std::pair<std::string, double>> Breakdown;
  std::optional<ThrottledLaunch> Throttled; ///< where Board exceeds Limit

  /// What the board draws: Board, or Limit if that is less.
  std::optional<Watts> drawn() const {
    return Board && Limit && *Limit < *Board ? Limit : Board;
  }
};

} // namespace gpuestimate

#endif
