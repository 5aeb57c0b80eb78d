/// \file
/// Writes the pages of docs/ that are made from tables in the code:
///
///   gpu-estimate-docs FOLDER              the pages of docs/
///   gpu-estimate-docs --installed FOLDER  what only an installation has
///
/// scripts/check-docs fails when the checked-in pages differ.
#include "FittedPage.h"

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
};
} // namespace

static constexpr Page Pages[] = {
    {"cli.md", optionReference},
    {"config.md", configReference},
    {"cpi-stack.md", cpiStackReference},
    {"diagnostics.md", diagnosticReference},
    {"fitted.md", fittedReference},
    {"gpu-model.md", gpuModelReference},
    {"limits.md", limitReference},
    {"machine-model.md", machineReference},
    {"operations.md", operationReference},
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
    OS << P.Text();
  }
  return 0;
}
