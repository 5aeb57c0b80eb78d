#include "RequestOptions.h"

#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

bool isRequestOption(const OptionSpec &Spec) {
  return (Spec.Commands & ByAnalyze) && !Spec.Spelling.empty() &&
         Spec.Spelling != "--shard" && Spec.Spelling != "--results" &&
         (Spec.Section != OptionSection::Output ||
          Spec.Spelling == "--all-findings" || Spec.Spelling == "--no-warning");
}

std::string parameterName(const OptionSpec &Spec) {
  std::string Name = Spec.Spelling.ltrim('-').str();
  std::replace(Name.begin(), Name.end(), '-', '_');
  return Name;
}

/// A string, a number or true as the text of an option; nullopt for others.
static std::optional<std::string> optionText(const json::Value &Value) {
  if (auto Text = Value.getAsString())
    return Text->str();
  if (auto Whole = Value.getAsInteger())
    return std::to_string(*Whole);
  if (auto Number = Value.getAsNumber()) {
    std::string Text;
    raw_string_ostream(Text) << format("%.17g", *Number);
    return Text;
  }
  if (auto Flag = Value.getAsBoolean(); Flag && *Flag)
    return "";
  return std::nullopt;
}

/// One text for each time that the option is given.
static Expected<std::vector<std::string>>
optionTexts(StringRef Name, const json::Value &Value) {
  std::vector<std::string> Texts;
  auto Add = [&](const json::Value &Item, const Twine &Before) {
    std::optional<std::string> Text = optionText(Item);
    if (Text)
      Texts.push_back((Before + *Text).str());
    return Text.has_value();
  };
  bool IsGood = true;
  if (const json::Array *Items = Value.getAsArray())
    IsGood = all_of(*Items, [&](const json::Value &I) { return Add(I, ""); });
  else if (const json::Object *Named = Value.getAsObject())
    IsGood = all_of(*Named, [&](const auto &Entry) {
      return Add(Entry.second, StringRef(Entry.first) + "=");
    });
  else if (Value != json::Value(false) && Value != json::Value(nullptr))
    IsGood = Add(Value, "");
  if (!IsGood)
    return usage(Name + ": expected a string, a number, true, an array or an "
                        "object of them");
  return Texts;
}

/// The file name that tells the front end the language.
static Expected<std::string> nameOfLanguage(StringRef Language) {
  StringRef Extension = StringSwitch<StringRef>(Language)
                            .Case("cuda", ".cu")
                            .Case("hip", ".hip")
                            .Case("ptx", ".ptx")
                            .Case("llvm", ".ll")
                            .Case("c", ".c")
                            .Cases("c++", "cpp", ".cpp")
                            .Case("python", ".py")
                            .Default("");
  if (Extension.empty())
    return usage(
        "language: expected cuda, hip, ptx, llvm, c, c++ or python, got '" +
        Language + "'");
  return ("source" + Extension).str();
}

static Error takeSource(Options &O, const json::Object &Parameters) {
  auto File = Parameters.getString("file");
  auto Source = Parameters.getString("source");
  if (!File && !Source)
    return usage("a source is missing: pass \"source\" with its text, or "
                 "\"file\" with its name");
  if (Source)
    O.SourceText = Source->str();
  if (File) {
    O.Files = {File->str()};
    return Error::success();
  }
  Expected<std::string> Name =
      nameOfLanguage(Parameters.getString("language").value_or("cuda"));
  if (!Name)
    return Name.takeError();
  O.Files = {std::move(*Name)};
  return Error::success();
}

Error applyParameters(Options &O, const json::Object &Parameters) {
  if (Parameters.get("gpu"))
    O.Gpus.clear();
  for (const auto &[Key, Value] : Parameters) {
    StringRef Name = Key;
    Expected<std::vector<std::string>> Texts = optionTexts(Name, Value);
    if (!Texts)
      return Texts.takeError();
    if (Name == "args") {
      append_range(O.ClangArguments, *Texts);
      continue;
    }
    std::vector<std::string> Names = {"args"};
    const OptionSpec *Found = nullptr;
    for (const OptionSpec &Spec : optionTable())
      if (isRequestOption(Spec)) {
        Names.push_back(parameterName(Spec));
        if (Names.back() == Name)
          Found = &Spec;
      }
    if (!Found)
      return usage("no parameter is called '" + Name + "'" +
                   didYouMean(Name, Names));
    for (const std::string &Text : *Texts)
      if (Error E = applyOption(O, *Found, Name, Text))
        return E;
  }
  return Error::success();
}

json::Object without(const json::Object &Of, ArrayRef<StringRef> Names) {
  json::Object Others;
  for (const auto &[Key, Value] : Of)
    if (!is_contained(Names, StringRef(Key)))
      Others[Key] = Value;
  return Others;
}

Expected<Options> requestOptions(const Options &Defaults,
                                 const json::Object &Parameters) {
  Options O = Defaults;
  if (Error E = takeSource(O, Parameters))
    return std::move(E);
  if (Error E = applyParameters(
          O, without(Parameters, {"file", "source", "language", "id"})))
    return std::move(E);
  if (O.Gpus.empty())
    return usage("gpu: pass the id of a GPU model; the method gpus lists them");
  return O;
}

} // namespace gpuestimate
