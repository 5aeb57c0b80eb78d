/// \file
/// Builtin variables, under the SDK's file name.

#include "gpu_estimate/runtime.h"
