/// \file
/// The table of fitted values, by key and then by GPU.
#include "gpu-estimate/Model/Machine/FittedValues.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

static const Provenance *fittedSource(const GpuModel &Model,
                                      const GpuKey &Key) {
  auto It = Model.Sources.find(Key.Path);
  return It == Model.Sources.end() || It->second.FittedOn.empty() ? nullptr
                                                                  : &It->second;
}

std::string fittedValuesTable(llvm::ArrayRef<GpuModel> Models) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "| key | GPU | value | cases it was computed from | carried over to "
        "|\n| --- | --- | --- | --- | --- |\n";
  for (const GpuKey &Key : gpuKeys()) {
    if (Key.Dim == KeyDimension::PipeName) // shares its throughput's source
      continue;
    for (const GpuModel &Model : Models) {
      const Provenance *Origin = fittedSource(Model, Key);
      if (!Origin || Origin->Kind != "fitted")
        continue;
      std::vector<std::string> Others;
      for (const GpuModel &Other : Models)
        if (const Provenance *Lent = fittedSource(Other, Key))
          if (Lent->Kind != "fitted" && Lent->FittedOn == Origin->FittedOn)
            Others.push_back("`" + Other.Id + "`");
      OS << "| `" << Key.Path << "` | `" << Model.Id << "` | " << Origin->Text
         << " | `" << llvm::join(Origin->FittedOn, "`, `") << "` | "
         << llvm::join(Others, ", ") << " |\n";
    }
  }
  return Text;
}

} // namespace gpuestimate
