/// \file
/// Derives values of a GPU model from measurements. Every rule is physical: a
/// plateau of a latency curve is a level's latency, the slope of time against
/// blocks is the reciprocal of the rate at which they start. Nothing is tuned.
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

/// Identity of the GPU, as its driver states it.
struct MeasuredIdentity {
  std::string Name, ComputeCapability, GfxTarget, Driver;
  unsigned SmCount = 0;
};

MeasuredIdentity identityOf(llvm::ArrayRef<Measurement> All);

struct Fit {
  std::vector<FittedValue> Values;
  std::vector<std::string> Doubts; ///< measurements that made no value, and why
};

/// Computes the values of a GPU model. Base states values that cannot be
/// measured, such as the number of schedulers.
Fit fitMeasurements(llvm::ArrayRef<Measurement> All, const GpuModel &Base);

} // namespace gpuestimate

#endif
