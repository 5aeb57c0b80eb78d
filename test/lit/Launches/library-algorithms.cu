// Kernels of CUB and Thrust have the blocks that their policies make of the
// number of items in the user's call, and the launches of their passes.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie -- -I%S/Inputs \
// RUN:   | FileCheck %s --implicit-check-not=DeviceRadixSortSingleTileKernel
// A tile of 128 threads with 8 items: 2048 tiles, and a thread for each of them.
// CHECK-DAG: 'cub::DeviceScanKernel<{{.*}}' takes {{.*}}(grid 2048, block 128 from host-code)
// CHECK-DAG: 'cub::DeviceScanInitKernel<int>' takes {{.*}}(grid 16, block 128 from host-code)
// At most 5 times the blocks that are resident on 108 multiprocessors.
// CHECK-DAG: 'cub::DeviceReduceKernel<{{.*}}' takes {{.*}}(grid 4320, block 256 from host-code)
// CHECK-DAG: 'cub::DeviceReduceSingleTileKernel<{{.*}}' takes {{.*}}(grid 1, block 256 from host-code)
// 500 items are reduced by a single block, and 12 bits sorted in two passes.
// CHECK-DAG: 'cub::DeviceRadixSortOnesweepKernel<{{.*}}' takes {{.*}}(grid 171, block 384 from host-code)
// CHECK-DAG: 'cub::DeviceRadixSortHistogramKernel<{{.*}}' takes {{.*}}(grid 1728, block 128 from host-code)
// The kernels count the digits of these bits.
// CHECK-DAG: arguments {{.*}}end_bit = 12, {{.*}}start_bit = 0
// The distance of two iterators.
// CHECK-DAG: 'cub::static_kernel<{{.*}}Applied<{{.*}}' takes {{.*}}(grid 2930, block 256 from host-code)
// CHECK-DAG: 'cub::static_kernel<{{.*}}Applied<{{.*}}' takes {{.*}}(grid 196, block 256 from host-code)
// An object is filled when it is made.
// CHECK-DAG: 'cub::static_kernel<{{.*}}Filled<{{.*}}' takes {{.*}}(grid 2930, block 256 from host-code)
// A number that nothing tells is the size of a table.
// CHECK-DAG: 'cub::DeviceScanKernel<{{.*}}' has no time {{.*}} without many;

// The remark of a call counts the launches of all passes. It has no time where
// one of them has none.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics -- -I%S/Inputs 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: 'cub::DeviceScan::InclusiveSum' leads to 3 kernels of system headers, whose launches are not known here
// REMARK: remark: 'cub::DeviceReduce::Sum' takes {{.*}} in 2 launches of 2 kernels of system headers
// REMARK: remark: 'cub::DeviceRadixSort::SortKeys' takes {{.*}} in 3 launches of 2 kernels of system headers
// REMARK: remark: 'thrust::for_each' takes {{.*}} in 2 launches of 1 kernel of system headers

#include "algorithms.h"

struct Twice {
  __device__ void operator()(float &x) const { x *= 2; }
};

void scan(float *in, float *out) {
  void *storage = nullptr;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, 2 << 20);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, 2 << 20);
}

void scanMany(double *in, double *out, void *storage, size_t bytes, int many) {
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, many);
}

void reduce(float *in, float *out, void *storage, size_t bytes) {
  cub::DeviceReduce::Sum(storage, bytes, in, out, 100000000);
}

void sort(unsigned *in, unsigned *out, void *storage, size_t bytes) {
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, 1 << 20, 0, 12);
}

void visit(float *data) {
  thrust::device_vector<float> values(1500000);
  thrust::for_each(values.begin(), values.end(), Twice());
  thrust::device_ptr<float> first(data);
  thrust::for_each(first, first + 100000, Twice());
}
