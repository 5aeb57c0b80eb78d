// nvcc and its host compilers do without 'template' before a member template of a
// dependent type.
// RUN: %analyze %s --gpu nvidia-h100-sxm -- -std=c++17 | FileCheck %s

// CHECK: 'store<Traits>' takes
// CHECK-NOT: unresolved
struct Traits {
  template <typename T> using rebind = T;
};

template <typename T> struct Box {
  using Item = typename T::rebind<int>;
  Item item;
};

template <typename T> __global__ void store(Box<T> box, float *p) {
  p[threadIdx.x] = box.item;
}

int main() {
  float *p;
  cudaMalloc(&p, 1024);
  store<Traits><<<1, 256>>>({3}, p);
}
