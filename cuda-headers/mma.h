/// \file
/// Warp matrix functions, under the SDK's file name.

#include "gpu_estimate/wmma.h"
