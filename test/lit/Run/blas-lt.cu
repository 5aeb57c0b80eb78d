// Products of cuBLASLt with their epilogues: bias and GELU with its input kept,
// the gradient of GELU, gradients of a bias, rows, transposed halves in a batch.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcublasLt | FileCheck %s
// CHECK: gelu 0.00000, kept 0.00000, gradient 0.00000, bias 0.00000, rows 0.00000, halves 0.00000
// CHECK: cublasLtMatmul
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_fp16.h>

const int M = 12, N = 10, K = 7;
float a[K * M], b[K * N], bias[M], aux[M * N], d[M * N];

template <class T> T *upload(const T *host, int n) {
  T *p;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

struct Problem {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t a, b, d;
  template <class T> void set(cublasLtMatmulDescAttributes_t which, T value) {
    cublasLtMatmulDescSetAttribute(desc, which, &value, sizeof(value));
  }
  void run(cublasLtHandle_t handle, const void *pa, const void *pb, void *pd) {
    float one = 1, zero = 0;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, d, d, preference, 1,
                                   &found, &count);
    if (count != 1)
      printf("no algorithm\n");
    cublasStatus_t status =
        cublasLtMatmul(handle, desc, &one, pa, a, pb, b, &zero, pd, d, pd, d,
                       &found.algo, nullptr, 0, 0);
    if (status)
      printf("%s\n", cublasLtGetStatusString(status));
  }
};

Problem problem(cudaDataType type) {
  Problem p;
  cublasLtMatmulDescCreate(&p.desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  p.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  cublasLtMatrixLayoutCreate(&p.a, type, K, M, K);
  cublasLtMatrixLayoutCreate(&p.b, type, K, N, K);
  cublasLtMatrixLayoutCreate(&p.d, CUDA_R_32F, M, N, M);
  return p;
}

float product(int i, int j) {
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += a[k + i * K] * b[k + j * K];
  return sum;
}
double gelu(double x) {
  return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

template <class Expected> float error(const float *device, Expected e) {
  cudaMemcpy(d, device, sizeof(d), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i)
      worst = fmaxf(worst, fabsf(d[i + j * M] - e(i, j)));
  return roundf(worst * 1e4f) / 1e4f;
}

int main() {
  for (int i = 0; i < K * M; ++i)
    a[i] = (i % 11 - 5) / 8.0f;
  for (int i = 0; i < K * N; ++i)
    b[i] = (i % 13 - 6) / 8.0f;
  for (int i = 0; i < M; ++i)
    bias[i] = i / 16.0f;
  cublasLtHandle_t handle;
  cublasLtCreate(&handle);
  float *pa = upload(a, K * M), *pb = upload(b, K * N),
        *pBias = upload(bias, M), *pAux = upload(aux, M * N),
        *pd = upload(d, M * N);

  Problem p = problem(CUDA_R_32F);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
  p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, pBias);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, pAux);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (int64_t)M);
  p.run(handle, pa, pb, pd);
  float ofGelu =
      error(pd, [](int i, int j) { return float(gelu(product(i, j) + bias[i])); });
  float ofAux =
      error(pAux, [](int i, int j) { return product(i, j) + bias[i]; });

  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DGELU);
  p.run(handle, pa, pb, pd);
  float ofGradient = error(pd, [](int i, int j) {
    double x = product(i, j) + bias[i], h = 1e-3;
    double slope = (gelu(x + h) - gelu(x - h)) / (2 * h);
    return float(product(i, j) * slope);
  });

  Problem q = problem(CUDA_R_32F);
  q.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB);
  q.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, pAux);
  q.run(handle, pa, pb, pd);
  cudaMemcpy(aux, pAux, sizeof(aux), cudaMemcpyDeviceToHost);
  float ofBias = 0;
  for (int j = 0; j < N; ++j) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += b[k + j * K];
    ofBias = fmaxf(ofBias, fabsf(aux[j] - sum));
  }

  // D by rows is its transpose by columns.
  Problem r = problem(CUDA_R_32F);
  int order = CUBLASLT_ORDER_ROW;
  long long leading = N;
  cublasLtMatrixLayoutSetAttribute(r.d, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                   sizeof(order));
  cublasLtMatrixLayoutSetAttribute(r.d, CUBLASLT_MATRIX_LAYOUT_LD, &leading,
                                   sizeof(leading));
  r.run(handle, pa, pb, pd);
  float ofRows = error(pd, [](int i, int j) {
    int place = i + j * M;
    return product(place / N, place % N);
  });

  // Two products of halves; the second has its operands behind the first's.
  __half ha[2 * K * M], hb[2 * K * N];
  for (int i = 0; i < 2 * K * M; ++i)
    ha[i] = __float2half(i < K * M ? 0 : a[i - K * M]);
  for (int i = 0; i < 2 * K * N; ++i)
    hb[i] = __float2half(i < K * N ? 0 : b[i - K * N]);
  float *pd2;
  cudaMalloc(&pd2, 2 * sizeof(d));
  Problem h = problem(CUDA_R_16F);
  int count = 2;
  long long strides[] = {K * M, K * N, M * N};
  cublasLtMatrixLayout_t layouts[] = {h.a, h.b, h.d};
  for (int i = 0; i < 3; ++i) {
    cublasLtMatrixLayoutSetAttribute(
        layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count));
    cublasLtMatrixLayoutSetAttribute(
        layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &strides[i],
        sizeof(strides[i]));
  }
  h.run(handle, upload(ha, 2 * K * M), upload(hb, 2 * K * N), pd2);
  float ofHalves =
      error(pd2 + M * N, [](int i, int j) { return product(i, j); });
  printf("gelu %.5f, kept %.5f, gradient %.5f, bias %.5f, rows %.5f, "
         "halves %.5f\n",
         ofGelu, ofAux, ofGradient, ofBias, ofRows, ofHalves);
}
