// Device functions of ROCm that the microbenchmarks use and our HIP headers do
// not declare; for syntax tests.
#ifndef GPU_ESTIMATE_TEST_HIP_INTRINSICS_H
#define GPU_ESTIMATE_TEST_HIP_INTRINSICS_H
#include "hip/hip_runtime.h"
__device__ float fmaf(float, float, float);
__device__ double fma(double, double, double);
__device__ unsigned __funnelshift_l(unsigned, unsigned, unsigned);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
__device__ unsigned __brev(unsigned);
__device__ unsigned atomicInc(unsigned *, unsigned);
__device__ int __float2int_rz(float);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ int __double2hiint(double);
hipError_t hipDeviceGetPCIBusId(char *, int, int);
hipError_t hipDriverGetVersion(int *);
hipError_t hipRuntimeGetVersion(int *);
typedef struct hipGraph *hipGraph_t;
typedef struct hipGraphExec *hipGraphExec_t;
enum hipStreamCaptureMode { hipStreamCaptureModeGlobal };
hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode);
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t *);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *, hipGraph_t,
                                        unsigned long long);
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t);
hipError_t hipGraphExecDestroy(hipGraphExec_t);
hipError_t hipGraphDestroy(hipGraph_t);
#undef warpSize
#endif
