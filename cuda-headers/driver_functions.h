/// \file
/// Constructors of runtime types, under the SDK's file name.

#include "gpu_estimate/runtime.h"
