#include "PartFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

bool hasSchema(StringRef File, StringRef Schema) {
  auto Buffer = MemoryBuffer::getFile(File);
  // The schema is the first attribute.
  return Buffer && (*Buffer)->getBuffer().take_front(200).contains(Schema);
}

/// The object of a JSON file.
static Expected<json::Object> readResult(StringRef File, StringRef Schema,
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

namespace {

/// Which part of which space a file is; a whole space is part 1 of 1.
struct PartFile {
  std::string File;
  int64_t Index = 1, Count = 1;
  std::string Space;

  PartFile(StringRef File, const json::Object &Result) : File(File.str()) {
    const json::Object *Part = Result.getObject("part");
    if (!Part)
      return;
    Index = Part->getInteger("index").value_or(1);
    Count = Part->getInteger("count").value_or(1);
    Space = Part->getString("space").value_or("");
  }
};

} // namespace

/// Parts: sorted by their indices.
static Error checkParts(ArrayRef<PartFile> Parts) {
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

Error readParts(
    ArrayRef<std::string> Files, StringRef Schema, StringRef Command,
    StringRef Key,
    function_ref<Error(const json::Object &Result, const json::Object &File)>
        Add) {
  std::vector<PartFile> Parts;
  for (const std::string &File : Files) {
    Expected<json::Object> Result = readResult(File, Schema, Command);
    if (!Result)
      return Result.takeError();
    Parts.emplace_back(File, *Result);
  }
  // Equal times stay in the order of the space.
  stable_sort(Parts, [](const PartFile &A, const PartFile &B) {
    return A.Index < B.Index;
  });
  if (Error E = checkParts(Parts))
    return E;
  // Each file is read again, as all parts of a space of millions of points
  // would not fit into memory.
  for (const PartFile &Part : Parts) {
    Expected<json::Object> File = readResult(Part.File, Schema, Command);
    if (!File)
      return File.takeError();
    if (const json::Array *Results = File->getArray(Key))
      for (const json::Value &V : *Results)
        if (const json::Object *Result = V.getAsObject())
          if (Error E = Add(*Result, *File))
            return createStringError(Part.File + ": " + toString(std::move(E)));
  }
  return Error::success();
}

} // namespace gpuestimate
