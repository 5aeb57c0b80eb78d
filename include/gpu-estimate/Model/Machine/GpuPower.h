/// \file
/// What a board draws, as a GPU model file states it (keys `power.*`). All
/// values hold at CoreClock and the voltage that goes with it; Power.h of
/// Evaluate has the formula.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_GPUPOWER_H
#define GPU_ESTIMATE_MODEL_MACHINE_GPUPOWER_H

#include "gpu-estimate/Model/Machine/EnergyClass.h"
#include "gpu-estimate/Support/Units.h"
#include <array>
#include <optional>

namespace gpuestimate {

/// The performance state that a card takes at low memory clocks, with a core
/// voltage of its own: lowest up to VoltageKnee, then linear in the clock up to
/// GpuPower::VoltageFloor at VoltageEnd, and the usual voltage beyond.
struct LowPowerState {
  std::optional<Hertz> MemoryClock;   ///< the highest of the state
  std::optional<double> VoltageFloor; ///< lowest voltage / that at CoreClock
  std::optional<Hertz> VoltageKnee, VoltageEnd;
  std::optional<Watts> Constant; ///< in place of that and of Leakage
};

struct GpuPower {
  std::optional<Watts> Limit; ///< of the board, enforced by the driver
  std::optional<Hertz> CoreClock, DramClock;
  std::optional<Hertz> VoltageKnee;   ///< the voltage is lowest up to here
  std::optional<double> VoltageFloor; ///< lowest voltage / that at CoreClock
  std::optional<Watts> Constant, DramIdle, Leakage, ClockTree;
  std::optional<Watts> SmActive; ///< of each multiprocessor that holds warps
  LowPowerState LowState;
  /// Energy of an event of the launch's data / that of data of programs; 1 if
  /// not stated.
  std::optional<double> DataActivity;
  /// By EnergyClass: joules of an operation of a thread, of a multiply-add of
  /// a tensor class, or of a byte.
  std::array<std::optional<double>, NumEnergyClasses> Energies;
};

} // namespace gpuestimate

#endif
