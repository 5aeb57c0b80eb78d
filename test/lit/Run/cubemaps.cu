// The six faces of a cube map, single and in layers.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: 0 1 2 3 4 5, layers 0 7 14
#include <cstdio>

__global__ void faces(float *out, cudaTextureObject_t cube,
                      cudaTextureObject_t layers) {
  int t = threadIdx.x;
  float sign = t % 2 ? -1 : 1, x = t / 2 == 0 ? sign : 0.1f,
        y = t / 2 == 1 ? sign : 0.2f, z = t / 2 == 2 ? sign : 0.3f;
  out[t] = texCubemap<float>(cube, x, y, z);
  out[6 + t] = texCubemapLayered<float>(layers, x, y, z, t);
}

cudaTextureObject_t make(int layers, const float *data) {
  const int n = 4;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray *array;
  cudaExtent extent = make_cudaExtent(n, n, 6 * layers);
  cudaMalloc3DArray(&array, &format, extent,
                    layers > 1 ? cudaArrayCubemap | cudaArrayLayered
                               : cudaArrayCubemap);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)data, n * 4, n, n);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.normalizedCoords = 1;
  texture.filterMode = cudaFilterModeLinear;
  for (int i = 0; i < 3; i++)
    texture.addressMode[i] = cudaAddressModeWrap;
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &texture, 0);
  return object;
}

int main() {
  static float data[6 * 6 * 16];
  for (int i = 0; i < 6 * 6 * 16; i++)
    data[i] = i / 16; // face, or 6 * layer + face
  float *p, g[12];
  cudaMalloc(&p, sizeof(g));
  faces<<<1, 6>>>(p, make(1, data), make(6, data));
  cudaMemcpy(g, p, sizeof(g), cudaMemcpyDeviceToHost);
  printf("%g %g %g %g %g %g, layers %g %g %g\n", g[0], g[1], g[2], g[3], g[4],
         g[5], g[6], g[7], g[8]);
}
