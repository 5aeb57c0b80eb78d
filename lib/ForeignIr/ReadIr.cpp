#include "gpu-estimate/ForeignIr/ReadIr.h"

#include "IrFilter.h"
#include "KernelDescription.h"
#include "ModuleAdapter.h"
#include "gpu-estimate/ForeignIr/KernelFunction.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

namespace gpuestimate {

IrUnit::IrUnit() = default;
IrUnit::~IrUnit() = default;
IrUnit::IrUnit(IrUnit &&) = default;
IrUnit &IrUnit::operator=(IrUnit &&) = default;

namespace {

/// What LLVM's readers say beside their error (broken debug information, which
/// they then drop) is not for the user.
struct Silence final : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

constexpr StringLiteral OtherWays =
    "; if a newer LLVM wrote the file, give the PTX of `llc` of that version";

class IrReader {
public:
  IrReader(MemoryBufferRef Buffer, const IrArchitectures &For)
      : Buffer(Buffer), File(Buffer.getBufferIdentifier().str()), For(For) {}

  Expected<IrUnit> run();

private:
  Error at(const Twine &Message) const {
    return createStringError(File + ": " + Message);
  }
  Error readText();
  Error readBitcode();
  Error checkTarget();
  Error verify() const;
  Error adapt();

  MemoryBufferRef Buffer;
  std::string File;
  const IrArchitectures &For;
  IrUnit Unit;
  FilteredIr Filtered;
};

} // namespace

/// Sets how LLVM's readers treat what this one mends or accepts: they verify a
/// module with debug information and end the process where it is broken, which
/// a module of another version is before adapt(); and they refuse a single
/// function whose declarations and metadata are in no line of the file, as
/// `@device_code_llvm` of Julia prints it.
static void setUpReaders() {
  static std::once_flag Done;
  std::call_once(Done, [] {
    StringMap<cl::Option *> &Known = cl::getRegisteredOptions();
    for (StringRef Name :
         {"disable-auto-upgrade-debug-info", "allow-incomplete-ir"})
      if (auto Found = Known.find(Name); Found != Known.end())
        Found->getValue()->addOccurrence(0, Name, "true");
  });
}

static std::optional<std::string> layoutOf(StringRef Target, StringRef) {
  Triple T(Target);
  if (T.isNVPTX() || T.isAMDGCN())
    return dataLayoutFor(T);
  return std::nullopt;
}

Error IrReader::readText() {
  Filtered = filterIr(Buffer.getBuffer());
  SMDiagnostic Problem;
  Unit.Module = parseAssembly(MemoryBufferRef(Filtered.Text, File), Problem,
                              *Unit.Context, nullptr, layoutOf);
  if (Unit.Module)
    return Error::success();
  std::string Line = Problem.getLineContents().trim().str();
  if (Line.size() > 200)
    Line = Line.substr(0, 200) + " ...";
  int Number = std::max(1, Problem.getLineNo());
  return createStringError(File + ":" + Twine(Number) + ":" +
                           Twine(std::max(0, Problem.getColumnNo()) + 1) +
                           ": LLVM 19 cannot read this: " +
                           Problem.getMessage() + ": " + Line + OtherWays);
}

Error IrReader::readBitcode() {
  ParserCallbacks Callbacks;
  Callbacks.DataLayout = layoutOf;
  Expected<std::unique_ptr<Module>> Read =
      parseBitcodeFile(Buffer, *Unit.Context, Callbacks);
  if (Read) {
    Unit.Module = std::move(*Read);
    return Error::success();
  }
  std::string Problem = toString(Read.takeError()),
              Producer = "another version";
  Expected<std::string> Written = getBitcodeProducerString(Buffer);
  if (!Written)
    consumeError(Written.takeError());
  else if (!Written->empty())
    Producer = *Written;
  return at("LLVM 19 cannot read this bitcode of " + Producer + " (" + Problem +
            "): make text of it with `llvm-dis` of that version, and give the "
            ".ll file");
}

Error IrReader::checkTarget() {
  Module &M = *Unit.Module;
  // Newer versions write the architecture into it: amdgpu9.42-amd-amdhsa.
  StringRef Named = M.getTargetTriple();
  if (Named.starts_with("amdgpu"))
    M.setTargetTriple(
        ("amdgcn" + Named.drop_while([](char C) { return C != '-'; })).str());
  Triple Target(M.getTargetTriple());
  if (M.getTargetTriple().empty()) {
    auto IsAmd = [](const Function &F) {
      return F.getCallingConv() == CallingConv::AMDGPU_KERNEL;
    };
    Target = Triple(any_of(M, IsAmd)              ? "amdgcn-amd-amdhsa"
                    : any_of(M, isKernelFunction) ? "nvptx64-nvidia-cuda"
                                                  : "");
    M.setTargetTriple(Target.str());
  }
  if (M.getTargetTriple().empty())
    return at("it names no target, and no function of it is a kernel "
              "(ptx_kernel, amdgpu_kernel): give the whole module in place of "
              "one function, of Julia with `@device_code_llvm "
              "dump_module=true`");
  if (Target.getArch() != Triple::nvptx64 && !Target.isAMDGCN())
    return at(
        "its target is '" + M.getTargetTriple() +
        "', but code of a GPU is expected, nvptx64 or amdgcn: compile the "
        "device side, with clang by --cuda-device-only");
  M.setDataLayout(dataLayoutFor(Target));
  Unit.IsAmd = Target.isAMDGCN();
  return Error::success();
}

Error IrReader::verify() const {
  Module &M = *Unit.Module;
  std::string Problems;
  raw_string_ostream OS(Problems);
  bool IsDebugInfoBroken = false;
  if (verifyModule(M, &OS, &IsDebugInfoBroken))
    return at("the module is broken: " + StringRef(Problems).rtrim() +
              OtherWays);
  if (IsDebugInfoBroken)
    StripDebugInfo(M);
  return Error::success();
}

Error IrReader::adapt() {
  Module &M = *Unit.Module;
  if (getDebugMetadataVersionFromModule(M) != DEBUG_METADATA_VERSION)
    StripDebugInfo(M);
  addPlaces(M, File, Filtered.Functions);
  adaptIntrinsics(M);
  if (Error E = verify())
    return E;
  Unit.Target = setArchitecture(M, Unit.IsAmd ? For.Amd : For.Nvidia);
  for (Function &F : M) {
    if (F.isDeclaration() || !isKernelFunction(F))
      continue;
    Unit.Kernels.push_back(describeKernel(F, File, Filtered.Functions));
    if (!Unit.IsAmd)
      annotateKernel(F, launchBoundsOf(F));
  }
  return Error::success();
}

Expected<IrUnit> IrReader::run() {
  setUpReaders();
  Unit.Context = std::make_unique<LLVMContext>();
  Unit.Context->setDiagnosticHandler(std::make_unique<Silence>());
  if (Error E =
          isBitcode(
              reinterpret_cast<const unsigned char *>(Buffer.getBufferStart()),
              reinterpret_cast<const unsigned char *>(Buffer.getBufferEnd()))
              ? readBitcode()
              : readText())
    return std::move(E);
  if (Error E = checkTarget())
    return std::move(E);
  if (Error E = adapt())
    return std::move(E);
  Unit.Context->setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
  return std::move(Unit);
}

Expected<IrUnit> readIr(MemoryBufferRef Buffer, const IrArchitectures &For) {
  std::optional<Expected<IrUnit>> Unit;
  if (runGuarded([&] { Unit.emplace(IrReader(Buffer, For).run()); }))
    return std::move(*Unit);
  return createStringError(Buffer.getBufferIdentifier() +
                           ": LLVM 19 crashed while reading it: check the file "
                           "with `opt -passes=verify` of the LLVM version that "
                           "wrote it");
}

} // namespace gpuestimate
