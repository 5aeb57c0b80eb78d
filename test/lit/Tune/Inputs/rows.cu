// Two kernels with launches of host code: a block that host code spells as a
// number, and a macro that decides both the code and the launch.
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef TYPE
#define TYPE float
#endif
static_assert(ITEMS != 3, "rows have an even number of items");

__global__ void scaleRows(TYPE *data, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
  for (int i = 0; i < ITEMS; ++i)
    if (first + i < n)
      data[first + i] *= 2;
}

__global__ void addOne(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1;
}

void run(TYPE *a, float *b) {
  constexpr int N = 1 << 22;
  scaleRows<<<N / (256 * ITEMS), 256>>>(a, N);
  addOne<<<(N + 255) / 256, 256>>>(b, N);
}
