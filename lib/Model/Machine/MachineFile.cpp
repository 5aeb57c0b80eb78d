/// \file
/// Finds a CPU or FPGA model and reads it from its YAML file.
#include "CpuFpgaKeys.h"

#include "KeyTableReader.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

void checkRelations(const CpuModel &M, std::vector<FileMessage> &Messages) {
  bool Slot = M.PcieGeneration > 0 && M.PcieLanes > 0;
  if (Slot == M.UnifiedMemory)
    Messages.push_back(
        {{},
         "expected either unified_memory or pcie.generation and pcie.lanes"});
  for (unsigned I = 1; I < M.Caches.size(); ++I)
    if (M.Caches[I].Size.value() > 0 && M.Caches[I].Bandwidth.value() <= 0)
      Messages.push_back({{},
                          "l" + std::to_string(I + 1) +
                              ": expected size, shared_by and bandwidth"});
}
void checkRelations(const FpgaModel &, std::vector<FileMessage> &) {}

/// What differs between the two kinds of models.
template <typename Model> struct MachineKind {
  llvm::StringLiteral Name;   ///< "CPU"
  YamlFileKind File;          ///< "a CPU model"
  llvm::StringLiteral Folder; ///< of the shipped models
  llvm::ArrayRef<KeyOf<Model>> (*Keys)();
};

constexpr MachineKind<CpuModel> CpuKind = {
    "CPU", {"a CPU model", "id"}, "cpumodels", cpuKeys};
constexpr MachineKind<FpgaModel> FpgaKind = {
    "FPGA", {"an FPGA model", "id"}, "fpgamodels", fpgaKeys};

template <typename Model>
llvm::Expected<Model> load(llvm::StringRef File,
                           const MachineKind<Model> &Kind) {
  auto Buffer = readModelFile(File, Kind.Name);
  if (!Buffer)
    return Buffer.takeError();
  std::vector<FileMessage> Messages;
  Model M;
  if (std::optional<YamlNode> Root =
          readModelYaml((*Buffer)->getBuffer(), Kind.File, Messages))
    readKeyTable(*Root, Kind.Keys(), M, Messages);
  if (Messages.empty())
    checkRelations(M, Messages);
  if (!Messages.empty())
    return llvm::createStringError(printMessages(File, Messages));
  M.File = File.str();
  return M;
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
                           const MachineKind<Model> &Kind) {
  if (Name.ends_with(".yaml") || Name.ends_with(".yml"))
    return load<Model>(Name, Kind);
  std::string Models = Folder.str();
  if (Models.empty()) {
    llvm::Expected<std::string> Shipped = findDataFolder(Kind.Folder);
    if (!Shipped)
      return Shipped.takeError();
    Models = *Shipped;
  }
  std::vector<std::string> Ids = idsIn(Models);
  if (!llvm::is_contained(Ids, Name.lower()))
    return llvm::createStringError(
        "no " + Kind.Name + " model is called '" + Name.take_front(60) + "'" +
        didYouMean(Name, Ids) + "; there are: " + llvm::join(Ids, ", "));
  llvm::SmallString<128> File(Models);
  path::append(File, Name.lower() + ".yaml");
  return load<Model>(File, Kind);
}

} // namespace

llvm::Expected<CpuModel> findCpuModel(llvm::StringRef Name,
                                      llvm::StringRef Folder) {
  return find(Name, Folder, CpuKind);
}

llvm::Expected<FpgaModel> findFpgaModel(llvm::StringRef Name,
                                        llvm::StringRef Folder) {
  return find(Name, Folder, FpgaKind);
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
