// What a reduction, a histogram or a scan becomes, and what is said about it.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1048576 | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1048576 --format json \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1048576 --format json | %check_json
// Before compute capability 6.0 doubles are not added by an atomic operation.
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1048576 --kernel matrix | FileCheck %s --check-prefix=OLD

// Threads stride through the array by the grid; asserting independence changes
// nothing.
// CHECK: 'sum' takes {{.*}} (grid 1024, block 256 from host-code)
// CHECK: arguments n = 1048576, s = 1
// CHECK: barriers 8.19 K by warps
// CHECK: shared store partial 8.19 K
// CHECK: global atomic s 1.02 K
// CHECK: taken for granted
// CHECK-NEXT: reduction by '+' over 'i', update of 's': threads of a block combine their parts
// CHECK-NEXT: the order of floating-point operations does not matter
// JSON: "function": "sum"
// JSON: "shuffle": 46080
float sum(int n, const float *a) {
  float s = 0;
#pragma gpu_estimate kernel independent
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// No atomic operation: a second launch of one block.
// CHECK: 'least' takes {{.*}} (grid 1024, block 128 from host-code)
// CHECK: global store m_partials 1.02 K
// CHECK: reduction by 'min' over 'i', update of 'm'
// CHECK: 'least.final' takes {{.*}} (grid 1, block 128 from host-code)
// CHECK: arguments blocks = 1024, m = 1, m_partials = 1024
// CHECK: global load m_partials 32
// CHECK: the second launch of a reduction: one block combines what the blocks of 'least' have left
float fminf(float, float);
float least(int n, const float *a) {
  float m = a[0];
#pragma gpu_estimate kernel block(128)
  for (int i = 0; i < n; i++)
    m = fminf(m, a[i]);
  return m;
}

// Of unsigned numbers, with another sum; the first has an atomic operation.
// CHECK: 'pair' takes
// CHECK-DAG: global atomic most 1.02 K
// CHECK-DAG: global store product_partials 1.02 K
// CHECK: 'pair.final' takes
// CHECK: arguments blocks = 1024, product = 1, product_partials = 1024
unsigned pair(int n, const unsigned *a) {
  unsigned most = 0, product = 1;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (a[i] > most)
      most = a[i];
    product *= a[i];
  }
  return most + product;
}

// The clause says what the analysis cannot: both sides are looked at in turn.
// CHECK: 'every' takes
// CHECK: global store ok_partials
// CHECK: reduction by '&', update of 'ok', as the directive says
// CHECK: 'every.final' takes
_Bool every(int n, const int *a) {
  _Bool ok = 1;
#pragma omp parallel for reduction(&& : ok)
  for (int i = 0; i < n; i++)
    ok = ok && a[i] > 0;
  return ok;
}

// CHECK: 'directive' takes
// CHECK: reduction by 'max' over 'i', update of 'm'
float directive(int n, const float *a) {
  float m = a[0];
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    if (a[i] > m)
      m = a[i];
  return m;
}

// One element for all: as a variable.
float total;
// CHECK: 'global' takes {{.*}} (grid 1024, block 256 from host-code)
// CHECK: shared store partial 8.19 K
// CHECK: global atomic total 1.02 K
void global(int n, const float *a) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    total += a[i];
}

// Inside a reduction, a loop that adds to the same variable is mapped too.
// CHECK: 'matrix' takes {{.*}} (grid 32x4, block 32x32 from host-code)
// CHECK: shared store partial 4.1 K
// CHECK: global atomic s 128
// OLD: 'matrix' takes
// OLD: global store s_partials 128
// OLD: 'matrix.final' takes
double matrix(const double a[128][1024]) {
  double s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 1024; j++)
      s += a[i][j];
  return s;
}

// A variable of each iteration is private, however much its name is like that
// of the sum.
// CHECK: 'weighted' takes {{.*}} (grid 32x4, block 32x32 from host-code)
double weighted(const double a[128][1024], const double *w) {
  double s1 = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < 128; i++) {
    double s2 = w[i];
    for (int j = 0; j < 1024; j++)
      s1 += s2 * a[i][j];
  }
  return s1;
}

// What stands beside the inner loop would be repeated: one thread per row.
// CHECK: 'norms' takes {{.*}} (grid 4096, block 256 from host-code)
float norms(int n, const float *restrict a, float *restrict b) {
  float s = 0;
#pragma gpu_estimate kernel grid(i)
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int j = 0; j < 8; j++)
      b[i] += a[8 * i + j];
  }
  return s;
}

// Which element is known only to the data.
// CHECK: 'histogram' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK-NOT: shared store
// CHECK: global atomic h * 32.8 K
// CHECK: reduction by '+' over 'i', update of 'h': each is one atomic operation
void histogram(int n, const unsigned char *x, unsigned *h) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    h[x[i]]++;
}

// OpenMP asserts independence, except for statements marked as atomic.
// CHECK: 'atomics' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK: global load g * 32.8 K
// CHECK: global store g * 32.8 K
// CHECK: global atomic h * 32.8 K
void atomics(int n, const int *restrict x, int *restrict g, int *restrict h) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    g[x[i]] += 2;
#pragma omp atomic update
    h[x[i]] += 2;
  }
}

// An inner sum is one thread's unless collapse() says otherwise.
// CHECK: 'row' takes {{.*}} (grid 4, block 256 from host-code)
// CHECK-NOT: global atomic
// CHECK: 'rows' takes {{.*}} (grid 32x32, block 32x32 from host-code)
// CHECK: global atomic y 32.8 K
void row(const float a[1024][1024], float *y) {
#pragma gpu_estimate kernel
  for (int i = 0; i < 1024; i++)
    for (int j = 0; j < 1024; j++)
      y[i] += a[i][j];
}
void rows(const float a[1024][1024], float *y) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 1024; i++)
    for (int j = 0; j < 1024; j++)
      y[i] += a[i][j];
}

// JSON: "function": "sum"
// CHECK: function 'least' takes {{.*}} in 2 launches
