#include "gpu-estimate/Report/Records/SweepParts.h"

#include "PartFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral SweepSchema = "gpu-estimate-sweep/1";

/// The value as an object; an empty one where it is something else.
static const json::Object &objectOf(const json::Value &V) {
  static const json::Object None;
  const json::Object *Object = V.getAsObject();
  return Object ? *Object : None;
}

bool isSweepResult(StringRef File) { return hasSchema(File, SweepSchema); }

namespace {

/// What one part knows of one surface. A part of a million points is kept in
/// this form, not as JSON.
struct SurfacePart {
  Surface Head; ///< without points; with the bottlenecks of this part
  struct Point {
    size_t Place;
    SurfacePoint Value;
    std::vector<Seconds> Compared;
  };
  std::vector<Point> Points;
};

/// One file.
struct SweepPart {
  PartFile Part;
  SurfaceLimits Limits;
  std::vector<SurfacePart> Surfaces;
};

} // namespace

static Expected<SurfaceAxis> axisOf(const json::Object &O) {
  SurfaceAxis Axis;
  Axis.Name = textOf(O, "name");
  Axis.Column = textOf(O, "column");
  Axis.Unit = textOf(O, "unit");
  Axis.Labels = textsOf(O, "labels");
  if (const json::Array *Numbers = O.getArray("numbers"))
    for (const json::Value &V : *Numbers)
      Axis.Numbers.push_back(V.getAsNumber().value_or(0));
  if (Axis.Labels.empty() ||
      (!Axis.Numbers.empty() && Axis.Numbers.size() != Axis.Labels.size()))
    return createStringError("an axis has no values");
  return Axis;
}

/// Everything but the points.
static Expected<Surface> headOf(const json::Object &O) {
  Surface S;
  S.Kernel = textOf(O, "kernel");
  S.Name = textOf(O, "name");
  S.Location = placeOf(textOf(O, "location"));
  S.Gpu = textOf(O, "gpu");
  S.GpuName = textOf(O, "gpu_name");
  S.Model = textOf(O, "model");
  S.Predictor = textOf(O, "scaling");
  S.PredictorReason = textOf(O, "scaling_reason");
  S.Launches = size_t(O.getInteger("launches").value_or(1));
  S.PricePerHour = O.getNumber("price_per_hour");
  S.Notes = textsOf(O, "extrapolated");
  S.WhatIf = textsOf(O, "what_if");
  S.AsIs.Premises = textsOf(O, "premises");
  S.AsIs.Assumptions = assumptionsOf(O);
  if (const json::Object *AsIs = O.getObject("as_is")) {
    S.AsIs.Time = Seconds(AsIs->getNumber("time_ms").value_or(0) * 1e-3);
    S.AsIs.Bottleneck = textOf(*AsIs, "bottleneck");
    S.AsIs.IntervalMs = intervalOf(*AsIs);
    if (const json::Object *Interval = AsIs->getObject("interval"))
      S.Level = Interval->getNumber("level").value_or(DefaultIntervalLevel);
  }
  for (std::string &Predictor : textsOf(O, "compared"))
    S.Compared.push_back({std::move(Predictor), {}});
  static const json::Array None;
  auto All = [&](StringRef Key) -> const json::Array & {
    const json::Array *Found = O.getArray(Key);
    return Found ? *Found : None;
  };
  for (const json::Value &V : All("axes")) {
    Expected<SurfaceAxis> Axis = axisOf(objectOf(V));
    if (!Axis)
      return Axis.takeError();
    S.Axes.push_back(std::move(*Axis));
  }
  for (const json::Value &V : All("refused"))
    if (const json::Object *R = V.getAsObject())
      S.Refused.push_back(
          {textOf(*R, "reason"), size_t(R->getInteger("points").value_or(0))});
  return S;
}

static size_t sizeOf(const Surface &S) {
  size_t Points = 1;
  for (const SurfaceAxis &Axis : S.Axes)
    Points *= Axis.size();
  return Points;
}

/// The place of a name in a list that grows.
static unsigned numberOf(std::vector<std::string> &Names,
                         const std::string &Name) {
  auto Found = find(Names, Name);
  if (Found == Names.end())
    Found = Names.insert(Found, Name);
  return unsigned(Found - Names.begin());
}

static Expected<SurfacePart::Point> pointOf(const json::Object &O, Surface &S,
                                            size_t Points) {
  auto Place = O.getInteger("point");
  const json::Array *Times = O.getArray("seconds");
  if (!Place || *Place < 0 || size_t(*Place) >= Points)
    return createStringError("a point has no number: is it a result of sweep "
                             "--shard?");
  if (!Times || Times->size() != 1 + S.Compared.size() ||
      !(Times->front().getAsNumber().value_or(0) > 0))
    return createStringError("a point has no seconds");
  SurfacePart::Point P{size_t(*Place), {}, {}};
  for (const json::Value &V : *Times)
    P.Compared.push_back(Seconds(V.getAsNumber().value_or(0)));
  P.Value.Time = P.Compared.front();
  P.Compared.erase(P.Compared.begin());
  if (auto Watts = O.getNumber("power_w"))
    P.Value.Watts = *Watts;
  P.Value.Bottleneck = numberOf(S.Bottlenecks, textOf(O, "bottleneck"));
  return P;
}

