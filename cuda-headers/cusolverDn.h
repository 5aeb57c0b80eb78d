/// \file
/// cuSOLVER's dense interface, under the SDK's file name.

#include "gpu_estimate/solver_host.h"
