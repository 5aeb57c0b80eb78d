#include "LineCosts.h"
#include "Evaluate/Power/Power.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace gpuestimate {
namespace {

/// Weights of the operations, component by component.
class Weights {
public:
  explicit Weights(const ModelInputs &In)
      : In(In),
        WarpsPerBlock(divideCeil(In.L.threadsPerBlock(), In.Gpu.WarpSize)),
        Costs(In.Kernel, In.Gpu, In.Sample, In.Flow, In.Schedule,
              WarpsPerBlock) {
    const auto &Pipes = In.Work.PipeCycles;
    Busiest = static_cast<Pipe>(std::max_element(Pipes.begin(), Pipes.end()) -
                                Pipes.begin());
    Sharing.resize(In.Kernel.Accesses.size());
    for (const Operation &Op : In.Kernel.Operations)
      if (Op.access())
        ++Sharing[*Op.access()];
  }

  /// [operation] Demand on the resource of the component; all 0 for a component
  /// without one (launch, tail, dispatch).
  std::vector<double> of(Term Component);
  /// Events of a class.
  std::vector<double> of(EnergyClass Class);

private:
  using ByOperation = double (Weights::*)(const Operation &, double) const;
  using ByAccess = double (Weights::*)(unsigned) const;

  std::vector<double> instructions(ByOperation Demand) const;
  std::vector<double> accesses(ByAccess Demand) const;
  std::vector<double> stalls();
  std::vector<double> pauses() const;

  double one(const Operation &, double N) const { return N; }
  double loadStore(const Operation &Op, double N) const {
    return Op.access() ? N : 0;
  }
  double barrier(const Operation &Op, double N) const {
    return Op.Class == OpClass::Barrier ? N : 0;
  }
  double pipe(const Operation &Op, double N) const {
    return Costs.pipe(Op) == Busiest
               ? N * Costs.pipeCycles(Op) * pipeRounds(In.Kernel, In.Sample, Op)
               : 0;
  }
  double reads(const Operation &Op, double N) const {
    return N * Costs.operandCycles(Op);
  }

  bool isShared(unsigned I) const {
    return In.Kernel.Accesses[I].Space == MemorySpace::Shared;
  }
  /// Global, texture and local memory: what goes through L1.
  bool isCached(unsigned I) const {
    return !isShared(I) && In.Kernel.Accesses[I].Space != MemorySpace::Constant;
  }
  double shared(unsigned I) const {
    return isShared(I) ? In.Sample.Accesses[I].Wavefronts : 0;
  }
  double l1(unsigned I) const {
    return isCached(I) ? In.Sample.Accesses[I].Wavefronts : 0;
  }
  double extraPasses(unsigned I) const {
    return std::max(0.0, l1(I) - In.Sample.Accesses[I].Requests);
  }
  double l2(unsigned I) const { return In.Flow.Accesses[I].L2Bytes; }
  double l2Reads(unsigned I) const {
    return In.Kernel.Accesses[I].Kind == AccessKind::Store ? 0 : l2(I);
  }
  double beyondL2(unsigned I) const {
    return l2(I) * (1 - In.Flow.Accesses[I].L2Hit);
  }
  double dram(unsigned I) const {
    return In.Flow.Accesses[I].DramReadBytes +
           In.Flow.Accesses[I].DramWriteBytes;
  }
  double link(unsigned I) const {
    return In.Flow.Accesses[I].LinkReadBytes +
           In.Flow.Accesses[I].LinkWriteBytes;
  }
  double atomics(unsigned I) const {
    if (In.Kernel.Accesses[I].Kind != AccessKind::Atomic)
      return 0;
    const AccessTotals &T = In.Sample.Accesses[I];
    return isShared(I) ? T.SameAddress : T.Threads;
  }

