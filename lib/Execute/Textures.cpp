/// \file
/// Texture fetches and surface accesses, as the CUDA programming guide's
/// appendix "Texture Fetching" defines them: nearest point, or linear filtering
/// with weights of 8 fractional bits; coordinates that wrap, clamp, mirror or
/// give the border's colour.
#include "Textures.h"

#include "gpu-estimate/Execute/Texture.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace gpuestimate {

namespace {

using Descriptor = TextureDescriptor;
using Float4 __attribute__((vector_size(16))) = float;
using Int4 __attribute__((vector_size(16))) = int32_t;

/// Null for a reference to which nothing is bound.
const Descriptor *find(uint64_t Handle) {
  auto *D = reinterpret_cast<const Descriptor *>(Handle);
  if (D && D->Magic != Descriptor::MagicNumber)
    D = *reinterpret_cast<const Descriptor *const *>(Handle);
  return D && D->Magic == Descriptor::MagicNumber ? D : nullptr;
}

float fromHalf(uint16_t Bits) {
  _Float16 Value;
  std::memcpy(&Value, &Bits, sizeof(Value));
  return Value;
}

/// One channel of a texel, sign- or zero-extended; a floating-point number's
/// bits.
int32_t channel(const Descriptor &D, const char *Texel, unsigned C) {
  switch (D.ChannelBits) {
  case 8: {
    uint8_t Bits;
    std::memcpy(&Bits, Texel + C, 1);
    return D.Kind == Descriptor::ChannelKind::Signed ? int8_t(Bits) : Bits;
  }
  case 16: {
    uint16_t Bits;
    std::memcpy(&Bits, Texel + 2 * C, 2);
    if (D.Kind == Descriptor::ChannelKind::Float)
      return std::bit_cast<int32_t>(fromHalf(Bits));
    return D.Kind == Descriptor::ChannelKind::Signed ? int16_t(Bits) : Bits;
  }
  default: {
    int32_t Bits;
    std::memcpy(&Bits, Texel + 4 * C, 4);
    return Bits;
  }
  }
}

/// A channel as a fetch of floating-point numbers sees it.
float number(const Descriptor &D, int32_t Bits) {
  if (D.Kind == Descriptor::ChannelKind::Float)
    return std::bit_cast<float>(Bits);
  bool Signed = D.Kind == Descriptor::ChannelKind::Signed;
  float Value = Signed ? float(Bits) : float(uint32_t(Bits));
  if (!D.ReadAsUnit)
    return Value;
  double Largest = std::ldexp(1.0, int(D.ChannelBits) - Signed) - 1;
  return std::max(-1.0, Value / Largest);
}

/// The index inside [0, Size) that an index stands for; -1 for the border.
int64_t place(int64_t Index, int64_t Size, Descriptor::AddressMode Mode,
              bool Normalized) {
  if (Index >= 0 && Index < Size)
    return Index;
  if (Mode == Descriptor::AddressMode::Border)
    return -1;
  // Texels wrap only where coordinates are normalized.
  if (!Normalized || Mode == Descriptor::AddressMode::Clamp)
    return std::clamp<int64_t>(Index, 0, Size - 1);
  int64_t Period = Mode == Descriptor::AddressMode::Wrap ? Size : 2 * Size;
  int64_t Inside = ((Index % Period) + Period) % Period;
  return Inside < Size ? Inside : Period - 1 - Inside;
}

using Index = std::array<int64_t, 3>;

/// The address of a texel; null for the border.
const char *texel(const Descriptor &D, const Index &I) {
  const int64_t Size[3] = {D.Width, D.Height, D.Depth};
  int64_t P[3];
  for (unsigned A = 0; A != 3; ++A) {
    P[A] = place(I[A], Size[A], D.Address[A], D.Normalized);
    if (P[A] < 0)
      return nullptr;
  }
  unsigned Bytes = D.Channels * D.ChannelBits / 8;
  return D.Data + P[2] * D.SlicePitch + P[1] * D.Pitch + P[0] * Bytes;
}

Float4 floats(const Descriptor &D, const Index &I) {
  Float4 Result = {0, 0, 0, 0};
  const char *T = texel(D, I);
  for (unsigned C = 0; C != D.Channels; ++C)
    Result[C] = T ? number(D, channel(D, T, C)) : D.Border[C];
  return Result;
}

Int4 integers(const Descriptor &D, const Index &I) {
  Int4 Result = {0, 0, 0, 0};
  const char *T = texel(D, I);
  for (unsigned C = 0; C != D.Channels; ++C)
    Result[C] = T ? channel(D, T, C) : int32_t(D.Border[C]);
  return Result;
}

/// A coordinate in texels.
float scaled(const Descriptor &D, float X, uint32_t Size) {
  return D.Normalized ? X * float(Size) : X;
}

struct Weighted {
  int64_t First;
  float Second; ///< weight of the texel behind the first, in steps of 1/256
};

Weighted weigh(float X) {
  float Shifted = X - 0.5f, First = std::floor(Shifted);
  return {int64_t(First), std::round((Shifted - First) * 256) / 256};
}

/// A fetch in Dimensions dimensions; the others have the given index.
template <unsigned Dimensions>
Float4 fetchFloats(uint64_t Handle, std::array<float, 3> X, Index Fixed) {
  const Descriptor *D = find(Handle);
  if (!D)
    return Float4{0, 0, 0, 0};
  const uint32_t Size[3] = {D->Width, D->Height, D->Depth};
  Weighted W[3];
  Index Nearest = Fixed;
  for (unsigned A = 0; A != Dimensions; ++A) {
    float Place = scaled(*D, X[A], Size[A]);
    Nearest[A] = int64_t(std::floor(Place));
    W[A] = weigh(Place);
  }
  if (!D->Linear)
    return floats(*D, Nearest);
  Float4 Sum = {0, 0, 0, 0};
  for (unsigned Corner = 0; Corner != 1u << Dimensions; ++Corner) {
    float Weight = 1;
    Index I = Fixed;
    for (unsigned A = 0; A != Dimensions; ++A) {
      bool Second = Corner >> A & 1;
      I[A] = W[A].First + Second;
      Weight *= Second ? W[A].Second : 1 - W[A].Second;
    }
    if (Weight != 0)
      Sum += floats(*D, I) * Weight;
  }
  return Sum;
}

template <unsigned Dimensions>
Int4 fetchIntegers(uint64_t Handle, std::array<float, 3> X, Index Fixed) {
  const Descriptor *D = find(Handle);
  if (!D)
    return Int4{0, 0, 0, 0};
  const uint32_t Size[3] = {D->Width, D->Height, D->Depth};
  Index Nearest = Fixed;
  for (unsigned A = 0; A != Dimensions; ++A)
    Nearest[A] = int64_t(std::floor(scaled(*D, X[A], Size[A])));
  return integers(*D, Nearest);
}

/// Memory in one dimension by an integer: zero outside.
const Descriptor *inside(uint64_t Handle, int32_t X) {
  const Descriptor *D = find(Handle);
  return D && X >= 0 && uint32_t(X) < D->Width ? D : nullptr;
}

Float4 fetch1DfetchFloats(uint64_t Handle, int32_t X, uint32_t) {
  const Descriptor *D = inside(Handle, X);
  return D ? floats(*D, {X, 0, 0}) : Float4{0, 0, 0, 0};
}
Int4 fetch1DfetchIntegers(uint64_t Handle, int32_t X, uint32_t) {
  const Descriptor *D = inside(Handle, X);
  return D ? integers(*D, {X, 0, 0}) : Int4{0, 0, 0, 0};
}

/// The face of a cube and the coordinates on it, in [0, 1]: the table of the
/// programming guide's section on cube maps.
struct CubePlace {
  int64_t Face;
  float S, T;
};

CubePlace onCube(float X, float Y, float Z) {
  float AX = std::fabs(X), AY = std::fabs(Y), AZ = std::fabs(Z);
  float M, S, T;
  int64_t Face;
  if (AX >= AY && AX >= AZ) {
    Face = X >= 0 ? 0 : 1;
    M = AX;
    S = X >= 0 ? -Z : Z;
    T = -Y;
  } else if (AY >= AZ) {
    Face = Y >= 0 ? 2 : 3;
    M = AY;
    S = X;
    T = Y >= 0 ? Z : -Z;
  } else {
    Face = Z >= 0 ? 4 : 5;
    M = AZ;
    S = Z >= 0 ? X : -X;
    T = -Y;
  }
  return {Face, (S / M + 1) / 2, (T / M + 1) / 2};
}

/// One geometry: its function for floating-point numbers and that for integers.
#define GEOMETRY(Name, Dimensions, Parameters, ...)                            \
  Float4 fetch##Name##Floats(uint64_t Handle, Parameters, uint32_t) {          \
    return fetchFloats<Dimensions>(Handle, __VA_ARGS__);                       \
  }                                                                            \
  Int4 fetch##Name##Integers(uint64_t Handle, Parameters, uint32_t) {          \
    return fetchIntegers<Dimensions>(Handle, __VA_ARGS__);                     \
  }
