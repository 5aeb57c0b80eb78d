/// \file
/// Cycles of the machine code's loops, each with the iterations of its source
/// loop.
#include "gpu-estimate/Targets/Cpu/CpuTime.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

namespace gpuestimate {

namespace {

using Place = std::pair<unsigned, unsigned>;

Place placeOf(const SourceLocation &L) { return {L.Line, L.Column}; }

class LoopMatcher {
public:
  LoopMatcher(const LoopNestNumbers &Nest, const MachineNest &Code,
              std::vector<std::string> &Premises)
      : Nest(Nest), Code(Code), Premises(Premises) {
    chooseMain();
  }

  double cycles() {
    double Sum = 0;
    for (size_t I = 0; I < Code.Loops.size(); ++I)
      if (isMain(static_cast<int>(I)))
        Sum += cyclesOf(static_cast<int>(I));
    return Sum;
  }

private:
  bool isMain(int Index) const {
    return Main.at(placeOf(Code.Loops[Index].Location)) == Index;
  }

  /// Selects the main one of several machine loops of one source loop
  /// (versions, remainders), which runs most iterations: first for innermost
  /// loops, then for their parents.
  void chooseMain() {
    for (int I = static_cast<int>(Code.Loops.size()) - 1; I >= 0; --I) {
      bool HasInner = llvm::any_of(
          Code.Loops, [&](const MachineLoop &L) { return L.Parent == I; });
      if (!HasInner)
        offer(I);
    }
    for (const auto &[Source, Index] : std::map<Place, int>(Main))
      for (int Outer = Code.Loops[Index].Parent; Outer >= 0;
           Outer = Code.Loops[Outer].Parent)
        Main.try_emplace(placeOf(Code.Loops[Outer].Location), Outer);
    for (int I = static_cast<int>(Code.Loops.size()) - 1; I >= 0; --I)
      Main.try_emplace(placeOf(Code.Loops[I].Location), I);
  }

  void offer(int Index) {
    const MachineLoop &L = Code.Loops[Index];
    auto [It, New] = Main.try_emplace(placeOf(L.Location), Index);
    const MachineLoop &Best = Code.Loops[It->second];
    auto Rank = [](const MachineLoop &X) {
      return std::tuple(!X.Remainder, X.Vector, X.Covers);
    };
    if (!New && Rank(L) > Rank(Best))
      It->second = Index;
  }

  /// Entries and iterations of the source loop.
  std::pair<double, double> iterationsOf(int Index) {
    const MachineLoop &L = Code.Loops[Index];
    double Entries = 0, Total = 0;
    for (const NestedLoop &N : Nest.Loops)
      if (placeOf(N.Location) == placeOf(L.Location)) {
        // Threads with several iterations each (a reduction) are two loops for
        // one source loop, which is entered as often as the first of them.
        bool Second = llvm::any_of(Nest.Loops, [&](const NestedLoop &Other) {
          return Other.Spread && !N.Spread &&
                 placeOf(Other.Location) == placeOf(N.Location);
        });
        Entries += Second ? 0 : N.Entries;
        Total = (Second ? 0 : Total) + N.Entries * N.Extent;
      }
    if (Entries > 0)
      return {Entries, Total / Entries};
    // The device compiler has unrolled the loop, or it has one iteration.
    double Around = 1;
    if (L.Parent >= 0) {
      auto [Outer, Trips] = iterationsOf(L.Parent);
      Around = Outer * Trips;
    }
    bool Single = Nest.Loops.empty() || L.Parent < 0;
    if (L.ConstantTrips == 0 && !Single)
      Premises.push_back("the loop at " + L.Location.brief() +
                         " runs once: the kernel's model lacks it");
    return {Around, std::max(1.0, L.ConstantTrips)};
  }

  double cyclesOf(int Index) {
    const MachineLoop &L = Code.Loops[Index];
    auto [Entries, Trips] = iterationsOf(Index);
    double Own = L.PerIteration.value();
    double Whole = L.Covers > 1 ? std::floor(Trips / L.Covers) : Trips;
    double Leftover = Trips - Whole * (L.Covers > 1 ? L.Covers : 1);
    double Scalar = Own / L.Covers;
    for (const MachineLoop &Other : Code.Loops)
      if (placeOf(Other.Location) == placeOf(L.Location) && Other.Covers == 1 &&
          Other.Parent == L.Parent && &Other != &L)
        Scalar = Other.PerIteration.value();
    return Entries *
           (ofEntry(L, Whole) + Leftover * Scalar + Trips * missed(L));
  }

  /// Misprediction cycles of one iteration: the core predicts the more frequent
  /// side of a data-dependent jump.
  double missed(const MachineLoop &L) {
    double Sum = 0;
    for (const SourceLocation &Branch : L.DataBranches) {
      auto Match = llvm::find_if(Nest.Chances, [&](const NestedChance &C) {
        return C.Location.Line == Branch.Line;
      });
      if (Match != Nest.Chances.end())
        Sum += std::min(Match->Chance, 1 - Match->Chance);
      else // a GPU needs no jump for it
        Premises.push_back("the data-dependent jump at " + Branch.brief() +
                           " is assumed to be predicted");
    }
    return Sum * Code.Mispredicted.value();
  }

  /// Cycles of consecutive iterations of L beyond those of its parent's own
  /// instructions.
  double ofEntry(const MachineLoop &L, double Iterations) const {
    double Own = L.PerIteration.value();
    if (L.WithParent.empty() || Iterations < 1)
      return Iterations * Own;
    double Outer = Code.Loops[L.Parent].PerIteration.value();
    size_t Step = std::min<size_t>(static_cast<size_t>(std::log2(Iterations)),
                                   L.WithParent.size() - 1);
    double Simulated = std::exp2(double(Step)),
           Cycles = L.WithParent[Step].value();
    double Slope = Step + 1 < L.WithParent.size()
                       ? (L.WithParent[Step + 1].value() - Cycles) / Simulated
                       : Own;
    return std::max(0.0, Cycles + (Iterations - Simulated) * Slope - Outer);
  }

  const LoopNestNumbers &Nest;
  const MachineNest &Code;
  std::vector<std::string> &Premises;
  std::map<Place, int> Main;
};

} // namespace

Cycles coreCycles(const LoopNestNumbers &Nest, const MachineNest &Code,
                  std::vector<std::string> &Premises) {
  return Cycles(LoopMatcher(Nest, Code, Premises).cycles());
}

} // namespace gpuestimate
