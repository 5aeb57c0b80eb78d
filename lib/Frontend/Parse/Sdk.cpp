/// \file
/// Looks for header folders on this machine.
#include "gpu-estimate/Frontend/Sdk.h"

#include "gpu-estimate/Support/Installation.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace gpuestimate {

namespace {

/// From `#define CUDA_VERSION 12040` in cuda.h; 0 when there is none.
unsigned readCudaVersion(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path + "/include/cuda.h");
  if (!Buffer)
    return 0;
  llvm::StringRef Text = (*Buffer)->getBuffer();
  llvm::StringRef Key = "#define CUDA_VERSION";
  size_t Position = Text.find(Key);
  unsigned Version = 0;
  if (Position == llvm::StringRef::npos ||
      Text.substr(Position + Key.size()).ltrim().consumeInteger(10, Version))
    return 0;
  return Version;
}

std::optional<CudaSdk> inspect(const std::string &Path) {
  unsigned Version = readCudaVersion(Path);
  if (Version < 11000 ||
      !llvm::sys::fs::exists(Path + "/include/cuda_runtime.h"))
    return std::nullopt;
  return CudaSdk{Path, Version / 1000, Version % 1000 / 10};
}

} // namespace

std::optional<CudaSdk> findCudaSdk(const std::string &Path) {
  if (!Path.empty())
    return inspect(Path);
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Value = llvm::sys::Process::GetEnv(Variable))
      if (auto Sdk = inspect(*Value))
        return Sdk;
  for (const char *Place : {"/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"})
    if (auto Sdk = inspect(Place))
      return Sdk;
  return std::nullopt;
}

std::string findShippedHeaders() {
  llvm::Expected<std::string> Folder = findDataFolder("cuda-headers");
  if (Folder)
    return *Folder;
  llvm::consumeError(Folder.takeError());
  return "";
}

std::string findSystemHeaders() {
  llvm::Expected<std::string> Folder = findDataFolder("lib/clang/system");
  if (Folder)
    return *Folder;
  llvm::consumeError(Folder.takeError());
  return "";
}

std::string findResourceDir() {
  std::string Built = GPU_ESTIMATE_CLANG_RESOURCE_DIR;
  auto isResourceDir = [](llvm::StringRef Place) {
    return llvm::sys::fs::exists(Place + "/include/stddef.h");
  };
  // A relocatable archive brings headers along.
  if (llvm::Expected<std::string> Shipped = findDataFolder("lib/clang")) {
    if (isResourceDir(*Shipped))
      return *Shipped;
  } else {
    llvm::consumeError(Shipped.takeError());
  }
  if (isResourceDir(Built))
    return Built;
  for (const char *Name : {"clang-" CLANG_VERSION_MAJOR_STRING,
                           "clang++-" CLANG_VERSION_MAJOR_STRING}) {
    auto Program = llvm::sys::findProgramByName(Name);
    if (!Program)
      continue;
    llvm::SmallString<128> Real;
    if (llvm::sys::fs::real_path(*Program, Real))
      continue;
    // <prefix>/bin/clang -> <prefix>/lib/clang/<major>
    llvm::sys::path::remove_filename(Real);
    llvm::sys::path::remove_filename(Real);
    llvm::sys::path::append(Real, "lib", "clang", CLANG_VERSION_MAJOR_STRING);
    if (isResourceDir(Real))
      return Real.str().str();
  }
  return "";
}

} // namespace gpuestimate
