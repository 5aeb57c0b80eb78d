/// \file
/// Finding and reading the configuration file.
#include "gpu-estimate/Session/Settings/Config.h"

#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Support/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral KernelsKey = "kernels";

static constexpr EntryKey EntryKeys[] = {
    {"kernel", "Regular expression that matches the whole demangled or mangled "
               "name of the kernels. Default: all."},
    {"file", "Glob of the source files that the entry is about, relative to "
             "the folder of the configuration file; without '/' it matches a "
             "file's name in any folder. Default: all."},
};

ArrayRef<EntryKey> entryKeys() { return EntryKeys; }

namespace {

class Reader {
public:
  explicit Reader(StringRef File) { Result.File = File.str(); }

  Expected<Config> read(const YamlNode &Root);

private:
  /// A value, or NAME=VALUE of a mapping, with its place.
  struct Item {
    std::string Text;
    TextPlace Place;
  };

  void entries(const YamlMember &Kernels);
  void entry(const YamlNode &Map);
  void pattern(const YamlMember &Key, ConfigEntry &Entry);
  /// The row of the table that has the name of Key; none is an error.
  const OptionSpec *find(const YamlMember &Key, bool InKernel);
  void option(const OptionSpec &Spec, const YamlNode &Value, bool InKernel,
              Options &Into, NamePlaces &Places);
  std::vector<Item> items(const OptionSpec &Spec, const YamlNode &Value,
                          bool InKernel);
  std::string scalar(const YamlNode &Node, const Twine &Expected);
  SourceLocation location(TextPlace Place) const {
    return {Result.File, Place.Line, Place.Column};
  }
  /// The first problem is the cause of those that follow it.
  void fail(TextPlace Place, const Twine &Message) {
    if (Problem.empty())
      Problem = printMessage(Result.File, Place, Message.str());
  }

  Config Result;
  std::string Problem;
};

} // namespace

std::string Reader::scalar(const YamlNode &Node, const Twine &Expected) {
  if (Node.What != YamlNode::Kind::Scalar)
    fail(Node.Place, "expected " + Expected);
  return Node.Scalar;
}

std::vector<Reader::Item> Reader::items(const OptionSpec &Spec,
                                        const YamlNode &Value, bool InKernel) {
  std::vector<Item> Items;
  auto Single = [&](const YamlNode &Node) {
    Items.push_back(
        {scalar(Node, "a value of '" + Spec.Key + "'"), Node.Place});
  };
  if (Value.isMap()) {
    // An entry has named its kernel; its budgets differ in their GPU.
    bool ByGpu = InKernel && Spec.Key == "budget";
    for (const auto &[Name, Place, Node] : Value.Members) {
      std::string Text = scalar(Node, "a value");
      Items.push_back({ByGpu ? Text + "@" + Name : Name + "=" + Text, Place});
    }
  } else if (Value.isList()) {
    // The sizes of a grid or block are one value.
    bool Sizes = Spec.Metavariable.contains("[,");
    Item All{"", Value.Place};
    for (const YamlNode &Node : Value.Items) {
      if (Sizes)
        All.Text += (All.Text.empty() ? "" : ",") + scalar(Node, "a size");
      else
        Single(Node);
    }
    if (Sizes)
      Items.push_back(std::move(All));
  } else {
    Single(Value);
  }
  if (!Spec.Repeatable && Items.size() != 1)
    fail(Value.Place, "expected one value of '" + Spec.Key + "'");
  return Items;
}

const OptionSpec *Reader::find(const YamlMember &Key, bool InKernel) {
  std::vector<std::string> Names;
  if (InKernel)
    for (const EntryKey &K : EntryKeys)
      Names.push_back(K.Name.str());
  else
    Names.push_back(KernelsKey.str());
  bool Elsewhere = false;
  for (const OptionSpec &Spec : optionTable()) {
    bool Allowed = InKernel ? Spec.inKernel() : Spec.inFile();
    if (Spec.Key == Key.Name && Allowed)
      return &Spec;
    Elsewhere |= Spec.Key == Key.Name && (Spec.inKernel() || Spec.inFile());
    if (Allowed)
      Names.push_back(Spec.Key.str());
  }
  fail(Key.Place, "no key " + Twine(InKernel ? "of a kernel " : "") +
                      "is called '" + Key.Name + "'" +
                      (!Elsewhere ? didYouMean(Key.Name, Names)
                       : InKernel ? "; it holds for the whole file"
                                  : "; it belongs in an entry of 'kernels'") +
                      "; there are: " + join(Names, ", "));
  return nullptr;
}

