/// \file
/// The table of models.
#include "gpu-estimate/Evaluate/Models.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static constexpr ModelInfo Table[] = {
    {DefaultModel, "latencies, issue, bandwidths, waves and launches"},
    {"roofline", "bytes and operations at peak: the naive baseline"},
};

ArrayRef<ModelInfo> modelTable() { return Table; }

bool isModel(StringRef Name) {
  return any_of(Table, [&](const ModelInfo &M) { return M.Name == Name; });
}

std::string modelNames() {
  std::string Names;
  for (const ModelInfo &M : Table)
    Names += (Names.empty() ? "" : ", ") + M.Name.str();
  return Names;
}

} // namespace gpuestimate
