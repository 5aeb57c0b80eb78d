/// \file
/// Finding and reading the configuration file.
#include "gpu-estimate/Session/Settings/Config.h"

#include "ParseValue.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

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
  Reader(StringRef File, StringRef Text) : Stream(Text, Sources) {
    Result.File = File.str();
    Sources.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          // The first problem is the cause of those that follow it.
          auto &R = *static_cast<Reader *>(Self);
          if (R.Problem.empty())
            R.Problem = R.Result.File + ":" + std::to_string(D.getLineNo()) +
                        ":" + std::to_string(D.getColumnNo() + 1) + ": " +
                        D.getMessage().str();
        },
        this);
  }

  Expected<Config> read();

private:
  /// A value, or NAME=VALUE of a mapping, with its place.
  struct Item {
    std::string Text;
    yaml::Node *Where;
  };

  void top(yaml::MappingNode &Map);
  void entries(yaml::Node *Value);
  void entry(yaml::MappingNode &Map);
  void pattern(StringRef Key, yaml::Node *Value, ConfigEntry &Entry);
  /// The row of the table that is called Key; none is an error.
  const OptionSpec *find(StringRef Key, yaml::Node *Where, bool InKernel);
  void option(const OptionSpec &Spec, yaml::Node *Value, bool InKernel,
              Options &Into, NamePlaces &Places);
  std::vector<Item> items(const OptionSpec &Spec, yaml::Node *Value,
                          bool InKernel);
  std::string scalar(yaml::Node *N, const Twine &Expected);
  SourceLocation place(yaml::Node *N) const;
  void fail(yaml::Node *Where, const Twine &Message) {
    if (Where && Problem.empty())
      Stream.printError(Where, Message);
  }

  SourceMgr Sources;
  yaml::Stream Stream;
  Config Result;
  std::string Problem;
};

} // namespace

SourceLocation Reader::place(yaml::Node *N) const {
  auto [Line, Column] = Sources.getLineAndColumn(N->getSourceRange().Start);
  return {Result.File, Line, Column};
}

std::string Reader::scalar(yaml::Node *N, const Twine &Expected) {
  SmallString<32> Storage;
  if (auto *S = dyn_cast_or_null<yaml::ScalarNode>(N))
    return S->getValue(Storage).str();
  fail(N, "expected " + Expected);
  return "";
}

std::vector<Reader::Item> Reader::items(const OptionSpec &Spec,
                                        yaml::Node *Value, bool InKernel) {
  std::vector<Item> Items;
  auto Single = [&](yaml::Node *N) {
    Items.push_back({scalar(N, "a value of '" + Spec.Key + "'"), N});
  };
  if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Value)) {
    // An entry has named its kernel; its budgets differ in their GPU.
    bool OfGpu = InKernel && Spec.Key == "budget";
    for (yaml::KeyValueNode &Pair : *Map) {
      yaml::Node *Where = Pair.getKey();
      std::string Name = scalar(Where, "a name");
      std::string Text = scalar(Pair.getValue(), "a value");
      Items.push_back(
          {OfGpu ? Text + "@" + Name : Name + "=" + Text, Where ? Where : Map});
    }
  } else if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value)) {
    // Sizes are one value.
    bool Sizes = Spec.Metavariable.contains("[,");
    Item All{"", List};
    for (yaml::Node &N : *List) {
      if (Sizes)
        All.Text += (All.Text.empty() ? "" : ",") + scalar(&N, "a size");
      else
        Single(&N);
    }
    if (Sizes)
      Items.push_back(std::move(All));
  } else {
    Single(Value);
  }
  if (!Spec.Repeatable && Items.size() != 1)
    fail(Value, "expected one value of '" + Spec.Key + "'");
  return Items;
}

const OptionSpec *Reader::find(StringRef Key, yaml::Node *Where,
                               bool InKernel) {
  std::vector<std::string> Known;
  if (InKernel)
    for (const EntryKey &K : EntryKeys)
      Known.push_back(K.Name.str());
  else
    Known.push_back(KernelsKey.str());
  bool Elsewhere = false;
  for (const OptionSpec &Spec : optionTable()) {
    bool Here = InKernel ? Spec.inKernel() : Spec.inFile();
    if (Spec.Key == Key && Here)
      return &Spec;
    Elsewhere |= Spec.Key == Key && (Spec.inKernel() || Spec.inFile());
    if (Here)
      Known.push_back(Spec.Key.str());
  }
  fail(Where, "no key " + Twine(InKernel ? "of a kernel " : "") +
                  "is called '" + Key + "'" +
                  (!Elsewhere ? didYouMean(Key, Known)
                   : InKernel ? "; it holds for the whole file"
                              : "; it stands in an entry of 'kernels'") +
                  "; there are: " + join(Known, ", "));
  return nullptr;
}

