/// \file
/// Finding, reading and merging the configuration file.
#include "gpu-estimate/Driver/Config.h"

#include "gpu-estimate/Driver/ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class Reader {
public:
  Reader(StringRef File, StringRef Text) : Stream(Text, Sources) {
    Result.File = File.str();
    Sources.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          // The first problem is the cause of those that follow it.
          std::string &Problem = static_cast<Reader *>(Self)->Problem;
          if (Problem.empty())
            Problem = (D.getFilename() == "YAML"
                           ? static_cast<Reader *>(Self)->Result.File
                           : D.getFilename().str()) +
                      ":" + std::to_string(D.getLineNo()) + ": " +
                      D.getMessage().str();
        },
        this);
  }

  Expected<Config> read();

private:
  void top(yaml::MappingNode &Map);
  void option(StringRef Key, yaml::Node &Where, yaml::Node *Value);
  void launches(yaml::Node *Value);
  void launch(yaml::MappingNode &Map);
  void sizes(yaml::Node *Value, std::optional<std::array<uint64_t, 3>> &Into);
  /// "NAME=VALUE" texts of a mapping, or the items of a sequence or scalar.
  std::vector<std::string> items(yaml::Node *Value);
  std::string scalar(yaml::Node *N, StringRef Expected);
  void fail(yaml::Node *Where, const Twine &Message) {
    if (Where && Problem.empty())
      Stream.printError(Where, Message);
  }
  void fail(yaml::Node *Where, Error E) { fail(Where, toString(std::move(E))); }

  SourceMgr Sources;
  yaml::Stream Stream;
  Config Result;
  std::string Problem;
};

} // namespace

std::string Reader::scalar(yaml::Node *N, StringRef Expected) {
  SmallString<32> Storage;
  if (auto *S = dyn_cast_or_null<yaml::ScalarNode>(N))
    return S->getValue(Storage).str();
  fail(N, "expected " + Expected);
  return "";
}

std::vector<std::string> Reader::items(yaml::Node *Value) {
  std::vector<std::string> Items;
  if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Value)) {
    for (yaml::KeyValueNode &Entry : *Map) {
      std::string Name = scalar(Entry.getKey(), "a name");
      Items.push_back(Name + "=" + scalar(Entry.getValue(), "a value"));
    }
  } else if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value)) {
    for (yaml::Node &Item : *List)
      Items.push_back(scalar(&Item, "a value"));
  } else {
    Items.push_back(scalar(Value, "a value, a list or NAME: VALUE pairs"));
  }
  return Items;
}

void Reader::option(StringRef Key, yaml::Node &Where, yaml::Node *Value) {
  std::string Known = "launch";
  for (const OptionSpec &Spec : optionTable()) {
    if (!Spec.InConfig)
      continue;
    if (Spec.Key == Key) {
      for (const std::string &Item : items(Value))
        if (Error E = applyOption(Result.Values, Spec, Key, Item))
          fail(&Where, std::move(E));
      return;
    }
    Known += ", " + Spec.Key.str();
  }
  fail(&Where, "no key is called '" + Key + "'; there are: " + Known);
}

void Reader::sizes(yaml::Node *Value,
                   std::optional<std::array<uint64_t, 3>> &Into) {
  std::string Text;
  if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value)) {
    for (yaml::Node &Item : *List)
      Text += (Text.empty() ? "" : ",") + scalar(&Item, "a size");
  } else {
    Text = scalar(Value, "a size or a list of up to three sizes");
  }
  auto Sizes = parseSizes(Text);
  if (Sizes)
    Into = *Sizes;
  else
    fail(Value, Sizes.takeError());
}

void Reader::launch(yaml::MappingNode &Map) {
  ConfigLaunch Entry;
  for (yaml::KeyValueNode &Pair : Map) {
    yaml::Node *Where = Pair.getKey();
    std::string Key = scalar(Where, "a key");
    if (Key == "kernel") {
      Entry.KernelRegex = scalar(Pair.getValue(), "a regular expression");
      std::string Wrong;
      if (!Regex(Entry.KernelRegex).isValid(Wrong))
        fail(Where, "not a regular expression: " + Wrong);
    } else if (Key == "grid") {
      sizes(Pair.getValue(), Entry.Launch.Grid);
    } else if (Key == "block") {
      sizes(Pair.getValue(), Entry.Launch.Block);
    } else if (Key == "dynamic_smem") {
      auto Size = parseInteger(scalar(Pair.getValue(), "a number of bytes"));
      if (Size)
        Entry.Launch.DynamicSharedBytes = *Size;
      else
        fail(Where, Size.takeError());
    } else if (Key == "param") {
      for (const std::string &Item : items(Pair.getValue())) {
        auto Named = parseNamedValue(Item);
        if (Named)
          Entry.Parameters.push_back(*Named);
        else
          fail(Where, Named.takeError());
      }
    } else {
      fail(Where, "no key of a launch is called '" + Key +
                      "'; there are: kernel, grid, block, dynamic_smem, param");
    }
  }
  if (Entry.KernelRegex.empty())
    Entry.KernelRegex = ".*";
  Result.Launches.push_back(std::move(Entry));
}

