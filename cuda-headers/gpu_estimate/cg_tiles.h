/// \file
/// Cooperative groups within a warp: tiles of fixed size and the set of threads
/// that are active together. Their members are the warp functions themselves.

#ifndef GPU_ESTIMATE_CUDA_CG_TILES_H
#define GPU_ESTIMATE_CUDA_CG_TILES_H

#include "cg_groups.h"

namespace cooperative_groups {

/// Members that any group inside one warp has, over its mask.
#define GPU_ESTIMATE_CG_VOTES(maskExpression)                                  \
  __device__ int any(int predicate) const {                                    \
    return __any_sync(maskExpression, predicate);                              \
  }                                                                            \
  __device__ int all(int predicate) const {                                    \
    return __all_sync(maskExpression, predicate);                              \
  }                                                                            \
  template <class T> __device__ unsigned int match_any(T value) const {        \
    return __match_any_sync(maskExpression, value) >> firstLane();             \
  }                                                                            \
  template <class T>                                                           \
  __device__ unsigned int match_all(T value, int &predicate) const {           \
    return __match_all_sync(maskExpression, value, &predicate) >> firstLane(); \
  }

/// Shuffles of any trivially copyable type, word by word where the hardware's
/// types do not fit. `name` is the member, `function` the warp function.
#define GPU_ESTIMATE_CG_SHUFFLE(name, function)                                \
  template <class T>                                                           \
  GPU_ESTIMATE_CG auto name(unsigned int mask, const T &value, int lane,       \
                            int width, int)                                    \
      -> decltype(T(function(mask, value, lane, width))) {                     \
    return function(mask, value, lane, width);                                 \
  }                                                                            \
  template <class T>                                                           \
  GPU_ESTIMATE_CG T name(unsigned int mask, const T &value, int lane,          \
                         int width, long) {                                    \
    constexpr int words = (sizeof(T) + 3) / 4;                                 \
    int buffer[words];                                                         \
    __builtin_memcpy(buffer, &value, sizeof(T));                               \
    _Pragma("unroll") for (int i = 0; i < words; ++i) buffer[i] =              \
        function(mask, buffer[i], lane, width);                                \
    T result;                                                                  \
    __builtin_memcpy(&result, buffer, sizeof(T));                              \
    return result;                                                             \
  }
namespace gpu_estimate_detail {
GPU_ESTIMATE_CG_SHUFFLE(shuffle, __shfl_sync)
GPU_ESTIMATE_CG_SHUFFLE(shuffleUp, __shfl_up_sync)
GPU_ESTIMATE_CG_SHUFFLE(shuffleDown, __shfl_down_sync)
GPU_ESTIMATE_CG_SHUFFLE(shuffleXor, __shfl_xor_sync)
} // namespace gpu_estimate_detail
#undef GPU_ESTIMATE_CG_SHUFFLE

/// Scratch memory that CUDA's library asks for with tiles of several warps.
template <unsigned int MaxBlockSize> struct block_tile_memory {
  unsigned int words[MaxBlockSize / 32 + 1];
};
template <unsigned int MaxBlockSize>
__device__ inline thread_block
this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}

/// `Size` neighbouring threads: of one warp, or several whole warps (which only
/// synchronise and reduce).
template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile's size is a power of two, at most a block");
  static __device__ unsigned int firstLane() {
    return gpu_estimate_detail::laneId() & ~(Size - 1);
  }
  static __device__ unsigned int tileMask() {
    if constexpr (Size >= 32)
      return 0xffffffffu;
    else
      return ((1u << Size) - 1) << firstLane();
  }

