/// \file
/// Profiler annotations, under the toolkit's file name.

#ifndef GPU_ESTIMATE_CUDA_NVTX_H
#define GPU_ESTIMATE_CUDA_NVTX_H

#if defined(__cplusplus)
extern "C" {
#endif
int nvtxRangePushA(const char *);
int nvtxRangePop(void);
void nvtxMarkA(const char *);
void nvtxNameOsThreadA(unsigned int, const char *);
#if defined(__cplusplus)
}
#endif
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA

#endif
