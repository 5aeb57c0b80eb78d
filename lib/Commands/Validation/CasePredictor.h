/// \file
/// Predictions of measured cases: each distinct source (file, definitions, GPU
/// architecture) is compiled once, each kernel of it extracted once, and each
/// launch evaluated with every model, on as many threads as there are cores.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_CASEPREDICTOR_H
#define GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_CASEPREDICTOR_H

#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// The wanted cases of one dataset.
struct DatasetCases {
  const Dataset *Data = nullptr;
  std::string Checkouts; ///< folder with the checkouts owner+name
  std::vector<const MeasuredCase *> Cases;

  /// The folder that file names of a launch are relative to.
  std::string sourceFolder(const CaseLaunch &Launch) const;
};

/// Folder of the checkout of a repository "owner/name" below Checkouts.
std::string checkoutFolder(llvm::StringRef Checkouts,
                           llvm::StringRef Repository);

/// Adds a CaseResult for each case and model of Into.Models, or a CaseFailure
/// for the case, in the order of Datasets. ModelFolder holds the GPU models.
void predictCases(llvm::ArrayRef<DatasetCases> Datasets, const Options &O,
                  llvm::StringRef ModelFolder, Validation &Into);

} // namespace gpuestimate

#endif
