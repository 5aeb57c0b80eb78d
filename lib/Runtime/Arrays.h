/// \file
/// CUDA arrays: memory of texels for textures and surfaces.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_ARRAYS_H
#define GPU_ESTIMATE_LIB_RUNTIME_ARRAYS_H

#include "Api.h"
#include <algorithm>
#include <cstdint>

/// An array lies row by row, slice by slice: the modelled layout of texels has
/// no influence on what a program reads.
struct cudaArray {
  char *Data = nullptr;
  cudaChannelFormatDesc Format = {};
  cudaExtent Extent = {}; ///< in texels; 0 for a missing dimension
  unsigned Flags = 0;
  unsigned TexelBytes = 0;

  uint64_t pitch() const { return Extent.width * TexelBytes; }
  uint64_t slicePitch() const {
    return pitch() * std::max<uint64_t>(1, Extent.height);
  }
};

#endif
