/// \file
/// Vector constructors, under the SDK's file name.

#include "gpu_estimate/vector_functions.h"
