/// \file
/// Surface object accesses, under the SDK's file name.

#include "gpu_estimate/runtime.h"
