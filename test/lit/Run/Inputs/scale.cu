extern "C" __global__ void scale(int *p) { *p *= 2; }
