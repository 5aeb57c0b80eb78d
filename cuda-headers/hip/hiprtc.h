/// \file
/// hipRTC, the compiler of HIP sources at run time: NVRTC by other names. The
/// image that it makes is LLVM bitcode for AMD's processor.

#ifndef GPU_ESTIMATE_HIP_RTC_H
#define GPU_ESTIMATE_HIP_RTC_H

#include "hip_runtime_api.h"

#include "../nvrtc.h"

typedef nvrtcProgram hiprtcProgram;
typedef nvrtcResult hiprtcResult;

#define GPU_ESTIMATE_HIPRTC(Name)                                              \
  static constexpr auto HIPRTC_##Name = NVRTC_##Name;
GPU_ESTIMATE_HIPRTC(SUCCESS)
GPU_ESTIMATE_HIPRTC(ERROR_OUT_OF_MEMORY)
GPU_ESTIMATE_HIPRTC(ERROR_PROGRAM_CREATION_FAILURE)
GPU_ESTIMATE_HIPRTC(ERROR_INVALID_INPUT)
GPU_ESTIMATE_HIPRTC(ERROR_INVALID_PROGRAM)
GPU_ESTIMATE_HIPRTC(ERROR_INVALID_OPTION)
GPU_ESTIMATE_HIPRTC(ERROR_COMPILATION)
GPU_ESTIMATE_HIPRTC(ERROR_BUILTIN_OPERATION_FAILURE)
GPU_ESTIMATE_HIPRTC(ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
GPU_ESTIMATE_HIPRTC(ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
GPU_ESTIMATE_HIPRTC(ERROR_NAME_EXPRESSION_NOT_VALID)
GPU_ESTIMATE_HIPRTC(ERROR_INTERNAL_ERROR)
#undef GPU_ESTIMATE_HIPRTC

#define GPU_ESTIMATE_HIPRTC(Hip, Cuda)                                         \
  extern "C" decltype(nvrtc##Cuda) hiprtc##Hip __asm__("nvrtc" #Cuda);
GPU_ESTIMATE_HIPRTC(GetErrorString, GetErrorString)
GPU_ESTIMATE_HIPRTC(Version, Version)
GPU_ESTIMATE_HIPRTC(CreateProgram, CreateProgram)
GPU_ESTIMATE_HIPRTC(CompileProgram, CompileProgram)
GPU_ESTIMATE_HIPRTC(DestroyProgram, DestroyProgram)
GPU_ESTIMATE_HIPRTC(GetCodeSize, GetCUBINSize)
GPU_ESTIMATE_HIPRTC(GetCode, GetCUBIN)
GPU_ESTIMATE_HIPRTC(GetProgramLogSize, GetProgramLogSize)
GPU_ESTIMATE_HIPRTC(GetProgramLog, GetProgramLog)
GPU_ESTIMATE_HIPRTC(AddNameExpression, AddNameExpression)
GPU_ESTIMATE_HIPRTC(GetLoweredName, GetLoweredName)
#undef GPU_ESTIMATE_HIPRTC

#endif
