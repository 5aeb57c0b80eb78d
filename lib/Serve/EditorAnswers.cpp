#include "EditorAnswers.h"

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

static json::Object rangeOf(const AnalysedDocument &D, const SourceLocation &At,
                            PositionUnit Unit) {
  return D.Source.rangeAt(At.Line, At.Column, Unit);
}

/// Severities of the protocol.
static int severityOf(DiagnosticSeverity Severity) {
  switch (Severity) {
  case DiagnosticSeverity::Error:
    return 1;
  case DiagnosticSeverity::Warning:
    return 2;
  case DiagnosticSeverity::Remark:
    return 3;
  }
  llvm_unreachable("all severities have a number");
}

json::Array editorDiagnostics(const AnalysedDocument &D, PositionUnit Unit) {
  json::Array All;
  for (const Diagnostic &Found : diagnose(D.result(), D.Silenced)) {
    // What is about no place, or another file, stands at the first line.
    SourceLocation Top;
    Top.Line = Top.Column = 1;
    json::Array Related;
    std::string Text = Found.Text;
    for (const DiagnosticNote &Note : Found.Notes) {
      if (!D.has(Note.Location)) {
        Text += "\n" + Note.Text;
        continue;
      }
      Related.push_back(json::Object{
          {"location",
           json::Object{{"uri", uriOfPath(D.Source.Path)},
                        {"range", rangeOf(D, Note.Location, Unit)}}},
          {"message", Note.Text}});
    }
    if (!D.has(Found.Location) && Found.Location.isValid())
      Text = Found.Location.brief() + ": " + Text;
    json::Object Item{
        {"range",
         rangeOf(D, D.has(Found.Location) ? Found.Location : Top, Unit)},
        {"severity", severityOf(Found.Severity)},
        {"source", "gpu-estimate"},
        {"code", "gpu-estimate-" + info(Found.Group).Name.str()},
        {"message", std::move(Text)}};
    if (!Related.empty())
      Item["relatedInformation"] = std::move(Related);
    All.push_back(std::move(Item));
  }
  return All;
}

/// Estimates by the line of the document at which a user looks for them: of the
/// kernel, and of the launch.
static std::map<unsigned, std::vector<const ExplainedPrediction *>>
estimatesByLine(const AnalysedDocument &D) {
  std::map<unsigned, std::vector<const ExplainedPrediction *>> Lines;
  for (const ExplainedPrediction &E : D.result().Estimates)
    for (const SourceLocation &At :
         {E.Estimate.Location, E.Estimate.Used.Location})
      if (D.has(At)) {
        auto &Here = Lines[At.Line];
        if (!is_contained(Here, &E))
          Here.push_back(&E);
      }
  return Lines;
}

static std::string markdownOf(const Analysis &A, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  std::string Text = bottomLine(A, E) + "\n\n| | |\n| --- | --- |\n";
  auto Row = [&](StringRef Name, const Twine &Value) {
    Text += ("| " + Name + " | " + Value + " |\n").str();
  };
  if (P.Interval && !E.Curve)
    Row("interval", intervalText(P) + " with probability " +
                        formatPercent(P.Interval->Level));
  Row("occupancy",
      formatPercent(P.Occ.Fraction) + ", limited by " + P.Occ.LimitedBy);
  Row("registers", Twine(P.RegistersPerThread));
  std::string Parts;
  for (const auto &[Component, Share] : P.Breakdown)
    if (Share >= 0.01)
      Parts +=
          (Parts.empty() ? "" : ", ") + Component + " " + formatPercent(Share);
  Row("time is", Parts);
  for (const Assumption &Each : P.Assumptions)
    Row("assumed", Each.What + " = " + Each.Why);
  return Text;
}

json::Value hoverOf(const AnalysedDocument &D, unsigned Line) {
  std::string Text;
  auto Lines = estimatesByLine(D);
  if (auto Here = Lines.find(Line); Here != Lines.end())
    for (const ExplainedPrediction *E : Here->second)
      Text += (Text.empty() ? "" : "\n---\n") + markdownOf(D.result(), *E);
  for (const ExplainedPrediction &E : D.result().Estimates)
    for (const LineCost &Cost : E.Estimate.Lines)
      if (D.has(Cost.Where) && Cost.Where.Line == Line) {
        Text += (Text.empty() ? "" : "\n\n") + formatPercent(Cost.Share) +
                " of the time of '" + E.Estimate.Name + "' on " +
                E.Estimate.GpuName;
        for (const auto &[Component, Share] : Cost.Parts)
          Text += ", " + Component + " " + formatPercent(Share);
      }
  if (Text.empty())
    return nullptr;
  return json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", Text}}}};
}

/// "6.6 us", or "2.4 us to 195 us" over the table of a size.
static std::string shortTime(const ExplainedPrediction &E) {
  if (!E.Curve)
    return formatTime(E.Estimate.Time);
  const SizeCurve::Point &First = E.Curve->Points.front(),
                         &Last = E.Curve->last();
  return formatTime(First.Time) + " to " + formatTime(Last.Time) + " for " +
         E.Curve->Unknown + " = " + formatSize(First.Value) + " to " +
         formatSize(Last.Value);
}

json::Array inlayHints(const AnalysedDocument &D, PositionUnit Unit) {
  json::Array All;
  for (const auto &[Line, Estimates] : estimatesByLine(D)) {
    std::vector<std::string> Times;
    for (const ExplainedPrediction *E : Estimates) {
      std::string Time = "~" + shortTime(*E);
      if (!is_contained(Times, Time))
        Times.push_back(Time);
    }
    All.push_back(
        json::Object{{"position", positionJson(D.Source.endOfLine(Line, Unit))},
                     {"label", join(Times, ", ")},
                     {"paddingLeft", true}});
  }
  return All;
}

json::Array codeLenses(const AnalysedDocument &D, PositionUnit Unit) {
  json::Array All;
  for (const ExplainedPrediction &E : D.result().Estimates) {
    const Prediction &P = E.Estimate;
    if (!D.has(P.Location))
      continue;
    std::string Title =
        "on " + P.GpuName + ": " + shortTime(E) +
        (P.Interval && !E.Curve ? " (" + intervalText(P) + ")" : "") +
        "; bound by " + P.Bottleneck;
    if (size_t Count = E.advice().size())
      Title += "; " + std::to_string(Count) +
               (Count == 1 ? " suggestion" : " suggestions");
    All.push_back(json::Object{
        {"range", rangeOf(D, P.Location, Unit)},
        {"command",
         json::Object{
             {"title", std::move(Title)},
             {"command", "gpu-estimate.compareGpus"},
             {"arguments", json::Array{uriOfPath(D.Source.Path), P.Name}}}}});
  }
  return All;
}

} // namespace gpuestimate
