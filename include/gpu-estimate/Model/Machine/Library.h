/// \file
/// Finding, loading and checking GPU model files.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_LIBRARY_H
#define GPU_ESTIMATE_MODEL_MACHINE_LIBRARY_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Reads and validates one model file. Errors name file, line, key and what
/// was expected ("a100.yaml:12: l2.size: expected bytes (such as '40 MiB'),
/// got 'big'"); all problems of a file are reported together.
llvm::Expected<GpuModel> loadGpuModel(llvm::StringRef File);

/// Reads and validates the text of a model file; Name stands for the file in
/// errors.
llvm::Expected<GpuModel> parseGpuModel(llvm::StringRef Text,
                                       llvm::StringRef Name);

/// The directory of the shipped models: Override if not empty, else the
/// build-time source folder or the install folder, whichever exists.
llvm::Expected<std::string> findModelFolder(llvm::StringRef Override = "");

/// Every model of a folder, sorted by id. A broken file is an error.
llvm::Expected<std::vector<GpuModel>> loadGpuModels(llvm::StringRef Folder);

/// Finds a model by its id, an alias (any case, spaces or dashes), or a path
/// ending in .yaml. The error for an unknown name suggests the nearest ones.
llvm::Expected<GpuModel> findGpuModel(llvm::StringRef Name,
                                      llvm::StringRef Folder);

/// True if a driver's name of a product ("NVIDIA A100-PCIE-40GB", "Tesla T4")
/// is the model's id, name or an alias but for case, dashes and the brand.
bool isProduct(const GpuModel &Model, llvm::StringRef DriverName);

/// True for "sm_80" and "gfx906": such a name stands for several models.
bool isArchitecture(llvm::StringRef Name);

/// Finds the models that Name stands for: all models of an architecture
/// ("sm_80", "gfx906"), sorted by id, else the one that findGpuModel finds.
llvm::Expected<std::vector<GpuModel>> findGpuModels(llvm::StringRef Name,
                                                    llvm::StringRef Folder);

/// `--set KEY=VALUE`: overrides one value, recorded as kind "what-if".
/// Other values follow sm_count, core_clock and memory_clock (Configuration.h),
/// which may describe a GPU that does not exist. Besides the file's keys
/// accepts the short names memory_clock, dram_bandwidth (scales read, write and
/// copy together) and l2_bandwidth.
llvm::Error setGpuValue(GpuModel &Model, llvm::StringRef KeyEqualsValue);

} // namespace gpuestimate

#endif
