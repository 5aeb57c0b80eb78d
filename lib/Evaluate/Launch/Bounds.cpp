#include "gpu-estimate/Evaluate/Launch/Bounds.h"

#include "gpu-estimate/Model/Machine/InlineEcc.h"
#include <algorithm>

namespace gpuestimate {
namespace {

/// Fraction of the launch's work.
double share(const BlockGroup &G) { return G.Blocks / G.AllBlocks * G.Density; }

double issueBound(const Workload &W, const GpuModel &, const BlockGroup &G) {
  return W.IssueCycles * share(G);
}

double registerBound(const Workload &W, const GpuModel &, const BlockGroup &G) {
  return W.RegisterCycles * share(G);
}

template <Pipe P>
double pipeBound(const Workload &W, const GpuModel &, const BlockGroup &G) {
  return W.PipeCycles[static_cast<unsigned>(P)] * share(G);
}

double sharedBound(const Workload &W, const GpuModel &, const BlockGroup &G) {
  return W.SharedCycles * share(G);
}

double l1Bound(const Workload &W, const GpuModel &Gpu, const BlockGroup &G) {
  // Where L1 and shared memory are one array they share its data stage.
  double SharedCycles = Gpu.L1UnifiedWithShared ? W.SharedCycles : 0;
  return W.L1Cycles > 0 ? (W.L1Cycles + SharedCycles) * share(G) : 0;
}

/// Bytes that take as long in packets of whole lines, of which the bandwidths
/// are known, as DataBytes in so many Packets: of stores with one sector to a
/// line (headers of 16 bytes) 4/3 of them.
Bytes inWholeLines(double DataBytes, double Packets,
                   std::optional<Bytes> Header, Bytes Line) {
  double HeaderBytes = Header.value_or(Bytes(0)).value();
  return Bytes((DataBytes + Packets * HeaderBytes) /
               (1 + HeaderBytes / Line.value()));
}

double l2Bound(const Workload &W, const GpuModel &Gpu, const BlockGroup &G) {
  Bytes Read = inWholeLines(W.L2ReadBytes, W.L2ReadPackets,
                            Gpu.L2ReadPacketHeader, Gpu.L1.Line),
        Written = inWholeLines(W.L2WriteBytes, W.L2WritePackets,
                               Gpu.L2WritePacketHeader, Gpu.L1.Line);
  Seconds Time = Read / Gpu.L2Bandwidth + Written / Gpu.L2WriteBandwidth;
  return (Time * Gpu.CoreClock).value() * share(G);
}

/// Little's law: bytes in flight = bandwidth * latency, at the idle latency.
double outstandingBound(const Workload &W, const GpuModel &Gpu,
                        const BlockGroup &G) {
  if (!Gpu.MaxBytesInFlightPerSm || W.L2ReadBytes <= 0)
    return 0;
  double DramShare = std::min(1.0, W.DramReadBytes / W.L2ReadBytes);
  double Latency = (1 - DramShare) * Gpu.L2.Latency.value() +
                   DramShare * Gpu.DramLatency.value();
  return W.L2ReadBytes * Latency / Gpu.MaxBytesInFlightPerSm->value() *
         share(G);
}

double l3Bound(const Workload &W, const GpuModel &Gpu, const BlockGroup &G) {
  if (!Gpu.L3Bandwidth)
    return 0;
  Seconds Time = Bytes(W.L3Bytes) / *Gpu.L3Bandwidth;
  return (Time * Gpu.CoreClock).value() * share(G);
}

double dramBound(const Workload &W, const GpuModel &Gpu, const BlockGroup &G) {
  double DramBytes = W.DramReadBytes + W.DramWriteBytes;
  if (DramBytes <= 0)
    return 0;
  Seconds Time = Bytes(DramBytes + W.DramCodeBytes) /
                     dramBandwidth(Gpu, W.DramWriteBytes / DramBytes) +
                 Seconds(W.DramActivationSeconds);
  return (Time * Gpu.CoreClock).value() * share(G);
}

/// Reads and writes go in opposite directions.
double linkBound(const Workload &W, const GpuModel &Gpu, const BlockGroup &G) {
  double Bytes = std::max(W.LinkReadBytes, W.LinkWriteBytes);
  if (Bytes <= 0 || !Gpu.LinkBandwidth)
    return 0;
  Seconds Latency = Gpu.LinkLatency.value_or(Seconds(0));
  return ((gpuestimate::Bytes(Bytes) / *Gpu.LinkBandwidth + Latency) *
          Gpu.CoreClock)
             .value() *
         share(G);
}

double sharedAtomicBound(const Workload &W, const GpuModel &,
                         const BlockGroup &G) {
  return W.SharedAtomicCycles * share(G);
}

double globalAtomicBound(const Workload &W, const GpuModel &,
                         const BlockGroup &G) {
  return W.GlobalAtomicCycles * share(G);
}

double dispatchBound(const Workload &, const GpuModel &Gpu,
                     const BlockGroup &G) {
  return G.Blocks / Gpu.BlockDispatchRate;
}

constexpr BoundScope Sm = BoundScope::Multiprocessor, Chip = BoundScope::Chip;

constexpr BoundInfo BoundTable[] = {
    {Resource::Issue, Term::Issue, Sm,
     "instructions / (schedulers * issue rate)", issueBound},
    {Resource::RegisterRead, Term::Registers, Sm,
     "operand registers / read ports of the register file", registerBound},
    {Resource::Fp32, Term::Pipes, Sm, "sum of fp32 pipe cycles",
     pipeBound<Pipe::Fp32>},
    {Resource::Fp64, Term::Pipes, Sm, "sum of fp64 pipe cycles",
     pipeBound<Pipe::Fp64>},
    {Resource::Fp16, Term::Pipes, Sm, "sum of fp16 pipe cycles",
     pipeBound<Pipe::Fp16>},
    {Resource::Int, Term::Pipes, Sm, "sum of integer pipe cycles",
     pipeBound<Pipe::Int>},
    {Resource::Sfu, Term::Pipes, Sm, "sum of special-function pipe cycles",
     pipeBound<Pipe::Sfu>},
    {Resource::Tensor, Term::Pipes, Sm, "sum of tensor pipe cycles",
     pipeBound<Pipe::Tensor>},
    {Resource::LoadStore, Term::Pipes, Sm,
     "memory instructions / load-store unit rate", pipeBound<Pipe::LoadStore>},
    {Resource::Texture, Term::Pipes, Sm,
     "texture instructions / texture unit rate", pipeBound<Pipe::Texture>},
    {Resource::Branch, Term::Pipes, Sm,
     "branches and barriers / branch unit rate", pipeBound<Pipe::Branch>},
    {Resource::SharedBandwidth, Term::Shared, Sm,
     "bank passes * pass bytes / shared bandwidth", sharedBound},
    {Resource::L1Bandwidth, Term::L1, Sm,
     "max(passes * pass cycles, bytes asked for / L1 bandwidth) + shared "
     "passes where the array is one",
     l1Bound},
    {Resource::OutstandingRequests, Term::Outstanding, Sm,
     "bytes read through L2 * idle latency / bytes that can be in flight",
     outstandingBound},
    {Resource::SharedAtomics, Term::Atomics, Sm,
     "lanes on one address / rate of one address", sharedAtomicBound},
    {Resource::L2Bandwidth, Term::L2, Chip,
     "read bytes / L2 read bandwidth + written bytes / L2 write bandwidth, "
     "with the headers of their packets",
     l2Bound},
    {Resource::L3Bandwidth, Term::L3, Chip,
     "bytes that L2 misses or evicts / bandwidth", l3Bound},
    {Resource::DramBandwidth, Term::Dram, Chip,
     "bytes, with inline error-correcting code / bandwidth of the read-write "
     "mix + wait for activations of rows",
     dramBound},
    {Resource::HostLink, Term::Link, Chip,
     "latency + bytes of the busier direction / bandwidth", linkBound},
    {Resource::GlobalAtomics, Term::Atomics, Chip,
     "atomics / rate of the busiest address or the chip", globalAtomicBound},
    {Resource::Dispatch, Term::Dispatch, Chip, "blocks / block start rate",
     dispatchBound},
};
static_assert(std::size(BoundTable) == size_t(Resource::Dispatch) + 1);

} // namespace

llvm::ArrayRef<BoundInfo> boundTable() { return BoundTable; }

BytesPerSecond dramBandwidth(const GpuModel &Gpu, double WriteShare) {
  double Read = 1 / Gpu.DramReadBandwidth.value();
  double Copy = 1 / Gpu.DramCopyBandwidth.value();
  double Write = 1 / Gpu.DramWriteBandwidth.value();
  double TimePerByte = WriteShare <= 0.5
                           ? Read + (Copy - Read) * WriteShare * 2
                           : Copy + (Write - Copy) * (WriteShare - 0.5) * 2;
  double Rate = 1 / TimePerByte;
  if (Gpu.L2MissBandwidth)
    Rate = std::min(Rate, Gpu.L2MissBandwidth->value() * Gpu.CoreClock.value());
  return BytesPerSecond(Rate);
}

BytesPerSecond dramBandwidthOfLines(const GpuModel &Gpu, double WriteShare) {
  return dramBandwidth(Gpu, WriteShare) / dramBytesPerByte(Gpu, WriteShare);
}

} // namespace gpuestimate
