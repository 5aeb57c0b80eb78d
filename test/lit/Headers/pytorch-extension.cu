// An extension of PyTorch compiles against the headers that stand for PyTorch's where
// it is executed without it (cuda-headers/pytorch-run): device and host code, packed
// accessors, checks, dispatch by type, a module with functions.
//
// RUN: %clang_cuda_device -std=c++17 -I%source/cuda-headers/pytorch-run %s | FileCheck %s
// RUN: %clang_cuda_host -std=c++17 -I%source/cuda-headers/pytorch-run %s
//
// CHECK: define {{.*}} void @_Z5scale
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

template <class T>
__global__ void rows(at::PackedTensorAccessor32<T, 2, at::RestrictPtrTraits> x) {
  x[blockIdx.x][threadIdx.x] *= 2;
}

__global__ void scale(const float *x, float *y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = by * x[i];
}

std::vector<torch::Tensor> run(torch::Tensor x, double by, std::optional<torch::Tensor> out,
                               std::vector<int64_t> shape, bool twice) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 2, "x has ", x.dim(), " dimensions");
  const at::cuda::CUDAGuard guard(x.device());
  auto y = out ? *out : torch::zeros(shape, x.options().dtype(torch::kFloat32));
  scale<<<1, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.contiguous().data_ptr<float>(), y.data_ptr<float>(), by, x.numel());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "rows", [&] {
    rows<scalar_t><<<x.size(0), x.size(1)>>>(
        x.packed_accessor32<scalar_t, 2, at::RestrictPtrTraits>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {y, twice ? y * 2 : y.view({-1})};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("run", &run, "scales", py::arg("x"), py::arg("by") = 1.0);
}
