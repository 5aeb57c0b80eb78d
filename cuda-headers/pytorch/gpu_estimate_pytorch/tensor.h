// Tensors of unknown sizes.
#ifndef GPU_ESTIMATE_PYTORCH_TENSOR_H
#define GPU_ESTIMATE_PYTORCH_TENSOR_H

#include "accessors.h"
#include "scalar_types.h"

#include <functional>
#include <tuple>
#include <utility>

namespace at {

namespace indexing {
enum class EllipsisIndexType { Ellipsis };
constexpr auto Ellipsis = EllipsisIndexType::Ellipsis;
constexpr auto None = std::nullopt;
struct Slice {
  Slice(std::optional<int64_t> = {}, std::optional<int64_t> = {},
        std::optional<int64_t> = {}) {}
};
} // namespace indexing

class Tensor;
struct TensorIndex {
  TensorIndex(int64_t);
  TensorIndex(std::nullopt_t);
  TensorIndex(indexing::Slice);
  TensorIndex(indexing::EllipsisIndexType);
  TensorIndex(const Tensor &);
};

class Tensor {
public:
  int64_t size(int64_t) const;
  int64_t stride(int64_t) const;
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t numel() const;
  int64_t element_size() const;
  int64_t itemsize() const;
  int64_t nbytes() const;
  int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  ScalarType type() const;
  Device device() const;
  int64_t get_device() const;
  TensorOptions options() const;
  MemoryFormat suggest_memory_format() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  bool is_floating_point() const;
  bool is_sparse() const;
  bool defined() const;
  bool has_value() const;
  bool requires_grad() const;
  bool is_same(const Tensor &) const;
  template <typename T> T *data_ptr() const;
  template <typename T> const T *const_data_ptr() const;
  template <typename T> T *mutable_data_ptr() const;
  template <typename T> T *data() const;
  void *data_ptr() const;
  const void *const_data_ptr() const;
  void *mutable_data_ptr() const;
  template <typename T> T item() const;
  Scalar item() const;
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits,
            typename Index = int64_t>
  PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits,
            typename Index = int64_t>
  PackedTensorAccessor<T, N, Traits, Index> generic_packed_accessor() const;

  Tensor operator[](int64_t) const;
  Tensor operator[](const Tensor &) const;
  Tensor operator-() const;
  Tensor &operator+=(const Tensor &);
  Tensor &operator-=(const Tensor &);
  Tensor &operator*=(const Tensor &);
  Tensor &operator/=(const Tensor &);
  Tensor &operator*=(Scalar);
  Tensor &operator/=(Scalar);
  Tensor index(std::initializer_list<TensorIndex>) const;
  Tensor &index_put_(std::initializer_list<TensorIndex>, const Tensor &);
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor clone(std::optional<MemoryFormat> = {}) const;
  Tensor detach() const;
  Tensor alias() const;
  Tensor flatten(int64_t = 0, int64_t = -1) const;
  Tensor view(IntArrayRef) const;
  Tensor view(ScalarType) const;
  Tensor view_as(const Tensor &) const;
  Tensor reshape(IntArrayRef) const;
  Tensor expand(IntArrayRef, bool = false) const;
  Tensor permute(IntArrayRef) const;
  Tensor transpose(int64_t, int64_t) const;
  Tensor t() const;
  Tensor to(ScalarType, bool = false, bool = false) const;
  Tensor to(Device, bool = false) const;
  Tensor to(DeviceType, bool = false) const;
  Tensor to(Device, ScalarType, bool = false) const;
  Tensor to(TensorOptions, bool = false) const;
  Tensor to(const Tensor &) const;
  Tensor toType(ScalarType) const;
  Tensor type_as(const Tensor &) const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor sum() const;
  Tensor sum(IntArrayRef, bool = false) const;
  Tensor mean() const;
  Tensor max() const;
  Tensor min() const;
  Tensor abs() const;
  Tensor sqrt() const;
  Tensor pow(Scalar) const;
  Tensor cumsum(int64_t) const;
  Tensor norm() const;
  Tensor argsort(int64_t = -1, bool = false) const;
  std::tuple<Tensor, Tensor> sort(int64_t = -1, bool = false) const;
  std::tuple<Tensor, Tensor> sort(std::optional<bool>, int64_t, bool) const;
  std::tuple<Tensor, Tensor> topk(int64_t, int64_t = -1, bool = true,
                                  bool = true) const;
  Tensor unsqueeze(int64_t) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t) const;
  Tensor select(int64_t, int64_t) const;
  Tensor slice(int64_t = 0, std::optional<int64_t> = {},
               std::optional<int64_t> = {}, int64_t = 1) const;
  Tensor narrow(int64_t, int64_t, int64_t) const;
  Tensor index_select(int64_t, const Tensor &) const;
  Tensor masked_select(const Tensor &) const;
  Tensor nonzero() const;
  Tensor eq(Scalar) const;
  Tensor matmul(const Tensor &) const;
  Tensor mm(const Tensor &) const;
  Tensor bmm(const Tensor &) const;
  Tensor add(const Tensor &) const;
  Tensor mul(const Tensor &) const;
  Tensor div(Scalar) const;
  Tensor new_empty(IntArrayRef, TensorOptions = {}) const;
  Tensor new_zeros(IntArrayRef, TensorOptions = {}) const;
  Tensor &zero_();
  const Tensor &zero_() const;
  Tensor &fill_(Scalar);
  const Tensor &fill_(Scalar) const;
  Tensor &copy_(const Tensor &, bool = false);
  const Tensor &copy_(const Tensor &, bool = false) const;
  Tensor &add_(const Tensor &);
  Tensor &mul_(const Tensor &);
  Tensor &mul_(Scalar);
  Tensor &div_(Scalar);
  Tensor &resize_(IntArrayRef);
  const Tensor &resize_(IntArrayRef) const;
  Tensor &set_requires_grad(bool);
  Tensor &unsqueeze_(int64_t);
  void reset();
};
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator/(const Tensor &, const Tensor &);
Tensor operator+(const Tensor &, Scalar);
Tensor operator-(const Tensor &, Scalar);
Tensor operator*(const Tensor &, Scalar);
Tensor operator/(const Tensor &, Scalar);
Tensor operator*(Scalar, const Tensor &);
std::ostream &operator<<(std::ostream &, const Tensor &);
using TensorList = ArrayRef<Tensor>;

