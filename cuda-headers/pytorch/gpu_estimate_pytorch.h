// What CUDA extensions of PyTorch commonly use of its C++ interface, without
// PyTorch. Searched after all other folders, so that an installed PyTorch is
// preferred. Nothing here can be linked.
#ifndef GPU_ESTIMATE_PYTORCH_H
#define GPU_ESTIMATE_PYTORCH_H

#include "gpu_estimate_pytorch/accessors.h"
#include "gpu_estimate_pytorch/cuda.h"
#include "gpu_estimate_pytorch/dispatch.h"
#include "gpu_estimate_pytorch/macros.h"
#include "gpu_estimate_pytorch/narrow_types.h"
#include "gpu_estimate_pytorch/python.h"
#include "gpu_estimate_pytorch/scalar_types.h"
#include "gpu_estimate_pytorch/tensor.h"

// PyTorch's headers include these, and extensions rely on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace torch {
using namespace at;
using Dtype = at::ScalarType;
inline TensorOptions dtype(ScalarType T) { return TensorOptions().dtype(T); }
inline TensorOptions device(Device D) { return TensorOptions().device(D); }
inline TensorOptions requires_grad(bool B = true) {
  return TensorOptions().requires_grad(B);
}
namespace cuda {
using namespace at::cuda;
} // namespace cuda
namespace autograd {
inline void increment_version(const at::Tensor &) {}
} // namespace autograd
namespace nn::functional {
struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t>) {}
};
at::Tensor pad(const at::Tensor &, PadFuncOptions);
} // namespace nn::functional
} // namespace torch

#endif