  const ModelInputs &In;
  unsigned WarpsPerBlock;
  OperationCosts Costs;
  Pipe Busiest;
  std::vector<unsigned> Sharing; ///< [access] operations that make it
};

std::vector<double> Weights::instructions(ByOperation Demand) const {
  std::vector<double> Result(In.Kernel.Operations.size());
  for (unsigned B = 0; B < In.Kernel.Blocks.size(); ++B)
    for (unsigned I : In.Kernel.Blocks[B].operations()) {
      const Operation &Op = In.Kernel.Operations[I];
      double Copies = Op.LoopOverhead ? In.Schedule[B].Copies : 1;
      Result[I] =
          (this->*Demand)(Op, In.Sample.BlockWarps[B] * Op.Count / Copies);
    }
  return Result;
}

std::vector<double> Weights::accesses(ByAccess Demand) const {
  std::vector<double> Result;
  for (const Operation &Op : In.Kernel.Operations)
    Result.push_back(!Op.access() ? 0
                                  : (this->*Demand)(*Op.access()) /
                                        Sharing[*Op.access()]);
  return Result;
}

std::vector<double> Weights::stalls() {
  std::vector<double> Result(In.Kernel.Operations.size());
  if (In.Sample.Paths.empty())
    return Result;
  auto Length = [&](const WarpPath &P) {
    double Sum = 0;
    for (double Trips : P.LoopTrips)
      Sum += Trips;
    for (double Share : P.BlockShare)
      Sum += Share;
    return Sum;
  };
  const WarpPath &Longest =
      *std::max_element(In.Sample.Paths.begin(), In.Sample.Paths.end(),
                        [&](const WarpPath &A, const WarpPath &B) {
                          return Length(A) < Length(B);
                        });
  WarpTimer Timer(In.Kernel, Costs, In.Schedule, WarpsPerBlock);
  Timer.observe([&](const IssuedOperation &Issued) {
    if (Issued.WaitsFor >= 0 &&
        !In.Kernel.Operations[Issued.WaitsFor].access() &&
        !In.Kernel.Operations[Issued.WaitsFor].wait())
      Result[Issued.WaitsFor] += Issued.Stall * Issued.Weight;
  });
  Timer.run(Longest, Costs.conditions(MemoryLatencies::unloaded(In.Gpu),
                                      {Term::Barrier}));
  return Result;
}

std::vector<double> Weights::pauses() const {
  std::vector<double> Cycles(In.Kernel.Waits.size()),
      Result(In.Kernel.Operations.size());
  for (const WarpPath &P : In.Sample.Paths)
    for (auto [Sum, Own] : zip_equal(Cycles, P.WaitCycles))
      Sum += P.Weight * Own;
  for (auto [Weight, Op] : zip_equal(Result, In.Kernel.Operations))
    if (Op.wait())
      Weight = Cycles[*Op.wait()];
  return Result;
}

std::vector<double> Weights::of(Term Component) {
  switch (Component) {
  case Term::Issue:
    return instructions(&Weights::one);
  case Term::Pipes:
    return instructions(&Weights::pipe);
  case Term::LoadStore:
    return instructions(&Weights::loadStore);
  case Term::Registers:
    return instructions(&Weights::reads);
  case Term::Barrier:
    return instructions(&Weights::barrier);
  case Term::Dependency:
    return stalls();
  case Term::Shared:
    return accesses(&Weights::shared);
  case Term::L1:
    return accesses(&Weights::l1);
  case Term::Uncoalesced:
    return accesses(&Weights::extraPasses);
  case Term::Outstanding:
    return accesses(&Weights::l2Reads);
  case Term::L2:
    return accesses(&Weights::l2);
  case Term::L3:
    return accesses(&Weights::beyondL2);
  case Term::Dram:
  case Term::DramQueue:
  case Term::Ecc:
    return accesses(&Weights::dram);
  case Term::Link:
    return accesses(&Weights::link);
  case Term::Atomics:
    return accesses(&Weights::atomics);
  case Term::Wait:
    return pauses();
  case Term::Dispatch:
  case Term::Tail:
  case Term::Cold:
  case Term::Migration:
  case Term::Launch:
    break;
  }
  return std::vector<double>(In.Kernel.Operations.size());
}

std::vector<double> Weights::of(EnergyClass Class) {
  switch (Class) {
  case EnergyClass::Instruction:
    return instructions(&Weights::one);
  case EnergyClass::Shared:
    return accesses(&Weights::shared);
  case EnergyClass::L1:
    return accesses(&Weights::l1);
  case EnergyClass::L2:
    return accesses(&Weights::l2);
  case EnergyClass::Dram:
    return accesses(&Weights::dram);
  default:
    break;
  }
  std::vector<double> Result = instructions(&Weights::one);
  for (unsigned I = 0; I < Result.size(); ++I)
    if (energyClassOf(In.Kernel.Operations[I].Class) != Class)
      Result[I] = 0;
  return Result;
}

using LinesByPlace = std::map<std::pair<std::string, unsigned>, LineCost>;

/// Sets the energy of the lines: that of events by their number, what the board
/// draws without them by the lines' shares of the time.
void fillEnergy(LinesByPlace &ByLine, const Prediction &P,
                const ModelInputs &In, Weights &OperationWeights) {
  for (const auto &[Component, Fraction] : P.Power.Breakdown) {
    const EnergyClassInfo *Class = find_if(
        energyClassTable(), [&, &Name = Component](const EnergyClassInfo &C) {
          return C.Name == Name;
        });
    if (Class == energyClassTable().end()) {
      for (auto &[Where, Line] : ByLine)
        Line.EnergyShare += Fraction * Line.Share;
      continue;
    }
    std::vector<double> Weight = OperationWeights.of(Class->Class);
    double Sum = 0;
    for (double W : Weight)
      Sum += W;
    for (unsigned I = 0; I < Weight.size() && Sum > 0; ++I) {
      const SourceLocation &Where = In.Kernel.Operations[I].Location;
      if (Weight[I] <= 0 || !Where.isValid())
        continue;
      auto Line = ByLine.find({Where.File, Where.Line});
      if (Line != ByLine.end()) // else the line takes no time
        Line->second.EnergyShare += Fraction * Weight[I] / Sum;
    }
  }
}

} // namespace

