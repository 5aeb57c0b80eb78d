#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Tile sizes of FlashAttention-2's kernels for widths up to 128.
constexpr double TileQueries = 128, TileKeys = 64;

/// Cycles of a multiprocessor for one step.
struct StepCycles {
  double Tensor = 0, Softmax = 0;
  double Atomics = 0; ///< sums of dQ in L2
  /// Barriers separate the phases, and the registers of a block leave no room
  /// for a second one that would fill them.
  double all() const { return Tensor + Softmax + Atomics; }
};

/// Multiply-adds per cycle of a multiprocessor. The kernels multiply by
/// mma.sync, also where warp groups could.
double multiplyAddRate(const GpuModel &Gpu, GemmType Type) {
  double OfWarps = Gpu.WarpMatrixRate.value_or(1);
  double Fma = Gpu.cost(OpClass::Fp32Fma).Throughput;
  if (Type == GemmType::Half)
    return std::max(Fma, Gpu.cost(OpClass::TensorFp16).Throughput * OfWarps);
  constexpr double Products = 3;
  return std::max(Fma, Gpu.cost(OpClass::TensorTf32).Throughput * OfWarps /
                           Products);
}

StepCycles stepCycles(const GpuModel &Gpu, const AttentionProblem &P) {
  double Rate = multiplyAddRate(Gpu, P.Type);
  double Scores = TileQueries * TileKeys;
  // Forward Q K^T and P V; backward Q K^T, dO V^T, P^T dO, dS^T Q and dS K.
  double Products =
      P.Backward ? 3 * P.Width + 2 * P.ValueWidth : P.Width + P.ValueWidth;
  // For each score, forward: scale and subtract the maximum, compare, add to
  // the sum, half a conversion to fp16; and each step scales its sums of
  // values. Backward: scale and subtract, subtract the row's sum, multiply,
  // two halves of a conversion.
  double Instructions =
      P.Backward ? Scores * 4 : Scores * 3.5 + TileQueries * P.ValueWidth;
  double Sfu = Gpu.cost(OpClass::Sfu).Throughput;
  double Fma = Gpu.cost(OpClass::Fp32Fma).Throughput;
  StepCycles Step;
  Step.Tensor = Scores * Products / Rate;
  Step.Softmax =
      std::max(Sfu > 0 ? Scores / Sfu : 0, Fma > 0 ? Instructions / Fma : 0);
  if (P.Backward && Gpu.GlobalAtomicRate > 0) {
    // Each block adds its part of dQ, fp32, by sectors.
    constexpr double FloatsOfSector = 8;
    // A block has twice as many keys in the backward pass.
    double Floats = TileQueries * P.Width / 2;
    Step.Atomics =
        Floats / FloatsOfSector / (Gpu.GlobalAtomicRate / Gpu.SmCount);
  }
  return Step;
}

/// Bytes of the main kernel, and the time of those before and behind it.
struct AttentionTraffic {
  double Read = 0, Written = 0; ///< bytes
  double More = 0;              ///< seconds
};

/// Element: bytes of a number. Splits: blocks that share the keys of a query.
AttentionTraffic traffic(const GpuModel &Gpu, const AttentionProblem &P,
                         double Element, double Splits) {
  double Values = P.Queries * P.Heads * P.ValueWidth;
  AttentionTraffic T;
  T.Read = (P.Queries * P.Heads * P.Width +
            P.Keys * P.KeyHeads * (P.Width + P.ValueWidth)) *
           Element;
  T.Written = Values * Element;
  if (P.Backward) {
    // Reads O and dO as well, writes three gradients; sums of dQ are added to
    // fp32 in L2 by each block of keys. A kernel before makes the sums of the
    // rows, one behind converts dQ.
    double Sums = P.Queries * P.Heads * P.Width * 4;
    StreamProblem Before, After;
    Before.ReadBytes = 2 * Values * Element;
    Before.WrittenBytes = Sums;
    After.ReadBytes = Sums;
    After.WrittenBytes = Sums / 2;
    T.More =
        (streamTime(Gpu, Before).Time + streamTime(Gpu, After).Time).value();
    T.Written = T.Read + Sums;
    T.Read += 2 * Values * Element;
  } else if (Splits > 1) {
    StreamProblem Join;
    Join.ReadBytes = Splits * Values * 4;
    Join.WrittenBytes = Values * Element;
    T.More = streamTime(Gpu, Join).Time.value();
  }
  return T;
}

} // namespace

