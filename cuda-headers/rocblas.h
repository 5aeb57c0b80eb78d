/// \file
/// rocBLAS, under the name of its first versions.

#include "rocblas/rocblas.h"
