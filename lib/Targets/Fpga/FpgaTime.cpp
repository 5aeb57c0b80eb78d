#include "gpu-estimate/Targets/Fpga/FpgaTime.h"
#include "gpu-estimate/Targets/Nest/LimitNames.h"

#include "FpgaBody.h"
#include "gpu-estimate/Targets/Nest/Reuse.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static constexpr MachineLimitInfo FpgaLimitTable[] = {
    {"recurrence", "a circuit of dependences between iterations"},
    {"dsp", "slices for multipliers and adders"},
    {"memory ports", "ports of the memories on the chip"},
    {"fill", "filling pipelines for few iterations, and straight code"},
    {"pipeline", "cycles of all loops"},
    {"axi", "bandwidth of the ports between chip and DRAM"},
    {"dram", "bandwidth of DRAM"},
};

llvm::ArrayRef<MachineLimitInfo> fpgaLimitTable() { return FpgaLimitTable; }

namespace {

/// Largest number of copies of a body, and the share of the cycles that
/// doubling them must save to be worth the area.
constexpr unsigned MaxUnroll = 1024;
constexpr double WorthDoubling = 0.02;

class Design {
public:
  Design(const KernelModel &Kernel, const LoopNestNumbers &Nest,
         const FpgaModel &Fpga)
      : Nest(Nest), Fpga(Fpga), Bodies(Nest.Loops.size()) {
    std::vector<std::vector<unsigned>> Blocks(Nest.Loops.size());
    for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
      int Around = Nest.LoopOfBlock[B];
      if (Around >= 0 && Nest.Loops[Around].Innermost)
        Blocks[Around].push_back(B);
      else
        // Code outside of pipelines runs sequentially.
        Serial += Nest.Executions[B] *
                  describeBody(Kernel, Nest, {B}, -1, Fpga).Depth;
    }
    for (size_t I = 0; I < Nest.Loops.size(); ++I) {
      if (Nest.Loops[I].Spread)
        InnerSpread = static_cast<int>(I);
      if (Nest.Loops[I].Innermost)
        Bodies[I] =
            describeBody(Kernel, Nest, Blocks[I], static_cast<int>(I), Fpga);
    }
  }

  /// The fastest design, with the cycles of all pipelines and of the code
  /// outside of them.
  std::vector<FpgaPipeline> best(double &Cycles) const {
    std::vector<FpgaPipeline> Best;
    Cycles = INFINITY;
    double Widest = InnerSpread >= 0 ? Nest.Loops[InnerSpread].Extent : 1;
    for (unsigned Spread = 1; Spread <= std::min<double>(Widest, MaxUnroll);
         Spread *= 2) {
      double Share = std::ceil(Widest / Spread) / Widest;
      double Sum = Serial * Share;
      std::vector<FpgaPipeline> Pipelines;
      for (size_t I = 0; I < Nest.Loops.size(); ++I)
        if (Nest.Loops[I].Innermost) {
          Pipelines.push_back(bestOf(static_cast<int>(I), Spread));
          Sum += Pipelines.back().Cycles;
        }
      if (Best.empty() || Sum < Cycles * (1 - WorthDoubling)) {
        Cycles = Sum;
        Best = std::move(Pipelines);
      }
    }
    return Best;
  }

private:
  FpgaPipeline bestOf(int Loop, unsigned Spread) const {
    FpgaPipeline Best = pipeline(Loop, 1, Spread);
    // The pipelined loop may be the spread one itself.
    bool Unrolls = Bodies[Loop].Reassociates && Loop != InnerSpread;
    for (unsigned Inner = 2;
         Unrolls &&
         Inner <= std::min<double>(Nest.Loops[Loop].Extent, MaxUnroll);
         Inner *= 2)
      if (FpgaPipeline P = pipeline(Loop, Inner, Spread);
          P.Cycles < Best.Cycles * (1 - WorthDoubling))
        Best = P;
    return Best;
  }

