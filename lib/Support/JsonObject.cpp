#include "gpu-estimate/Support/JsonObject.h"

using namespace llvm;

namespace gpuestimate {

/// Records of a run nest five deep (trace, accesses, element, samples,
/// element), the files of compilers three.
static constexpr unsigned MaxNesting = 32;

static bool isNestedTooDeeply(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '"')
      InString = !InString;
    else if (InString && C == '\\')
      ++I;
    else if (!InString && (C == '{' || C == '['))
      ++Depth;
    else if (!InString && (C == '}' || C == ']') && Depth)
      --Depth;
    if (Depth > MaxNesting)
      return true;
  }
  return false;
}

Expected<json::Object> parseJsonObject(StringRef Text) {
  if (!json::isUTF8(Text))
    return createStringError("not UTF-8");
  if (isNestedTooDeeply(Text))
    return createStringError("nested too deeply");
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  if (json::Object *Object = Parsed->getAsObject())
    return std::move(*Object);
  return createStringError("expected a JSON object");
}

} // namespace gpuestimate