public:
  __device__ thread_block_tile()
      : thread_group(Warp, tileMask(), Size, thread_rank()) {}
  template <class OtherParent>
  __device__ thread_block_tile(const thread_block_tile<Size, OtherParent> &)
      : thread_block_tile() {}

  static __device__ void sync() {
    if constexpr (Size <= 32)
      __syncwarp(tileMask());
    else
      __barrier_sync_count(1 + meta_group_rank(), Size);
  }
  static __device__ unsigned int thread_rank() {
    if constexpr (Size <= 32)
      return gpu_estimate_detail::laneId() & (Size - 1);
    else
      return gpu_estimate_detail::threadRank() & (Size - 1);
  }
  static constexpr __device__ unsigned int size() { return Size; }
  static constexpr __device__ unsigned int num_threads() { return Size; }
  static __device__ unsigned int meta_group_rank() {
    return gpu_estimate_detail::threadRank() / Size;
  }
  static __device__ unsigned int meta_group_size() {
    return (gpu_estimate_detail::blockSize() + Size - 1) / Size;
  }

  template <class T> __device__ T shfl(T value, int lane) const {
    return gpu_estimate_detail::shuffle(tileMask(), value, lane, Size, 0);
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return gpu_estimate_detail::shuffleUp(tileMask(), value, delta, Size, 0);
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return gpu_estimate_detail::shuffleDown(tileMask(), value, delta, Size, 0);
  }
  template <class T> __device__ T shfl_xor(T value, unsigned int lanes) const {
    return gpu_estimate_detail::shuffleXor(tileMask(), value, lanes, Size, 0);
  }
  __device__ unsigned int ballot(int predicate) const {
    return __ballot_sync(tileMask(), predicate) >> firstLane();
  }
  GPU_ESTIMATE_CG_VOTES(tileMask())
  static __device__ unsigned int mask_of() { return tileMask(); }
};

/// The threads of a warp that arrive together.
class coalesced_group : public thread_group {
  static __device__ unsigned int firstLane() { return 0; }
  __device__ int laneOf(unsigned int member) const {
    return __nvvm_fns(mask, 0, member + 1);
  }

public:
  explicit __device__ coalesced_group(unsigned int m)
      : thread_group(Warp, m, __popc(m),
                     __popc(m & ((1u << gpu_estimate_detail::laneId()) - 1))) {}
  template <unsigned int Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent> &tile)
      : coalesced_group(tile.mask_of()) {}

  __device__ unsigned int size() const { return count; }
  __device__ unsigned int num_threads() const { return count; }
  __device__ unsigned int thread_rank() const { return rank; }
  __device__ unsigned int meta_group_rank() const { return 0; }
  __device__ unsigned int meta_group_size() const { return 1; }
  __device__ unsigned int mask_of() const { return mask; }
  __device__ void sync() const { __syncwarp(mask); }
  template <class T> __device__ T shfl(T value, int member) const {
    return gpu_estimate_detail::shuffle(mask, value, laneOf(member), 32, 0);
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return gpu_estimate_detail::shuffle(
        mask, value, laneOf(rank >= delta ? rank - delta : rank), 32, 0);
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return gpu_estimate_detail::shuffle(
        mask, value, laneOf(rank + delta < count ? rank + delta : rank), 32, 0);
  }
  __device__ unsigned int ballot(int predicate) const {
    return __ballot_sync(mask, predicate);
  }
  GPU_ESTIMATE_CG_VOTES(mask)
};
#undef GPU_ESTIMATE_CG_VOTES

__device__ inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned int Size, class Group>
__device__ inline thread_block_tile<Size, Group>
tiled_partition(const Group &) {
  return thread_block_tile<Size, Group>();
}
__device__ inline thread_group tiled_partition(const thread_group &parent,
                                               unsigned int size) {
  unsigned int lane = gpu_estimate_detail::laneId() & ~(size - 1);
  unsigned int mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << lane;
  return thread_group(thread_group::Warp, mask, size,
                      parent.thread_rank() & (size - 1));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group &group,
                                                   bool predicate) {
  unsigned int mask = coalesced_group(group).mask_of();
  unsigned int yes = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? yes : mask & ~yes);
}
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group &group,
                                                    Label label) {
  unsigned int mask = coalesced_group(group).mask_of();
  return coalesced_group(__match_any_sync(mask, label));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// The blocks of one cluster.
class cluster_group {
public:
  static __device__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __device__ void barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
  static __device__ void barrier_wait() { __nvvm_barrier_cluster_wait(); }
  static __device__ unsigned int block_rank() {
    return __nvvm_read_ptx_sreg_cluster_ctarank();
  }
  static __device__ unsigned int num_blocks() {
    return __nvvm_read_ptx_sreg_cluster_nctarank();
  }
  static __device__ unsigned int thread_rank() {
    return block_rank() * gpu_estimate_detail::blockSize() +
           gpu_estimate_detail::threadRank();
  }
  static __device__ unsigned int num_threads() {
    return num_blocks() * gpu_estimate_detail::blockSize();
  }
  static __device__ unsigned int size() { return num_threads(); }
  template <class T>
  static __device__ T *map_shared_rank(T *p, unsigned int rank) {
    return (T *)__nvvm_mapa((void *)p, rank);
  }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }
#endif

} // namespace cooperative_groups

#endif
