#include "gpu-estimate/Report/Text/Tuning.h"

#include "ResultFields.h"
#include "TuningText.h"
#include "gpu-estimate/Advice/AssumptionGroups.h"
#include "gpu-estimate/Report/Text/Table.h"
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

std::vector<std::string> tuningHeads(const Tuning &T) {
  std::vector<std::string> Heads = {"rank", "time", "of fastest"};
  for (const TunedName &Name : T.Names)
    if (Name.Values.size() > 1)
      Heads.push_back(Name.Name);
  append_range(Heads,
               ArrayRef<const char *>{"block", "grid", "bound", "occupancy",
                                      "registers", "shared", "DRAM"});
  return Heads;
}

std::vector<std::string> tuningCells(const Tuning &T,
                                     const TunedConfiguration &C) {
  std::vector<std::string> Cells = {
      C.Rank ? std::to_string(C.Rank) + (C.Tied ? "=" : "") : "",
      formatTime(C.Time), againstBest(T, C)};
  for (auto [I, Name] : enumerate(T.Names))
    if (Name.Values.size() > 1)
      Cells.push_back(I < C.Choice.size() ? Name.Values[C.Choice[I]] : "");
  append_range(Cells,
               std::vector<std::string>{
                   formatSizes(C.Used.Block), formatSizes(C.Used.Grid),
                   C.Screened ? "-" : C.Bottleneck, formatPercent(C.Occupancy),
                   std::to_string(C.RegistersPerThread),
                   formatBytes(Bytes(double(C.SharedBytesPerBlock))),
                   formatBytes(Bytes(C.DramBytes))});
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
  for (const auto &[Reason, Refused] : T.Refused)
    Remarks.push_back(std::to_string(Refused) + " cannot run: " + Reason);
  for (const AssumptionGroup &G : groupAssumptions(T.Assumptions))
    Remarks.push_back(
        "assumed for the fastest: " + G.Shown.What + " = " +
        formatNumber(G.Shown.Value) + ": " + G.Shown.Why +
        (G.Shown.Settle.empty() ? "" : "; settle with " + G.Shown.Settle));
  for (const std::string &Premise : T.Premises)
    Remarks.push_back("assumed: " + Premise);
  return Remarks;
}

void printTuningText(raw_ostream &OS, ArrayRef<Tuning> Results, size_t Top) {
  ListSeparator Blank("\n");
  for (const Tuning &T : Results) {
    OS << StringRef(Blank);
    if (T.Ranked.empty()) {
      OS << "no configuration has an estimate on " << T.GpuName << '\n';
      for (const auto &[Reason, Refused] : T.Refused)
        OS << "  " << Refused << " cannot run: " << Reason << '\n';
      continue;
    }
    OS << tuningTitle(T) << "\n\n";
    std::vector<std::string> Heads = tuningHeads(T);
    std::vector<Align> Columns(Heads.size(), Align::Right);
    *(find(Heads, "bound") - Heads.begin() + Columns.begin()) = Align::Left;
    Table Rows(Columns);
    Rows.row(Heads);
    size_t Shown = shownRows(T, Top);
    for (const TunedConfiguration &C : ArrayRef(T.Ranked).take_front(Shown))
      Rows.row(tuningCells(T, C));
    Rows.print(OS, 2);
    OS << '\n';
    for (const std::string &Remark : tuningRemarks(T, Shown))
      OS << "  " << Remark << '\n';
  }
}

