// Factorisations of two matrices, whose solutions are known.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>

int main() {
  constexpr int n = 3, batch = 2;
  // By columns; the first pivot of each is not on the diagonal.
  double matrices[batch][n * n] = {{0, 2, 1, 1, 1, 0, 3, 0, 4},
                                   {1, 4, 2, 2, 1, 0, 0, 5, 6}};
  double sides[batch][n], *a, *b, *c, **as, **bs, **cs;
  for (int i = 0; i < batch; ++i)
    for (int row = 0; row < n; ++row)
      sides[i][row] = matrices[i][row] + 2 * matrices[i][n + row] +
                      3 * matrices[i][2 * n + row]; // of x = (1, 2, 3)
  int *pivots, *info, status = -1;
  cudaMalloc(&a, sizeof(matrices));
  cudaMalloc(&b, sizeof(sides));
  cudaMalloc(&c, sizeof(matrices));
  cudaMallocManaged(&as, sizeof(a) * batch);
  cudaMallocManaged(&bs, sizeof(b) * batch);
  cudaMallocManaged(&cs, sizeof(c) * batch);
  cudaMallocManaged(&pivots, sizeof(int) * batch * n);
  cudaMallocManaged(&info, sizeof(int) * batch);
  for (int i = 0; i < batch; ++i) {
    as[i] = a + i * n * n;
    bs[i] = b + i * n;
    cs[i] = c + i * n * n;
  }
  cublasHandle_t handle;
  cublasCreate(&handle);
  auto reset = [&] {
    cudaMemcpy(a, matrices, sizeof(matrices), cudaMemcpyHostToDevice);
    cudaMemcpy(b, sides, sizeof(sides), cudaMemcpyHostToDevice);
  };
  auto print = [&](const char *name) {
    double x[batch][n];
    cudaMemcpy(x, b, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < batch; ++i)
      std::printf("%s %.4f %.4f %.4f\n", name, x[i][0], x[i][1], x[i][2]);
  };
  reset();
  cublasDgetrfBatched(handle, n, as, n, pivots, info, batch);
  cublasDgetrsBatched(handle, CUBLAS_OP_N, n, 1, as, n, pivots, bs, n, &status,
                      batch);
  print("solved");
  std::printf("info %d %d %d\n", info[0], info[1], status);
  cublasDgetriBatched(handle, n, as, n, pivots, cs, n, info, batch);
  double inverse[batch][n * n], error = 0;
  cudaMemcpy(inverse, c, sizeof(inverse), cudaMemcpyDeviceToHost);
  for (int i = 0; i < batch; ++i)
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column) {
        double sum = row == column ? -1 : 0;
        for (int k = 0; k < n; ++k)
          sum += matrices[i][row + k * n] * inverse[i][k + column * n];
        error = std::fmax(error, std::fabs(sum));
      }
  std::printf("inverse %d\n", error < 1e-12);
  reset();
  cublasDgelsBatched(handle, CUBLAS_OP_N, n, n, 1, as, n, bs, n, &status,
                     nullptr, batch);
  print("least squares");
  cublasDestroy(handle);
}
