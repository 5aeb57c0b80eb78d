/// \file
/// bfloat16, under the SDK's file name.

#include "gpu_estimate/bfloat16.h"
