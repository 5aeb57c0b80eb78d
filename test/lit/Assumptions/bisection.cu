// A bisection of n elements takes the logarithm of n steps.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 --param n=1048576 \
// RUN:   | FileCheck %s
__global__ void lowerBound(const int *sorted, const int *key, int *place,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key[i])
      low = middle + 1;
    else
      high = middle;
  }
  place[i] = low;
}
// CHECK: 'lowerBound' takes
// CHECK: bisection.cu:10 {{ *}}global load sorted * {{ *}}172 K
// CHECK-NOT: trip count of the loop

// One that ends when it finds the key has it as the upper bound.
__global__ void find(const int *sorted, const int *key, int *place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = n - 1, found = -1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == key[i]) {
      found = middle;
      break;
    }
    if (sorted[middle] < key[i])
      low = middle + 1;
    else
      high = middle - 1;
  }
  place[i] = found;
}
// CHECK: 'find' takes
// CHECK: trip count of the loop at bisection.cu:[[#@LINE-14]] = 20: {{.*}}taken as its upper bound

// Both ends move together: no bisection.
__global__ void window(const int *key, int *place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    low = key[middle];
    high = middle;
  }
  place[i] = low;
}
// CHECK: 'window' takes
// CHECK: trip count of the loop at bisection.cu:[[#@LINE-8]] = 16
