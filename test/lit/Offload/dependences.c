// A loop whose iterations need each other is no kernel; what a proof rests on,
// and what could not be proven of a marked loop, is said.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1024 | FileCheck %s --check-prefix=TEXT
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --assume-independent --format diagnostics \
// RUN:   | FileCheck %s --check-prefix=INSIST

void sweep(int n, float *a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    // CHECK: dependences.c:[[@LINE+2]]:{{[0-9]+}}: remark: no estimate for 'sweep': the loop over 'i' at line [[@LINE-1]] has a loop-carried dependence: store to 'a' at dependences.c:[[@LINE+2]], then load from 'a' at dependences.c:[[@LINE+2]], distance 1 iteration
    // INSIST: 'sweep' has no time
    a[i] = a[i - 1] * a[i] + 1;
}

// A sum of each iteration's own, declared outside as C89 has it.
void own_sum(int n, const float *restrict a, float *restrict b) {
  float total;
  int i, k;
#pragma omp parallel for private(total, k)
  // INSIST-NOT: no estimate for 'own_sum'
  for (i = 0; i < n; i++) {
    total = 0;
    for (k = 0; k < 8; k++)
      total += a[8 * i + k];
    b[i] = total;
  }
}

// Time steps depend on each other, the points of a step do not.
void steps(int n, float *restrict a, float *restrict b) {
#pragma gpu_estimate kernel grid(i)
  // TEXT: 'steps' takes
  for (int t = 0; t < 100; t++)
    for (int i = 1; i < n - 1; i++)
      a[i] = a[i] + b[i - 1];
}

// TEXT: 'apart' takes
// TEXT: taken for granted
// TEXT-NEXT: 'a' and 'b' do not overlap
void apart(int n, const float *a, float *b) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    b[i] = a[i];
}

// TEXT: 'scatter' takes
// TEXT: taken for granted
// TEXT: the iterations of the loop over 'i' {{.*}} do not depend on each other: {{.*}} loaded from memory
// TEXT: function 'steps' takes {{.*}} in 100 launches
void scatter(int n, const int *index, float *restrict a) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    a[index[i]] = 1;
}
