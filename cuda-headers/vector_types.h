/// \file
/// Vector types, under the SDK's file name.

#include "gpu_estimate/vector_types.h"
