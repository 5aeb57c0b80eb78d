#include "Fields.h"

#include "llvm/Support/Base64.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuestimate {

void FieldWriter::write(std::string &Text) {
  OS.value(json::isUTF8(Text) ? Text : json::fixUTF8(Text));
}

void FieldWriter::bytes(StringRef Name, std::string &Value) {
  OS.attribute(Name, encodeBase64(Value));
}

void FieldWriter::bytes(StringRef Name, std::vector<std::string> &Values) {
  OS.attributeArray(Name, [&] {
    for (const std::string &Value : Values)
      OS.value(encodeBase64(Value));
  });
}

const json::Value *FieldReader::find(StringRef Name, bool IsNeeded) {
  if (!Problem.empty())
    return nullptr;
  const json::Value *Field = Current->get(Name);
  if (Field)
    ++NumRead;
  else if (IsNeeded)
    inside(Name, [&] { expected("a value"); });
  return Field;
}

void FieldReader::expected(StringRef What) {
  if (Problem.empty())
    Problem = ("field '" + Path + "': expected " + What).str();
}

void FieldReader::checkUnread() {
  if (Problem.empty() && NumRead != Current->size())
    Problem = (Path.empty() ? "" : "field '" + Path + "': ") +
              std::to_string(Current->size() - NumRead) +
              " fields that this version does not know";
}

Error FieldReader::takeError() {
  checkUnread();
  return Problem.empty() ? Error::success() : createStringError(Problem);
}

const json::Array *FieldReader::array(const json::Value &V) {
  const json::Array *Elements = V.getAsArray();
  if (!Elements)
    expected("an array");
  return Elements;
}

void FieldReader::read(const json::Value &V, std::string &Value) {
  if (std::optional<StringRef> Text = V.getAsString())
    Value = Text->str();
  else
    expected("a text");
}

void FieldReader::read(const json::Value &V, bool &Value) {
  if (std::optional<bool> Truth = V.getAsBoolean())
    Value = *Truth;
  else
    expected("true or false");
}

void FieldReader::read(const json::Value &V, double &Value) {
  std::optional<double> Number = V.getAsNumber();
  if (Number && std::isfinite(*Number))
    Value = *Number;
  else
    expected("a finite number");
}

void FieldReader::read(const json::Value &V, uint64_t &Value) {
  if (std::optional<uint64_t> Number = V.getAsUINT64())
    Value = *Number;
  else
    expected("an integer of at least 0");
}

void FieldReader::read(const json::Value &V, int64_t &Value) {
  if (std::optional<int64_t> Number = V.getAsInteger())
    Value = *Number;
  else
    expected("an integer");
}

void FieldReader::read(const json::Value &V, unsigned &Value) {
  std::optional<uint64_t> Number = V.getAsUINT64();
  if (Number && *Number <= std::numeric_limits<unsigned>::max())
    Value = static_cast<unsigned>(*Number);
  else
    expected("an integer of 32 bits that is at least 0");
}

void FieldReader::read(const json::Value &V, int &Value) {
  std::optional<int64_t> Number = V.getAsInteger();
  if (Number && *Number >= std::numeric_limits<int>::min() &&
      *Number <= std::numeric_limits<int>::max())
    Value = static_cast<int>(*Number);
  else
    expected("an integer of 32 bits");
}

void FieldReader::read(const json::Value &V,
                       std::pair<std::string, double> &Value) {
  const json::Array *Pair = array(V);
  if (!Pair)
    return;
  if (Pair->size() != 2)
    return expected("a name and a number");
  read((*Pair)[0], Value.first);
  read((*Pair)[1], Value.second);
}

void FieldReader::readBytes(const json::Value &V, std::string &Value) {
  std::optional<StringRef> Text = V.getAsString();
  std::vector<char> Bytes;
  if (!Text)
    return expected("bytes as base64");
  if (Error E = decodeBase64(*Text, Bytes)) {
    consumeError(std::move(E));
    return expected("bytes as base64");
  }
  Value.assign(Bytes.begin(), Bytes.end());
}

void FieldReader::bytes(StringRef Name, std::string &Value) {
  if (const json::Value *Field = find(Name, /*IsNeeded=*/true))
    inside(Name, [&] { readBytes(*Field, Value); });
}

void FieldReader::bytes(StringRef Name, std::vector<std::string> &Values) {
  const json::Value *Field = find(Name, /*IsNeeded=*/true);
  if (!Field)
    return;
  inside(Name, [&] {
    const json::Array *Elements = array(*Field);
    if (!Elements)
      return;
    Values.resize(Elements->size());
    for (size_t I = 0; I < Elements->size(); ++I)
      inside(std::to_string(I), [&] { readBytes((*Elements)[I], Values[I]); });
  });
}

} // namespace gpuestimate
