/// \file
/// Page of fitted values: constants and rules of the code from a table here,
/// values of GPU models from their files.
#include "FittedPage.h"

#include "gpu-estimate/Model/Machine/FittedValues.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace gpuestimate {

namespace {

struct FittedRule {
  const char *What;
  const char *File; ///< below the root of the repository
  const char *Text; ///< stands in the file: scripts/check-fitted looks for it
  const char *On;   ///< cases or other measurements
};

/// A rule that was kept because errors fell with it is fitted, even where no
/// number was adjusted.
constexpr FittedRule Rules[] = {
    {"how far predictions are off, by the parts of their time: the width of "
     "intervals, not the times themselves",
     "lib/Evaluate/Uncertainty/ErrorTable.inc", "// Written by",
     "all datasets, by cases that assume nothing; a second row for each "
     "dataset is made without it"},
    {"what an L1 keeps of an array near its capacity",
     "include/gpu-estimate/Evaluate/Cache/Traffic.h",
     "CacheCurve L1 = {0.9, 1.7};",
     "`cache/*`, and A40 and L40 in the same collection (gpu-cache)"},
    {"what an L2 of one partition keeps",
     "include/gpu-estimate/Evaluate/Cache/Traffic.h",
     "CacheCurve L2 = {0.95, 1.4};",
     "`l2-cache/l40/*`, `streams/a40/stream/*`"},
    {"what an L2 of two partitions keeps",
     "include/gpu-estimate/Evaluate/Cache/Traffic.h",
     "CacheCurve L2Partitioned = {0.95, 1.22};",
     "`l2-cache/a100_80/*`, `l2-cache/h200/*`, `streams/a100/stream/*`, "
     "`streams/h100/stream/*`, and H100 PCIe in the collection of `l2-cache`"},
    {"registers of the addresses of loads that wait for writes of the unrolled "
     "iteration before",
     "lib/Lowering/Registers/Registers.cpp", "0.75 * std::min(Copies, 8u)",
     "registers, not times: what ptxas uses for the examples "
     "(`test/data/ptxas_examples.csv`)"},
    {"largest bodies that ptxas unrolls",
     "lib/Lowering/Selection/UnrollFactors.cpp",
     "MaxWithLoads = 51, MaxWithoutLoads = 21",
     "instructions, not times: what ptxas 13.0 does with 110 loops; a sample "
     "is in `test/unit/Lowering/UnrollFactorsTest.cpp`"},
    {"most of these registers", "lib/Lowering/Registers/Registers.cpp",
     "MaxAhead = 12;", "the same registers"},
    {"registers beside the values alive, and for long sequences",
     "lib/Lowering/Registers/Registers.cpp", "unsigned FixedWords = 5;",
     "the same registers"},
    {"loops that nvcc rolls although they run at most twice; layouts of nests",
     "lib/Lowering/Pipeline/WholeUnrolling.cpp", "void dropPragmas();",
     "chosen with counters and times of `ktt-convolution/*` in view"},
    {"clock of RTX 2080 Ti in one collection",
     "validation/small-kernels/cases.csv", "core_clock=1328MHz",
     "cuBLAS runs of the same source"},
    {"clock of RTX 4070 in one collection",
     "validation/small-kernels/cases.csv", "core_clock=1920MHz",
     "`small-kernels/4070/*`: the base clock was decided on after errors at "
     "the boost clock were seen"},
    {"settings of the networks that choose clusters of scaling, and their "
     "features: chosen among about 30 combinations by the errors of kernels "
     "left out of the training",
     "tools/train-scaling/Training.h", "unsigned Clusters = 4;",
     "times of `dvfs-programs/*`"},
    {"energy of events with a program's data by that with constant data",
     "scripts/power_fit.py", "LIVE_DATA = 1.2",
     "chosen with the board power of `dvfs-programs/v100/*` in view"},
    {"activity of the data of microbenchmarks on GTX Titan X",
     "validation/dvfs-microbenchmarks/cases.csv", "power.data_activity=2",
     "board power of `dvfs-microbenchmarks/titanx/*`"},
    {"sizes of microbenchmarks on GTX Titan X",
     "validation/dvfs-microbenchmarks/README.md", "**Sizes** are not those",
     "times of `dvfs-microbenchmarks/titanx/*` that DRAM or fp64 decide"},
    {"voltage over the clock of V100 SXM2", "hwmodels/nvidia-v100-sxm2.yaml",
     "as the knee", "board power of `dvfs-sycl/ArithSingleUnit_float_*`"},
    {"divisions that leave their fast path in dvfs-sycl",
     "validation/dvfs-sycl/dataset.yaml", "divisions: invalid",
     "`dvfs-sycl/*`: chosen after its errors were seen"},
    {"divisions that leave their fast path in pnpoly-rtx",
     "validation/pnpoly-rtx/dataset.yaml", "divisions: invalid",
     "`pnpoly-rtx/*`: chosen after its errors were seen "
     "(docs/design/errors.md)"},
    {"cold caches of strided reads about as large as the L2",
     "validation/streams/cases.csv", ",cold,",
     "4 cases of `streams/*`, by what the program does between launches"},
    {"which loops of a CGPredict kernel were timed",
     "validation/cgpredict/README.md", "## How to tell what was timed",
     "`cgpredict/*`: inferred from its times (docs/design/errors.md)"},
    {"fp64 of compute capability 3.0 and 3.2 runs on the ALU path",
     "hwmodels/nvidia-gtx-660.yaml", "the profiler of GTX 660 counts it",
     "profiler counts of `thesis/lmsor/*`"},
    {"requests of AMD's lanes in groups, tags and banks of RDNA's L1, its "
     "pairs "
     "of compute units",
     "validation/strides/README.md", "Of AMD",
     "chosen with all of `strides/mi210/*` and `strides/rdna2/*` in view"},
};

} // namespace

static const char *const Introduction = R"(# What is fitted to what

<!-- Written by gpu-estimate-docs: scripts/check-docs --fix -->

A value or a rule is *fitted* here if it was computed from measurements that are
also cases of `validation/`, or chosen with their errors in view. What a case was used
for, it does not test. Everything else comes from documents, from microbenchmarks that
are no case, or from judgement, as the kind of each value in `hwmodels/` says
([gpu-model.md](gpu-model.md)). Nothing is fitted to the kernel that a user analyses.

Beyond this table, all of `validation/` is development data: a change that makes a
dataset worse is noticed (`validation/bounds.yaml`) and usually not made. How each
dataset stands between calibration and test: [design/errors.md](design/errors.md).

## In the code and in the datasets

The text stands in the file: `scripts/check-fitted` looks for it.

| what | file | text | fitted on |
| --- | --- | --- | --- |
)";

static const char *const InModels = R"(
## In the GPU models

Values of kind `fitted`, from `hwmodels/`. A pattern names cases: the dataset, then the
case, where `*` stands for anything. Some collections have more rows than the dataset
took; the value was then computed from all of them. GPUs in the last column hold the
value, or one that was scaled from it, without being measured themselves.

)";

std::string fittedReference() {
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
  std::string Text = Introduction;
  llvm::raw_string_ostream OS(Text);
  for (const FittedRule &R : Rules)
    OS << "| " << R.What << " | `" << R.File << "` | `" << R.Text << "` | "
       << R.On << " |\n";
  OS << InModels << fittedValuesTable(*Models);
  return Text;
}

} // namespace gpuestimate