#define LIST(...) __VA_ARGS__

GEOMETRY(1D, 1, LIST(float X), {X, 0, 0}, {0, 0, 0})
GEOMETRY(2D, 2, LIST(float X, float Y), {X, Y, 0}, {0, 0, 0})
GEOMETRY(3D, 3, LIST(float X, float Y, float Z), {X, Y, Z}, {0, 0, 0})
GEOMETRY(1DLayered, 1, LIST(float X, int32_t Layer), {X, 0, 0}, {0, 0, Layer})
GEOMETRY(2DLayered, 2, LIST(float X, float Y, int32_t Layer), {X, Y, 0},
         {0, 0, Layer})
// There is one level of detail.
GEOMETRY(1DLod, 1, LIST(float X, float), {X, 0, 0}, {0, 0, 0})
GEOMETRY(2DLod, 2, LIST(float X, float Y, float), {X, Y, 0}, {0, 0, 0})
GEOMETRY(3DLod, 3, LIST(float X, float Y, float Z, float), {X, Y, Z}, {0, 0, 0})
GEOMETRY(1DLayeredLod, 1, LIST(float X, int32_t Layer, float), {X, 0, 0},
         {0, 0, Layer})
GEOMETRY(2DLayeredLod, 2, LIST(float X, float Y, int32_t Layer, float),
         {X, Y, 0}, {0, 0, Layer})
