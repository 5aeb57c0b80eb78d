#include "EditorSettings.h"

#include "RequestOptions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

Error EditorSettings::apply(const json::Object &NewGiven,
                            const json::Array &NewGpus) {
  json::Object All(NewGiven);
  if (!NewGpus.empty())
    All["gpu"] = json::Array(NewGpus);
  Options New = Defaults;
  if (Error E = applyParameters(New, All))
    return E;
  json::Object Kept(NewGiven);
  json::Array KeptGpus(NewGpus);
  Given = std::move(Kept);
  Gpus = std::move(KeptGpus);
  Current = std::move(New);
  Text.clear();
  raw_string_ostream(Text) << json::Value(std::move(All));
  return Error::success();
}

Error EditorSettings::configure(const json::Object &New) {
  return apply(New, Gpus);
}

Error EditorSettings::chooseGpus(const json::Array &Ids) {
  return apply(Given, Ids);
}

} // namespace gpuestimate
