#include "gpu-estimate/Lowering/Registers/Nvcc.h"

#include "gpu-estimate/Ptx/Parser.h"

#include "llvm/ADT/SetVector.h"

namespace gpuestimate {

/// Adds the function that Operand names, if it has a body.
static void addCalled(const PtxOperand &Operand, const PtxFile &File,
                      llvm::SetVector<const PtxFunction *> &Functions) {
  for (const PtxFunction &F : File.Functions)
    if (F.HasBody && F.Name == Operand.Text)
      Functions.insert(&F);
}

/// Bytes of the arrays of Kernel and of all functions that it calls.
static uint64_t localBytes(const PtxFunction &Kernel, const PtxFile &File) {
  llvm::SetVector<const PtxFunction *> Reached;
  Reached.insert(&Kernel);
  uint64_t Bytes = 0;
  for (size_t I = 0; I < Reached.size(); ++I) // it grows
    for (const PtxStatement &S : Reached[I]->Body) {
      if (S.Kind == PtxStatement::Variable && S.Object.Space == "local")
        Bytes += S.Object.bytes();
      if (S.Kind == PtxStatement::Instruction && S.Code.Opcode == "call")
        for (const PtxOperand &Operand : S.Code.Operands)
          addCalled(Operand, File, Reached);
    }
  return Bytes;
}

llvm::Expected<llvm::StringMap<uint64_t>> localBytes(llvm::StringRef Ptx) {
  llvm::Expected<PtxFile> File = parsePtx(Ptx);
  if (!File)
    return File.takeError();
  llvm::StringMap<uint64_t> Bytes;
  for (const PtxFunction &F : File->Functions)
    if (F.IsEntry && F.HasBody)
      Bytes[F.Name] = localBytes(F, *File);
  return Bytes;
}

struct NvccRun::State {
  PtxCompile Compile;
  PtxasRequest Assembler;
};

NvccRun::NvccRun(std::unique_ptr<State> S) : S(std::move(S)) {}
NvccRun::NvccRun(NvccRun &&) noexcept = default;
NvccRun::~NvccRun() = default;

llvm::Expected<NvccRun> NvccRun::start(NvccRequest Request) {
  llvm::Expected<PtxCompile> Started =
      PtxCompile::start(std::move(Request.Compile));
  if (!Started)
    return Started.takeError();
  return NvccRun(std::make_unique<State>(
      State{std::move(*Started), std::move(Request.Assembler)}));
}

llvm::Expected<std::vector<CompiledKernel>> NvccRun::finish() {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> Text =
      S->Compile.finish();
  if (!Text)
    return Text.takeError();
  llvm::StringRef Ptx = (*Text)->getBuffer();
  llvm::Expected<std::vector<CompiledKernel>> Kernels =
      runPtxasOnText(Ptx, S->Assembler);
  if (!Kernels)
    return Kernels.takeError();
  // A newer SDK may write PTX that is not known here.
  llvm::Expected<llvm::StringMap<uint64_t>> Local = localBytes(Ptx);
  if (!Local) {
    llvm::consumeError(Local.takeError());
    return Kernels;
  }
  for (CompiledKernel &K : *Kernels)
    if (auto Known = Local->find(K.Mangled); Known != Local->end())
      K.LocalBytes = Known->getValue();
  return Kernels;
}

} // namespace gpuestimate
