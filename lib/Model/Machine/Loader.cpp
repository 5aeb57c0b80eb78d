/// \file
/// From a YAML tree to a checked GpuModel, by walking the key table.
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Library.h"

#include "YamlReader.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

namespace {

constexpr uint64_t MaxModelBytes = 1 << 20;
/// A file with more is something else, or has one mistake all over.
constexpr size_t MaxUnknownKeys = 40;

/// Reads one tree into one model, collecting every problem on the way.
class ModelReader {
public:
  ModelReader(const YamlTree &Root, std::vector<LineMessage> &Messages)
      : Root(Root), Messages(Messages) {}

  GpuModel run() {
    for (const OpClassInfo &Class : opClassTable())
      Model.Ops[static_cast<unsigned>(Class.Class)].On = Class.UsualPipe;
    readSources();
    readMembers(Root, "");
    sourcePipes();
    checkRequired();
    return std::move(Model);
  }

private:
  void report(unsigned Line, const llvm::Twine &Text) {
    Messages.push_back({Line, Text.str()});
  }

  /// The `sources` map: short names for long citations.
  void readSources() {
    const YamlTree *Sources = Root.find("sources");
    if (!Sources)
      return;
    if (!Sources->isMap())
      return report(Sources->Line,
                    "sources: expected a map from a short name to a citation");
    for (const auto &[Name, Citation] : Sources->Members) {
      if (!Citation.isScalar() ||
          llvm::StringRef(Citation.Scalar).trim().empty())
        report(Citation.Line,
               "sources." + Name + ": expected the citation as text");
      Citations[Name] = Citation.Scalar;
    }
  }

  void readMembers(const YamlTree &Group, const std::string &Prefix) {
    for (const auto &[Name, Child] : Group.Members) {
      if (Prefix.empty() && Name == "sources")
        continue;
      if (Prefix.empty() && Name == "validation") {
        readValidation(Child);
        continue;
      }
      std::string Path = Prefix + Name;
      if (const GpuKey *Key = findGpuKey(Path)) {
        Seen.insert(Path);
        readKey(*Key, Child);
      } else if (isGroup(Path)) {
        if (Child.isMap())
          readMembers(Child, Path + ".");
        else
          report(Child.Line, Path + ": expected a map of keys");
      } else {
        reportUnknown(Child.Line, Path, Prefix);
      }
    }
  }

  void readValidation(const YamlTree &List) {
    if (!List.isList())
      return report(List.Line, "validation: expected a list of records");
    for (const YamlTree &Item : List.Items) {
      ValidationRecord R;
      auto Text = [&](llvm::StringRef Name) -> llvm::StringRef {
        const YamlTree *Field = Item.isMap() ? Item.find(Name) : nullptr;
        return Field && Field->isScalar() ? llvm::StringRef(Field->Scalar)
                                          : llvm::StringRef();
      };
      R.Dataset = Text("dataset");
      R.Date = Text("date");
      if (R.Dataset.empty() || R.Date.empty() ||
          Text("cases").getAsInteger(10, R.Cases) ||
          Text("mean_error").getAsDouble(R.MeanError) ||
          !(R.MeanError >= 0 && R.MeanError < 1e6) || Item.Members.size() != 4)
        report(Item.Line, "validation: expected a map of dataset, cases (a "
                          "whole number), mean_error (a fraction) and date");
      else
        Model.Validation.push_back(std::move(R));
    }
  }

  static bool isGroup(llvm::StringRef Path) {
    return llvm::any_of(gpuKeys(), [&](const GpuKey &K) {
      llvm::StringRef Rest = K.Path;
      return Rest.consume_front(Path) && Rest.starts_with(".");
    });
  }

  void reportUnknown(unsigned Line, const std::string &Path,
                     const std::string &Prefix) {
    if (++UnknownKeys > MaxUnknownKeys)
      return;
    if (UnknownKeys == MaxUnknownKeys)
      return report(Line, Path + ": unknown key; so may be further ones");
    std::vector<std::string> Known;
    for (const GpuKey &K : gpuKeys()) {
      llvm::StringRef Rest = K.Path;
      if (Rest.consume_front(Prefix))
        Known.push_back(Prefix + Rest.split('.').first.str());
    }
    report(Line, Path + ": unknown key" + didYouMean(Path, Known));
  }

