/// \file
/// Texture fetches and surface accesses, by the names of our headers
/// (cuda-headers/gpu_estimate/texture.h). Filtering has the eight fraction bits
/// of the hardware's weights (CUDA C++ Programming Guide, Texture Fetching).
#include "DeviceFunctions.h"
#include "gpu-estimate/Execute/Texture.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

using namespace llvm;

namespace gpuestimate {

namespace {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = int32_t __attribute__((vector_size(16)));
using Kind = TextureDescriptor::ChannelKind;
using Mode = TextureDescriptor::AddressMode;

/// A handle is the address of a descriptor, or of a variable that holds it.
const TextureDescriptor &find(uint64_t Handle) {
  uint64_t First;
  std::memcpy(&First, reinterpret_cast<void *>(Handle), sizeof(First));
  return *reinterpret_cast<const TextureDescriptor *>(
      First == TextureDescriptor::MagicNumber ? Handle : First);
}

/// The channels of a texel: the bits of integers, reals of reals.
struct Texel {
  int64_t Integer[4] = {0, 0, 0, 0};
  float Real[4] = {0, 0, 0, 0};
};

Texel readTexel(const TextureDescriptor &T, int64_t X, int64_t Y, int64_t Z) {
  Texel R;
  const unsigned Bytes = T.ChannelBits / 8;
  const char *At =
      T.Data + Z * T.SlicePitch + Y * T.Pitch + X * int64_t(T.Channels) * Bytes;
  for (unsigned C = 0; C < T.Channels; ++C, At += Bytes) {
    uint64_t Bits = 0;
    std::memcpy(&Bits, At, Bytes);
    if (T.Kind == Kind::Float) {
      if (Bytes == 2) {
        R.Real[C] = realOfHalf(uint16_t(Bits));
        std::memcpy(&R.Integer[C], &R.Real[C], 4);
      } else {
        std::memcpy(&R.Real[C], At, 4);
        R.Integer[C] = int64_t(Bits);
      }
      continue;
    }
    unsigned Unused = 64 - T.ChannelBits;
    R.Integer[C] = T.Kind == Kind::Signed ? int64_t(Bits << Unused) >> Unused
                                          : int64_t(Bits);
    float Largest = T.Kind == Kind::Signed
                        ? std::ldexp(1.0f, T.ChannelBits - 1) - 1
                        : std::ldexp(1.0f, T.ChannelBits) - 1;
    R.Real[C] = T.ReadAsUnit ? std::max(-1.0f, R.Integer[C] / Largest)
                             : float(R.Integer[C]);
  }
  return R;
}

/// The texel index of a coordinate in the address mode; -1: outside.
int64_t addressOf(int64_t I, int64_t Size, Mode M) {
  switch (M) {
  case Mode::Wrap:
    return (I % Size + Size) % Size;
  case Mode::Mirror: {
    int64_t Twice = (I % (2 * Size) + 2 * Size) % (2 * Size);
    return Twice < Size ? Twice : 2 * Size - 1 - Twice;
  }
  case Mode::Border:
    return I < 0 || I >= Size ? -1 : I;
  case Mode::Clamp:
    break;
  }
  return std::clamp<int64_t>(I, 0, Size - 1);
}

/// A fetch at up to three coordinates; Layer is used as it is.
class Fetch {
public:
  /// Forced: the address mode in place of the texture's.
  Fetch(uint64_t Handle, unsigned Dimensions,
        std::optional<Mode> Forced = std::nullopt)
      : T(find(Handle)), Dimensions(Dimensions), Forced(Forced) {}

