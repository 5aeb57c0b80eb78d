#include "gpu-estimate/Session/Pipeline/RegisterCounts.h"

#include "gpu-estimate/Frontend/CompilerNames.h"
#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Session/Settings/KernelFilter.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

RegisterCounts::RegisterCounts(const TranslationUnit &Unit, const Options &O,
                               StringRef GpuArch)
    : O(O), Arch(Unit.Arch), Limit(Unit.MaxRegisters) {
  if (O.Registers)
    return;
  KernelFilter Wanted(O);
  for (const KernelSource &Source : Unit.Kernels)
    if (Wanted.matches(Source.Mangled, Source.Name))
      Selected.push_back(Source.Mangled);
  if (Unit.Hip) {
    if (O.MachineCode != "off")
      askBackEnd(Unit);
    return;
  }
  Compared = O.Ptxas == ComparePtxas;
  if (startNvcc(Unit, GpuArch.empty() ? StringRef(Arch) : GpuArch))
    return;
  // The code of a loop nest is generated here: a ptxas from PATH knows its
  // registers no better than the estimate.
  if (O.Ptxas != "off" && !(Unit.Host && O.Ptxas.empty()))
    askPtxas(*Unit.Module, Unit.PtxText);
}

RegisterCounts::~RegisterCounts() = default;

/// Does the user ask for the kernel with this mangled name?
bool RegisterCounts::isSelected(StringRef Mangled) const {
  return is_contained(Selected, Mangled);
}

