#include "ResultFields.h"

#include "gpu-estimate/Advice/AssumptionGroups.h"
#include "gpu-estimate/Support/Csv.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

json::Value toJSON(Seconds Time) { return Time.value() * 1e3; }

json::Value toJSON(const SourceLocation &At) { return At.brief(); }

json::Value toJSON(const TimeFactors &Range) {
  return json::Array({Range.Low, Range.High});
}

bool fromJSON(const json::Value &V, Seconds &Time, json::Path) {
  Time = Seconds(V.getAsNumber().value_or(0) * 1e-3);
  return true;
}

bool fromJSON(const json::Value &V, SourceLocation &At, json::Path) {
  auto [File, Line] = V.getAsString().value_or("").rsplit(':');
  SourceLocation Place = {File.str(), 0, 1};
  bool IsPlace = !Line.getAsInteger(10, Place.Line);
  if (IsPlace)
    At = Place;
  return IsPlace;
}

Cell CellList::cell(StringRef Text, FieldUnit) {
  double Value;
  return {Text.str(),
          Text.getAsDouble(Value) ? std::nullopt : std::optional(Value)};
}

Cell CellList::cell(Seconds Time, FieldUnit) {
  return {formatTime(Time), Time.value()};
}

Cell CellList::cell(const Sizes3 &Sizes, FieldUnit) {
  return {formatSizes(Sizes), double(Sizes[0] * Sizes[1] * Sizes[2])};
}

Cell CellList::cell(double Value, FieldUnit Unit) {
  return {Unit == FieldUnit::Percent ? formatPercent(Value)
          : Unit == FieldUnit::Bytes ? formatBytes(Bytes(Value))
                                     : formatNumber(Value),
          Value};
}

Cell CellList::cell(uint64_t Value, FieldUnit Unit) {
  return {Unit == FieldUnit::Bytes ? formatBytes(Bytes(double(Value)))
                                   : std::to_string(Value),
          double(Value)};
}

void CsvCells::head(const Twine &Key, const Sizes3 &) {
  for (const char *Dimension : {"_x", "_y", "_z"})
    write((Key + Dimension).str(), FieldUnit::None);
}

void CsvCells::write(StringRef Text, FieldUnit) { OS << ',' << csvCell(Text); }

void CsvCells::write(double Value, FieldUnit Unit) {
  OS << ',';
  if (!std::isnan(Value))
    OS << format(Unit == FieldUnit::Percent ? "%.6g" : "%.9g", Value);
}

void CsvCells::write(const Sizes3 &Sizes, FieldUnit Unit) {
  for (uint64_t Size : Sizes)
    write(Size, Unit);
}

void JsonWriter::stored(const Twine &Key, double Value) {
  if (!std::isnan(Value))
    J.attribute(Key.str(), Value);
}

void JsonWriter::interval(double Level, const Milliseconds &Interval) {
  writeInterval(J, Level, Interval);
}

void JsonWriter::refusals(StringRef CountKey, const RefusalCounts &Refused) {
  J.attributeArray("refused", [&] {
    for (const auto &[Reason, Count] : Refused)
      J.object([&, &Reason = Reason, Count = Count] {
        J.attribute("reason", Reason);
        J.attribute(CountKey, int64_t(Count));
      });
  });
}

void JsonReader::interval(double &Level, Milliseconds &Interval) {
  const json::Object *Given = From->getObject("interval");
  if (!Given)
    return;
  Level = Given->getNumber("level").value_or(DefaultIntervalLevel);
  Interval = {Given->getNumber("low_ms").value_or(0),
              Given->getNumber("high_ms").value_or(0)};
}

void JsonReader::refusals(StringRef CountKey, RefusalCounts &Refused) {
  if (const json::Array *All = From->getArray("refused"))
    for (const json::Value &V : *All)
      if (const json::Object *O = V.getAsObject())
        Refused.emplace_back(O->getString("reason").value_or(""),
                             size_t(O->getInteger(CountKey).value_or(0)));
}

size_t JsonReader::place(std::vector<std::string> &Names, StringRef Name) {
  auto Place = find(Names, Name);
  if (Place == Names.end())
    Place = Names.insert(Place, Name.str());
  return size_t(Place - Names.begin());
}

void JsonReader::read(const json::Value &V, Sizes3 &Sizes) {
  const json::Array *Given = V.getAsArray();
  if (Given && Given->size() == Sizes.size())
    for (auto [Size, Value] : zip(Sizes, *Given))
      Size = uint64_t(Value.getAsInteger().value_or(0));
}

std::vector<std::string> assumptionRemarks(StringRef Start,
                                           ArrayRef<Assumption> Assumptions,
                                           ArrayRef<std::string> Premises) {
  std::vector<std::string> Remarks;
  for (const AssumptionGroup &G : groupAssumptions(Assumptions))
    Remarks.push_back(
        (Start + ": " + G.Shown.What + " = " + formatNumber(G.Shown.Value) +
         ": " + G.Shown.Why +
         (G.Shown.Settle.empty() ? "" : "; settle with " + G.Shown.Settle))
            .str());
  for (const std::string &Premise : Premises)
    Remarks.push_back("assumed: " + Premise);
  return Remarks;
}

std::vector<std::string> refusalRemarks(const RefusalCounts &Refused) {
  std::vector<std::string> Remarks;
  for (const auto &[Reason, Count] : Refused)
    Remarks.push_back(std::to_string(Count) + " cannot run: " + Reason);
  return Remarks;
}

void printRows(raw_ostream &OS, ArrayRef<CellList> Rows, unsigned Indent) {
  std::vector<std::string> Heads = Rows.front().Heads;
  std::vector<Align> Columns;
  for (StringRef Head : Heads)
    Columns.push_back(Head == "bound" ? Align::Left : Align::Right);
  Table Lines(Columns);
  Lines.row(std::move(Heads));
  for (const CellList &Row : Rows) {
    std::vector<std::string> Texts;
    for (const Cell &C : Row.Cells)
      Texts.push_back(C.Text);
    Lines.row(std::move(Texts));
  }
  Lines.print(OS, Indent);
}

void writeInterval(json::OStream &J, double Level,
                   const Milliseconds &IntervalMs) {
  if (!IntervalMs)
    return J.attribute("interval", nullptr);
  J.attributeObject("interval", [&] {
    J.attribute("level", Level);
    J.attribute("low_ms", IntervalMs->first);
    J.attribute("high_ms", IntervalMs->second);
  });
}

void writeTexts(json::OStream &J, StringRef Key, ArrayRef<std::string> Texts) {
  J.attributeArray(Key, [&] {
    for (const std::string &Text : Texts)
      J.value(Text);
  });
}

} // namespace gpuestimate
