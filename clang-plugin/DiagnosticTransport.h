/// \file
/// Diagnostics as text, to cross from the process that analyses to the one that
/// compiles.
#ifndef GPU_ESTIMATE_CLANG_PLUGIN_DIAGNOSTICTRANSPORT_H
#define GPU_ESTIMATE_CLANG_PLUGIN_DIAGNOSTICTRANSPORT_H

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Result of the analysis of a file: diagnostics, or an error of the plugin's
/// arguments or the configuration.
struct PluginFindings {
  std::vector<Diagnostic> Diagnostics;
  std::string UsageError; ///< empty: none
};

/// One JSON object; readFindings() gives the findings back.
std::string writeFindings(const PluginFindings &Findings);
llvm::Expected<PluginFindings> readFindings(llvm::StringRef Text);

} // namespace gpuestimate

#endif
