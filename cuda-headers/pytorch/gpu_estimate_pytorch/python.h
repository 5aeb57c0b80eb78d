// How functions are given to Python.
#ifndef GPU_ESTIMATE_PYTORCH_PYTHON_H
#define GPU_ESTIMATE_PYTORCH_PYTHON_H

#include "scalar_types.h"

namespace pybind11 {
struct arg {
  explicit arg(const char *) {}
  template <typename T> arg &operator=(T &&) { return *this; }
};
struct object {};
struct gil_scoped_release {};
template <typename...> struct call_guard {};
template <typename... Ts> struct init {};
template <typename T, typename... Ts> struct class_ {
  template <typename... Us> class_(Us &&...) {}
  template <typename... Us> class_ &def(Us &&...) { return *this; }
  template <typename... Us> class_ &def_readwrite(Us &&...) { return *this; }
  template <typename... Us> class_ &def_readonly(Us &&...) { return *this; }
};
struct module_ {
  template <typename... Ts> module_ &def(Ts &&...) { return *this; }
  const char *doc();
};
} // namespace pybind11
namespace py = pybind11;

namespace torch {
struct Library {
  template <typename... Ts> Library &def(Ts &&...) { return *this; }
  template <typename... Ts> Library &impl(Ts &&...) { return *this; }
};
} // namespace torch

#define GPU_ESTIMATE_PYTORCH_JOIN(A, B) A##B
#define GPU_ESTIMATE_PYTORCH_NAME(A, B) GPU_ESTIMATE_PYTORCH_JOIN(A, B)
#define GPU_ESTIMATE_PYTORCH_LIBRARY(VARIABLE)                                 \
  [[maybe_unused]] static void GPU_ESTIMATE_PYTORCH_NAME(                      \
      gpuEstimateLibrary, __COUNTER__)(torch::Library & VARIABLE)
#define TORCH_LIBRARY(NAMESPACE, VARIABLE) GPU_ESTIMATE_PYTORCH_LIBRARY(VARIABLE)
#define TORCH_LIBRARY_FRAGMENT(NAMESPACE, VARIABLE)                            \
  GPU_ESTIMATE_PYTORCH_LIBRARY(VARIABLE)
#define TORCH_LIBRARY_IMPL(NAMESPACE, KEY, VARIABLE)                           \
  GPU_ESTIMATE_PYTORCH_LIBRARY(VARIABLE)
#define TORCH_FN(FUNCTION) FUNCTION
#define TORCH_SELECTIVE_NAME(NAME) NAME
#define PYBIND11_MODULE(NAME, VARIABLE)                                        \
  [[maybe_unused]] static void gpuEstimateModule(pybind11::module_ &VARIABLE)
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME extension
#endif

#endif
