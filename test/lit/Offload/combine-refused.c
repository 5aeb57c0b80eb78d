// Iterations that meet in a way that threads cannot take apart.
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --assume-independent --format diagnostics \
// RUN:   | FileCheck %s --check-prefix=INSIST

void products(int n, const int *x, const float *v, float *p) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: combine-refused.c:[[@LINE+1]]:{{[0-9]+}}: remark: no estimate for 'products': iterations meet in the update of 'p' at line [[@LINE+1]]; the GPU has no atomic '*' of its type (float); a local variable could be combined by the blocks
    p[x[i]] *= v[i];
}

void bytes(int n, const int *x, unsigned char *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'bytes': {{.*}} no atomic '+' of its type (i8)
    h[x[i]]++;
}

static void count(int *h, int k) { h[k]++; }
void called(int n, const int *x, int *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'called': iterations meet in the update of 'h' at line {{[0-9]+}}, which is no load, operator and store in the loop's own code
    count(h, x[i]);
}

struct Sums {
  float a, b;
};
float member(int n, const float *x) {
  struct Sums s = {0, 0};
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'member': iterations meet in the update of 's' at line [[@LINE+1]], which is no variable of the function around the loop
    s.a += x[i];
  return s.a;
}

long double wide(int n, const long double *x) {
  long double s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    // CHECK: no estimate for 'wide': iterations meet in the update of 's': threads cannot exchange values of its type
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
      // CHECK: no estimate for 'place': an iteration of the loop over 'i' {{.*}} needs what an earlier one has done
      p = i;
    }
  return p;
}

// CHECK: no estimate for 'saturated': it is a scan by '+' (update of 's'), but its course depends on what came before
void saturated(int n, const int *restrict x, int *restrict y) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (s < 100)
      s += x[i];
    y[i] = s;
  }
}

// CHECK: no estimate for 'filter': an iteration of the loop over 'i' {{.*}} distance 1 iteration
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
// CHECK: no estimate for 'both': an iteration of the loop over 'i'
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

// Vouched for, each thread's own copy would be dead code.
// INSIST: no estimate for 'reset': it adds up over its iterations in 's' in a way that threads cannot take apart
float reset(int n, const float *x) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    s = s * 0.5f + x[i];
  return s;
}
