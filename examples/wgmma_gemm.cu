// Matrix multiplication as cuBLAS does it on Hopper: C = A * B^T, bfloat16 with
// sums in float.
//
// Warps are specialised. One warp group copies tiles of A and B to shared
// memory with the copy engine (TMA); the other two multiply them there with
// wgmma, 64 rows of C each. Between them is a ring of buffers: full[s] says
// that the tiles of buffer s have arrived, empty[s] that both consumers have
// read them. The kernel is persistent: there are as many blocks as
// multiprocessors, and each goes through tiles of C. wgmmaSplitK divides the
// sums of a small C among blocks instead, which add them up atomically.
//
// Needs compute capability 9.0 (sm_90a) and the driver's library:
//   nvcc -std=c++17 -arch=sm_90a wgmma_gemm.cu -lcuda

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <vector>

using bf16 = __nv_bfloat16;

constexpr int TileM = 128, TileN = 256, TileK = 64; // 64 bf16 are 128 bytes
constexpr int Buffers = 4;
constexpr int GroupThreads = 128, Consumers = 2;
constexpr int BlockThreads = (1 + Consumers) * GroupThreads;
constexpr int BytesOfA = TileM * TileK * 2, BytesOfB = TileN * TileK * 2;
constexpr int SharedBytes = Buffers * (BytesOfA + BytesOfB) + 1024;

__device__ inline uint32_t sharedAddress(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void initBarrier(uint64_t *barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(arrivals));
}

__device__ inline void expectBytes(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ inline void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   sharedAddress(barrier))
               : "memory");
}

__device__ inline bool hasEnded(uint64_t *barrier, uint32_t parity) {
  uint32_t done;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}\n"
               : "=r"(done)
               : "r"(sharedAddress(barrier)), "r"(parity)
               : "memory");
  return done;
}

__device__ inline void wait(uint64_t *barrier, uint32_t parity) {
  while (!hasEnded(barrier, parity))
    ;
}

// Copies the box of a tensor map at column x and row y to shared memory.
__device__ inline void copyTile(void *to, const CUtensorMap *from, int x, int y,
                                uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
               "::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(to)),
               "l"(from), "r"(x), "r"(y), "r"(sharedAddress(barrier))
               : "memory");
}

// What wgmma is told of a matrix in shared memory: its address, 1024 bytes from
// one group of eight rows to the next, and rows of 128 bytes that are swizzled.
__device__ inline uint64_t describe(const void *p) {
  uint64_t address = sharedAddress(p);
  return (address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 |
         uint64_t(1) << 62;
}

#define SUMS8(d, i)                                                            \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]),  \
      "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS64(d, i)                                                           \
  SUMS8(d, i), SUMS8(d, i + 8), SUMS8(d, i + 16), SUMS8(d, i + 24),            \
      SUMS8(d, i + 32), SUMS8(d, i + 40), SUMS8(d, i + 48), SUMS8(d, i + 56)

// d += a * b for 64 rows of a, 256 rows of b and 16 columns of both.
__device__ inline void multiply(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
      "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
      "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
      "%58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "
      "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
      "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, "
      "%100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "
      "%124, %125, %126, %127}, %128, %129, 1, 1, 1, 0, 0;"
      : SUMS64(d, 0), SUMS64(d, 64)
      : "l"(a), "l"(b));
}

struct Ring {
  uint64_t *full, *empty;
  bf16 *a, *b;
  int buffer = 0;
  uint32_t phase = 0;

  __device__ void advance() {
    if (++buffer == Buffers) {
      buffer = 0;
      phase ^= 1;
    }
  }
};

// Copies the tiles for the steps [begin, end) along k.
__device__ inline void produce(Ring &ring, const CUtensorMap *mapA,
                               const CUtensorMap *mapB, int row, int column,
                               int begin, int end) {
  for (int step = begin; step < end; ++step) {
    wait(&ring.empty[ring.buffer], ring.phase ^ 1);
    uint64_t *full = &ring.full[ring.buffer];
    expectBytes(full, BytesOfA + BytesOfB);
    copyTile(ring.a + ring.buffer * TileM * TileK, mapA, step * TileK, row,
             full);
    copyTile(ring.b + ring.buffer * TileN * TileK, mapB, step * TileK, column,
             full);
    ring.advance();
  }
}

// Adds up 64 rows of a tile of C.
__device__ inline void consume(Ring &ring, float (&sums)[128], int group,
                               int steps) {
  for (int step = 0; step < steps; ++step) {
    wait(&ring.full[ring.buffer], ring.phase);
    const bf16 *a = ring.a + ring.buffer * TileM * TileK + group * 64 * TileK;
    const bf16 *b = ring.b + ring.buffer * TileN * TileK;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < TileK; k += 16)
      multiply(sums, describe(a + k), describe(b + k));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x % GroupThreads == 0)
      arrive(&ring.empty[ring.buffer]);
    ring.advance();
  }
}

__device__ inline Ring makeRing(uint64_t *full, uint64_t *empty,
                                unsigned char *memory) {
  Ring ring;
  ring.full = full;
  ring.empty = empty;
  ring.a = reinterpret_cast<bf16 *>(memory);
  ring.b = ring.a + Buffers * TileM * TileK;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Buffers; ++s) {
      initBarrier(&full[s], 1);
      initBarrier(&empty[s], Consumers);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  return ring;
}

extern __shared__ __align__(1024) unsigned char sharedMemory[];

