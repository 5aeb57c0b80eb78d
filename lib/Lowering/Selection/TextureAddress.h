/// \file
/// Addresses of texels, so that fetches have the locality of their coordinates.
///
/// The texel (x, y, z) of B bytes is at
///   x B + y R + z S,
/// with R = 131072 and S = 32768 R: more than a row and a slice of any texture
/// take, since only the host knows their sizes, and rows must not meet. A warp
/// of 32 x 1 floats touches 4 sectors, one of 8 x 4 touches 4, one of 1 x 32
/// touches
/// 32. In an array (cudaArray) a sector is 16 bytes of two rows (block-linear
/// layout; NVIDIA Tegra X1 Technical Reference Manual, 20.1), so that the last
/// touches 16, and the first 8, half of each for the warp with the next row.
/// Sums of coordinates keep the reuse between the fetches of a stencil visible,
/// which matters more.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_TEXTUREADDRESS_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_TEXTUREADDRESS_H

#include "Lowering/Values/Values.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"

namespace gpuestimate {

/// A fetch or a surface access.
struct TexelRequest {
  /// x, y, z or layer; x of a surface is in bytes.
  llvm::SmallVector<const llvm::Value *, 3> Coordinates;
  const llvm::Value *Object = nullptr; ///< null: unknown
  unsigned Bytes = 4;                  ///< of a texel
  bool IsSurface = false;
  /// A one-dimensional texture has no rows; its second coordinate is a layer.
  bool Is1D = false;

  /// Reads the geometry of a call (texture.h) or an intrinsic of LLVM by its
  /// name, and takes the coordinates from its arguments; nothing for cube maps.
  static std::optional<TexelRequest> of(const llvm::CallBase &I,
                                        llvm::StringRef Name);
  /// What a PTX statement asks for: `tex.2d.v4.f32.f32 {...}, [t, {x, y}]`.
  static std::optional<TexelRequest> of(const InlineAssembly &Assembly,
                                        const PtxInstruction &P);
};

class TextureAddress {
public:
  TextureAddress(Values &V, ExprContext &Ctx, KernelAnalyses &A)
      : V(V), Ctx(Ctx), A(A) {}

  /// The byte that the access reads or writes, from the start of the array;
  /// null where a coordinate is no arithmetic of integers. A coordinate that is
  /// multiplied by a small constant, or by a number that all threads have, is
  /// taken for a normalised one: texels are as far apart as what is multiplied.
  Expr of(const TexelRequest &R);

private:
  /// The texel that a coordinate lies in.
  Expr texel(const llvm::Value *Coordinate, unsigned Depth = 0);
  Expr scaled(const llvm::Value *X, const llvm::Value *Factor, unsigned Depth);
  Expr shifted(Expr Texel, const llvm::Value *By, unsigned Depth);

  Values &V;
  ExprContext &Ctx;
  KernelAnalyses &A;
};

/// The bytes of a texel that the users of a fetch's result take: those of
/// channels that are used, each of 4 bytes unless it is made smaller.
unsigned usedTexelBytes(const llvm::CallBase &I);

} // namespace gpuestimate

#endif
