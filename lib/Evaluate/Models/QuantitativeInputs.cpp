/// \file
/// Kernel and GPU model in the terms of quantitative-roofline.
#include "Evaluate/Launch/LaunchTime.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {
namespace {

/// Which of the profiler's counters an operation belongs to.
double *counterOf(ProfileCounters &C, OpClass Class) {
  switch (Class) {
  case OpClass::Fp32Add:
  case OpClass::Fp32Mul:
  case OpClass::Fp32Fma:
    return &C.Fp32;
  case OpClass::Fp64Add:
  case OpClass::Fp64Mul:
  case OpClass::Fp64Fma:
    return &C.Fp64;
  case OpClass::IntAdd:
  case OpClass::IntMul:
  case OpClass::Shift:
  case OpClass::Logic:
  case OpClass::Compare:
  case OpClass::MinMax:
  case OpClass::BitField:
  case OpClass::Popc:
  case OpClass::Clz:
    return &C.Int;
  case OpClass::LoadGlobal:
  case OpClass::StoreGlobal:
  case OpClass::LoadShared:
  case OpClass::StoreShared:
  case OpClass::LoadLocal:
  case OpClass::StoreLocal:
  case OpClass::AtomicGlobal:
  case OpClass::AtomicShared:
  case OpClass::AsyncCopy:
    return &C.LoadStore;
  default:
    return nullptr;
  }
}

double rate(const GpuModel &Gpu, OpClass Class) {
  return Gpu.cost(Class).Throughput * Gpu.SmCount * Gpu.CoreClock.value();
}

std::vector<NeededValue> valuesForQuantitative(const GpuModel &Gpu) {
  auto Throughput = [&](OpClass Class) { return Gpu.cost(Class).Throughput; };
  return {
      {"operations.fp32_fma.throughput", Throughput(OpClass::Fp32Fma)},
      {"operations.fp64_fma.throughput", Throughput(OpClass::Fp64Fma)},
      {"operations.int_mul.throughput", Throughput(OpClass::IntMul)},
      {"operations.int_add.throughput", Throughput(OpClass::IntAdd)},
      {"operations.load_shared.throughput", Throughput(OpClass::LoadShared)},
      {"dram.read_bandwidth", Gpu.DramReadBandwidth.value()},
      {"dram.write_bandwidth", Gpu.DramWriteBandwidth.value()},
      {"dram.copy_bandwidth", Gpu.DramCopyBandwidth.value()}};
}

StringRef typeName(ComputeType Type) {
  return name(Type == ComputeType::Fp64   ? Resource::Fp64
              : Type == ComputeType::Fp32 ? Resource::Fp32
                                          : Resource::Int);
}

} // namespace

ProfileCounters staticCounters(const ModelInputs &In) {
  ProfileCounters C;
  for (unsigned B = 0; B < In.Kernel.Blocks.size(); ++B)
    for (unsigned I : In.Kernel.Blocks[B].operations()) {
      const Operation &Op = In.Kernel.Operations[I];
      // Loop overhead is executed once for all copies of an unrolled body.
      double Share = Op.LoopOverhead ? 1.0 / In.Schedule[B].Copies : 1;
      double Threads = In.Sample.BlockThreads[B] * Op.Count * Share;
      if (double *Counter = counterOf(C, Op.Class))
        *Counter += Threads;
      if (Op.Class == OpClass::Fp32Fma)
        C.Fma32 += Threads;
      if (Op.Class == OpClass::Fp64Fma)
        C.Fma64 += Threads;
    }
  // A warp of more lanes is as many as (4.5) takes it for.
  C.WarpInstructions =
      In.Work.Count.WarpInstructions * (In.Gpu.WarpSize / 32.0);
  C.DramReads = In.Work.DramReadBytes / 32;
  C.DramWrites = In.Work.DramWriteBytes / 32;
  return C;
}

DeviceRates deviceRates(const GpuModel &Gpu) {
  DeviceRates D;
  D.Fp32 = 2 * rate(Gpu, OpClass::Fp32Fma);
  D.Fp64 = 2 * rate(Gpu, OpClass::Fp64Fma);
  D.Int = 2 * rate(Gpu, OpClass::IntMul);
  D.Add = rate(Gpu, OpClass::IntAdd);
  D.LoadStore = rate(Gpu, OpClass::LoadShared);
  D.Memory = (Gpu.DramReadBandwidth.value() / dramBytesPerByte(Gpu, 0) +
              Gpu.DramWriteBandwidth.value() / dramBytesPerByte(Gpu, 1) +
              Gpu.DramCopyBandwidth.value() / dramBytesPerByte(Gpu, 0.5)) /
             3;
  return D;
}

static void setTimes(Prediction &P, const ModelInputs &In,
                     const KernelDensities &K, const QuantitativeResult &R,
                     double Utilization) {
  double Cycles = (R.time() * In.Gpu.CoreClock).value() * Utilization;
  StringRef Type = typeName(K.Type);
  P.Bounds = {
      {Type.str(), R.Compute * In.Gpu.CoreClock},
      {name(Resource::DramBandwidth).str(), R.Memory * In.Gpu.CoreClock}};
  if (!R.IsComputeBound) {
    setParts(P, In.Gpu, {{Term::Dram, Cycles}});
    P.Bottleneck = name(Resource::DramBandwidth);
    return;
  }
  double TotalCost = R.CostOp + R.CostLoadStore + R.CostOther + R.CostSpecial;
  setParts(P, In.Gpu,
           {{Term::Pipes, Cycles * (R.CostOp + R.CostSpecial) / TotalCost},
            {Term::LoadStore, Cycles * R.CostLoadStore / TotalCost},
            {Term::Issue, Cycles * R.CostOther / TotalCost}});
  StringRef Largest = P.Breakdown.front().first;
  if (Largest == name(Term::Pipes))
    Largest = R.CostSpecial > R.CostOp ? name(Resource::Sfu) : Type;
  P.Bottleneck = Largest.str();
}