  FpgaPipeline pipeline(int Loop, unsigned Inner, unsigned Spread) const {
    const NestedLoop &L = Nest.Loops[Loop];
    const FpgaBody &Body = Bodies[Loop];
    double Copies = static_cast<double>(Inner) * Spread;
    FpgaPipeline P;
    P.Location = L.Location;
    P.UnrollInner = Inner;
    P.UnrollSpread = Spread;
    double Dsp = std::max(1.0, std::ceil(Copies * Body.Dsp / Fpga.DspSlices));
    double Ports = std::max(
        1.0,
        std::ceil(accesses(Loop, Inner, Spread) /
                  (static_cast<double>(Fpga.BramBlocks) * Fpga.BramPorts)));
    P.Interval = std::max({Body.Interval, Dsp, Ports});
    P.Limit = P.Interval == Body.Interval ? name(FpgaLimit::Recurrence).str()
              : P.Interval == Dsp         ? name(FpgaLimit::Dsp).str()
                                          : name(FpgaLimit::Ports).str();
    P.Dsp = std::ceil(Copies * Body.Dsp / P.Interval);
    // Shared operators and ports serve one copy after the other.
    P.Depth = Body.Depth + std::log2(Inner) * Body.TreeLatency +
              std::max(Dsp, Ports) - 1;
    double Entries = L.Entries, Trips = std::ceil(L.Extent / Inner);
    if (Loop == InnerSpread)
      Trips = std::ceil(L.Extent / Spread);
    else if (InnerSpread >= 0)
      Entries *= std::ceil(Nest.Loops[InnerSpread].Extent / Spread) /
                 Nest.Loops[InnerSpread].Extent;
    // Perfectly nested loops around a pipelined spread loop are flattened into
    // it.
    if (Loop == InnerSpread) {
      Trips *= Entries;
      Entries = 1;
    }
    if (Trips > 0)
      P.Cycles = Entries * (P.Interval * (Trips - 1) + P.Depth);
    return P;
  }

  /// On-chip words that the copies of the body access; a word that all copies
  /// share is read once.
  double accesses(int Loop, unsigned Inner, unsigned Spread) const {
    double Sum = 0;
    for (const NestedAccess &A : Nest.Accesses) {
      if (A.Strides.empty() || static_cast<int>(A.Strides.back().first) != Loop)
        continue;
      double Copies = 1;
      for (auto [Index, Stride] : A.Strides) {
        if (Stride == 0 && !A.Irregular)
          continue;
        if (static_cast<int>(Index) == Loop)
          Copies *= Inner;
        if (static_cast<int>(Index) == InnerSpread)
          Copies *= Spread;
      }
      Sum += Copies;
    }
    return Sum;
  }

  const LoopNestNumbers &Nest;
  const FpgaModel &Fpga;
  std::vector<FpgaBody> Bodies; ///< of the innermost loops
  double Serial = 0;            ///< cycles
  int InnerSpread = -1;
};

} // namespace

FpgaTime timeOnFpga(const KernelModel &Kernel, const LoopNestNumbers &Nest,
                    const FpgaModel &Fpga) {
  FpgaTime T;
  double Cycles = 0;
  T.Pipelines = Design(Kernel, Nest, Fpga).best(Cycles);
  T.Pipeline = gpuestimate::Cycles(Cycles) / Fpga.Clock;

  PassedBytes Passed = bytesBeyond(Nest, Fpga.onChip(), Fpga.AxiWidth.value(),
                                   /*WriteAllocate=*/false);
  T.DramBytes = Passed.both();
  BytesPerSecond Ports(Fpga.AxiPorts * Fpga.AxiWidth.value() *
                       Fpga.Clock.value());
  T.Axi = std::max(Passed.Read, Passed.Written) / Ports;
  T.Dram = T.DramBytes / (Fpga.DramBandwidth * Fpga.DramEfficiency);

  T.Time = std::max({T.Pipeline, T.Axi, T.Dram});
  if (T.Time == T.Pipeline) {
    T.Bottleneck = name(FpgaLimit::Fill).str(); // of straight code too
    auto Longest =
        std::max_element(T.Pipelines.begin(), T.Pipelines.end(),
                         [](const FpgaPipeline &A, const FpgaPipeline &B) {
                           return A.Cycles < B.Cycles;
                         });
    if (Longest != T.Pipelines.end()) {
      const NestedLoop *Enclosing = nullptr;
      for (const NestedLoop &L : Nest.Loops)
        if (L.Innermost && L.Location == Longest->Location)
          Enclosing = &L;
      if (Enclosing &&
          Longest->Interval * Enclosing->Extent / Longest->UnrollInner >
              Longest->Depth)
        T.Bottleneck = Longest->Limit;
    }
  } else {
    T.Bottleneck =
        name(T.Time == T.Dram ? FpgaLimit::Dram : FpgaLimit::Axi).str();
  }
  return T;
}

} // namespace gpuestimate
