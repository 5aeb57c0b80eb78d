// What cannot become a kernel is refused with the line and the reason.
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s

void left(int n, float *a) {
#pragma gpu_estimate kernel
  // CHECK: refused.c:[[@LINE+1]]:3: remark: no estimate for 'left': the loop over 'i' at line [[@LINE+1]] cannot be mapped to threads: it has a second exit at line [[@LINE+2]]
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    a[i] = 1;
  }
}

int returned(int n, const float *a) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: remark: no estimate for 'returned': {{.*}} it has a second exit
    if (a[i] < 0)
      return i;
  return n;
}

void second(int n, const float *a, float *b) {
#pragma gpu_estimate kernel
  // CHECK: remark: no estimate for 'second': {{.*}} it has a second exit {{.*}} a second condition
  for (int i = 0; i < n && a[i] > 0; i++)
    b[i] = 1;
}

void doubling(int n, float *a) {
#pragma gpu_estimate kernel independent
  // CHECK: remark: no estimate for 'doubling': its step does not add a constant or a variable to its counter
  for (int i = 1; i < n; i *= 2)
    a[i] = 1;
}

void while_loop(int n, float *a) {
  int i = 0;
  // CHECK: refused.c:[[@LINE+1]]:1: remark: no estimate for '#pragma gpu_estimate': no 'for' follows the directive
#pragma gpu_estimate kernel
  while (i < n)
    a[i++] = 1;
}

void clauses(int n, float *a) {
  // CHECK: remark: no estimate for '#pragma gpu_estimate': expected 'kernel' after '#pragma gpu_estimate'
#pragma gpu_estimate kernal
  // CHECK: remark: no estimate for '#pragma gpu_estimate': 'blok' is not a clause of '#pragma gpu_estimate kernel'; did you mean 'block'?
#pragma gpu_estimate kernel blok(3)
  // CHECK: remark: no estimate for '#pragma gpu_estimate': 'block' takes one to three sizes from 1 to 1024
#pragma gpu_estimate kernel block(0)
  // CHECK: remark: no estimate for '#pragma gpu_estimate': '#pragma gpu_estimate kernel' cannot be parsed
#pragma gpu_estimate kernel block(32
  // CHECK: remark: no estimate for '#pragma gpu_estimate': grid(): no loop of the nest has the counter 'k'
#pragma gpu_estimate kernel grid(k)
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

void around(int n, float *a) {
#pragma gpu_estimate kernel grid(j, l)
  // CHECK: remark: no estimate for 'around': grid(): the loop over 'k' {{.*}} encloses the loop over 'l' {{.*}} and must be listed too
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++)
        a[(j * n + k) * n + l] = 1;
}

void beside(int n, float *a, float *b) {
#pragma gpu_estimate kernel grid(j, i)
  // CHECK: remark: no estimate for 'beside': grid(): the loop over 'i' {{.*}} has statements outside the loop over 'j'
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int j = 0; j < n; j++)
      a[i * n + j] = 1;
  }
}
