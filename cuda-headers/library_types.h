/// \file
/// Types of elements of CUDA's libraries, under the SDK's file name.

#include "gpu_estimate/library_types.h"
