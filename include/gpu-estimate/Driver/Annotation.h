/// \file
/// Launch and arguments written beside the kernel, for sources whose host code
/// is elsewhere:
///
///   // gpu-estimate: grid=64,64 block=16,16 param n=1024
///   __global__ void matmul(...)
///
/// The comment may span lines and stands right above the kernel's declaration
/// (between them only other comments, attributes and template headers).
#ifndef GPU_ESTIMATE_DRIVER_ANNOTATION_H
#define GPU_ESTIMATE_DRIVER_ANNOTATION_H

#include "gpu-estimate/Driver/ParseValue.h"
#include "gpu-estimate/Support/SourceLocation.h"

namespace gpuestimate {

/// What the comment above line Line of Text says (after "gpu-estimate:"), and
/// nothing when there is none. Lines count from 1.
std::string annotationText(llvm::StringRef Text, unsigned Line);

/// Reads the annotation of a kernel from its source file. A file that cannot
/// be read has none; one that cannot be understood is an error.
llvm::Expected<AnnotationSettings> readAnnotation(const SourceLocation &Kernel);

} // namespace gpuestimate

#endif
