#include "RegisterCounts.h"

#include "Session/Settings/KernelFilter.h"
#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

RegisterCounts::RegisterCounts(const TranslationUnit &Unit, const Options &O)
    : Limit(Unit.MaxRegisters) {
  if (O.Registers)
    return;
  if (Unit.Hip) {
    if (O.MachineCode != "off")
      askBackEnd(Unit, O);
    return;
  }
  // The code of a loop nest is generated here: a ptxas from PATH knows its
  // registers no better than the estimate.
  Compared = O.Ptxas == ComparePtxas;
  if (O.Ptxas != "off" && !(Unit.Host && O.Ptxas.empty()))
    askPtxas(Unit, O);
}

/// Does the user ask for the kernel with this mangled name?
static bool isSelected(const TranslationUnit &Unit, const Options &O,
                       StringRef Mangled) {
  KernelFilter Wanted(O);
  return any_of(Unit.Kernels, [&](const KernelSource &Source) {
    return Source.Mangled == Mangled && Wanted.matches(Mangled, Source.Name);
  });
}

void RegisterCounts::askBackEnd(const TranslationUnit &Unit, const Options &O) {
  Compiler = "amdgpu";
  AmdgpuRequest Request;
  Request.MaxInstructions = backEndInstructions(O, Unit.Kernels.size());
  if (!O.NoCudaSdk)
    Request.DeviceLibrary = findRocmDeviceLibrary(O.ClangArguments);
  const std::string Crash =
      "LLVM's AMDGPU back end crashed; registers are estimated";
  bool Survived = runGuarded([&] {
    Expected<std::vector<CompiledKernel>> Kernels = runAmdgpuBackEnd(
        *Unit.Module,
        [&](StringRef Mangled) { return isSelected(Unit, O, Mangled); },
        Request);
    if (Kernels) {
      Compiled = std::move(*Kernels);
      return;
    }
    // What else fails here fails in the user's compiler as well: the estimate
    // stands.
    handleAllErrors(Kernels.takeError(), [&](const StringError &E) {
      if (E.convertToErrorCode() == std::errc::value_too_large)
        Notice = "LLVM's AMDGPU back end was not run: " + E.getMessage() +
                 "; registers are estimated";
      else if (E.convertToErrorCode() == std::errc::state_not_recoverable)
        Notice = Crash;
      else if (O.MachineCode == "on")
        Notice = "--machine-code on: " + E.getMessage() +
                 "; registers are estimated";
    });
  });
  if (!Survived)
    Notice = Crash;
}

void RegisterCounts::askPtxas(const TranslationUnit &Unit, const Options &O) {
  Compiler = "ptxas";
  PtxasRequest Request;
  bool OnPath = O.Ptxas.empty() || Compared;
  Request.Path = O.Ptxas;
  if (OnPath) {
    ErrorOr<std::string> Found = sys::findProgramByName("ptxas");
    if (!Found)
      return;
    Request.Path = *Found;
  }
  Request.Arch = Unit.Arch;
  Request.MaxRegisters = Unit.MaxRegisters;
  // PTX is what the user's compiler hands to ptxas.
  if (!Unit.PtxText.empty()) {
    Expected<std::vector<CompiledKernel>> Kernels =
        runPtxasOnText(Unit.PtxText, Request);
    if (Kernels) {
      Compiled = std::move(*Kernels);
      OfUsersCode = true;
      return;
    }
    consumeError(Kernels.takeError()); // a ptxas that is older than the file
  }
  Expected<std::vector<CompiledKernel>> Kernels =
      runPtxas(*Unit.Module, Request,
               [&](StringRef Mangled) { return isSelected(Unit, O, Mangled); });
  if (Kernels)
    Compiled = std::move(*Kernels);
  else if (OnPath)
    consumeError(Kernels.takeError());
  else
    Notice = "--ptxas " + O.Ptxas + ": " + toString(Kernels.takeError()) +
             "; registers are estimated";
}

const CompiledKernel *RegisterCounts::find(StringRef Mangled) const {
  auto Exact = find_if(
      Compiled, [&](const CompiledKernel &K) { return K.Mangled == Mangled; });
  return Exact != Compiled.end() ? &*Exact : nullptr;
}

/// Registers of a thread on a full multiprocessor of most GPUs: below, code is
/// not reordered for fewer.
static constexpr unsigned EnoughRegisters = 32;

/// Does ptxas say more than twice the registers, or spills without a bound to
/// cause them, where the same values in another order need far less? LLVM moves
/// arithmetic below the conditions of its stores and leaves the loads above
/// them, so that all operands are alive at once; nvcc keeps them together. Such
/// a number belongs to the front end here and not to the user's compiler.
static bool isOfOtherCode(const CompiledKernel &K, const Resources &Res,
                          unsigned Limit) {
  unsigned Needed = std::max(Res.leastRegisters(), EnoughRegisters);
  bool Bounded = Limit || Res.MaxThreadsPerBlock;
  bool Spills = K.SpillStoreBytes > 0 && !Bounded && K.Registers > Needed;
  return Spills || K.Registers > 2 * Needed;
}

std::optional<Resources> RegisterCounts::assembled(const Resources &Res,
                                                   StringRef Mangled) const {
  const CompiledKernel *K = find(Mangled);
  if (!K || K->Registers == 0 || Res.RegistersSource != "estimate" ||
      (Compiler == "ptxas" && !OfUsersCode && isOfOtherCode(*K, Res, Limit)))
    return std::nullopt;
  Resources Exact = Res;
  Exact.RegistersPerThread = K->Registers;
  Exact.RegistersSource = Compiler;
  if (K->Code.CodeBytes > 0)
    Exact.Code = K->Code;
  // Every slot is stored once or more often.
  Exact.Spills.Stores = K->SpillStoreBytes / 4;
  Exact.Spills.Loads = K->SpillLoadBytes / 4;
  Exact.Spills.Waits = static_cast<unsigned>(std::min(
      static_cast<double>(Exact.Spills.Loads), std::round(K->SpillWaits)));
  Exact.Spills.Slots = std::min(K->SpillStoreBytes, K->StackBytes) / 4;
  if (K->StaticSharedBytes > 0)
    Exact.StaticSharedBytes = K->StaticSharedBytes;
  return Exact;
}

std::string RegisterCounts::set(Resources &Res, StringRef Mangled,
                                std::optional<unsigned> Given,
                                StringRef Source) const {
  if (Given) {
    Res.RegistersPerThread = *Given;
    Res.RegistersSource = Source.str();
    return "";
  }
  std::string Remark;
  const CompiledKernel *K = Compared ? nullptr : find(Mangled);
  if (std::optional<Resources> Exact = assembled(Res, Mangled); K && Exact)
    Res = std::move(*Exact);
  else if (K)
    Remark = formatv("ptxas makes {0} registers and {1} bytes of spills of the "
                     "code that clang's passes make of it, where {2} registers "
                     "can hold its values: the registers are estimated",
                     K->Registers, K->SpillStoreBytes, Res.leastRegisters())
                 .str();
  if (Limit)
    Res.RegistersPerThread = std::min(Res.RegistersPerThread, Limit);
  return Remark;
}

} // namespace gpuestimate
