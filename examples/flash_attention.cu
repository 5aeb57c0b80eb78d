// Attention without a matrix of scores: O = softmax(Q K^T / sqrt(d)) V for each
// head, in half precision with sums in float.
//
// Online softmax, as in FlashAttention-2 (Dao 2023): a block has 128 rows of Q
// and goes through K and V in pieces of 64 rows. A warp holds the scores of 32
// rows, and the maximum, the sum and the output so far; when the maximum rises,
// the output is scaled. The pieces are copied to shared memory with cp.async
// one step ahead, in rows whose 16-byte parts are swapped so that ldmatrix has
// no bank conflicts. Needs compute capability 8.0.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int Depth = 128, RowsOfQ = 128, RowsOfK = 64, Buffers = 2;
constexpr int Warps = 4, WarpRows = RowsOfQ / Warps; // 32: two tiles of 16
constexpr int Parts = Depth / 8;                     // of 16 bytes in a row
constexpr int SharedBytes =
    (RowsOfQ + 2 * Buffers * RowsOfK) * Depth * int(sizeof(half));

// Where part `part` of row `row` is in shared memory, in elements.
__device__ inline int swizzled(int row, int part) {
  return row * Depth + (part ^ (row % 8)) * 8;
}

__device__ inline void copy16(half *to, const half *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

__device__ inline void commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Rows [first, first + Rows) of a matrix.
template <int Rows>
__device__ inline void copyRows(half *to, const half *from, int first) {
#pragma unroll
  for (int i = 0; i < Rows * Parts / (Warps * 32); ++i) {
    int index = i * Warps * 32 + threadIdx.x;
    int row = index / Parts, part = index % Parts;
    copy16(to + swizzled(row, part), from + (first + row) * Depth + part * 8);
  }
}

__device__ inline void load4(uint32_t (&r)[4], const half *at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(uint32_t(__cvta_generic_to_shared(at))));
}

__device__ inline void load4Transposed(uint32_t (&r)[4], const half *at) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(uint32_t(__cvta_generic_to_shared(at))));
}

__device__ inline void multiply(float (&d)[4], const uint32_t (&a)[4],
                                uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ inline uint32_t pack(float low, float high) {
  half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<uint32_t *>(&pair);
}

extern __shared__ __align__(128) half tiles[];

__global__ void __launch_bounds__(Warps * 32)
    flashAttention(const half *__restrict__ q, const half *__restrict__ k,
                   const half *__restrict__ v, half *__restrict__ o, int length,
                   float scale) {
  half *tileQ = tiles, *tileK = tileQ + RowsOfQ * Depth,
       *tileV = tileK + Buffers * RowsOfK * Depth;
  size_t head = size_t(blockIdx.y) * length * Depth;
  q += head, k += head, v += head, o += head;
  int firstRow = blockIdx.x * RowsOfQ;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int steps = length / RowsOfK;

  copyRows<RowsOfQ>(tileQ, q, firstRow);
  copyRows<RowsOfK>(tileK, k, 0);
  copyRows<RowsOfK>(tileV, v, 0);
  commit();

  float output[2][Depth / 8][4] = {};
  float most[2][2], sum[2][2] = {};
  for (int tile = 0; tile < 2; ++tile)
    for (int half = 0; half < 2; ++half)
      most[tile][half] = -INFINITY;

  for (int step = 0; step < steps; ++step) {
    int buffer = step % Buffers;
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    if (step + 1 < steps) {
      int next = (step + 1) % Buffers;
      copyRows<RowsOfK>(tileK + next * RowsOfK * Depth, k,
                        (step + 1) * RowsOfK);
      copyRows<RowsOfK>(tileV + next * RowsOfK * Depth, v,
                        (step + 1) * RowsOfK);
    }
    commit();
    const half *pieceK = tileK + buffer * RowsOfK * Depth;
    const half *pieceV = tileV + buffer * RowsOfK * Depth;

    float score[2][RowsOfK / 8][4] = {};
#pragma unroll
    for (int d = 0; d < Depth / 16; ++d) {
      uint32_t a[2][4];
#pragma unroll
      for (int tile = 0; tile < 2; ++tile)
        load4(a[tile], tileQ + swizzled(warp * WarpRows + tile * 16 + lane % 16,
                                        d * 2 + lane / 16));
#pragma unroll
      for (int n = 0; n < RowsOfK / 16; ++n) {
        uint32_t b[4];
        load4(b, pieceK + swizzled(n * 16 + lane % 16, d * 2 + lane / 16));
#pragma unroll
        for (int tile = 0; tile < 2; ++tile) {
          multiply(score[tile][n * 2], a[tile], b[0], b[2]);
          multiply(score[tile][n * 2 + 1], a[tile], b[1], b[3]);
        }
      }
    }

    uint32_t weights[2][RowsOfK / 16][4];
#pragma unroll
    for (int tile = 0; tile < 2; ++tile)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float larger = most[tile][half];
#pragma unroll
        for (int n = 0; n < RowsOfK / 8; ++n)
          larger = fmaxf(larger, fmaxf(score[tile][n][half * 2],
                                       score[tile][n][half * 2 + 1]));
        larger = fmaxf(larger, __shfl_xor_sync(0xffffffff, larger, 1));
        larger = fmaxf(larger, __shfl_xor_sync(0xffffffff, larger, 2));
        float shrink = exp2f((most[tile][half] - larger) * scale);
        most[tile][half] = larger;
        float part = 0;
#pragma unroll
        for (int n = 0; n < RowsOfK / 8; ++n) {
          float low = exp2f((score[tile][n][half * 2] - larger) * scale);
          float high = exp2f((score[tile][n][half * 2 + 1] - larger) * scale);
          part += low + high;
          weights[tile][n / 2][n % 2 * 2 + half] = pack(low, high);
        }
        sum[tile][half] = sum[tile][half] * shrink + part;
#pragma unroll
        for (int n = 0; n < Depth / 8; ++n) {
          output[tile][n][half * 2] *= shrink;
          output[tile][n][half * 2 + 1] *= shrink;
        }
      }

#pragma unroll
    for (int m = 0; m < RowsOfK / 16; ++m)
#pragma unroll
      for (int n = 0; n < Depth / 16; ++n) {
        uint32_t b[4];
        load4Transposed(b, pieceV +
                               swizzled(m * 16 + lane % 16, n * 2 + lane / 16));
#pragma unroll
        for (int tile = 0; tile < 2; ++tile) {
          multiply(output[tile][n * 2], weights[tile][m], b[0], b[1]);
          multiply(output[tile][n * 2 + 1], weights[tile][m], b[2], b[3]);
        }
      }
  }

#pragma unroll
  for (int tile = 0; tile < 2; ++tile)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float all = sum[tile][half];
      all += __shfl_xor_sync(0xffffffff, all, 1);
      all += __shfl_xor_sync(0xffffffff, all, 2);
      int row = firstRow + warp * WarpRows + tile * 16 + half * 8 + lane / 4;
#pragma unroll
      for (int n = 0; n < Depth / 8; ++n)
        *reinterpret_cast<uint32_t *>(&o[row * Depth + n * 8 + lane % 4 * 2]) =
            pack(output[tile][n][half * 2] / all,
                 output[tile][n][half * 2 + 1] / all);
    }
}

