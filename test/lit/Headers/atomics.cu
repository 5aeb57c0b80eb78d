// Atomics become atomicrmw and cmpxchg where LLVM has them.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @global(
extern "C" __global__ void global(int *i, unsigned *u, unsigned long long *l,
                                  float *f, double *d) {
  // CHECK: atomicrmw add ptr {{.*}}, i32 1
  atomicAdd(i, 1);
  // CHECK: atomicrmw add ptr {{.*}}, i64 5
  atomicAdd(l, 5ull);
  // CHECK: atomicrmw fadd ptr {{.*}}, float
  atomicAdd(f, 2.0f);
  // CHECK: atomicrmw fadd ptr {{.*}}, double
  atomicAdd(d, 2.0);
  // Subtraction adds the negated value.
  // CHECK: atomicrmw add ptr {{.*}}, i32 -3
  atomicSub(i, 3);
  // CHECK: atomicrmw xchg ptr
  atomicExch(u, 7u);
  // CHECK: atomicrmw min ptr
  atomicMin(i, 7);
  // CHECK: atomicrmw umax ptr {{.*}}, i64
  atomicMax(l, 7ull);
  // CHECK: atomicrmw and ptr
  atomicAnd(u, 7u);
  // CHECK: atomicrmw or ptr
  atomicOr(i, 7);
  // CHECK: atomicrmw xor ptr
  atomicXor(l, 7ull);
  // CHECK: @llvm.nvvm.atomic.load.inc.32
  atomicInc(u, 100u);
  // CHECK: @llvm.nvvm.atomic.load.dec.32
  atomicDec(u, 100u);
  // CHECK: cmpxchg ptr {{.*}}, i32 0, i32 1
  atomicCAS(i, 0, 1);
  // CHECK: cmpxchg ptr {{.*}}, i64
  atomicCAS(l, 0ull, 1ull);
}

// CHECK-LABEL: @shared(
extern "C" __global__ void shared(int *out) {
  __shared__ int bins[64];
  // CHECK: atomicrmw add {{.*}}@_ZZ6sharedE4bins
  atomicAdd(&bins[0], 1);
  out[0] = bins[1];
}

// CHECK-LABEL: @scoped(
extern "C" __global__ void scoped(int *i, float *f) {
  // CHECK: @llvm.nvvm.atomic.add.gen.i.cta.i32
  atomicAdd_block(i, 1);
  // CHECK: @llvm.nvvm.atomic.max.gen.i.sys.i32
  atomicMax_system(i, 1);
  // CHECK: @llvm.nvvm.atomic.add.gen.f.sys.f32
  atomicAdd_system(f, 1.0f);
}
