/// \file
/// Reads the checked values of a machine model from a YAML tree.
#include "KeyTableReader.h"

#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

namespace gpuestimate {

namespace {

constexpr uint64_t MaxModelBytes = 1 << 20;
/// A file with more unknown keys is no model, or repeats one mistake.
constexpr size_t MaxUnknownKeys = 40;

class KeyTableReader {
public:
  KeyTableReader(const YamlNode &Root, llvm::ArrayRef<BoundKey> Keys,
                 llvm::StringRef ForeignKey,
                 llvm::StringMap<Provenance> &Sources,
                 std::vector<FileMessage> &Messages)
      : Root(Root), Keys(Keys), ForeignKey(ForeignKey), Sources(Sources),
        Messages(Messages) {
    for (const BoundKey &Row : Keys)
      RowOf[Row.Key->Path] = &Row;
  }

  void run() {
    readCitations();
    readMembers(Root, "");
    sourcePipes();
    checkRequired();
  }

private:
  void report(unsigned Line, const llvm::Twine &Text) {
    Messages.push_back({{Line, 0}, Text.str()});
  }

  /// The `sources` map: short names for long citations.
  void readCitations() {
    const YamlMember *Map = Root.find("sources");
    if (!Map)
      return;
    if (!Map->Value.isMap())
      return report(Map->Place.Line,
                    "sources: expected a map from a short name to a citation");
    for (const auto &[Name, Place, Citation] : Map->Value.Members) {
      if (!Citation.isScalar() ||
          llvm::StringRef(Citation.Scalar).trim().empty())
        report(Place.Line,
               "sources." + Name + ": expected the citation as text");
      Citations[Name] = Citation.Scalar;
    }
  }

  void readMembers(const YamlNode &Group, const std::string &Prefix) {
    for (const YamlMember &Member : Group.Members) {
      if (Prefix.empty() &&
          (Member.Name == "sources" || Member.Name == ForeignKey))
        continue;
      std::string Path = Prefix + Member.Name;
      unsigned Line = Member.Place.Line;
      if (const BoundKey *Row = RowOf.lookup(Path)) {
        Seen.insert(Path);
        readKey(*Row, Member.Value, Line);
      } else if (!isGroup(Path)) {
        reportUnknown(Line, Path, Prefix);
      } else if (Member.Value.isMap()) {
        readMembers(Member.Value, Path + ".");
      } else {
        report(Line, Path + ": expected a map of keys");
      }
    }
  }

  bool isGroup(llvm::StringRef Path) const {
    return llvm::any_of(Keys, [&](const BoundKey &Row) {
      llvm::StringRef Suffix = Row.Key->Path;
      return Suffix.consume_front(Path) && Suffix.starts_with(".");
    });
  }

  void reportUnknown(unsigned Line, const std::string &Path,
                     const std::string &Prefix) {
    if (++UnknownKeys > MaxUnknownKeys)
      return;
    if (UnknownKeys == MaxUnknownKeys)
      return report(Line, Path + ": unknown key; so may be further ones");
    std::vector<std::string> Siblings;
    for (const BoundKey &Row : Keys) {
      llvm::StringRef Suffix = Row.Key->Path;
      if (Suffix.consume_front(Prefix))
        Siblings.push_back(Prefix + Suffix.split('.').first.str());
    }
    report(Line, Path + ": unknown key" + didYouMean(Path, Siblings));
  }

  void readKey(const BoundKey &Row, const YamlNode &Node, unsigned Line) {
    const MachineKey &Key = *Row.Key;
    if (Key.Identity)
      return readPlain(Row, Node, Line, nullptr);
    // A pipe has no map of its own: it shares the source of its class's
    // throughput.
    if (Key.Dim == KeyDimension::PipeName && Node.isScalar())
      return readPlain(Row, Node, Line, nullptr);
    if (!Node.isMap())
      return report(Line, Key.Path +
                              ": expected a map with 'value', 'kind' and "
                              "'source', where value is " +
                              expectation(Key.Dim));
    Provenance Origin;
    const YamlNode *Value = nullptr;
    for (const auto &[Name, Place, Child] : Node.Members) {
      if (Name == "value")
        Value = &Child;
      else if (Name == "fitted_on")
        readFittedOn(Key, Child, Place.Line, Origin);
      else if (!Child.isScalar())
        report(Place.Line, Key.Path + ": " + Name + ": expected text");
      else if (Name == "source")
        Origin.Source = Child.Scalar;
      else if (Name == "kind")
        Origin.Kind = Child.Scalar;
      else if (Name == "note")
        Origin.Note = Child.Scalar;
      else
        report(Place.Line, Key.Path + ": unknown field '" + Name + "'" +
                               didYouMean(Name, {"value", "source", "kind",
                                                 "note", "fitted_on"}));
    }
    checkProvenance(Key, Line, Origin);
    checkFitted(Key, Line, Origin);
    if (!Value)
      return report(Line, Key.Path + ": 'value' is missing: expected " +
                              expectation(Key.Dim));
    Origin.Line = Line;
    readPlain(Row, *Value, Line, &Origin);
  }