GEOMETRY(1DGrad, 1, LIST(float X, float, float), {X, 0, 0}, {0, 0, 0})

#undef GEOMETRY

Float4 fetchCubemapFloats(uint64_t Handle, float X, float Y, float Z,
                          uint32_t) {
  CubePlace P = onCube(X, Y, Z);
  return fetchFloats<2>(Handle, {P.S, P.T, 0}, {0, 0, P.Face});
}
Int4 fetchCubemapIntegers(uint64_t Handle, float X, float Y, float Z,
                          uint32_t) {
  CubePlace P = onCube(X, Y, Z);
  return fetchIntegers<2>(Handle, {P.S, P.T, 0}, {0, 0, P.Face});
}

/// The four texels of a linear fetch, against the clock from the lower left.
std::array<Index, 4> gathered(const Descriptor &D, float X, float Y) {
  int64_t I = weigh(scaled(D, X, D.Width)).First;
  int64_t J = weigh(scaled(D, Y, D.Height)).First;
  return {{{I, J + 1, 0}, {I + 1, J + 1, 0}, {I + 1, J, 0}, {I, J, 0}}};
}

Float4 fetch2DgatherFloats(uint64_t Handle, float X, float Y, int32_t Channel,
                           uint32_t) {
  Float4 Result = {0, 0, 0, 0};
  if (const Descriptor *D = find(Handle)) {
    auto Places = gathered(*D, X, Y);
    for (unsigned I = 0; I != 4; ++I)
      Result[I] = floats(*D, Places[I])[Channel & 3];
  }
  return Result;
}
Int4 fetch2DgatherIntegers(uint64_t Handle, float X, float Y, int32_t Channel,
                           uint32_t) {
  Int4 Result = {0, 0, 0, 0};
  if (const Descriptor *D = find(Handle)) {
    auto Places = gathered(*D, X, Y);
    for (unsigned I = 0; I != 4; ++I)
      Result[I] = integers(*D, Places[I])[Channel & 3];
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Surfaces: x is in bytes, the texel is copied as it is.
//===----------------------------------------------------------------------===//

/// Null outside of the surface.
char *surfacePlace(uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                   uint32_t Bytes) {
  const Descriptor *D = find(Handle);
  if (!D)
    return nullptr;
  int64_t Row = int64_t(D->Width) * D->Channels * D->ChannelBits / 8;
  if (X < 0 || Y < 0 || Z < 0 || X + Bytes > Row || Y >= D->Height ||
      Z >= D->Depth)
    return nullptr;
  return D->Data + Z * D->SlicePitch + Y * D->Pitch + X;
}

Int4 readSurface(uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                 uint32_t Bytes) {
  Int4 Result = {0, 0, 0, 0};
  if (const char *Place = surfacePlace(Handle, X, Y, Z, Bytes))
    std::memcpy(&Result, Place, std::min<uint32_t>(Bytes, sizeof(Result)));
  return Result;
}

void writeSurface(Int4 Value, uint64_t Handle, int64_t X, int64_t Y, int64_t Z,
                  uint32_t Bytes) {
  if (char *Place = surfacePlace(Handle, X, Y, Z, Bytes))
    std::memcpy(Place, &Value, std::min<uint32_t>(Bytes, sizeof(Value)));
}

#define SURFACE(Name, Parameters, ...)                                         \
  Int4 read##Name(uint64_t Handle, Parameters, uint32_t Bytes) {               \
    return readSurface(Handle, __VA_ARGS__, Bytes);                            \
  }                                                                            \
  void write##Name(Int4 Value, uint64_t Handle, Parameters, uint32_t Bytes) {  \
    writeSurface(Value, Handle, __VA_ARGS__, Bytes);                           \
  }

