/// \file
/// cuFFT's extended host interface (several devices, half precision).

#ifndef GPU_ESTIMATE_CUDA_FFT_MULTI_HOST_H
#define GPU_ESTIMATE_CUDA_FFT_MULTI_HOST_H

#include "fft_host.h"
#include "library_types.h"

typedef struct cudaXtDesc_t {
  int version, nGPUs, GPUs[64];
  void *data[64];
  size_t size[64];
  void *cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc *descriptor;
  int library, subFormat;
  void *libDescriptor;
} cudaLibXtDesc;
typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT,
  CUFFT_XT_FORMAT_INPLACE,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST,
  CUFFT_COPY_DEVICE_TO_DEVICE
} cufftXtCopyType;
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE,
  CUFFT_CB_LD_REAL,
  CUFFT_CB_LD_REAL_DOUBLE,
  CUFFT_CB_ST_COMPLEX,
  CUFFT_CB_ST_COMPLEX_DOUBLE,
  CUFFT_CB_ST_REAL,
  CUFFT_CB_ST_REAL_DOUBLE
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *, size_t, void *, void *);
typedef cufftReal (*cufftCallbackLoadR)(void *, size_t, void *, void *);
typedef void (*cufftCallbackStoreC)(void *, size_t, cufftComplex, void *,
                                    void *);
typedef void (*cufftCallbackStoreR)(void *, size_t, cufftReal, void *, void *);

GPU_ESTIMATE_C_BEGIN
cufftResult cufftXtSetGPUs(cufftHandle, int, int *);
cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc **, cufftXtSubFormat);
cufftResult cufftXtMemcpy(cufftHandle, void *, void *, cufftXtCopyType);
cufftResult cufftXtFree(cudaLibXtDesc *);
cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc *,
                                     cudaLibXtDesc *, int);
cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType,
                               void **);
cufftResult cufftXtMakePlanMany(cufftHandle, int, long long *, long long *,
                                long long, long long, cudaDataType, long long *,
                                long long, long long, cudaDataType, long long,
                                size_t *, cudaDataType);
cufftResult cufftXtExec(cufftHandle, void *, void *, int);
GPU_ESTIMATE_C_END

#endif
