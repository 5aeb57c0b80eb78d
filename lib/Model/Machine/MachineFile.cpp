/// \file
/// From a YAML file to a checked CPU or FPGA model, by walking its key table.
#include "MachineKeys.h"

#include "YamlReader.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Reads one tree into the model behind Keys, collecting every problem.
class MachineReader {
public:
  MachineReader(const YamlTree &Root, llvm::ArrayRef<MachineKey> Keys,
                MachineIdentity &Into, std::vector<LineMessage> &Messages)
      : Root(Root), Keys(Keys), Into(Into), Messages(Messages) {}

  void run() {
    members(Root, "");
    for (const MachineKey &K : Keys)
      if (K.Required && !Seen.contains(K.Path))
        report(0, K.Path + ": this key is missing");
  }

private:
  void report(unsigned Line, const llvm::Twine &Text) {
    Messages.push_back({Line, Text.str()});
  }

  void members(const YamlTree &Group, const std::string &Prefix) {
    for (const auto &[Name, Child] : Group.Members) {
      if (Prefix.empty() && Name == "sources")
        continue;
      std::string Path = Prefix + Name;
      auto Key = llvm::find_if(
          Keys, [&](const MachineKey &K) { return K.Path == Path; });
      if (Key != Keys.end())
        value(*Key, Child);
      else if (Child.isMap() && isGroup(Path))
        members(Child, Path + ".");
      else
        unknown(Child.Line, Path);
    }
  }

  bool isGroup(llvm::StringRef Path) const {
    return llvm::any_of(Keys, [&](const MachineKey &K) {
      llvm::StringRef Rest = K.Path;
      return Rest.consume_front(Path) && Rest.starts_with(".");
    });
  }

  void unknown(unsigned Line, const std::string &Path) {
    std::vector<std::string> Known;
    for (const MachineKey &K : Keys)
      Known.push_back(K.Path);
    report(Line, Path + ": unknown key" + didYouMean(Path, Known));
  }

  void value(const MachineKey &Key, const YamlTree &Node) {
    Seen.insert(Key.Path);
    if (Key.Dim == GpuDimension::Text) {
      if (!Node.isScalar())
        return report(Node.Line, Key.Path + ": expected text");
      return Key.Store(GpuValue(Node.Scalar));
    }
    const YamlTree *Value = Node.isMap() ? Node.find("value") : nullptr;
    if (!Value || !Value->isScalar())
      return report(Node.Line, Key.Path +
                                   ": expected a map with 'value', 'kind' and "
                                   "'source', where value is " +
                                   expectation(Key.Dim));
    GpuKey Form; // what a value of this dimension may look like
    Form.Dim = Key.Dim;
    Form.Min = Key.Min;
    Form.Max = Key.Max;
    llvm::Expected<GpuValue> Parsed = parseGpuValue(Form, Value->Scalar);
    if (!Parsed)
      return report(Node.Line,
                    Key.Path + ": " + llvm::toString(Parsed.takeError()));
    Key.Store(*Parsed);
    provenance(Key, Node, Value->Scalar);
  }

  void provenance(const MachineKey &Key, const YamlTree &Node,
                  const std::string &Text) {
    Provenance From;
    From.Text = Text;
    From.Line = Node.Line;
    for (const auto &[Name, Child] : Node.Members) {
      if (Name == "kind")
        From.Kind = Child.Scalar;
      else if (Name == "source")
        From.Source = Child.Scalar;
      else if (Name == "note")
        From.Note = Child.Scalar;
      else if (Name == "fitted_on")
        for (const YamlTree &Item : Child.Items)
          From.FittedOn.push_back(Item.Scalar);
      else if (Name != "value")
        report(Child.Line, Key.Path + ": unknown field '" + Name + "'");
    }
    const YamlTree *Sources = Root.find("sources");
    if (const YamlTree *Long = Sources ? Sources->find(From.Source) : nullptr)
      From.Source = Long->Scalar;
    else if (!From.Source.empty() &&
             !llvm::StringRef(From.Source).contains(' '))
      report(Node.Line,
             Key.Path + ": '" + From.Source + "' is not in 'sources'");
    if (llvm::none_of(provenanceKinds(), [&](const ProvenanceKind &K) {
          return K.Name == From.Kind;
        }))
      report(Node.Line, Key.Path + ": unknown kind '" + From.Kind + "'");
    if ((From.Kind == "fitted") == From.FittedOn.empty())
      report(Node.Line, Key.Path + ": 'fitted_on', the cases of validation/ "
                                   "that a value was computed from, belongs "
                                   "to the kind 'fitted'");
    if (From.Source.empty() && From.Kind != "assumed")
      report(
          Node.Line,
          Key.Path +
              ": 'source' is missing: who measured or documented this value?");
    if ((From.Kind == "assumed" || From.Kind == "inherited") &&
        From.Note.empty())
      report(Node.Line, Key.Path + ": a value of kind '" + From.Kind +
                            "' needs a 'note' that says why");
    Into.Sources[Key.Path] = std::move(From);
  }

