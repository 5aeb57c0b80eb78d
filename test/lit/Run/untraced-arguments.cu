// A kernel that depends on data and has other arguments at every launch is
// traced at every launch until its traces have cost 2 million executions of
// blocks of code. What is not traced then says whose data it has.
// REQUIRES: slow
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --format json -o %t.json
// RUN: FileCheck %s < %t.json
//
// CHECK: "program": {
// CHECK-NOT: what depends on data is as
// CHECK: "value": "4"
// CHECK: "value": "5"
// CHECK: "trip count of the loop at {{.*}} = 524 K (16 without data)"
// CHECK: "what depends on data is as in the last traced launch of 'walk' with this grid and block, whose arguments differ"

__global__ void walk(const unsigned *next, unsigned *out, int first) {
  unsigned at = first, steps = 0;
  while (next[at] != 0) {
    at = next[at];
    ++steps;
  }
  *out = steps;
}

int main() {
  const unsigned size = 1 << 19;
  unsigned *next = new unsigned[size], *list, *out;
  for (unsigned i = 0; i < size; ++i)
    next[i] = i + 1 < size ? i + 1 : 0;
  cudaMalloc((void **)&list, size * sizeof(unsigned));
  cudaMalloc((void **)&out, sizeof(unsigned));
  cudaMemcpy(list, next, size * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (int first = 0; first < 6; ++first)
    walk<<<1, 1>>>(list, out, first);
  cudaDeviceSynchronize();
  delete[] next;
}
