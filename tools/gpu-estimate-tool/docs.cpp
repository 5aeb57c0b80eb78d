/// \file
/// Writes the pages of docs/ that are made from tables in the code:
///
///   gpu-estimate-docs FOLDER              the pages of docs/
///   gpu-estimate-docs --installed FOLDER  what only an installation has
///
/// scripts/check-docs fails when the checked-in pages differ.
#include "FittedPage.h"
#include "GpusPage.h"

#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Cli/ShellFiles.h"
#include "gpu-estimate/Lowering/Selection/OperationReference.h"
#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuestimate;

namespace {
struct Page {
  const char *File;
  std::string (*Text)();
  /// Stands below the title: what the page is for and who needs it.
  const char *Opening = nullptr;
};
} // namespace

static constexpr Page Pages[] = {
    {"cli.md", optionReference,
     "For users who look for an option: all commands, and all options with "
     "their names on the\ncommand line, in the plugin and in the configuration "
     "file."},
    {"config.md", configReference,
     "For projects that analyse the same sources again and again: what stands "
     "in\n`.gpu-estimate.yaml` need not stand on every command line."},
    {"cpi-stack.md", cpiStackReference,
     "For those who compare a prediction with a profile of Nsight Compute: "
     "which part of the\npredicted time stands for which stall reasons."},
    {"diagnostics.md", diagnosticReference,
     "For users who see a remark and want to know when it is given and how to "
     "silence it."},
    {"fitted.md", fittedReference,
     "For those who judge the accuracy of predictions: which values and rules "
     "were chosen with\nmeasurements in view, and which."},
    {"gpu-model.md", gpuModelReference,
     "For those who add a GPU, or want to know what a value of a GPU model "
     "means."},
    {"gpus.md", gpuTableReference,
     "For those who choose a GPU to predict for, or want to know how far its "
     "model can be\ntrusted."},
    {"limits.md", limitReference,
     "For readers of a report: what each bound, each part of the time and each "
     "limit of the\noccupancy means."},
    {"machine-model.md", machineReference,
     "For users of `--against` who compare with a CPU or an FPGA board of "
     "their own."},
    {"operations.md", operationReference,
     "For those who wonder how many instructions a report counts, or add an "
     "instruction."},
    {"schema/gpu-estimate.schema.json", configSchema},
};

/// Below the prefix of an installation.
static constexpr Page Installed[] = {
    {"lib/cmake/GpuEstimate/GpuEstimateNames.cmake", packageNames},
    {"share/bash-completion/completions/gpu-estimate", bashCompletion},
    {"share/fish/vendor_completions.d/gpu-estimate.fish", fishCompletion},
    {"share/man/man1/gpu-estimate.1", manPage},
    {"share/zsh/site-functions/_gpu-estimate", zshCompletion},
};

/// The text of a page, with its opening and a link to the glossary.
static std::string textOf(const Page &P) {
  std::string Text = P.Text();
  if (!P.Opening)
    return Text;
  size_t End = Text.find("\n\n") + 2; // of the title
  return Text.substr(0, End) + P.Opening +
         "\nTerms: [glossary.md](glossary.md).\n\n" + Text.substr(End);
}

int main(int ArgCount, char **Args) {
  llvm::ArrayRef<Page> Wanted(Pages);
  if (ArgCount == 3 && llvm::StringRef(Args[1]) == "--installed") {
    Wanted = Installed;
  } else if (ArgCount != 2) {
    llvm::errs() << "usage: gpu-estimate-docs [--installed] FOLDER\n";
    return 2;
  }
  for (const Page &P : Wanted) {
    llvm::SmallString<128> File(Args[ArgCount - 1]);
    llvm::sys::path::append(File, P.File);
    std::error_code Problem =
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    llvm::raw_fd_ostream OS(File, Problem);
    if (Problem) {
      llvm::errs() << File << ": " << Problem.message() << '\n';
      return 2;
    }
    OS << textOf(P);
  }
  return 0;
}