void printTuningCsv(raw_ostream &OS, ArrayRef<Tuning> Results) {
  OS << "gpu,kernel,rank,tied,screened,interpolated,time_ms";
  for (const TunedName &Name : Results.front().Names)
    OS << ',' << csvCell(Name.Name);
  OS << ",block_x,block_y,block_z,grid_x,grid_y,grid_z,dynamic_shared_bytes,"
        "bottleneck,occupancy,registers,shared_bytes,dram_bytes\n";
  for (const Tuning &T : Results)
    for (const TunedConfiguration &C : T.Ranked) {
      OS << csvCell(T.Gpu) << ',' << csvCell(T.Name) << ',' << C.Rank << ','
         << int(C.Tied) << ',' << int(C.Screened) << ',' << int(C.Interpolated)
         << format(",%.9g", C.Time.value() * 1e3);
      for (auto [Name, Choice] : zip(T.Names, C.Choice))
        OS << ',' << csvCell(Name.Values[Choice]);
      for (const auto &Sizes : {C.Used.Block, C.Used.Grid})
        for (uint64_t Size : Sizes)
          OS << ',' << Size;
      OS << ',' << C.Used.DynamicSharedBytes << ',' << csvCell(C.Bottleneck)
         << format(",%.6g,%u,", C.Occupancy, C.RegistersPerThread)
         << C.SharedBytesPerBlock << format(",%.9g\n", C.DramBytes);
    }
}

static void configuration(json::OStream &J, const Tuning &T,
                          const TunedConfiguration &C) {
  if (C.Rank) {
    J.attribute("rank", static_cast<int64_t>(C.Rank));
    J.attribute("tied", C.Tied);
    J.attribute("screened", C.Screened);
    J.attribute("interpolated", C.Interpolated);
  }
  J.attribute("time_ms", C.Time.value() * 1e3);
  if (std::optional<TimeFactors> Range = T.byFastest(C))
    J.attributeArray("by_fastest", [&] {
      J.value(Range->Low);
      J.value(Range->High);
    });
  if (C.RatioError)
    J.attribute("ratio_error", *C.RatioError);
  if (!C.Choice.empty())
    J.attributeObject("values", [&] {
      for (auto [Name, Choice] : zip(T.Names, C.Choice))
        J.attribute(Name.Name, Name.Values[Choice]);
    });
  for (auto [Key, Sizes] :
       {std::pair{"block", &C.Used.Block}, {"grid", &C.Used.Grid}})
    J.attributeArray(Key, [&, Sizes = Sizes] {
      for (uint64_t Size : *Sizes)
        J.value(static_cast<int64_t>(Size));
    });
  J.attribute("dynamic_shared_bytes",
              static_cast<int64_t>(C.Used.DynamicSharedBytes));
  if (!C.Screened)
    J.attribute("bottleneck", C.Bottleneck);
  J.attribute("occupancy", C.Occupancy);
  J.attribute("registers", C.RegistersPerThread);
  J.attribute("shared_bytes", static_cast<int64_t>(C.SharedBytesPerBlock));
  J.attribute("dram_bytes", C.DramBytes);
}

static void tuning(json::OStream &J, const Tuning &T) {
  J.attribute("kernel", T.Kernel);
  J.attribute("name", T.Name);
  J.attribute("location", T.Location.brief());
  J.attribute("gpu", T.Gpu);
  J.attribute("gpu_name", T.GpuName);
  J.attribute("model", T.Model);
  J.attribute("launches", static_cast<int64_t>(T.Launches));
  J.attribute("nest", T.IsNest);
  J.attributeArray("names", [&] {
    for (const TunedName &Name : T.Names)
      J.value(Name.Name);
  });
  J.attribute("tie", T.Tie);
  J.attribute("level", T.Level);
  J.attributeArray("configurations", [&] {
    for (const TunedConfiguration &C : T.Ranked)
      J.object([&] { configuration(J, T, C); });
  });
  if (T.AsWritten)
    J.attributeObject("as_written", [&] {
      configuration(J, T, *T.AsWritten);
      writeInterval(J, T.Level, T.AsWritten->IntervalMs);
      writeTexts(J, "premises", T.AsWritten->Premises);
    });
  else
    J.attribute("as_written_refused", T.WhyNotAsWritten);
  J.attributeArray("refused", [&] {
    for (const auto &[Reason, Count] : T.Refused)
      J.object([&] {
        J.attribute("reason", Reason);
        J.attribute("configurations", static_cast<int64_t>(Count));
      });
  });
  writeAssumptions(J, T.Assumptions);
  writeTexts(J, "premises", T.Premises);
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
