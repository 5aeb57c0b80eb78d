#include "RegisterCounts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuestimate {

RegisterCounts::RegisterCounts(const TranslationUnit &Unit, const Options &O)
    : Limit(Unit.MaxRegisters) {
  // The code of a loop nest is generated here: a ptxas from PATH knows its
  // registers no better than the estimate.
  bool Wanted = O.Ptxas != "off" && !(Unit.Host && O.Ptxas.empty());
  if (Wanted && !Unit.Hip && !O.Registers)
    askPtxas(Unit, O.Ptxas);
}

void RegisterCounts::askPtxas(const TranslationUnit &Unit,
                              const std::string &Given) {
  std::string Path = Given;
  if (Path.empty()) {
    ErrorOr<std::string> OnPath = sys::findProgramByName("ptxas");
    if (!OnPath)
      return;
    Path = *OnPath;
  }
  Expected<std::vector<PtxasKernel>> Kernels =
      runPtxas(*Unit.Module, Unit.Arch, Path);
  if (Kernels)
    Assembled = std::move(*Kernels);
  else if (Given.empty())
    consumeError(Kernels.takeError());
  else
    Notice = "--ptxas " + Given + ": " + toString(Kernels.takeError()) +
             "; registers are estimated";
}

void RegisterCounts::set(Resources &Res, StringRef Mangled,
                         std::optional<unsigned> Given,
                         StringRef Source) const {
  if (Given) {
    Res.RegistersPerThread = *Given;
    Res.RegistersSource = Source.str();
    return;
  }
  auto Exact = find_if(
      Assembled, [&](const PtxasKernel &K) { return K.Mangled == Mangled; });
  if (Exact != Assembled.end()) {
    Res.RegistersPerThread = Exact->Registers;
    Res.RegistersSource = "ptxas";
    Res.SpillBytes = std::max(Exact->SpillStoreBytes, Exact->SpillLoadBytes);
  }
  if (Limit)
    Res.RegistersPerThread = std::min(Res.RegistersPerThread, Limit);
}

} // namespace gpuestimate
