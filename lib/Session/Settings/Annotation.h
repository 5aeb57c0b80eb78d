/// \file
/// Annotations of kernels in the source, as comments or attributes:
///
///   // gpu-estimate: grid=64,64 block=16,16 param n=1024
///   // gpu-estimate: assume(n = 1 << 20) budget(1.5ms, nvidia-h200)
///   // gpu-estimate: launch(grid = 64, block = 16, 16)
///   [[gpu_estimate::assume(n = 1 << 20), gpu_estimate::budget("1.5ms")]]
///
/// Blanks, ';' and ',' separate the items. Of a loop it is `trip = N`, of a
/// condition `probability = P`, which may be constant expressions.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_ANNOTATION_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_ANNOTATION_H

#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"

namespace gpuestimate {

/// Parses the text after "gpu-estimate:". Expressions may use the macros and
/// constants of the source. Errors are UsageErrors with a suggestion.
llvm::Expected<Options> parseAnnotation(llvm::StringRef Text,
                                        const Constants &Variables = {});

/// Parses an annotation of a loop or condition, for the kernels that have it.
llvm::Expected<Options> parseAnnotation(const SourceAnchor &Anchor,
                                        llvm::StringRef Text,
                                        const Constants &Variables = {});

} // namespace gpuestimate

#endif
