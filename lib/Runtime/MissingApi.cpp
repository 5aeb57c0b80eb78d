/// \file
/// Functions that are not emulated: those of the shipped headers, and those
/// that the link of a program defines because nothing else does
/// (lib/Commands/Run/MissingFunctions.h). Each tells the user its name and
/// returns its library's own "not supported", so that the program can go on.
#include "Process.h"
#include "gpu-estimate/Run/GpuLibraries.h"

using namespace gpuestimate;

/// Does the function describe something in words, as `cusparseGetErrorString`
/// and `glGetString` do?
static bool returnsText(llvm::StringRef Function) {
  return Function.ends_with("String") || Function.ends_with("ErrorName") ||
         Function.ends_with("StatusName");
}

/// Returns the status of the library for a call of the function Name, which is
/// not emulated. A function that returns text returns "not supported".
extern "C" GPU_ESTIMATE_EXPORT intptr_t
gpu_estimate_missing_function(const char *Name) {
  if (returnsText(Name))
    return reinterpret_cast<intptr_t>("not supported");
  const GpuLibrary *Library = gpuLibraryOf(Name);
  int64_t Status = Library ? Library->NotSupported : 0;
  bool IsCuda = Status == cudaErrorNotSupported;
  ApiCall Call(Name);
  if (!Call.hasDevice())
    return IsCuda ? int64_t(Call.done(cudaErrorNoDevice)) : Status;
  Call.record(RunCall{});
  Call.notice(std::string(Name) + " is not supported: it failed");
  return IsCuda ? int64_t(Call.done(cudaErrorNotSupported)) : Status;
}

/// A function of this kind reads none of its parameters: on all hosts of the
/// tool the caller removes them. The C++ name differs, so that the declaration
/// with parameters does not conflict.
#define GPU_ESTIMATE_MISSING(Name)                                             \
  extern "C" GPU_ESTIMATE_EXPORT intptr_t gpuEstimateMissing_##Name() asm(     \
      #Name);                                                                  \
  intptr_t gpuEstimateMissing_##Name() {                                       \
    return gpu_estimate_missing_function(#Name);                               \
  }

#include "MissingCalls.def"
