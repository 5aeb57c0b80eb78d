/// \file
/// The result of a whole analysis as plain data: explained predictions, the
/// kernels that could not be predicted, and what the user should know about
/// the input. Session fills it; Report prints it.
#ifndef GPU_ESTIMATE_MODEL_RESULT_ANALYSIS_H
#define GPU_ESTIMATE_MODEL_RESULT_ANALYSIS_H

#include "gpu-estimate/Model/Kernel/DeviceCompiler.h"
#include "gpu-estimate/Model/Kernel/EditSite.h"
#include "gpu-estimate/Model/Kernel/LaunchSequence.h"
#include "gpu-estimate/Model/Kernel/LibraryCall.h"
#include "gpu-estimate/Model/Result/ModelComparison.h"
#include "gpu-estimate/Model/Result/SizeCurve.h"
#include "gpu-estimate/Model/Result/TargetComparison.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A performance problem of a kernel with its source location.
struct Finding {
  std::string Group; ///< of diagnostics: "uncoalesced" (DiagnosticTable.h)
  std::string Id;    ///< of the advice: "uncoalesced-load"
  SourceLocation Location;
  std::string Problem; ///< what is wrong, with its numbers
  std::string Remedy; ///< the change that Gain is about; "" where none is known
  /// 1 - T'/T, where T' is the time with the change. Nothing where the change
  /// was not evaluated: only the worst places of each group are.
  std::optional<double> Gain;
  /// 1 - E'/E, of the energy, where the GPU's power is known.
  std::optional<double> EnergyGain = {};
};

/// Minimum fraction of the time that a remedy must save to be advised.
inline constexpr double MinimumGain = 0.02;
/// Diagnostics leave out smaller gains, and findings of kernels with a smaller
/// share of the time of their file, unless Analysis::AllFindings asks for them.
inline constexpr double RelevantGain = 0.05, RelevantShare = 0.02;

struct EstimateCharts; // Charts.h

/// A launch with its arguments in the kernel's order, as reports print them.
struct ReportedLaunch {
  Launch Used;
  std::vector<std::pair<std::string, double>> Arguments;
};

/// Launches in one run of the program: if each variable of host code that
/// decides their number, and is not known, were 1, and if it were 1000.
struct LaunchCount {
  double Few = 1, Many = 1;
};

/// What a file of launches (--launches) tells of a launch.
struct RecordedTime {
  double Launches = 1;
  std::optional<Seconds> Time; ///< mean of the launches
  std::string Gpu, GpuName;    ///< that it was measured on; "" not known
  size_t Number = 0;           ///< of the file's launches, from 0
  SourceLocation Place;        ///< in the file; invalid where it has no lines
};

/// The time on one GPU as that measured on another one times the predicted
/// ratio of both: errors that both predictions share cancel.
struct TransferredTime {
  Seconds Time;
  /// Factors of Time; nothing where it is not known how far ratios err.
  std::optional<TimeFactors> Error;
  std::string Bottleneck; ///< on the GPU of the measurement
};

struct ExplainedPrediction {
  Prediction Estimate;
  std::vector<Finding> Findings;
  /// Nothing: host code does not tell.
  std::optional<LaunchCount> Count = {};
  /// Set where a size is not known that decides the time: there is no time, and
  /// Estimate is about the last point of the table.
  std::optional<SizeCurve> Curve = {};
  /// Set for the launches of a file.
  std::optional<RecordedTime> Recorded = {};
  std::optional<TransferredTime> Transferred = {}; ///< where asked for
  /// Set: the loop around a nest of plain C spends more of its time in this
  /// launch of it, for which the findings of the loop were made.
  std::optional<ReportedLaunch> FoundAt = {};
  /// One for each machine asked for.
  std::vector<TargetComparison> Against = {};
  /// Diagnostic groups that are silenced for this kernel.
  std::vector<std::string> Silenced = {};
  std::shared_ptr<const EstimateCharts> Charts = nullptr; ///< if asked for

  /// Findings whose remedy saves at least MinimumGain, largest gain first.
  std::vector<const Finding *> advice() const;
};

/// What is wrong with the launch of a kernel without an estimate.
enum class LaunchFault {
  None,      ///< nothing, or there is no launch
  OfSource,  ///< the source or a settings file asks for an impossible launch
  OfOptions, ///< options do, which other kernels may well be launched with
};

/// A kernel, or one launch of it, without an estimate.
struct Unresolved {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Reason;
  /// False: nothing instantiates it, or it was only proposed and does not pay.
  bool HasCode = true;
  LaunchFault Fault = LaunchFault::None;
  std::vector<std::string> Silenced = {}; ///< as for an estimate
};

