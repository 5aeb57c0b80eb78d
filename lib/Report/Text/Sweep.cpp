#include "gpu-estimate/Report/Text/Sweep.h"

#include "SweepFields.h"
#include "gpu-estimate/Support/Csv.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static std::string withPrefix(double Value, StringRef Unit) {
  if (std::isnan(Value))
    return "-";
  static constexpr std::pair<double, StringLiteral> Prefixes[] = {
      {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  const auto *Fitting = find_if(
      Prefixes, [&](const auto &P) { return Value >= 0.9995 * P.first; });
  if (Fitting == std::end(Prefixes))
    Fitting = Value > 0 ? std::end(Prefixes) - 1 : std::begin(Prefixes);
  std::string Text;
  raw_string_ostream(Text) << format("%.3g ", Value / Fitting->first)
                           << Fitting->second << Unit;
  return Text;
}

std::string formatPower(double Watts) { return withPrefix(Watts, "W"); }
std::string formatEnergy(double Joules) { return withPrefix(Joules, "J"); }

std::string sweepTitle(const Surface &S) {
  std::string Text = "'" + S.Name + "' (" + S.Location.brief() + ") on " +
                     S.GpuName + ": " + std::to_string(S.Points.size()) +
                     (S.Points.size() == 1 ? " point" : " points");
  if (S.Launches > 1)
    Text += ", each the sum of " + std::to_string(S.Launches) + " launches";
  return Text;
}

CellList sweepCells(const Surface &S, size_t Point) {
  CellList Cells;
  pointFields(Cells, S, Point, S.hasPower());
  return Cells;
}

/// "with n = 1 K the fastest is sm_count 8, the least energy has sm_count 4"
static void addOtherBest(std::vector<std::string> &Remarks, const Surface &S,
                         SizePlace End,
                         const std::optional<BestAtSizes> &Best) {
  if (!Best)
    return;
  std::string Text = "with " + sizesText(S.Unknown, End) + " ";
  if (!Best->Fastest)
    Text += "no point can run";
  else
    Text += "the fastest is " + S.describe(Best->Fastest->Point);
  if (Best->LeastEnergy)
    Text += ", the least energy has " + S.describe(Best->LeastEnergy->Point);
  Remarks.push_back(std::move(Text));
}

std::vector<std::string> sweepRemarks(const Surface &S) {
  std::vector<std::string> Remarks = {"scaling: " + S.Predictor + " (" +
                                      S.PredictorReason + ")"};
  if (!S.WhatIf.empty())
    Remarks.push_back("what if: " + join(S.WhatIf, ", "));
  for (const std::string &Note : S.Notes)
    Remarks.push_back("extrapolated: " + Note);
  if (!S.Grids.empty())
    Remarks.push_back("grid: " + S.Grids);
  append_range(Remarks, refusalRemarks(S.Refused));
  if (!S.Unknown.empty())
    Remarks.push_back("all points are " + openSizesText(S.Unknown));
  addOtherBest(Remarks, S, SizePlace::Least, S.AtLeast);
  addOtherBest(Remarks, S, SizePlace::Largest, S.AtLargest);
  append_range(Remarks, assumptionRemarks("assumed", S.AsIs.Assumptions,
                                          S.AsIs.Premises));
  return Remarks;
}

static void printPoints(raw_ostream &OS, const Surface &S,
                        ArrayRef<size_t> Points) {
  std::vector<CellList> Rows;
  for (size_t Point : Points)
    Rows.push_back(sweepCells(S, Point));
  printRows(OS, Rows, 4);
}

/// Times of a surface of two axes, the first one downwards.
static void printMatrix(raw_ostream &OS, const Surface &S) {
  const SurfaceAxis &Down = S.Axes[0], &Across = S.Axes[1];
  Table Rows(std::vector<Align>(Across.size() + 1, Align::Right));
  std::vector<std::string> Heads = {Down.Name + " \\ " + Across.Name};
  append_range(Heads, Across.Labels);
  Rows.row(Heads);
  for (size_t I = 0; I < Down.size(); ++I) {
    std::vector<std::string> Row = {Down.Labels[I]};
    for (size_t J = 0; J < Across.size(); ++J) {
      const SurfacePoint &P = S.Points[I * Across.size() + J];
      Row.push_back(P.hasTime() ? formatTime(P.Time) : "-");
    }
    Rows.row(Row);
  }
  Rows.print(OS, 4);
}

/// The fastest points of each kernel on several cards, side by side.
static void printCards(raw_ostream &OS, ArrayRef<Surface> Surfaces) {
  std::vector<StringRef> Kernels;
  for (const Surface &S : Surfaces)
    if (!is_contained(Kernels, S.Kernel))
      Kernels.push_back(S.Kernel);
  for (StringRef Kernel : Kernels) {
    std::vector<const Surface *> Of;
    for (const Surface &S : Surfaces)
      if (S.Kernel == Kernel)
        Of.push_back(&S);
    if (Of.size() < 2)
      continue;
    bool HasPrices = any_of(
        Of, [](const Surface *S) { return S->PricePerHour.has_value(); });
    OS << "\n'" << Of.front()->Name << "' from card to card, fastest points\n";
    Table Rows({Align::Left, Align::Right, Align::Right, Align::Right,
                Align::Right, Align::Right, Align::Left});
    Rows.row({"gpu", "time", "of first", "power", "energy",
              HasPrices ? "cost" : "", "bound"});
    std::optional<Seconds> First;
    for (const Surface *S : Of) {
      std::optional<size_t> Best = bestPoints(*S, {}).front().Point;
      if (!Best) {
        Rows.row({S->Gpu, "-", "", "", "", "", "cannot run"});
        continue;
      }
      const SurfacePoint &P = S->Points[*Best];
      if (!First)
        First = P.Time;
      std::string Ratio, Cost;
      raw_string_ostream(Ratio) << format("%.2f x", P.Time / *First);
      if (std::optional<double> Price = S->cost(*Best))
        raw_string_ostream(Cost) << format("%.3g", *Price);
      Rows.row({S->Gpu, formatTime(P.Time), Ratio, formatPower(P.Watts),
                formatEnergy(P.joules()), Cost, S->Bottlenecks[P.Bottleneck]});
    }
    Rows.print(OS, 2);
  }
}

void printSweepText(raw_ostream &OS, ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, size_t Top) {
  // A matrix may be so large and still be read.
  constexpr size_t MostColumns = 12, MostRows = 24;
  ListSeparator Blank("\n");
  for (const Surface &S : Surfaces) {
    OS << StringRef(Blank) << sweepTitle(S) << "\n\n";
    for (const BestPoint &Best : bestPoints(S, Limits)) {
      OS << "  " << left_justify(Best.For, 28) << ' ';
      if (!Best.Point) {
        OS << "none\n";
        continue;
      }
      const SurfacePoint &P = S.Points[*Best.Point];
      OS << S.describe(*Best.Point) << ": " << formatTime(P.Time);
      if (!std::isnan(P.Watts))
        OS << " at " << formatPower(P.Watts) << ", "
           << formatEnergy(P.joules());
      OS << ", " << S.Bottlenecks[P.Bottleneck];
      if (std::optional<double> Cost = S.cost(*Best.Point))
        OS << format(", costs %.3g", *Cost);
      OS << '\n';
    }
    std::vector<size_t> Front = paretoFront(S);
    if (std::optional<size_t> Knee = kneeOf(S, Front))
      OS << "  " << left_justify("knee of time against energy", 28) << ' '
         << S.describe(*Knee) << '\n';
    if (!Front.empty()) {
      size_t Shown = Top == 0 ? Front.size() : std::min(Top, Front.size());
      OS << "\n  Pareto front of time against energy, " << Shown << " of "
         << Front.size() << " points\n";
      printPoints(OS, S, ArrayRef(Front).take_front(Shown));
    }
    if (S.Axes.size() == 2 && S.Axes[0].size() <= MostRows &&
        S.Axes[1].size() <= MostColumns && S.Axes[1].size() > 1) {
      OS << "\n  times\n";
      printMatrix(OS, S);
    } else if (Front.empty()) {
      size_t Shown =
          Top == 0 ? S.Points.size() : std::min(Top, S.Points.size());
      OS << "\n  " << Shown << " of " << S.Points.size()
         << " points; --format csv prints all\n";
      std::vector<size_t> Points;
      for (size_t I = 0; I < Shown; ++I)
        Points.push_back(I);
      printPoints(OS, S, Points);
    }
    OS << '\n';
    for (const std::string &Remark : sweepRemarks(S))
      OS << "  " << Remark << '\n';
  }
  printCards(OS, Surfaces);
}

void printSweepCsv(raw_ostream &OS, ArrayRef<Surface> Surfaces) {
  OS << "kernel,gpu";
  CsvCells Heads(OS, CsvCells::Heads), Values(OS, CsvCells::Values);
  pointFields(Heads, Surfaces.front(), 0);
  OS << '\n';
  for (const Surface &S : Surfaces) {
    std::string Start = csvCell(S.Name) + "," + csvCell(S.Gpu);
    for (size_t I = 0; I < S.Points.size(); ++I) {
      if (!S.Points[I].hasTime())
        continue;
      OS << Start;
      pointFields(Values, S, I);
      OS << '\n';
    }
  }
}

static void point(json::OStream &J, const Surface &S, size_t I) {
  JsonWriter F(J);
  pointFields(F, S, I);
}

/// What only a part needs: which point it is, and its times to the last bit.
static void place(json::OStream &J, const Surface &S, size_t I) {
  J.attribute("point", int64_t(I));
  J.attributeArray("seconds", [&] {
    J.value(S.Points[I].Time.value());
    for (const auto &[Predictor, Times] : S.Compared)
      J.value(Times[I].value());
  });
}

/// What a reader looks for among the points.
static void choices(json::OStream &J, const Surface &S,
                    const SurfaceLimits &Limits) {
  std::vector<size_t> Front = paretoFront(S);
  J.attributeArray("pareto", [&] {
    for (size_t I : Front)
      J.object([&] { point(J, S, I); });
  });
  if (std::optional<size_t> Knee = kneeOf(S, Front))
    J.attributeObject("knee", [&] { point(J, S, *Knee); });
  J.attributeArray("best", [&] {
    for (const BestPoint &Best : bestPoints(S, Limits))
      J.object([&] {
        J.attribute("id", Best.Id);
        J.attribute("for", Best.For);
        if (Best.Point)
          J.attributeObject("point", [&] { point(J, S, *Best.Point); });
      });
  });
}

static void surface(json::OStream &J, const Surface &S,
                    const SurfaceLimits &Limits, const SpacePart &Part) {
  JsonWriter F(J);
  surfaceFields(F, S);
  J.attributeArray("points", [&] {
    for (size_t I = 0; I < S.Points.size(); ++I)
      if (S.Points[I].hasTime())
        J.object([&] {
          if (!Part.isWhole())
            place(J, S, I);
          point(J, S, I);
        });
  });
  if (Part.isWhole())
    choices(J, S, Limits);
  F.refusals("points", S.Refused);
  surfaceRemarkFields(F, S);
}

void printSweepJson(raw_ostream &OS, ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, StringRef ToolVersion,
                    const SpacePart &Part) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-sweep/1");
    J.attribute("tool_version", ToolVersion);
    printPart(J, Part);
    if (!Part.isWhole())
      J.attributeObject("limits", [&] {
        JsonWriter F(J);
        limitFields(F, Limits);
      });
    J.attributeArray("surfaces", [&] {
      for (const Surface &S : Surfaces)
        J.object([&] { surface(J, S, Limits, Part); });
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