int main() {
  constexpr int Length = 256, Heads = 2;
  size_t elements = size_t(Heads) * Length * Depth;
  std::vector<half> q(elements), k(elements), v(elements), o(elements);
  for (size_t i = 0; i < elements; ++i) {
    q[i] = __float2half(float(i * 7 % 11) / 11 - 0.5f);
    k[i] = __float2half(float(i * 5 % 13) / 13 - 0.5f);
    v[i] = __float2half(float(i * 3 % 17) / 17);
  }
  half *deviceQ, *deviceK, *deviceV, *deviceO;
  cudaMalloc(&deviceQ, elements * sizeof(half));
  cudaMalloc(&deviceK, elements * sizeof(half));
  cudaMalloc(&deviceV, elements * sizeof(half));
  cudaMalloc(&deviceO, elements * sizeof(half));
  cudaMemcpy(deviceQ, q.data(), elements * sizeof(half),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceK, k.data(), elements * sizeof(half),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceV, v.data(), elements * sizeof(half),
             cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(flashAttention,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  // exp2 instead of exp
  float scale = 1.44269504f / std::sqrt(float(Depth));
  flashAttention<<<dim3(Length / RowsOfQ, Heads), Warps * 32, SharedBytes>>>(
      deviceQ, deviceK, deviceV, deviceO, Length, scale);
  cudaMemcpy(o.data(), deviceO, elements * sizeof(half),
             cudaMemcpyDeviceToHost);

  int wrong = 0;
  std::vector<float> score(Length);
  for (int head = 0; head < Heads; ++head)
    for (int row = 0; row < Length; row += 37) {
      const half *mine = &q[(size_t(head) * Length + row) * Depth];
      float all = 0;
      for (int j = 0; j < Length; ++j) {
        const half *other = &k[(size_t(head) * Length + j) * Depth];
        float dot = 0;
        for (int d = 0; d < Depth; ++d)
          dot += __half2float(mine[d]) * __half2float(other[d]);
        all += score[j] = std::exp2(dot * scale);
      }
      for (int d = 0; d < Depth; ++d) {
        float sum = 0;
        for (int j = 0; j < Length; ++j)
          sum += score[j] *
                 __half2float(v[(size_t(head) * Length + j) * Depth + d]);
        size_t at = (size_t(head) * Length + row) * Depth + d;
        wrong += std::fabs(sum / all - __half2float(o[at])) > 0.01f;
      }
    }
  std::printf("flash_attention: %d wrong\n", wrong);
  cudaFree(deviceQ);
  cudaFree(deviceK);
  cudaFree(deviceV);
  cudaFree(deviceO);
  return wrong != 0;
}