/// A time budget of a launch and the predicted time.
struct BudgetCheck {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Gpu, GpuName;
  Seconds Limit;
  std::string Source;          ///< the authority: "config"
  std::optional<Seconds> Time; ///< nothing: there is no estimate
  /// Why there is an estimate and no time: "its time depends on n, ..."
  std::string CannotTell;
  /// The interval of Time, shortest and longest; nothing where its prediction
  /// has none.
  std::optional<std::pair<Seconds, Seconds>> Interval;
  VerdictRule Rule = VerdictRule::Likely;
  Launch Used; ///< with a time
  /// The breakdown of Time, the largest term first.
  std::vector<std::pair<std::string, Seconds>> Terms;
  /// Terms when the budget was last kept, where an earlier record tells.
  std::vector<std::pair<std::string, Seconds>> Kept;
  std::vector<std::string> Silenced; ///< as for an estimate

  bool exceeded() const {
    if (!Time)
      return false;
    switch (Rule) {
    case VerdictRule::Likely:
      break;
    case VerdictRule::Sure:
      return Interval && Interval->first > Limit;
    case VerdictRule::Possible:
      return !Interval || Interval->second > Limit;
    }
    return *Time > Limit;
  }
  /// "over", "within", or "cannot tell" where the limit lies in the interval
  /// or there is none.
  llvm::StringRef verdict() const {
    return !Interval                   ? "cannot tell"
           : Interval->first > Limit   ? "over"
           : Interval->second <= Limit ? "within"
                                       : "cannot tell";
  }
};

/// A remark on the input: a --param that names nothing, an ignored annotation.
struct Notice {
  SourceLocation Location; ///< invalid when it is about the command line
  std::string Text;
};

/// The kernels of one function of plain C on one GPU, with their launches.
struct FunctionTotal {
  std::string Function, Gpu, GpuName;
  Seconds Time;
  double Launches = 0;
  /// One kernel with all of its launches.
  struct Part {
    std::string Kernel, Name;
    double Launches = 0;
    Seconds Time;
  };
  std::vector<Part> Parts;
};

/// The launches of a file (--launches) on one GPU.
struct RecordedTotal {
  std::string Gpu, GpuName;
  std::string MeasuredOn; ///< name of the GPU of the measurements; "" unknown
  std::vector<const ExplainedPrediction *> Rows; ///< longest total time first
  double Launches = 0;
  Seconds Predicted; ///< of all launches
  /// Nothing where a row has none.
  std::optional<Seconds> Measured, Transferred;
};

/// One execution of a sequence of launches (LaunchSequence.h) on one GPU.
struct SequenceTotal {
  std::string Name, File; ///< of the sequence
  std::string Gpu, GpuName;
  /// From the first launch until the host sees that all is done, without what
  /// is not predicted.
  Seconds Time;
  Seconds KernelTime; ///< kernels run
  Seconds CopyTime;   ///< copies and memsets are done
  Seconds IdleTime;   ///< the GPU waits for the host
  double Launches = 0;
  std::vector<FunctionTotal::Part> Parts; ///< by their first launch
  /// Equal steps that are not in Time: "kGemm", 3, and why.
  struct Missing {
    std::string What;
    double Count = 0;
    unsigned Line = 0; ///< of the first one
    std::string Why;
  };
  std::vector<Missing> NotPredicted;
  std::vector<std::string> Premises; ///< what is taken for granted
};

/// Work of one part of an analysis (Support/WorkBudget.h).
struct WorkDone {
  std::string Part; ///< a kernel's name, or what is done for all kernels
  uint64_t Units = 0;
};

struct Analysis {
  std::vector<ExplainedPrediction> Estimates;
  std::vector<ModelComparison> Comparisons; ///< in place of estimates
  std::vector<Unresolved> Unresolveds;
  std::vector<Notice> Notices;
  std::vector<BudgetCheck> Budgets;
  /// The compiler that the source is meant for; nothing for compiled code and
  /// loop nests.
  std::optional<DeviceCompiler> Compiler;
  /// The order of the launches, where it is known; null: it is not.
  std::shared_ptr<const LaunchSequence> Sequence;
  std::vector<SequenceTotal> SequenceTotals;
  /// Kernels that system headers define, by mangled name, with the calls in
  /// the user's source that lead to them; at least one for each.
  std::map<std::string, std::vector<LibraryCall>> LibraryKernels;
  std::vector<WorkDone> Work; ///< in the order in which it was done
  /// Diagnostic groups that are errors.
  std::vector<std::string> Errors;
  /// Diagnostics are about every launch and finding, neither selected nor
  /// merged (docs/diagnostics-selection.md).
  bool AllFindings = false;
  /// Entries and names of the configuration that meant something, as
  /// "file:line:column".
  std::vector<std::string> UsedSettings;
  std::string Dump; ///< text of --dump, in place of estimates
  /// Places that an editor may change, of all kernels, each once.
  std::vector<EditSite> Edits;
  /// Every file that was read, beside headers that were precompiled.
  std::vector<std::string> Files;
};

/// In the order of the estimates.
std::vector<FunctionTotal> functionTotals(const Analysis &A);
/// In the order of the estimates, without launches that have no time; none
/// where no launch is of a file.
std::vector<RecordedTotal> recordedTotals(const Analysis &A);

} // namespace gpuestimate

#endif
