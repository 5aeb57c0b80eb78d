/// \file
/// A texture or surface that the program made or bound.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_TEXTUREOBJECT_H
#define GPU_ESTIMATE_LIB_RUNTIME_TEXTUREOBJECT_H

#include "Api.h"
#include "gpu-estimate/Execute/Texture.h"

namespace gpuestimate {

struct TextureObject {
  TextureDescriptor Descriptor; ///< its address is the handle
  cudaResourceDesc Resource = {};
  cudaTextureDesc Texture = {};
};

} // namespace gpuestimate

#endif
