/// \file
/// Device-side random numbers, under the SDK's file name.

#include "gpu_estimate/random_device.h"
