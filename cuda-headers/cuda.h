/// \file
/// CUDA driver API, under the SDK's file name.

#include "gpu_estimate/driver_api.h"
