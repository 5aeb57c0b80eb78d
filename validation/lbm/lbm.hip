// The same kernel for AMD: this ending makes the compiler treat it as HIP.

#include "lbm.cu"
