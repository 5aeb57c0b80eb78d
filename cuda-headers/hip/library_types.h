/// \file
/// Types of elements that HIP's libraries share.

#ifndef GPU_ESTIMATE_HIP_LIBRARY_TYPES_H
#define GPU_ESTIMATE_HIP_LIBRARY_TYPES_H

#include "../gpu_estimate/library_types.h"

typedef cudaDataType hipDataType;
#define HIP_R_32F CUDA_R_32F
#define HIP_R_64F CUDA_R_64F
#define HIP_R_16F CUDA_R_16F
#define HIP_R_16BF CUDA_R_16BF
#define HIP_R_8I CUDA_R_8I
#define HIP_R_32I CUDA_R_32I
#define HIP_C_32F CUDA_C_32F
#define HIP_C_64F CUDA_C_64F

#endif
