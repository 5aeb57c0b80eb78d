/// \file
/// Cooperative groups: the group types and how to obtain them.

#ifndef GPU_ESTIMATE_CUDA_CG_GROUPS_H
#define GPU_ESTIMATE_CUDA_CG_GROUPS_H

#include "runtime.h"

/// A barrier over the whole grid (or over several), for the analysis to
/// recognise: its cost is not that of a block's barrier.
GPU_ESTIMATE_OPAQUE void __gpu_estimate_grid_sync();
GPU_ESTIMATE_OPAQUE void __gpu_estimate_multi_grid_sync();

namespace cooperative_groups {

namespace gpu_estimate_detail {
#define GPU_ESTIMATE_CG static __device__ inline __attribute__((always_inline))
#if defined(__HIP__)
typedef unsigned long long LaneMask;
GPU_ESTIMATE_CG unsigned int laneId() { return __lane_id(); }
#else
typedef unsigned int LaneMask;
GPU_ESTIMATE_CG unsigned int laneId() { return __nvvm_read_ptx_sreg_laneid(); }
#endif
GPU_ESTIMATE_CG unsigned int threadRank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
GPU_ESTIMATE_CG unsigned int blockSize() {
  return blockDim.x * blockDim.y * blockDim.z;
}
GPU_ESTIMATE_CG unsigned long long blockRank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
         blockIdx.x;
}
GPU_ESTIMATE_CG unsigned long long gridBlocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
} // namespace gpu_estimate_detail

/// Any group, its kind known only at run time.
class thread_group {
protected:
  enum Kind { Block, Warp, Grid };
  Kind kind;
  gpu_estimate_detail::LaneMask mask;
  unsigned int count, rank;
  __device__ thread_group(Kind k, gpu_estimate_detail::LaneMask m,
                          unsigned int n, unsigned int r)
      : kind(k), mask(m), count(n), rank(r) {}
  template <unsigned int, class> friend class thread_block_tile;
  friend class coalesced_group;
  friend __device__ thread_group tiled_partition(const thread_group &,
                                                 unsigned int);

public:
  thread_group() = default;
  __device__ unsigned long long size() const { return count; }
  __device__ unsigned long long num_threads() const { return count; }
  __device__ unsigned long long thread_rank() const { return rank; }
  __device__ void sync() const {
    if (kind == Block)
      __syncthreads();
    else if (kind == Warp)
      __syncwarp(mask);
    else
      __gpu_estimate_grid_sync();
  }
};

/// The calling thread's block.
class thread_block : public thread_group {
  friend __device__ thread_block this_thread_block();
  __device__ thread_block()
      : thread_group(Block, 0, gpu_estimate_detail::blockSize(),
                     gpu_estimate_detail::threadRank()) {}

public:
  static __device__ void sync() { __syncthreads(); }
  typedef unsigned int arrival_token;
  __device__ arrival_token barrier_arrive() const { return 0; }
  __device__ void barrier_wait(arrival_token) const { __syncthreads(); }
  static __device__ unsigned int thread_rank() {
    return gpu_estimate_detail::threadRank();
  }
  static __device__ unsigned int size() {
    return gpu_estimate_detail::blockSize();
  }
  static __device__ unsigned int num_threads() { return size(); }
  static __device__ dim3 group_index() { return blockIdx; }
  static __device__ dim3 thread_index() { return threadIdx; }
  static __device__ dim3 group_dim() { return blockDim; }
  static __device__ dim3 dim_threads() { return blockDim; }
};

/// The whole grid of a cooperative launch.
class grid_group : public thread_group {
  friend __device__ grid_group this_grid();
  __device__ grid_group() : thread_group(Grid, 0, 0, 0) {}

public:
  static __device__ void sync() { __gpu_estimate_grid_sync(); }
  static __device__ bool is_valid() { return true; }
  static __device__ unsigned long long thread_rank() {
    return gpu_estimate_detail::blockRank() * gpu_estimate_detail::blockSize() +
           gpu_estimate_detail::threadRank();
  }
  static __device__ unsigned long long size() {
    return gpu_estimate_detail::gridBlocks() * gpu_estimate_detail::blockSize();
  }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() {
    return gpu_estimate_detail::gridBlocks();
  }
  static __device__ unsigned long long block_rank() {
    return gpu_estimate_detail::blockRank();
  }
  static __device__ dim3 group_dim() { return gridDim; }
  static __device__ dim3 dim_blocks() { return gridDim; }
  static __device__ dim3 block_index() { return blockIdx; }
};

/// The grids of a cooperative launch on several devices.
class multi_grid_group {
  friend __device__ multi_grid_group this_multi_grid();
  multi_grid_group() = default;

public:
  static __device__ void sync() { __gpu_estimate_multi_grid_sync(); }
  static __device__ bool is_valid() { return true; }
  static __device__ unsigned long long thread_rank() {
    return gpu_estimate_detail::blockRank() * gpu_estimate_detail::blockSize() +
           gpu_estimate_detail::threadRank();
  }
  static __device__ unsigned long long size() {
    return gpu_estimate_detail::gridBlocks() * gpu_estimate_detail::blockSize();
  }
  static __device__ unsigned int grid_rank() { return 0; }
  static __device__ unsigned int num_grids() { return 1; }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }
__device__ inline grid_group this_grid() { return grid_group(); }
__device__ inline multi_grid_group this_multi_grid() {
  return multi_grid_group();
}

template <class Group> __device__ inline void sync(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#if defined(__HIP__)
#include "hip/cg_tiles.h"
#else
#include "cg_tiles.h"
#endif

#endif
