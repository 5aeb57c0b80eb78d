#include "TritonSource.h"

#include "gpu-estimate/Session/Pipeline/PythonInterpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

extern char **environ;

using namespace llvm;

namespace gpuestimate {

static std::string contents(const Twine &File) {
  auto Buffer = MemoryBuffer::getFile(File);
  return Buffer ? (*Buffer)->getBuffer().trim().str() : "";
}

Expected<std::string> compileTriton(const Options &O, StringRef File,
                                    const GpuModel &Gpu, StringRef Folder,
                                    std::string &Diagnostics) {
  Expected<std::string> Python = findPython();
  if (!Python)
    return Python.takeError();
  std::string Arch = Gpu.GfxTarget;
  if (Arch.empty()) {
    Arch = "sm_" + Gpu.ComputeCapability;
    erase(Arch, '.');
  }
  std::vector<std::string> Words = {*Python,
                                    "-m",
                                    "gpu_estimate.triton",
                                    File.str(),
                                    "--gpu",
                                    Gpu.Id,
                                    "--arch",
                                    Arch,
                                    "--warp-size",
                                    std::to_string(Gpu.WarpSize),
                                    "-o",
                                    Folder.str()};
  auto Add = [&](StringRef Name, StringRef Value) {
    Words.push_back((Name + "=" + Value).str());
  };
  if (!O.KernelRegex.empty())
    Add("--kernel", O.KernelRegex);
  if (!O.Triton.Signature.empty())
    Add("--signature", O.Triton.Signature);
  for (const std::string &Constant : O.Triton.Constants)
    Add("--constexpr", Constant);
  for (const std::string &Setting : O.Triton.Settings)
    Add("--option", Setting);
  std::string PathVariable = "PYTHONPATH=" + pythonPath();
  SmallVector<StringRef> Environment = {PathVariable};
  for (char **Entry = environ; *Entry; ++Entry)
    if (!StringRef(*Entry).starts_with("PYTHONPATH="))
      Environment.push_back(*Entry);
  std::string Printed = (Folder + "/output.txt").str(),
              Errors = (Folder + "/errors.txt").str();
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Printed),
                                          StringRef(Errors)};
  SmallVector<StringRef> Arguments(Words.begin(), Words.end());
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(*Python, Arguments, Environment, Redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  std::string Said = contents(Errors);
  if (Status != 0)
    return createStringError(!Problem.empty() ? *Python + ": " + Problem
                             : Said.empty()
                                 ? *Python + ": ended with exit status " +
                                       std::to_string(Status)
                                 : Said);
  if (!Said.empty())
    Diagnostics += Said + "\n";
  return contents(Printed);
}

} // namespace gpuestimate
