/// \file
/// Channel descriptors, under the SDK's file name.

#include "gpu_estimate/runtime.h"
