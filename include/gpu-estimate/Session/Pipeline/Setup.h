/// \file
/// Inputs of the analysis of one source file: options, configuration and models
/// of machines.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_SETUP_H
#define GPU_ESTIMATE_SESSION_PIPELINE_SETUP_H

#include "gpu-estimate/Evaluate/Models/Models.h"
#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Resolve/BufferNames.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "gpu-estimate/Session/Settings/LaunchFile.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Session/Settings/Profile.h"

namespace gpuestimate {

/// A machine of --against.
struct ComparisonTarget {
  TargetRequest Request;
  CpuModel Cpu;   ///< Request.Kind == Cpu
  FpgaModel Fpga; ///< Request.Kind == Fpga

  const MachineIdentity &machine() const {
    if (Request.Kind == TargetRequest::Cpu)
      return Cpu;
    return Fpga;
  }
};

/// Options and machine models for one source file, the configuration included.
struct Setup {
  Options Given; ///< by the command line or as plugin arguments
  Options Opts;  ///< Given, completed by the configuration for all kernels
  Config Project;
  std::vector<GpuModel> Gpus;    ///< with the overrides applied; not empty
  std::vector<GpuModel> AllGpus; ///< of the model folder; for charts only
  /// Performance models to compare, in place of Opts.Model.
  std::vector<std::string> CompareModels;
  std::vector<KernelProfile> Profiles; ///< of Opts.ProfileFile
  std::optional<GpuModel> ReferenceGpu;
  std::vector<ComparisonTarget> Targets;      ///< of --against
  std::vector<BufferInput> Buffers;           ///< of --buffer
  std::shared_ptr<const LaunchFile> Launches; ///< of --launches; or null
  /// Cards of the times of Launches, by the name that the file has for them; by
  /// "" the one that --measured-on names.
  std::shared_ptr<const llvm::StringMap<GpuModel>> MeasuredCards;
  std::string ModelFolder;
  bool Details = true;    ///< compute what only reports show: latencies, lines
  bool BreakEvens = true; ///< find the size from which a target is faster

  /// The GPU that L was measured on; null where it is not known.
  const GpuModel *measuredOn(const RecordedLaunch &L) const;
};

/// Finds the configuration and loads the machine models. Errors are
/// UsageErrors. Previous: the set-up of another file with equal options, whose
/// models are reused, or null.
llvm::Expected<Setup> prepareSetup(const Options &O, llvm::StringRef SourceFile,
                                   const Setup *Previous = nullptr);

/// Notices of settings that had no effect in a whole run: entries and names of
/// the configurations (see unusedSettings), and budgets of the options.
std::vector<Notice>
unusedSettingNotices(llvm::ArrayRef<const Setup *> Setups,
                     llvm::ArrayRef<std::string> AnalysedFiles,
                     llvm::ArrayRef<const Analysis *> Results);

/// A UsageError for a name that is no term of the model (termsOf).
llvm::Error checkTerms(llvm::ArrayRef<std::string> Without,
                       const ModelInfo &Model);

} // namespace gpuestimate

#endif
