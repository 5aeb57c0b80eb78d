// nvcc declares atomic functions of its own, without a header.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'count' takes
// CHECK-NOT: unresolved
__global__ void count(unsigned *p, float *sum) {
  unsigned before = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);
  __nv_atomic_compare_exchange_n(p, &before, before + 1, true, __NV_ATOMIC_SEQ_CST,
                                 __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_add(sum, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_or(p, 4u, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(p + 1, __nv_atomic_exchange_n(p + 2, 3u, __NV_ATOMIC_RELAXED),
                      __NV_ATOMIC_RELEASE);
}

int main() {
  unsigned *p;
  float *sum;
  cudaMalloc(&p, 1024);
  cudaMalloc(&sum, 4);
  count<<<16, 256>>>(p, sum);
}
