#include "PhysicalLaws.h"

#include "gpu-estimate/Support/Invariants.h"
#include <algorithm>
#include <initializer_list>

namespace gpuestimate {

/// Bytes of a pass of shared memory: a word of 4 bytes for each of 32 lanes.
static constexpr double SharedPassBytes = 128;

/// Whether all loads of the launch come from DRAM, and there are some.
static bool loadsFromDram(const Counts &Count, const Prediction &P) {
  return Count.GlobalLoadRequests > 0 && Count.DramReadBytes > 0 &&
         P.L1HitRate == 0 && P.L2HitRate == 0;
}

std::string checkPhysicalLaws(const Prediction &P, const GpuModel &Gpu) {
  const double T = P.Execution.value(),
               Cycles = T * Gpu.CoreClock.value() * Gpu.SmCount;
  const Counts &C = P.Count;
  // Matrix instructions count among the operations of their accumulator.
  auto FlopRate = [&](std::initializer_list<OpClass> MultiplyAdds) {
    double Rate = 0;
    for (OpClass MultiplyAdd : MultiplyAdds)
      Rate = std::max(Rate, 2 * Gpu.cost(MultiplyAdd).Throughput);
    return Rate;
  };
  InvariantList Laws;
  Laws.within("DRAM bytes", C.DramBytes, Gpu.DramPeakBandwidth.value() * T);
  Laws.within("L2 bytes", C.L2Bytes,
              (Gpu.L2Bandwidth.value() + Gpu.L2WriteBandwidth.value()) * T);
  Laws.within("bytes of shared memory", C.SharedWavefronts * SharedPassBytes,
              Gpu.SharedBandwidth.value() * Cycles);
  Laws.within("warp instructions", C.WarpInstructions,
              Gpu.SchedulersPerSm * Gpu.IssueRate * Cycles);
  Laws.within(
      "fp32 operations", C.FlopFp32,
      FlopRate({OpClass::Fp32Fma, OpClass::TensorTf32, OpClass::TensorFp16}) *
          Cycles);
  Laws.within("fp64 operations", C.FlopFp64,
              FlopRate({OpClass::Fp64Fma, OpClass::TensorFp64}) * Cycles);
  if (loadsFromDram(C, P))
    Laws.within("one DRAM latency", (Gpu.DramLatency / Gpu.CoreClock).value(),
                T);
  return Laws.take();
}

} // namespace gpuestimate
