// hipBLAS, rocBLAS, hipRAND and hipFFT by the headers that are shipped.
//
// REQUIRES: fftw
// RUN: rm -rf %t && mkdir %t
// RUN: %gpu-estimate cc --run hipcc -std=c++17 %s -lhipblas -lrocblas \
// RUN:   -lhipfft -lhiprand -o %t/program
// RUN: %gpu-estimate run --gpu amd-mi210 %t/program | FileCheck %s
//
// CHECK: hipBLAS: 19 22 43 50
// CHECK: rocBLAS: 12, status rocblas_status_invalid_size is another
// CHECK: hipRAND: mean 0.50, in a kernel 0.50
// CHECK: hipFFT: 0 0 0 4
// CHECK-DAG: cublasSgemm
// CHECK-DAG: cufftExecC2C

#include <cstdio>
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipfft/hipfft.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <rocblas/rocblas.h>
#include <vector>

__global__ void draw(float *x) {
  hiprandState_t state;
  hiprand_init(1234, threadIdx.x, 0, &state);
  float sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += hiprand_uniform(&state);
  x[threadIdx.x] = sum / 100;
}

static float mean(const float *device, int n) {
  std::vector<float> host(n);
  (void)hipMemcpy(host.data(), device, n * 4, hipMemcpyDeviceToHost);
  double sum = 0;
  for (float v : host)
    sum += v;
  return sum / n;
}

int main() {
  // Row by row: C = A B is the transposed of B A by columns.
  float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4], one = 1, zero = 0;
  float *da, *db, *dc;
  (void)hipMalloc(&da, 16);
  (void)hipMalloc(&db, 16);
  (void)hipMalloc(&dc, 16);
  (void)hipMemcpy(da, a, 16, hipMemcpyHostToDevice);
  (void)hipMemcpy(db, b, 16, hipMemcpyHostToDevice);
  hipblasHandle_t blas;
  (void)hipblasCreate(&blas);
  (void)hipblasSgemm(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, 2, 2, 2, &one, db, 2, da,
                     2, &zero, dc, 2);
  (void)hipMemcpy(c, dc, 16, hipMemcpyDeviceToHost);
  std::printf("hipBLAS: %g %g %g %g\n", c[0], c[1], c[2], c[3]);
  (void)hipblasDestroy(blas);

  rocblas_handle roc;
  float scale = 3;
  (void)rocblas_create_handle(&roc);
  rocblas_status status = rocblas_sscal(roc, 4, &scale, da, 1);
  (void)hipMemcpy(a, da, 16, hipMemcpyDeviceToHost);
  std::printf("rocBLAS: %g, status %s is another\n", a[3],
              status == rocblas_status_success &&
                      status != rocblas_status_invalid_size
                  ? "rocblas_status_invalid_size"
                  : "success");
  (void)rocblas_destroy_handle(roc);

  constexpr int n = 65536;
  float *x;
  (void)hipMalloc(&x, n * 4);
  hiprandGenerator_t generator;
  (void)hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_DEFAULT);
  (void)hiprandSetPseudoRandomGeneratorSeed(generator, 7);
  (void)hiprandGenerateUniform(generator, x, n);
  float host = mean(x, n);
  draw<<<1, 256>>>(x);
  std::printf("hipRAND: mean %.2f, in a kernel %.2f\n", host, mean(x, 256));
  (void)hiprandDestroyGenerator(generator);

  hipfftHandle plan;
  hipfftComplex wave[4] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  hipfftComplex *dw;
  (void)hipMalloc(&dw, sizeof(wave));
  (void)hipMemcpy(dw, wave, sizeof(wave), hipMemcpyHostToDevice);
  (void)hipfftPlan1d(&plan, 4, HIPFFT_C2C, 1);
  (void)hipfftExecC2C(plan, dw, dw, HIPFFT_FORWARD);
  (void)hipMemcpy(wave, dw, sizeof(wave), hipMemcpyDeviceToHost);
  std::printf("hipFFT: %.0f %.0f %.0f %.0f\n", wave[0].x + 0.f, wave[1].x + 0.f,
              wave[2].x + 0.f, wave[3].x + 0.f);
  (void)hipfftDestroy(plan);
}
