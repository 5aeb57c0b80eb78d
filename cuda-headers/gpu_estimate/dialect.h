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

#endif
