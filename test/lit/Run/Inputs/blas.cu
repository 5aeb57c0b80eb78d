// Calls of cuBLAS: an event is recorded on both sides of a product.
#include <cstdio>
#include <cublas_v2.h>

int main() {
  constexpr int N = 256;
  cublasHandle_t Handle;
  cublasCreate(&Handle);
  float *A, *B, *C, One = 1, Zero = 0, Sum;
  cudaMalloc(&A, N * N * sizeof(float));
  cudaMalloc(&B, N * N * sizeof(float));
  cudaMalloc(&C, N * N * sizeof(float));
  cudaEvent_t Begin, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  auto Multiply = [&] {
    cudaEventRecord(Begin);
    cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, A, N, B, N,
                &Zero, C, N);
    cudaEventRecord(End);
    cudaEventSynchronize(End);
    float Milliseconds = 0;
    cudaEventElapsedTime(&Milliseconds, Begin, End);
    return Milliseconds;
  };
  float Plain = Multiply();
  cublasSetMathMode(Handle, CUBLAS_TF32_TENSOR_OP_MATH);
  float Rounded = Multiply();
  printf("TF32 is %s\n", Plain > Rounded && Rounded > 0 ? "faster" : "SLOWER");
  cublasSdot(Handle, N, A, 1, B, 1, &Sum);
  cublasStrsm(Handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
              CUBLAS_DIAG_UNIT, N, N, &One, A, N, B, N);
}
