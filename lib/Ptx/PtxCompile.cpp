#include "gpu-estimate/Ptx/PtxCompile.h"

#include "gpu-estimate/Support/TemporaryFile.h"
#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <system_error>

namespace gpuestimate {

struct PtxCompile::State {
  PtxCompileRequest Request;
  TemporaryFile Ptx{"ptx"};
  std::optional<TimedProcess> Compile;
};

PtxCompile::PtxCompile(std::unique_ptr<State> S) : S(std::move(S)) {}
PtxCompile::PtxCompile(PtxCompile &&) noexcept = default;
PtxCompile::~PtxCompile() = default;

llvm::Expected<PtxCompile> PtxCompile::start(PtxCompileRequest Request) {
  auto S = std::make_unique<State>();
  S->Request = std::move(Request);
  if (S->Ptx.Problem)
    return llvm::errorCodeToError(S->Ptx.Problem);
  std::vector<std::string> Words = {S->Request.Path, "-ptx",
                                    "-arch=" + S->Request.Arch};
  if (S->Request.HasLines)
    Words.push_back("-lineinfo");
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
  return PtxCompile(std::move(S));
}

/// The first line of what nvcc prints that reports an error, or else the first
/// one.
static llvm::StringRef firstError(llvm::StringRef Output) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Output.split(Lines, '\n');
  for (llvm::StringRef Line : Lines)
    if (Line.contains("error"))
      return Line.trim();
  return Output.trim().split('\n').first;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> PtxCompile::finish() {
  TimedProcess::Ending End = S->Compile->wait();
  if (!End.InTime)
    return llvm::createStringError(std::errc::timed_out,
                                   "nvcc was not done after %u seconds",
                                   S->Request.TimeoutSeconds);
  if (End.Status != 0)
    return llvm::createStringError(S->Request.Path +
                                   " failed: " + firstError(End.Output).str());
  auto Text = llvm::MemoryBuffer::getFile(S->Ptx.Path);
  if (!Text)
    return llvm::errorCodeToError(Text.getError());
  return std::move(*Text);
}

} // namespace gpuestimate
