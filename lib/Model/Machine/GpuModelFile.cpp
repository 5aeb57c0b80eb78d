/// \file
/// Reads a checked GpuModel from its YAML file.
#include "KeyTableReader.h"
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Library.h"

namespace gpuestimate {

namespace {

constexpr YamlFileKind FileKind = {"a GPU model", "id"};

/// The list `validation`, which `validate --record` writes.
void readValidation(const YamlMember &Records, GpuModel &Model,
                    std::vector<FileMessage> &Messages) {
  auto Report = [&](TextPlace Place, const char *Text) {
    Messages.push_back({{Place.Line, 0}, Text});
  };
  const YamlNode &List = Records.Value;
  if (!List.isList())
    return Report(Records.Place, "validation: expected a list of records");
  for (const YamlNode &Item : List.Items) {
    ValidationRecord Record;
    auto Text = [&](llvm::StringRef Name) -> llvm::StringRef {
      const YamlMember *Field = Item.find(Name);
      return Field && Field->Value.isScalar()
                 ? llvm::StringRef(Field->Value.Scalar)
                 : llvm::StringRef();
    };
    Record.Dataset = Text("dataset");
    Record.Date = Text("date");
    if (Record.Dataset.empty() || Record.Date.empty() ||
        Text("cases").getAsInteger(10, Record.Cases) ||
        Text("mean_error").getAsDouble(Record.MeanError) ||
        !(Record.MeanError >= 0 && Record.MeanError < 1e6) ||
        Item.Members.size() != 4)
      Report(Item.Place, "validation: expected a map of dataset, cases (a "
                         "whole number), mean_error (a fraction) and date");
    else
      Model.Validation.push_back(std::move(Record));
  }
}

} // namespace

llvm::Expected<GpuModel> loadGpuModel(llvm::StringRef File) {
  auto Buffer = readModelFile(File, "GPU");
  if (!Buffer)
    return Buffer.takeError();
  return parseGpuModel((*Buffer)->getBuffer(), File);
}

llvm::Expected<GpuModel> parseGpuModel(llvm::StringRef Text,
                                       llvm::StringRef Name) {
  std::vector<FileMessage> Messages;
  GpuModel Model;
  for (const OpClassInfo &Class : opClassTable())
    Model.Ops[static_cast<unsigned>(Class.Class)].On = Class.UsualPipe;
  if (std::optional<YamlNode> Tree = readModelYaml(Text, FileKind, Messages)) {
    readKeyTable(*Tree, gpuKeys(), Model, Messages, "validation");
    if (const YamlMember *Records = Tree->find("validation"))
      readValidation(*Records, Model, Messages);
  }
  if (!Messages.empty())
    return llvm::createStringError(printMessages(Name, Messages));
  Model.File = Name.str();
  return Model;
}

} // namespace gpuestimate
