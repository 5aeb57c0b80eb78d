// What the source files of this dataset share.
#ifndef RAJAPERF_SIZES_H
#define RAJAPERF_SIZES_H

// 64-bit signed, as the suite's index type.
typedef long Index;

// The four block sizes that were measured.
#define FOR_BLOCK_SIZES(KERNEL)                                                \
  template __global__ decltype(KERNEL<128>) KERNEL<128>;                       \
  template __global__ decltype(KERNEL<256>) KERNEL<256>;                       \
  template __global__ decltype(KERNEL<512>) KERNEL<512>;                       \
  template __global__ decltype(KERNEL<1024>) KERNEL<1024>;

#endif
