/// \file
/// CUDA runtime API, under the SDK's file name.

#include "gpu_estimate/runtime.h"
