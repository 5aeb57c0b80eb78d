/// \file
/// Reads measurements from JSON lines.
#include "gpu-estimate/Measure/Samples.h"

#include "gpu-estimate/Measure/Groups.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static Error fill(Measurement &M, const json::Object &Line) {
  std::optional<StringRef> Group = Line.getString("group"),
                           Name = Line.getString("name");
  if (!Group || !Name)
    return createStringError("expected \"group\" and \"name\"");
  M.Group = Group->str();
  M.Name = Name->str();
  if (const json::Object *Parameters = Line.getObject("parameters"))
    for (const auto &[Key, Value] : *Parameters) {
      if (std::optional<double> Number = Value.getAsNumber())
        M.Numbers[Key.str()] = *Number;
      else if (std::optional<StringRef> Word = Value.getAsString())
        M.Words[Key.str()] = Word->str();
    }
  if (std::optional<StringRef> Text = Line.getString("text")) {
    M.Text = Text->str();
    return Error::success();
  }
  std::optional<double> Value = Line.getNumber("value");
  std::optional<StringRef> Unit = Line.getString("unit");
  // Measured quantities cannot be negative.
  if (!Value || !std::isfinite(*Value) || *Value < 0 || !Unit)
    return createStringError(
        "expected a finite \"value\" of at least 0 and its \"unit\"");
  M.Value = *Value;
  M.Unit = Unit->str();
  M.Samples = static_cast<unsigned>(
      std::max<int64_t>(0, Line.getInteger("samples").value_or(0)));
  M.Spread = Line.getNumber("spread").value_or(0);
  return Error::success();
}

Expected<std::vector<Measurement>> parseMeasurements(StringRef Text,
                                                     StringRef Where) {
  std::vector<Measurement> Result;
  unsigned Number = 0;
  while (!Text.empty()) {
    auto [Line, Following] = Text.split('\n');
    Text = Following;
    ++Number;
    if (Line.trim().empty())
      continue;
    std::string Place = (Where + ":" + Twine(Number) + ": ").str();
    if (!json::isUTF8(Line))
      return createStringError(Place + "not UTF-8");
    Expected<json::Value> Parsed = json::parse(Line);
    if (!Parsed)
      return createStringError(Place + toString(Parsed.takeError()));
    const json::Object *Object = Parsed->getAsObject();
    if (!Object)
      return createStringError(Place + "expected a JSON object");
    if (Error E = fill(Result.emplace_back(), *Object))
      return createStringError(Place + toString(std::move(E)));
  }
  return Result;
}

/// Checks and removes the last line, which states the number of lines before
/// it, so that a truncated file is not taken for fewer measurements.
static Error takeEnd(std::vector<Measurement> &Lines, StringRef File) {
  if (Lines.empty() || Lines.back().Name != "end" ||
      Lines.back().Value != static_cast<double>(Lines.size() - 1))
    return createStringError(File + ": cut off or edited: its last line does "
                                    "not count the lines before it; remove the "
                                    "file to measure the group again");
  Lines.pop_back();
  return Error::success();
}

Expected<std::vector<Measurement>> readRawFolder(StringRef Folder) {
  std::vector<Measurement> All;
  bool Any = false;
  for (const MeasureGroup &Group : measureGroups()) {
    SmallString<128> File(Folder);
    sys::path::append(File, Group.Name + ".jsonl");
    if (!sys::fs::exists(File))
      continue;
    Any = true;
    auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
    if (!Buffer)
      return createStringError(File + ": " + Buffer.getError().message());
    auto Lines = parseMeasurements((*Buffer)->getBuffer(), File);
    if (!Lines)
      return Lines.takeError();
    if (Error E = takeEnd(*Lines, File))
      return E;
    for (const Measurement &M : *Lines)
      if (M.Group != Group.Name)
        return createStringError(File + ": holds samples of the group '" +
                                 M.Group + "'");
    All.insert(All.end(), Lines->begin(), Lines->end());
  }
  if (!Any)
    return createStringError("no raw samples in '" + Folder +
                             "': expected files such as device.jsonl");
  return All;
}

} // namespace gpuestimate
