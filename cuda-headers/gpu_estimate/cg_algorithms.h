/// \file
/// Cooperative groups' collective algorithms: reductions, scans, copies.
///
/// Reductions of 32-bit integers within a tile are one `redux` instruction from
/// sm_80 on; all others are butterflies of shuffles, as in CUDA's library.

#ifndef GPU_ESTIMATE_CUDA_CG_ALGORITHMS_H
#define GPU_ESTIMATE_CUDA_CG_ALGORITHMS_H

#include "async_copy.h"
#include "cg_tiles.h"

namespace cooperative_groups {

#define GPU_ESTIMATE_CG_OPERATOR(name, expression)                             \
  template <class T = void> struct name {                                      \
    __device__ T operator()(T a, T b) const { return expression; }             \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <class T> __device__ T operator()(T a, T b) const {               \
      return expression;                                                       \
    }                                                                          \
  };
GPU_ESTIMATE_CG_OPERATOR(plus, a + b)
GPU_ESTIMATE_CG_OPERATOR(less, b < a ? b : a)
GPU_ESTIMATE_CG_OPERATOR(greater, a < b ? b : a)
GPU_ESTIMATE_CG_OPERATOR(bit_and, a &b)
GPU_ESTIMATE_CG_OPERATOR(bit_or, a | b)
GPU_ESTIMATE_CG_OPERATOR(bit_xor, a ^ b)
#undef GPU_ESTIMATE_CG_OPERATOR

namespace gpu_estimate_detail {
/// The hardware's reduction for an operator and type, where it exists.
template <class Op, class T> struct Redux {
  enum { exists = false };
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define GPU_ESTIMATE_CG_REDUX(Op, T, function)                                 \
  template <> struct Redux<Op<T>, T> {                                         \
    enum { exists = true };                                                    \
    static __device__ T run(unsigned int mask, T value) {                      \
      return function(mask, value);                                            \
    }                                                                          \
  };
GPU_ESTIMATE_CG_REDUX(plus, int, __reduce_add_sync)
GPU_ESTIMATE_CG_REDUX(plus, unsigned int, __reduce_add_sync)
GPU_ESTIMATE_CG_REDUX(less, int, __reduce_min_sync)
GPU_ESTIMATE_CG_REDUX(less, unsigned int, __reduce_min_sync)
GPU_ESTIMATE_CG_REDUX(greater, int, __reduce_max_sync)
GPU_ESTIMATE_CG_REDUX(greater, unsigned int, __reduce_max_sync)
GPU_ESTIMATE_CG_REDUX(bit_and, unsigned int, __reduce_and_sync)
GPU_ESTIMATE_CG_REDUX(bit_or, unsigned int, __reduce_or_sync)
GPU_ESTIMATE_CG_REDUX(bit_xor, unsigned int, __reduce_xor_sync)
#undef GPU_ESTIMATE_CG_REDUX
#endif
} // namespace gpu_estimate_detail

template <unsigned int Size, class Parent, class T, class Op>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &tile, T value,
                           Op op) {
  typedef gpu_estimate_detail::Redux<Op, T> Redux;
  if constexpr (Size > 32) {
    // Each warp reduces, then every thread combines the warps' results.
    __shared__ T partial[32];
    value = reduce(thread_block_tile<32>(), value, op);
    unsigned int first = tile.meta_group_rank() * (Size / 32);
    partial[first + tile.thread_rank() / 32] = value;
    tile.sync();
    value = partial[first];
#pragma unroll
    for (unsigned int warp = 1; warp < Size / 32; ++warp)
      value = op(value, partial[first + warp]);
    tile.sync();
    return value;
  } else if constexpr (Redux::exists) {
    return Redux::run(tile.mask_of(), value);
  } else {
#pragma unroll
    for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
      value = op(value, tile.shfl_xor(value, lanes));
    return value;
  }
}
template <class T, class Op>
__device__ inline T reduce(const coalesced_group &group, T value, Op op) {
  for (unsigned int delta = 1; delta < group.size(); delta *= 2) {
    T other = group.shfl_down(value, delta);
    if (group.thread_rank() + delta < group.size())
      value = op(value, other);
  }
  return group.shfl(value, 0);
}

template <class Group, class T, class Op>
__device__ inline T inclusive_scan(const Group &group, T value, Op op) {
  for (unsigned int delta = 1; delta < group.size(); delta *= 2) {
    T other = group.shfl_up(value, delta);
    if (group.thread_rank() >= delta)
      value = op(other, value);
  }
  return value;
}
template <class Group, class T>
__device__ inline T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
__device__ inline T exclusive_scan(const Group &group, T value, Op op) {
  T scanned = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : scanned;
}
template <class Group, class T>
__device__ inline T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

namespace gpu_estimate_detail {
/// Copies in units of the element's alignment; what the pointers' run-time
/// alignment would allow beyond it is not assumed.
template <class Group, class T>
__device__ inline void copyAsync(const Group &group, T *to, const T *from,
                                 __SIZE_TYPE__ bytes) {
  constexpr unsigned int unit = alignof(T) >= 16  ? 16
                                : alignof(T) >= 8 ? 8
                                : alignof(T) >= 4 ? 4
                                                  : alignof(T);
  char *t = (char *)to;
  const char *f = (const char *)from;
  for (__SIZE_TYPE__ i = group.thread_rank() * unit; i < bytes;
       i += group.size() * unit) {
    if constexpr (unit >= 4)
      __pipeline_memcpy_async(t + i, f + i, unit);
    else
      for (unsigned int b = 0; b < unit; ++b)
        t[i + b] = f[i + b];
  }
  __pipeline_commit();
}
} // namespace gpu_estimate_detail

template <class Group, class T, class U>
__device__ inline void memcpy_async(const Group &group, T *to, const U *from,
                                    __SIZE_TYPE__ bytes) {
  gpu_estimate_detail::copyAsync(group, to, (const T *)from, bytes);
}
template <class Group, class T, class U>
__device__ inline void memcpy_async(const Group &group, T *to,
                                    __SIZE_TYPE__ toCount, const U *from,
                                    __SIZE_TYPE__ fromCount) {
  __SIZE_TYPE__ count = toCount < fromCount ? toCount : fromCount;
  gpu_estimate_detail::copyAsync(group, to, (const T *)from, count * sizeof(T));
}
template <class Group> __device__ inline void wait(const Group &group) {
  __pipeline_wait_prior(0);
  group.sync();
}
template <unsigned int Prior, class Group>
__device__ inline void wait_prior(const Group &group) {
  __pipeline_wait_prior(Prior);
  group.sync();
}

} // namespace cooperative_groups

#endif
