/// \file
/// Asynchronous copies, under the SDK's file name.

#include "gpu_estimate/async_copy.h"
