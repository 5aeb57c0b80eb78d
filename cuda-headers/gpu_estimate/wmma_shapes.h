/// \file
/// The shapes and types of wmma.h: which builtin serves each, how many elements
/// a thread holds. Deliberately without a guard: the data of that one header.

#define GPU_ESTIMATE_ELEMENTS(Use, M, N, K, T, n)                              \
  template <> struct fragment_elements<Use, M, N, K, T> {                      \
    enum { count = n };                                                        \
  };

/// Loads of an operand matrix; R is the register type of the builtin.
#define GPU_ESTIMATE_OPERAND(Use, M, N, K, T, n, R, builtin)                   \
  GPU_ESTIMATE_ELEMENTS(Use, M, N, K, T, n)                                    \
  template <> struct Memory<Use, M, N, K, T> {                                 \
    template <int Layout>                                                      \
    static __device__ void load(void *f, const void *p, unsigned int ldm) {    \
      builtin((R *)f, (const R *)p, ldm, Layout);                              \
    }                                                                          \
  };

/// Loads and stores of an accumulator.
#define GPU_ESTIMATE_ACCUMULATOR(M, N, K, T, n, R, loader, storer)             \
  GPU_ESTIMATE_ELEMENTS(accumulator, M, N, K, T, n)                            \
  template <> struct Memory<accumulator, M, N, K, T> {                         \
    template <int Layout>                                                      \
    static __device__ void load(void *f, const void *p, unsigned int ldm) {    \
      loader((R *)f, (const R *)p, ldm, Layout);                               \
    }                                                                          \
    template <int Layout>                                                      \
    static __device__ void store(void *p, const void *f, unsigned int ldm) {   \
      storer((R *)p, (const R *)f, ldm, Layout);                               \
    }                                                                          \
  };

/// Multiplication D = A x B + C; RA, RD, RC are the register types.
#define GPU_ESTIMATE_MULTIPLY(M, N, K, T, D, C, RA, RD, RC, builtin)           \
  template <> struct Multiply<M, N, K, T, D, C> {                              \
    template <int Layout>                                                      \
    static __device__ void run(void *d, const void *a, const void *b,          \
                               const void *c) {                                \
      builtin((RD *)d, (const RA *)a, (const RA *)b, (const RC *)c, Layout,    \
              0);                                                              \
    }                                                                          \
  };