  const YamlTree &Root;
  llvm::ArrayRef<MachineKey> Keys;
  MachineIdentity &Into;
  std::vector<LineMessage> &Messages;
  llvm::StringSet<> Seen;
};

void checkRelations(const CpuModel &M, std::vector<LineMessage> &Messages) {
  bool Slot = M.PcieGeneration > 0 && M.PcieLanes > 0;
  if (Slot == M.UnifiedMemory)
    Messages.push_back(
        {0,
         "expected either unified_memory or pcie.generation and pcie.lanes"});
  for (unsigned I = 1; I < M.Caches.size(); ++I)
    if (M.Caches[I].Size.value() > 0 && M.Caches[I].Bandwidth.value() <= 0)
      Messages.push_back({0, "l" + std::to_string(I + 1) +
                                 ": expected size, shared_by and bandwidth"});
}
void checkRelations(const FpgaModel &, std::vector<LineMessage> &) {}

template <typename Model> llvm::Expected<Model> load(llvm::StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return llvm::createStringError(File + ": " + Buffer.getError().message());
  std::vector<LineMessage> Messages;
  Model M;
  std::optional<YamlTree> Root = readYaml(Buffer.get()->getBuffer(), Messages);
  if (Root && Messages.empty()) {
    std::vector<MachineKey> Keys = keysOf(M);
    MachineReader(*Root, Keys, M, Messages).run();
    if (Messages.empty())
      checkRelations(M, Messages);
  }
  M.File = File.str();
  if (Messages.empty())
    return M;
  std::vector<std::string> Lines;
  for (const LineMessage &Message : Messages)
    Lines.push_back((File +
                     (Message.Line ? ":" + llvm::Twine(Message.Line) : "") +
                     ": " + Message.Text)
                        .str());
  return llvm::createStringError(llvm::join(Lines, "\n"));
}

std::string shippedFolder(bool Cpu) {
  llvm::Expected<std::string> Folder =
      findDataFolder(Cpu ? "cpumodels" : "fpgamodels");
  if (Folder)
    return *Folder;
  llvm::consumeError(Folder.takeError());
  return "";
}

std::vector<std::string> idsIn(llvm::StringRef Folder) {
  std::vector<std::string> Ids;
  std::error_code Problem;
  for (fs::directory_iterator It(Folder, Problem), End; !Problem && It != End;
       It.increment(Problem))
    if (path::extension(It->path()) == ".yaml")
      Ids.push_back(path::stem(It->path()).str());
  llvm::sort(Ids);
  return Ids;
}

template <typename Model>
llvm::Expected<Model> find(llvm::StringRef Name, llvm::StringRef Folder,
                           llvm::StringRef What, bool Cpu) {
  if (Name.ends_with(".yaml") || Name.ends_with(".yml"))
    return load<Model>(Name);
  std::string Shipped = Folder.empty() ? shippedFolder(Cpu) : Folder.str();
  std::vector<std::string> Ids = idsIn(Shipped);
  if (!llvm::is_contained(Ids, Name.lower()))
    return llvm::createStringError(
        "no " + What + " model is called '" + Name.take_front(60) + "'" +
        didYouMean(Name, Ids) + "; there are: " + llvm::join(Ids, ", "));
  llvm::SmallString<128> File(Shipped);
  path::append(File, Name.lower() + ".yaml");
  return load<Model>(File);
}

} // namespace

llvm::Expected<CpuModel> findCpuModel(llvm::StringRef Name,
                                      llvm::StringRef Folder) {
  return find<CpuModel>(Name, Folder, "CPU", true);
}

llvm::Expected<FpgaModel> findFpgaModel(llvm::StringRef Name,
                                        llvm::StringRef Folder) {
  return find<FpgaModel>(Name, Folder, "FPGA", false);
}

BytesPerSecond CpuModel::linkBandwidth() const {
  // Gigatransfers per second of a lane; 8b/10b encoding up to generation 2,
  // 128b/130b from 3 on (generation 6 sends flits of about that efficiency).
  static constexpr double Transfers[] = {0, 2.5, 5, 8, 16, 32, 64};
  double Encoding = PcieGeneration <= 2 ? 0.8 : 128.0 / 130;
  double Payload = 256.0 / (256 + 24);
  return BytesPerSecond(PcieLanes * Transfers[PcieGeneration] * 1e9 / 8 *
                        Encoding * Payload);
}

} // namespace gpuestimate
