// A source that clang refuses, and nvcc takes, is analysed as nvcc's PTX. Places,
// names of arguments and launches are those of the source.
// RUN: %clang_cuda --cuda-device-only -O3 -S -gline-tables-only -DACCEPTED %s -o %t.ptx
// RUN: env PATH=%S/../Inputs/nvcc:$PATH FAKE_PTX=%t.ptx FAKE_LOG=%t.log %gpu-estimate analyze %s --ptxas off --gpu nvidia-h100-sxm -- -DSIZE=4096 >%t.out 2>%t.err
// RUN: FileCheck %s --input-file %t.out
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.err
// RUN: FileCheck %s --check-prefix=NVCC --input-file %t.log

// CHECK:      'scale' takes {{.*}} (grid 16384, block 256 from host-code)
// CHECK:        kernel        {{.*}}via-ptx.cu:[[# @LINE + 26]]
// CHECK:        launch        {{.*}} from host-code at {{.*}}via-ptx.cu:[[# @LINE + 35]]
// CHECK:        arguments     {{.*}}n = 4194304{{.*}}x = 4194304
// CHECK:        {{.*}}via-ptx.cu:[[# @LINE + 26]]
// REMARK:     via-ptx.cu: remark: its kernels are analysed as PTX of nvcc, because clang refuses the source: {{.*}}via-ptx.cu:[[# @LINE + 25]]:{{.*}}known_to_nvcc
// REMARK-NOT: error:
// NVCC:       nvcc -ptx -arch=sm_90a -lineinfo -DSIZE=4096 {{.*}}-x cu {{.*}}via-ptx.cu

// RUN: env PATH=%S/../Inputs/nvcc:$PATH FAKE_PTX=%t.ptx not %gpu-estimate analyze %s --ptxas off --gpu nvidia-h100-sxm --via-ptx never 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: error: use of undeclared identifier 'known_to_nvcc'
// NEVER: clang reported errors{{$}}

// RUN: env PATH=%S/../Inputs/nvcc:$PATH not %gpu-estimate analyze %s --ptxas off --gpu nvidia-h100-sxm 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: use of undeclared identifier 'known_to_nvcc'
// BOTH: clang reported errors; {{.*}}nvcc failed: error: this nvcc compiles nothing

// RUN: env PATH=%S/../Inputs/nvcc:$PATH FAKE_PTX=%t.ptx %gpu-estimate analyze %s --ptxas off --gpu nvidia-h100-sxm --via-ptx always -- -DACCEPTED 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS-NOT: remark: its kernels
// ALWAYS:     'scale' takes

#ifdef ACCEPTED
#define FACTOR 2.0f
#else
#define FACTOR known_to_nvcc
#endif

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= FACTOR;
}

int main() {
  int n = 1 << 22;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  scale<<<n / 256, 256>>>(x, n);
}
