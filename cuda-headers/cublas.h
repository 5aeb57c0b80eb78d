/// \file
/// cuBLAS's host interface with and without handles, under the SDK's file name.

#include "gpu_estimate/blas_host.h"
#include "gpu_estimate/blas_legacy.h"
