/// \file
/// hipBLAS, under the name of its first versions.

#include "hipblas/hipblas.h"
