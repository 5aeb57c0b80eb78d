// Texture fetches are calls by a fixed name; the last argument is the texel's
// size in bytes.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s

texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, 1, cudaReadModeNormalizedFloat> bytes;
texture<int, 1> ints;

// CHECK-LABEL: @objects(
extern "C" __global__ void objects(cudaTextureObject_t t, float *f, float4 *v,
                                   float x, float y, int i) {
  // CHECK: call {{.*}}<4 x float> @__gpu_estimate_tex2D_v4f32(i64 noundef %0, float noundef %3, float noundef %4, i32 noundef 4)
  f[0] = tex2D<float>(t, x, y);
  // CHECK: <4 x float> @__gpu_estimate_tex1Dfetch_v4f32(i64 noundef %0, i32 noundef %5, i32 noundef 16)
  v[0] = tex1Dfetch<float4>(t, i);
  // CHECK: <4 x i32> @__gpu_estimate_tex1D_v4i32(i64 noundef %0, float noundef %3, i32 noundef 1)
  f[1] = tex1D<unsigned char>(t, x);
  // CHECK: <4 x float> @__gpu_estimate_tex3D_v4f32(
  tex3D(&f[2], t, x, y, x);
  // CHECK: <4 x float> @__gpu_estimate_tex2DLayered_v4f32(
  f[3] = tex2DLayered<float>(t, x, y, i);
  // CHECK: <4 x float> @__gpu_estimate_tex2DLod_v4f32(
  f[4] = tex2DLod<float>(t, x, y, 1.0f);
}

// CHECK-LABEL: @references(
extern "C" __global__ void references(float *f, float x, float y, int i) {
  // CHECK: @__gpu_estimate_tex2D_v4f32(i64 {{.*}}@image
  f[0] = tex2D(image, x, y);
  // Read as floating point, stored as four bytes.
  // CHECK: <4 x float> @__gpu_estimate_tex1Dfetch_v4f32(i64 {{.*}}@bytes {{.*}}, i32 noundef 4)
  f[1] = tex1Dfetch(bytes, i).z;
  // CHECK: <4 x i32> @__gpu_estimate_tex1Dfetch_v4i32(i64 {{.*}}@ints
  f[2] = tex1Dfetch(ints, i);
}

// Two equal fetches are one.
// CHECK-LABEL: @merged(
extern "C" __global__ void merged(cudaTextureObject_t t, float *f, float x) {
  // CHECK-COUNT-1: @__gpu_estimate_tex1D_v4f32(
  // CHECK-NOT: @__gpu_estimate_tex1D_v4f32(
  // CHECK: ret void
  f[0] = tex1D<float>(t, x) + tex1D<float>(t, x);
}

int main() {
  float *d = 0;
  image.normalized = 1;
  image.addressMode[0] = cudaAddressModeWrap;
  image.filterMode = cudaFilterModeLinear;
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &desc, 64, 64);
  cudaBindTextureToArray(image, array, desc);
  cudaBindTexture(0, bytes, d, 64);
  cudaUnbindTexture(bytes);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &how, nullptr);
  objects<<<1, 1>>>(t, d, 0, 0, 0, 0);
  return cudaDestroyTextureObject(t);
}
