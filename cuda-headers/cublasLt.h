/// \file
/// cuBLASLt's host interface, under the SDK's file name.

#include "gpu_estimate/blas_lt_host.h"
