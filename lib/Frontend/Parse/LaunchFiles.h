/// \file
/// Files that compilers write beside device code and that tell how it is
/// launched: NAME.json of Triton beside NAME.ptx and NAME.llir, and
/// NAME.thunk_sequence.txt of XLA beside NAME.ptx and NAME.ir-with-opt.ll.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_LAUNCHFILES_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_LAUNCHFILES_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// Adds what the files beside Unit.MainFile tell to Unit: launches of its
/// kernels and their order, clusters, and the files. Target becomes the
/// architecture that the code was made for where it is empty. What such a file
/// states wrongly is ignored, with a warning in Diagnostics.
void addStatedLaunches(TranslationUnit &Unit, std::string &Target,
                       std::string &Diagnostics);

} // namespace gpuestimate

#endif
