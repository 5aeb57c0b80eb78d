/// \file
/// NVRTC, the compiler of CUDA sources at run time, under the SDK's file name.

#ifndef GPU_ESTIMATE_CUDA_NVRTC_H
#define GPU_ESTIMATE_CUDA_NVRTC_H

#include <stddef.h>

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

#if defined(__cplusplus)
extern "C" {
#endif
const char *nvrtcGetErrorString(nvrtcResult Result);
nvrtcResult nvrtcVersion(int *Major, int *Minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *Count);
nvrtcResult nvrtcGetSupportedArchs(int *Architectures);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *Result, const char *Source,
                               const char *Name, int NumHeaders,
                               const char *const *Headers,
                               const char *const *IncludeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *Program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram Program, int NumOptions,
                                const char *const *Options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram Program, size_t *Bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram Program, char *Text);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram Program, size_t *Bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram Program, char *Image);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram Program, size_t *Bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram Program, char *Text);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram Program, const char *Name);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram Program, const char *Name,
                                const char **Lowered);
#if defined(__cplusplus)
}
#endif

#endif
