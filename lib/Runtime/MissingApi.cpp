/// \file
/// Functions that the shipped headers declare and that are not emulated: each
/// tells the user its name and returns cudaErrorNotSupported (801, which is the
/// driver's CUDA_ERROR_NOT_SUPPORTED, too), so that the program can go on.
#include "Process.h"

namespace {

cudaError_t missing(const char *Name) {
  gpuestimate::ApiCall Call(Name);
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  Call.notice(std::string(Name) + " is not supported: it failed");
  return Call.done(cudaErrorNotSupported);
}

} // namespace

/// A function of this kind reads none of its parameters: on all hosts of the
/// tool the caller removes them. The C++ name differs, so that the declaration
/// with parameters does not conflict.
#define GPU_ESTIMATE_MISSING(Name)                                             \
  extern "C" GPU_ESTIMATE_EXPORT int gpuEstimateMissing_##Name() asm(#Name);   \
  int gpuEstimateMissing_##Name() { return missing(#Name); }

#include "MissingCalls.def"
