/// \file
/// Expected values instead of samples.
#include "DrawnSectors.h"
#include "NumberSet.h"
#include "gpu-estimate/Evaluate/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

llvm::SmallVector<SectorClass, 3> sectorsOfPlaces(double Offset, double Unit,
                                                  double Range, double Width,
                                                  double Sector) {
  // Each place has sectors of its own.
  double Touched = std::ceil((Offset + Width) / Sector);
  if (std::fmod(Unit, Sector) == 0 && Touched * Sector <= Unit)
    return {{Range * Touched, 1}};
  // Or each sector has places of its own.
  if (std::fmod(Sector, Unit) != 0 || std::fmod(Offset, Unit) != 0 ||
      Width > Unit)
    return {};
  double Each = Sector / Unit;
  double First = std::min(Range, (Sector - Offset) / Unit);
  double Whole = std::floor((Range - First) / Each);
  return {{1, First}, {Whole, Each}, {1, Range - First - Whole * Each}};
}

DrawnSectors::DrawnSectors(BoundKernel &Bound, const GpuModel &Gpu)
    : Bound(Bound) {
  const KernelModel &Kernel = Bound.kernel();
  for (unsigned A = 0; A < Kernel.Accesses.size(); ++A) {
    MemorySpace Space = Kernel.Accesses[A].Space;
    bool HasSectors =
        Space != MemorySpace::Shared && Space != MemorySpace::Local;
    Places.push_back(HasSectors ? Bound.drawnPlace(A) : std::nullopt);
    Sector.push_back(sectorBytes(Kernel.Accesses[A], Gpu));
  }
  Classes.resize(Kernel.Accesses.size());
}

/// Chances that at least one lane takes part, for lanes that share their value
/// because they load it from one place.
static llvm::SmallVector<double, MaxLanes>
chancesOfDraws(bool LaneVarying, llvm::ArrayRef<double> From,
               llvm::ArrayRef<double> Chance) {
  llvm::SmallVector<std::pair<double, double>, MaxLanes> Known;
  llvm::SmallVector<double, MaxLanes> Out;
  for (unsigned L = 0; L < Chance.size(); ++L) {
    if (Chance[L] <= 0)
      continue;
    if (std::isnan(From[L]) && LaneVarying)
      Out.push_back(Chance[L]);
    else
      Known.push_back({std::isnan(From[L]) ? 0 : From[L], Chance[L]});
  }
  if (!llvm::is_sorted(Known))
    llvm::sort(Known);
  for (size_t I = 0; I < Known.size();) {
    double Place = Known[I].first, None = 1;
    for (; I < Known.size() && Known[I].first == Place; ++I)
      None *= 1 - Known[I].second;
    Out.push_back(1 - None);
  }
  return Out;
}

/// The same for lanes that take part certainly: as many ones.
static size_t numberOfDraws(bool LaneVarying, llvm::ArrayRef<double> From,
                            llvm::ArrayRef<double> Chance) {
  NumberSet Known;
  size_t Unknown = 0;
  for (unsigned L = 0; L < Chance.size(); ++L) {
    if (Chance[L] <= 0)
      continue;
    if (std::isnan(From[L]) && LaneVarying)
      ++Unknown;
    else // -0 is 0
      Known.insert(
          llvm::bit_cast<int64_t>(std::isnan(From[L]) ? 0.0 : From[L] + 0.0));
  }
  return Unknown + Known.size();
}

/// Expected sectors, of which Classes there are, for draws of these chances.
static double expectedOf(llvm::ArrayRef<SectorClass> Classes, double Range,
                         llvm::ArrayRef<double> Draws) {
  double Sum = 0;
  for (auto [Number, Equal] : Classes) {
    double None = 0; // logarithm of the probability that no lane comes
    double Chance = NAN, Logarithm = 0; // of the last draw
    for (double P : Draws) {
      if (P != Chance)
        Logarithm = std::log1p(-P * Equal / Range);
      Chance = P;
      None += Logarithm;
    }
    Sum += Number > 0 ? -Number * std::expm1(None) : 0;
  }
  return Sum;
}

std::optional<double> DrawnSectors::expected(unsigned Access,
                                             llvm::ArrayRef<double> Addresses,
                                             llvm::ArrayRef<double> Chance) {
  const std::optional<DrawnPlace> &Place = Places[Access];
  if (!Place)
    return std::nullopt;
  const DrawnValue &V = Bound.drawn()[Place->Value];
  auto Some = llvm::find_if(Chance, [](double P) { return P > 0; });
  if (Some == Chance.end())
    return std::nullopt;
  unsigned Lane = Some - Chance.begin();
  double Base =
      Addresses[Lane] - Place->Unit * Bound.drawnValues(Place->Value)[Lane];
  double Size = Sector[Access];
  double Offset = Base - std::floor(Base / Size) * Size;
  KnownClasses &Known = Classes[Access];
  if (Known.Offset != Offset) {
    double Width = std::max(1u, Bound.kernel().Accesses[Access].BytesPerThread);
    Known = {
        Offset, sectorsOfPlaces(Offset, Place->Unit, V.Range, Width, Size), {}};
  }
  if (Known.Classes.empty())
    return std::nullopt;
  llvm::ArrayRef<double> From = Bound.drawnFrom(Place->Value);
  if (llvm::any_of(Chance, [](double P) { return P > 0 && P < 1; }))
    return expectedOf(Known.Classes, V.Range,
                      chancesOfDraws(V.LaneVarying, From, Chance));
  size_t Draws = numberOfDraws(V.LaneVarying, From, Chance);
  if (Known.OfDraws.size() <= Draws)
    Known.OfDraws.resize(Draws + 1, NAN);
  double &Sum = Known.OfDraws[Draws];
  if (std::isnan(Sum))
    Sum = expectedOf(Known.Classes, V.Range,
                     llvm::SmallVector<double, MaxLanes>(Draws, 1.0));
  return Sum;
}

} // namespace gpuestimate
