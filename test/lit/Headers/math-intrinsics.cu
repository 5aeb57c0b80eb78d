// Mathematical intrinsics: fast functions, rounding modes, integers, bits.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @fast(
extern "C" __global__ void fast(float *f, float x, float y) {
  // CHECK: @__nv_fast_expf(
  f[0] = __expf(x);
  // CHECK: @__nv_fast_logf(
  f[1] = __logf(x);
  // CHECK: @__nv_fast_sinf(
  f[2] = __sinf(x);
  // CHECK: @__nv_fast_powf(
  f[3] = __powf(x, y);
  // CHECK: @__nv_fast_fdividef(
  f[4] = __fdividef(x, y);
  // CHECK: @__nv_frcp_rn(
  f[5] = __frcp_rn(x);
  // CHECK: @__nv_fsqrt_rn(
  f[6] = __fsqrt_rn(x);
  // CHECK: @__nv_saturatef(
  f[7] = __saturatef(x);
  // CHECK: @__nv_fadd_rn(
  f[8] = __fadd_rn(x, y);
  // CHECK: @__nv_fmul_rz(
  f[9] = __fmul_rz(x, y);
  // CHECK: @llvm.fma.f32(
  f[10] = __fmaf_rn(x, y, x);
  // CHECK: @__nv_fmaf_ru(
  f[11] = __fmaf_ru(x, y, x);
}

// CHECK-LABEL: @integers(
extern "C" __global__ void integers(int *i, int a, int b, unsigned long long l) {
  // CHECK: @llvm.ctpop.i32(
  i[0] = __popc(a);
  // CHECK: @llvm.ctpop.i64(
  i[1] = __popcll(l);
  // CHECK: @llvm.ctlz.i32({{.*}}, i1 false)
  i[2] = __clz(a);
  // CHECK: @llvm.cttz.i32(
  i[3] = __ffs(a);
  // CHECK: @llvm.bitreverse.i32(
  i[4] = __brev(a);
  // CHECK: mul {{.*}}i64
  // CHECK: lshr {{.*}}i64 {{.*}}, 32
  i[5] = __mulhi(a, b);
  // CHECK: @__nv_byte_perm(
  i[6] = __byte_perm(a, b, 0x3210);
  // CHECK: @__nv_umul64hi(
  i[7] = __umul64hi(l, l);
  // CHECK: @__nv_sad(
  i[8] = __sad(a, b, 0u);
  // CHECK: asm {{.*}}shf.l.wrap.b32
  i[9] = __funnelshift_l(a, b, 5);
}

// CHECK-LABEL: @conversions(
extern "C" __global__ void conversions(int *i, float *f, double *d) {
  // CHECK: bitcast i32 {{.*}} to float
  f[0] = __int_as_float(i[0] + 3) + 1.0f;
  // CHECK: sitofp i32 {{.*}} to float
  f[1] = __int2float_rn(i[1]);
  // CHECK: fptosi float {{.*}} to i32
  i[2] = __float2int_rz(f[2]);
  // CHECK: @__nv_float2int_rn(
  i[3] = __float2int_rn(f[3]);
  // CHECK: lshr i64
  i[4] = __double2hiint(d[0]);
  // CHECK: fptrunc double {{.*}} to float
  f[4] = __double2float_rn(d[1]);
}
