/// \file
/// Texture fetches and surface accesses.
///
/// clang has no builtin for them, so that each one becomes a call of an
/// external device function by a fixed name, for the analysis to recognise:
///
///   <4 x float> __gpu_estimate_tex<G>_v4f32(i64 texture, COORDS, i32 bytes)
///   <4 x i32>   __gpu_estimate_tex<G>_v4i32(i64 texture, COORDS, i32 bytes)
///   <4 x i32>   __gpu_estimate_surf<G>read(i64 surface, COORDS, i32 bytes)
///   void        __gpu_estimate_surf<G>write(<4 x i32> data, i64 surface,
///                                           COORDS, i32 bytes)
///
/// G is the geometry of the CUDA function (1Dfetch, 1D, 2D, 3D, 1DLayered,
/// 2DLayered, Cubemap, CubemapLayered, each but 1Dfetch also with Lod or Grad;
/// 2Dgather), COORDS its coordinates in CUDA's order, and bytes the constant
/// size of one texel in memory: what one thread needs of the texture. A fetch
/// always yields four channels, as the instruction does. The handle is the
/// texture object's value, or the address of a texture reference.

#ifndef GPU_ESTIMATE_CUDA_TEXTURE_H
#define GPU_ESTIMATE_CUDA_TEXTURE_H

#include "channel_descriptor.h"
#include "texture_reference.h"

namespace gpu_estimate_cuda {
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef int Int4 __attribute__((ext_vector_type(4)));

/// Takes the channels of a texel type out of a fetched vector.
template <class T> struct Unpack {
  template <class V> static __device__ T from(V v) { return (T)v.x; }
};
#define GPU_ESTIMATE_UNPACK(Name, E)                                           \
  template <> struct Unpack<Name##1> {                                         \
    template <class V> static __device__ Name##1 from(V v) {                   \
      return make_##Name##1((E)v.x);                                           \
    }                                                                          \
  };                                                                           \
  template <> struct Unpack<Name##2> {                                         \
    template <class V> static __device__ Name##2 from(V v) {                   \
      return make_##Name##2((E)v.x, (E)v.y);                                   \
    }                                                                          \
  };                                                                           \
  template <> struct Unpack<Name##4> {                                         \
    template <class V> static __device__ Name##4 from(V v) {                   \
      return make_##Name##4((E)v.x, (E)v.y, (E)v.z, (E)v.w);                   \
    }                                                                          \
  };
GPU_ESTIMATE_UNPACK(char, signed char)
GPU_ESTIMATE_UNPACK(uchar, unsigned char)
GPU_ESTIMATE_UNPACK(short, short)
GPU_ESTIMATE_UNPACK(ushort, unsigned short)
GPU_ESTIMATE_UNPACK(int, int)
GPU_ESTIMATE_UNPACK(uint, unsigned int)
GPU_ESTIMATE_UNPACK(long, long)
GPU_ESTIMATE_UNPACK(ulong, unsigned long)
GPU_ESTIMATE_UNPACK(float, float)
#undef GPU_ESTIMATE_UNPACK

/// True for texels whose channels come back as floating-point numbers.
template <class E> struct IsFloat {
  enum { value = false };
};
template <> struct IsFloat<float> {
  enum { value = true };
};

template <bool Float> struct Fetch;
} // namespace gpu_estimate_cuda

/// One geometry: the two opaque functions, their choice by element type, and
/// CUDA's overloads for texture objects (result returned or through a pointer).
#define GPU_ESTIMATE_TEX(G, Params, Args)                                      \
  GPU_ESTIMATE_OPAQUE_CONST gpu_estimate_cuda::Float4                          \
      __gpu_estimate_tex##G##_v4f32(cudaTextureObject_t,                       \
                                    GPU_ESTIMATE_LIST Params, unsigned int);   \
  GPU_ESTIMATE_OPAQUE_CONST gpu_estimate_cuda::Int4                            \
      __gpu_estimate_tex##G##_v4i32(cudaTextureObject_t,                       \
                                    GPU_ESTIMATE_LIST Params, unsigned int);   \
  namespace gpu_estimate_cuda {                                                \
  template <class Result, class T>                                             \
  __device__ inline __attribute__((always_inline))                             \
  Result tex##G(cudaTextureObject_t texture, GPU_ESTIMATE_LIST Params) {       \
    if constexpr (IsFloat<typename Texel<Result>::Element>::value)             \
      return Unpack<Result>::from(__gpu_estimate_tex##G##_v4f32(               \
          texture, GPU_ESTIMATE_LIST Args, sizeof(T)));                        \
    else                                                                       \
      return Unpack<Result>::from(__gpu_estimate_tex##G##_v4i32(               \
          texture, GPU_ESTIMATE_LIST Args, sizeof(T)));                        \
  }                                                                            \
  }                                                                            \
  template <class T>                                                           \
  GPU_ESTIMATE_DEVICE T tex##G(cudaTextureObject_t texture,                    \
                               GPU_ESTIMATE_LIST Params) {                     \
    return gpu_estimate_cuda::tex##G<T, T>(texture, GPU_ESTIMATE_LIST Args);   \
  }                                                                            \
  template <class T>                                                           \
  GPU_ESTIMATE_DEVICE void tex##G(T *result, cudaTextureObject_t texture,      \
                                  GPU_ESTIMATE_LIST Params) {                  \
    *result =                                                                  \
        gpu_estimate_cuda::tex##G<T, T>(texture, GPU_ESTIMATE_LIST Args);      \
  }

/// The same geometry through a texture reference.
#define GPU_ESTIMATE_TEXREF(G, Kind, Params, Args)                             \
  template <class T, cudaTextureReadMode Mode>                                 \
  GPU_ESTIMATE_DEVICE                                                          \
      typename gpu_estimate_cuda::ReadResult<T, Mode>::Type tex##G(            \
          const texture<T, Kind, Mode> &reference, GPU_ESTIMATE_LIST Params) { \
    return gpu_estimate_cuda::tex##G<                                          \
        typename gpu_estimate_cuda::ReadResult<T, Mode>::Type, T>(             \
        (cudaTextureObject_t) & reference, GPU_ESTIMATE_LIST Args);            \
  }

#define GPU_ESTIMATE_LIST(...) __VA_ARGS__

#include "texture_geometries.h"

#undef GPU_ESTIMATE_TEX
#undef GPU_ESTIMATE_TEXREF
#undef GPU_ESTIMATE_LIST

template <class T>
GPU_ESTIMATE_DEVICE T tex2Dgather(cudaTextureObject_t texture, float x,
                                  float y) {
  return tex2Dgather<T>(texture, x, y, 0);
}

#include "surface.h"

#endif
