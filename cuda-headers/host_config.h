/// \file
/// Host configuration, under the SDK's file name.

#include "gpu_estimate/qualifiers.h"