void fillLines(Prediction &P, const ModelInputs &In) {
  Weights OperationWeights(In);
  LinesByPlace ByLine;
  for (const auto &[Component, Fraction] : P.Breakdown) {
    std::vector<double> Weight = OperationWeights.of(*termFromName(Component));
    double Sum = 0;
    for (double W : Weight)
      Sum += W;
    double LineShare = 0;
    for (unsigned I = 0; I < Weight.size() && Sum > 0; ++I) {
      const SourceLocation &Where = In.Kernel.Operations[I].Location;
      if (Weight[I] <= 0 || !Where.isValid())
        continue;
      double Part = Fraction * Weight[I] / Sum;
      LineCost &Line = ByLine[{Where.File, Where.Line}];
      if (Line.Parts.empty() || Line.Parts.back().first != Component)
        Line.Parts.push_back({Component, 0});
      Line.Parts.back().second += Part;
      Line.Share += Part;
      LineShare += Part;
    }
    constexpr double Rounding = 1e-9;
    if (Fraction - LineShare > Rounding)
      P.OffLine.push_back({Component, Fraction - LineShare});
  }
  fillEnergy(ByLine, P, In, OperationWeights);
  for (auto &[Where, Line] : ByLine) {
    Line.Where = {Where.first, Where.second, 0};
    std::stable_sort(Line.Parts.begin(), Line.Parts.end(),
                     [](auto &A, auto &B) { return A.second > B.second; });
    P.Lines.push_back(std::move(Line));
  }
  std::stable_sort(
      P.Lines.begin(), P.Lines.end(),
      [](const LineCost &A, const LineCost &B) { return A.Share > B.Share; });
}

} // namespace gpuestimate