Expected<LibraryKernelTime> attentionTime(const GpuModel &Gpu,
                                          const AttentionProblem &P) {
  if (P.Type != GemmType::Half && P.Type != GemmType::Single)
    return createStringError("there is no model of attention of this type");
  if (multiplyAddRate(Gpu, P.Type) <= 0)
    return createStringError(
        formatv("{0} states no rate of products of this type", Gpu.Name).str());
  double Element = P.Type == GemmType::Half ? 2 : 4;
  double Blocks = std::max(1.0, std::ceil(P.Queries / TileQueries) * P.Heads);
  double Steps = std::max(1.0, std::ceil(P.Keys / TileKeys));
  if (P.Causal && P.Queries > 1) {
    // The mean over the blocks; the last query sees all keys.
    double Hidden = std::max(0.0, P.Queries - TileQueries) / 2;
    Steps = std::max(1.0, Steps - Hidden / TileKeys);
  }
  // Too few blocks share the keys (flash decoding), and a kernel joins them.
  double Splits = 1;
  if (!P.Backward && Blocks < Gpu.SmCount / 2.0)
    Splits = std::clamp(std::floor(Gpu.SmCount / Blocks), 1.0, Steps);
  StepCycles Step = stepCycles(Gpu, P);
  double OfSm = std::ceil(Blocks * Splits / Gpu.SmCount);
  // Causal blocks are of different length: many of them even out.
  double Rounds = P.Causal && Blocks > 2 * Gpu.SmCount
                      ? Blocks * Splits / Gpu.SmCount
                      : OfSm;
  double Latency = Gpu.DramLatency.value();
  double StepsOfBlock = std::ceil(Steps / Splits);
  // A lone block waits for the keys of the next step.
  double OneStep = OfSm > 1 ? Step.all() : std::max(Step.all(), Latency / 2);
  double Ends = Gpu.BlockStart.value() + 2 * Latency;
  double Busy = Rounds * StepsOfBlock * OneStep;
  double Computing = (Busy + Ends) / Gpu.CoreClock.value();

  auto [Read, Written, More] = traffic(Gpu, P, Element, Splits);
  double All = Read + Written;
  double Moving =
      All > Gpu.L2.Size.value()
          ? (Bytes(All) / dramBandwidthOfLines(Gpu, Written / All)).value()
          : (Bytes(All) / Gpu.L2Bandwidth).value();
  bool IsMoving = Moving > Computing;
  double Main = std::max(Moving, Computing);
  LibraryKernelTime Result;
  Result.Time = Gpu.LaunchLatency + Seconds(Main + More);
  double Total = Result.Time.value();
  bool FitsL2 = All <= Gpu.L2.Size.value();
  Result.Bound = !IsMoving ? (Step.Tensor > Step.Softmax ? Resource::Tensor
                                                         : Resource::Sfu)
                 : FitsL2  ? Resource::L2Bandwidth
                           : Resource::DramBandwidth;
  Result.Breakdown = {
      {IsMoving ? (FitsL2 ? Term::L2 : Term::Dram) : Term::Pipes, Main / Total},
      {Term::L2, More / Total},
      {Term::Launch, Gpu.LaunchLatency.value() / Total}};
  Result.Share = std::min(1.0, Blocks * Splits / Gpu.SmCount);
  Result.Shape =
      formatv("FlashAttention-2 in {0} blocks of {1} queries, {2} steps of {3} "
              "keys",
              uint64_t(Blocks * Splits), TileQueries, uint64_t(StepsOfBlock),
              TileKeys)
          .str();
  return Result;
}

} // namespace gpuestimate
