/// \file
/// The sources of a folder that a web page may ask for, and nothing else of the
/// machine.
#ifndef GPU_ESTIMATE_LIB_SERVE_WEB_WEBPROJECT_H
#define GPU_ESTIMATE_LIB_SERVE_WEB_WEBPROJECT_H

#include "Serve/AnalysisMemory.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace gpuestimate {

class WebProject {
public:
  /// Folder: absolute, without symbolic links. Defaults: options of every
  /// request.
  WebProject(std::string Folder, Options Defaults)
      : Folder(std::move(Folder)), Defaults(std::move(Defaults)) {}

  /// {"folder", "gpu", "files": [...], "complete"}: the GPU of the command line
  /// or null; names of sources below the folder,
  /// with '/', without hidden folders; "complete" is false where there are more
  /// than MaxFiles.
  llvm::json::Value files() const;
  static constexpr size_t MaxFiles = 2000;

  /// {"gpus": [{"id", "name", "clock_mhz", "multiprocessors"}]}
  llvm::Expected<llvm::json::Value> gpus() const;

  /// As the method `estimate` (docs/serve.md), with the roofline and the CPI
  /// stack of each estimate. Parameters are "file" and those of parameters().
  /// Errors are UsageErrors where the request is wrong.
  llvm::Expected<llvm::json::Value>
  estimate(const llvm::json::Object &Parameters) const;

  /// {"surfaces": [{"kernel", "gpu", "multiprocessors": [...], "clocks_mhz":
  /// [...], "times_ms": [[...]]}]}: the time of each kernel at SurfaceSteps
  /// numbers of multiprocessors, up to those of the GPU (one array each), and
  /// as many core clocks, up to the highest of the GPU; null where a launch is
  /// impossible. Of several launches of a kernel the times are added.
  /// Parameters and errors are those of estimate().
  llvm::Expected<llvm::json::Value>
  surface(const llvm::json::Object &Parameters) const;
  static constexpr unsigned SurfaceSteps = 8;

  /// Parameters that decide a launch or the machine: none names a file.
  static llvm::ArrayRef<llvm::StringLiteral> parameters();

  /// The path of a file below the folder. Errors: it is outside (by "..", a
  /// symbolic link, an absolute name), is no source, or is not there.
  llvm::Expected<std::string> resolve(llvm::StringRef Name) const;

private:
  /// The options of a request, and its GPUs by their ids, with the changes of
  /// "set".
  struct Request {
    Options Asked;
    std::map<std::string, GpuModel> Gpus;
    std::string Key; ///< equal keys, equal requests
  };
  llvm::Expected<Request> request(const llvm::json::Object &Parameters) const;

  std::string Folder;
  Options Defaults;
  mutable AnalysisMemory Memory;
};

} // namespace gpuestimate

#endif
