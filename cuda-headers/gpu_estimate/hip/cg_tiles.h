/// \file
/// Cooperative groups within a wavefront of AMD: tiles of fixed size and the
/// set of threads that are active together.

#ifndef GPU_ESTIMATE_HIP_CG_TILES_H
#define GPU_ESTIMATE_HIP_CG_TILES_H

#include "../cg_groups.h"

namespace cooperative_groups {

namespace gpu_estimate_detail {

/// The value of another lane, word by word: any type that can be copied so.
template <class T> GPU_ESTIMATE_CG T valueOfLane(const T &value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  _Pragma("unroll") for (int i = 0; i < words; ++i) buffer[i] =
      __shfl(buffer[i], lane, warpSize);
  T result;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}
/// The lanes from First on, Size of them.
GPU_ESTIMATE_CG LaneMask lanesFrom(unsigned int first, unsigned int size) {
  return size >= 64 ? ~0ull : ((1ull << size) - 1) << first;
}
/// The number of the lane that is member `member` of the mask.
GPU_ESTIMATE_CG int laneOfMember(LaneMask mask, unsigned int member) {
  for (unsigned int i = 0; i < member; ++i)
    mask &= mask - 1;
  return __ffsll(mask) - 1;
}
/// The lanes of the mask whose words equal those of this lane.
template <class T>
GPU_ESTIMATE_CG LaneMask lanesOfEqual(LaneMask mask, const T &value) {
  LaneMask equal = 0;
  for (LaneMask left = mask; left; left &= left - 1) {
    int lane = __ffsll(left) - 1;
    T other = valueOfLane(value, lane);
    if (__builtin_memcmp(&other, &value, sizeof(T)) == 0)
      equal |= 1ull << lane;
  }
  return equal;
}

} // namespace gpu_estimate_detail

/// Members that any group inside one wavefront has, over its mask.
#define GPU_ESTIMATE_CG_VOTES(maskExpression)                                  \
  __device__ gpu_estimate_detail::LaneMask ballot(int predicate) const {       \
    return (__ballot(predicate) & maskExpression) >> firstLane();              \
  }                                                                            \
  __device__ int any(int predicate) const {                                    \
    return (__ballot(predicate) & maskExpression) != 0;                        \
  }                                                                            \
  __device__ int all(int predicate) const {                                    \
    return (__ballot(!predicate) & maskExpression) == 0;                       \
  }                                                                            \
  template <class T>                                                           \
  __device__ gpu_estimate_detail::LaneMask match_any(T value) const {          \
    return gpu_estimate_detail::lanesOfEqual(maskExpression, value) >>         \
           firstLane();                                                        \
  }                                                                            \
  template <class T>                                                           \
  __device__ gpu_estimate_detail::LaneMask match_all(T value, int &predicate)  \
      const {                                                                  \
    predicate = gpu_estimate_detail::lanesOfEqual(maskExpression, value) ==    \
                (maskExpression);                                              \
    return predicate ? (maskExpression) >> firstLane() : 0;                    \
  }

/// `Size` neighbouring threads of a wavefront.
template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 64,
                "a tile's size is a power of two, at most a wavefront");
  static __device__ unsigned int firstLane() {
    return gpu_estimate_detail::laneId() & ~(Size - 1);
  }
  static __device__ gpu_estimate_detail::LaneMask tileMask() {
    return gpu_estimate_detail::lanesFrom(firstLane(), Size);
  }

public:
  __device__ thread_block_tile()
      : thread_group(Warp, tileMask(), Size, thread_rank()) {}
  template <class OtherParent>
  __device__ thread_block_tile(const thread_block_tile<Size, OtherParent> &)
      : thread_block_tile() {}

  static __device__ void sync() { __syncwarp(tileMask()); }
  static __device__ unsigned int thread_rank() {
    return gpu_estimate_detail::laneId() & (Size - 1);
  }
  static constexpr __device__ unsigned int size() { return Size; }
  static constexpr __device__ unsigned int num_threads() { return Size; }
  static __device__ unsigned int meta_group_rank() {
    return gpu_estimate_detail::threadRank() / Size;
  }
  static __device__ unsigned int meta_group_size() {
    return (gpu_estimate_detail::blockSize() + Size - 1) / Size;
  }
  template <class T> __device__ T shfl(T value, int member) const {
    return gpu_estimate_detail::valueOfLane(value,
                                            firstLane() + (member & (Size - 1)));
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    unsigned int from = thread_rank() + delta;
    return shfl(value, from < Size ? from : thread_rank());
  }
  template <class T> __device__ T shfl_xor(T value, unsigned int lanes) const {
    return shfl(value, thread_rank() ^ lanes);
  }
  GPU_ESTIMATE_CG_VOTES(tileMask())
  static __device__ gpu_estimate_detail::LaneMask mask_of() {
    return tileMask();
  }
};

/// The threads of a wavefront that arrive together.
class coalesced_group : public thread_group {
  static __device__ unsigned int firstLane() { return 0; }

public:
  explicit __device__ coalesced_group(gpu_estimate_detail::LaneMask m)
      : thread_group(
            Warp, m, __popcll(m),
            __popcll(m & ((1ull << gpu_estimate_detail::laneId()) - 1))) {}
  template <unsigned int Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent> &tile)
      : coalesced_group(tile.mask_of()) {}

  __device__ unsigned int size() const { return count; }
  __device__ unsigned int num_threads() const { return count; }
  __device__ unsigned int thread_rank() const { return rank; }
  __device__ unsigned int meta_group_rank() const { return 0; }
  __device__ unsigned int meta_group_size() const { return 1; }
  __device__ gpu_estimate_detail::LaneMask mask_of() const { return mask; }
  __device__ void sync() const { __syncwarp(mask); }
  template <class T> __device__ T shfl(T value, int member) const {
    return gpu_estimate_detail::valueOfLane(
        value, gpu_estimate_detail::laneOfMember(mask, member));
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return shfl(value, rank + delta < count ? rank + delta : rank);
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
  return thread_group(thread_group::Warp,
                      gpu_estimate_detail::lanesFrom(lane, size), size,
                      parent.thread_rank() & (size - 1));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group &group,
                                                   bool predicate) {
  gpu_estimate_detail::LaneMask mask = coalesced_group(group).mask_of();
  gpu_estimate_detail::LaneMask yes = __ballot(predicate) & mask;
  return coalesced_group(predicate ? yes : mask & ~yes);
}

} // namespace cooperative_groups

#endif
