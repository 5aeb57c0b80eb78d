/// \file
/// Cooperative groups' algorithms, under the SDK's file name.

#include "../gpu_estimate/cg_algorithms.h"
