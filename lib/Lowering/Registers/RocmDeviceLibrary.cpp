#include "RocmDeviceLibrary.h"

#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/TargetParser.h"
#include <optional>

using namespace llvm;

namespace gpuestimate {

static bool isLibrary(StringRef Folder) {
  SmallString<128> File(Folder);
  sys::path::append(File, "ocml.bc");
  return sys::fs::exists(File);
}

std::string findRocmDeviceLibrary(ArrayRef<std::string> ClangArgs) {
  auto below = [](StringRef Rocm) {
    SmallString<128> Folder(Rocm);
    sys::path::append(Folder, "amdgcn", "bitcode");
    return Folder.str().str();
  };
  std::vector<std::string> Candidates;
  for (StringRef Arg : ClangArgs) {
    if (Arg.consume_front("--rocm-device-lib-path=") ||
        Arg.consume_front("--hip-device-lib-path="))
      Candidates.push_back(Arg.str());
    else if (Arg.consume_front("--rocm-path="))
      Candidates.push_back(below(Arg));
  }
  if (std::optional<std::string> Path =
          sys::Process::GetEnv("HIP_DEVICE_LIB_PATH"))
    Candidates.push_back(*Path);
  if (std::optional<std::string> Path = sys::Process::GetEnv("ROCM_PATH"))
    Candidates.push_back(below(*Path));
  Candidates.push_back(below("/opt/rocm"));
  Candidates.push_back(below("/usr/lib/x86_64-linux-gnu")); // Debian
  auto Found = find_if(Candidates, isLibrary);
  return Found != Candidates.end() ? *Found : "";
}

/// The kernel whose target the library's functions are compiled for.
static const Function *firstWithTarget(const Module &M) {
  auto Found = find_if(M, [](const Function &F) {
    return !F.isDeclaration() && F.hasFnAttribute("target-cpu");
  });
  return Found != M.end() ? &*Found : nullptr;
}

/// The value of one of the constants by which the library is configured
/// (ROCm-Device-Libs, doc/OCML.md, "Controls"); nullopt for another name.
static std::optional<unsigned> controlValue(StringRef Name,
                                            const Function &Target) {
  AMDGPU::IsaVersion Isa = AMDGPU::getIsaVersion(
      Target.getFnAttribute("target-cpu").getValueAsString());
  StringRef Features =
      Target.getFnAttribute("target-features").getValueAsString();
  bool Wave64 = Isa.Major < 10 || Features.contains("+wavefrontsize64");
  if (Name == "__oclc_ISA_version")
    return Isa.Major * 1000 + Isa.Minor * 100 + Isa.Stepping;
  if (Name == "__oclc_ABI_version")
    return 500;
  if (Name == "__oclc_wavefrontsize64")
    return Wave64;
  if (Name == "__oclc_wavefrontsize_log2")
    return Wave64 ? 6 : 5;
  if (Name == "__oclc_correctly_rounded_sqrt32")
    return 1;
  if (Name == "__oclc_daz_opt" || Name == "__oclc_finite_only_opt" ||
      Name == "__oclc_unsafe_math_opt")
    return 0;
  return std::nullopt;
}

/// Gives the library's functions the target and the constants of M's kernels.
static void configure(Module &M, const Function &Target) {
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasFnAttribute("target-cpu"))
      continue;
    for (StringRef Name : {"target-cpu", "target-features"})
      if (Target.hasFnAttribute(Name))
        F.addFnAttr(Target.getFnAttribute(Name));
  }
  for (GlobalVariable &Control : M.globals()) {
    std::optional<unsigned> Value = controlValue(Control.getName(), Target);
    if (!Value || !Control.getValueType()->isIntegerTy())
      continue;
    Control.setInitializer(ConstantInt::get(Control.getValueType(), *Value));
    Control.setConstant(true);
    Control.setVisibility(GlobalValue::DefaultVisibility);
    Control.setLinkage(GlobalValue::InternalLinkage);
  }
}

Error linkRocmDeviceLibrary(Module &M, StringRef Folder) {
  const Function *Target = firstWithTarget(M);
  if (!Target)
    return Error::success();
  for (StringRef Name : {"ocml.bc", "ockl.bc"}) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    auto File = MemoryBuffer::getFile(Path);
    if (!File)
      return createStringError("%s cannot be read", Path.c_str());
    Expected<std::unique_ptr<Module>> Library =
        getOwningLazyBitcodeModule(std::move(*File), M.getContext());
    if (!Library)
      return Library.takeError();
    (*Library)->setTargetTriple(M.getTargetTriple());
    (*Library)->setDataLayout(M.getDataLayout());
    if (Linker::linkModules(M, std::move(*Library), Linker::LinkOnlyNeeded))
      return createStringError("%s does not link", Path.c_str());
  }
  configure(M, *Target);
  return Error::success();
}

} // namespace gpuestimate
