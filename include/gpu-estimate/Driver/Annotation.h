/// \file
/// What a source says of its kernels in place, in comments or attributes:
///
///   // gpu-estimate: grid=64,64 block=16,16 param n=1024
///   // gpu-estimate: assume(n = 1 << 20) budget(1.5ms, nvidia-h200)
///   // gpu-estimate: launch(grid = 64, block = 16, 16)
///
/// Blanks, ';' and ',' separate the items. Of a loop it is `trip = N`, of a
/// condition `probability = P`, which may be constant expressions.
#ifndef GPU_ESTIMATE_DRIVER_ANNOTATION_H
#define GPU_ESTIMATE_DRIVER_ANNOTATION_H

#include "gpu-estimate/Driver/ParseValue.h"
#include "gpu-estimate/Support/SourceLocation.h"

namespace gpuestimate {

/// What stands after "gpu-estimate:". Known are the macros and constants of
/// the source. Errors are UsageErrors that suggest what may have been meant.
llvm::Expected<Options> parseAnnotation(llvm::StringRef Text,
                                        const Constants &Known = {});

/// What the comment above line Line of Text says (after "gpu-estimate:"), and
/// nothing when there is none. Lines count from 1.
std::string annotationText(llvm::StringRef Text, unsigned Line);

/// Reads the annotation of a kernel from its source file. A file that cannot
/// be read has none; one that cannot be understood is an error.
llvm::Expected<Options> readAnnotation(const SourceLocation &Kernel);

} // namespace gpuestimate

#endif