  Texel at(const float *Coordinates, int64_t Layer) const {
    const uint32_t Sizes[] = {T.Width, T.Height, T.Depth};
    int64_t Low[3] = {0, 0, 0};
    float Fraction[3] = {0, 0, 0};
    for (unsigned D = 0; D < Dimensions; ++D) {
      float X = Coordinates[D] * (T.Normalized ? float(Sizes[D]) : 1.0f);
      if (T.Linear)
        X -= 0.5f;
      float Floor = std::floor(std::clamp(X, -1e9f, 1e9f));
      Low[D] = int64_t(Floor);
      if (T.Linear)
        Fraction[D] = std::round((X - Floor) * 256) / 256;
    }
    if (!T.Linear)
      return texel(Low, Layer);
    Texel Sum;
    for (unsigned Corner = 0; Corner < 1u << Dimensions; ++Corner) {
      int64_t I[3] = {0, 0, 0};
      float Weight = 1;
      for (unsigned D = 0; D < Dimensions; ++D) {
        bool High = Corner >> D & 1;
        I[D] = Low[D] + High;
        Weight *= High ? Fraction[D] : 1 - Fraction[D];
      }
      if (Weight == 0)
        continue;
      Texel Part = texel(I, Layer);
      for (unsigned C = 0; C < 4; ++C)
        Sum.Real[C] += Weight * Part.Real[C];
    }
    for (unsigned C = 0; C < 4; ++C)
      Sum.Integer[C] = int64_t(Sum.Real[C]);
    return Sum;
  }

