/// \file
/// Analysis of one parsed translation unit: launches, predictions, advice,
/// comparisons.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_UNITANALYSIS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_UNITANALYSIS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"

namespace gpuestimate {

/// Analyses every kernel of one translation unit on the given models.
/// A kernel that cannot be estimated is an entry of Analysis::Unresolveds; the
/// only error is a UsageError: a model, term or buffer that does not exist.
llvm::Expected<Analysis> analyze(TranslationUnit &&Unit, const Setup &S,
                                 llvm::ArrayRef<GpuModel> Gpus);

/// A UsageError that names the first kernel whose launch by options is
/// impossible; success if any kernel of Results has an estimate, or none has
/// such a launch. One kernel's __launch_bounds__ do not make --block wrong for
/// the others of its file.
llvm::Error wrongLaunch(llvm::ArrayRef<const Analysis *> Results);

/// Analyses for diagnostics: writes the JSON file that the options ask for, and
/// returns the diagnostics that neither options nor configuration silence.
llvm::Expected<std::vector<Diagnostic>>
analyzeUnit(TranslationUnit &&Unit, Setup S, const RecordOrigin &Origin);

/// analyzeUnit() for the plugin, with the set-up of the unit's main file.
llvm::Expected<std::vector<Diagnostic>> analyzeForPlugin(TranslationUnit &&Unit,
                                                         const Options &O);

/// Replaces the JSON file that the options ask for after an analysis of
/// MainFile was ended from outside: no kernel has an estimate, for Reason. The
/// record of an earlier compile must not be taken for this one's.
llvm::Error recordFailure(const Options &O, llvm::StringRef MainFile,
                          llvm::StringRef Reason);

} // namespace gpuestimate

#endif
