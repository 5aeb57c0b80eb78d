/// \file
/// The option --buffer: which contents a buffer has at the start of a launch.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_BUFFEROPTIONS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_BUFFEROPTIONS_H

#include "gpu-estimate/Resolve/BufferNames.h"

namespace gpuestimate {

/// Reads the files and generators that --buffer NAME=CONTENTS names; Buffers
/// holds (NAME, CONTENTS) pairs. Fails with a UsageError.
llvm::Expected<std::vector<BufferInput>>
readBuffers(llvm::ArrayRef<std::pair<std::string, std::string>> Buffers);

} // namespace gpuestimate

#endif
