/// \file
/// Measurements to values of a GPU model. Every rule is physical: a plateau of
/// a latency curve is a level's latency, the slope of time against blocks is
/// the reciprocal of the rate at which they start. Nothing is tuned.
#ifndef GPU_ESTIMATE_MEASURE_FIT_H
#define GPU_ESTIMATE_MEASURE_FIT_H

#include "gpu-estimate/Measure/Samples.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

struct FittedValue {
  std::string Key;   ///< of GpuModelKeys.h
  std::string Text;  ///< with its unit, as a model file has it
  std::string Kind;  ///< measured, derived, or vendor (said by the driver)
  std::string Group; ///< the measurement group it comes from
  std::string Note;  ///< how; samples and spread
};

/// Who the GPU is, as its driver says.
struct MeasuredIdentity {
  std::string Name, ComputeCapability, GfxTarget, Driver;
  unsigned SmCount = 0;
};

MeasuredIdentity identityOf(llvm::ArrayRef<Measurement> All);

struct Fit {
  std::vector<FittedValue> Values;
  std::vector<std::string> Doubts; ///< measurements that made no value, and why
};

/// Base states what no measurement tells, such as the number of schedulers.
Fit fitMeasurements(llvm::ArrayRef<Measurement> All, const GpuModel &Base);

} // namespace gpuestimate

#endif
