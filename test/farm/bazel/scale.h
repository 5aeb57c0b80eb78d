__device__ inline float scaled(float x) { return x * FACTOR; }
