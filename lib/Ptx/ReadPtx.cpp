#include "gpu-estimate/Ptx/ReadPtx.h"

#include "ExternalTypes.h"
#include "FatbinDump.h"
#include "Lexer.h"
#include "ModuleTranslator.h"
#include "gpu-estimate/Ptx/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace gpuestimate {

PtxUnit::PtxUnit() = default;
PtxUnit::~PtxUnit() = default;
PtxUnit::PtxUnit(PtxUnit &&) = default;
PtxUnit &PtxUnit::operator=(PtxUnit &&) = default;

unsigned ptxCapability(StringRef Arch) {
  unsigned Number = 0;
  Arch.consume_front("sm_");
  return Arch.consumeInteger(10, Number) ? 0 : Number;
}

bool isPtxText(StringRef Text) {
  // Only comments stand before it.
  for (StringRef Line : split(Text, '\n'))
    if (Line = Line.trim(); Line.starts_with(".version"))
      return true;
    else if (!Line.empty() && !Line.starts_with("//"))
      return false;
  return false;
}

/// An empty module as clang has them for nvptx64.
static std::unique_ptr<Module> emptyModule(const std::string &File,
                                           LLVMContext &Context) {
  auto M = std::make_unique<Module>(File, Context);
  M->setTargetTriple("nvptx64-nvidia-cuda");
  M->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  return M;
}

/// Reads one module of PTX into Unit, whose context and empty module exist.
static Error readModule(StringRef Text, const std::string &File,
                        const std::string &Arch, PtxUnit &Unit) {
  Expected<PtxFile> Parsed = parsePtx(Text);
  if (!Parsed)
    return Parsed.takeError();
  inferExternalTypes(*Parsed);
  Unit.Target = Parsed->Target;
  Expected<std::vector<KernelSource>> Kernels =
      PtxModuleTranslator(*Parsed, File, Arch, *Unit.Module).run();
  if (!Kernels)
    return Kernels.takeError();
  Unit.Kernels = std::move(*Kernels);
  return Error::success();
}

/// Leaves to Before what both define: a template of two source files, or the
/// same module for another architecture.
static void dropKnown(Module &M, const Module &Before) {
  auto IsKnown = [&](const GlobalValue &G) {
    const GlobalValue *Known = Before.getNamedValue(G.getName());
    return !G.hasLocalLinkage() && !G.isDeclaration() && Known &&
           !Known->isDeclaration() && Known->getValueType() == G.getValueType();
  };
  for (Function &F : M)
    if (IsKnown(F))
      F.deleteBody();
  for (GlobalVariable &G : M.globals())
    if (IsKnown(G))
      G.setInitializer(nullptr);
}

/// All modules of a dump as one.
static Expected<PtxUnit> readDump(StringRef Dump, const std::string &File,
                                  const std::string &Arch) {
  std::vector<DumpedPtx> Modules = dumpedPtx(Dump, ptxCapability(Arch));
  if (Modules.empty())
    return ptxError(1, "this dump of a program has no PTX, only machine code: "
                       "compile with '-gencode arch=compute_80,"
                       "code=compute_80', and dump with 'cuobjdump -ptx'");
  PtxUnit All;
  All.Context = std::make_unique<LLVMContext>();
  All.Module = emptyModule(File, *All.Context);
  // LLVM's own handler ends the process; the linker's result tells of errors.
  All.Context->setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *, void *) {});
  unsigned Newest = 0;
  for (const DumpedPtx &Dumped : Modules) {
    PtxUnit Unit;
    Unit.Module = emptyModule(File, *All.Context);
    // Lines are those of the dump.
    std::string Text(Dumped.FirstLine - 1, '\n');
    Text += Dumped.Text;
    if (Error Problem = readModule(Text, File, Arch, Unit))
      return std::move(Problem);
    dropKnown(*Unit.Module, *All.Module);
    erase_if(Unit.Kernels, [&](const KernelSource &K) {
      const Function *F = Unit.Module->getFunction(K.Mangled);
      return !F || F->isDeclaration();
    });
    if (Unit.Kernels.empty() && !All.Kernels.empty())
      continue;
    if (Linker::linkModules(*All.Module, std::move(Unit.Module)))
      return ptxError(Dumped.FirstLine, "the modules of this dump are not of "
                                        "one program: a name stands for two "
                                        "things");
    if (Dumped.Capability >= Newest) {
      Newest = Dumped.Capability;
      All.Target = Unit.Target;
    }
    append_range(All.Kernels, std::move(Unit.Kernels));
  }
  All.Context->setDiagnosticHandlerCallBack(nullptr);
  if (Modules.size() == 1)
    All.Text = Modules.front().Text;
  return std::move(All);
}

Expected<PtxUnit> readPtx(StringRef Text, const std::string &File,
                          const std::string &Arch) {
  auto At = [&](Error E) {
    return createStringError(File + ":" + toString(std::move(E)));
  };
  if (isFatbinDump(Text)) {
    Expected<PtxUnit> All = readDump(Text, File, Arch);
    if (!All)
      return At(All.takeError());
    return All;
  }
  PtxUnit Unit;
  Unit.Context = std::make_unique<LLVMContext>();
  Unit.Module = emptyModule(File, *Unit.Context);
  if (Error Problem = readModule(Text, File, Arch, Unit))
    return At(std::move(Problem));
  Unit.Text = Text;
  return std::move(Unit);
}

} // namespace gpuestimate
