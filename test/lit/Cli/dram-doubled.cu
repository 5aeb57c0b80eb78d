// Twice the DRAM bandwidth halves the time of a stream from DRAM and leaves
// arithmetic alone, by the short name or by each key. On a GPU whose L2 carries twice
// what its DRAM does; on others the L2 is the next limit.
// RUN: %analyze %s --gpu nvidia-l4 --format json -o %t.as-is
// RUN: %analyze %s --gpu nvidia-l4 --format json -o %t.twice \
// RUN:   --set dram_bandwidth=586.2GB/s
// RUN: %analyze %s --gpu nvidia-l4 --format json -o %t.keys \
// RUN:   --set dram.read_bandwidth=586.2GB/s --set dram.write_bandwidth=587.6GB/s \
// RUN:   --set dram.copy_bandwidth=566.6GB/s --set dram.peak_bandwidth=600GB/s
// RUN: python3 %S/Inputs/ratio.py %t.as-is %t.twice stream=0.5 arithmetic=1
// RUN: python3 %S/Inputs/ratio.py %t.twice %t.keys stream=1 arithmetic=1

__global__ void stream(const float4 *a, float4 *b, size_t n) {
  size_t step = size_t(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < n;
       i += step) {
    float4 v = a[i];
    b[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
  }
}

__global__ void arithmetic(float *out, float x) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < 10000; ++i) {
    a = a * x + x;
    b = b * x + x;
    c = c * x + x;
    d = d * x + x;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = a + b + c + d;
}

void host(float4 *a, float4 *b, float *out) {
  stream<<<4096, 256>>>(a, b, size_t(1) << 26);
  arithmetic<<<4096, 256>>>(out, 2);
}