// Half precision operands: 16 elements each, in every shape.
#define GPU_ESTIMATE_HALF_SHAPE(M, N, K, g)                                    \
  GPU_ESTIMATE_OPERAND(matrix_a, M, N, K, __half, 16, int, __hmma_##g##_ld_a)  \
  GPU_ESTIMATE_OPERAND(matrix_b, M, N, K, __half, 16, int, __hmma_##g##_ld_b)  \
  GPU_ESTIMATE_ACCUMULATOR(M, N, K, __half, 8, int, __hmma_##g##_ld_c_f16,     \
                           __hmma_##g##_st_c_f16)                              \
  GPU_ESTIMATE_ACCUMULATOR(M, N, K, float, 8, float, __hmma_##g##_ld_c_f32,    \
                           __hmma_##g##_st_c_f32)                              \
  GPU_ESTIMATE_MULTIPLY(M, N, K, __half, __half, __half, int, int, int,        \
                        __hmma_##g##_mma_f16f16)                               \
  GPU_ESTIMATE_MULTIPLY(M, N, K, __half, float, __half, int, float, int,       \
                        __hmma_##g##_mma_f32f16)                               \
  GPU_ESTIMATE_MULTIPLY(M, N, K, __half, __half, float, int, int, float,       \
                        __hmma_##g##_mma_f16f32)                               \
  GPU_ESTIMATE_MULTIPLY(M, N, K, __half, float, float, int, float, float,      \
                        __hmma_##g##_mma_f32f32)
GPU_ESTIMATE_HALF_SHAPE(16, 16, 16, m16n16k16)
GPU_ESTIMATE_HALF_SHAPE(32, 8, 16, m32n8k16)
GPU_ESTIMATE_HALF_SHAPE(8, 32, 16, m8n32k16)
#undef GPU_ESTIMATE_HALF_SHAPE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
// 8-bit integers.
#define GPU_ESTIMATE_INT_SHAPE(M, N, K, g, nA, nB)                             \
  GPU_ESTIMATE_OPERAND(matrix_a, M, N, K, signed char, nA, int,                \
                       __imma_##g##_ld_a_s8)                                   \
  GPU_ESTIMATE_OPERAND(matrix_b, M, N, K, signed char, nB, int,                \
                       __imma_##g##_ld_b_s8)                                   \
  GPU_ESTIMATE_OPERAND(matrix_a, M, N, K, unsigned char, nA, int,              \
                       __imma_##g##_ld_a_u8)                                   \
  GPU_ESTIMATE_OPERAND(matrix_b, M, N, K, unsigned char, nB, int,              \
                       __imma_##g##_ld_b_u8)                                   \
  GPU_ESTIMATE_ACCUMULATOR(M, N, K, int, 8, int, __imma_##g##_ld_c,            \
                           __imma_##g##_st_c_i32)                              \
  GPU_ESTIMATE_MULTIPLY(M, N, K, signed char, int, int, int, int, int,         \
                        __imma_##g##_mma_s8)                                   \
  GPU_ESTIMATE_MULTIPLY(M, N, K, unsigned char, int, int, int, int, int,       \
                        __imma_##g##_mma_u8)
GPU_ESTIMATE_INT_SHAPE(16, 16, 16, m16n16k16, 8, 8)
GPU_ESTIMATE_INT_SHAPE(32, 8, 16, m32n8k16, 16, 4)
GPU_ESTIMATE_INT_SHAPE(8, 32, 16, m8n32k16, 4, 16)
#undef GPU_ESTIMATE_INT_SHAPE
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// bfloat16; the accumulator is the single-precision one above.
#define GPU_ESTIMATE_BF16_SHAPE(M, N, K, g, nA, nB)                            \
  GPU_ESTIMATE_OPERAND(matrix_a, M, N, K, __nv_bfloat16, nA, int,              \
                       __mma_bf16_##g##_ld_a)                                  \
  GPU_ESTIMATE_OPERAND(matrix_b, M, N, K, __nv_bfloat16, nB, int,              \
                       __mma_bf16_##g##_ld_b)                                  \
  GPU_ESTIMATE_MULTIPLY(M, N, K, __nv_bfloat16, float, float, int, float,      \
                        float, __mma_bf16_##g##_mma_f32)
GPU_ESTIMATE_BF16_SHAPE(16, 16, 16, m16n16k16, 8, 8)
GPU_ESTIMATE_BF16_SHAPE(32, 8, 16, m32n8k16, 16, 4)
GPU_ESTIMATE_BF16_SHAPE(8, 32, 16, m8n32k16, 4, 16)
#undef GPU_ESTIMATE_BF16_SHAPE

// TensorFloat-32.
GPU_ESTIMATE_OPERAND(matrix_a, 16, 16, 8, precision::tf32, 4, int,
                     __mma_tf32_m16n16k8_ld_a)
GPU_ESTIMATE_OPERAND(matrix_b, 16, 16, 8, precision::tf32, 4, int,
                     __mma_tf32_m16n16k8_ld_b)
GPU_ESTIMATE_ACCUMULATOR(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c,
                         __mma_m16n16k8_st_c_f32)
GPU_ESTIMATE_MULTIPLY(16, 16, 8, precision::tf32, float, float, int, float,
                      float, __mma_tf32_m16n16k8_mma_f32)

// Double precision.
GPU_ESTIMATE_OPERAND(matrix_a, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_a)
GPU_ESTIMATE_OPERAND(matrix_b, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_b)
GPU_ESTIMATE_ACCUMULATOR(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c,
                         __dmma_m8n8k4_st_c_f64)
GPU_ESTIMATE_MULTIPLY(8, 8, 4, double, double, double, double, double, double,
                      __dmma_m8n8k4_mma_f64)
#endif

#undef GPU_ESTIMATE_ELEMENTS
#undef GPU_ESTIMATE_OPERAND
#undef GPU_ESTIMATE_ACCUMULATOR
#undef GPU_ESTIMATE_MULTIPLY
