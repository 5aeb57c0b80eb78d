/// \file
/// The YAML that model files are written in, read without a YAML parser.
#ifndef GPU_ESTIMATE_LIB_GPUMODEL_YAMLLINES_H
#define GPU_ESTIMATE_LIB_GPUMODEL_YAMLLINES_H

#include "gpu-estimate/GpuModel/YamlReader.h"

namespace gpuestimate {

/// The tree of a text that has on each line nothing, a comment, or one
/// `key: value`, deeper ones below a key without a value; values are plain or
/// quoted words, and one-line maps and lists of such words. Reading the model
/// is a tenth of a short analysis by LLVM's reader, and a hundredth so. nullopt
/// for any other text, right or wrong.
std::optional<YamlTree> readPlainYaml(llvm::StringRef Text);

} // namespace gpuestimate

#endif
