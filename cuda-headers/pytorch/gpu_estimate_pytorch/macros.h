// Macros of c10 and of PyTorch's checks.
#ifndef GPU_ESTIMATE_PYTORCH_MACROS_H
#define GPU_ESTIMATE_PYTORCH_MACROS_H

#include <cuda_runtime.h>

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_NOINLINE __attribute__((noinline))
#define C10_RESTRICT __restrict__
#define C10_UNUSED [[maybe_unused]]
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(CONDITION) (__builtin_expect(static_cast<bool>(CONDITION), 1))
#define C10_UNLIKELY(CONDITION)                                                \
  (__builtin_expect(static_cast<bool>(CONDITION), 0))
#define C10_WARP_SIZE 32
#define C10_API
#define C10_EXPORT
#define TORCH_API
#define C10_MAX_THREADS_PER_BLOCK(THREADS) (THREADS)
#define C10_MIN_BLOCKS_PER_SM(THREADS, BLOCKS) (BLOCKS)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(THREADS) __launch_bounds__((THREADS))
#define C10_LAUNCH_BOUNDS_2(THREADS, BLOCKS)                                   \
  __launch_bounds__((THREADS), (BLOCKS))

#define TORCH_CHECK(CONDITION, ...) ((void)(CONDITION))
#define TORCH_CHECK_ARG(CONDITION, ...) ((void)(CONDITION))
#define TORCH_CHECK_NOT_IMPLEMENTED(CONDITION, ...) ((void)(CONDITION))
#define TORCH_CHECK_VALUE(CONDITION, ...) ((void)(CONDITION))
#define TORCH_CHECK_EQ(A, B) ((void)((A) == (B)))
#define TORCH_CHECK_NE(A, B) ((void)((A) != (B)))
#define TORCH_CHECK_LT(A, B) ((void)((A) < (B)))
#define TORCH_CHECK_LE(A, B) ((void)((A) <= (B)))
#define TORCH_CHECK_GT(A, B) ((void)((A) > (B)))
#define TORCH_CHECK_GE(A, B) ((void)((A) >= (B)))
#define TORCH_INTERNAL_ASSERT(CONDITION, ...) ((void)(CONDITION))
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(CONDITION, ...) ((void)(CONDITION))
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_ASSERTM(CONDITION, ...) ((void)(CONDITION))
#define AT_ASSERT(CONDITION, ...) ((void)(CONDITION))
#define AT_ERROR(...) ((void)0)
#define AT_CUDA_CHECK(CALL) ((void)(CALL))
#define AT_CUDA_DRIVER_CHECK(CALL) ((void)(CALL))
#define TORCH_CUDABLAS_CHECK(CALL) ((void)(CALL))
#define TORCH_CUSPARSE_CHECK(CALL) ((void)(CALL))
#define C10_CUDA_CHECK(CALL) ((void)(CALL))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)cudaGetLastError())
#define TORCH_DSA_KERNEL_ARGS
#define CUDA_KERNEL_LOOP_TYPE(I, COUNT, INDEX)                                 \
  for (INDEX I = blockIdx.x * static_cast<INDEX>(blockDim.x) + threadIdx.x;    \
       I < (COUNT); I += static_cast<INDEX>(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(I, COUNT) CUDA_KERNEL_LOOP_TYPE(I, COUNT, int)

#endif