  void readKey(const GpuKey &Key, const YamlTree &Node) {
    if (Key.Identity)
      return readPlain(Key, Node, Node, nullptr);
    // A pipe is a property of the class whose other values carry the source.
    if (Key.Dim == GpuDimension::PipeName && Node.isScalar())
      return readPlain(Key, Node, Node, nullptr);
    if (!Node.isMap())
      return report(Node.Line, Key.Path +
                                   ": expected a map with 'value', 'kind' and "
                                   "'source', where value is " +
                                   expectation(Key.Dim));
    Provenance From;
    const YamlTree *Value = nullptr;
    for (const auto &[Name, Child] : Node.Members) {
      if (Name == "value")
        Value = &Child;
      else if (Name == "fitted_on")
        readFittedOn(Key, Child, From);
      else if (!Child.isScalar())
        report(Child.Line, Key.Path + ": " + Name + ": expected text");
      else if (Name == "source")
        From.Source = Child.Scalar;
      else if (Name == "kind")
        From.Kind = Child.Scalar;
      else if (Name == "note")
        From.Note = Child.Scalar;
      else
        report(Child.Line, Key.Path + ": unknown field '" + Name + "'" +
                               didYouMean(Name, {"value", "source", "kind",
                                                 "note", "fitted_on"}));
    }
    checkProvenance(Key, Node, From);
    checkFitted(Key, Node, From);
    if (!Value)
      return report(Node.Line, Key.Path + ": 'value' is missing: expected " +
                                   expectation(Key.Dim));
    From.Line = Node.Line;
    readPlain(Key, *Value, Node, &From);
  }

  void readFittedOn(const GpuKey &Key, const YamlTree &List, Provenance &From) {
    for (const YamlTree &Item : List.Items)
      From.FittedOn.push_back(Item.Scalar);
    auto IsPattern = [](llvm::StringRef Cases) {
      auto [Dataset, Case] = Cases.split('/');
      return !Dataset.empty() && !Case.empty();
    };
    if (From.FittedOn.empty() || !llvm::all_of(From.FittedOn, IsPattern))
      report(List.Line, Key.Path +
                            ": fitted_on: expected a list of patterns "
                            "DATASET/CASE such as [streams/a40/fma/double/*]");
  }

  /// A fitted value names the cases that are no test of it. So may a value
  /// that another GPU's fitted one was carried over to.
  void checkFitted(const GpuKey &Key, const YamlTree &Node,
                   const Provenance &From) {
    bool CarriedOver = From.Kind == "inherited" || From.Kind == "derived" ||
                       From.Kind == "measured-arch";
    if (From.Kind == "fitted" && From.FittedOn.empty())
      report(Node.Line, Key.Path +
                            ": a value of kind 'fitted' needs 'fitted_on': the "
                            "cases of validation/ that it was computed from");
    else if (From.Kind != "fitted" && !CarriedOver && !From.FittedOn.empty())
      report(Node.Line, Key.Path +
                            ": a value with 'fitted_on' is of kind "
                            "'fitted', not '" +
                            From.Kind + "'");
  }

  /// Expands the source's short name.
  void checkProvenance(const GpuKey &Key, const YamlTree &Node,
                       Provenance &From) {
    if (From.Source.empty() && From.Kind != "assumed")
      report(
          Node.Line,
          Key.Path +
              ": 'source' is missing: who measured or documented this value?");
    else if (auto It = Citations.find(From.Source); It != Citations.end())
      From.Source = It->second;
    else if (!From.Source.empty() &&
             !llvm::StringRef(From.Source).contains(' ')) {
      std::vector<std::string> Names;
      for (const auto &Entry : Citations)
        Names.push_back(Entry.first().str());
      report(Node.Line, Key.Path + ": '" + From.Source +
                            "' is not in 'sources'" +
                            didYouMean(From.Source, Names));
    }
    std::vector<std::string> Kinds;
    for (const ProvenanceKind &Kind : provenanceKinds())
      Kinds.push_back(Kind.Name.str());
    if (From.Kind.empty())
      report(Node.Line, Key.Path + ": 'kind' is missing: expected " +
                            llvm::join(Kinds, ", "));
    else if (!llvm::is_contained(Kinds, From.Kind))
      report(Node.Line, Key.Path + ": unknown kind '" + From.Kind +
                            "': expected " + llvm::join(Kinds, ", "));
    // Nothing is inherited silently: the reader must learn from where and why.
    if ((From.Kind == "inherited" || From.Kind == "assumed") &&
        From.Note.empty())
      report(Node.Line, Key.Path + ": a value of kind '" + From.Kind +
                            "' needs a 'note' that says why");
  }

