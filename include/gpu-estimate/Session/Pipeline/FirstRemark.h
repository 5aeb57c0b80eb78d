/// \file
/// How to be quiet, said once for each project.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_FIRSTREMARK_H
#define GPU_ESTIMATE_SESSION_PIPELINE_FIRSTREMARK_H

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include <vector>

namespace gpuestimate {

/// Adds a note to the first remark or warning that says how its group is
/// silenced, if this is the first finding of the project: the folder above
/// Source that
/// has a .git, else the current one. A project with a
/// configuration file, or a silenced group, has heard of it. What was said is
/// remembered in $XDG_CACHE_HOME/gpu-estimate/projects; where that is not
/// possible, or GPU_ESTIMATE_HINTS is "off", nothing is said.
void addFirstRemarkNote(std::vector<Diagnostic> &Diagnostics, const Options &O,
                        llvm::StringRef Source);

} // namespace gpuestimate

#endif
