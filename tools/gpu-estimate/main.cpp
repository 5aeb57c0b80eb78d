/// \file
/// The command `gpu-estimate`: wraps a compiler itself, which must cost a build
/// nothing, and leaves everything else to the tool proper, which loads LLVM and
/// clang.
#include "Wrapper.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace gpuestimate;
namespace fs = std::filesystem;

/// Runs a module of the package for Python, in the interpreter that
/// GPU_ESTIMATE_PYTHON names, else python3.
static int runPythonModule(const Installation &Here, const char *Module,
                           std::vector<std::string> Words) {
  std::error_code Ignored;
  const char *Named = std::getenv("GPU_ESTIMATE_PYTHON");
  fs::path Prefix = fs::path(Here.Self).parent_path().parent_path();
  // In a wheel the package lies beside the user's others.
  for (const fs::path &Folder : {Prefix / "share" / "gpu-estimate" / "python",
                                 fs::path(GPU_ESTIMATE_SOURCE_DIR) / "python"})
    if (fs::is_directory(Folder, Ignored)) {
      const char *Before = std::getenv("PYTHONPATH");
      std::string Path = Folder.string() + (Before ? ":" : "") +
                         std::string(Before ? Before : "");
      setenv("PYTHONPATH", Path.c_str(), /*overwrite=*/1);
      break;
    }
  setenv("GPU_ESTIMATE", Here.Self.c_str(), /*overwrite=*/0);
  std::vector<std::string> Front = {Named && *Named ? Named : "python3", "-m",
                                    Module};
  Words.insert(Words.begin(), Front.begin(), Front.end());
  return replaceProcess(Words);
}

int main(int ArgCount, char **Args) {
  std::error_code Ignored;
  Installation Here;
  Here.Self = fs::canonical("/proc/self/exe", Ignored);
  fs::path Prefix = fs::path(Here.Self).parent_path().parent_path();
  Here.Tool = Prefix / "libexec" / "gpu-estimate-tool";
  // The plugin of an installation, else that of a build tree.
  Here.Plugin = Prefix / "lib" / "gpu-estimate" / "GpuEstimate.so";
  if (!fs::exists(Here.Plugin, Ignored))
    Here.Plugin = Prefix / "lib" / "GpuEstimate.so";

  std::vector<std::string> Words(Args, Args + ArgCount);
  std::string Name = fs::path(Words.empty() ? "" : Words[0]).filename();
  if (!Words.empty())
    Words.erase(Words.begin());
  if (Name.find("gpu-estimate") == std::string::npos)
    return runAsCompiler(Here, Name, std::move(Words));
  if (!Words.empty() && Words[0] == "cc" &&
      !(Words.size() > 1 && (Words[1] == "--help" || Words[1] == "--help-all" ||
                             Words[1] == "-h"))) {
    Words.erase(Words.begin());
    return runWrapper(Here, std::move(Words));
  }
  if (!Words.empty() && Words[0] == "kernelbench") {
    Words.erase(Words.begin());
    return runPythonModule(Here, "gpu_estimate.kernelbench", std::move(Words));
  }
  bool IsWeb = !Words.empty() && Words[0] == "serve" &&
               std::any_of(Words.begin(), Words.end(), [](const auto &Word) {
                 return Word == "--http" || Word.starts_with("--http=");
               });
  Words.insert(Words.begin(),
               IsWeb ? fs::path(Here.Tool).replace_filename("gpu-estimate-web")
                     : fs::path(Here.Tool));
  return replaceProcess(Words);
}
