// A loop over a row of a sparse matrix: the sizes of the buffers tell its mean
// trip count.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
__global__ void scalar(const int *row, const int *column, const float *value,
                       const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = row[i]; j < row[i + 1]; ++j)
      sum += value[j] * x[column[j]];
    y[i] = sum;
  }
}
// 2,621,440 nonzeros, 65,537 begins of rows.
// CHECK: trip count of the loop at segments.cu:9 = 40: {{.*}}; taken as the mean over all segments, from the sizes of {{value|column}} and row

// The lanes of a warp share a row.
__global__ void vector(const int *row, const float *value, float *y) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (int j = row[i] + threadIdx.x % 32; j < row[i + 1]; j += 32)
    sum += value[j];
  atomicAdd(&y[i], sum);
}
// CHECK: trip count of the loop at segments.cu:21 = 2: {{.*}} from the sizes of value and row

// The begin and the length are data.
__global__ void lengths(const long *begin, const int *length,
                        const char *text, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int found = 0;
  long first = begin[i];
  for (long j = first; j < first + length[i]; ++j)
    found += text[j] == 'x';
  count[i] = found;
}
// CHECK: trip count of the loop at segments.cu:35 = 1024: {{.*}} from the sizes of text and {{begin|length}}

// Not segments: rows of a matrix that data selects, and a search that ends by
// what it finds.
__global__ void rows(const int *index, const int *length, const float *matrix,
                     float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < length[0]; ++j)
    sum += matrix[index[i] * 64 + j];
  y[i] = sum;
}
// CHECK: trip count of the loop at segments.cu:47 = 16: {{.*}}(condition at segments.cu:47)

__global__ void search(const int *begin, const char *text, int *place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = begin[i];
  while (text[j] != 0)
    ++j;
  place[i] = j;
}
// CHECK: trip count of the loop at segments.cu:56 = 16: {{.*}}(condition at segments.cu:56)

void host() {
  int *row, *column, *count;
  long *begin;
  char *text;
  float *value, *x, *y;
  cudaMalloc(&row, 65537 * sizeof(int));
  cudaMalloc(&column, 2621440 * sizeof(int));
  cudaMalloc(&value, 2621440 * sizeof(float));
  cudaMalloc(&x, 65536 * sizeof(float));
  cudaMalloc(&y, 65536 * sizeof(float));
  cudaMalloc(&count, 65536 * sizeof(int));
  cudaMalloc(&begin, 65536 * sizeof(long));
  cudaMalloc(&text, 65536 * 1024);
  scalar<<<256, 256>>>(row, column, value, x, y, 65536);
  vector<<<8192, 256>>>(row, value, y);
  lengths<<<256, 256>>>(begin, count, text, count, 65536);
  rows<<<256, 256>>>(row, count, value, y);
  search<<<256, 256>>>(row, text, count);
}
