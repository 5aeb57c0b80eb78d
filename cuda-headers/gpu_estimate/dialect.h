/// \file
/// What constructs of nvcc's dialect become that clang 19 refuses
/// (lib/Frontend/Parse/DialectRepair.h writes uses of it into the source).

#ifndef GPU_ESTIMATE_CUDA_DIALECT_H
#define GPU_ESTIMATE_CUDA_DIALECT_H

/// Storage of a shared object whose constructor does not run.
template <class T> union gpu_estimate_storage {
  T value;
  __attribute__((device)) gpu_estimate_storage() {}
  __attribute__((device)) ~gpu_estimate_storage() {}
};

#if __cplusplus >= 201703L
/// The address of a kernel, where clang forbids to name it.
template <auto *Kernel> struct gpu_estimate_address {
  static constexpr auto value = Kernel;
};

/// A launch from device code: a call of
/// `gpu_estimate_device_launch<&kernel>::launch<&kernel>`, which is never
/// defined, with the kernel, grid, block, bytes of dynamic shared memory and
/// the kernel's arguments.
template <auto *Kernel> struct gpu_estimate_device_launch;
template <class... Params, void (*Kernel)(Params...)>
struct gpu_estimate_device_launch<Kernel> {
  __attribute__((device))
  gpu_estimate_device_launch(dim3 grid, dim3 block, __SIZE_TYPE__ shared = 0,
                             struct CUstream_st * = nullptr)
      : grid(grid), block(block), shared(shared) {}
  __attribute__((device)) void operator()(Params... params) {
    launch<Kernel>((const void *)gpu_estimate_address<Kernel>::value, grid.x,
                   grid.y, grid.z, block.x, block.y, block.z, shared,
                   params...);
  }

private:
  template <void (*Launched)(Params...)>
  static __attribute__((device)) void
  launch(const void *, unsigned, unsigned, unsigned, unsigned, unsigned,
         unsigned, __SIZE_TYPE__, Params...);
  dim3 grid, block;
  __SIZE_TYPE__ shared;
};
#endif

// nvcc's own atomic functions (CUDA C++ Programming Guide, "Built-in functions for
// atomic operations"). The scope does not change what is executed here.
#if defined(__CUDA__) && !defined(__NV_ATOMIC_RELAXED)
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};
#define GPU_ESTIMATE_NV_ATOMIC(T)                                              \
  template <typename T>                                                        \
  static inline __attribute__((device, always_inline))
GPU_ESTIMATE_NV_ATOMIC(T) T __nv_atomic_load_n(const T *p, int order, int = 0) {
  return __atomic_load_n(p, order);
}
GPU_ESTIMATE_NV_ATOMIC(T)
void __nv_atomic_store_n(T *p, T value, int order, int = 0) {
  __atomic_store_n(p, value, order);
}
GPU_ESTIMATE_NV_ATOMIC(T)
T __nv_atomic_exchange_n(T *p, T value, int order, int = 0) {
  return __atomic_exchange_n(p, value, order);
}
GPU_ESTIMATE_NV_ATOMIC(T)
bool __nv_atomic_compare_exchange_n(T *p, T *expected, T desired, bool weak,
                                    int success, int failure, int = 0) {
  return __atomic_compare_exchange_n(p, expected, desired, weak, success,
                                     failure);
}
GPU_ESTIMATE_NV_ATOMIC(T)
T __nv_atomic_fetch_add(T *p, T value, int order, int = 0) {
  return __atomic_fetch_add(p, value, order);
}
GPU_ESTIMATE_NV_ATOMIC(T)
T __nv_atomic_fetch_and(T *p, T value, int order, int = 0) {
  return __atomic_fetch_and(p, value, order);
}
GPU_ESTIMATE_NV_ATOMIC(T)
T __nv_atomic_fetch_or(T *p, T value, int order, int = 0) {
  return __atomic_fetch_or(p, value, order);
}
#undef GPU_ESTIMATE_NV_ATOMIC
#endif

#endif
