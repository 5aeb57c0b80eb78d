/// \file
/// The page of a sweep: contour and surface plots that its script draws from
/// the numbers of the page, and tables that need no script.
#include "HtmlParts.h"
#include "Report/Text/SweepFields.h"
#include "gpu-estimate/Report/Text/Sweep.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral SweepStyle = "\n"
#include "Html/sweep.css.inc"
    ;

/// The numbers of the plots, which the script of the page draws: axes (name,
/// unit, labels, numbers), time in ms, power in W (or null), bound,
/// bottlenecks, front.
static std::string plotData(const Surface &S) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  auto NumberOrNull = [&](double Value) {
    if (std::isnan(Value))
      J.value(nullptr);
    else
      J.rawValue([&](raw_ostream &Raw) { Raw << format("%.6g", Value); });
  };
  std::vector<size_t> Front = paretoFront(S);
  J.object([&] {
    J.attributeArray("axes", [&] {
      for (const SurfaceAxis &Axis : S.Axes)
        J.object([&] {
          J.attribute("name", Axis.Name);
          J.attribute("unit", Axis.Unit);
          J.attribute("labels", json::Array(Axis.Labels));
          J.attribute("numbers", json::Array(Axis.Numbers));
        });
    });
    J.attributeArray("time", [&] {
      for (const SurfacePoint &P : S.Points)
        NumberOrNull(P.Time.value() * 1e3);
    });
    if (S.hasPower())
      J.attributeArray("power", [&] {
        for (const SurfacePoint &P : S.Points)
          NumberOrNull(P.Watts);
      });
    else
      J.attribute("power", nullptr);
    J.attributeArray("bound", [&] {
      for (const SurfacePoint &P : S.Points)
        J.value(P.Bottleneck);
    });
    J.attribute("bottlenecks", json::Array(S.Bottlenecks));
    J.attributeArray("front", [&] {
      for (size_t I : Front)
        J.value(static_cast<int64_t>(I));
    });
    if (std::optional<size_t> Knee = kneeOf(S, Front))
      J.attribute("knee", static_cast<int64_t>(*Knee));
  });
  return Text;
}

static DataTable pointTable(const Surface &S, ArrayRef<size_t> Points) {
  DataTable Rows;
  for (size_t Point : Points)
    addRow(Rows, sweepCells(S, Point));
  return Rows;
}

static void printSurface(raw_ostream &OS, const Surface &S,
                         const SurfaceLimits &Limits) {
  OS << "<dl>\n";
  for (const BestPoint &Best : bestPoints(S, Limits)) {
    std::string Text = "none";
    if (Best.Point) {
      const SurfacePoint &P = S.Points[*Best.Point];
      Text = S.describe(*Best.Point) + ": " + formatTime(P.Time);
      if (!std::isnan(P.Watts))
        Text += ", " + formatPower(P.Watts) + ", " + formatEnergy(P.joules());
    }
    printFact(OS, Best.For, Text);
  }
  std::vector<size_t> Front = paretoFront(S);
  if (std::optional<size_t> Knee = kneeOf(S, Front))
    printFact(OS, "knee of time against energy", S.describe(*Knee));
  OS << "</dl>\n<div class=\"controls\"></div>\n<p class=\"said\" "
        "aria-live=\"polite\"></p>\n<div class=\"sweep\"></div>\n"
        "<noscript><p>The plots need the script of this page.</p></noscript>\n";
  printData(OS, "", plotData(S));
  // Rows of the table; --format csv has all points.
  constexpr size_t MostRows = 200;
  std::vector<size_t> Points = Front;
  for (size_t I = 0; Front.empty() && I < std::min(S.Points.size(), MostRows);
       ++I)
    Points.push_back(I);
  if (Points.size() > MostRows)
    Points.resize(MostRows);
  std::string Label =
      Front.empty() ? "Points" : "Pareto front of time against energy";
  OS << "<details><summary>" << Label << ", " << Points.size() << " of "
     << (Front.empty() ? S.Points.size() : Front.size()) << "</summary>\n";
  printTable(OS, pointTable(S, Points), Label);
  OS << "</details>\n<ul>\n";
  for (const std::string &Remark : sweepRemarks(S))
    OS << "<li>" << escaped(Remark) << "</li>\n";
  OS << "</ul>\n";
}

void printSweepHtml(raw_ostream &OS, ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, StringRef ToolVersion) {
  beginPage(OS, "Configurations by predicted time and energy", ToolVersion);
  OS << "<style>" << SweepStyle << "</style>\n";
  std::vector<std::string> Titles;
  for (const Surface &S : Surfaces)
    Titles.push_back(sweepTitle(S));
  printContents(OS, Titles);
  OS << "<main>\n";
  for (auto [I, S] : enumerate(Surfaces)) {
    OS << "<section class=\"surface\" id=\"s" << I + 1 << "\">\n<h2>"
       << escaped(Titles[I]) << "</h2>\n";
    printSurface(OS, S, Limits);
    OS << "</section>\n";
  }
  OS << "</main>\n";
  endPage(OS, Analysis());
}

} // namespace gpuestimate
