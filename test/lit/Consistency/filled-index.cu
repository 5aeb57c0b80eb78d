// One launch has one time, bound, interval and list of premises, whichever
// command is asked: here host code fills an index array with a rule, or with
// random numbers.
// REQUIRES: plugin, slow

// RUN: rm -rf %t && mkdir -p %t
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel inOrder | FileCheck %s --check-prefix=ORDER
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel drawn | FileCheck %s --check-prefix=DRAWN
// RUN: python3 %S/Inputs/same_numbers.py %build %t %s --kernel halves | FileCheck %s --check-prefix=HALVES

// Host code fills the indices in order: nothing is assumed.
// ORDER: inOrder: 0.0{{[0-9]+}} ms, dram-bandwidth, {{.*}}, premises ["value loaded at filled-index.cu:{{[0-9]+}} follows from the host code at {{.*}}"]
// ORDER-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree
// DRAWN: drawn: {{.*}} ms
// DRAWN-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree
// HALVES: halves: {{.*}} ms
// HALVES-NEXT: analyze, golden, compare, serve, plugin, sweep, tune, validate agree

#include <cstdlib>
#include <vector>

__global__ void inOrder(const int *idx, const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[idx[i]];
}

__global__ void drawn(const int *idx, const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[idx[i]];
}

__global__ void halves(const int *mask, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && mask[i] == 0)
    c[i] += 1;
}

void launch() {
  const int n = 1 << 22;
  std::vector<int> order(n), random(n), mask(n);
  for (int i = 0; i < n; ++i)
    order[i] = i;
  for (int i = 0; i < n; ++i)
    random[i] = rand() % n;
  for (int i = 0; i < n; ++i)
    mask[i] = rand() % 2;
  int *idx, *other, *flags;
  float *a, *c;
  cudaMalloc(&idx, n * sizeof(int));
  cudaMalloc(&other, n * sizeof(int));
  cudaMalloc(&flags, n * sizeof(int));
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(idx, order.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(other, random.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(flags, mask.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  inOrder<<<n / 256, 256>>>(idx, a, c, n);
  drawn<<<n / 256, 256>>>(other, a, c, n);
  halves<<<n / 256, 256>>>(flags, c, n);
}
