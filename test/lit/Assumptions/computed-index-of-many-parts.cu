// An index that is computed from three coordinates and a datum has a value of
// its own in each lane whose coordinates differ: no two sums of small
// coordinates make one key.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param out=67108864 | FileCheck %s
// CHECK: global store out * {{[0-9.]+ ?[KM]?}} {{3[12](\.[0-9]+)?}} 
__global__ void scatter(const float *scale, float *out) {
  int i = (threadIdx.x * 0.3f + threadIdx.y * 0.7f + threadIdx.z * 1.1f) *
          scale[blockIdx.x];
  out[i] = 1;
}

void run(const float *scale, float *out) {
  scatter<<<4096, dim3(4, 4, 2)>>>(scale, out);
}
