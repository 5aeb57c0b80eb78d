#include "gpu-estimate/Session/Pipeline/PythonInterpreter.h"

#include "gpu-estimate/Support/Installation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;

namespace gpuestimate {

Expected<std::string> findPython() {
  const char *Named = std::getenv("GPU_ESTIMATE_PYTHON");
  StringRef Name = Named && *Named ? Named : "python3";
  ErrorOr<std::string> Found = sys::findProgramByName(Name);
  if (Found && sys::fs::can_execute(*Found)) // a path is not looked at before
    return *Found;
  return createStringError("no program " + Name +
                           ": set the environment variable "
                           "GPU_ESTIMATE_PYTHON to a Python interpreter");
}

std::string pythonPath() {
  const char *Before = std::getenv("PYTHONPATH");
  std::string Path = Before ? Before : "";
  // In a wheel the package lies beside the user's others.
  Expected<std::string> Folder = findDataFolder("python");
  if (!Folder) {
    consumeError(Folder.takeError());
    return Path;
  }
  return *Folder + (Path.empty() ? "" : ":" + Path);
}

} // namespace gpuestimate
