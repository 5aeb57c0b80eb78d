// A device function for kernels of other files: this file has no kernel, so that
// the compiler registers nothing.
__device__ float scale(float value, float factor) { return value * factor; }
