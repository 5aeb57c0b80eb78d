/// \file
/// Prints a validation as text, JSON, CSV, HTML and Markdown.
/// Validate/Statistics.h computes all statistics; JSON and CSV hold fractions,
/// text holds percents.
#ifndef GPU_ESTIMATE_REPORT_VALIDATION_VALIDATION_H
#define GPU_ESTIMATE_REPORT_VALIDATION_VALIDATION_H

#include "gpu-estimate/Validate/Statistics.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints tables by dataset, GPU, bound and kernel, the worst cases with their
/// breakdown, bounds, and cases without a prediction.
void printValidationText(llvm::raw_ostream &OS, const Validation &V);

/// Schema "gpu-estimate-validate/1".
void printValidationJson(llvm::raw_ostream &OS, const Validation &V,
                         llvm::StringRef ToolVersion);

/// Prints one line per case and model.
void printValidationCsv(llvm::raw_ostream &OS, const Validation &V);

/// Prints one self-contained page: plots of predicted against measured times,
/// errors by kernel, the worst cases.
void printValidationHtml(llvm::raw_ostream &OS, const Validation &V,
                         llvm::StringRef ToolVersion);

/// The tables of README and docs/accuracy.md. The first, up to a line that
/// begins with "### ", has a line for each dataset, the worst one first, those
/// that are only recorded among them; then the models side by side, by bound,
/// and by GPU.
void printValidationMarkdown(llvm::raw_ostream &OS, const Validation &V);

/// Prints the cases with a base point for programs that learn: one
/// line each with configuration, measured and predicted time, and at base
/// points the features (Scaling/Features.h) as KIND:NAME=VALUE.
void printValidationScaling(llvm::raw_ostream &OS, const Validation &V);

/// "IMPROVED small-kernels: 0.1901 is recorded, 0.1873 found", and the line to
/// commit where it would change.
std::string describe(const BoundCheck &C);
/// "recorded 2026-11-23 at commit 6db0ba2: 91 cases, median 7.3%, factor 1.25,
/// mean 20.2%", with the errors of the default model.
std::string describe(const RecordedDataset &D);
/// "validation/tiny/cases.csv:3: scale-2 on nvidia-v100 and 4 more: no such
/// kernel"
std::string describe(const FailureGroup &G);

} // namespace gpuestimate

#endif
