/// \file
/// Texture fetches and surface accesses of kernels.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TEXTURES_H
#define GPU_ESTIMATE_LIB_EXECUTE_TEXTURES_H

#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Adds the functions that texture.h and surface.h of cuda-headers declare.
void addTextureFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
