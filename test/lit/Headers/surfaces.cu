// Surface accesses are calls by a fixed name; x is in bytes.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s

surface<void, cudaSurfaceType2D> output;

// CHECK-LABEL: @copy(
extern "C" __global__ void copy(cudaSurfaceObject_t s, int x, int y) {
  // CHECK: <4 x i32> @__gpu_estimate_surf2Dread(i64 noundef %0, i32 {{.*}}, i32 {{.*}}, i32 noundef 16)
  float4 v = surf2Dread<float4>(s, x * 16, y);
  uchar4 c;
  // CHECK: <4 x i32> @__gpu_estimate_surf2Dread({{.*}}, i32 noundef 4)
  surf2Dread(&c, s, x * 4, y);
  // CHECK: call void @__gpu_estimate_surf2Dwrite(<4 x i32> {{.*}}, i64 noundef %0, i32 {{.*}}, i32 {{.*}}, i32 noundef 16)
  surf2Dwrite(v, s, x * 16, y + 1, cudaBoundaryModeClamp);
  // CHECK: call void @__gpu_estimate_surf2Dwrite({{.*}}@output
  surf2Dwrite(c.x + 1.0f, output, x * 4, y);
}
int main() { return 0; }
