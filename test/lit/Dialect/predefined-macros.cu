// What nvcc predefines, without a command line and with one, with our headers
// and those of an SDK.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck --check-prefixes=NVCC,PLAIN %s
// RUN: %analyze %s --gpu nvidia-h100-sxm --compiler clang \
// RUN:   | FileCheck --check-prefix=CLANG %s
// RUN: %analyze %s --gpu nvidia-h100-sxm -- -rdc=true \
// RUN:   | FileCheck --check-prefixes=NVCC,PLAIN,RDC %s

// NVCC-DAG: 'isNvcc'
// CLANG-NOT: 'isNvcc'
#if defined(__NVCC__) && defined(__CUDACC_VER_MINOR__) &&                      \
    defined(__CUDACC_VER_BUILD__)
__global__ void isNvcc(float *p) { p[threadIdx.x] *= 2; }
#endif

// NVCC-DAG: 'listed'
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH_LIST__ == 900
__global__ void listed(float *p) { p[threadIdx.x] *= 2; }
#endif

// NVCC-DAG: 'modern'
// CLANG: 'modern'
#if __CUDACC_VER_MAJOR__ >= 12
__global__ void modern(float *p) { p[threadIdx.x] *= 2; }
#else
__global__ void old(float *p) { p[threadIdx.x] *= 2; }
#endif

// PLAIN-DAG: 'extended'
#if defined(__CUDACC_EXTENDED_LAMBDA__) &&                                     \
    defined(__CUDACC_RELAXED_CONSTEXPR__)
__global__ void extended(float *p) { p[threadIdx.x] *= 2; }
#endif

// RDC-DAG: 'relocatable'
#ifdef __CUDACC_RDC__
__global__ void relocatable(float *p) { p[threadIdx.x] *= 2; }
#endif

// A condition in host code, as libraries have it.
int main() {
  srand(time(NULL) + clock());
  if (!(__CUDACC_VER_MAJOR__ > 10))
    return 1;
}
