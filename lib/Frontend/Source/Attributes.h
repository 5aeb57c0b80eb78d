/// \file
/// Attributes such as [[gpu_estimate::assume(n = 1 << 20)]], registered through
/// clang's interface for plugin attributes. Clang skips the arguments of such
/// attributes, which are read as text and need not be C++ expressions.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATTRIBUTES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_ATTRIBUTES_H

#include "gpu-estimate/Model/Kernel/SourceAnchor.h"

namespace clang {
class Decl;
class SourceManager;
} // namespace clang

namespace gpuestimate {

/// Forces the linker to keep the registration of the attributes.
void registerAttributes();

/// The attributes of one declaration, in the syntax of annotations in comments.
std::vector<SourceAnnotation> attributesOf(const clang::Decl &D,
                                           const clang::SourceManager &Sources);

} // namespace gpuestimate

#endif