void Reader::launches(yaml::Node *Value) {
  if (auto *Single = dyn_cast_or_null<yaml::MappingNode>(Value))
    return launch(*Single);
  auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value);
  if (!List)
    return fail(Value, "expected a list of launches");
  for (yaml::Node &Item : *List) {
    if (auto *Map = dyn_cast<yaml::MappingNode>(&Item))
      launch(*Map);
    else
      fail(&Item, "expected the keys of a launch: kernel, grid, block, ...");
  }
}

void Reader::top(yaml::MappingNode &Map) {
  for (yaml::KeyValueNode &Pair : Map) {
    yaml::Node *Where = Pair.getKey();
    std::string Key = scalar(Where, "a key");
    if (!Where || !Problem.empty())
      return;
    if (Key == "launch")
      launches(Pair.getValue());
    else
      option(Key, *Where, Pair.getValue());
  }
}

Expected<Config> Reader::read() {
  for (yaml::Document &Document : Stream) {
    yaml::Node *Root = Document.getRoot();
    if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Root))
      top(*Map);
    else if (Root && !isa<yaml::NullNode>(Root))
      fail(Root, "expected keys such as 'gpu:' or 'launch:'");
    break;
  }
  if (!Problem.empty())
    return make_error<UsageError>(Problem);
  if (Stream.failed())
    return make_error<UsageError>(Result.File + ": not YAML");
  return std::move(Result);
}

std::string findConfig(StringRef SourceFile) {
  SmallString<128> Folder(SourceFile);
  sys::fs::make_absolute(Folder);
  while (sys::path::has_relative_path(Folder)) {
    sys::path::remove_filename(Folder);
    SmallString<128> Candidate(Folder);
    sys::path::append(Candidate, ".gpu-estimate.yaml");
    if (sys::fs::exists(Candidate))
      return Candidate.str().str();
  }
  return "";
}

Expected<Config> loadConfig(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return make_error<UsageError>(File.str() + ": " +
                                  Buffer.getError().message());
  return Reader(File, (*Buffer)->getBuffer()).read();
}

const ConfigLaunch *matchingLaunch(const Config &C, StringRef Mangled,
                                   StringRef Name) {
  for (const ConfigLaunch &Entry : C.Launches) {
    Regex Whole("^(" + Entry.KernelRegex + ")$");
    if (Whole.match(Name) || Whole.match(Mangled))
      return &Entry;
  }
  return nullptr;
}

Options merge(Options Given, const Config &C) {
  const Options &From = C.Values;
  auto Complete = [](auto &Target, const auto &Source) {
    if (!Target)
      Target = Source;
  };
  if (Given.Gpus.empty())
    Given.Gpus = From.Gpus;
  Complete(Given.Model, From.Model);
  Complete(Given.Caches, From.Caches);
  Complete(Given.Timing, From.Timing);
  Complete(Given.L1Hit, From.L1Hit);
  Complete(Given.L2Hit, From.L2Hit);
  Complete(Given.Registers, From.Registers);
  if (Given.Ptxas.empty())
    Given.Ptxas = From.Ptxas;
  // The command line's overrides are applied after the file's and win.
  Given.GpuOverrides.insert(Given.GpuOverrides.begin(),
                            From.GpuOverrides.begin(), From.GpuOverrides.end());
  append_range(Given.Without, From.Without);
  for (const IndexPattern &Pattern : From.Patterns)
    if (none_of(Given.Patterns, [&](const IndexPattern &P) {
          return P.Place == Pattern.Place;
        }))
      Given.Patterns.push_back(Pattern);
  append_range(Given.Silenced, From.Silenced);
  return Given;
}

} // namespace gpuestimate
