/// \file
/// A flat YAML map by llvm::yaml::Stream.
#include "YamlKeys.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace gpuestimate {

std::string at(StringRef File, YamlPlace Where, const std::string &Message) {
  return (File + ":" + Twine(Where.Line) + ":" + Twine(Where.Column) + ": " +
          Message)
      .str();
}

namespace {

/// The parser recurses once for each bracket, so their number bounds its stack.
constexpr size_t MaxBrackets = 500;

class KeyReader {
public:
  KeyReader(StringRef File, StringRef Text)
      : File(File), Stream(Text, Sources, /*ShowColors=*/false) {
    Sources.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          static_cast<KeyReader *>(Self)->problem(
              {unsigned(D.getLineNo()), unsigned(D.getColumnNo() + 1)},
              D.getMessage().str());
        },
        this);
  }

  Expected<std::vector<YamlEntry>> read();

private:
  /// The first problem is the cause of those that follow it.
  void problem(YamlPlace Where, std::string Message) {
    if (Problem.empty())
      Problem = at(File, Where, Message);
  }
  YamlPlace place(yaml::Node &N) {
    auto [Line, Column] = Sources.getLineAndColumn(N.getSourceRange().Start);
    return {Line, Column};
  }
  YamlWord word(yaml::Node *N, const char *What, YamlPlace Near);
  YamlEntry entry(yaml::KeyValueNode &Pair, YamlPlace Near);

  StringRef File;
  SourceMgr Sources;
  yaml::Stream Stream;
  std::string Problem;
};

} // namespace

YamlWord KeyReader::word(yaml::Node *N, const char *What, YamlPlace Near) {
  YamlWord Result{"", Near};
  SmallString<64> Storage;
  if (N)
    Result.Where = place(*N);
  if (auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(N))
    Result.Text = Scalar->getValue(Storage).trim().str();
  else if (auto *Block = dyn_cast_or_null<yaml::BlockScalarNode>(N))
    Result.Text = Block->getValue().trim().str();
  else if (N && !isa<yaml::NullNode>(N))
    problem(Result.Where, std::string("expected ") + What);
  return Result;
}

YamlEntry KeyReader::entry(yaml::KeyValueNode &Pair, YamlPlace Near) {
  YamlEntry E;
  E.Key = word(Pair.getKey(), "a plain word as key", Near);
  yaml::Node *Value = Stream.failed() ? nullptr : Pair.getValue();
  if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value)) {
    E.Kind = YamlEntry::List;
    E.Value.Where = E.Key.Where;
    for (yaml::Node &Item : *List)
      E.Items.push_back(word(&Item, "a plain value", E.Key.Where));
  } else if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Value)) {
    E.Kind = YamlEntry::Map;
    E.Value.Where = E.Key.Where;
    for (yaml::KeyValueNode &Inner : *Map) {
      YamlWord Key = word(Inner.getKey(), "a plain word as key", E.Key.Where);
      if (Stream.failed())
        break;
      E.Pairs.push_back(
          {Key, word(Inner.getValue(), "a plain value", Key.Where)});
    }
  } else {
    E.Value = word(Value, "a plain value", E.Key.Where);
  }
  return E;
}

Expected<std::vector<YamlEntry>> KeyReader::read() {
  std::vector<YamlEntry> Entries;
  auto Document = Stream.begin();
  yaml::Node *Root = Document == Stream.end() ? nullptr : Document->getRoot();
  auto *Map = dyn_cast_or_null<yaml::MappingNode>(Root);
  if (!Map)
    problem({1, 1}, "expected keys such as 'schema: ...'");
  else
    for (yaml::KeyValueNode &Pair : *Map) {
      if (Stream.failed())
        break;
      YamlEntry E = entry(Pair, place(*Root));
      for (const YamlEntry &Other : Entries)
        if (Other.Key.Text == E.Key.Text)
          problem(E.Key.Where, "the key '" + E.Key.Text + "' is given twice");
      Entries.push_back(std::move(E));
    }
  if (Stream.failed())
    problem({1, 1}, "malformed YAML");
  if (!Problem.empty())
    return createStringError(Problem);
  return Entries;
}

Expected<std::vector<YamlEntry>> readYamlKeys(StringRef File, StringRef Text) {
  if (Text.count('[') + Text.count('{') + Text.count("- - ") > MaxBrackets)
    return createStringError(at(File, {1, 1}, "nested too deeply"));
  return KeyReader(File, Text).read();
}

} // namespace gpuestimate
