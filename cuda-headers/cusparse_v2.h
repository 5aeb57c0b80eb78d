/// \file
/// cuSPARSE's host interface, under the SDK's file name.

#include "gpu_estimate/sparse_host.h"