/// E_util of the launch on the reference GPU, by this model without it.
static Expected<double> utilizationOn(const ReferenceTime &Reference,
                                      const ModelInputs &In) {
  EvaluateOptions Plain = In.Options;
  Plain.Quantitative.Reference = nullptr;
  Plain.Wanted.Sensitivities = false;
  Expected<Prediction> P = In.PredictOn(In, *Reference.Gpu, Plain);
  if (!P)
    return make_error<ModelRefusal>(
        "the reference " + Reference.Gpu->Id +
        " has no prediction: " + toString(P.takeError()));
  if (P->Time.value() <= 0)
    return make_error<ModelRefusal>(
        "the kernel takes no time on the reference " + Reference.Gpu->Id);
  return utilization(Reference.Measured, P->Time);
}

std::string validityPremise(const ModelInputs &In, Seconds Time,
                            double HighestUtilisation) {
  std::string Missed;
  raw_string_ostream OS(Missed);
  auto require = [&](double Value, double Least, StringRef What) {
    if (Value < Least)
      OS << (Missed.empty() ? "" : ", ") << format("%g", Least) << What
         << format(" (here %.3g)", Value);
  };
  require(In.L.threadsPerBlock(), 64, " threads a block");
  require(In.L.blocks(), 90, " blocks");
  require(Time.value() * 1e3, 0.5, " ms");
  require(10 * HighestUtilisation, 7, " of 10 of the busiest unit");
  if (Missed.empty())
    return {};
  return "quantitative-roofline was validated for launches with at least " +
         Missed;
}

/// Utilisation of the unit that the default model takes to be busiest: its
/// bound by the time of the execution.
static double highestUtilisation(const ModelInputs &In) {
  LatencyBandwidthModel Model(In);
  TermSet Without = switchedOff(In.Options);
  double All = Model.cycles(Without), Largest = 0;
  for (const Bound &B : Model.bounds(Without))
    if (B.Name != "latency")
      Largest = std::max(Largest, B.Time.value());
  return All > 0 ? Largest / All : 0;
}

Error fillQuantitativeRoofline(Prediction &P, const ModelInputs &In) {
  const QuantitativeSettings &Settings = In.Options.Quantitative;
  std::vector<NeededValue> Needed = valuesForQuantitative(In.Gpu);
  if (Error E = checkValues("quantitative-roofline", In.Gpu, Needed))
    return E;
  for (OpClass Class : {OpClass::TensorFp16, OpClass::TensorTf32,
                        OpClass::TensorFp64, OpClass::TensorInt8})
    if (In.Work.Count.ByClass[static_cast<unsigned>(Class)] > 0 &&
        !Settings.Profile)
      return make_error<ModelRefusal>(
          "quantitative-roofline has no class for the instructions of matrix "
          "units");
  double Utilization = 1;
  if (Settings.Reference) {
    Expected<double> Measured = utilizationOn(*Settings.Reference, In);
    if (!Measured)
      return Measured.takeError();
    Utilization = *Measured;
  }
  ProfileCounters Counters =
      Settings.Profile ? *Settings.Profile : staticCounters(In);
  DeviceRates Rates = deviceRates(In.Gpu);
  if (const std::optional<SpecialOperations> &Special = Settings.Special) {
    Counters.Special = Special->Count;
    Rates.Special = Special->Rate.value_or(rate(In.Gpu, OpClass::Sfu));
    if (Rates.Special <= 0)
      return make_error<ModelRefusal>(
          "quantitative-roofline: operations.sfu.throughput of " + In.Gpu.Id +
          " is not known; give the rate of the special operations");
  }
  KernelDensities K = kernelDensities(Counters);
  if (K.Other < 0 && K.Special > 0)
    return make_error<ModelRefusal>(
        "quantitative-roofline: --special-operations counts more operations "
        "than the launch has beside its arithmetic, loads and stores");
  K.TrafficBytes *= Settings.TrafficWeight;
  QuantitativeResult R = quantitativeRoofline(K, Rates);
  setTimes(P, In, K, R, Utilization);
  P.Intermediates = {{"W_comp", K.Operations},
                     {"W_traf", K.TrafficBytes},
                     {"E_mix", K.Mix},
                     {"D_ops", K.Ops},
                     {"D_ldst", K.LoadStore},
                     {"D_other", K.Other},
                     {"E_instr", R.Instructions},
                     {"T'_op", R.AdjustedRate},
                     {"O_krn", R.KernelIntensity},
                     {"O_dev", R.DeviceIntensity}};
  if (K.Special > 0)
    P.Intermediates.push_back({"D_special", K.Special});
  if (Settings.Reference)
    P.Intermediates.push_back({"E_util", Utilization});
  if (Settings.TrafficWeight != 1)
    P.Premises.push_back("the DRAM bytes are weighed by " +
                         formatNumber(Settings.TrafficWeight));
  if (Settings.Profile)
    P.Premises.push_back("counters and DRAM traffic of the profile carry over "
                         "to this GPU");
  if (In.Options.Wanted.Explanation)
    if (std::string Premise =
            validityPremise(In, P.Time, highestUtilisation(In));
        !Premise.empty())
      P.Premises.push_back(std::move(Premise));
  stateInherited(P, In.Gpu, Needed);
  return Error::success();
}

} // namespace gpuestimate
