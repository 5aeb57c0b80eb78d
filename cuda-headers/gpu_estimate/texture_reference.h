/// \file
/// Texture and surface references: the interface before texture objects.
///
/// CUDA 12 removed it; older programs still use it, and their kernels can be
/// analysed all the same.

#ifndef GPU_ESTIMATE_CUDA_TEXTURE_REFERENCE_H
#define GPU_ESTIMATE_CUDA_TEXTURE_REFERENCE_H

#include "channel_descriptor.h"

/// State of a texture reference that host code sets.
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

/// A texture reference with its texel type, geometry and read mode.
template <class T, int TextureType = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture
    : public textureReference {
  __host__ texture(int norm = 0,
                   enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int norm, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc desc)
      : textureReference{norm, filter, {address, address, address}, desc} {}
};
template <class T, int SurfaceType = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface
    : public surfaceReference {
  __host__ surface() : surfaceReference{} {}
};

namespace gpu_estimate_cuda {
/// What a fetch returns: the texel, or its channels scaled to [0, 1] or [-1,
/// 1].
template <class T, cudaTextureReadMode Mode> struct ReadResult {
  typedef T Type;
};
template <int Channels> struct FloatVector;
template <> struct FloatVector<1> {
  typedef float Type;
};
template <> struct FloatVector<2> {
  typedef float2 Type;
};
template <> struct FloatVector<4> {
  typedef float4 Type;
};
template <class T> struct ReadResult<T, cudaReadModeNormalizedFloat> {
  typedef typename FloatVector<Texel<T>::Channels>::Type Type;
};
} // namespace gpu_estimate_cuda

// Binding.
cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *reference,
                            const void *pointer,
                            const struct cudaChannelFormatDesc *desc,
                            size_t size = 0xffffffffu);
cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *reference,
                              const void *pointer,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const struct textureReference *reference);
cudaError_t cudaGetTextureReference(const struct textureReference **reference,
                                    const void *symbol);
cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset,
                              const struct textureReference *reference);

// The same by name; without a format it is that of the texel type.
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t
cudaBindTexture(size_t *offset, const struct texture<T, Type, Mode> &reference,
                const void *pointer, const struct cudaChannelFormatDesc &desc,
                size_t size = 0xffffffffu) {
  const textureReference *base = &reference;
  return cudaBindTexture(offset, base, pointer, &desc, size);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t cudaBindTexture(size_t *offset,
                            const struct texture<T, Type, Mode> &reference,
                            const void *pointer, size_t size = 0xffffffffu) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc,
                         size);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct texture<T, Type, Mode> &reference,
                              const void *pointer,
                              const struct cudaChannelFormatDesc &desc,
                              size_t width, size_t height, size_t pitch) {
  const textureReference *base = &reference;
  return cudaBindTexture2D(offset, base, pointer, &desc, width, height, pitch);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct texture<T, Type, Mode> &reference,
                              const void *pointer, size_t width, size_t height,
                              size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc,
                           width, height, pitch);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t
cudaBindTextureToArray(const struct texture<T, Type, Mode> &reference,
                       cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &desc) {
  const textureReference *base = &reference;
  return cudaBindTextureToArray(base, array, &desc);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t
cudaBindTextureToArray(const struct texture<T, Type, Mode> &reference,
                       cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t cudaUnbindTexture(const struct texture<T, Type, Mode> &reference) {
  const textureReference *base = &reference;
  return cudaUnbindTexture(base);
}
template <class T, int Type>
cudaError_t cudaBindSurfaceToArray(const struct surface<T, Type> &reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc &desc) {
  const surfaceReference *base = &reference;
  return cudaBindSurfaceToArray(base, array, &desc);
}
template <class T, int Type>
cudaError_t cudaBindSurfaceToArray(const struct surface<T, Type> &reference,
                                   cudaArray_const_t array) {
  return cudaBindSurfaceToArray(reference, array, reference.channelDesc);
}
template <class T, int Type, enum cudaTextureReadMode Mode>
cudaError_t
cudaBindTextureToMipmappedArray(const struct texture<T, Type, Mode> &reference,
                                cudaMipmappedArray_const_t array,
                                const struct cudaChannelFormatDesc &desc);

#endif
