// Names of cuBLASLt's header that programs use to choose among algorithms; what
// is not emulated fails with a status, after the link.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcublasLt | FileCheck %s
// CHECK: 15 {{[0-9]+}} 0
// CHECK: cublasLtMatmulAlgoGetIds is not supported
#include <cstdio>
#include <cublasLt.h>

int main() {
  cublasLtHandle_t handle;
  cublasLtCreate(&handle);
  cublasLtMatmulTile_t tile = CUBLASLT_MATMUL_TILE_128x128;
  cublasLtMatmulMatrixScale_t scale =
      CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  cublasLtMatmulDescAttributes_t attribute = CUBLASLT_MATMUL_DESC_A_SCALE_MODE;
  int count, ids[4];
  cublasStatus_t status = cublasLtMatmulAlgoGetIds(
      handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
      CUDA_R_32F, CUDA_R_32F, 4, ids, &count);
  printf("%d %d %d\n", status, attribute, scale);
  return tile == 0;
}
