#include "gpu-estimate/Advice/Charts.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"

namespace gpuestimate {

static double bytesOfL1(const Prediction &P, const KernelModel &Kernel,
                        const GpuModel &Gpu) {
  double Sum = 0;
  // Accesses of spilled registers come after the kernel's own.
  for (size_t I = 0; I < P.Accesses.size(); ++I) {
    const AccessReport &A = P.Accesses[I];
    double Sector = I < Kernel.Accesses.size()
                        ? sectorBytes(Kernel.Accesses[I], Gpu)
                        : Gpu.L1.Sector.value();
    if (A.Space != "shared" && A.Space != "constant")
      Sum += A.Requests * A.SectorsPerRequest * Sector;
  }
  return Sum;
}

Roofline roofline(const Prediction &P, const KernelModel &Kernel,
                  const GpuModel &Gpu) {
  Roofline R;
  const Counts &C = P.Count;
  double Flops = C.FlopFp16 + C.FlopFp32 + C.FlopFp64;
  R.CountsFlops = Flops > 0;
  double Operations = R.CountsFlops ? Flops : C.WarpInstructions;
  double PerSecond = Gpu.SmCount * Gpu.CoreClock.value();
  if (P.Execution.value() > 0)
    R.Rate = Operations / P.Execution.value();

  auto Peak = [&](const char *Name, OpClass Class, double Counted,
                  std::optional<double> Measured = std::nullopt) {
    double Rate = 2 * Gpu.cost(Class).Throughput * PerSecond;
    if (Counted > 0 && Rate > 0)
      R.Peaks.push_back({Name, Rate});
    if (Counted > 0 && Measured)
      R.MeasuredPeaks.push_back({Name, *Measured * PerSecond});
  };
  if (R.CountsFlops) {
    Peak("fp16", OpClass::Fp16Fma, C.FlopFp16);
    Peak("fp32", OpClass::Fp32Fma, C.FlopFp32, Gpu.Roofline.Fp32);
    Peak("fp64", OpClass::Fp64Fma, C.FlopFp64, Gpu.Roofline.Fp64);
    if (Gpu.Roofline.Memory)
      R.MeasuredBandwidth = Gpu.Roofline.Memory->value();
  } else {
    R.Peaks.push_back(
        {"issue", Gpu.IssueRate * Gpu.SchedulersPerSm * PerSecond});
  }

  auto Level = [&](const char *Name, double Bytes, double Bandwidth) {
    R.Bandwidths.push_back({Name, Bandwidth});
    if (Bytes > 0 && Operations > 0)
      R.Points.push_back({Name, Operations / Bytes});
  };
  if (C.SharedWavefronts > 0)
    Level("shared",
          C.SharedWavefronts * Gpu.SharedBanks * Gpu.SharedBankWidth.value(),
          Gpu.SharedBandwidth.value() * PerSecond);
  Level("L1", bytesOfL1(P, Kernel, Gpu), Gpu.L1Bandwidth.value() * PerSecond);
  Level("L2", C.L2Bytes, Gpu.L2Bandwidth.value());
  Level("DRAM", C.DramBytes,
        Gpu.DramReadBandwidth.value() / dramBytesPerByte(Gpu, 0));
  return R;
}

} // namespace gpuestimate
