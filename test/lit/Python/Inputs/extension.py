"""Kernels in strings, as PyTorch, CuPy and PyCUDA take them. __global__ in a
docstring is no kernel."""
import cupy as cp
import pycuda.compiler
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <torch/extension.h>

__global__ void relu(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[(i * 32) % n] > 0 ? x[(i * 32) % n] : 0.f;
}

torch::Tensor relu_forward(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be on the GPU");
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
module = load_inline(name="relu", cpp_sources="torch::Tensor relu_forward(torch::Tensor x);",
                     cuda_sources=cuda_source, functions=["relu_forward"])

# Escape sequences, and a constant in three parts.
scale = cp.RawKernel('extern "C" __global__\n'
                     'void scale(float *x, float a) {\n\tint i = blockIdx.x * blockDim.x '
                     + "+ threadIdx.x;\n"  # the rest
                     "  x[i * 33] *= a;\n}\n", 'scale')

# Two launches of another parameter list under the same name: sources of their own.
other = pycuda.compiler.SourceModule("""
__global__ void relu(double *x) { x[blockIdx.x * 256 + threadIdx.x] += 1.0; }
""")
TILE = 16
computed = cp.RawModule(code=f"__global__ void tile(float *x) {{ x[{TILE}] = 1; }}")
broken = cp.RawModule(code='''
__global__ void broken(float *x) {
  x[0] = undeclared;
}
''')