Tensor empty(IntArrayRef, TensorOptions = {}, std::optional<MemoryFormat> = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor rand(IntArrayRef, TensorOptions = {});
Tensor randn(IntArrayRef, TensorOptions = {});
Tensor full(IntArrayRef, Scalar, TensorOptions = {});
Tensor arange(Scalar, TensorOptions = {});
Tensor arange(Scalar, Scalar, TensorOptions = {});
Tensor tensor(std::initializer_list<double>, TensorOptions = {});
Tensor tensor(const std::vector<int64_t> &, TensorOptions = {});
Tensor tensor(const std::vector<int> &, TensorOptions = {});
Tensor empty_like(const Tensor &, TensorOptions = {},
                  std::optional<MemoryFormat> = {});
Tensor zeros_like(const Tensor &, TensorOptions = {},
                  std::optional<MemoryFormat> = {});
Tensor ones_like(const Tensor &, TensorOptions = {});
Tensor full_like(const Tensor &, Scalar, TensorOptions = {});
Tensor empty_strided(IntArrayRef, IntArrayRef, TensorOptions = {});
Tensor from_blob(void *, IntArrayRef, TensorOptions = {});
Tensor from_blob(void *, IntArrayRef, const std::function<void(void *)> &,
                 TensorOptions = {});
Tensor cat(TensorList, int64_t = 0);
Tensor stack(TensorList, int64_t = 0);
Tensor pad(const Tensor &, IntArrayRef);
Tensor matmul(const Tensor &, const Tensor &);
Tensor mm(const Tensor &, const Tensor &);
Tensor bmm(const Tensor &, const Tensor &);
Tensor addmm(const Tensor &, const Tensor &, const Tensor &);
Tensor where(const Tensor &, const Tensor &, const Tensor &);
Tensor sum(const Tensor &);
Tensor sum(const Tensor &, IntArrayRef, bool = false);
Tensor mean(const Tensor &, IntArrayRef, bool = false);
Tensor max(const Tensor &);
std::tuple<Tensor, Tensor> max(const Tensor &, int64_t, bool = false);
Tensor min(const Tensor &);
Tensor abs(const Tensor &);
Tensor sqrt(const Tensor &);
Tensor cumsum(const Tensor &, int64_t, std::optional<ScalarType> = {});
Tensor &cumsum_out(Tensor &, const Tensor &, int64_t,
                   std::optional<ScalarType> = {});
std::tuple<Tensor, Tensor> sort(const Tensor &, int64_t = -1, bool = false);
int64_t numel(const Tensor &);
bool allclose(const Tensor &, const Tensor &, double = 1e-5, double = 1e-8);

struct NoGradGuard {};
struct AutoDispatchBelowADInplaceOrView {};

// Arguments with names, for checks.
struct TensorArg {
  TensorArg(const Tensor &, const char *, int) {}
  const Tensor *operator->() const;
};
using CheckedFrom = const char *;
void checkAllSameGPU(CheckedFrom, ArrayRef<TensorArg>);
void checkAllSameType(CheckedFrom, ArrayRef<TensorArg>);
void checkAllSameSize(CheckedFrom, ArrayRef<TensorArg>);
void checkSameGPU(CheckedFrom, const TensorArg &, const TensorArg &);
void checkSameType(CheckedFrom, const TensorArg &, const TensorArg &);
void checkContiguous(CheckedFrom, const TensorArg &);

class Context {
public:
  void alertNotDeterministic(const char *) const;
  bool deterministicAlgorithms() const;
  bool allowTF32CuBLAS() const;
};
Context &globalContext();

} // namespace at

#endif
