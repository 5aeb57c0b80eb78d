/// \file
/// A validation as one page.
#include "Report/Charts/Style.h"
#include "Report/Charts/Svg.h"
#include "ValidationPlot.h"
#include "gpu-estimate/Report/Validation/Validation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static constexpr size_t WorstRows = 10;

static constexpr StringLiteral PlotStyle = "\n"
#include "Validation/validation.css.inc"
    ;

static std::string percentText(double Fraction, const char *Form = "%.1f%%") {
  std::string Text;
  raw_string_ostream(Text) << format(Form, 100 * Fraction);
  return Text;
}

/// "-" for an unknown value.
static std::string number(const std::optional<double> &Value,
                          const char *Form) {
  if (!Value)
    return "-";
  std::string Text;
  raw_string_ostream(Text) << format(Form, *Value);
  return Text;
}

namespace {

class ValidationPage {
public:
  ValidationPage(raw_ostream &OS, const Validation &V) : OS(OS), V(V) {}
  void print(StringRef ToolVersion);

private:
  void dataset(const ValidatedDataset &D);
  void legend(ArrayRef<std::string> Names);
  void table(const ValidatedDataset &D, GroupBy By);
  void plots(const ValidatedDataset &D, StringRef Model);
  void warps(const ValidatedDataset &D);
  void reliability(const ValidatedDataset &D);
  void worst(const ValidatedDataset &D, StringRef Model);
  void name(StringRef Text) {
    OS << "<td class=name>" << escaped(Text) << "</td>";
  }
  void cell(StringRef Text) { OS << "<td>" << escaped(Text) << "</td>"; }

  raw_ostream &OS;
  const Validation &V;
  std::vector<std::string> Gpus; ///< of the dataset, in order of appearance
};

} // namespace

void ValidationPage::legend(ArrayRef<std::string> Names) {
  OS << "<p>";
  for (auto [I, Name] : enumerate(Names))
    OS << "<span class=key style=\"background: var(--c" << I % PlotColours
       << ")\"></span>" << escaped(Name);
  OS << "</p>\n";
}

void ValidationPage::table(const ValidatedDataset &D, GroupBy By) {
  OS << "<div class=wide><table><tr>";
  for (StringRef Head :
       {By == GroupBy::Bound ? "bound" : "gpu", "model", "split"})
    OS << "<th class=name>" << Head << "</th>";
  for (StringRef Head : {"cases", "median", "factor", "within 25%", "mean",
                         "mean by kernel", "p90", "max", "bias", "rank"})
    OS << "<th>" << Head << "</th>";
  OS << "</tr>\n";
  for (const StatisticsRow &Row : statistics(V, By)) {
    if (Row.Dataset != D.Name || Row.Errors.Cases == 0)
      continue;
    const ErrorStatistics &E = Row.Errors;
    OS << "<tr>";
    const std::string &Group = By == GroupBy::Bound ? Row.Bound : Row.Gpu;
    name(Group.empty() ? "all" : Group);
    name(Row.Model);
    name(Row.Part ? gpuestimate::name(*Row.Part) : "all");
    cell(std::to_string(E.Cases));
    cell(percentText(E.MedianApe));
    cell(number(E.Factor, "%.2f"));
    for (double Fraction :
         {E.Within25, E.MeanApe, E.KernelMeanApe, E.P90Ape, E.MaxApe})
      cell(percentText(Fraction));
    cell(percentText(E.Bias, "%+.1f%%"));
    cell(number(E.Spearman, "%.3f"));
    OS << "</tr>\n";
  }
  OS << "</table></div>\n";
}

void ValidationPage::plots(const ValidatedDataset &D, StringRef Model) {
  std::vector<const CaseResult *> Cases;
  for (const CaseResult &C : V.Cases)
    if (C.Dataset == D.Name && C.Model == Model)
      Cases.push_back(&C);
  std::vector<StatisticsRow> Rows = statistics(V, GroupBy::GpuAndKernel);
  erase_if(Rows, [&](const StatisticsRow &Row) {
    return Row.Dataset != D.Name || Row.Model != Model || Row.Errors.Cases == 0;
  });
  stable_sort(Rows, [](const StatisticsRow &A, const StatisticsRow &B) {
    return A.Kernel < B.Kernel;
  });
  OS << "<div class=plots><figure><figcaption>" << escaped(Model)
     << ": predicted against measured, with equality and 20% more and "
        "less</figcaption>\n";
  plotScatter(OS, Cases, Gpus);
  OS << "</figure><figure><figcaption>mean absolute error by kernel and "
        "GPU</figcaption>\n";
  plotBars(OS, Rows, Gpus);
  OS << "</figure></div>\n";
}

