/// \file
/// Predictions of measured cases: each distinct source (file, definitions, GPU
/// architecture) is compiled once, each kernel of it extracted once, and each
/// launch evaluated with every model, on as many threads as there are cores.
#ifndef GPU_ESTIMATE_LIB_SESSION_VALIDATION_CASEPREDICTOR_H
#define GPU_ESTIMATE_LIB_SESSION_VALIDATION_CASEPREDICTOR_H

#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// The wanted cases of one dataset, with the folder that file names are
/// relative to.
struct DatasetCases {
  const Dataset *Data = nullptr;
  std::string SourceFolder;
  std::vector<const MeasuredCase *> Cases;
};

/// Adds a CaseResult for each case and model of Into.Models, or a CaseFailure
/// for the case, in the order of Datasets. ModelFolder holds the GPU models.
void predictCases(llvm::ArrayRef<DatasetCases> Datasets, const Options &O,
                  llvm::StringRef ModelFolder, Validation &Into);

} // namespace gpuestimate

#endif
