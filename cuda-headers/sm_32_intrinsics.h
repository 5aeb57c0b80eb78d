/// \file
/// Intrinsics of one architecture, under the SDK's file name.

#include "gpu_estimate/runtime.h"
