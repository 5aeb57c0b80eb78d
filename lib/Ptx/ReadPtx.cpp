#include "gpu-estimate/Ptx/ReadPtx.h"

#include "ExternalTypes.h"
#include "Lexer.h"
#include "ModuleTranslator.h"
#include "Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

PtxUnit::PtxUnit() = default;
PtxUnit::~PtxUnit() = default;
PtxUnit::PtxUnit(PtxUnit &&) = default;
PtxUnit &PtxUnit::operator=(PtxUnit &&) = default;

Expected<PtxUnit> readPtx(StringRef Text, const std::string &File,
                          const std::string &Arch) {
  auto At = [&](Error E) {
    return createStringError(File + ":" + toString(std::move(E)));
  };
  Expected<PtxFile> Parsed = parsePtx(Text);
  if (!Parsed)
    return At(Parsed.takeError());
  inferExternalTypes(*Parsed);
  PtxUnit Unit;
  Unit.Target = Parsed->Target;
  Unit.Context = std::make_unique<LLVMContext>();
  Unit.Module = std::make_unique<Module>(File, *Unit.Context);
  // As clang has them for nvptx64.
  Unit.Module->setTargetTriple("nvptx64-nvidia-cuda");
  Unit.Module->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  Expected<std::vector<KernelSource>> Kernels =
      PtxModuleTranslator(*Parsed, File, Arch, *Unit.Module).run();
  if (!Kernels)
    return At(Kernels.takeError());
  Unit.Kernels = std::move(*Kernels);
  return std::move(Unit);
}

} // namespace gpuestimate