  void readFittedOn(const MachineKey &Key, const YamlNode &List, unsigned Line,
                    Provenance &Origin) {
    for (const YamlNode &Item : List.Items)
      Origin.FittedOn.push_back(Item.Scalar);
    auto IsPattern = [](llvm::StringRef Cases) {
      auto [Dataset, Case] = Cases.split('/');
      return !Dataset.empty() && !Case.empty();
    };
    if (Origin.FittedOn.empty() || !llvm::all_of(Origin.FittedOn, IsPattern))
      report(Line, Key.Path +
                       ": fitted_on: expected a list of patterns "
                       "DATASET/CASE such as [streams/a40/fma/double/*]");
  }

  /// A fitted value must name the cases that it was fitted on, which are no
  /// test of it. A value that was carried over from another machine's fitted
  /// value may name them.
  void checkFitted(const MachineKey &Key, unsigned Line,
                   const Provenance &Origin) {
    bool CarriedOver = Origin.Kind == "inherited" || Origin.Kind == "derived" ||
                       Origin.Kind == "measured-arch";
    if (Origin.Kind == "fitted" && Origin.FittedOn.empty())
      report(Line, Key.Path +
                       ": a value of kind 'fitted' needs 'fitted_on': the "
                       "cases of validation/ that it was computed from");
    else if (Origin.Kind != "fitted" && !CarriedOver &&
             !Origin.FittedOn.empty())
      report(Line, Key.Path +
                       ": a value with 'fitted_on' is of kind "
                       "'fitted', not '" +
                       Origin.Kind + "'");
  }

  /// Expands the source's short name.
  void checkProvenance(const MachineKey &Key, unsigned Line,
                       Provenance &Origin) {
    if (Origin.Source.empty() && Origin.Kind != "assumed")
      report(
          Line,
          Key.Path +
              ": 'source' is missing: who measured or documented this value?");
    else if (auto It = Citations.find(Origin.Source); It != Citations.end()) {
      Origin.SourceName = Origin.Source;
      Origin.Source = It->second;
    } else if (!Origin.Source.empty() &&
               !llvm::StringRef(Origin.Source).contains(' ')) {
      std::vector<std::string> Names;
      for (const auto &Entry : Citations)
        Names.push_back(Entry.first().str());
      report(Line, Key.Path + ": '" + Origin.Source + "' is not in 'sources'" +
                       didYouMean(Origin.Source, Names));
    }
    std::vector<std::string> Kinds;
    for (const ProvenanceKind &Kind : provenanceKinds())
      Kinds.push_back(Kind.Name.str());
    if (Origin.Kind.empty())
      report(Line, Key.Path + ": 'kind' is missing: expected " +
                       llvm::join(Kinds, ", "));
    else if (!llvm::is_contained(Kinds, Origin.Kind))
      report(Line, Key.Path + ": unknown kind '" + Origin.Kind +
                       "': expected " + llvm::join(Kinds, ", "));
    // Inherited and assumed values must explain themselves to the reader.
    if ((Origin.Kind == "inherited" || Origin.Kind == "assumed") &&
        Origin.Note.empty())
      report(Line, Key.Path + ": a value of kind '" + Origin.Kind +
                       "' needs a 'note' that says why");
  }

