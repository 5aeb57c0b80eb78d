// A library of the shape of CUB and Thrust: kernels with a policy as template
// argument, which a dispatcher launches behind several calls.
#pragma GCC system_header
#pragma once
#include <cuda_runtime.h>

namespace cub {

template <class Policy> struct ChainedPolicy {
  using ActivePolicy = Policy;
};

struct ScanPolicies : ChainedPolicy<ScanPolicies> {
  struct ScanPolicyT {
    static constexpr int BLOCK_THREADS = 128, ITEMS_PER_THREAD = 8;
  };
};

struct ReducePolicies : ChainedPolicy<ReducePolicies> {
  struct ReducePolicy {
    enum { BLOCK_THREADS = 256, ITEMS_PER_THREAD = 4 };
  };
  using SingleTilePolicy = ReducePolicy;
};

struct SortPolicies : ChainedPolicy<SortPolicies> {
  struct OnesweepPolicy {
    static constexpr int BLOCK_THREADS = 384, ITEMS_PER_THREAD = 16, RADIX_BITS = 8;
  };
  struct HistogramPolicy {
    static constexpr int BLOCK_THREADS = 128, ITEMS_PER_THREAD = 16;
  };
  struct SingleTilePolicy {
    static constexpr int BLOCK_THREADS = 256, ITEMS_PER_THREAD = 16;
  };
};

struct LoopPolicies : ChainedPolicy<LoopPolicies> {
  struct for_policy_t {
    static constexpr int block_threads = 256, items_per_thread = 2;
  };
};

template <class Policy, class In, class Out>
__global__ void __launch_bounds__(Policy::ActivePolicy::ScanPolicyT::BLOCK_THREADS)
    DeviceScanKernel(In d_in, Out d_out, int num_items) {
  int i = blockIdx.x * 1024 + threadIdx.x * 8;
  for (int k = 0; k < 8; ++k)
    if (i + k < num_items)
      d_out[i + k] = d_in[i + k];
}
template <class State> __global__ void DeviceScanInitKernel(State *states, int num_tiles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < num_tiles)
    states[i] = 0;
}

template <class Policy, class In, class Out>
__global__ void __launch_bounds__(Policy::ActivePolicy::ReducePolicy::BLOCK_THREADS)
    DeviceReduceKernel(In d_in, Out d_out, int num_items) {
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < num_items; i += gridDim.x * 256)
    sum += d_in[i];
  d_out[blockIdx.x * 256 + threadIdx.x] = sum;
}
template <class Policy, class In, class Out>
__global__ void
__launch_bounds__(Policy::ActivePolicy::SingleTilePolicy::BLOCK_THREADS, 1)
    DeviceReduceSingleTileKernel(In d_in, Out d_out, int num_items) {
  float sum = 0;
  for (int i = threadIdx.x; i < num_items; i += 256)
    sum += d_in[i];
  d_out[threadIdx.x] = sum;
}

template <class Policy, class Key>
__global__ void __launch_bounds__(Policy::ActivePolicy::OnesweepPolicy::BLOCK_THREADS)
    DeviceRadixSortOnesweepKernel(const Key *d_keys_in, Key *d_keys_out, int num_items) {
  int i = blockIdx.x * 6144 + threadIdx.x;
  if (i < num_items)
    d_keys_out[i] = d_keys_in[i];
}
template <class Policy, class Key>
__global__ void __launch_bounds__(Policy::ActivePolicy::HistogramPolicy::BLOCK_THREADS)
    DeviceRadixSortHistogramKernel(const Key *d_keys_in, unsigned *bins, int num_items,
                                   int start_bit, int end_bit) {
  for (int i = blockIdx.x * 128 + threadIdx.x; i < num_items; i += gridDim.x * 128)
    for (int bit = start_bit; bit < end_bit; bit += 8)
      bins[d_keys_in[i] >> bit & 255] = 1;
}
template <class Policy, class Key>
__global__ void
__launch_bounds__(Policy::ActivePolicy::SingleTilePolicy::BLOCK_THREADS, 1)
    DeviceRadixSortSingleTileKernel(const Key *d_keys_in, Key *d_keys_out, int num_items) {
  for (int i = threadIdx.x; i < num_items; i += 256)
    d_keys_out[i] = d_keys_in[i];
}

