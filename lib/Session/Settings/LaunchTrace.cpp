/// \file
/// Kernels of a trace in Chrome's format, as PyTorch's profiler writes it:
///
///   {"deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}],
///    "traceEvents": [
///     {"ph": "X", "cat": "kernel", "name": "void add<float>(float*, int)",
///      "dur": 12.3, "args": {"device": 0, "grid": [4096, 1, 1],
///      "block": [256, 1, 1], "shared memory": 0}}]}
///
/// `dur` is in microseconds, and "shared memory" counts static and dynamic
/// bytes together.
#include "LaunchFormats.h"
#include "gpu-estimate/Support/JsonObject.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class TraceReader {
public:
  explicit TraceReader(StringRef File) : File(File) {}
  Expected<LaunchFile> read(StringRef Text);

private:
  Error problem(size_t Event, const Twine &Expected) const {
    return createStringError(File + ": event " + Twine(Event) + ": expected " +
                             Expected);
  }
  Error take(size_t Number, const json::Object &Event,
             std::vector<RecordedLaunch> &Into);
  /// Three sizes above 0; nothing where the event has none.
  Expected<std::optional<std::array<uint64_t, 3>>>
  sizes(size_t Number, const json::Object &Arguments, StringRef Name) const;

  StringRef File;
  DenseMap<int64_t, std::string> Devices; ///< names by number
};

} // namespace

Expected<std::optional<std::array<uint64_t, 3>>>
TraceReader::sizes(size_t Number, const json::Object &Arguments,
                   StringRef Name) const {
  const json::Value *Value = Arguments.get(Name);
  if (!Value)
    return std::nullopt;
  const json::Array *List = Value->getAsArray();
  std::array<uint64_t, 3> Sizes = {1, 1, 1};
  bool IsRight = List && !List->empty() && List->size() <= 3;
  for (size_t I = 0; IsRight && I < List->size(); ++I) {
    std::optional<uint64_t> Size = (*List)[I].getAsUINT64();
    IsRight = Size && *Size > 0;
    if (IsRight)
      Sizes[I] = *Size;
  }
  if (!IsRight)
    return problem(Number, "three sizes above 0 in \"" + Name + "\"");
  return Sizes;
}

Error TraceReader::take(size_t Number, const json::Object &Event,
                        std::vector<RecordedLaunch> &Into) {
  StringRef Category = Event.getString("cat").value_or("");
  if (!Category.equals_insensitive("kernel") ||
      Event.getString("ph").value_or("X") != "X")
    return Error::success();
  std::optional<StringRef> Name = Event.getString("name");
  std::optional<double> Duration = Event.getNumber("dur");
  if (!Name || !Duration || *Duration < 0)
    return problem(Number, "\"name\" and \"dur\" of a kernel");
  RecordedLaunch &L = Into.emplace_back();
  L.Kernel = Name->str();
  L.Time = Seconds(*Duration * 1e-6);
  const json::Object *Arguments = Event.getObject("args");
  if (!Arguments)
    return Error::success();
  for (auto [Key, Into] : {std::pair(StringRef("grid"), &L.Sizes.Grid),
                           std::pair(StringRef("block"), &L.Sizes.Block)}) {
    auto Read = sizes(Number, *Arguments, Key);
    if (!Read)
      return Read.takeError();
    *Into = *Read;
  }
  if (std::optional<int64_t> Bytes = Arguments->getInteger("shared memory");
      Bytes && *Bytes >= 0)
    L.SharedBytes = *Bytes;
  if (std::optional<int64_t> Device = Arguments->getInteger("device"))
    L.Device = Devices.lookup(*Device);
  return Error::success();
}

Expected<LaunchFile> TraceReader::read(StringRef Text) {
  // Chrome takes a bare list of events, too.
  std::string Wrapped;
  if (Text.ltrim().starts_with("["))
    Wrapped = ("{\"traceEvents\":" + Text + "}").str();
  Expected<json::Object> Trace =
      parseJsonObject(Wrapped.empty() ? Text : StringRef(Wrapped));
  if (!Trace)
    return createStringError(File + ": " + toString(Trace.takeError()));
  if (const json::Array *Cards = Trace->getArray("deviceProperties"))
    for (const json::Value &Card : *Cards)
      if (const json::Object *Of = Card.getAsObject())
        if (std::optional<int64_t> Id = Of->getInteger("id"))
          Devices[*Id] = Of->getString("name").value_or("").str();
  const json::Array *Events = Trace->getArray("traceEvents");
  if (!Events)
    return createStringError(File + ": no trace of launches: expected "
                                    "\"traceEvents\" as PyTorch's profiler "
                                    "writes them");
  LaunchFile Read{File.str(), TimedBy::Timeline};
  for (size_t I = 0; I < Events->size(); ++I)
    if (const json::Object *Event = (*Events)[I].getAsObject())
      if (Error E = take(I, *Event, Read.Launches))
        return std::move(E);
  return Read;
}

Expected<LaunchFile> readLaunchTrace(StringRef File, StringRef Text) {
  return TraceReader(File).read(Text);
}

} // namespace gpuestimate
