// A block takes a tile, then the tiles one stride of the grid further on, and
// returns in the middle of the loop when no further one is whole: 67,108,864
// floats, 268 MB, are 16,384 tiles. Each is read once, from DRAM, whichever of
// the two loads reads it (1 % more: how many blocks have a fourth tile is a
// sample).
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-h200 --caches cold \
// RUN:   --dump traffic | FileCheck %s
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-h200 --emulate \
// RUN:   --caches cold --dump traffic | FileCheck %s

// CHECK-LABEL: kernel sum
// CHECK: all: {{.*}}DRAM read 2.{{(6[89]|70)[0-9]*}}e+08 B

constexpr unsigned Tile = 4096;

struct Share {
  unsigned items, grid, offset;
};

__device__ float tileSum(const float *in, unsigned offset) {
  const float4 *v = (const float4 *)(in + offset) + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    float4 t = v[k * 256];
    sum += t.x + t.y + t.z + t.w;
  }
  return sum;
}

__device__ float shareSum(const float *in, Share &s) {
  float sum = tileSum(in, s.offset);
  unsigned stride = s.grid * Tile;
  if (s.items - s.offset < stride)
    return sum;
  s.offset += stride;
  while (s.offset <= s.items - Tile) {
    sum += tileSum(in, s.offset);
    if (s.items - s.offset < stride)
      return sum;
    s.offset += stride;
  }
  return sum;
}

__global__ void sum(const float *in, float *out, Share s) {
  s.offset = blockIdx.x * Tile;
  out[blockIdx.x * 256 + threadIdx.x] = shareSum(in, s);
}

int main() {
  float *in, *out;
  unsigned n = 1u << 26;
  cudaMalloc(&in, n * 4ul);
  cudaMalloc(&out, 5280 * 256 * 4);
  Share s;
  s.items = n;
  s.grid = 5280;
  s.offset = 0;
  sum<<<5280, 256>>>(in, out, s);
}
