// Elements of an array in a structure that nothing determines are one
// assumption, varied as one: the analysis does not grow with their square.
// RUN: %analyze %s --gpu nvidia-h100-sxm --deadline 20 | FileCheck %s

struct Tensors {
  void *address[900];
  int size[900];
  int count;
};

// CHECK: 'first' takes
// CHECK: assumptions
// CHECK-DAG: 't.size[0]' and {{[0-9]+}} more elements of 't.size' of the host code = 1024: nothing
// CHECK-DAG: settle with --param 't.size[0]=VALUE', and so on for each element
// CHECK-NOT: 't.size[2]'
// A pointer has no value that could be the size of its buffer.
// CHECK-NOT: t.address{{.*}} of the host code
__global__ void first(Tensors t, float *o) {
  float *p = (float *)t.address[blockIdx.x];
  for (int i = threadIdx.x; i < t.count; i += blockDim.x)
    o[i] += p[i] * t.size[i % 900];
}

int main() {
  Tensors t;
  t.count = 4096;
  float *o;
  cudaMalloc(&o, 4096);
  first<<<4, 256>>>(t, o);
}
