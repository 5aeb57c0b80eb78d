/// \file
/// Texture and surface objects, and texture references.
#include "Arrays.h"
#include "Process.h"
#include "TextureObject.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/texture_reference.h"
#pragma GCC visibility pop

using namespace gpuestimate;

namespace {

void setFormat(TextureDescriptor &D, const cudaChannelFormatDesc &Format) {
  const int Bits[] = {Format.x, Format.y, Format.z, Format.w};
  D.ChannelBits = Format.x;
  D.Channels = 0;
  for (int B : Bits)
    D.Channels += B != 0;
  D.Kind = Format.f == cudaChannelFormatKindFloat
               ? TextureDescriptor::ChannelKind::Float
           : Format.f == cudaChannelFormatKindSigned
               ? TextureDescriptor::ChannelKind::Signed
               : TextureDescriptor::ChannelKind::Unsigned;
}

/// 8, 16 or 32 bits a channel, all of one size.
bool isValid(const TextureDescriptor &D) {
  return D.Channels &&
         (D.ChannelBits == 8 || D.ChannelBits == 16 || D.ChannelBits == 32);
}

unsigned texelBytes(const TextureDescriptor &D) {
  return D.Channels * D.ChannelBits / 8;
}

void setArray(TextureDescriptor &D, const cudaArray &A) {
  setFormat(D, A.Format);
  D.Data = A.Data;
  D.Pitch = A.pitch();
  D.SlicePitch = A.slicePitch();
  D.Width = A.Extent.width;
  D.Height = std::max<size_t>(1, A.Extent.height);
  D.Depth = std::max<size_t>(1, A.Extent.depth);
}

void setLinear(TextureDescriptor &D, const void *Data,
               const cudaChannelFormatDesc &Format, uint64_t Bytes) {
  setFormat(D, Format);
  D.Data = static_cast<char *>(const_cast<void *>(Data));
  D.Width = texelBytes(D) ? Bytes / texelBytes(D) : 0;
}

void setPitched(TextureDescriptor &D, const void *Data,
                const cudaChannelFormatDesc &Format, uint64_t Width,
                uint64_t Height, uint64_t Pitch) {
  setFormat(D, Format);
  D.Data = static_cast<char *>(const_cast<void *>(Data));
  D.Width = Width;
  D.Height = Height;
  D.Pitch = Pitch;
}

cudaError_t setResource(TextureDescriptor &D, const cudaResourceDesc &R) {
  switch (R.resType) {
  case cudaResourceTypeArray:
    if (!R.res.array.array)
      return cudaErrorInvalidValue;
    setArray(D, *R.res.array.array);
    break;
  case cudaResourceTypeLinear:
    setLinear(D, R.res.linear.devPtr, R.res.linear.desc,
              R.res.linear.sizeInBytes);
    break;
  case cudaResourceTypePitch2D:
    setPitched(D, R.res.pitch2D.devPtr, R.res.pitch2D.desc, R.res.pitch2D.width,
               R.res.pitch2D.height, R.res.pitch2D.pitchInBytes);
    break;
  case cudaResourceTypeMipmappedArray:
    return cudaErrorNotSupported;
  }
  return isValid(D) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

void setSampling(TextureDescriptor &D, const cudaTextureDesc &T) {
  for (unsigned I = 0; I != 3; ++I)
    D.Address[I] = TextureDescriptor::AddressMode(T.addressMode[I]);
  D.Linear = T.filterMode == cudaFilterModeLinear;
  D.Normalized = T.normalizedCoords;
  D.ReadAsUnit = T.readMode == cudaReadModeNormalizedFloat;
  std::copy(std::begin(T.borderColor), std::end(T.borderColor), D.Border);
}

cudaError_t create(ApiCall &Call, unsigned long long *Result,
                   const cudaResourceDesc *R, const cudaTextureDesc *T) {
  if (!Result || !R)
    return Call.done(cudaErrorInvalidValue);
  auto Object = std::make_unique<TextureObject>();
  if (cudaError_t Error = setResource(Object->Descriptor, *R))
    return Call.done(Error);
  Object->Resource = *R;
  if (T) {
    Object->Texture = *T;
    setSampling(Object->Descriptor, *T);
  }
  *Result = reinterpret_cast<uint64_t>(&Object->Descriptor);
  Call->Textures[*Result] = std::move(Object);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

/// The object 0 is none, and nothing to destroy.
cudaError_t destroy(ApiCall &Call, unsigned long long Handle) {
  if (Handle == 0)
    return Call.done(cudaSuccess);
  return Call.done(Call->Textures.erase(Handle) ? cudaSuccess
                                                : cudaErrorInvalidValue);
}

TextureObject *find(ApiCall &Call, unsigned long long Handle) {
  auto It = Call->Textures.find(Handle);
  return It == Call->Textures.end() ? nullptr : It->second.get();
}

/// Binds a descriptor to the variable behind a reference.
template <class Set>
cudaError_t bind(ApiCall &Call, const void *Reference, Set SetMemory) {
  Variable *V = Call->findVariable(Call, Reference);
  if (!V)
    return Call.done(cudaErrorInvalidTexture);
  auto Object = std::make_unique<TextureObject>();
  TextureDescriptor &D = Object->Descriptor;
  SetMemory(D);
  if (!isValid(D))
    return Call.done(cudaErrorInvalidChannelDescriptor);
  if (V->IsTexture) {
    auto *R = static_cast<const textureReference *>(Reference);
    for (unsigned I = 0; I != 3; ++I)
      D.Address[I] = TextureDescriptor::AddressMode(R->addressMode[I]);
    D.Linear = R->filterMode == cudaFilterModeLinear;
    D.Normalized = R->normalized;
    D.ReadAsUnit = V->ReadAsUnit;
  }
  *static_cast<const TextureDescriptor **>(
      Call->storage(Call, *V, currentDevice())) = &D;
  Call->Textures[reinterpret_cast<uint64_t>(V)] = std::move(Object);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

} // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *Result,
                                    const cudaResourceDesc *Resource,
                                    const cudaTextureDesc *Texture,
                                    const cudaResourceViewDesc *) {
  GPU_ESTIMATE_CALL;
  return create(Call, Result, Resource, Texture);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Handle) {
  GPU_ESTIMATE_CALL;
  return destroy(Call, Handle);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *Result,
                                             cudaTextureObject_t Handle) {
  GPU_ESTIMATE_CALL;
  TextureObject *Object = find(Call, Handle);
  if (!Result || !Object)
    return Call.done(cudaErrorInvalidValue);
  *Result = Object->Resource;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *Result,
                                            cudaTextureObject_t Handle) {
  GPU_ESTIMATE_CALL;
  TextureObject *Object = find(Call, Handle);
  if (!Result || !Object)
    return Call.done(cudaErrorInvalidValue);
  *Result = Object->Texture;
  return Call.done(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *Result,
                                    const cudaResourceDesc *Resource) {
  GPU_ESTIMATE_CALL;
  return create(Call, Result, Resource, nullptr);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Handle) {
  GPU_ESTIMATE_CALL;
  return destroy(Call, Handle);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *Result,
                                             cudaSurfaceObject_t Handle) {
  return cudaGetTextureObjectResourceDesc(Result, Handle);
}

} // extern "C"

cudaError_t cudaBindTexture(size_t *Offset, const textureReference *Reference,
                            const void *Pointer,
                            const cudaChannelFormatDesc *Format, size_t Bytes) {
  GPU_ESTIMATE_CALL;
  if (Offset)
    *Offset = 0;
  // Without a size, the texture goes on to the end of the memory.
  if (const RuntimeAllocation *A = Call->Memory.find(Pointer))
    Bytes = std::min<uint64_t>(Bytes, A->Address + A->Bytes -
                                          reinterpret_cast<uint64_t>(Pointer));
  return bind(Call, Reference, [&](TextureDescriptor &D) {
    setLinear(D, Pointer, *Format, Bytes);
  });
}

cudaError_t cudaBindTexture2D(size_t *Offset, const textureReference *Reference,
                              const void *Pointer,
                              const cudaChannelFormatDesc *Format, size_t Width,
                              size_t Height, size_t Pitch) {
  GPU_ESTIMATE_CALL;
  if (Offset)
    *Offset = 0;
  return bind(Call, Reference, [&](TextureDescriptor &D) {
    setPitched(D, Pointer, *Format, Width, Height, Pitch);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference *Reference,
                                   cudaArray_const_t Array,
                                   const cudaChannelFormatDesc *) {
  GPU_ESTIMATE_CALL;
  if (!Array)
    return Call.done(cudaErrorInvalidResourceHandle);
  return bind(Call, Reference,
              [&](TextureDescriptor &D) { setArray(D, *Array); });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference *Reference,
                                   cudaArray_const_t Array,
                                   const cudaChannelFormatDesc *) {
  GPU_ESTIMATE_CALL;
  if (!Array)
    return Call.done(cudaErrorInvalidResourceHandle);
  return bind(Call, Reference,
              [&](TextureDescriptor &D) { setArray(D, *Array); });
}

cudaError_t cudaUnbindTexture(const textureReference *) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *Offset,
                                          const textureReference *) {
  GPU_ESTIMATE_CALL;
  *Offset = 0;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetTextureReference(const textureReference **Result,
                                    const void *Symbol) {
  GPU_ESTIMATE_CALL;
  *Result = static_cast<const textureReference *>(Symbol);
  return Call.done(cudaSuccess);
}
