#include "Evaluate/Power/Power.h"

#include "gpu-estimate/Model/Machine/Configuration.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

bool isInLowState(const GpuModel &Gpu) {
  std::optional<Hertz> Memory = memoryClock(Gpu),
                       Highest = Gpu.Power.LowState.MemoryClock;
  return Memory && Highest && *Memory <= *Highest;
}

double relativeVoltage(const GpuPower &Power, Hertz Core, bool InLowState) {
  double Floor = *Power.VoltageFloor, Knee = Power.VoltageKnee->value();
  if (const LowPowerState &Low = Power.LowState;
      InLowState && Core < *Low.VoltageEnd) {
    double Share =
        (Core - *Low.VoltageKnee) / (*Low.VoltageEnd - *Low.VoltageKnee);
    return *Low.VoltageFloor +
           (Floor - *Low.VoltageFloor) * std::max(0.0, Share);
  }
  double Range = Power.CoreClock->value() - Knee;
  if (Core.value() <= Knee || Range <= 0)
    return Floor;
  return Floor + (1 - Floor) * (Core.value() - Knee) / Range;
}

std::array<double, NumEnergyClasses> energyEvents(const Counts &Count,
                                                  const GpuModel &Gpu) {
  std::array<double, NumEnergyClasses> Events{};
  auto At = [&](EnergyClass Class) -> double & {
    return Events[static_cast<unsigned>(Class)];
  };
  for (const OpClassInfo &Row : opClassTable()) {
    double Warps = Count.ByClass[static_cast<unsigned>(Row.Class)];
    // The unit of work of a tensor class is a multiply-add.
    double Each = Row.UsualPipe == Pipe::Tensor ? 1 : Gpu.WarpSize;
    if (std::optional<EnergyClass> Class = energyClassOf(Row.Class))
      At(*Class) += Warps * Each;
  }
  At(EnergyClass::Instruction) = Count.WarpInstructions * Gpu.WarpSize;
  At(EnergyClass::Shared) =
      Count.SharedWavefronts * Gpu.SharedBanks * Gpu.SharedBankWidth.value();
  At(EnergyClass::L1) = (Count.GlobalLoadSectors + Count.GlobalStoreSectors) *
                        Gpu.L1.Sector.value();
  At(EnergyClass::L2) = Count.L2Bytes;
  At(EnergyClass::Dram) = Count.DramBytes;
  return Events;
}

std::optional<double> energyOf(EnergyClass Class, const GpuModel &Gpu) {
  std::optional<double> Joules =
      Gpu.Power.Energies[static_cast<unsigned>(Class)];
  if (!Joules)
    return std::nullopt;
  double OfData = *Joules * Gpu.Power.DataActivity.value_or(1);
  if (!info(Class).OfCore)
    return OfData;
  double Voltage = relativeVoltage(Gpu.Power, Gpu.CoreClock, isInLowState(Gpu));
  return OfData * Voltage * Voltage;
}

std::string missingPowerKey(const GpuModel &Gpu, ArrayRef<double> Events) {
  const GpuPower &P = Gpu.Power;
  for (auto [Name, Has] : {std::pair{"core_clock", P.CoreClock.has_value()},
                           {"voltage_knee", P.VoltageKnee.has_value()},
                           {"voltage_floor", P.VoltageFloor.has_value()},
                           {"constant", P.Constant.has_value()},
                           {"dram_idle", P.DramIdle.has_value()},
                           {"leakage", P.Leakage.has_value()},
                           {"clock_tree", P.ClockTree.has_value()},
                           {"sm_active", P.SmActive.has_value()}})
    if (!Has)
      return std::string("power.") + Name;
  if (const LowPowerState &Low = P.LowState; Low.MemoryClock)
    for (auto [Name, Has] :
         {std::pair{"voltage_floor", Low.VoltageFloor.has_value()},
          {"voltage_knee", Low.VoltageKnee.has_value()},
          {"voltage_end", Low.VoltageEnd && Low.VoltageKnee &&
                              *Low.VoltageEnd > *Low.VoltageKnee},
          {"constant", Low.Constant.has_value()}})
      if (!Has)
        return std::string("power.low_state.") + Name;
  if (P.DramIdle->value() > 0) {
    if (!P.DramClock)
      return "power.dram_clock";
    if (!memoryClock(Gpu))
      return "dram.clock";
  }
  for (const EnergyClassInfo &Class : energyClassTable()) {
    unsigned I = static_cast<unsigned>(Class.Class);
    if (Events[I] > 0 && !P.Energies[I])
      return "power.energy." + Class.Name.str();
  }
  return "";
}

/// Power of the memory without traffic, which missingPowerKey() has let pass.
static Watts idleDramPower(const GpuModel &Gpu) {
  const GpuPower &Power = Gpu.Power;
  if (Power.DramIdle->value() == 0)
    return Watts(0);
  return *Power.DramIdle * (*memoryClock(Gpu) / *Power.DramClock);
}

PowerEstimate estimatePower(const Counts &Count, Seconds Time,
                            Seconds Execution, const GpuModel &Gpu,
                            double SmsInUse) {
  const GpuPower &Power = Gpu.Power;
  PowerEstimate Result;
  Result.Limit = Power.Limit;
  std::array<double, NumEnergyClasses> Events = energyEvents(Count, Gpu);
  if (std::string Key = missingPowerKey(Gpu, Events); !Key.empty()) {
    Result.Missing = Gpu.Id + " has no value of " + Key;
    return Result;
  }
  bool InLowState = isInLowState(Gpu);
  double Voltage = relativeVoltage(Power, Gpu.CoreClock, InLowState);
  Watts Constant = InLowState ? *Power.LowState.Constant : *Power.Constant,
        Leakage = InLowState ? Watts(0) : *Power.Leakage;
  double Squared = Voltage * Voltage;
  double Clock = Gpu.CoreClock / *Power.CoreClock;
  std::vector<std::pair<std::string, double>> Parts = {
      {"constant", ((Constant + idleDramPower(Gpu)) * Time).value()},
      {"idle", ((Leakage + *Power.ClockTree * Clock) * Squared * Time).value()},
      {"active",
       (*Power.SmActive * (SmsInUse * Clock * Squared) * Execution).value()}};
  for (const EnergyClassInfo &Class : energyClassTable())
    if (double Number = Events[static_cast<unsigned>(Class.Class)])
      Parts.push_back(
          {Class.Name.str(), Number * energyOf(Class.Class, Gpu).value_or(0)});
  double Sum = 0;
  for (const auto &[Name, Joules] : Parts)
    Sum += Joules;
  Result.Energy = Joules(Sum);
  if (Time.value() <= 0 || Sum <= 0) {
    Result.Missing = "the launch takes no time";
    return Result;
  }
  Result.Board = Result.Energy / Time;
  for (auto &[Name, Joules] : Parts)
    if (Joules > 0)
      Result.Breakdown.push_back({Name, Joules / Sum});
  stable_sort(Result.Breakdown,
              [](const auto &A, const auto &B) { return A.second > B.second; });
  return Result;
}

} // namespace gpuestimate