  void readPlain(const GpuKey &Key, const YamlTree &Value,
                 const YamlTree &Where, const Provenance *From) {
    std::string Text = Value.Scalar;
    std::vector<std::string> Items;
    for (const YamlTree &Item : Value.Items) {
      if (!Item.isScalar())
        return report(Where.Line,
                      Key.Path + ": expected " + expectation(Key.Dim));
      Items.push_back(Item.Scalar);
    }
    if (Value.isMap())
      return report(Where.Line, Key.Path + ": expected " +
                                    expectation(Key.Dim) + ", got a map");
    if (Value.isList())
      Text = llvm::join(Items, ", ");
    llvm::Expected<GpuValue> Parsed = Value.isList()
                                          ? parseGpuList(Key, Items)
                                          : parseGpuValue(Key, Value.Scalar);
    if (!Parsed)
      return report(Where.Line,
                    Key.Path + ": " + llvm::toString(Parsed.takeError()));
    Key.Set(Model, *Parsed);
    if (From) {
      Provenance &Kept = Model.Sources[Key.Path] = *From;
      Kept.Text = Text;
    } else if (!Key.Identity) {
      Provenance &Kept = Model.Sources[Key.Path]; // completed by sourcePipes
      Kept.Text = Text;
      Kept.Line = Where.Line;
    }
  }

  /// A pipe without a source of its own shares that of the class's throughput.
  void sourcePipes() {
    for (const GpuKey &Key : gpuKeys()) {
      auto It = Model.Sources.find(Key.Path);
      if (Key.Dim != GpuDimension::PipeName || It == Model.Sources.end() ||
          !It->second.Kind.empty())
        continue;
      std::string Throughput =
          llvm::StringRef(Key.Path).rsplit('.').first.str() + ".throughput";
      auto Shared = Model.Sources.find(Throughput);
      if (Shared == Model.Sources.end())
        continue; // reported where a required key is missing
      It->second.Source = Shared->second.Source;
      It->second.Note = Shared->second.Note;
      It->second.Kind = Shared->second.Kind;
      It->second.FittedOn = Shared->second.FittedOn;
    }
  }

  void checkRequired() {
    std::vector<const GpuKey *> Missing;
    for (const GpuKey &Key : gpuKeys())
      if (Key.Required && !Seen.contains(Key.Path))
        Missing.push_back(&Key);
    // A file that has hardly begun needs a list, not a page of explanations.
    if (Missing.size() > 8) {
      auto Paths =
          llvm::map_range(Missing, [](const GpuKey *Key) { return Key->Path; });
      return report(
          0, llvm::Twine(Missing.size()) +
                 " required keys are missing: " + llvm::join(Paths, ", "));
    }
    for (const GpuKey *Key : Missing)
      report(0, Key->Path + ": required key is missing: expected " +
                    expectation(Key->Dim) + " (" + Key->Meaning + ")");
  }

  const YamlTree &Root;
  std::vector<LineMessage> &Messages;
  GpuModel Model;
  size_t UnknownKeys = 0;
  llvm::StringMap<std::string> Citations;
  llvm::StringSet<> Seen;
};

llvm::Error joined(llvm::StringRef File, llvm::ArrayRef<LineMessage> Messages) {
  // By line, in the order of discovery within one; messages about the whole
  // file come last, because they are often consequences.
  std::vector<const LineMessage *> Sorted;
  for (const LineMessage &M : Messages)
    Sorted.push_back(&M);
  llvm::sort(Sorted, [](const LineMessage *A, const LineMessage *B) {
    return std::pair(A->Line - 1, A) < std::pair(B->Line - 1, B);
  });
  std::string Text;
  for (const LineMessage *M : Sorted) {
    Text += (Text.empty() ? "" : "\n") + File.str();
    if (M->Line)
      Text += ":" + std::to_string(M->Line);
    Text += ": " + M->Text;
  }
  return llvm::createStringError(Text);
}

} // namespace

llvm::Expected<GpuModel> loadGpuModel(llvm::StringRef File) {
  llvm::sys::fs::file_status Status;
  if (std::error_code Error = llvm::sys::fs::status(File, Status))
    return llvm::createStringError(
        File + ": cannot read the GPU model: " + Error.message());
  // Devices and pipes could deliver bytes without end.
  if (!llvm::sys::fs::is_regular_file(Status))
    return llvm::createStringError(
        File + ": cannot read the GPU model: not a regular file");
  if (Status.getSize() > MaxModelBytes)
    return llvm::createStringError(
        File + ": the file is larger than 1 MiB; this is not a GPU model");
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return llvm::createStringError(
        File + ": cannot read the GPU model: " + Buffer.getError().message());

  return parseGpuModel((*Buffer)->getBuffer(), File);
}

llvm::Expected<GpuModel> parseGpuModel(llvm::StringRef Text,
                                       llvm::StringRef Name) {
  std::vector<LineMessage> Messages;
  GpuModel Model;
  if (std::optional<YamlTree> Tree = readYaml(Text, Messages))
    Model = ModelReader(*Tree, Messages).run();
  if (!Messages.empty())
    return joined(Name, Messages);
  Model.File = Name.str();
  return Model;
}

} // namespace gpuestimate
