/// \file
/// Finds the headers of CUDA, of clang and of gpu-estimate on this machine.
#ifndef GPU_ESTIMATE_FRONTEND_SDK_H
#define GPU_ESTIMATE_FRONTEND_SDK_H

#include <optional>
#include <string>

namespace gpuestimate {

struct CudaSdk {
  std::string Path;
  unsigned Major = 0, Minor = 0;
};

/// The SDK at Path, or for an empty Path the first of $CUDA_PATH, $CUDA_HOME,
/// /usr/local/cuda, /usr/lib/cuda and /opt/cuda that holds the headers which
/// clang needs, version 11 or newer.
std::optional<CudaSdk> findCudaSdk(const std::string &Path);

/// The folder with our own CUDA headers (gpu_estimate_cuda.h): in the source
/// tree of this build, or where it was installed. "" when neither exists.
std::string findShippedHeaders();

/// The folder with headers of the C and C++ libraries, c and c++, that a
/// relocatable archive brings along; "" in other installations.
std::string findSystemHeaders();

/// clang's own headers: those that came with gpu-estimate, of the clang that
/// this was built with, or of a clang of the same version on PATH. "" when none
/// is found.
std::string findResourceDir();

} // namespace gpuestimate

#endif
