/// \file
/// The result of a whole analysis as plain data: explained predictions, the
/// kernels that could not be predicted, and what the user should know about
/// the input. Explain and Driver fill it; Report prints it.
#ifndef GPU_ESTIMATE_EXPLAIN_ANALYSIS_H
#define GPU_ESTIMATE_EXPLAIN_ANALYSIS_H

#include "gpu-estimate/Evaluate/Prediction.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// One change that would help, with its effect by re-evaluation.
struct Advice {
  std::string Id; ///< "uncoalesced-load", "bank-conflict", ...
  std::string Text;
  SourceLocation Location;
  /// 1 - T'/T, where T' is the time with the change; above 0.
  double PredictedGain = 0;
};

struct ExplainedPrediction {
  Prediction Estimate;
  std::vector<Advice> Hints; ///< largest gain first
};

/// A kernel, or one launch of it, without an estimate.
struct Unresolved {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Reason;
  bool HasCode = true;           ///< false: nothing instantiates it
  bool ImpossibleLaunch = false; ///< the kernel is fine, the launch is not
};

/// A remark on the input: a --param that names nothing, an ignored annotation.
struct Notice {
  SourceLocation Location; ///< invalid when it is about the command line
  std::string Text;
};

struct Analysis {
  std::vector<ExplainedPrediction> Estimates;
  std::vector<Unresolved> Unresolveds;
  std::vector<Notice> Notices;
};

} // namespace gpuestimate

#endif
