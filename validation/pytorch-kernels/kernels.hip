// The same kernels for AMD: this ending makes the compiler treat them as HIP.

#include "kernels.cu"
