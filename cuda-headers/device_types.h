/// \file
/// Device types, under the SDK's file name.

#include "gpu_estimate/runtime_types.h"