static Expected<SurfacePart> surfacePart(const json::Object &O) {
  Expected<Surface> Head = headOf(O);
  if (!Head)
    return Head.takeError();
  SurfacePart Part{std::move(*Head), {}};
  size_t Points = sizeOf(Part.Head);
  if (const json::Array *All = O.getArray("points"))
    for (const json::Value &V : *All) {
      Expected<SurfacePart::Point> P = pointOf(objectOf(V), Part.Head, Points);
      if (!P)
        return P.takeError();
      Part.Points.push_back(std::move(*P));
    }
  return Part;
}

static Expected<SweepPart> readPart(StringRef File) {
  Expected<json::Object> Result = readResult(File, SweepSchema, "sweep");
  if (!Result)
    return Result.takeError();
  SweepPart Read{PartFile(File, *Result), {}, {}};
  if (const json::Object *Limits = Result->getObject("limits")) {
    Read.Limits.PowerCapWatts = Limits->getNumber("power_w");
    Read.Limits.EnergyBudgetJoules = Limits->getNumber("energy_j");
    if (auto Time = Limits->getNumber("time_s"))
      Read.Limits.TimeLimit = Seconds(*Time);
  }
  if (const json::Array *All = Result->getArray("surfaces"))
    for (const json::Value &V : *All) {
      Expected<SurfacePart> S = surfacePart(objectOf(V));
      if (!S)
        return createStringError(File + ": " + toString(S.takeError()));
      Read.Surfaces.push_back(std::move(*S));
    }
  return Read;
}

static bool hasSameAxes(const Surface &A, const Surface &B) {
  return std::equal(A.Axes.begin(), A.Axes.end(), B.Axes.begin(), B.Axes.end(),
                    [](const SurfaceAxis &X, const SurfaceAxis &Y) {
                      return X.Name == Y.Name && X.Labels == Y.Labels;
                    });
}

/// Adds the points of a part, and what it alone knows.
static void add(Surface &Into, const SurfacePart &Part) {
  for (const SurfacePart::Point &P : Part.Points) {
    SurfacePoint &Point = Into.Points[P.Place] = P.Value;
    Point.Bottleneck =
        numberOf(Into.Bottlenecks, Part.Head.Bottlenecks[P.Value.Bottleneck]);
    for (auto [Column, Time] : zip(Into.Compared, P.Compared))
      Column.second[P.Place] = Time;
  }
  for (const auto &[Reason, Count] : Part.Head.Refused) {
    auto Same = find_if(Into.Refused, [&, &Reason = Reason](const auto &Known) {
      return Known.first == Reason;
    });
    if (Same == Into.Refused.end())
      Into.Refused.push_back({Reason, Count});
    else
      Same->second += Count;
  }
  for (const std::string &Note : Part.Head.Notes)
    if (!is_contained(Into.Notes, Note))
      Into.Notes.push_back(Note);
}

Expected<MergedSweep> mergeSweeps(ArrayRef<std::string> Files) {
  std::vector<SweepPart> Read;
  for (const std::string &File : Files) {
    Expected<SweepPart> Part = readPart(File);
    if (!Part)
      return Part.takeError();
    Read.push_back(std::move(*Part));
  }
  stable_sort(Read, [](const SweepPart &A, const SweepPart &B) {
    return A.Part.Index < B.Part.Index;
  });
  std::vector<PartFile> Parts;
  for (const SweepPart &R : Read)
    Parts.push_back(R.Part);
  if (Error E = checkParts(Parts))
    return std::move(E);
  MergedSweep Merged{{}, Read.front().Limits};
  for (const SweepPart &R : Read)
    for (const SurfacePart &Part : R.Surfaces) {
      const Surface &Head = Part.Head;
      auto Known = find_if(Merged.Surfaces, [&](const Surface &S) {
        return S.Kernel == Head.Kernel && S.Gpu == Head.Gpu;
      });
      if (Known == Merged.Surfaces.end()) {
        Surface New = Head;
        New.Points.resize(sizeOf(New));
        for (auto &[Predictor, Times] : New.Compared)
          Times.assign(New.Points.size(), SurfacePoint().Time);
        New.Bottlenecks.clear();
        New.Refused.clear();
        Known = Merged.Surfaces.insert(Known, std::move(New));
      } else if (!hasSameAxes(*Known, Head)) {
        return createStringError(R.Part.File + ": other axes than in " +
                                 Read.front().Part.File);
      }
      add(*Known, Part);
    }
  return Merged;
}

} // namespace gpuestimate
