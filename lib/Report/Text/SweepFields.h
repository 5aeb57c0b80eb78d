/// \file
/// The fields of a surface, and words that text and page share.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_SWEEPFIELDS_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_SWEEPFIELDS_H

#include "ResultFields.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "gpu-estimate/Support/Format.h"

namespace gpuestimate {

/// "212 W", "87 mJ"; "-" where it is not known.
std::string formatPower(double Watts);
std::string formatEnergy(double Joules);

/// One point: a field for each axis, then time, power, energy and bound.
/// ShowPower: has the surface energies?
template <class Io>
void pointFields(Io &F, const Surface &S, size_t Point, bool ShowPower = true) {
  const SurfacePoint &P = S.Points[Point];
  for (auto [Axis, Index] : llvm::zip_equal(S.Axes, S.indices(Point)))
    F.labelled(llvm::Twine(Axis.Name) + (Axis.Unit.empty() ? "" : " ") +
                   Axis.Unit,
               Axis.Column, Axis.Labels[Index],
               Axis.Numbers.empty() ? std::nullopt
                                    : std::optional(Axis.Numbers[Index]));
  F("time", "time_ms", P.Time);
  auto Compared = [&] {
    for (const auto &[Predictor, Times] : S.Compared) {
      Seconds Time = Times[Point];
      F.stored(llvm::Twine(Predictor) + "_ms", Time);
      F.shown(Predictor, [&] {
        return Cell(P.hasTime() ? formatTime(Time) : "-", Time.value());
      });
    }
  };
  if (!Io::IsCsv) // CSV has them last
    Compared();
  if (ShowPower) {
    F.shown("power", [&] { return Cell(formatPower(P.Watts), P.Watts); });
    F.shown("energy",
            [&] { return Cell(formatEnergy(P.joules()), P.joules()); });
  }
  F.stored("power_w", P.Watts);
  F.stored("energy_j", P.joules());
  F("bound", "bottleneck",
    llvm::StringRef(P.hasTime() ? S.Bottlenecks[P.Bottleneck].c_str()
                                : "cannot run"));
  F.computed("cost", [&] { return S.cost(Point); });
  if (Io::IsCsv)
    Compared();
}

template <class Io, class Axis> void axisFields(Io &F, Axis &A) {
  F.stored("name", A.Name);
  F.stored("column", A.Column);
  F.stored("unit", A.Unit);
  F.stored("labels", A.Labels);
  if (Io::IsReader || !A.Numbers.empty())
    F.stored("numbers", A.Numbers);
}

/// The head of a surface, without its points and what is said of them.
template <class Io, class AnySurface> void surfaceFields(Io &F, AnySurface &S) {
  subjectFields(F, S);
  F.stored("scaling", S.Predictor);
  F.stored("scaling_reason", S.PredictorReason);
  F.stored("launches", S.Launches);
  F.records("axes", S.Axes,
            [](auto &Inner, auto &Axis) { axisFields(Inner, Axis); });
  std::vector<std::string> Compared;
  for (const auto &[Predictor, Times] : S.Compared)
    Compared.push_back(Predictor);
  if (Io::IsReader || !Compared.empty())
    F.stored("compared", Compared);
  if constexpr (Io::IsReader)
    for (const std::string &Predictor : Compared)
      S.Compared.push_back({Predictor, {}});
  F.json("price_per_hour", S.PricePerHour);
}

template <class Io, class AnySurface, class Other>
void otherBestFields(Io &F, AnySurface &S, llvm::StringRef Key, Other &Best) {
  if (!Io::IsReader && !Best)
    return;
  F.object(Key, [&](auto &Inner) {
    if constexpr (Io::IsReader)
      Best.emplace();
    auto Fields = [&](llvm::StringRef Name, llvm::StringRef Unit, auto &Point) {
      if constexpr (Io::IsReader)
        Point.emplace();
      else if (!Point)
        return;
      Inner.computed(Name, [&] { return S.describe(Point->Point); });
      Inner.stored(Name + "_point", Point->Point);
      Inner.stored(Name + Unit, Point->Value);
    };
    Fields("fastest", "_s", Best->Fastest);
    Fields("least_energy", "_j", Best->LeastEnergy);
    if constexpr (Io::IsReader)
      for (auto *Point : {&Best->Fastest, &Best->LeastEnergy})
        if (!((*Point)->Value > 0))
          Point->reset();
  });
}

/// Extrapolations, premises, assumptions, and the launch as it is.
template <class Io, class AnySurface>
void surfaceRemarkFields(Io &F, AnySurface &S) {
  F.stored("extrapolated", S.Notes);
  if (Io::IsReader || !S.Grids.empty())
    F.stored("grids", S.Grids);
  F.stored("what_if", S.WhatIf);
  F.stored("premises", S.AsIs.Premises);
  assumptionFields(F, S.AsIs.Assumptions);
  openSizeFields(F, S.Unknown);
  otherBestFields(F, S, "at_least", S.AtLeast);
  otherBestFields(F, S, "at_largest", S.AtLargest);
  if (Io::IsReader || !S.AsIs.Bottleneck.empty())
    F.object("as_is", [&](auto &AsIs) {
      AsIs.stored("time_ms", S.AsIs.Time);
      AsIs.stored("bottleneck", S.AsIs.Bottleneck);
      AsIs.interval(S.Level, S.AsIs.IntervalMs);
    });
}

template <class Io, class Limits> void limitFields(Io &F, Limits &L) {
  F.json("power_w", L.PowerCapWatts);
  F.json("energy_j", L.EnergyBudgetJoules);
  std::optional<double> Longest;
  if (L.TimeLimit)
    Longest = L.TimeLimit->value();
  F.json("time_s", Longest);
  if constexpr (Io::IsReader)
    if (Longest)
      L.TimeLimit = Seconds(*Longest);
}

/// "'saxpy' (a.cu:3) on NVIDIA A100: 448 points"
std::string sweepTitle(const Surface &S);
/// The columns of one point for people.
CellList sweepCells(const Surface &S, size_t Point);
/// Everything that is worth a sentence: extrapolations, assumptions, points
/// that cannot run.
std::vector<std::string> sweepRemarks(const Surface &S);

} // namespace gpuestimate

#endif