template <class Policy, class Offset, class Op>
__global__ void __launch_bounds__(Policy::ActivePolicy::for_policy_t::block_threads)
    static_kernel(Offset num_items, Op op) {
  for (int k = 0; k < 2; ++k) {
    Offset i = blockIdx.x * 512 + k * 256 + threadIdx.x;
    if (i < num_items)
      op(i);
  }
}

// The dispatchers of the libraries compute sizes in ways that host code far from
// the call hides.
int hiddenSize();

struct DeviceScan {
  template <class In, class Out>
  static void InclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                           Out d_out, int num_items) {
    if (!d_temp_storage) {
      temp_storage_bytes = 1 << 20;
      return;
    }
    DeviceScanInitKernel<<<hiddenSize(), hiddenSize()>>>((int *)d_temp_storage, num_items);
    DeviceScanKernel<ScanPolicies><<<hiddenSize(), hiddenSize()>>>(d_in, d_out, num_items);
  }
};

struct DeviceReduce {
  template <class In, class Out>
  static void Sum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                  int num_items) {
    if (num_items > 1024)
      DeviceReduceKernel<ReducePolicies><<<hiddenSize(), hiddenSize()>>>(d_in, d_out,
                                                                         num_items);
    DeviceReduceSingleTileKernel<ReducePolicies>
        <<<hiddenSize(), hiddenSize()>>>(d_in, d_out, num_items);
  }
};

struct DeviceRadixSort {
  template <class Key>
  static void SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                       const Key *d_keys_in, Key *d_keys_out, int num_items,
                       int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
    DeviceRadixSortSingleTileKernel<SortPolicies>
        <<<hiddenSize(), hiddenSize()>>>(d_keys_in, d_keys_out, num_items);
    DeviceRadixSortHistogramKernel<SortPolicies>
        <<<hiddenSize(), hiddenSize()>>>(d_keys_in, (unsigned *)d_temp_storage, num_items,
                                         hiddenSize(), hiddenSize());
    DeviceRadixSortOnesweepKernel<SortPolicies>
        <<<hiddenSize(), hiddenSize()>>>(d_keys_in, d_keys_out, num_items);
  }
};

} // namespace cub

namespace thrust {

template <class T> struct device_ptr {
  T *p;
  explicit device_ptr(T *p) : p(p) {}
  __host__ __device__ device_ptr operator+(size_t n) const { return device_ptr(p + n); }
  __host__ __device__ T &operator*() const { return *p; }
};

template <class T> struct Filled {
  T *p;
  __device__ void operator()(size_t i) const { p[i] = T(); }
};

template <class T> struct device_vector {
  size_t n;
  T *p;
  explicit device_vector(size_t n) : n(n), p() {
    cub::static_kernel<cub::LoopPolicies>
        <<<cub::hiddenSize(), cub::hiddenSize()>>>(n, Filled<T>{p});
  }
  device_vector(const device_vector &v) : n(v.n), p() {
    cub::static_kernel<cub::LoopPolicies>
        <<<cub::hiddenSize(), cub::hiddenSize()>>>(n, Filled<T>{v.p});
  }
  device_ptr<T> begin() { return device_ptr<T>(p); }
  device_ptr<T> end() { return device_ptr<T>(p + n); }
};

template <class It, class Op> struct Applied {
  It first;
  Op op;
  __device__ void operator()(size_t i) const { op(*(first.p + i)); }
};

template <class It, class Op> void for_each(It first, It last, Op op) {
  cub::static_kernel<cub::LoopPolicies><<<cub::hiddenSize(), cub::hiddenSize()>>>(
      (size_t)0, Applied<It, Op>{first, op});
}

} // namespace thrust