  /// Origin is null for a value that stands alone, without a map.
  void readPlain(const BoundKey &Row, const YamlNode &Value, unsigned Line,
                 const Provenance *Origin) {
    const MachineKey &Key = *Row.Key;
    std::string Text = Value.Scalar;
    std::vector<std::string> Items;
    for (const YamlNode &Item : Value.Items) {
      if (!Item.isScalar())
        return report(Line, Key.Path + ": expected " + expectation(Key.Dim));
      Items.push_back(Item.Scalar);
    }
    if (Value.isMap())
      return report(Line, Key.Path + ": expected " + expectation(Key.Dim) +
                              ", got a map");
    if (Value.isList())
      Text = llvm::join(Items, ", ");
    llvm::Expected<KeyValue> Parsed = Value.isList()
                                          ? parseKeyList(Key, Items)
                                          : parseKeyValue(Key, Value.Scalar);
    if (!Parsed)
      return report(Line, Key.Path + ": " + llvm::toString(Parsed.takeError()));
    Row.Store(*Parsed);
    if (Key.Identity)
      return;
    Provenance &Stored = Sources[Key.Path];
    if (Origin)
      Stored = *Origin;
    Stored.Line = Line;
    Stored.Text = Text;
  }

  /// A pipe without a source of its own shares that of the class's throughput.
  void sourcePipes() {
    for (const BoundKey &Row : Keys) {
      const MachineKey &Key = *Row.Key;
      auto It = Sources.find(Key.Path);
      if (Key.Dim != KeyDimension::PipeName || It == Sources.end() ||
          !It->second.Kind.empty())
        continue;
      std::string Throughput =
          llvm::StringRef(Key.Path).rsplit('.').first.str() + ".throughput";
      auto Shared = Sources.find(Throughput);
      if (Shared == Sources.end())
        continue; // reported where a required key is missing
      It->second.Source = Shared->second.Source;
      It->second.Note = Shared->second.Note;
      It->second.Kind = Shared->second.Kind;
      It->second.FittedOn = Shared->second.FittedOn;
    }
  }

  void checkRequired() {
    std::vector<const MachineKey *> Missing;
    for (const BoundKey &Row : Keys)
      if (Row.Key->Required && !Seen.contains(Row.Key->Path))
        Missing.push_back(Row.Key);
    // A mostly empty file gets a list of names instead of explanations.
    if (Missing.size() > 8) {
      auto Paths = llvm::map_range(
          Missing, [](const MachineKey *Key) { return Key->Path; });
      return report(
          0, llvm::Twine(Missing.size()) +
                 " required keys are missing: " + llvm::join(Paths, ", "));
    }
    for (const MachineKey *Key : Missing)
      report(0, Key->Path + ": required key is missing: expected " +
                    expectation(Key->Dim) + " (" + Key->Meaning + ")");
  }

  const YamlNode &Root;
  llvm::ArrayRef<BoundKey> Keys;
  llvm::StringRef ForeignKey;
  llvm::StringMap<Provenance> &Sources;
  std::vector<FileMessage> &Messages;
  llvm::StringMap<const BoundKey *> RowOf; ///< by path
  size_t UnknownKeys = 0;
  llvm::StringMap<std::string> Citations;
  llvm::StringSet<> Seen;
};

} // namespace

void readKeyTable(const YamlNode &Root, llvm::ArrayRef<BoundKey> Keys,
                  llvm::StringRef ForeignKey,
                  llvm::StringMap<Provenance> &Sources,
                  std::vector<FileMessage> &Messages) {
  KeyTableReader(Root, Keys, ForeignKey, Sources, Messages).run();
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readModelFile(llvm::StringRef File, llvm::StringRef Kind) {
  auto Failure = [&](const llvm::Twine &Reason) {
    return llvm::createStringError(File + ": cannot read the " + Kind +
                                   " model: " + Reason);
  };
  llvm::sys::fs::file_status Status;
  if (std::error_code Error = llvm::sys::fs::status(File, Status))
    return Failure(Error.message());
  // Devices and pipes could deliver bytes without end.
  if (!llvm::sys::fs::is_regular_file(Status))
    return Failure("not a regular file");
  if (Status.getSize() > MaxModelBytes)
    return llvm::createStringError(
        File + ": the file is larger than 1 MiB; this is not a " + Kind +
        " model");
  auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return Failure(Buffer.getError().message());
  return std::move(*Buffer);
}

std::optional<YamlNode> readModelYaml(llvm::StringRef Text,
                                      const YamlFileKind &Kind,
                                      std::vector<FileMessage> &Messages) {
  std::optional<YamlNode> Tree = readYaml(Text, Kind, Messages);
  for (FileMessage &Message : Messages)
    Message.Place.Column = 0;
  return Tree;
}

} // namespace gpuestimate
