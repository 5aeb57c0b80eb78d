// A member of a lambda has the name and the value of the variable that it
// captures.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie -- -std=c++17 | FileCheck %s
// CHECK: 'visit<{{.*}}' has no time {{.*}} without rows; rows = {{.*}} (columns = 1 K); settle with --param rows=VALUE --param columns=VALUE
// CHECK: 'visit<{{.*}}' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK-NOT: of the host code

template <class F> __global__ void visit(F f) {
  f(blockIdx.x * blockDim.x + threadIdx.x);
}

template <class F> void visitEach(const F &f, int rows) {
  visit<<<(rows + 255) / 256, 256>>>(f);
}

void scaled(float *x, int rows, int columns) {
  auto scale = [=] __device__(int row) {
    if (row < rows)
      for (int i = 0; i < columns; ++i)
        x[row * columns + i] *= 2;
  };
  visit<<<(rows + 255) / 256, 256>>>(scale);
}

void added(float *x) {
  int rows = 1 << 20, columns = 64;
  visitEach(
      [=] __device__(int row) {
        if (row < rows)
          for (int i = 0; i < columns; ++i)
            x[row * columns + i] += 1;
      },
      rows);
}
