// Fetches and surface accesses have the locality of their coordinates: pixels of a
// warp's row are neighbours, whether the coordinate is a pixel, its centre, or
// normalised, and neighbouring fetches of one thread read DRAM once.
// RUN: %analyze %s --gpu nvidia-rtx-3090 | FileCheck %s

// CHECK: 'pixels' takes
// CHECK: texture load t {{ *}}524 K {{ *}}4 {{ *}}4 {{.*}}67.1 MB
__global__ void pixels(cudaTextureObject_t t, float *o, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  o[y * w + x] = tex2D<float>(t, x, y);
}

// CHECK: 'normalised' takes
// CHECK: texture load t {{ *}}524 K {{ *}}4 {{ *}}4 {{.*}}67.1 MB
__global__ void normalised(cudaTextureObject_t t, uchar4 *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  o[y * w + x] = tex2D<uchar4>(t, (x + 0.5f) / w, (y + 0.5f) / h);
}

// The fetches of five neighbours read each texel once, and some at the edges of
// blocks again.
// CHECK: 'stencil' takes
// CHECK: L2 <-> DRAM {{ *}}{{1[34][0-9]}} MB
__global__ void stencil(cudaTextureObject_t t, float *o, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x + 0.5f, v = y + 0.5f;
  o[y * w + x] = tex2D<float>(t, u, v) + tex2D<float>(t, u - 1, v) +
                 tex2D<float>(t, u + 1, v) + tex2D<float>(t, u, v - 1) +
                 tex2D<float>(t, u, v + 1);
}

// CHECK: 'surface2' takes
// CHECK: texture load s {{ *}}524 K {{ *}}4 {{ *}}4 {{.*}}67.1 MB
// CHECK: global store s {{ *}}524 K {{ *}}4 {{ *}}4 {{.*}}67.1 MB
__global__ void surface2(cudaSurfaceObject_t s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = surf2Dread<float>(s, x * 4, y);
  surf2Dwrite(v * 2, s, x * 4, y);
}

// A coordinate that is loaded tells nothing.
// CHECK: 'gathered' takes
// CHECK: texture load t * {{ *}}524 K {{ *}}32 {{ *}}4
__global__ void gathered(cudaTextureObject_t t, const float2 *at, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = tex2D<float>(t, at[i].x, at[i].y);
}

int main() {
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  float *o;
  float2 *at;
  int w = 4096, h = 4096;
  cudaMalloc(&o, w * h * sizeof(float));
  cudaMalloc(&at, w * h * sizeof(float2));
  dim3 grid(w / 32, h / 8), block(32, 8);
  pixels<<<grid, block>>>(t, o, w);
  normalised<<<grid, block>>>(t, (uchar4 *)o, w, h);
  stencil<<<grid, block>>>(t, o, w);
  surface2<<<grid, block>>>(s);
  gathered<<<w * h / 256, 256>>>(t, at, o);
}
