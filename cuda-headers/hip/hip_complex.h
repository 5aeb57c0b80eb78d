/// \file
/// Complex numbers of HIP: CUDA's by other names.

#ifndef GPU_ESTIMATE_HIP_COMPLEX_H
#define GPU_ESTIMATE_HIP_COMPLEX_H

#include "hip_runtime.h"

#include "../gpu_estimate/hip/narrow_begin.h"
#include "../gpu_estimate/complex.h"
#include "../gpu_estimate/hip/narrow_end.h"

typedef cuFloatComplex hipFloatComplex;
typedef cuDoubleComplex hipDoubleComplex;
typedef cuComplex hipComplex;
#define make_hipFloatComplex make_cuFloatComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define make_hipComplex make_cuComplex
#define hipCrealf cuCrealf
#define hipCimagf cuCimagf
#define hipConjf cuConjf
#define hipCaddf cuCaddf
#define hipCsubf cuCsubf
#define hipCmulf cuCmulf
#define hipCdivf cuCdivf
#define hipCabsf cuCabsf
#define hipCfmaf cuCfmaf
#define hipCreal cuCreal
#define hipCimag cuCimag
#define hipConj cuConj
#define hipCadd cuCadd
#define hipCsub cuCsub
#define hipCmul cuCmul
#define hipCdiv cuCdiv
#define hipCabs cuCabs
#define hipCfma cuCfma

#endif
