#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"

#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Model/Result/Term.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DJB.h"
#include <cassert>

using namespace llvm;

namespace gpuestimate {

StringRef name(ErrorPart Part) {
  static constexpr StringLiteral Names[NumErrorParts] = {
      "memory",  "l2",       "l1",     "compute",
      "latency", "dispatch", "launch", "atomics"};
  return Names[unsigned(Part)];
}

static ErrorPart partOf(Term Component) {
  switch (Component) {
  case Term::Dram:
  case Term::DramQueue:
  case Term::Ecc:
  case Term::L3:
  case Term::Link:
  case Term::Migration:
    return ErrorPart::Memory;
  case Term::L2:
    return ErrorPart::L2;
  case Term::L1:
  case Term::Shared:
  case Term::Uncoalesced:
  case Term::Outstanding:
  case Term::LoadStore:
    return ErrorPart::L1;
  case Term::Issue:
  case Term::Pipes:
  case Term::Registers:
    return ErrorPart::Compute;
  case Term::Dependency:
  case Term::Barrier:
  case Term::Wait:
    return ErrorPart::Latency;
  case Term::Dispatch:
  case Term::Tail:
    return ErrorPart::Dispatch;
  case Term::Cold:
  case Term::Launch:
    return ErrorPart::Launch;
  case Term::Atomics:
    return ErrorPart::Atomics;
  }
  llvm_unreachable("every term is a part");
}

ErrorShares errorShares(const TimeBreakdown &Breakdown) {
  ErrorShares Shares{};
  double Sum = 0;
  for (const auto &[Name, Fraction] : Breakdown)
    if (std::optional<Term> Component = termFromName(Name)) {
      Shares[unsigned(partOf(*Component))] += Fraction;
      Sum += Fraction;
    }
  for (double &Share : Shares)
    Share = Sum > 0 ? Share / Sum : 1.0 / NumErrorParts;
  return Shares;
}

ErrorPart boundPart(StringRef Bottleneck) {
  const BoundInfo *Throughput = find_if(
      boundTable(), [&](const BoundInfo &B) { return B.name() == Bottleneck; });
  if (Throughput != boundTable().end())
    return partOf(Throughput->SwitchedOffBy);
  return partOf(termFromName(Bottleneck).value_or(Term::Dependency));
}

static constexpr ErrorTable Tables[] = {
#include "ErrorTable.inc"
};

const ErrorTable &errorTable(StringRef Without) {
  const ErrorTable *Found = find_if(
      Tables, [&](const ErrorTable &T) { return T.Without == Without; });
  return Found == std::end(Tables) ? Tables[0] : *Found;
}

std::string programOf(StringRef Dataset, StringRef Kernel) {
  return isOfWholeProgram(Kernel) ? Kernel.split('/').first.str()
                                  : (Dataset + ":" + Kernel).str();
}

std::string heldOutGroup(StringRef Dataset, StringRef Kernel) {
  if (!isOfWholeProgram(Kernel))
    return Dataset.str();
  return "programs " +
         std::to_string(djbHash(programOf(Dataset, Kernel)) % HeldOutParts);
}

double errorSpread(const ErrorTable &Table, const ErrorShares &Shares,
                   bool IsAmd) {
  double Spread = 0;
  for (auto [Share, OfPart] : zip_equal(Shares, Table.Spread))
    Spread += Share * OfPart;
  return Spread * (IsAmd ? Table.Amd : 1);
}

static unsigned levelIndex(double Level) {
  const auto Levels = intervalLevels();
  const double *At = find(Levels, Level);
  assert(At != Levels.end() && "a level of the table");
  return unsigned(At - Levels.begin());
}

TimeError modelError(const ErrorTable &Table, const ErrorShares &Shares,
                     ErrorPart Bound, bool IsAmd, double Level) {
  unsigned Index = levelIndex(Level);
  const auto &[Low, High] = Table.Quantiles[Index];
  double Spread = errorSpread(Table, Shares, IsAmd);
  double OfBound = Table.OfBound[unsigned(Bound)] * Spread;
  return {{std::exp(Low * OfBound), std::exp(High * OfBound)},
          std::exp(Table.RatioQuantiles[Index] * Spread),
          transferFactor(Table, Spread, Level)};
}

double transferFactor(const ErrorTable &Table, double Spread, double Level) {
  return std::exp(Table.TransferQuantiles[levelIndex(Level)] * Spread);
}

TimeFactors whereAssumed(const ErrorTable &Table, ErrorPart Bound, double Level,
                         const TimeFactors &Factors) {
  const auto &[Low, High] = Table.Assumed[levelIndex(Level)];
  double OfBound = Table.AssumedOfBound[unsigned(Bound)];
  return {std::pow(Factors.Low, Low * OfBound),
          std::pow(Factors.High, High * OfBound)};
}

TimeFactors atLevel(const TimeFactors &Factors, double Level) {
  // Quantiles of the normal distribution at (1 + level) / 2, by that of 0.8.
  static constexpr double Scales[NumIntervalLevels] = {0.5263, 1, 1.2835,
                                                       1.5294};
  double Scale = Scales[levelIndex(Level)];
  return {std::pow(Factors.Low, Scale), std::pow(Factors.High, Scale)};
}

} // namespace gpuestimate