void Reader::option(const OptionSpec &Spec, const YamlNode &Value,
                    bool InKernel, Options &Into, NamePlaces &Places) {
  for (const Item &I : items(Spec, Value, InKernel)) {
    if (!Problem.empty())
      return;
    // A flag: its opposite is to leave it out.
    if (Spec.Metavariable.empty()) {
      if (I.Text != "true" && I.Text != "false")
        return fail(I.Place, "expected true or false, got '" + I.Text + "'");
      if (I.Text == "false")
        continue;
    }
    size_t Names = Into.Parameters.size(), Patterns = Into.Patterns.size();
    if (Error E = applyOption(Into, Spec, Spec.Key, I.Text))
      return fail(I.Place, toString(std::move(E)));
    for (const auto &Named : drop_begin(Into.Parameters, Names))
      Places[Named.first] = location(I.Place);
    for (const IndexPattern &P : drop_begin(Into.Patterns, Patterns))
      Places[P.name()] = location(I.Place);
  }
}

void Reader::pattern(const YamlMember &Key, ConfigEntry &Entry) {
  TextPlace Place = Key.Value.Place;
  std::string Text = scalar(Key.Value, "a text");
  if (Key.Name == "kernel") {
    std::string Wrong;
    if (!Regex(Text).isValid(Wrong))
      fail(Place, "not a regular expression: '" + Text + "': " + Wrong);
    Entry.KernelRegex = std::move(Text);
    return;
  }
  if (Expected<GlobPattern> Glob = GlobPattern::create(Text); !Glob)
    fail(Place, "not a file pattern: " + toString(Glob.takeError()));
  Entry.FileGlob = std::move(Text);
}

void Reader::entry(const YamlNode &Map) {
  ConfigEntry Entry;
  Entry.Place = location(Map.Place);
  for (const YamlMember &Key : Map.Members) {
    if (!Problem.empty())
      return;
    if (any_of(EntryKeys,
               [&](const EntryKey &K) { return K.Name == Key.Name; }))
      pattern(Key, Entry);
    else if (const OptionSpec *Spec = find(Key, /*InKernel=*/true))
      option(*Spec, Key.Value, /*InKernel=*/true, Entry.Values, Entry.Places);
    if (!Entry.Values.Budgets.empty() &&
        !Entry.Values.Budgets.back().KernelRegex.empty())
      fail(Key.Place, "the entry names its kernel; a budget here is TIME, "
                      "TIME@GPU or a mapping GPU: TIME");
  }
  Result.Kernels.push_back(std::move(Entry));
}

void Reader::entries(const YamlMember &Kernels) {
  if (Kernels.Value.isMap())
    return entry(Kernels.Value);
  if (!Kernels.Value.isList())
    return fail(Kernels.Value.Place, "expected a list of kernels");
  for (const YamlNode &Node : Kernels.Value.Items) {
    if (Node.isMap())
      entry(Node);
    else
      fail(Node.Place,
           "expected the keys of a kernel: kernel, grid, block, ...");
  }
}

Expected<Config> Reader::read(const YamlNode &Root) {
  for (const YamlMember &Key : Root.Members) {
    if (!Problem.empty())
      break;
    if (Key.Name == KernelsKey)
      entries(Key);
    else if (const OptionSpec *Spec = find(Key, /*InKernel=*/false))
      option(*Spec, Key.Value, /*InKernel=*/false, Result.Values,
             Result.Places);
  }
  if (!Problem.empty())
    return make_error<UsageError>(Problem);
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
  auto Root = readYamlFile(File, (*Buffer)->getBuffer(),
                           {"a configuration", "gpu", /*MayBeEmpty=*/true});
  if (!Root)
    return make_error<UsageError>(toString(Root.takeError()));
  return Reader(File).read(*Root);
}

} // namespace gpuestimate
