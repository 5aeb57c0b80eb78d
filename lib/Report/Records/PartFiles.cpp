#include "PartFiles.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

bool hasSchema(StringRef File, StringRef Schema) {
  auto Buffer = MemoryBuffer::getFile(File);
  // The schema is the first attribute.
  return Buffer && (*Buffer)->getBuffer().take_front(200).contains(Schema);
}

Expected<json::Object> readResult(StringRef File, StringRef Schema,
                                  StringRef Command) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  Expected<json::Value> Value = json::parse((*Buffer)->getBuffer());
  if (!Value)
    return createStringError(File + ": " + toString(Value.takeError()));
  json::Object *Object = Value->getAsObject();
  if (!Object || Object->getString("schema") != Schema)
    return createStringError(File + ": expected a result of " + Command +
                             " in JSON (" + Schema + ")");
  return std::move(*Object);
}

PartFile::PartFile(StringRef File, const json::Object &Result)
    : File(File.str()) {
  const json::Object *Part = Result.getObject("part");
  if (!Part)
    return;
  Index = Part->getInteger("index").value_or(1);
  Count = Part->getInteger("count").value_or(1);
  Space = textOf(*Part, "space");
}

Error checkParts(ArrayRef<PartFile> Parts) {
  const PartFile &First = Parts.front();
  int64_t Expected = 1;
  for (const PartFile &Part : Parts) {
    if (Part.Space != First.Space || Part.Count != First.Count)
      return createStringError(Part.File + ": a part of another space than " +
                               First.File);
    if (Part.Index == Expected - 1)
      return createStringError(Part.File + ": part " + Twine(Part.Index) +
                               " of " + Twine(Part.Count) + " is there twice");
    if (Part.Index != Expected)
      break;
    ++Expected;
  }
  if (Expected > First.Count)
    return Error::success();
  return createStringError("part " + Twine(Expected) + " of " +
                           Twine(First.Count) + " is missing");
}

std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::vector<std::string> textsOf(const json::Object &O, StringRef Key) {
  std::vector<std::string> Texts;
  if (const json::Array *All = O.getArray(Key))
    for (const json::Value &V : *All)
      Texts.push_back(V.getAsString().value_or("").str());
  return Texts;
}

SourceLocation placeOf(StringRef Text) {
  auto [File, Line] = Text.rsplit(':');
  SourceLocation At = {File.str(), 0, 1};
  return Line.getAsInteger(10, At.Line) ? SourceLocation() : At;
}

std::vector<Assumption> assumptionsOf(const json::Object &O) {
  std::vector<Assumption> Assumptions;
  if (const json::Array *All = O.getArray("assumptions"))
    for (const json::Value &V : *All)
      if (const json::Object *Given = V.getAsObject()) {
        Assumption A;
        A.What = textOf(*Given, "what");
        A.Why = textOf(*Given, "why");
        A.Settle = textOf(*Given, "settle");
        A.Value = Given->getNumber("value").value_or(0);
        A.Location = placeOf(textOf(*Given, "location"));
        Assumptions.push_back(std::move(A));
      }
  return Assumptions;
}

std::optional<std::pair<double, double>> intervalOf(const json::Object &O) {
  const json::Object *Interval = O.getObject("interval");
  if (!Interval)
    return std::nullopt;
  return std::pair(Interval->getNumber("low_ms").value_or(0),
                   Interval->getNumber("high_ms").value_or(0));
}

} // namespace gpuestimate
