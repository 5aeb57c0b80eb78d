/// \file
/// Surface reads and writes, expanded to calls by the names in texture.h.
///
/// x is in bytes, as in CUDA; the boundary mode does not change the cost.

#ifndef GPU_ESTIMATE_CUDA_SURFACE_H
#define GPU_ESTIMATE_CUDA_SURFACE_H

#ifdef GPU_ESTIMATE_SURFACE_OBJECTS
// An SDK declares the types of surfaces, and has removed references to them.
namespace gpu_estimate_cuda {
typedef int Int4 __attribute__((ext_vector_type(4)));
} // namespace gpu_estimate_cuda
#else
#include "texture_reference.h"
#endif

#define GPU_ESTIMATE_LIST(...) __VA_ARGS__

/// The same through a surface reference.
#ifdef GPU_ESTIMATE_SURFACE_OBJECTS
#define GPU_ESTIMATE_SURFREF(G, Type, Params, Args)
#else
#define GPU_ESTIMATE_SURFREF(G, Type, Params, Args)                            \
  template <class T, class S>                                                  \
  GPU_ESTIMATE_DEVICE T surf##G##read(                                         \
      const surface<S, Type> &reference, GPU_ESTIMATE_LIST Params,             \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    return surf##G##read<T>((cudaSurfaceObject_t) & reference,                 \
                            GPU_ESTIMATE_LIST Args);                           \
  }                                                                            \
  template <class T, class S>                                                  \
  GPU_ESTIMATE_DEVICE void surf##G##read(                                      \
      T *result, const surface<S, Type> &reference, GPU_ESTIMATE_LIST Params,  \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    surf##G##read(result, (cudaSurfaceObject_t) & reference,                   \
                  GPU_ESTIMATE_LIST Args);                                     \
  }                                                                            \
  template <class T, class S>                                                  \
  GPU_ESTIMATE_DEVICE void surf##G##write(                                     \
      T value, const surface<S, Type> &reference, GPU_ESTIMATE_LIST Params,    \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    surf##G##write(value, (cudaSurfaceObject_t) & reference,                   \
                   GPU_ESTIMATE_LIST Args);                                    \
  }

#endif

#define GPU_ESTIMATE_SURF(G, Type, Params, Args)                               \
  extern "C" __device__ __attribute__((pure, nothrow)) gpu_estimate_cuda::Int4 \
      __gpu_estimate_surf##G##read(cudaSurfaceObject_t,                        \
                                   GPU_ESTIMATE_LIST Params, unsigned int);    \
  extern "C" __device__                                                        \
      __attribute__((nothrow)) void __gpu_estimate_surf##G##write(             \
          gpu_estimate_cuda::Int4, cudaSurfaceObject_t,                        \
          GPU_ESTIMATE_LIST Params, unsigned int);                             \
  template <class T>                                                           \
  GPU_ESTIMATE_DEVICE void surf##G##read(                                      \
      T *result, cudaSurfaceObject_t surf, GPU_ESTIMATE_LIST Params,           \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    gpu_estimate_cuda::Int4 v =                                                \
        __gpu_estimate_surf##G##read(surf, GPU_ESTIMATE_LIST Args, sizeof(T)); \
    __builtin_memcpy(result, &v, sizeof(T));                                   \
  }                                                                            \
  template <class T>                                                           \
  GPU_ESTIMATE_DEVICE T surf##G##read(                                         \
      cudaSurfaceObject_t surf, GPU_ESTIMATE_LIST Params,                      \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    T result;                                                                  \
    surf##G##read(&result, surf, GPU_ESTIMATE_LIST Args);                      \
    return result;                                                             \
  }                                                                            \
  template <class T>                                                           \
  GPU_ESTIMATE_DEVICE void surf##G##write(                                     \
      T value, cudaSurfaceObject_t surf, GPU_ESTIMATE_LIST Params,             \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    gpu_estimate_cuda::Int4 v = {0, 0, 0, 0};                                  \
    __builtin_memcpy(&v, &value, sizeof(T));                                   \
    __gpu_estimate_surf##G##write(v, surf, GPU_ESTIMATE_LIST Args, sizeof(T)); \
  }                                                                            \
  GPU_ESTIMATE_SURFREF(G, Type, Params, Args)

GPU_ESTIMATE_SURF(1D, cudaSurfaceType1D, (int x), (x))
GPU_ESTIMATE_SURF(2D, cudaSurfaceType2D, (int x, int y), (x, y))
GPU_ESTIMATE_SURF(3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
GPU_ESTIMATE_SURF(1DLayered, cudaSurfaceType1DLayered, (int x, int layer),
                  (x, layer))
GPU_ESTIMATE_SURF(2DLayered, cudaSurfaceType2DLayered,
                  (int x, int y, int layer), (x, y, layer))
GPU_ESTIMATE_SURF(Cubemap, cudaSurfaceTypeCubemap, (int x, int y, int face),
                  (x, y, face))

#undef GPU_ESTIMATE_SURF
#undef GPU_ESTIMATE_SURFREF
#undef GPU_ESTIMATE_LIST

#endif
