#include "gpu-estimate/Report/Text/Tuning.h"

#include "TuningFields.h"
#include "gpu-estimate/Support/Csv.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

std::string againstBest(const Tuning &T, const TunedConfiguration &C) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << format("%.2f x", C.Time / T.Ranked.front().Time);
  if (std::optional<TimeFactors> Range = T.byFastest(C))
    OS << format(" (%.2f-%.2f)", Range->Low, Range->High);
  return Text;
}

CellList tuningCells(const Tuning &T, const TunedConfiguration &C) {
  CellList Cells;
  configurationFields(Cells, C, T);
  return Cells;
}

size_t shownRows(const Tuning &T, size_t Top) {
  size_t Count = T.Ranked.size();
  if (Top == 0 || Top >= Count)
    return Count;
  size_t End = Top;
  while (End < Count && T.Ranked[End].Rank == T.Ranked[Top - 1].Rank)
    ++End;
  return End <= 2 * Top ? End : Top;
}

std::string tuningTitle(const Tuning &T) {
  std::string Text =
      "'" + T.Name + "' (" + T.Location.brief() + ") on " + T.GpuName + ": " +
      std::to_string(T.Ranked.size()) +
      (T.Ranked.size() == 1 ? " configuration" : " configurations");
  if (T.Launches > 1)
    Text += ", each the sum of " + std::to_string(T.Launches) + " launches";
  return Text;
}

std::string configurationText(const Tuning &T, const TunedConfiguration &C) {
  std::string Text;
  for (auto [Name, Choice] : zip(T.Names, C.Choice))
    if (Name.Values.size() > 1)
      Text += Name.Name + " " + Name.Values[Choice] + ", ";
  return Text + formatSizes(C.Used.Block);
}

/// Whether the ranking is that of other sizes, too.
static void addOpenSizes(std::vector<std::string> &Remarks, const Tuning &T) {
  if (T.Unknown.empty())
    return;
  Remarks.push_back("ranked " + openSizesText(T.Unknown));
  for (SizePlace End : {SizePlace::Least, SizePlace::Largest}) {
    const TunedConfiguration *Fastest = T.fastestAt(End);
    std::string Sizes = "with " + sizesText(T.Unknown, End) + " ";
    if (!Fastest)
      Remarks.push_back(Sizes + "no configuration can run");
    else if (T.holdsAt(End))
      Remarks.push_back(Sizes + "the first row is the fastest as well, or as "
                                "fast as the model can tell");
    else
      Remarks.push_back(Sizes + "the fastest is another one: " +
                        configurationText(T, *Fastest));
  }
}

std::vector<std::string> tuningRemarks(const Tuning &T, size_t Shown) {
  std::vector<std::string> Remarks;
  size_t Count = T.Ranked.size();
  if (Shown < Count)
    Remarks.push_back(std::to_string(Count - Shown) + " more, up to " +
                      formatTime(T.Ranked.back().Time) +
                      "; --top 0 shows all of them");
  if (T.AsWritten)
    Remarks.push_back("unchanged source: block " +
                      formatSizes(T.AsWritten->Used.Block) + ", grid " +
                      formatSizes(T.AsWritten->Used.Grid) + ": " +
                      formatTime(T.AsWritten->Time) + ", " +
                      againstBest(T, *T.AsWritten) + " the fastest");
  else
    Remarks.push_back("the unchanged source has no estimate: " +
                      T.WhyNotAsWritten);
  if (any_of(ArrayRef(T.Ranked).take_front(Shown),
             [](const TunedConfiguration &C) { return C.Tied; }))
    Remarks.push_back(
        "= is a tie: times " +
        (T.Tie ? "within " + formatPercent(*T.Tie) + " of each other"
               : std::string("that the model cannot tell apart")) +
        "; measure them");
  auto HowMany = [&](bool TunedConfiguration::*Flag) -> size_t {
    return count_if(T.Ranked,
                    [&](const TunedConfiguration &C) { return C.*Flag; });
  };
  if (size_t Screened = HowMany(&TunedConfiguration::Screened)) {
    std::string Text =
        std::to_string(Screened) +
        " that are not among the fastest are estimated from fewer samples";
    if (size_t Between = HowMany(&TunedConfiguration::Interpolated))
      Text += ", " + std::to_string(Between) +
              " of them between values of an argument that are";
    Remarks.push_back(std::move(Text));
  }
  auto Threads = [](const TunedConfiguration &C) {
    std::array<uint64_t, 3> Counts;
    for (unsigned I = 0; I < 3; ++I)
      Counts[I] = C.Used.Grid[I] * C.Used.Block[I];
    return Counts;
  };
  if (T.AsWritten && T.Launches == 1 && !T.IsNest) {
    std::array<uint64_t, 3> Written = Threads(*T.AsWritten);
    size_t More = count_if(
        ArrayRef(T.Ranked).take_front(Shown), [&](const TunedConfiguration &C) {
          std::array<uint64_t, 3> Current = Threads(C);
          return Current[0] > Written[0] || Current[1] > Written[1] ||
                 Current[2] > Written[2];
        });
    if (More)
      Remarks.push_back(std::to_string(More) +
                        " of these launch more threads than the source does "
                        "(whole blocks): the kernel must guard its bounds");
  }
  append_range(Remarks, refusalRemarks(T.Refused));
  addOpenSizes(Remarks, T);
  append_range(Remarks, assumptionRemarks("assumed for the fastest",
                                          T.Assumptions, T.Premises));
  return Remarks;
}

