// Reductions and scans that cannot be mapped to threads.
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --assume-independent --format diagnostics \
// RUN:   | FileCheck %s --check-prefix=INSIST

void products(int n, const int *x, const float *v, float *p) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: combine-refused.c:[[@LINE+1]]:{{[0-9]+}}: remark: no estimate for 'products': the reduction in the update of 'p' at line [[@LINE+1]] cannot be mapped to threads: the GPU has no atomic '*' for its type (float); accumulate in a local variable instead
    p[x[i]] *= v[i];
}

void bytes(int n, const int *x, unsigned char *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'bytes': {{.*}} no atomic '+' for its type (i8)
    h[x[i]]++;
}

static void count(int *h, int k) { h[k]++; }
void called(int n, const int *x, int *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'called': the reduction in the update of 'h' at line {{[0-9]+}} cannot be mapped to threads: it is not a load, an operator and a store in the loop's own code
    count(h, x[i]);
}

struct Sums {
  float a, b;
};
float member(int n, const float *x) {
  struct Sums s = {0, 0};
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'member': the reduction in the update of 's' at line [[@LINE+1]] cannot be mapped to threads: it is not on a scalar variable of the enclosing function
    s.a += x[i];
  return s.a;
}

long double wide(int n, const long double *x) {
  long double s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'wide': the reduction in the update of 's' cannot be mapped to threads: threads cannot exchange values of its type
    s += x[i];
  return s;
}

// The first smallest one: its place is no sum.
int place(int n, const float *x) {
  int p = 0;
  float m = x[0];
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    if (x[i] < m) {
      m = x[i];
      // CHECK: no estimate for 'place': the loop over 'i' {{.*}} has a loop-carried dependence
      p = i;
    }
  return p;
}

// CHECK: no estimate for 'saturated': it is a scan by '+' (update of 's'), but its control flow depends on the previous result
void saturated(int n, const int *restrict x, int *restrict y) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (s < 100)
      s += x[i];
    y[i] = s;
  }
}

// CHECK: no estimate for 'filter': the loop over 'i' {{.*}} distance 1 iteration
void filter(int n, const float *restrict x, float *restrict a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5f + x[i];
}

// CHECK: no estimate for 'every_other': {{.*}} distance 2 iterations
void every_other(int n, const float *restrict x, float *restrict a) {
#pragma gpu_estimate kernel
  for (int i = 2; i < n; i++)
    a[i] = a[i - 2] + x[i];
}

// A sum beside a scan.
// CHECK: no estimate for 'both': the loop over 'i'
float both(int n, const float *restrict x, float *restrict y) {
  float s = 0, t = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
    t += x[i] * x[i];
  }
  return t;
}

// With independence asserted, each thread's private copy would be dead code.
// INSIST: no estimate for {{.*}}'reset'{{.*}}: it carries 's' from one iteration to the next, and its update is not a reduction
float reset(int n, const float *x) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    s = s * 0.5f + x[i];
  return s;
}
