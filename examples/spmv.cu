// Sparse matrix times vector, in three layouts: trip counts come from data.
//
//   spmvCsrScalar  one thread per row: the loop runs from rowStart[row] to
//                  rowStart[row + 1], the lanes of a warp walk distant rows, so
//                  loads are scattered and the longest row holds up its warp.
//   spmvCsrVector  one warp per row: consecutive lanes read consecutive words,
//                  and a shuffle reduction ends each row.
//   spmvEll        rows padded to one length and stored by columns: coalesced,
//                  at the price of reading the padding.
// All of them gather from x at an index that was itself loaded.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Rows = 1 << 18;
constexpr int LongestRow = 32;
constexpr int BlockSize = 256;
constexpr int Padding = -1;

__global__ void spmvCsrScalar(const int *rowStart, const int *column,
                              const float *value, const float *x, float *y,
                              int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = rowStart[row]; i < rowStart[row + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}

__global__ void spmvCsrVector(const int *rowStart, const int *column,
                              const float *value, const float *x, float *y,
                              int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = rowStart[row] + lane; i < rowStart[row + 1]; i += 32)
    sum += value[i] * x[column[i]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

__global__ void spmvEll(const int *column, const float *value, const float *x,
                        float *y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = 0; i < width; ++i) {
    int col = column[i * rows + row];
    if (col != Padding)
      sum += value[i * rows + row] * x[col];
  }
  y[row] = sum;
}

struct SparseMatrix {
  std::vector<int> rowStart{0}, column;
  std::vector<float> value;
};

// Rows of 4 to LongestRow elements, scattered around the diagonal.
static SparseMatrix makeMatrix() {
  SparseMatrix m;
  for (int row = 0; row < Rows; ++row) {
    int length = 4 + row * 7 % (LongestRow - 3);
    for (int i = 0; i < length; ++i) {
      m.column.push_back((row + i * (1 + row % 61)) % Rows);
      m.value.push_back(static_cast<float>((row + i) % 9) - 4.0f);
    }
    m.rowStart.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}

template <typename T> static T *toDevice(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return device;
}

// Counts wrong rows, and clears the result for the next run.
static int takeResult(const std::vector<float> &expected, float *deviceY) {
  std::vector<float> y(Rows);
  cudaMemcpy(y.data(), deviceY, Rows * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(deviceY, 0, Rows * sizeof(float));
  int wrong = 0;
  for (int row = 0; row < Rows; ++row)
    wrong += std::fabs(y[row] - expected[row]) > 1e-3f;
  return wrong;
}

int main() {
  SparseMatrix csr = makeMatrix();
  std::vector<int> ellColumn(Rows * LongestRow, Padding);
  std::vector<float> ellValue(Rows * LongestRow, 0.0f);
  std::vector<float> x(Rows), expected(Rows, 0.0f);
  for (int row = 0; row < Rows; ++row)
    x[row] = static_cast<float>(row % 17) / 17.0f;
  for (int row = 0; row < Rows; ++row)
    for (int i = csr.rowStart[row]; i < csr.rowStart[row + 1]; ++i) {
      int at = (i - csr.rowStart[row]) * Rows + row;
      ellColumn[at] = csr.column[i];
      ellValue[at] = csr.value[i];
      expected[row] += csr.value[i] * x[csr.column[i]];
    }

  int *rowStart = toDevice(csr.rowStart);
  int *column = toDevice(csr.column);
  float *value = toDevice(csr.value);
  int *columnEll = toDevice(ellColumn);
  float *valueEll = toDevice(ellValue);
  float *deviceX = toDevice(x);
  float *deviceY = toDevice(std::vector<float>(Rows, 0.0f));

  int blocks = (Rows + BlockSize - 1) / BlockSize;
  spmvCsrScalar<<<blocks, BlockSize>>>(rowStart, column, value, deviceX,
                                       deviceY, Rows);
  int wrong = takeResult(expected, deviceY);
  spmvCsrVector<<<blocks * 32, BlockSize>>>(rowStart, column, value, deviceX,
                                            deviceY, Rows);
  wrong += takeResult(expected, deviceY);
  spmvEll<<<blocks, BlockSize>>>(columnEll, valueEll, deviceX, deviceY, Rows,
                                 LongestRow);
  wrong += takeResult(expected, deviceY);

  cudaFree(rowStart);
  cudaFree(column);
  cudaFree(value);
  cudaFree(columnEll);
  cudaFree(valueEll);
  cudaFree(deviceX);
  cudaFree(deviceY);
  std::printf("spmv: %d wrong\n", wrong);
  return wrong != 0;
}
