/// \file
/// libFuzzer on the reader of GPU models: any bytes give a model or an error
/// that begins with the file's name; a model that was read is complete enough
/// for everything that looks at one. Run by scripts/fuzz.
#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/Plausibility.h"
#include <cstdlib>

using namespace gpuestimate;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  llvm::Expected<GpuModel> Model = parseGpuModel(Text, "fuzz.yaml");
  if (!Model) {
    std::string Message = llvm::toString(Model.takeError());
    if (!llvm::StringRef(Message).starts_with("fuzz.yaml:"))
      std::abort();
    return 0;
  }
  (void)describe(*Model);
  (void)checkPlausibility(*Model);
  return 0;
}
