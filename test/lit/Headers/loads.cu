// Loads and stores with a cache operator keep their width.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @readonly(
extern "C" __global__ void readonly(const float *f, const float4 *v,
                                    const int *i, const double *d,
                                    float *out) {
  // CHECK: @llvm.nvvm.ldg.global.f.f32.p0(ptr {{.*}}, i32 4)
  out[0] = __ldg(f);
  // CHECK: @llvm.nvvm.ldg.global.f.v4f32.p0(ptr {{.*}}, i32 16)
  out[1] = __ldg(v + threadIdx.x).y;
  // CHECK: @llvm.nvvm.ldg.global.i.i32.p0(ptr {{.*}}, i32 4)
  out[2] = __ldg(i);
  // CHECK: @llvm.nvvm.ldg.global.f.f64.p0(ptr {{.*}}, i32 8)
  out[3] = __ldg(d);
}

// CHECK-LABEL: @operators(
extern "C" __global__ void operators(float *f, float4 *v) {
  // CHECK: load float, ptr {{.*}} !nontemporal
  float a = __ldcs(f);
  // CHECK: load {{(<4 x )?}}float{{>?}}, ptr {{.*}}, align 16
  float4 b = __ldcg(v + threadIdx.x);
  // CHECK: store <4 x float> {{.*}}, align 16, {{.*}}!nontemporal
  __stcs(v + 64 + threadIdx.x, b);
  // CHECK: store float
  __stcg(f + 1, a);
}
