#include "gpu-estimate/Driver/ShellFiles.h"

#include "gpu-estimate/Evaluate/Models.h"

namespace gpuestimate {

std::string packageNames() {
  std::string Text = "# Written by gpu-estimate-docs.\nset(GpuEstimate_MODELS";
  for (const ModelInfo &Model : modelTable())
    Text += " " + Model.Name.str();
  return Text + ")\n";
}

} // namespace gpuestimate