void ValidationPage::warps(const ValidatedDataset &D) {
  std::vector<WarpsRow> Rows = statisticsByWarps(V);
  erase_if(Rows, [&](const WarpsRow &Row) { return Row.Dataset != D.Name; });
  if (Rows.empty())
    return;
  OS << "<figure><figcaption>factor of each model by the number of warps of "
        "the launch, in groups of half a decade</figcaption>\n";
  plotWarps(OS, Rows, V.Models);
  OS << "</figure>\n";
  legend(V.Models);
}

void ValidationPage::reliability(const ValidatedDataset &D) {
  std::vector<IntervalRow> Rows = intervalStatistics(V, GroupBy::Inputs);
  erase_if(Rows, [&](const IntervalRow &Row) { return Row.Dataset != D.Name; });
  if (Rows.empty())
    return;
  OS << "<figure><figcaption>measured times in the intervals of their "
        "predictions, made without this dataset</figcaption>\n";
  plotReliability(OS, Rows);
  OS << "</figure>\n";
  std::vector<std::string> Names;
  for (const IntervalRow &Row : Rows)
    Names.push_back("inputs " + Row.Inputs);
  legend(Names);
}

void ValidationPage::worst(const ValidatedDataset &D, StringRef Model) {
  OS << "<h3>Furthest off with " << escaped(Model)
     << "</h3><div class=wide><table><tr>";
  for (StringRef Head : {"case", "kernel", "gpu", "bound by"})
    OS << "<th class=name>" << Head << "</th>";
  for (StringRef Head : {"error", "measured ms", "predicted ms"})
    OS << "<th>" << Head << "</th>";
  OS << "<th class=name>where the predicted time goes</th></tr>\n";
  for (const CaseResult *C : worstCases(V, D.Name, Model, WorstRows)) {
    OS << "<tr>";
    for (StringRef Text : {C->Case, C->Kernel, C->Gpu, C->Bottleneck})
      name(Text);
    cell(percentText(C->error(), "%+.1f%%"));
    for (double Ms : {C->MeasuredMs, C->PredictedMs}) {
      std::string Text;
      raw_string_ostream(Text) << format("%.4g", Ms);
      cell(Text);
    }
    std::string Parts;
    for (const auto &[Name, Part] : C->Breakdown)
      Parts += (Parts.empty() ? "" : ", ") + Name + " " + percentText(Part);
    name(Parts);
    OS << "</tr>\n";
  }
  OS << "</table></div>\n";
}

void ValidationPage::dataset(const ValidatedDataset &D) {
  Gpus.clear();
  size_t Noisy = 0;
  for (const CaseResult &C : V.Cases)
    if (C.Dataset == D.Name) {
      Noisy += !C.counts() && C.Model == V.Models.front();
      if (!is_contained(Gpus, C.Gpu))
        Gpus.push_back(C.Gpu);
    }
  OS << "<h2 id=\"" << escaped(D.Name) << "\">" << escaped(D.Name)
     << "</h2>\n<p>" << escaped(D.Description)
     << "<br>Measured: " << escaped(D.Source) << "</p>\n";
  if (Noisy > 0)
    OS << "<p>" << Noisy
       << " noisy ones are drawn as outlines and not counted.</p>\n";
  legend(Gpus);
  for (const std::string &Model : V.Models)
    plots(D, Model);
  warps(D);
  reliability(D);
  table(D, GroupBy::Dataset);
  table(D, GroupBy::Gpu);
  table(D, GroupBy::Bound);
  for (const std::string &Model : V.Models)
    worst(D, Model);
}

void ValidationPage::print(StringRef ToolVersion) {
  OS << "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>\n"
        "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
        "<title>gpu-estimate: predicted against measured</title>\n<style>"
     << baseStyle() << PlotStyle
     << "</style>\n<h1>Predicted against measured</h1>\n<p>gpu-estimate "
     << escaped(ToolVersion)
     << ". error = (predicted - measured) / measured; median, mean, p90 and "
        "max of its absolute value, bias is its mean, rank is Spearman's "
        "correlation within the sizes of a kernel; factor = exp(mean "
        "|ln(predicted / measured)|); mean by kernel: each kernel counts "
        "once.</p>\n";
  for (const ValidatedDataset &D : V.Datasets)
    dataset(D);
  for (auto [Title, Cases] : {std::pair{"Not predicted", &V.Failures},
                              {"Refused by a model", &V.Refusals}}) {
    if (Cases->empty())
      continue;
    OS << "<h2>" << Title << "</h2>\n<ul>\n";
    for (const FailureGroup &G : groupFailures(*Cases))
      OS << "<li>" << escaped(describe(G)) << "</li>\n";
    OS << "</ul>\n";
  }
  for (const std::string &Line : V.Skipped)
    OS << "<p>" << escaped(Line) << "</p>\n";
  OS << "</html>\n";
}

void printValidationHtml(raw_ostream &OS, const Validation &V,
                         StringRef ToolVersion) {
  ValidationPage(OS, V).print(ToolVersion);
}

} // namespace gpuestimate