SURFACE(1D, LIST(int32_t X), X, 0, 0)
SURFACE(2D, LIST(int32_t X, int32_t Y), X, Y, 0)
SURFACE(3D, LIST(int32_t X, int32_t Y, int32_t Z), X, Y, Z)
SURFACE(1DLayered, LIST(int32_t X, int32_t Layer), X, 0, Layer)
SURFACE(2DLayered, LIST(int32_t X, int32_t Y, int32_t Layer), X, Y, Layer)
SURFACE(Cubemap, LIST(int32_t X, int32_t Y, int32_t Face), X, Y, Face)

#undef SURFACE
#undef LIST

} // namespace

void addTextureFunctions(llvm::StringMap<void *> &Table) {
#define ADD(Name)                                                              \
  Table["__gpu_estimate_tex" #Name "_v4f32"] =                                 \
      reinterpret_cast<void *>(fetch##Name##Floats);                           \
  Table["__gpu_estimate_tex" #Name "_v4i32"] =                                 \
      reinterpret_cast<void *>(fetch##Name##Integers)
  ADD(1Dfetch);
  ADD(1D);
  ADD(2D);
  ADD(3D);
  ADD(1DLayered);
  ADD(2DLayered);
  ADD(1DLod);
  ADD(2DLod);
  ADD(3DLod);
  ADD(1DLayeredLod);
  ADD(2DLayeredLod);
  ADD(1DGrad);
  ADD(Cubemap);
  ADD(2Dgather);
#undef ADD
#define ADD(Name)                                                              \
  Table["__gpu_estimate_surf" #Name "read"] =                                  \
      reinterpret_cast<void *>(read##Name);                                    \
  Table["__gpu_estimate_surf" #Name "write"] =                                 \
      reinterpret_cast<void *>(write##Name)
  ADD(1D);
  ADD(2D);
  ADD(3D);
  ADD(1DLayered);
  ADD(2DLayered);
  ADD(Cubemap);
#undef ADD
}

} // namespace gpuestimate
