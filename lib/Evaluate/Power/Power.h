/// \file
/// Mean power of a board during a launch (docs/power.md):
///
///   v(f)  = voltage_floor                                      for f <= knee
///           voltage_floor + (1 - voltage_floor) (f - knee) / (f0 - knee)
///   P(f)  = constant + dram_idle m/m0
///           + v^2 (leakage + clock_tree f/f0)
///           + v^2 f/f0 sm_active S E/T
///           + a (v^2 sum over core events n e + sum over DRAM bytes n e) / T
///
///   f, f0   core clock, power.core_clock        v   relative voltage, 1 at f0
///   m, m0   memory clock, power.dram_clock      n   events of the launch
///   S       multiprocessors that hold warps     e   energy of an event at f0
///   T, E    time of the launch, of its execution without launch overhead
///   a       power.data_activity, 1 for data of programs
///
/// In the state of low voltage (LowPowerState) v is that of the state, and its
/// constant takes the place of constant + v^2 leakage.
///
/// The energy of switching a capacitance is proportional to V^2 (CMOS), hence
/// the events; the clock tree and the clocked part of a multiprocessor switch
/// once a cycle. Example: 5.9e12 fp32 operations a second of 9.8 pJ draw 58 W.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_POWER_POWER_H
#define GPU_ESTIMATE_LIB_EVALUATE_POWER_POWER_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Core voltage at a clock, relative to that at power.core_clock; above the
/// latter it goes on linearly. The model has the keys of the voltage.
double relativeVoltage(const GpuPower &Power, Hertz Core,
                       bool InLowState = false);

/// Is the card at a memory clock of its state of low voltage (LowPowerState)?
bool isInLowState(const GpuModel &Gpu);

/// Number of events of a launch by EnergyClass: operations of threads,
/// multiply-adds, bytes. An instruction of a warp counts for all its lanes.
std::array<double, NumEnergyClasses> energyEvents(const Counts &Count,
                                                  const GpuModel &Gpu);

/// Joules of one event of Class at the core clock of the GPU model; nothing if
/// the model does not state it.
std::optional<double> energyOf(EnergyClass Class, const GpuModel &Gpu);

/// The first key of the power model that the GPU model lacks, for events of
/// which there are any; "" if there is none.
std::string missingPowerKey(const GpuModel &Gpu, llvm::ArrayRef<double> Events);

/// Power and energy of a launch, but its throttled launch, from its counts, its
/// time, and its execution without launch overhead.
PowerEstimate estimatePower(const Counts &Count, Seconds Time,
                            Seconds Execution, const GpuModel &Gpu,
                            double SmsInUse);

/// The launch at the clock at which the board draws just its limit. P has a
/// power above the limit; OnClock predicts the launch at another core clock,
/// with its power. Nothing where OnClock does not, or where even the lowest
/// voltage's clock exceeds the limit.
std::optional<ThrottledLaunch>
throttle(const Prediction &P, const GpuModel &Gpu,
         llvm::function_ref<std::optional<Prediction>(Hertz)> OnClock);

} // namespace gpuestimate

#endif
