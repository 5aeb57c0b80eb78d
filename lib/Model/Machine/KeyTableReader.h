/// \file
/// Reads the file of a machine model (GPU, CPU or FPGA board) by walking its
/// key table, and collects every problem on the way.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEREADER_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEREADER_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Machine/MachineKeys.h"
#include "gpu-estimate/Support/Yaml.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

/// A row of a key table, bound to the model that is being read.
struct BoundKey {
  const MachineKey *Key;
  std::function<void(const KeyValue &)> Store;
};

/// Stores the values of Root by Keys and their provenance in Sources. The
/// top-level map `sources` gives short names to citations; the top-level key
/// ForeignKey is the caller's. Messages name lines, as editors count them, and
/// the key.
void readKeyTable(const YamlNode &Root, llvm::ArrayRef<BoundKey> Keys,
                  llvm::StringRef ForeignKey,
                  llvm::StringMap<Provenance> &Sources,
                  std::vector<FileMessage> &Messages);

/// Reads the values of Root into Into, which has a member Sources.
template <typename Model>
void readKeyTable(const YamlNode &Root, llvm::ArrayRef<KeyOf<Model>> Keys,
                  Model &Into, std::vector<FileMessage> &Messages,
                  llvm::StringRef ForeignKey = "") {
  std::vector<BoundKey> Bound;
  for (const KeyOf<Model> &Key : Keys)
    Bound.push_back(
        {&Key, [&](const KeyValue &Value) { Key.Set(Into, Value); }});
  readKeyTable(Root, Bound, ForeignKey, Into.Sources, Messages);
}

/// The text of a model file: a regular file of at most 1 MiB. Kind names it
/// in errors: "GPU".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readModelFile(llvm::StringRef File, llvm::StringRef Kind);

/// Reads YAML for a model. Messages of models name whole lines.
std::optional<YamlNode> readModelYaml(llvm::StringRef Text,
                                      const YamlFileKind &Kind,
                                      std::vector<FileMessage> &Messages);

} // namespace gpuestimate

#endif
