// Sparse products, solves and conversions of cuSPARSE against dense loops.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcusparse | FileCheck %s
// CHECK: 12 of 40 elements, csr 0.0000, transposed 0.0000, coo 0.0000, product 0.0000, lower 0.0000, upper 0.0000, dense 0.0000, axpby 0.0000, ilu 0.0000
// CHECK-DAG: cusparseSpMV
// CHECK-DAG: cusparseSpMM
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cusparse.h>
#include <vector>

template <class T> T *upload(const std::vector<T> &v) {
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
std::vector<float> download(const float *p, size_t n) {
  std::vector<float> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(float), cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  const int rows = 5, columns = 8, n = 3;
  std::vector<float> dense(rows * columns), x(columns), y(rows),
      b(columns * n);
  for (int i = 0; i < rows * columns; ++i)
    dense[i] = i % 7 == 0 || i % 11 == 3 ? 1 + i % 5 : 0;
  dense[0] = dense[1 * columns + 1] = dense[2 * columns + 2] =
      dense[3 * columns + 3] = dense[4 * columns + 4] = 4;
  for (int i = 0; i < columns; ++i)
    x[i] = i - 3.5f;
  for (int i = 0; i < rows; ++i)
    y[i] = i + 1;
  for (int i = 0; i < columns * n; ++i)
    b[i] = i % 5 - 2;
  float alpha = 2, beta = -1, zero = 0, one = 1;
  float error[9] = {};
  auto compare = [&](int test, double got, double expected) {
    error[test] = std::max(error[test], float(std::abs(got - expected)));
  };

  cusparseHandle_t handle;
  cusparseCreate(&handle);
  // From dense to CSR.
  cusparseDnMatDescr_t denseMatrix;
  float *pDense = upload(dense);
  cusparseCreateDnMat(&denseMatrix, rows, columns, columns, pDense, CUDA_R_32F,
                      CUSPARSE_ORDER_ROW);
  int *starts = upload(std::vector<int>(rows + 1));
  cusparseSpMatDescr_t csr;
  cusparseCreateCsr(&csr, rows, columns, 0, starts, 0, 0, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  size_t bytes;
  cusparseDenseToSparse_bufferSize(handle, denseMatrix, csr,
                                   CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
  cusparseDenseToSparse_analysis(handle, denseMatrix, csr,
                                 CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, 0);
  int64_t r, c, count;
  cusparseSpMatGetSize(csr, &r, &c, &count);
  int *columnOf = upload(std::vector<int>(count));
  float *elements = upload(std::vector<float>(count));
  cusparseCsrSetPointers(csr, starts, columnOf, elements);
  cusparseDenseToSparse_convert(handle, denseMatrix, csr,
                                CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, 0);

  float *px = upload(x), *py = upload(y);
  cusparseDnVecDescr_t vx, vy;
  cusparseCreateDnVec(&vx, columns, px, CUDA_R_32F);
  cusparseCreateDnVec(&vy, rows, py, CUDA_R_32F);
  auto check = [&](int test) {
    std::vector<float> got = download(py, rows);
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += dense[i * columns + j] * x[j];
      compare(test, got[i], alpha * sum + beta * y[i]);
    }
    cudaMemcpy(py, y.data(), rows * 4, cudaMemcpyHostToDevice);
  };
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, vx, &beta,
               vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, 0);
  check(0);
  float *pt = upload(std::vector<float>(columns));
  cusparseDnVecDescr_t vt;
  cusparseCreateDnVec(&vt, columns, pt, CUDA_R_32F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, csr, vy, &zero, vt,
               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, 0);
  std::vector<float> transposed = download(pt, columns);
  for (int j = 0; j < columns; ++j) {
    double sum = 0;
    for (int i = 0; i < rows; ++i)
      sum += dense[i * columns + j] * y[i];
    compare(1, transposed[j], sum);
  }

  int *rowOf = upload(std::vector<int>(count));
  cusparseXcsr2coo(handle, starts, count, rows, rowOf,
                   CUSPARSE_INDEX_BASE_ZERO);
  cusparseSpMatDescr_t coo;
  cusparseCreateCoo(&coo, rows, columns, count, rowOf, columnOf, elements,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, coo, vx, &beta,
               vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, 0);
  check(2);

  float *pc = upload(std::vector<float>(rows * n));
  cusparseDnMatDescr_t mb, mc;
  cusparseCreateDnMat(&mb, columns, n, columns, upload(b), CUDA_R_32F,
                      CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&mc, rows, n, rows, pc, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
               CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, mb, &zero, mc,
               CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, 0);
  std::vector<float> product = download(pc, rows * n);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += dense[i * columns + j] * b[j + k * columns];
      compare(3, product[i + k * rows], alpha * sum);
    }

  // The square part, from both sides.
  std::vector<int> squareStarts = {0}, squareColumns;
  std::vector<float> square;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j)
      if (dense[i * columns + j] != 0) {
        squareColumns.push_back(j);
        square.push_back(dense[i * columns + j]);
      }
    squareStarts.push_back(square.size());
  }
  int *pStarts = upload(squareStarts), *pColumns = upload(squareColumns);
  float *pSquare = upload(square);
  cusparseSpMatDescr_t triangle;
  cusparseCreateCsr(&triangle, rows, rows, square.size(), pStarts, pColumns,
                    pSquare, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  float *ps = upload(std::vector<float>(rows));
  cusparseDnVecDescr_t vs;
  cusparseCreateDnVec(&vs, rows, ps, CUDA_R_32F);
  cusparseSpSVDescr_t solver;
  cusparseSpSV_createDescr(&solver);
  for (int upper = 0; upper < 2; ++upper) {
    cusparseFillMode_t fill =
        upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
    cusparseSpMatSetAttribute(triangle, CUSPARSE_SPMAT_FILL_MODE, &fill,
                              sizeof(fill));
    cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha,
                       triangle, vy, vs, CUDA_R_32F,
                       CUSPARSE_SPSV_ALG_DEFAULT, solver);
    std::vector<float> s = download(ps, rows);
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int j = upper ? i : 0; j < (upper ? rows : i + 1); ++j)
        sum += dense[i * columns + j] * s[j];
      compare(4 + upper, sum, alpha * y[i]);
    }
  }

  cusparseSparseToDense(handle, csr, denseMatrix,
                        CUSPARSE_SPARSETODENSE_ALG_DEFAULT, 0);
  std::vector<float> back = download(pDense, rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    compare(6, back[i], dense[i]);

  cusparseSpVecDescr_t sparse;
  std::vector<int> places = {1, 4};
  std::vector<float> two = {10, 20};
  cusparseCreateSpVec(&sparse, rows, 2, upload(places), upload(two),
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseAxpby(handle, &alpha, sparse, &beta, vy);
  std::vector<float> sum = download(py, rows);
  for (int i = 0; i < rows; ++i)
    compare(7, sum[i], -y[i] + (i == 1 ? 20 : i == 4 ? 40 : 0));

  // Where A is not zero, the product of the factors is A.
  cusparseMatDescr_t descr;
  cusparseCreateMatDescr(&descr);
  csrilu02Info_t info;
  cusparseCreateCsrilu02Info(&info);
  cusparseScsrilu02(handle, rows, square.size(), descr, pSquare, pStarts,
                    pColumns, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, 0);
  std::vector<float> lu = download(pSquare, square.size()),
                     full(rows * rows);
  for (int i = 0; i < rows; ++i)
    for (int e = squareStarts[i]; e < squareStarts[i + 1]; ++e)
      full[i * rows + squareColumns[e]] = lu[e];
  for (int i = 0; i < rows; ++i)
    for (int e = squareStarts[i]; e < squareStarts[i + 1]; ++e) {
      int j = squareColumns[e];
      double s = 0;
      for (int k = 0; k <= std::min(i, j); ++k)
        s += (k == i ? 1 : full[i * rows + k]) * full[k * rows + j];
      compare(8, s, square[e]);
    }
  for (float &e : error)
    e = e < 1e-4f ? 0 : e;
  printf("%d of %d elements, csr %.4f, transposed %.4f, coo %.4f, product "
         "%.4f, lower %.4f, upper %.4f, dense %.4f, axpby %.4f, ilu %.4f\n",
         int(count), rows * columns, error[0], error[1], error[2], error[3],
         error[4], error[5], error[6], error[7], error[8]);
}
