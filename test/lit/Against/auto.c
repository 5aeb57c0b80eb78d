// With a CPU to compare with, only nests that pay are proposed; the others are
// listed with what they would take.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload auto --param n=2048 --against cpu > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload auto --param n=2048 | FileCheck %s --check-prefix=ALL

// CHECK-NOT: 'scale' takes
// CHECK: 'multiply.1' takes
// CHECK: the GPU pays
// CHECK: no estimate for 'scale' (auto.c:[[@LINE+3]]): not proposed: {{[0-9]+}} core{{s?}} of AMD EPYC 7763 take {{.*}}, NVIDIA A100{{.*}} for copies: {{.*}} times as long
// ALL: 'scale' takes
void scale(int n, const float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
}

void multiply(int n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[j * n + k];
      c[i * n + j] = sum;
    }
}
