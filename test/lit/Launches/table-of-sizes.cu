// Sizes from an array that the program does not change: each turn of the loop has
// its launch. An array that something writes is not known.
// RUN: %analyze %s --gpu nvidia-h100-sxm 2>&1 | FileCheck %s

// CHECK-DAG: 'square' takes {{.*}} (grid 65536, block 4x4 from host-code)
// CHECK-DAG: 'square' takes {{.*}} (grid 4096, block 16x16 from host-code)
// CHECK-DAG: 'row' takes {{.*}} (grid 8192, block 128 from host-code)
// CHECK-DAG: 'third' takes {{.*}} (grid 1024, block 256 from host-code)
// CHECK-DAG: 'filled' has no time {{.*}} settle with --block X
// CHECK-DAG: 'assigned' has no time {{.*}} settle with --block X
__global__ void square(float *x) { x[blockIdx.x * blockDim.x * blockDim.y] += 1; }
__global__ void row(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void third(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void filled(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void assigned(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

void fill(int *sizes);

void launch(float *x, int n, const int side) {
  int threads = side * side;
  dim3 block(side, side);
  square<<<n / threads, block>>>(x);
}

int main() {
  float *x;
  cudaMalloc(&x, 1 << 24);
  const int n = 1 << 20;
  int sides[] = {4, 8, 16, 32};
  for (int i = 0; i < sizeof(sides) / sizeof(int); i++)
    launch(x, n, sides[i]);
  static const int rows[2] = {128, 64};
  for (int i = 0; i < 2; i++)
    row<<<n / rows[i], rows[i]>>>(x);
  third<<<1024, sides[2] * 16>>>(x);
  int unknown[] = {32, 64};
  fill(unknown);
  for (int i = 0; i < 2; i++) {
    int size = unknown[i];
    filled<<<n / size, size>>>(x);
  }
  int changed[] = {32, 64};
  for (int i = 0; i < 2; i++) {
    changed[i] *= 2;
    int size = changed[i];
    assigned<<<n / size, size>>>(x);
  }
}
