// Kernels of our own that do the work of the first chapters of textbooks:
// sums of matrices, products, convolutions, histograms. README.md says which
// measured kernel each one stands for.

// One element a thread in blocks of 16 x 16. By columns: neighbouring lanes
// take neighbouring rows, so that a request of 32 lanes touches 16 lines.
__global__ void add_by_columns(const float *a, const float *b, float *sum,
                               int columns, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  int at = row * columns + column;
  if (row < rows && column < columns)
    sum[at] = a[at] + b[at];
}

__global__ void add_by_rows(const float *a, const float *b, float *sum,
                            int columns, int rows) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int at = row * columns + column;
  if (row < rows && column < columns)
    sum[at] = a[at] + b[at];
}

// Three bytes of colour to one of brightness.
__global__ void grayscale(unsigned char *colour, unsigned char *gray, int width,
                          int height) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height || x >= width)
    return;
  int at = y * width + x;
  float red = colour[3 * at], green = colour[3 * at + 1],
        blue = colour[3 * at + 2];
  gray[at] = (unsigned char)(0.21f * red + 0.71f * green + 0.07f * blue);
}

// A thread computes the product of one row and the vector: the lanes of a warp
// walk along 32 rows.
__global__ void row_products(unsigned *result, unsigned *matrix,
                             unsigned *vector, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  unsigned sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += matrix[row * columns + k] * vector[k];
  result[row] = sum;
}

// The same with the vector in shared memory, a block's width at a time.
__global__ void row_products_tiled(unsigned *result, unsigned *matrix,
                                   unsigned *vector, int rows, int columns) {
  extern __shared__ unsigned part[];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  int parts = (columns + blockDim.x - 1) / blockDim.x;
  for (int p = 0; p < parts; ++p) {
    int first = p * blockDim.x;
    int at = first + threadIdx.x;
    part[threadIdx.x] = at < columns ? vector[at] : 0;
    __syncthreads();
    if (row < rows)
      for (int k = 0; k < blockDim.x && first + k < columns; ++k)
        sum += matrix[row * columns + first + k] * part[k];
    __syncthreads();
  }
  result[row] = sum;
}

// Products of square matrices of n x n integers, one element a thread.
__global__ void product(unsigned *a, unsigned *b, unsigned *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  unsigned sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// With tiles as wide as the block, which the compiler does not know.
__global__ void product_tiled(unsigned *a, unsigned *b, unsigned *c, int n) {
  extern __shared__ unsigned tiles[];
  int width = blockDim.x;
  unsigned *tileOfA = tiles, *tileOfB = tiles + width * width;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * width + y, column = blockIdx.x * width + x;
  unsigned sum = 0;
  for (int t = 0; t < (n + width - 1) / width; ++t) {
    int first = t * width;
    tileOfA[y * width + x] =
        row < n && first + x < n ? a[row * n + first + x] : 0;
    tileOfB[y * width + x] =
        first + y < n && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < width; ++k)
      sum += tileOfA[y * width + k] * tileOfB[k * width + x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

// Convolutions. The results are limited to [0, 1] in double precision, as the
// measured kernels do by writing 0.0 and 1.0 for 0.0f and 1.0f.
__constant__ float Filter[121];

static __device__ float limited(float value) {
  return min(max(value, 0.0), 1.0);
}

__global__ void convolve_row(float *in, float *filter, float *out,
                             int filter_width, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width)
    return;
  float sum = 0;
  int first = i - filter_width / 2;
  for (int k = 0; k < filter_width; ++k)
    if (first + k >= 0 && first + k < width)
      sum += in[first + k] * filter[k];
  out[i] = limited(sum);
}

__global__ void convolve_row_constant(float *in, float *out, int filter_width,
                                      int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int first = i - filter_width / 2;
  for (int k = 0; k < filter_width; ++k)
    if (first + k >= 0 && first + k < width)
      sum += in[first + k] * Filter[k];
  out[i] = limited(sum);
}

// A block's input and its halo in shared memory.
__global__ void convolve_row_tiled(float *in, float *out, int filter_width,
                                   int width) {
  extern __shared__ float tile[];
  int t = threadIdx.x, size = blockDim.x;
  int i = blockIdx.x * size + t;
  int halo = filter_width / 2;
  int left = i - size, right = i + size;
  if (t >= size - halo)
    tile[t - (size - halo)] = left < 0 ? 0 : in[left];
  tile[halo + t] = in[i];
  if (t < halo)
    tile[halo + size + t] = right >= width ? 0 : in[right];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < filter_width; ++k)
    sum += tile[t + k] * Filter[k];
  out[i] = limited(sum);
}

// The input of a block in shared memory, the halo through the caches.
__global__ void convolve_row_cached(float *in, float *out, int filter_width,
                                    int width) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  int begin = blockIdx.x * blockDim.x, end = begin + blockDim.x;
  int first = i - filter_width / 2;
  float sum = 0;
  for (int k = 0; k < filter_width; ++k) {
    int at = first + k;
    if (at >= 0 && at < width) {
      if (at >= begin && at < end)
        sum += tile[threadIdx.x + k - filter_width / 2] * Filter[k];
      else
        sum += in[at] * Filter[k];
    }
  }
  out[i] = limited(sum);
}

