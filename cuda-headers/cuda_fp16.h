/// \file
/// Half precision, under the SDK's file name.

#include "gpu_estimate/half.h"
