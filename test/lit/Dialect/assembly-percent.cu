// nvcc passes a % of a special register on to PTX; clang wants it written twice.
// Operands, with and without a modifier, stay operands.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'registers' takes
// CHECK-NOT: unresolved
__global__ void registers(unsigned long long *p) {
  unsigned long long t;
  unsigned lane, id;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  asm("mov.u32 %0,%laneid;\n\t"
      "mov.u32 %1, %smid;"
      : "=r"(lane), "=r"(id));
  asm("add.u32 %0, %0, %c1;" : "+r"(lane) : "n"(3));
  p[threadIdx.x] = t + lane + id;
}

int main() {
  unsigned long long *p;
  cudaMalloc(&p, 2048);
  registers<<<1, 256>>>(p);
}