// Images of size x size points whose channels lie side by side.
__global__ void convolve(float *in, float *filter, float *out, int filter_width,
                         int size, int channels) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= size || x >= size)
    return;
  int top = y - filter_width / 2, left = x - filter_width / 2;
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int k = 0; k < filter_width; ++k)
      for (int l = 0; l < filter_width; ++l)
        if (top + k >= 0 && top + k < size && left + l >= 0 && left + l < size)
          sum += in[((top + k) * size + left + l) * channels + c] *
                 filter[k * filter_width + l];
    out[(y * size + x) * channels + c] = limited(sum);
  }
}

__global__ void convolve_constant(float *in, float *out, int filter_width,
                                  int size, int channels) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= size || x >= size)
    return;
  int top = y - filter_width / 2, left = x - filter_width / 2;
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int k = 0; k < filter_width; ++k)
      for (int l = 0; l < filter_width; ++l)
        if (top + k >= 0 && top + k < size && left + l >= 0 && left + l < size)
          sum += in[((top + k) * size + left + l) * channels + c] *
                 Filter[k * filter_width + l];
    out[(y * size + x) * channels + c] = limited(sum);
  }
}

// A thread for each point of the input tile, of which those of the middle
// compute.
__global__ void convolve_tiled(float *in, float *out, int filter_width,
                               int size, int channels) {
  extern __shared__ float tile[];
  int width = blockDim.x;
  int outputs = width - filter_width + 1;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * outputs + y, column = blockIdx.x * outputs + x;
  int top = row - filter_width / 2, left = column - filter_width / 2;
  for (int c = 0; c < channels; ++c) {
    if (top >= 0 && top < size && left >= 0 && left < size)
      tile[y * width + x] = in[(top * size + left) * channels + c];
    else
      tile[y * width + x] = 0;
    __syncthreads();
    if (y < outputs && x < outputs && row < size && column < size) {
      float sum = 0;
      for (int k = 0; k < filter_width; ++k)
        for (int l = 0; l < filter_width; ++l)
          sum += tile[(y + k) * width + x + l] * Filter[k * filter_width + l];
      out[(row * size + column) * channels + c] = limited(sum);
    }
    __syncthreads();
  }
}

// Histograms of 512 bins. The measured programs count zeros, so that every
// addition is to the first bin.
__global__ void histogram(unsigned *in, unsigned *bins, unsigned n,
                          unsigned bin_count) {
  unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned threads = blockDim.x * gridDim.x;
  for (unsigned b = first; b < bin_count; b += threads)
    bins[b] = 0;
  __syncthreads();
  for (unsigned i = first; i < n; i += threads)
    atomicAdd(&bins[in[i]], 1);
}

__global__ void histogram_shared(unsigned *in, unsigned *bins, unsigned n,
                                 unsigned bin_count) {
  extern __shared__ unsigned own[];
  unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned b = threadIdx.x; b < bin_count; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (unsigned i = first; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[in[i]], 1);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bin_count; b += blockDim.x)
    atomicAdd(&bins[b], own[b]);
}
