/// \file
/// Warp matrix functions: `nvcuda::wmma`.
///
/// Every function is clang's builtin for the hardware instruction, so that the
/// code has `llvm.nvvm.wmma.*` intrinsics. A fragment holds what one thread of
/// the warp holds; its element count follows from the registers that the
/// instruction takes (wmma_shapes.h). Layouts: 0 is row-major, 1 column-major.

#ifndef GPU_ESTIMATE_CUDA_WMMA_H
#define GPU_ESTIMATE_CUDA_WMMA_H

#include "bfloat16.h"
#include "half.h"

namespace nvcuda {
namespace wmma {

struct row_major {
  enum { Index = 0 };
};
struct col_major {
  enum { Index = 1 };
};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
/// TensorFloat-32: stored as a float, computed with a 10-bit mantissa.
struct tf32 {};
} // namespace precision

/// The C++ type that a fragment's elements have.
template <class T> struct storage_element_type {
  typedef T type;
};
template <> struct storage_element_type<precision::tf32> {
  typedef float type;
};

/// Elements of one thread's part of a matrix.
template <class Use, int M, int N, int K, class T> struct fragment_elements;

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
public:
  typedef typename storage_element_type<T>::type element_type;
  typedef element_type storage_element_type;
  enum {
    num_elements = fragment_elements<Use, M, N, K, T>::count,
    num_storage_elements = num_elements
  };
  element_type x[num_elements];
};

/// The builtins of one shape and type, as static functions.
template <class Use, int M, int N, int K, class T> struct Memory;
template <int M, int N, int K, class A, class D, class C> struct Multiply;

#include "wmma_shapes.h"

template <class Use, int M, int N, int K, class T, class Layout, class Value>
GPU_ESTIMATE_DEVICE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
                                       const Value &value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = value;
}

template <class Use, int M, int N, int K, class T, class Layout, class Element>
GPU_ESTIMATE_DEVICE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                                          const Element *p,
                                          unsigned int leading) {
  if constexpr (Layout::Index == 0)
    Memory<Use, M, N, K, T>::template load<0>(&f.x, p, leading);
  else
    Memory<Use, M, N, K, T>::template load<1>(&f.x, p, leading);
}

template <int M, int N, int K, class T>
GPU_ESTIMATE_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
                                          const T *p, unsigned int leading,
                                          layout_t layout) {
  if (layout == mem_row_major)
    Memory<accumulator, M, N, K, T>::template load<0>(&f.x, p, leading);
  else
    Memory<accumulator, M, N, K, T>::template load<1>(&f.x, p, leading);
}

template <int M, int N, int K, class T>
GPU_ESTIMATE_DEVICE void
store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,
                  unsigned int leading, layout_t layout) {
  if (layout == mem_row_major)
    Memory<accumulator, M, N, K, T>::template store<0>(p, &f.x, leading);
  else
    Memory<accumulator, M, N, K, T>::template store<1>(p, &f.x, leading);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D,
          class C>
GPU_ESTIMATE_DEVICE void
mma_sync(fragment<accumulator, M, N, K, D> &d,
         const fragment<matrix_a, M, N, K, T, LayoutA> &a,
         const fragment<matrix_b, M, N, K, T, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool = false) {
  Multiply<M, N, K, T, D, C>::template run<2 * LayoutA::Index + LayoutB::Index>(
      &d.x, &a.x, &b.x, &c.x);
}

GPU_ESTIMATE_DEVICE float __float_to_tf32(float a) {
  return __builtin_bit_cast(float, __nvvm_f2tf32_rna(a));
}

} // namespace wmma
} // namespace nvcuda

#endif
