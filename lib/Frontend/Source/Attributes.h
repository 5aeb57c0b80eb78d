/// \file
/// [[gpu_estimate::assume(n = 1 << 20)]] and its like, known to clang through
/// its interface for attributes of plugins: in the plugin and in this process
/// alike. Clang skips the arguments of a plugin's scoped attribute, so that
/// they need not be expressions of the language; we read them as text.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATTRIBUTES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATTRIBUTES_H

#include "gpu-estimate/Model/Kernel/SourceAnchor.h"

namespace clang {
class Decl;
class SourceManager;
} // namespace clang

namespace gpuestimate {

/// Makes clang know the attributes, where the linker has left that to us.
void registerAttributes();

/// The attributes that this very declaration has, as the text of a comment
/// would say it.
std::vector<SourceNote> attributesOf(const clang::Decl &D,
                                     const clang::SourceManager &Sources);

} // namespace gpuestimate

#endif
