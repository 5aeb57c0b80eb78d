// Pointers read from memory: lanes that follow pointers of their own are not
// coalesced, and fields of one object are fetched once.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --check-prefix=ANY
// ANY: pointers.cu:{{[0-9]+}} global load nodes 32.8 K 8 8 0%
// ANY: pointers.cu:{{[0-9]+}} global load *nodes * 32.8 K 32 4 {{.*}} MB
// ANY: pointers.cu:{{[0-9]+}} global load *nodes * 32.8 K 32 4 100%
// ANY: or --assume 'access@table:nodes[i]=sequential'

// What the user knows of them: objects of 16 bytes in a row.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --assume 'access@table:nodes[i]=sequential' \
// RUN:   | FileCheck %s --check-prefix=SEQUENTIAL
// SEQUENTIAL: global load *nodes 32.8 K 16 4
struct Node {
  float x, y, z, w;
};

__global__ void table(const Node *const *nodes, float *out) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = nodes[i]->x + nodes[i]->w;
}

void host(const Node *const *nodes, float *out) {
  table<<<4096, 256>>>(nodes, out);
}
