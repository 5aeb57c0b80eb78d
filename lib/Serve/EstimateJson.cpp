#include "EstimateJson.h"

#include "Service.h"
#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Numbers.h"

using namespace llvm;

namespace gpuestimate {

json::Value placeJson(const SourceLocation &Location) {
  if (!Location.isValid())
    return nullptr;
  return json::Object{{"file", Location.File},
                      {"line", int64_t(Location.Line)},
                      {"column", int64_t(Location.Column)}};
}

static json::Array sizesJson(const std::array<uint64_t, 3> &Sizes) {
  json::Array Numbers;
  for (uint64_t Size : Sizes)
    Numbers.push_back(int64_t(Size));
  return Numbers;
}

json::Object launchJson(const Launch &L) {
  return json::Object{{"grid", sizesJson(L.Grid)},
                      {"block", sizesJson(L.Block)},
                      {"dynamic_smem_bytes", int64_t(L.DynamicSharedBytes)},
                      {"source", L.Source}};
}

std::string whyDefer(const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  if (E.Curve)
    return whyNoTime(*E.Curve);
  if (!P.Interval)
    return "it is not known how sure the time is";
  if (P.Interval->ratio() <= DeferRatio)
    return "";
  std::string Text =
      "the interval is wider than a factor of " + formatNumber(DeferRatio);
  if (P.Assumptions.empty() || P.Assumptions.front().Share <= 0)
    return Text;
  const Assumption &First = P.Assumptions.front();
  return Text + ": it depends on " + First.What +
         (First.Settle.empty() ? "" : "; settle with " + First.Settle);
}

static json::Array curveJson(const SizeCurve &C) {
  json::Array Points;
  for (const SizeCurve::Point &P : C.Points)
    Points.push_back(json::Object{{"value", P.Value},
                                  {"time_ms", P.Time.value() * 1e3},
                                  {"bound", P.Bottleneck}});
  return Points;
}

json::Object estimateJson(const Analysis &A, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  json::Object Parts;
  for (const auto &[Component, Share] : P.Breakdown)
    Parts[Component] = Share;
  json::Array Assumed;
  for (const Assumption &Each : P.Assumptions)
    Assumed.push_back(json::Object{{"what", Each.What},
                                   {"value", Each.Value},
                                   {"interval_share", Each.Share},
                                   {"settle", Each.Settle}});
  json::Array Premises;
  for (const std::string &Text : P.Premises)
    Premises.push_back(Text);
  std::string Defer = whyDefer(E);
  json::Object Result{{"kernel", P.Name},
                      {"gpu", P.Gpu},
                      {"location", placeJson(P.Location)},
                      {"launch", launchJson(P.Used)},
                      {"time_ms", P.Time.value() * 1e3},
                      {"interval", nullptr},
                      {"bottleneck", P.Bottleneck},
                      {"breakdown", std::move(Parts)},
                      {"occupancy", P.Occ.Fraction},
                      {"registers", int64_t(P.RegistersPerThread)},
                      {"assumptions", std::move(Assumed)},
                      {"premises", std::move(Premises)},
                      {"defer", !Defer.empty()},
                      {"summary", bottomLine(A, E)}};
  if (E.Curve) {
    Result["time_ms"] = nullptr;
    Result["unknown"] = E.Curve->Unknown;
    Result["curve"] = curveJson(*E.Curve);
  } else if (std::optional<std::pair<double, double>> Range = intervalMs(P))
    Result["interval"] = json::Object{{"level", P.Interval->Level},
                                      {"low_ms", Range->first},
                                      {"high_ms", Range->second}};
  if (!Defer.empty())
    Result["defer_reason"] = std::move(Defer);
  return Result;
}

json::Array unresolvedJson(const Analysis &A) {
  json::Array Rows;
  for (const Unresolved &U : A.Unresolveds)
    Rows.push_back(json::Object{{"kernel", U.Name.empty() ? U.Kernel : U.Name},
                                {"location", placeJson(U.Location)},
                                {"reason", U.Reason}});
  return Rows;
}

json::Object analysisJson(const Analysis &A) {
  json::Array Estimates, Notices;
  for (const ExplainedPrediction &E : A.Estimates)
    Estimates.push_back(estimateJson(A, E));
  for (const Notice &N : A.Notices)
    Notices.push_back(
        json::Object{{"location", placeJson(N.Location)}, {"text", N.Text}});
  return json::Object{{"estimates", std::move(Estimates)},
                      {"without_estimate", unresolvedJson(A)},
                      {"notices", std::move(Notices)}};
}

} // namespace gpuestimate
