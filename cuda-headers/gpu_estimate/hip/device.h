/// \file
/// HIP's builtin variables and warp functions, from clang's builtins. Sizes of
/// blocks and grids are calls of ROCm's device library, as in ROCm's headers,
/// so that an analysis recognises them by name.

#ifndef GPU_ESTIMATE_HIP_DEVICE_H
#define GPU_ESTIMATE_HIP_DEVICE_H

extern "C" __device__ __attribute__((const)) size_t __ockl_get_local_size(unsigned);
extern "C" __device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned);

#define GPU_ESTIMATE_HIP_FIELD(Name, Value)                                    \
  __declspec(property(get = get_##Name)) unsigned Name;                        \
  static __inline__ __device__ __attribute__((always_inline)) unsigned         \
      get_##Name() {                                                           \
    return static_cast<unsigned>(Value);                                       \
  }
#define GPU_ESTIMATE_HIP_VARIABLE(Variable, X, Y, Z)                           \
  struct gpu_estimate_##Variable##_t {                                         \
    GPU_ESTIMATE_HIP_FIELD(x, X)                                               \
    GPU_ESTIMATE_HIP_FIELD(y, Y)                                               \
    GPU_ESTIMATE_HIP_FIELD(z, Z)                                               \
    __device__ operator dim3() const { return dim3(x, y, z); }                 \
  };                                                                           \
  extern const __device__ __attribute__((weak)) gpu_estimate_##Variable##_t    \
      Variable;

GPU_ESTIMATE_HIP_VARIABLE(threadIdx, __builtin_amdgcn_workitem_id_x(),
                          __builtin_amdgcn_workitem_id_y(),
                          __builtin_amdgcn_workitem_id_z())
GPU_ESTIMATE_HIP_VARIABLE(blockIdx, __builtin_amdgcn_workgroup_id_x(),
                          __builtin_amdgcn_workgroup_id_y(),
                          __builtin_amdgcn_workgroup_id_z())
GPU_ESTIMATE_HIP_VARIABLE(blockDim, __ockl_get_local_size(0),
                          __ockl_get_local_size(1), __ockl_get_local_size(2))
GPU_ESTIMATE_HIP_VARIABLE(gridDim, __ockl_get_num_groups(0),
                          __ockl_get_num_groups(1), __ockl_get_num_groups(2))
#undef GPU_ESTIMATE_HIP_VARIABLE
#undef GPU_ESTIMATE_HIP_FIELD

#define GPU_ESTIMATE_HIP                                                       \
  static __inline__ __device__ __attribute__((always_inline))

#define warpSize __builtin_amdgcn_wavefrontsize()

GPU_ESTIMATE_HIP void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
GPU_ESTIMATE_HIP void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
GPU_ESTIMATE_HIP void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

GPU_ESTIMATE_HIP unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

// Reads the register of another lane; values of other types go by their bits.
GPU_ESTIMATE_HIP int gpu_estimate_permute(int value, int lane) {
  return __builtin_amdgcn_ds_bpermute(lane << 2, value);
}
GPU_ESTIMATE_HIP int gpu_estimate_within(int lane, int self, int width) {
  return (lane & (width - 1)) + (self & ~(width - 1));
}

#define GPU_ESTIMATE_HIP_SHUFFLES(Type, ToBits, FromBits)                      \
  GPU_ESTIMATE_HIP Type __shfl(Type v, int lane, int width = warpSize) {       \
    int self = __lane_id();                                                    \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), gpu_estimate_within(lane, self, width)));                   \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_up(Type v, unsigned d, int width = warpSize) {  \
    int self = __lane_id(), from = self - static_cast<int>(d);                 \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from < (self & ~(width - 1)) ? self : from));               \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_down(Type v, unsigned d,                        \
                                    int width = warpSize) {                    \
    int self = __lane_id(), from = self + static_cast<int>(d);                 \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from > (self | (width - 1)) ? self : from));                \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_xor(Type v, int mask, int width = warpSize) {   \
    int self = __lane_id(), from = self ^ mask;                                \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from > (self | (width - 1)) ? self : from));                \
  }

GPU_ESTIMATE_HIP_SHUFFLES(int, , )
GPU_ESTIMATE_HIP_SHUFFLES(unsigned, static_cast<int>, static_cast<unsigned>)
#define GPU_ESTIMATE_FLOAT_BITS(X) __builtin_bit_cast(int, X)
#define GPU_ESTIMATE_BITS_FLOAT(X) __builtin_bit_cast(float, X)
GPU_ESTIMATE_HIP_SHUFFLES(float, GPU_ESTIMATE_FLOAT_BITS,
                          GPU_ESTIMATE_BITS_FLOAT)
#undef GPU_ESTIMATE_FLOAT_BITS
#undef GPU_ESTIMATE_BITS_FLOAT
#undef GPU_ESTIMATE_HIP_SHUFFLES

GPU_ESTIMATE_HIP unsigned long long __ballot(int p) {
  return __builtin_amdgcn_ballot_w64(p != 0);
}
GPU_ESTIMATE_HIP int __any(int p) { return __ballot(p) != 0; }
GPU_ESTIMATE_HIP int __all(int p) { return __ballot(!p) == 0; }
GPU_ESTIMATE_HIP int __popc(unsigned x) { return __builtin_popcount(x); }
GPU_ESTIMATE_HIP int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
GPU_ESTIMATE_HIP int __clz(int x) { return x ? __builtin_clz(x) : 32; }
GPU_ESTIMATE_HIP int __ffs(int x) { return __builtin_ffs(x); }
template <typename T> GPU_ESTIMATE_HIP T __ldg(const T *p) { return *p; }
GPU_ESTIMATE_HIP long long clock64() { return __builtin_readcyclecounter(); }

#undef GPU_ESTIMATE_HIP

#endif
