/// \file
/// `cudaCreateChannelDesc<T>()`: the texel format that corresponds to a type.

#ifndef GPU_ESTIMATE_CUDA_CHANNEL_DESCRIPTOR_H
#define GPU_ESTIMATE_CUDA_CHANNEL_DESCRIPTOR_H

#include "runtime_types.h"

namespace gpu_estimate_cuda {
/// Kind of a channel's element: signed or unsigned integer, or floating point.
template <class E> struct ChannelKind {
  static const cudaChannelFormatKind value =
      E(-1) < E(0) ? cudaChannelFormatKindSigned
                   : cudaChannelFormatKindUnsigned;
};
template <> struct ChannelKind<float> {
  static const cudaChannelFormatKind value = cudaChannelFormatKindFloat;
};

/// Element type and number of channels of a texel type.
template <class T> struct Texel {
  typedef T Element;
  enum { Channels = 1 };
};
#define GPU_ESTIMATE_TEXEL(Name, E)                                            \
  template <> struct Texel<Name##1> {                                          \
    typedef E Element;                                                         \
    enum { Channels = 1 };                                                     \
  };                                                                           \
  template <> struct Texel<Name##2> {                                          \
    typedef E Element;                                                         \
    enum { Channels = 2 };                                                     \
  };                                                                           \
  template <> struct Texel<Name##3> {                                          \
    typedef E Element;                                                         \
    enum { Channels = 3 };                                                     \
  };                                                                           \
  template <> struct Texel<Name##4> {                                          \
    typedef E Element;                                                         \
    enum { Channels = 4 };                                                     \
  };
GPU_ESTIMATE_TEXEL(char, signed char)
GPU_ESTIMATE_TEXEL(uchar, unsigned char)
GPU_ESTIMATE_TEXEL(short, short)
GPU_ESTIMATE_TEXEL(ushort, unsigned short)
GPU_ESTIMATE_TEXEL(int, int)
GPU_ESTIMATE_TEXEL(uint, unsigned int)
GPU_ESTIMATE_TEXEL(long, long)
GPU_ESTIMATE_TEXEL(ulong, unsigned long)
GPU_ESTIMATE_TEXEL(float, float)
#undef GPU_ESTIMATE_TEXEL
} // namespace gpu_estimate_cuda

template <class T>
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef gpu_estimate_cuda::Texel<T> Texel;
  const int bits = 8 * sizeof(typename Texel::Element);
  return cudaCreateChannelDesc(
      bits, Texel::Channels > 1 ? bits : 0, Texel::Channels > 2 ? bits : 0,
      Texel::Channels > 3 ? bits : 0,
      gpu_estimate_cuda::ChannelKind<typename Texel::Element>::value);
}

#endif
