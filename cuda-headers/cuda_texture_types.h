/// \file
/// Texture references, under the SDK's file name.

#include "gpu_estimate/runtime.h"