  Texel texel(const int64_t *I, int64_t Layer) const {
    const uint32_t Sizes[] = {T.Width, T.Height, T.Depth};
    int64_t At[3] = {0, 0, 0};
    for (unsigned D = 0; D < Dimensions; ++D) {
      Mode M = Forced.value_or(T.Address[D]);
      // Without normalised coordinates there is no wrap and no mirror.
      if (!T.Normalized && (M == Mode::Wrap || M == Mode::Mirror))
        M = Mode::Clamp;
      At[D] = addressOf(I[D], Sizes[D], M);
      if (At[D] < 0) {
        Texel Border;
        std::copy_n(T.Border, 4, Border.Real);
        return Border;
      }
    }
    if (Layer >= 0)
      At[2] = std::clamp<int64_t>(Layer, 0, int64_t(T.Depth) - 1);
    return readTexel(T, At[0], At[1], At[2]);
  }

private:
  const TextureDescriptor &T;
  unsigned Dimensions;
  std::optional<Mode> Forced;
};

template <typename Result> Result pack(const Texel &T) {
  if constexpr (std::is_same_v<Result, Float4>)
    return Float4{T.Real[0], T.Real[1], T.Real[2], T.Real[3]};
  else
    return Int4{int32_t(T.Integer[0]), int32_t(T.Integer[1]),
                int32_t(T.Integer[2]), int32_t(T.Integer[3])};
}

template <typename R> R fetchLinear(uint64_t Handle, int32_t X, uint32_t) {
  const TextureDescriptor &T = find(Handle);
  if (X < 0 || X >= int64_t(T.Width) * T.Height)
    return pack<R>(Texel());
  return pack<R>(readTexel(T, X, 0, 0));
}
template <typename R> R fetch1(uint64_t Handle, float X, uint32_t) {
  return pack<R>(Fetch(Handle, 1).at(&X, -1));
}
template <typename R> R fetch2(uint64_t Handle, float X, float Y, uint32_t) {
  float At[] = {X, Y};
  return pack<R>(Fetch(Handle, 2).at(At, -1));
}
template <typename R>
R fetch3(uint64_t Handle, float X, float Y, float Z, uint32_t) {
  float At[] = {X, Y, Z};
  return pack<R>(Fetch(Handle, 3).at(At, -1));
}
template <typename R>
R fetch1Layered(uint64_t Handle, float X, int32_t Layer, uint32_t) {
  return pack<R>(Fetch(Handle, 1).at(&X, std::max(Layer, 0)));
}
template <typename R>
R fetch2Layered(uint64_t Handle, float X, float Y, int32_t Layer, uint32_t) {
  float At[] = {X, Y};
  return pack<R>(Fetch(Handle, 2).at(At, std::max(Layer, 0)));
}
/// A direction in a cube map: the coordinate of largest magnitude names the
/// face, the other two a place on it (CUDA C++ Programming Guide, "Cubemap
/// Textures").
template <typename R>
R fetchCubeLayered(uint64_t Handle, float X, float Y, float Z, int32_t Layer,
                   uint32_t) {
  float AbsX = std::fabs(X), AbsY = std::fabs(Y), AbsZ = std::fabs(Z);
  int Face;
  float Major, S, T;
  if (AbsX >= AbsY && AbsX >= AbsZ) {
    Face = X >= 0 ? 0 : 1;
    Major = AbsX;
    S = X >= 0 ? -Z : Z;
    T = -Y;
  } else if (AbsY >= AbsZ) {
    Face = Y >= 0 ? 2 : 3;
    Major = AbsY;
    S = X;
    T = Y >= 0 ? Z : -Z;
  } else {
    Face = Z >= 0 ? 4 : 5;
    Major = AbsZ;
    S = Z >= 0 ? X : -X;
    T = -Y;
  }
  const TextureDescriptor &D = find(Handle);
  float At[] = {(S / Major + 1) / 2, (T / Major + 1) / 2};
  if (!D.Normalized) { // a cube map always is
    At[0] *= float(D.Width);
    At[1] *= float(D.Height);
  }
  return pack<R>(
      Fetch(Handle, 2, Mode::Clamp).at(At, 6 * std::max(Layer, 0) + Face));
}
template <typename R>
R fetchCube(uint64_t Handle, float X, float Y, float Z, uint32_t B) {
  return fetchCubeLayered<R>(Handle, X, Y, Z, 0, B);
}
// Level 0 is the only one.
template <typename R>
R fetchCubeLod(uint64_t H, float X, float Y, float Z, float, uint32_t B) {
  return fetchCube<R>(H, X, Y, Z, B);
}
template <typename R>
R fetch1LayeredLod(uint64_t H, float X, int32_t Layer, float, uint32_t B) {
  return fetch1Layered<R>(H, X, Layer, B);
}
template <typename R>
R fetch2LayeredLod(uint64_t H, float X, float Y, int32_t Layer, float,
                   uint32_t B) {
  return fetch2Layered<R>(H, X, Y, Layer, B);
}
template <typename R> R fetch1Lod(uint64_t H, float X, float, uint32_t B) {
  return fetch1<R>(H, X, B);
}
template <typename R>
R fetch2Lod(uint64_t H, float X, float Y, float, uint32_t B) {
  return fetch2<R>(H, X, Y, B);
}
template <typename R>
R fetch3Lod(uint64_t H, float X, float Y, float Z, float, uint32_t B) {
  return fetch3<R>(H, X, Y, Z, B);
}
template <typename R>
R gather2(uint64_t Handle, float X, float Y, int32_t Channel, uint32_t) {
  const TextureDescriptor &T = find(Handle);
  if (T.Normalized) {
    X *= float(T.Width);
    Y *= float(T.Height);
  }
  int64_t I = int64_t(std::floor(X - 0.5f)), J = int64_t(std::floor(Y - 0.5f));
  const int64_t Corners[4][2] = {
      {I, J + 1}, {I + 1, J + 1}, {I + 1, J}, {I, J}};
  Texel Out;
  for (unsigned C = 0; C < 4; ++C) {
    Texel One = Fetch(Handle, 2).texel(Corners[C], -1);
    Out.Real[C] = One.Real[Channel & 3];
    Out.Integer[C] = One.Integer[Channel & 3];
  }
  return pack<R>(Out);
}

/// The address of a surface's bytes; null outside of the surface. X counts
/// bytes.
char *surfaceAt(uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                uint32_t Bytes) {
  const TextureDescriptor &T = find(Handle);
  int64_t RowBytes = int64_t(T.Width) * T.Channels * T.ChannelBits / 8;
  if (X < 0 || X + Bytes > RowBytes || Y < 0 || Y >= int64_t(T.Height) ||
      Z < 0 || Z >= int64_t(T.Depth))
    return nullptr;
  return T.Data + Z * T.SlicePitch + Y * T.Pitch + X;
}
Int4 readSurface(uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                 uint32_t Bytes) {
  Int4 R = {0, 0, 0, 0};
  if (const char *At = surfaceAt(Handle, X, Y, Z, Bytes))
    std::memcpy(&R, At, std::min<size_t>(Bytes, sizeof(R)));
  return R;
}
void writeSurface(Int4 Value, uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                  uint32_t Bytes) {
  if (char *At = surfaceAt(Handle, X, Y, Z, Bytes))
    std::memcpy(At, &Value, std::min<size_t>(Bytes, sizeof(Value)));
}
Int4 readSurface1(uint64_t H, int32_t X, uint32_t B) {
  return readSurface(H, X, 0, 0, B);
}
Int4 readSurface2(uint64_t H, int32_t X, int32_t Y, uint32_t B) {
  return readSurface(H, X, Y, 0, B);
}
Int4 readSurface3(uint64_t H, int32_t X, int32_t Y, int32_t Z, uint32_t B) {
  return readSurface(H, X, Y, Z, B);
}
Int4 readSurface1Layered(uint64_t H, int32_t X, int32_t Layer, uint32_t B) {
  return readSurface(H, X, 0, Layer, B);
}
void writeSurface1(Int4 V, uint64_t H, int32_t X, uint32_t B) {
  writeSurface(V, H, X, 0, 0, B);
}
void writeSurface2(Int4 V, uint64_t H, int32_t X, int32_t Y, uint32_t B) {
  writeSurface(V, H, X, Y, 0, B);
}
void writeSurface3(Int4 V, uint64_t H, int32_t X, int32_t Y, int32_t Z,
                   uint32_t B) {
  writeSurface(V, H, X, Y, Z, B);
}
void writeSurface1Layered(Int4 V, uint64_t H, int32_t X, int32_t Layer,
                          uint32_t B) {
  writeSurface(V, H, X, 0, Layer, B);
}

} // namespace

void addTextureFunctions(StringMap<void *> &Table) {
  auto add = [&](const Twine &Name, auto *Function) {
    Table[Name.str()] = reinterpret_cast<void *>(Function);
  };
#define FETCH(Geometry, Function)                                              \
  add("__gpu_estimate_tex" Geometry "_v4f32", Function<Float4>);               \
  add("__gpu_estimate_tex" Geometry "_v4i32", Function<Int4>)
  FETCH("1Dfetch", fetchLinear);
  FETCH("1D", fetch1);
  FETCH("2D", fetch2);
  FETCH("3D", fetch3);
  FETCH("1DLayered", fetch1Layered);
  FETCH("2DLayered", fetch2Layered);
  FETCH("1DLod", fetch1Lod);
  FETCH("2DLod", fetch2Lod);
  FETCH("3DLod", fetch3Lod);
  FETCH("2Dgather", gather2);
  FETCH("Cubemap", fetchCube);
  FETCH("CubemapLayered", fetchCubeLayered);
  FETCH("CubemapLod", fetchCubeLod);
  FETCH("1DLayeredLod", fetch1LayeredLod);
  FETCH("2DLayeredLod", fetch2LayeredLod);
#undef FETCH
  add("__gpu_estimate_surf1Dread", readSurface1);
  add("__gpu_estimate_surf2Dread", readSurface2);
  add("__gpu_estimate_surf3Dread", readSurface3);
  add("__gpu_estimate_surf1DLayeredread", readSurface1Layered);
  add("__gpu_estimate_surf2DLayeredread", readSurface3);
  add("__gpu_estimate_surfCubemapread", readSurface3);
  add("__gpu_estimate_surf1Dwrite", writeSurface1);
  add("__gpu_estimate_surf2Dwrite", writeSurface2);
  add("__gpu_estimate_surf3Dwrite", writeSurface3);
  add("__gpu_estimate_surf1DLayeredwrite", writeSurface1Layered);
  add("__gpu_estimate_surf2DLayeredwrite", writeSurface3);
  add("__gpu_estimate_surfCubemapwrite", writeSurface3);
}

} // namespace gpuestimate
