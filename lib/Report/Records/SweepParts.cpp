#include "PartFiles.h"
#include "Report/Text/SweepFields.h"
#include "gpu-estimate/Report/Records/SpaceParts.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral SweepSchema = "gpu-estimate-sweep/1";

bool isSweepResult(StringRef File) { return hasSchema(File, SweepSchema); }

/// Everything but the points. Errors: an axis without values.
static Expected<Surface> headOf(const json::Object &O) {
  Surface S;
  JsonReader F(O);
  surfaceFields(F, S);
  surfaceRemarkFields(F, S);
  F.refusals("points", S.Refused);
  for (const SurfaceAxis &Axis : S.Axes)
    if (Axis.Labels.empty() ||
        (!Axis.Numbers.empty() && Axis.Numbers.size() != Axis.Labels.size()))
      return createStringError("an axis has no values");
  return S;
}

/// Sets one point of S.
static Error readPoint(const json::Object &O, Surface &S) {
  auto Place = O.getInteger("point");
  const json::Array *Times = O.getArray("seconds");
  if (!Place || *Place < 0 || size_t(*Place) >= S.Points.size())
    return createStringError("a point has no number: is it a result of sweep "
                             "--shard?");
  if (!Times || Times->size() != 1 + S.Compared.size() ||
      !(Times->front().getAsNumber().value_or(0) > 0))
    return createStringError("a point has no seconds");
  auto TimeOf = [](const json::Value &V) {
    return Seconds(V.getAsNumber().value_or(0));
  };
  SurfacePoint &P = S.Points[*Place];
  P.Time = TimeOf(Times->front());
  for (auto [Column, Time] : zip(S.Compared, drop_begin(*Times)))
    Column.second[*Place] = TimeOf(Time);
  JsonReader F(O);
  F.stored("power_w", P.Watts);
  F.named("", "bottleneck", S.Bottlenecks, P.Bottleneck);
  return Error::success();
}

static bool hasSameAxes(const Surface &A, const Surface &B) {
  return std::equal(A.Axes.begin(), A.Axes.end(), B.Axes.begin(), B.Axes.end(),
                    [](const SurfaceAxis &X, const SurfaceAxis &Y) {
                      return X.Name == Y.Name && X.Labels == Y.Labels;
                    });
}

/// The surface of Head among All, without points where it is new.
static Expected<Surface *> surfaceOf(std::vector<Surface> &All, Surface Head) {
  for (Surface &S : All)
    if (S.Kernel == Head.Kernel && S.Gpu == Head.Gpu) {
      if (!hasSameAxes(S, Head))
        return createStringError("other axes than in another part");
      for (const auto &[Reason, Count] : Head.Refused)
        addRefusal(S.Refused, Reason, Count, SameReason::Equal);
      for (std::string &Note : Head.Notes)
        if (!is_contained(S.Notes, Note))
          S.Notes.push_back(std::move(Note));
      if (S.AtLeast && Head.AtLeast)
        S.AtLeast->take(*Head.AtLeast);
      if (S.AtLargest && Head.AtLargest)
        S.AtLargest->take(*Head.AtLargest);
      return &S;
    }
  size_t Points = 1;
  for (const SurfaceAxis &Axis : Head.Axes)
    Points *= Axis.size();
  Head.Points.resize(Points);
  for (auto &[Predictor, Times] : Head.Compared)
    Times.assign(Points, SurfacePoint().Time);
  return &All.emplace_back(std::move(Head));
}

Expected<MergedSweep> mergeSweeps(ArrayRef<std::string> Files) {
  MergedSweep Merged;
  auto Add = [&](const json::Object &From, const json::Object &File) -> Error {
    if (const json::Object *Limits = File.getObject("limits")) {
      JsonReader F(*Limits);
      limitFields(F, Merged.Limits);
    }
    Expected<Surface> Head = headOf(From);
    if (!Head)
      return Head.takeError();
    Expected<Surface *> S = surfaceOf(Merged.Surfaces, std::move(*Head));
    if (!S)
      return S.takeError();
    if (const json::Array *Points = From.getArray("points"))
      for (const json::Value &V : *Points) {
        static const json::Object None;
        const json::Object *O = V.getAsObject();
        if (Error E = readPoint(O ? *O : None, **S))
          return E;
      }
    return Error::success();
  };
  if (Error E = readParts(Files, SweepSchema, "sweep", "surfaces", Add))
    return std::move(E);
  for (const Surface &S : Merged.Surfaces)
    atBorder("merged surface of '" + S.Name + "'",
             [&] { return checkSurface(S, /*All=*/true); });
  return Merged;
}

} // namespace gpuestimate