__global__ void __launch_bounds__(BlockThreads, 1)
    wgmmaGemm(const __grid_constant__ CUtensorMap mapA,
              const __grid_constant__ CUtensorMap mapB, bf16 *c, int m, int n,
              int k) {
  __shared__ uint64_t full[Buffers], empty[Buffers];
  Ring ring = makeRing(full, empty, sharedMemory);
  int columns = n / TileN, tiles = m / TileM * columns, steps = k / TileK;
  int group = threadIdx.x / GroupThreads;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        produce(ring, &mapA, &mapB, tile / columns * TileM,
                tile % columns * TileN, 0, steps);
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  --group;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sums[128] = {};
    consume(ring, sums, group, steps);
    int row = tile / columns * TileM + group * 64 + warp * 16 + lane / 4;
    int column = tile % columns * TileN + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < TileN / 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        __nv_bfloat162 pair = __floats2bfloat162_rn(
            sums[j * 4 + half * 2], sums[j * 4 + half * 2 + 1]);
        *reinterpret_cast<__nv_bfloat162 *>(
            &c[size_t(row + half * 8) * n + column + j * 8]) = pair;
      }
  }
}

// One tile of C and a part of k for each block; c is zero before.
__global__ void __launch_bounds__(BlockThreads, 1)
    wgmmaSplitK(const __grid_constant__ CUtensorMap mapA,
                const __grid_constant__ CUtensorMap mapB, float *c, int n,
                int k) {
  __shared__ uint64_t full[Buffers], empty[Buffers];
  Ring ring = makeRing(full, empty, sharedMemory);
  int part = k / TileK / gridDim.z;
  int group = threadIdx.x / GroupThreads;
  if (group == 0) {
    if (threadIdx.x == 0)
      produce(ring, &mapA, &mapB, blockIdx.y * TileM, blockIdx.x * TileN,
              blockIdx.z * part, blockIdx.z * part + part);
    return;
  }
  --group;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  float sums[128] = {};
  consume(ring, sums, group, part);
  int row = blockIdx.y * TileM + group * 64 + warp * 16 + lane / 4;
  int column = blockIdx.x * TileN + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < TileN / 8; ++j)
#pragma unroll
    for (int part = 0; part < 4; ++part)
      atomicAdd(
          &c[size_t(row + part / 2 * 8) * n + column + j * 8 + part % 2],
          sums[j * 4 + part]);
}

static CUtensorMap mapOf(void *matrix, int rows, int columns, int boxRows) {
  CUtensorMap map;
  cuuint64_t size[] = {cuuint64_t(columns), cuuint64_t(rows)};
  cuuint64_t pitch[] = {cuuint64_t(columns) * sizeof(bf16)};
  cuuint32_t box[] = {TileK, cuuint32_t(boxRows)}, step[] = {1, 1};
  if (cuTensorMapEncodeTiled(
          &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, size, pitch, box,
          step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
          CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    std::printf("wgmma_gemm: no tensor map\n");
  return map;
}

int main() {
  constexpr int M = 4096, N = 4096, K = 4096, SmallM = 128, SmallN = 512,
                Parts = 16;
  std::vector<bf16> a(size_t(M) * K), b(size_t(N) * K), c(size_t(M) * N);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = __float2bfloat16(float(i % 7) - 3.0f);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = __float2bfloat16(float(i % 5) - 2.0f);
  bf16 *deviceA, *deviceB, *deviceC;
  float *small;
  cudaMalloc(&deviceA, a.size() * sizeof(bf16));
  cudaMalloc(&deviceB, b.size() * sizeof(bf16));
  cudaMalloc(&deviceC, c.size() * sizeof(bf16));
  cudaMalloc(&small, SmallM * SmallN * sizeof(float));
  cudaMemcpy(deviceA, a.data(), a.size() * sizeof(bf16),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), b.size() * sizeof(bf16),
             cudaMemcpyHostToDevice);
  cudaMemset(small, 0, SmallM * SmallN * sizeof(float));

  CUtensorMap mapA = mapOf(deviceA, M, K, TileM);
  CUtensorMap mapB = mapOf(deviceB, N, K, TileN);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  cudaFuncSetAttribute(wgmmaGemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  cudaFuncSetAttribute(wgmmaSplitK, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  wgmmaGemm<<<device.multiProcessorCount, BlockThreads, SharedBytes>>>(
      mapA, mapB, deviceC, M, N, K);
  wgmmaSplitK<<<dim3(SmallN / TileN, SmallM / TileM, Parts), BlockThreads,
                SharedBytes>>>(mapA, mapB, small, SmallN, K);

  std::vector<float> parts(SmallM * SmallN);
  cudaMemcpy(c.data(), deviceC, c.size() * sizeof(bf16),
             cudaMemcpyDeviceToHost);
  cudaMemcpy(parts.data(), small, parts.size() * sizeof(float),
             cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < M; row += M / 8)
    for (int column = 0; column < N; column += 7) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += __bfloat162float(a[size_t(row) * K + k]) *
               __bfloat162float(b[size_t(column) * K + k]);
      // bfloat16 has eight significant bits.
      float allowed = std::fabs(sum) / 128 + 1;
      wrong += std::fabs(sum - __bfloat162float(c[size_t(row) * N + column])) >
               allowed;
      if (row < SmallM && column < SmallN)
        wrong += std::fabs(sum - parts[row * SmallN + column]) > 1;
    }
  std::printf("wgmma_gemm: %d wrong\n", wrong);
  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceC);
  cudaFree(small);
  return wrong != 0;
}
