// Extensions of PyTorch are analysed without PyTorch: 16-bit types that compute in
// float, accessors, dispatch over types, streams, bindings.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK-DAG: 'scaleAll<c10::Half>' takes {{.*}} (grid 16, block 128 from host-code)
// CHECK-DAG: 'scaleAll<c10::BFloat16>' takes {{.*}} (grid 32, block 128 from host-code)
// CHECK-DAG: 'scaleAll<float>' takes {{.*}} (grid 64, block 256 from host-code)
// CHECK-DAG: 'addToRows' takes {{.*}} (grid 4, block 32 from host-code)
// CHECK-NOT: unresolved

#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

template <typename T> __global__ void scaleAll(T *x, int n) {
  using Sum = at::acc_type<T, true>;
  static_assert(sizeof(Sum) == 4);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Sum value = x[i];
    x[i] = value * static_cast<Sum>(2) + static_cast<Sum>(x[i]);
    x[i] += T(1);
    gpuAtomicAdd(x, static_cast<T>(x[i] * 0.5f));
  }
}

__global__ void addToRows(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> rows,
                          const at::TensorAccessor<float, 1> *) {
  rows[blockIdx.x][threadIdx.x] += rows.size(0);
}

torch::Tensor scale(torch::Tensor x, c10::optional<at::Tensor> out) {
  TORCH_CHECK(x.dtype() == torch::kHalf || x.is_contiguous(), "not contiguous: ", x.sizes());
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty({x.size(0), 4}, x.options().dtype(torch::kFloat32));
  auto z = at::zeros_like(x, at::MemoryFormat::Contiguous == x.suggest_memory_format() ? x.options() : y.options());
  auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "scale", [&] {
    scaleAll<scalar_t><<<64, 256, 0, stream>>>(x.data_ptr<scalar_t>(), 16384);
  });
  AT_DISPATCH_SWITCH(x.scalar_type(), "scale",
    AT_DISPATCH_CASE(at::ScalarType::Half, [&] {
      scaleAll<scalar_t><<<16, 128, 0, stream.stream()>>>(x.data_ptr<scalar_t>(), 2048);
    })
    AT_DISPATCH_CASE(at::ScalarType::BFloat16, [&] {
      scaleAll<scalar_t><<<32, 128>>>(x.data_ptr<scalar_t>(), 4096);
    }));
  addToRows<<<4, 32>>>(y.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), nullptr);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out.has_value() ? out.value() : z;
}

TORCH_LIBRARY(scaling, m) {
  m.def("scale(Tensor x, Tensor? out) -> Tensor");
  m.impl("scale", torch::kCUDA, &scale);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale, "doubles", py::arg("x"), py::arg("out") = nullptr);
}
