// A board with GDDR memory moves the error-correcting code beside the data: a
// copy takes 25% longer on the bus, and the part `ecc` says so.
// RUN: %analyze %s --gpu nvidia-l40s | FileCheck %s --check-prefix=ON
// RUN: %analyze %s --gpu nvidia-l40s --set dram.inline_ecc_read=0B --set dram.inline_ecc_write=0B | FileCheck %s --check-prefix=OFF
// RUN: %analyze %s --gpu nvidia-l40s --without ecc | FileCheck %s --check-prefix=OFF
// RUN: %analyze %s --gpu nvidia-rtx-4090 | FileCheck %s --check-prefix=OFF
// RUN: %gpu-estimate --explain ecc | FileCheck %s --check-prefix=EXPLAIN

// ON: 'copy' takes {{.*}} bound by dram-bandwidth
// ON: where the time goes
// ON-NEXT: dram
// ON-NEXT: ecc {{1[89.]+|2[01.]+}}{{[0-9.]*}}%
// OFF: 'copy' takes {{.*}} bound by dram-bandwidth
// OFF: where the time goes
// OFF-NOT: ecc {{.*}}%
// OFF: work of the launch
// EXPLAIN: inline_ecc_read
__global__ void copy(float *to, const float *from) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

int main() {
  const unsigned n = 1u << 28;
  float *to, *from;
  cudaMalloc(&to, n * sizeof(float));
  cudaMalloc(&from, n * sizeof(float));
  copy<<<n / 256, 256>>>(to, from);
}
