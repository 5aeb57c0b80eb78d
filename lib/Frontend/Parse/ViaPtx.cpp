#include "ViaPtx.h"

#include "gpu-estimate/Frontend/CompilerNames.h"
#include "gpu-estimate/Frontend/Sdk.h"
#include "gpu-estimate/Ptx/PtxCompile.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

/// The compile to PTX. What is on without a command line for clang is on for
/// nvcc, too.
static PtxCompileRequest compileRequest(const ParseRequest &Request,
                                        const CompileCommand &Command) {
  PtxCompileRequest Compile;
  Compile.Path = Request.ViaPtx->Path;
  Compile.Arch = nvccArchitecture(
      Request.CommandLine.empty() ? Request.ClangArgs : Request.CommandLine);
  if (Compile.Arch.empty())
    Compile.Arch = Request.ViaPtx->Arch;
  Compile.Arguments = Command.NvccArgs;
  if (!Command.Compiler)
    for (const char *Extension :
         {"--extended-lambda", "--expt-relaxed-constexpr"})
      if (!is_contained(Compile.Arguments, StringRef(Extension)))
        Compile.Arguments.push_back(Extension);
  // As for clang, behind all folders of the command.
  Compile.Arguments.insert(Compile.Arguments.end(),
                           {"-isystem", findShippedHeaders() + "/pytorch"});
  Compile.Directory = Command.Directory;
  Compile.File = Command.File;
  Compile.HasLines = true;
  Compile.TimeoutSeconds = Request.ViaPtx->TimeoutSeconds;
  return Compile;
}

/// Does the kernel consist of its end, as that of CUB by which the host finds
/// out for which GPUs the program was compiled?
static bool doesNothing(const Function &Kernel) {
  return Kernel.size() == 1 && Kernel.front().sizeWithoutDebug() == 1;
}

/// Gives a kernel of PTX the names that the source gives it. Kinds stay where
/// the code says something else than the declaration.
static void adopt(KernelSource &Kernel, const KernelSource &Declared,
                  Function &Code) {
  Kernel.Name = Declared.Name;
  Kernel.Location = Declared.Location;
  append_range(Kernel.Notes, Declared.Notes);
  if (Kernel.Arguments.size() != Declared.Arguments.size() ||
      Kernel.Arguments.size() != Code.arg_size())
    return;
  Kernel.Members = Declared.Members;
  for (auto [Into, From, Value] :
       zip(Kernel.Arguments, Declared.Arguments, Code.args())) {
    bool IsSameKind = (Into.Kind == KernelArgument::Pointer) ==
                          (From.Kind == KernelArgument::Pointer) &&
                      (Into.Kind == KernelArgument::Aggregate) ==
                          (From.Kind == KernelArgument::Aggregate);
    if (IsSameKind)
      Into = From;
    else
      Into.Name = From.Name;
    Value.setName(From.Name);
  }
}

/// Moves what the source says to the unit of the PTX.
static void addDeclarations(TranslationUnit &Unit, TranslationUnit Source) {
  StringMap<const KernelSource *> Declared, ByCommonName;
  for (const KernelSource &Kernel : Source.Kernels) {
    Declared[Kernel.Mangled] = &Kernel;
    ByCommonName[commonName(Kernel.Mangled)] = &Kernel;
  }
  StringMap<std::string> NameInPtx;
  std::vector<KernelSource> Kernels;
  for (KernelSource &Kernel : Unit.Kernels) {
    const KernelSource *Match = Declared.lookup(Kernel.Mangled);
    if (!Match)
      Match = ByCommonName.lookup(commonName(Kernel.Mangled));
    Function *Code = Unit.Module->getFunction(Kernel.Mangled);
    if (!Match && Code && doesNothing(*Code))
      continue;
    if (Match && Code) {
      NameInPtx[Match->Mangled] = Kernel.Mangled;
      adopt(Kernel, *Match, *Code);
    }
    Kernels.push_back(std::move(Kernel));
  }
  Unit.Kernels = std::move(Kernels);
  for (LaunchSite &Site : Source.Launches)
    if (auto Name = NameInPtx.find(Site.Kernel); Name != NameInPtx.end()) {
      Site.Kernel = Name->second;
      Unit.Launches.push_back(std::move(Site));
    }
  for (auto &[Mangled, Calls] : Source.LibraryKernels)
    if (auto Name = NameInPtx.find(Mangled); Name != NameInPtx.end())
      Unit.LibraryKernels[Name->second] = std::move(Calls);
  Unit.NotModelled = std::move(Source.NotModelled);
  Unit.Anchors = std::move(Source.Anchors);
  Unit.Constants = std::move(Source.Constants);
  Unit.UnusedAnnotations = std::move(Source.UnusedAnnotations);
  Unit.Files = std::move(Source.Files);
}

Expected<TranslationUnit>
readViaPtx(const ParseRequest &Request, const CompileCommand &Command,
           function_ref<std::optional<TranslationUnit>()> ReadDeclarations) {
  if (Request.ViaPtx->Path.empty())
    return createStringError("no nvcc is at hand that could compile it to PTX");
  PtxCompileRequest Wanted = compileRequest(Request, Command);
  Expected<PtxCompile> Compile = PtxCompile::start(Wanted);
  if (!Compile)
    return Compile.takeError();
  std::optional<TranslationUnit> Source = ReadDeclarations();
  Expected<std::unique_ptr<MemoryBuffer>> Text = Compile->finish();
  if (!Text)
    return Text.takeError();
  Expected<PtxUnit> Read = readPtx(
      (*Text)->getBuffer(), "nvcc's PTX of " + Request.File, Request.GpuArch);
  if (!Read)
    return Read.takeError();
  TranslationUnit Unit;
  Unit.Context = std::move(Read->Context);
  Unit.Module = std::move(Read->Module);
  Unit.Kernels = std::move(Read->Kernels);
  Unit.PtxText = std::move(Read->Text);
  for (KernelSource &Kernel : Unit.Kernels)
    Kernel.IsCompiled = true;
  Unit.Arch = Request.GpuArch;
  Unit.MaxRegisters = Command.MaxRegisters;
  Unit.Files = {Request.File};
  if (Source)
    addDeclarations(Unit, std::move(*Source));
  Unit.MainFile = Command.File;
  return std::move(Unit);
}

} // namespace gpuestimate
