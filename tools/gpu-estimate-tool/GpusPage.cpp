#include "GpusPage.h"

#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

static const char *const Introduction = R"(# GPU models

<!-- Written by gpu-estimate-docs: scripts/check-docs --fix -->

`gpu-estimate gpus` lists them, `gpu-estimate gpus ID` prints each value with its source, and
`gpu-estimate gpus --derive` makes the model of a GPU that is not here from one that is
([gpu-model.md](gpu-model.md)).

)";

std::string gpuTableReference() {
  auto Fail = [](llvm::Error E) {
    llvm::errs() << "gpu-estimate-docs: " << llvm::toString(std::move(E))
                 << '\n';
    std::exit(2);
  };
  llvm::Expected<std::string> Folder = findModelFolder();
  if (!Folder)
    Fail(Folder.takeError());
  llvm::Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models)
    Fail(Models.takeError());
  std::string Rows;
  llvm::raw_string_ostream Table(Rows);
  unsigned Validated = 0;
  for (const GpuModel &Gpu : *Models) {
    Validated += !Gpu.Validation.empty();
    unsigned Cases = 0;
    for (const ValidationRecord &R : Gpu.Validation)
      Cases += R.Cases;
    ValueOrigins Origins = valueOrigins(Gpu);
    Table << llvm::formatv(
        "| `{0}` | {1} | {2} | {3} | {4} | {5} | {6} | {7} |\n", Gpu.Id,
        Gpu.Name, Gpu.Architecture, Gpu.SmCount,
        formatRate(Gpu.DramPeakBandwidth),
        llvm::formatv("{0} of {1}", Origins.OfOtherGpus, Origins.All),
        Cases ? std::to_string(Cases) : std::string("none"),
        Cases ? describeValidation(Gpu.Validation) : std::string("-"));
  }
  std::string Text = Introduction;
  llvm::raw_string_ostream(Text)
      << Models->size() << " models, of which " << Validated
      << " have been held against measured times. *From other GPUs*: values "
         "that were measured on, or\ntaken over from, another GPU, of all "
         "values of the file. *Cases*: measured launches of this very GPU in "
         "the\n[datasets](validation.md); a model without cases has not been "
         "checked against any time. *Mean error*: of their\npredictions.\n\n"
         "| id | name | architecture | multiprocessors | DRAM peak | from "
         "other GPUs | cases | mean error |\n"
         "| --- | --- | --- | --: | --: | --: | --: | --- |\n"
      << Rows;
  return Text;
}

} // namespace gpuestimate
