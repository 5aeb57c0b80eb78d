/// \file
/// cuBLASXt's interface, under the SDK's file name.

#include "gpu_estimate/blas_xt_host.h"
