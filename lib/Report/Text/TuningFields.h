/// \file
/// The fields of a ranking, and text that all its forms share.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGFIELDS_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGFIELDS_H

#include "ResultFields.h"
#include "gpu-estimate/Advice/Tuning.h"

namespace gpuestimate {

/// The time relative to the fastest: "2.10 x".
std::string againstBest(const Tuning &T, const TunedConfiguration &C);

/// One configuration of T. Configuration and Ranking are const but for readers.
/// Names with a single value have no column for people.
template <class Io, class Configuration, class Ranking>
void configurationFields(Io &F, Configuration &C, Ranking &T) {
  F.shown("rank", [&] {
    return Cell{C.Rank ? std::to_string(C.Rank) + (C.Tied ? "=" : "") : "",
                double(C.Rank)};
  });
  if (Io::IsCsv || C.Rank) // the unchanged source has none
    F.stored("rank", C.Rank), F.stored("tied", C.Tied);
  if (Io::IsCsv || Io::IsReader || C.Rank)
    F.stored("screened", C.Screened), F.stored("interpolated", C.Interpolated);
  F("time", "time_ms", C.Time);
  F.shown("of fastest", [&] {
    return Cell{againstBest(T, C), C.Time / T.Ranked.front().Time};
  });
  F.computed("by_fastest", [&] { return T.byFastest(C); });
  F.json("ratio_error", C.RatioError);
  F.json("at_least_ms", C.AtLeast);
  F.json("at_largest_ms", C.AtLargest);
  if (!C.Choice.empty())
    F.object("values", [&](auto &Values) {
      for (auto [Name, Choice] : llvm::zip(T.Names, C.Choice))
        Values.named(Name.Values.size() > 1 ? Name.Name : "", Name.Name,
                     Name.Values, Choice);
    });
  F("block", "block", C.Used.Block);
  F("grid", "grid", C.Used.Grid);
  F.stored("dynamic_shared_bytes", C.Used.DynamicSharedBytes);
  F.shown("bound",
          [&] { return Cell{C.Screened ? "-" : C.Bottleneck, std::nullopt}; });
  if (Io::IsCsv || Io::IsReader || !C.Screened)
    F.stored("bottleneck", C.Bottleneck);
  F("occupancy", "occupancy", C.Occupancy, FieldUnit::Percent);
  F("registers", "registers", C.RegistersPerThread);
  F("shared", "shared_bytes", C.SharedBytesPerBlock, FieldUnit::Bytes);
  F("DRAM", "dram_bytes", C.DramBytes, FieldUnit::Bytes);
}

/// The head of a ranking, without its configurations.
template <class Io, class Ranking> void rankingFields(Io &F, Ranking &T) {
  subjectFields(F, T);
  F.stored("launches", T.Launches);
  F.stored("nest", T.IsNest);
  std::vector<std::string> Names;
  for (const TunedName &Name : T.Names)
    Names.push_back(Name.Name);
  F.stored("names", Names);
  if constexpr (Io::IsReader)
    for (const std::string &Name : Names)
      T.Names.push_back({Name, {}});
  F.stored("tie", T.Tie);
  F.stored("level", T.Level);
  openSizeFields(F, T.Unknown);
}

/// The columns of one configuration for people.
CellList tuningCells(const Tuning &T, const TunedConfiguration &C);

/// Number of rows to show: Top, and the rest of a tie at its end unless the tie
/// is longer than Top.
size_t shownRows(const Tuning &T, size_t Top);

/// "'matmul' (matmul.cu:21) on NVIDIA V100: 96 configurations, the sum of 2
/// launches"
std::string tuningTitle(const Tuning &T);
/// "TILE 16, 16x16": the choices of several values, and the block.
std::string configurationText(const Tuning &T, const TunedConfiguration &C);
/// Sentences below the table: omitted rows, the unchanged source, ties,
/// refusals, sizes that are not known, assumptions.
std::vector<std::string> tuningRemarks(const Tuning &T, size_t Shown);

} // namespace gpuestimate

#endif
