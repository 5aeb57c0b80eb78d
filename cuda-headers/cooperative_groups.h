/// \file
/// Cooperative groups, under the SDK's file name.

#include "gpu_estimate/cg_groups.h"
