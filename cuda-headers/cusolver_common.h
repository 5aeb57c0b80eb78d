/// \file
/// What cuSOLVER's interfaces share, under the SDK's file name.

#include "gpu_estimate/solver_host.h"
