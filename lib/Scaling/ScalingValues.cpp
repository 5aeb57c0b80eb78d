#include "gpu-estimate/Scaling/ScalingValues.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace gpuestimate {

size_t indexOf(const ConfigurationGrid &Grid, GridPoint Point) {
  return (Point.Sm * Grid.CoreClocks.size() + Point.Core) *
             Grid.MemoryClocks.size() +
         Point.Memory;
}

static ClockScalingValues clockScaling(const ConfigurationGrid &Grid,
                                       const std::vector<double> &Times,
                                       size_t Sm) {
  auto Time = [&](size_t Core, size_t Memory) {
    return Times[indexOf(Grid, {Sm, Core, Memory})];
  };
  size_t Cores = Grid.CoreClocks.size(), Memories = Grid.MemoryClocks.size();
  ClockScalingValues Values;
  for (size_t I = 0; I + 1 < Cores; ++I) {
    Values.Core.emplace_back();
    for (size_t J = 0; J < Memories; ++J)
      Values.Core.back().push_back(Time(I + 1, J) / Time(I, J));
  }
  for (size_t I = 0; I < Cores; ++I) {
    Values.Memory.emplace_back();
    for (size_t J = 0; J + 1 < Memories; ++J)
      Values.Memory.back().push_back(Time(I, J + 1) / Time(I, J));
  }
  return Values;
}

ScalingValues scalingValues(const ConfigurationGrid &Grid,
                            const std::vector<double> &Times, GridPoint Base) {
  assert(Times.size() == Grid.size());
  ScalingValues Values;
  for (size_t K = 0; K < Grid.SmCounts.size(); ++K)
    Values.Clocks.push_back(clockScaling(Grid, Times, K));
  for (size_t K = 0; K + 1 < Grid.SmCounts.size(); ++K)
    Values.Sm.push_back(Times[indexOf(Grid, {K + 1, Base.Core, Base.Memory})] /
                        Times[indexOf(Grid, {K, Base.Core, Base.Memory})]);
  return Values;
}

/// The product of step(I) for I from From up to To, or of the reciprocals from
/// To up to From where To is below.
template <typename Step>
static double product(size_t From, size_t To, Step StepFrom) {
  double Factor = 1;
  for (size_t I = From; I < To; ++I)
    Factor *= StepFrom(I);
  for (size_t I = To; I < From; ++I)
    Factor /= StepFrom(I);
  return Factor;
}

double scalingFactor(const ScalingValues &Values, GridPoint Base,
                     GridPoint Target, ClockOrder Order) {
  const ClockScalingValues &Clocks = Values.Clocks[Target.Sm];
  bool CoreFirst = Order == ClockOrder::CoreFirst;
  size_t MemoryAtCoreSteps = CoreFirst ? Base.Memory : Target.Memory;
  size_t CoreAtMemorySteps = CoreFirst ? Target.Core : Base.Core;
  return product(Base.Sm, Target.Sm, [&](size_t K) { return Values.Sm[K]; }) *
         product(Base.Core, Target.Core,
                 [&](size_t I) { return Clocks.Core[I][MemoryAtCoreSteps]; }) *
         product(Base.Memory, Target.Memory,
                 [&](size_t J) { return Clocks.Memory[CoreAtMemorySteps][J]; });
}

static std::vector<double> logarithms(const std::vector<double> &Values) {
  std::vector<double> Logs;
  for (double Value : Values)
    Logs.push_back(std::log(Value));
  return Logs;
}

ClockFactors::ClockFactors(const ConfigurationGrid &Grid,
                           const ScalingValues &Values, GridPoint Base)
    : LogCores(logarithms(Grid.CoreClocks)),
      LogMemories(logarithms(Grid.MemoryClocks)) {
  for (size_t Core = 0; Core < LogCores.size(); ++Core)
    for (size_t Memory = 0; Memory < LogMemories.size(); ++Memory)
      LogFactors.push_back(
          std::log(scalingFactor(Values, Base, {Base.Sm, Core, Memory})));
}

/// The interval of Grid that Value lies in, and where: 0 at its begin, 1 at its
/// end. Values beyond the ends count as the ends.
static std::pair<size_t, double> place(const std::vector<double> &Grid,
                                       double Value) {
  if (Grid.size() < 2 || Value <= Grid.front())
    return {0, 0};
  size_t Below = Grid.size() - 2;
  if (Value >= Grid.back())
    return {Below, 1};
  while (Grid[Below] > Value)
    --Below;
  return {Below, (Value - Grid[Below]) / (Grid[Below + 1] - Grid[Below])};
}

double ClockFactors::at(double CoreMhz, double MemoryMhz) const {
  auto [Core, CoreShare] = place(LogCores, std::log(CoreMhz));
  auto [Memory, MemoryShare] = place(LogMemories, std::log(MemoryMhz));
  size_t Row = LogMemories.size(), At = Core * Row + Memory;
  size_t Across = Row > 1 ? 1 : 0, Down = LogCores.size() > 1 ? Row : 0;
  auto Between = [](double From, double To, double Share) {
    return From + (To - From) * Share;
  };
  return std::exp(
      Between(Between(LogFactors[At], LogFactors[At + Across], MemoryShare),
              Between(LogFactors[At + Down], LogFactors[At + Down + Across],
                      MemoryShare),
              CoreShare));
}

Elasticities elasticities(const ConfigurationGrid &Grid,
                          const std::vector<double> &Times, GridPoint Base) {
  auto Between = [&](const std::vector<double> &Clocks,
                     size_t GridPoint::*Axis) {
    GridPoint Low = Base, High = Base;
    Low.*Axis = 0;
    High.*Axis = Clocks.size() - 1;
    return Clocks.size() < 2 ? 0
                             : std::log(Times[indexOf(Grid, Low)] /
                                        Times[indexOf(Grid, High)]) /
                                   std::log(Clocks.back() / Clocks.front());
  };
  return {Between(Grid.CoreClocks, &GridPoint::Core),
          Between(Grid.MemoryClocks, &GridPoint::Memory)};
}

std::vector<double> flatten(const ClockScalingValues &Values) {
  std::vector<double> Flat;
  for (const auto *Rows : {&Values.Core, &Values.Memory})
    for (const std::vector<double> &Row : *Rows)
      Flat.insert(Flat.end(), Row.begin(), Row.end());
  return Flat;
}

ClockScalingValues unflatten(const ConfigurationGrid &Grid,
                             const std::vector<double> &Values) {
  size_t Cores = Grid.CoreClocks.size(), Memories = Grid.MemoryClocks.size();
  assert(Values.size() == (Cores - 1) * Memories + Cores * (Memories - 1));
  auto Next = Values.begin();
  auto TakeRows = [&](size_t Rows, size_t Columns) {
    std::vector<std::vector<double>> Taken;
    for (size_t I = 0; I < Rows; ++I, Next += static_cast<long>(Columns))
      Taken.emplace_back(Next, Next + static_cast<long>(Columns));
    return Taken;
  };
  ClockScalingValues Unflat;
  Unflat.Core = TakeRows(Cores - 1, Memories);
  Unflat.Memory = TakeRows(Cores, Memories - 1);
  return Unflat;
}

} // namespace gpuestimate