void printTuningText(raw_ostream &OS, ArrayRef<Tuning> Results, size_t Top) {
  ListSeparator Blank("\n");
  for (const Tuning &T : Results) {
    OS << StringRef(Blank);
    if (T.Ranked.empty()) {
      OS << "no configuration has an estimate on " << T.GpuName << '\n';
      for (const std::string &Remark : refusalRemarks(T.Refused))
        OS << "  " << Remark << '\n';
      continue;
    }
    OS << tuningTitle(T) << "\n\n";
    size_t Shown = shownRows(T, Top);
    std::vector<CellList> Rows;
    for (const TunedConfiguration &C : ArrayRef(T.Ranked).take_front(Shown))
      Rows.push_back(tuningCells(T, C));
    printRows(OS, Rows, 2);
    OS << '\n';
    for (const std::string &Remark : tuningRemarks(T, Shown))
      OS << "  " << Remark << '\n';
  }
}

void printTuningCsv(raw_ostream &OS, ArrayRef<Tuning> Results) {
  OS << "gpu,kernel";
  TunedConfiguration Any;
  Any.Choice.resize(Results.front().Names.size());
  CsvCells Heads(OS, CsvCells::Heads), Values(OS, CsvCells::Values);
  configurationFields(Heads, Any, Results.front());
  OS << '\n';
  for (const Tuning &T : Results)
    for (const TunedConfiguration &C : T.Ranked) {
      OS << csvCell(T.Gpu) << ',' << csvCell(T.Name);
      configurationFields(Values, C, T);
      OS << '\n';
    }
}

static void tuning(json::OStream &J, const Tuning &T) {
  JsonWriter F(J);
  rankingFields(F, T);
  J.attributeArray("configurations", [&] {
    for (const TunedConfiguration &C : T.Ranked)
      J.object([&] { configurationFields(F, C, T); });
  });
  if (T.AsWritten)
    J.attributeObject("as_written", [&] {
      configurationFields(F, *T.AsWritten, T);
      F.interval(T.Level, T.AsWritten->IntervalMs);
      F.stored("premises", T.AsWritten->Premises);
    });
  else
    F.stored("as_written_refused", T.WhyNotAsWritten);
  F.refusals("configurations", T.Refused);
  assumptionFields(F, T.Assumptions);
  F.stored("premises", T.Premises);
}

void printTuningJson(raw_ostream &OS, ArrayRef<Tuning> Results,
                     StringRef ToolVersion, const SpacePart &Part) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-tune/1");
    J.attribute("tool_version", ToolVersion);
    printPart(J, Part);
    J.attributeArray("tunings", [&] {
      for (const Tuning &T : Results)
        J.object([&] { tuning(J, T); });
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
