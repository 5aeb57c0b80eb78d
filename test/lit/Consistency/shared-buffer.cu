// One launch has one time, bound, interval and list of premises, whichever
// command is asked: here pointers lead into one buffer, at distances that host
// code computes, and in one case at a distance that nobody knows.
// REQUIRES: plugin, slow

// RUN: rm -rf %t && mkdir -p %t
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel same | FileCheck %s --check-prefix=SAME
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel behind | FileCheck %s --check-prefix=BEHIND
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel somewhere | FileCheck %s --check-prefix=SOMEWHERE

// The 17 MB of one array stay in an L2 of 40 MB, so that the blocks are sent no
// faster than they can be; of the 34 MB of two arrays a part does not stay, and
// three arrays of 50 MB come from DRAM in 37 us.
// SAME: same: 0.014{{[0-9]+}} ms, dispatch, {{.*}}, premises []
// SAME-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree
// BEHIND: behind: 0.015{{[0-9]+}} ms, dispatch, {{.*}}, premises []
// BEHIND-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree
// SOMEWHERE: somewhere: {{.*}}, premises ["'b' is taken as a buffer of its own
// SOMEWHERE-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree

__global__ void same(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void behind(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void somewhere(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

void launch(int distance) {
  const int n = 1 << 22;
  float *p;
  cudaMalloc(&p, 3 * n * sizeof(float));
  same<<<n / 256, 256>>>(p, p, p, n);
  behind<<<n / 256, 256>>>(p, p + 64, p + n, n);
  somewhere<<<n / 256, 256>>>(p, p + distance, p + n, n);
}
