/// \file
/// The words of annotations.
#include "Annotation.h"

#include "ModelOptions.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class AnnotationReader {
public:
  AnnotationReader(StringRef Text, const Constants &Variables)
      : Rest(Text), Variables(Variables) {}

  Expected<Options> run();

private:
  Error item();
  Error call(StringRef Word, StringRef Content);
  Error setting(StringRef Key, StringRef Value);
  Error launch(StringRef Content);
  Error budget(StringRef Content);
  Error unknownWord(StringRef Word);
  void skipSeparators() {
    Rest = Rest.drop_while(
        [](char C) { return isSpace(C) || C == ',' || C == ';'; });
  }
  /// Up to the next separator.
  StringRef takeWord() {
    StringRef Word = Rest.take_until(
        [](char C) { return isSpace(C) || C == ',' || C == ';'; });
    Rest = Rest.drop_front(Word.size());
    return Word;
  }

  StringRef Rest;
  const Constants &Variables;
  Options Result;
};

} // namespace

Expected<Options> AnnotationReader::run() {
  for (skipSeparators(); !Rest.empty(); skipSeparators())
    if (Error E = item())
      return E;
  return std::move(Result);
}

/// Text behind the bracket that closes the one which Text begins with; npos
/// where none does.
static size_t bracketEnd(StringRef Text) {
  int Open = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Open += Text[I] == '(';
    Open -= Text[I] == ')';
    if (Open == 0)
      return I + 1;
  }
  return StringRef::npos;
}

Error AnnotationReader::item() {
  StringRef Word = Rest.take_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '-'; });
  if (Word.empty())
    return unknownWord(takeWord());
  Rest = Rest.drop_front(Word.size());
  StringRef Next = Rest.ltrim();
  if (Next.starts_with("(")) {
    size_t End = bracketEnd(Next);
    if (End == StringRef::npos)
      return usage("expected ')' after '" + Word + Next + "'");
    Rest = Next.drop_front(End);
    // An attribute may have its arguments in quotation marks.
    std::string Content = Next.slice(1, End - 1).trim().str();
    erase(Content, '"');
    return call(Word, Content);
  }
  if (Word == "param") {
    skipSeparators();
    return parseParameter(Result, takeWord(), Variables);
  }
  if (!Next.consume_front("="))
    return unknownWord(Word);
  Rest = Next.ltrim();
  // A comma separates items only before a word; within sizes, the sizes.
  std::string Value = takeWord().str();
  while (true) {
    StringRef After = Rest;
    if (!After.consume_front(","))
      break;
    After = After.ltrim();
    if (After.empty() || !isDigit(After.front()))
      break;
    Rest = After;
    Value += "," + takeWord().str();
  }
  return setting(Word, Value);
}

Error AnnotationReader::unknownWord(StringRef Word) {
  return usage(
      "'" + Word + "' is no annotation" +
      didYouMean(Word, {"assume", "budget", "launch", "param", "grid", "block",
                        "dynamic-smem"}) +
      "; expected assume(NAME = VALUE), budget(TIME, GPU), launch(grid "
      "= X, block = X), grid=X, block=X, dynamic-smem=BYTES or param "
      "NAME=VALUE");
}

Error AnnotationReader::call(StringRef Word, StringRef Content) {
  if (Word == "assume")
    return parseAssumptions(Result, Content, Variables);
  if (Word == "budget")
    return budget(Content);
  if (Word == "launch")
    return launch(Content);
  return unknownWord(Word);
}

Error AnnotationReader::setting(StringRef Word, StringRef Value) {
  std::string Key = Word.str();
  std::replace(Key.begin(), Key.end(), '_', '-');
  if (Key == "grid" || Key == "block") {
    auto Sizes = parseSizes(Value, Variables);
    if (!Sizes)
      return Sizes.takeError();
    (Key == "grid" ? Result.Launch.Grid : Result.Launch.Block) = *Sizes;
    return Error::success();
  }
  if (Key != "dynamic-smem")
    return unknownWord(Word);
  auto Size = parseInteger(Value, Variables);
  if (!Size)
    return Size.takeError();
  Result.Launch.DynamicSharedBytes = *Size;
  return Error::success();
}

Error AnnotationReader::launch(StringRef Content) {
  std::string Key, Value;
  auto Set = [&] {
    return Key.empty() ? Error::success() : setting(Key, Value);
  };
  for (StringRef Part : splitAtCommas(Content)) {
    auto [Name, Number] = Part.split('=');
    if (Name.size() == Part.size()) { // a further size
      if (Key.empty())
        return usage("expected launch(grid = X, block = X), got '" + Content +
                     "'");
      Value += "," + Part.str();
      continue;
    }
    if (Error E = Set())
      return E;
    Key = Name.trim().str();
    Value = Number.trim().str();
  }
  return Set();
}

Error AnnotationReader::budget(StringRef Content) {
  std::vector<StringRef> Parts = splitAtCommas(Content);
  if (Parts.size() > 2)
    return usage("expected budget(TIME) or budget(TIME, GPU), got '" + Content +
                 "'");
  std::string Text = Parts[0].str();
  if (Parts.size() == 2)
    Text += "@" + Parts[1].str();
  auto Parsed = parseBudget(Text);
  if (!Parsed)
    return Parsed.takeError();
  if (!Parsed->KernelRegex.empty())
    return usage("expected budget(TIME) or budget(TIME, GPU), got '" + Content +
                 "'");
  Result.Budgets.push_back(std::move(*Parsed));
  return Error::success();
}

Expected<Options> parseAnnotation(StringRef Text, const Constants &Variables) {
  return AnnotationReader(Text, Variables).run();
}

Expected<Options> parseAnnotation(const SourceAnchor &Anchor, StringRef Text,
                                  const Constants &Variables) {
  bool IsLoop = Anchor.Kind == SourceAnchor::Loop;
  StringRef Word = IsLoop ? "trip" : "probability";
  auto [Name, Value] = Text.split('=');
  if (Name.trim() != Word)
    return usage("expected " + Word + " = VALUE of " +
                 (IsLoop ? "a loop" : "a condition") + ", got '" + Text + "'" +
                 didYouMean(Name.trim(), {Word.str()}));
  auto Named = parseNamedValue(
      ((IsLoop ? "trip@" : "branch@") + Anchor.Name + "=" + Value).str(),
      Variables);
  if (!Named)
    return Named.takeError();
  Options Result;
  Result.Parameters.push_back(std::move(*Named));
  return Result;
}

} // namespace gpuestimate
