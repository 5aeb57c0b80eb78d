/// \file
/// What the tests of GPU models share: the shipped models and scratch files.
#ifndef GPU_ESTIMATE_TEST_UNIT_GPUMODELTESTING_H
#define GPU_ESTIMATE_TEST_UNIT_GPUMODELTESTING_H

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace gpuestimate::testing {

inline std::string modelFolder() { return GPU_ESTIMATE_SOURCE_DIR "/hwmodels"; }
inline std::string dataFile(llvm::StringRef Name) {
  return (GPU_ESTIMATE_SOURCE_DIR "/test/data/gpu/" + Name).str();
}

/// The error of a load that must fail; fails the test if it does not.
inline std::string errorOf(llvm::Expected<GpuModel> Model) {
  if (Model) {
    ADD_FAILURE() << "an error was expected";
    return "";
  }
  return llvm::toString(Model.takeError());
}

inline GpuModel shipped(llvm::StringRef Id) {
  llvm::Expected<GpuModel> Model = findGpuModel(Id, modelFolder());
  if (!Model) {
    ADD_FAILURE() << llvm::toString(Model.takeError());
    return {};
  }
  return *Model;
}

/// A file that lives as long as the object.
class ScratchFile {
public:
  explicit ScratchFile(llvm::StringRef Text) {
    int Descriptor = -1;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("gpu-model", "yaml",
                                                    Descriptor, Path));
    llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << Text;
  }
  ~ScratchFile() { llvm::sys::fs::remove(Path); }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  std::string path() const { return Path.str().str(); }

private:
  llvm::SmallString<128> Path;
};

} // namespace gpuestimate::testing

#endif
