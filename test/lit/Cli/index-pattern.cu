// What a user knows of indices: without it any element, 32 sectors a request.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --check-prefix=ANY
// ANY: index-pattern.cu:28 global load data * 32.8 K 32 4
// ANY: or --assume 'access@gather:index[i]=sequential'

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume access@index-pattern.cu:28=sequential \
// RUN:   | FileCheck %s --check-prefix=SEQUENTIAL
// SEQUENTIAL: index-pattern.cu:28 global load data 32.8 K 4 4
// SEQUENTIAL: taken as sequential, as --assume says

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume access@index-pattern.cu:28=stride:2 \
// RUN:   | FileCheck %s --check-prefix=STRIDE
// STRIDE: index-pattern.cu:28 global load data 32.8 K 8 4

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume access@index-pattern.cu:28=constant \
// RUN:   | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: index-pattern.cu:28 global load data 32.8 K 1 4

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume access@index-pattern.cu:1=constant 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: --assume access@index-pattern.cu:1=constant: no analysed kernel reads an index there
__global__ void gather(const float *data, const int *index, float *out) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = data[index[i]];
}

void host(float *data, int *index, float *out) {
  gather<<<4096, 256>>>(data, index, out);
}

// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume access@index-pattern.cu:28=sorted 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: expected access@PLACE=sequential, random, constant or stride:K, got 'access@index-pattern.cu:28=sorted'
