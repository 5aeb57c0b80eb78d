// What host code puts into buffers settles conditions, trip counts and indices.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// RUN: %analyze %s --gpu amd-mi210 | FileCheck %s --check-prefix=AMD
#include <cstdlib>
#include <cstring>

// A share of threads: one of four numbers.
__global__ void quarter(const int *key, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[i] == 3)
    y[i] = sqrtf(y[i]);
}
// CHECK: 'quarter' takes
// CHECK: condition at host-contents.cu:10 holds = 0.2{{[0-9]*}}: mean over what the host code puts into the buffer at host-contents.cu:[[#]]

// A trip count: the longest row of a warp has 7 elements, mostly.
__global__ void rows(const int *length, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < length[i]; ++j)
    sum += y[i + j];
  y[i] = sum;
}
// CHECK: 'rows' takes
// CHECK: trip count of the loop at host-contents.cu:20 = {{6.9|7:}}{{.*}} mean over what the host code puts into the buffer at host-contents.cu:[[#]]

// Zeros: the condition never holds, nobody has to assume that.
__global__ void visit(const char *seen, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (seen[i])
    y[i] = 1;
}
// CHECK: 'visit' takes
// CHECK: condition at host-contents.cu:30 holds follows from the host code at host-contents.cu:[[#]]

// An index that is the number of the element: consecutive elements.
__global__ void gather(const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[index[i]];
}
// CHECK: 'gather' takes
// CHECK: host-contents.cu:39 global load x {{ *}}32.8 K {{ *}}4 {{ *}}4
// CHECK: value loaded at host-contents.cu:39 follows from the host code at host-contents.cu:[[#]]

// Not for a buffer that the kernel or an earlier one writes.
__global__ void mark(int *level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[i] == 0)
    level[i + 1] = 1;
}
// CHECK: 'mark' takes
// CHECK: condition at host-contents.cu:48 holds = 0.16: it depends on data

__global__ void after(const int *level, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[i] == 0)
    y[i] = 1;
}
// CHECK: 'after' takes
// CHECK: condition at host-contents.cu:56 holds = 0.16: it depends on data

// A real number that grows with the number of the element.
__global__ void series(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (fabs(x[i]) < 0.25)
    y[i] = 1;
}
// CHECK: 'series' takes
// CHECK: host-contents.cu:[[#@LINE-3]] {{ *}}global store y {{ *}}8.22 K
// CHECK: follows from the host code at host-contents.cu:[[#]]

// Three of eight numbers; LLVM compares key[i] - 1 without sign.
__global__ void between(const int *key, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[i] >= 1 && key[i] < 4)
    y[i] = sqrtf(y[i]);
}
// CHECK: 'between' takes
// CHECK: condition at host-contents.cu:[[#@LINE-4]] holds = 0.3{{[67][0-9]*}}: mean

// Three of the numbers -4 to 3: divisions round towards zero.
__global__ void half(const int *key, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[i] / 2 == 0)
    y[i] = sqrtf(y[i]);
}
// CHECK: 'half' takes
// CHECK: condition at host-contents.cu:[[#@LINE-4]] holds = 0.3{{[67][0-9]*}}: mean

// The longest of the lanes of a warp: 32/33 of 1000 with 32 of them, 64/65 with
// the 64 of a wavefront.
__global__ void longest(const int *length, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < length[i]; ++j)
    sum += y[i + j];
  y[i] = sum;
}
// CHECK: 'longest' takes
// CHECK: trip count of the loop at host-contents.cu:[[#@LINE-5]] = {{96[5-9]|97[0-3]}}
// AMD: 'longest' takes
// AMD: trip count of the loop at host-contents.cu:[[#@LINE-7]] = {{98[0-9]}}

static void fill(int *numbers, int count, int limit) {
  for (int i = 0; i < count; ++i)
    numbers[i] = rand() % limit;
}

int main() {
  const int n = 1 << 20;
  int *key = (int *)malloc(n * sizeof(int));
  int *order = new int[n];
  char *seen = (char *)calloc(n, 1);
  fill(key, n, 4);
  for (int i = 0; i < n; ++i)
    order[i] = i;
  int *dKey, *dLength, *dOrder, *dLevel;
  char *dSeen;
  float *x, *y;
  cudaMalloc(&dKey, n * sizeof(int));
  cudaMalloc(&dLength, n * sizeof(int));
  cudaMalloc(&dOrder, n * sizeof(int));
  cudaMalloc(&dLevel, n * sizeof(int));
  cudaMalloc(&dSeen, n);
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(dKey, key, n * sizeof(int), cudaMemcpyHostToDevice);
  quarter<<<n / 256, 256>>>(dKey, y);
  fill(key, n, 8);
  cudaMemcpy(dLength, key, n * sizeof(int), cudaMemcpyHostToDevice);
  rows<<<n / 256, 256>>>(dLength, y);
  cudaMemcpy(dSeen, seen, n, cudaMemcpyHostToDevice);
  visit<<<n / 256, 256>>>(dSeen, y);
  cudaMemcpy(dOrder, order, n * sizeof(int), cudaMemcpyHostToDevice);
  gather<<<n / 256, 256>>>(dOrder, x, y);
  cudaMemset(dLevel, 0, n * sizeof(int));
  mark<<<n / 256, 256>>>(dLevel);
  after<<<n / 256, 256>>>(dLevel, y);
  double *points = (double *)malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    points[i] = (double)i / n;
  double *dPoints, *z;
  cudaMalloc(&dPoints, n * sizeof(double));
  cudaMalloc(&z, n * sizeof(double));
  cudaMemcpy(dPoints, points, n * sizeof(double), cudaMemcpyHostToDevice);
  series<<<n / 256, 256>>>(dPoints, z);
  cudaMemcpy(dKey, key, n * sizeof(int), cudaMemcpyHostToDevice);
  between<<<n / 256, 256>>>(dKey, y);
  for (int i = 0; i < n; ++i)
    key[i] = rand() % 8 - 4;
  cudaMemcpy(dLength, key, n * sizeof(int), cudaMemcpyHostToDevice);
  half<<<n / 256, 256>>>(dLength, y);
  fill(key, n, 1000);
  cudaMemcpy(dLength, key, n * sizeof(int), cudaMemcpyHostToDevice);
  longest<<<n / 256, 256>>>(dLength, y);
}
