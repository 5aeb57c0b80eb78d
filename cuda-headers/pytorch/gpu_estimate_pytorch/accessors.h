// Views of a tensor in kernels: a pointer with sizes and strides.
#ifndef GPU_ESTIMATE_PYTORCH_ACCESSORS_H
#define GPU_ESTIMATE_PYTORCH_ACCESSORS_H

#include "macros.h"

#include <cstddef>
#include <cstdint>

namespace at {

template <typename T> struct RestrictPtrTraits {
  typedef T *__restrict__ PtrType;
};
template <typename T> struct DefaultPtrTraits {
  typedef T *PtrType;
};

// The elements with the first indices fixed.
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
struct TensorAccessor {
  typedef typename Traits<T>::PtrType PtrType;
  PtrType data_;
  const Index *sizes_, *strides_;
  C10_HOST_DEVICE TensorAccessor(PtrType Data, const Index *Sizes,
                                 const Index *Strides)
      : data_(Data), sizes_(Sizes), strides_(Strides) {}
  C10_HOST_DEVICE TensorAccessor<T, N - 1, Traits, Index>
  operator[](Index I) const {
    return {data_ + strides_[0] * I, sizes_ + 1, strides_ + 1};
  }
  C10_HOST_DEVICE Index size(Index I) const { return sizes_[I]; }
  C10_HOST_DEVICE Index stride(Index I) const { return strides_[I]; }
  C10_HOST_DEVICE PtrType data() const { return data_; }
};
template <typename T, template <typename> class Traits, typename Index>
struct TensorAccessor<T, 1, Traits, Index> {
  typedef typename Traits<T>::PtrType PtrType;
  PtrType data_;
  const Index *sizes_, *strides_;
  C10_HOST_DEVICE TensorAccessor(PtrType Data, const Index *Sizes,
                                 const Index *Strides)
      : data_(Data), sizes_(Sizes), strides_(Strides) {}
  C10_HOST_DEVICE T &operator[](Index I) const { return data_[strides_[0] * I]; }
  C10_HOST_DEVICE Index size(Index I) const { return sizes_[I]; }
  C10_HOST_DEVICE Index stride(Index I) const { return strides_[I]; }
  C10_HOST_DEVICE PtrType data() const { return data_; }
};

// A whole tensor, passed to a kernel by value.
template <typename T, size_t N, template <typename> class Traits,
          typename Index>
struct PackedTensorAccessorBase {
  typedef typename Traits<T>::PtrType PtrType;
  PtrType data_;
  Index sizes_[N], strides_[N];
  C10_HOST_DEVICE Index size(Index I) const { return sizes_[I]; }
  C10_HOST_DEVICE Index stride(Index I) const { return strides_[I]; }
  C10_HOST_DEVICE PtrType data() const { return data_; }
};
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
struct GenericPackedTensorAccessor
    : PackedTensorAccessorBase<T, N, Traits, Index> {
  C10_HOST_DEVICE TensorAccessor<T, N - 1, Traits, Index>
  operator[](Index I) const {
    return {this->data_ + this->strides_[0] * I, this->sizes_ + 1,
            this->strides_ + 1};
  }
};
template <typename T, template <typename> class Traits, typename Index>
struct GenericPackedTensorAccessor<T, 1, Traits, Index>
    : PackedTensorAccessorBase<T, 1, Traits, Index> {
  C10_HOST_DEVICE T &operator[](Index I) const {
    return this->data_[this->strides_[0] * I];
  }
};
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 =
    GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, int64_t>;
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

} // namespace at

#endif