void RegisterCounts::askBackEnd(const TranslationUnit &Unit) {
  Compiler = "amdgpu";
  AmdgpuRequest Request;
  Request.MaxInstructions = backEndInstructions(O, Unit.Kernels.size());
  if (!O.NoCudaSdk)
    Request.DeviceLibrary = findRocmDeviceLibrary(O.ClangArguments);
  const std::string Crash =
      "LLVM's AMDGPU back end crashed; registers are estimated";
  bool Survived = runGuarded([&] {
    Expected<std::vector<CompiledKernel>> Kernels = runAmdgpuBackEnd(
        *Unit.Module, [&](StringRef Mangled) { return isSelected(Mangled); },
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

/// The nvcc of the options; "" where none is to be asked or found.
static std::string nvccPath(const Options &O) {
  if (O.Nvcc == "off" || (O.Nvcc.empty() && !(O.AsksNvcc && O.Ptxas.empty())))
    return "";
  if (!O.Nvcc.empty())
    return O.Nvcc;
  ErrorOr<std::string> Found = sys::findProgramByName("nvcc");
  return Found ? *Found : "";
}

/// The ptxas of the options, else that of the SDK of nvcc.
static std::string ptxasBeside(StringRef Nvcc, const Options &O) {
  if (!O.Ptxas.empty() && O.Ptxas != "off" && O.Ptxas != ComparePtxas)
    return O.Ptxas;
  SmallString<128> Path;
  if (sys::fs::real_path(Nvcc, Path))
    Path = Nvcc;
  sys::path::remove_filename(Path);
  sys::path::append(Path, "ptxas");
  if (sys::fs::can_execute(Path))
    return Path.str().str();
  ErrorOr<std::string> Found = sys::findProgramByName("ptxas");
  return Found ? *Found : "";
}

/// Seconds that nvcc may take: of four kernels at the limit of --deadline.
static unsigned nvccSeconds(const Options &O) {
  double Seconds = 4 * O.Deadline.value_or(DefaultDeadline);
  constexpr double Day = 86'400;
  return Seconds <= 0 ? Day : std::clamp(std::ceil(Seconds), 1.0, Day);
}

/// Takes what nvcc said before or starts it; false where it is not asked.
bool RegisterCounts::startNvcc(const TranslationUnit &Unit, StringRef GpuArch) {
  NvccRequest Request;
  PtxCompileRequest &Compile = Request.Compile;
  Compile.Path = Unit.Nvcc ? nvccPath(O) : "";
  if (Compile.Path.empty())
    return false;
  Compile.Arguments = Unit.Nvcc->Arguments;
  Compile.Directory = Unit.Nvcc->Directory;
  Compile.File = Unit.Nvcc->File;
  Compile.Arch = GpuArch.str();
  Request.Assembler.Path = ptxasBeside(Compile.Path, O);
  Request.Assembler.Arch = GpuArch.str();
  Request.Assembler.MaxRegisters = Unit.MaxRegisters;
  Compile.TimeoutSeconds = Request.Assembler.TimeoutSeconds = nvccSeconds(O);
  Key = answerKey(Request, Unit.Files);
  // A user who names nvcc wants to know why it fails.
  std::optional<CompilerAnswer> Known = CompilerAnswers().find(Key);
  if (Known && Known->Problem.empty()) {
    take(std::move(*Known));
    return true;
  }
  if (Known && O.Nvcc.empty())
    return false;
  Expected<NvccRun> Started = NvccRun::start(std::move(Request));
  if (!Started) {
    std::string Problem = toString(Started.takeError());
    if (!O.Nvcc.empty())
      Notice = "--nvcc " + O.Nvcc + ": " + Problem;
    return false;
  }
  Run.emplace(std::move(*Started));
  Unchanged = CloneModule(*Unit.Module);
  return true;
}

void RegisterCounts::take(CompilerAnswer Answer) {
  Compiler = "nvcc";
  Compiled = std::move(Answer.Kernels);
  OfUsersCode = true;
}

void RegisterCounts::finish() {
  if (!Run)
    return;
  Expected<std::vector<CompiledKernel>> Kernels = Run->finish();
  Run.reset();
  std::unique_ptr<Module> M = std::move(Unchanged);
  CompilerAnswer Answer;
  if (Kernels) {
    Answer.Kernels = std::move(*Kernels);
    CompilerAnswers().keep(Key, Answer);
    return take(std::move(Answer));
  }
  Error Failure = Kernels.takeError();
  bool TimedOut = false;
  handleAllErrors(std::move(Failure), [&](const ErrorInfoBase &E) {
    Answer.Problem = E.message();
    TimedOut = E.convertToErrorCode() == std::errc::timed_out;
  });
  CompilerAnswers().keep(Key, Answer);
  if (TimedOut || !O.Nvcc.empty())
    Notice = Answer.Problem +
             (TimedOut ? " (--deadline, --nvcc off)" : " (--nvcc)") +
             "; registers are those of clang's passes, or estimated";
  if (O.Ptxas != "off")
    askPtxas(*M, "");
}

void RegisterCounts::askPtxas(const Module &M, StringRef PtxText) {
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
  Request.Arch = Arch;
  Request.MaxRegisters = Limit;
  // PTX is what the user's compiler hands to ptxas.
  if (!PtxText.empty()) {
    Expected<std::vector<CompiledKernel>> Kernels =
        runPtxasOnText(PtxText, Request);
    if (Kernels) {
      Compiled = std::move(*Kernels);
      OfUsersCode = true;
      return;
    }
    consumeError(Kernels.takeError()); // a ptxas that is older than the file
  }
  Expected<std::vector<CompiledKernel>> Kernels = runPtxas(
      M, Request, [&](StringRef Mangled) { return isSelected(Mangled); });
  if (Kernels)
    Compiled = std::move(*Kernels);
  else if (OnPath)
    consumeError(Kernels.takeError());
  else
    Notice = "--ptxas " + O.Ptxas + ": " + toString(Kernels.takeError()) +
             "; registers are estimated";
}

const CompiledKernel *RegisterCounts::find(StringRef Mangled) const {
  auto Find = [&](function_ref<bool(StringRef)> IsIt) {
    auto Found = find_if(
        Compiled, [&](const CompiledKernel &K) { return IsIt(K.Mangled); });
    return Found != Compiled.end() ? &*Found : nullptr;
  };
  if (const CompiledKernel *Exact =
          Find([&](StringRef Name) { return Name == Mangled; }))
    return Exact;
  return Find([Wanted = commonName(Mangled)](StringRef Name) {
    return commonName(Name) == Wanted;
  });
}

std::optional<uint64_t> RegisterCounts::localBytes(StringRef Mangled) const {
  const CompiledKernel *K = find(Mangled);
  return K ? K->LocalBytes : std::nullopt;
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
