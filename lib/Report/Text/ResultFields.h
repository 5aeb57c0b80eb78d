/// \file
/// Fields that the JSON of several commands has in common: an analysis, a
/// comparison, a ranking and a surface write them alike.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_RESULTFIELDS_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_RESULTFIELDS_H

#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// "interval": {"level", "low_ms", "high_ms"}; null where it is not known how
/// sure the time is.
void writeInterval(llvm::json::OStream &J, double Level,
                   const std::optional<std::pair<double, double>> &IntervalMs);

/// An array of texts.
void writeTexts(llvm::json::OStream &J, llvm::StringRef Key,
                llvm::ArrayRef<std::string> Texts);

/// "assumptions", as a ranking and a surface have them.
void writeAssumptions(llvm::json::OStream &J,
                      llvm::ArrayRef<Assumption> Assumptions);

} // namespace gpuestimate

#endif
