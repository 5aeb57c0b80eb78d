// A run has the numbers of an analysis where no data matters: here the program
// passes pointers into one buffer, and launches two shapes.
// REQUIRES: plugin

// RUN: rm -rf %t && mkdir -p %t
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel add --run | FileCheck %s
// CHECK: analyze, golden, compare, serve, plugin, sweep, tune, run agree

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 22;
  float *p;
  cudaMalloc(&p, 3 * n * sizeof(float));
  add<<<n / 256, 256>>>(p, p + 64, p + n, n);
  add<<<n / 1024, 512>>>(p, p + n, p + 2 * n, n / 2);
  cudaDeviceSynchronize();
  return 0;
}
