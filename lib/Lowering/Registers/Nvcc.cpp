#include "gpu-estimate/Lowering/Registers/Nvcc.h"

#include "TemporaryFile.h"
#include "gpu-estimate/Ptx/Parser.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <system_error>

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
  NvccRequest Request;
  TemporaryFile Ptx{"ptx"};
  std::optional<TimedProcess> Compile;
};

NvccRun::NvccRun(std::unique_ptr<State> S) : S(std::move(S)) {}
NvccRun::NvccRun(NvccRun &&) noexcept = default;
NvccRun::~NvccRun() = default;

llvm::Expected<NvccRun> NvccRun::start(NvccRequest Request) {
  auto S = std::make_unique<State>();
  S->Request = std::move(Request);
  if (S->Ptx.Problem)
    return llvm::errorCodeToError(S->Ptx.Problem);
  std::vector<std::string> Words = {S->Request.Path, "-ptx",
                                    "-arch=" + S->Request.Assembler.Arch};
  Words.insert(Words.end(), S->Request.Arguments.begin(),
               S->Request.Arguments.end());
  // Names of other endings than .cu are CUDA here, too.
  Words.insert(Words.end(), {"-w", "-x", "cu", S->Request.File, "-o",
                             std::string(S->Ptx.Path)});
  llvm::Expected<TimedProcess> Started =
      TimedProcess::start(Words, S->Request.Directory,
                          std::chrono::seconds(S->Request.TimeoutSeconds));
  if (!Started)
    return Started.takeError();
  S->Compile.emplace(std::move(*Started));
  return NvccRun(std::move(S));
}

llvm::Expected<std::vector<CompiledKernel>> NvccRun::finish() {
  TimedProcess::Ending End = S->Compile->wait();
  if (!End.InTime)
    return llvm::createStringError(std::errc::timed_out,
                                   "nvcc was not done after %u seconds",
                                   S->Request.TimeoutSeconds);
  if (End.Status != 0)
    return llvm::createStringError(
        S->Request.Path + " failed: " +
        llvm::StringRef(End.Output).trim().split('\n').first.str());
  auto Text = llvm::MemoryBuffer::getFile(S->Ptx.Path);
  if (!Text)
    return llvm::errorCodeToError(Text.getError());
  llvm::Expected<std::vector<CompiledKernel>> Kernels =
      runPtxasOnText((*Text)->getBuffer(), S->Request.Assembler);
  if (!Kernels)
    return Kernels.takeError();
  // A newer SDK may write PTX that is not known here.
  llvm::Expected<llvm::StringMap<uint64_t>> Local =
      localBytes((*Text)->getBuffer());
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
