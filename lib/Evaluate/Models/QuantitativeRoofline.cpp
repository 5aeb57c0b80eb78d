/// \file
/// The equations of quantitative-roofline. QuantitativeInputs.cpp makes their
/// inputs.
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"

namespace gpuestimate {

/// Bytes of a DRAM transaction, (4.2).
static constexpr double TransactionBytes = 32;
/// Threads of a warp, (4.5).
static constexpr double WarpThreads = 32;

KernelDensities kernelDensities(const ProfileCounters &C) {
  KernelDensities K;
  double Instructions = C.Int, Fma = 0; // (4.4)
  K.Type = ComputeType::Int;
  if (C.Fp64 > 0) {
    K.Type = ComputeType::Fp64;
    Instructions = C.Fp64;
    Fma = C.Fma64;
  } else if (C.Fp32 > 0) {
    K.Type = ComputeType::Fp32;
    Instructions = C.Fp32;
    Fma = C.Fma32;
  }
  K.Operations = Instructions + Fma; // (4.1)
  K.TrafficBytes = TransactionBytes * (C.DramReads + C.DramWrites);
  K.Mix = K.Type == ComputeType::Int ? 0.5 : K.Operations / (2 * Instructions);
  if (double Total = WarpThreads * C.WarpInstructions) { // (4.5)
    K.Ops = Instructions / Total;
    K.LoadStore = C.LoadStore / Total;
    K.Special = C.Special / Total;
    K.Other = 1 - K.Ops - K.LoadStore - K.Special;
  }
  return K;
}

QuantitativeResult quantitativeRoofline(const KernelDensities &K,
                                        const DeviceRates &D) {
  QuantitativeResult R;
  double Rate = K.Type == ComputeType::Fp64   ? D.Fp64
                : K.Type == ComputeType::Fp32 ? D.Fp32
                                              : D.Int; // (4.9)
  R.WeightOp = D.Fp32 / Rate;
  R.WeightLoadStore = D.Fp32 / 2 / D.LoadStore;
  R.WeightOther = D.Fp32 / 2 / D.Add;
  R.CostOp = K.Ops * R.WeightOp;
  R.CostLoadStore = K.LoadStore * R.WeightLoadStore;
  R.CostOther = K.Other * R.WeightOther;
  if (K.Special > 0)
    R.CostSpecial = K.Special * (D.Fp32 / 2 / D.Special);
  R.Memory = Seconds(K.TrafficBytes / D.Memory);
  if (K.Operations <= 0 || R.CostOp <= 0)
    return R;
  R.Instructions =
      R.CostOp / (R.CostOp + R.CostLoadStore + R.CostOther + R.CostSpecial);
  R.AdjustedRate = K.Mix * R.Instructions * Rate; // (4.17)
  R.DeviceIntensity = R.AdjustedRate / D.Memory;
  R.Compute = Seconds(K.Operations / R.AdjustedRate);
  if (K.TrafficBytes > 0)
    R.KernelIntensity = K.Operations / K.TrafficBytes;
  R.IsComputeBound =
      K.TrafficBytes <= 0 || R.KernelIntensity > R.DeviceIntensity; // (4.18)
  return R;
}

} // namespace gpuestimate
