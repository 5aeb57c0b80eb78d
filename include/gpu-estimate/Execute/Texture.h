/// \file
/// Textures and surfaces: what their handles mean to kernels that execute on
/// the CPU.
#ifndef GPU_ESTIMATE_EXECUTE_TEXTURE_H
#define GPU_ESTIMATE_EXECUTE_TEXTURE_H

#include <cstdint>

namespace gpuestimate {

/// Memory of texels and how a fetch reads it. The handle of a texture or
/// surface object is the address of its descriptor; that of a texture reference
/// is the address of a variable that holds the descriptor's address.
struct TextureDescriptor {
  enum class ChannelKind : uint8_t { Signed, Unsigned, Float };
  enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };
  static constexpr uint64_t MagicNumber = 0x4745'5445'5854'5552;

  const uint64_t Magic = MagicNumber;
  char *Data = nullptr;
  uint64_t Pitch = 0, SlicePitch = 0; ///< bytes between rows, slices or layers
  /// In texels; Depth counts layers, or the faces of cube maps, too.
  uint32_t Width = 1, Height = 1, Depth = 1;
  uint8_t Channels = 1, ChannelBits = 32;
  ChannelKind Kind = ChannelKind::Float;
  AddressMode Address[3] = {AddressMode::Clamp, AddressMode::Clamp,
                            AddressMode::Clamp};
  bool Linear = false;     ///< filtered, else the nearest texel
  bool Normalized = false; ///< coordinates in [0, 1)
  bool ReadAsUnit = false; ///< integers come as numbers in [0, 1] or [-1, 1]
  float Border[4] = {0, 0, 0, 0};
};

} // namespace gpuestimate

#endif
