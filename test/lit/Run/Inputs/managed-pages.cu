#include <cstdio>
#include <cstring>

__global__ void add(float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += b[i];
}

int main(int argc, char **argv) {
  const int n = 1 << 20, bytes = n * sizeof(float);
  float *a, *b;
  cudaMallocManaged(&a, bytes);
  cudaMallocManaged(&b, bytes);
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "advise"))
    cudaMemAdvise(b, bytes, cudaMemAdviseSetAccessedBy, 0);
  for (int i = 0; i < n; ++i)
    b[i] = 1;
  if (!strcmp(how, "prefetch"))
    cudaMemPrefetchAsync(b, bytes, 0, 0);
  add<<<n / 256, 256>>>(a, b);
  add<<<n / 256, 256>>>(a, b);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16 * 1024; ++i)
    b[i] = 1 + (i > 0);
  add<<<n / 256, 256>>>(a, b);
  cudaDeviceSynchronize();
  printf("%g\n", a[0]);
  cudaFree(a);
  cudaFree(b);
}
