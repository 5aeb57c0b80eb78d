// A library of templates whose functions launch kernels, as Thrust is made.
#pragma once
#pragma GCC system_header

namespace library {
inline namespace version_2 {
namespace detail {

// Nobody calls it.
__global__ inline void emptyKernel() {}

template <class T> __global__ void fillKernel(T *p, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[32 * i] = value;
}

template <class T> __global__ void scanKernel(T *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += p[n - i];
}

// The kernel is passed on as a pointer.
template <class Kernel, class... Arguments>
void launch(Kernel kernel, int n, Arguments... arguments) {
  kernel<<<(n + 255) / 256, 256>>>(arguments...);
}

template <class T> struct Scan {
  static void run(T *p, int n) {
    launch(fillKernel<T>, n, p, T(), n);
    launch(scanKernel<T>, n, p, n);
  }
};

} // namespace detail

template <class T> class array {
public:
  explicit array(int n) : size(n) {
    detail::launch(detail::fillKernel<T>, n, data, T(), n);
  }
  T *data = nullptr;
  int size;
};

template <class T> void scan(array<T> &a) {
  detail::Scan<T>::run(a.data, a.size);
}

} // namespace version_2
} // namespace library
