/// \file
/// Complex numbers in C style, under the SDK's file name.

#include "gpu_estimate/complex.h"
