// Warp matrix functions: the instruction of each, and elements per thread.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <mma.h>
using namespace nvcuda;

template <class T, class C, int M, int N, int K>
__device__ void multiply(const T *a, const T *b, C *c) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fill_fragment(fc, C(0));
  wmma::load_matrix_sync(fa, a, K);
  wmma::load_matrix_sync(fb, b, K);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

template <class Use, int M, int N, int K, class T, class Layout = void>
constexpr int elements =
    wmma::fragment<Use, M, N, K, T, Layout>::num_elements;
static_assert(elements<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> == 16);
static_assert(elements<wmma::accumulator, 16, 16, 16, float> == 8);
static_assert(elements<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> == 16);
static_assert(elements<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major> == 4);
static_assert(elements<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> == 4);
static_assert(elements<wmma::accumulator, 8, 8, 4, double> == 2);

// CHECK-LABEL: @halves(
extern "C" __global__ void halves(const half *a, const half *b, float *c) {
  // CHECK: @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr {{.*}}, i32 16)
  // CHECK: @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr {{.*}}, i32 16)
  // CHECK: @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(
  // CHECK: @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(
  multiply<half, float, 16, 16, 16>(a, b, c);
}
// CHECK-LABEL: @tall(
extern "C" __global__ void tall(const half *a, const half *b, half *c) {
  // CHECK: @llvm.nvvm.wmma.m32n8k16.mma.row.col.f16.f16(
  multiply<half, half, 32, 8, 16>(a, b, c);
}
// CHECK-LABEL: @bytes(
extern "C" __global__ void bytes(const signed char *a, const signed char *b,
                                 int *c) {
  // CHECK: @llvm.nvvm.wmma.m16n16k16.mma.row.col.s8(
  multiply<signed char, int, 16, 16, 16>(a, b, c);
}
// CHECK-LABEL: @brains(
extern "C" __global__ void brains(const __nv_bfloat16 *a,
                                  const __nv_bfloat16 *b, float *c) {
  // CHECK: @llvm.nvvm.wmma.m16n16k16.mma.row.col.bf16(
  multiply<__nv_bfloat16, float, 16, 16, 16>(a, b, c);
}
// CHECK-LABEL: @doubles(
extern "C" __global__ void doubles(const double *a, const double *b,
                                   double *c) {
  // CHECK: @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(
  multiply<double, double, 8, 8, 4>(a, b, c);
}
int main() { return 0; }