void Reader::option(const OptionSpec &Spec, yaml::Node *Value, bool InKernel,
                    Options &Into, NamePlaces &Places) {
  for (const Item &I : items(Spec, Value, InKernel)) {
    if (!Problem.empty())
      return;
    // A flag: its opposite is to leave it out.
    if (Spec.Metavariable.empty()) {
      if (I.Text != "true" && I.Text != "false")
        return fail(I.Where, "expected true or false, got '" + I.Text + "'");
      if (I.Text == "false")
        continue;
    }
    size_t Names = Into.Parameters.size(), Patterns = Into.Patterns.size();
    if (Error E = applyOption(Into, Spec, Spec.Key, I.Text))
      return fail(I.Where, toString(std::move(E)));
    for (const auto &Named : drop_begin(Into.Parameters, Names))
      Places[Named.first] = place(I.Where);
    for (const IndexPattern &P : drop_begin(Into.Patterns, Patterns))
      Places[P.name()] = place(I.Where);
  }
}

void Reader::pattern(StringRef Key, yaml::Node *Value, ConfigEntry &Entry) {
  std::string Text = scalar(Value, "a text");
  if (Key == "kernel") {
    std::string Wrong;
    if (!Regex(Text).isValid(Wrong))
      fail(Value, "not a regular expression: '" + Text + "': " + Wrong);
    Entry.KernelRegex = std::move(Text);
    return;
  }
  if (Expected<GlobPattern> Glob = GlobPattern::create(Text); !Glob)
    fail(Value, "not a file pattern: " + toString(Glob.takeError()));
  Entry.FileGlob = std::move(Text);
}

void Reader::entry(yaml::MappingNode &Map) {
  ConfigEntry Entry;
  Entry.Place = place(&Map);
  for (yaml::KeyValueNode &Pair : Map) {
    yaml::Node *Where = Pair.getKey();
    std::string Key = scalar(Where, "a key");
    if (!Where || !Problem.empty())
      return;
    if (any_of(EntryKeys, [&](const EntryKey &K) { return K.Name == Key; }))
      pattern(Key, Pair.getValue(), Entry);
    else if (const OptionSpec *Spec = find(Key, Where, /*InKernel=*/true))
      option(*Spec, Pair.getValue(), /*InKernel=*/true, Entry.Values,
             Entry.Places);
    if (!Entry.Values.Budgets.empty() &&
        !Entry.Values.Budgets.back().KernelRegex.empty())
      fail(Where, "the entry names its kernel; a budget here is TIME, "
                  "TIME@GPU or a mapping GPU: TIME");
  }
  Result.Kernels.push_back(std::move(Entry));
}

void Reader::entries(yaml::Node *Value) {
  if (auto *Single = dyn_cast_or_null<yaml::MappingNode>(Value))
    return entry(*Single);
  auto *List = dyn_cast_or_null<yaml::SequenceNode>(Value);
  if (!List)
    return fail(Value, "expected a list of kernels");
  for (yaml::Node &Item : *List) {
    if (auto *Map = dyn_cast<yaml::MappingNode>(&Item))
      entry(*Map);
    else
      fail(&Item, "expected the keys of a kernel: kernel, grid, block, ...");
  }
}

void Reader::top(yaml::MappingNode &Map) {
  for (yaml::KeyValueNode &Pair : Map) {
    yaml::Node *Where = Pair.getKey();
    std::string Key = scalar(Where, "a key");
    if (!Where || !Problem.empty())
      return;
    if (Key == KernelsKey)
      entries(Pair.getValue());
    else if (const OptionSpec *Spec = find(Key, Where, /*InKernel=*/false))
      option(*Spec, Pair.getValue(), /*InKernel=*/false, Result.Values,
             Result.Places);
  }
}

Expected<Config> Reader::read() {
  for (yaml::Document &Document : Stream) {
    yaml::Node *Root = Document.getRoot();
    if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Root))
      top(*Map);
    else if (Root && !isa<yaml::NullNode>(Root))
      fail(Root, "expected keys such as 'gpu:' or 'kernels:'");
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

} // namespace gpuestimate
