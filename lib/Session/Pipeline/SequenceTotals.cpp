#include "SequenceTotals.h"

#include "gpu-estimate/Timeline/Timeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class SequencePricer {
public:
  SequencePricer(const LaunchSequence &Sequence,
                 ArrayRef<const Prediction *> Estimates, const GpuModel &Gpu);

  SequenceTotal run();

private:
  using Steps = std::vector<size_t>;

  void add(ArrayRef<size_t> Of);
  void addLaunch(const SequenceStep &Step);
  void addChoice(ArrayRef<size_t> Parts);
  void addGraph(ArrayRef<size_t> Nodes);
  void missing(const SequenceStep &Step, StringRef What, StringRef Why);
  void call(StringRef Name, decltype(RunRecord::What) What,
            const LaunchCost *Cost = nullptr) {
    RunRecord Record;
    Record.Call = Name.str();
    Record.What = std::move(What);
    Schedule.add(Record, Cost);
  }
  const Prediction *estimateOf(const SequenceStep &Step) const;
  double kernelNs(ArrayRef<size_t> Of) const;

  const LaunchSequence &Sequence;
  const GpuModel &Gpu;
  Timeline Schedule;
  std::vector<Steps> Inside; ///< [step] the steps that it contains
  Steps Outermost;
  StringMap<std::vector<const Prediction *>> Estimates; ///< by mangled name
  StringMap<size_t> PartOf, MissingOf;                  ///< places in Total
  bool InGraph = false;
  SequenceTotal Total;
};

} // namespace

SequencePricer::SequencePricer(const LaunchSequence &Sequence,
                               ArrayRef<const Prediction *> Known,
                               const GpuModel &Gpu)
    : Sequence(Sequence), Gpu(Gpu), Schedule(timelineCosts(Gpu)),
      Inside(Sequence.Steps.size()) {
  for (const auto &[I, Step] : enumerate(Sequence.Steps))
    (Step.Parent ? Inside[*Step.Parent] : Outermost).push_back(I);
  for (const Prediction *P : Known)
    if (P->Gpu == Gpu.Id)
      Estimates[P->Kernel].push_back(P);
}

/// The estimate of a launch: that of its sizes, unless the user has stated
/// others.
const Prediction *SequencePricer::estimateOf(const SequenceStep &Step) const {
  auto Known = Estimates.find(Step.Kernel);
  if (Known == Estimates.end())
    return nullptr;
  for (const Prediction *P : Known->second)
    if (Step.Grid == P->Used.Grid && Step.Block == P->Used.Block)
      return P;
  return Known->second.front();
}

void SequencePricer::missing(const SequenceStep &Step, StringRef What,
                             StringRef Why) {
  auto [Place, IsNew] = MissingOf.try_emplace(What, Total.NotPredicted.size());
  if (IsNew)
    Total.NotPredicted.push_back({What.str(), 0, Step.Line, Why.str()});
  ++Total.NotPredicted[Place->second].Count;
}

void SequencePricer::addLaunch(const SequenceStep &Step) {
  const Prediction *P = estimateOf(Step);
  if (!P)
    return missing(Step, Step.Kernel,
                   "this kernel has no estimate, or is in another file");
  LaunchCost Cost = launchCost(*P, Gpu);
  call("launch", RunLaunch(), &Cost);
  auto [Place, IsNew] = PartOf.try_emplace(P->Kernel, Total.Parts.size());
  if (IsNew)
    Total.Parts.push_back({P->Kernel, P->Name, 0, {}});
  FunctionTotal::Part &Part = Total.Parts[Place->second];
  ++Part.Launches;
  Part.Time = Part.Time + P->Time;
  ++Total.Launches;
}

/// The time of all kernels in these steps, one after the other.
double SequencePricer::kernelNs(ArrayRef<size_t> Of) const {
  double Ns = 0;
  for (size_t I : Of) {
    const SequenceStep &Step = Sequence.Steps[I];
    const Prediction *P = Step.isLaunch() ? estimateOf(Step) : nullptr;
    Ns += P ? launchCost(*P, Gpu).Ns : kernelNs(Inside[I]);
  }
  return Ns;
}

/// Adds the part of a choice whose kernels take longest.
void SequencePricer::addChoice(ArrayRef<size_t> Parts) {
  Steps Longest;
  double LongestNs = -1;
  for (ArrayRef<size_t> Rest = Parts; !Rest.empty();) {
    const std::string &Name = Sequence.Steps[Rest.front()].Part;
    ArrayRef<size_t> Part = Rest.take_while(
        [&](size_t I) { return Sequence.Steps[I].Part == Name; });
    Rest = Rest.drop_front(Part.size());
    if (double Ns = kernelNs(Part); Ns > LongestNs) {
      LongestNs = Ns;
      Longest = Part.vec();
    }
  }
  add(Longest);
}

void SequencePricer::addGraph(ArrayRef<size_t> Nodes) {
  // A graph within a graph is part of it.
  if (InGraph)
    return add(Nodes);
  RunGraphLaunch Graph;
  call("graph", Graph);
  InGraph = true;
  add(Nodes);
  InGraph = false;
  Graph.Begin = false;
  call("graph", Graph);
}

/// Why a step that is no kernel of the module has no time.
static StringRef reasonOf(StringRef Kind) {
  for (StringRef Collective :
       {"AllGather", "AllReduce", "AllToAll", "Collective", "ReduceScatter",
        "Nccl", "Nvshmem", "kSend", "kRecv", "ReplicaId", "PartitionId"})
    if (Kind.contains(Collective))
      return "communication between GPUs";
  return StringSwitch<StringRef>(Kind)
      .Cases("kGemm", "kCublasLtMatmul", "kTriangularSolve", "cuBLAS")
      .Cases("kConvolution", "kConvolutionReorder", "kCuDnn", "kNorm",
             "kFusedMHA", "cuDNN")
      .Case("kFft", "cuFFT")
      .Case("kCholesky", "cuSOLVER")
      .Cases("kCopy", "kMemzero", "kMemset32BitValue",
             "the sequence does not tell its size")
      .Case("kCustomCall", "code that is not in the module")
      .Cases("kInfeed", "kOutfeed", "the host takes part")
      .StartsWith("kHost", "the host takes part")
      .Default("not a kernel of the module");
}

void SequencePricer::add(ArrayRef<size_t> Of) {
  for (size_t I : Of) {
    const SequenceStep &Step = Sequence.Steps[I];
    switch (Step.Role) {
    case SequenceStep::Launch:
      addLaunch(Step);
      break;
    case SequenceStep::Group:
      add(Inside[I]);
      break;
    case SequenceStep::Graph:
      addGraph(Inside[I]);
      break;
    case SequenceStep::Loop:
      missing(Step, Step.Kind,
              "one iteration of it is counted: the sequence does not tell how "
              "many there are");
      add(Inside[I]);
      break;
    case SequenceStep::Choice:
      missing(Step, Step.Kind,
              "the branch whose kernels take longest is counted");
      addChoice(Inside[I]);
      break;
    case SequenceStep::Marker:
      break;
    case SequenceStep::Other:
      missing(Step, Step.Kind, reasonOf(Step.Kind));
      break;
    }
  }
}

SequenceTotal SequencePricer::run() {
  constexpr double SecondsPerNs = 1e-9;
  add(Outermost);
  call("wait", RunWait());
  TimelineResult Result = Schedule.finish();
  Total.Name = Sequence.Name;
  Total.File = Sequence.File;
  Total.Gpu = Gpu.Id;
  Total.GpuName = Gpu.Name;
  Total.Time = Seconds(Result.Totals.WallNs * SecondsPerNs);
  Total.KernelTime = Seconds(Result.Totals.KernelNs * SecondsPerNs);
  Total.IdleTime = Seconds(Result.Totals.IdleNs * SecondsPerNs);
  Total.Premises = std::move(Result.Assumptions);
  return std::move(Total);
}

std::vector<SequenceTotal>
sequenceTotals(const LaunchSequence &Sequence,
               ArrayRef<const Prediction *> Estimates,
               ArrayRef<GpuModel> Gpus) {
  std::vector<SequenceTotal> Totals;
  if (Sequence.Steps.empty() || Estimates.empty())
    return Totals;
  for (const GpuModel &Gpu : Gpus)
    Totals.push_back(SequencePricer(Sequence, Estimates, Gpu).run());
  return Totals;
}

} // namespace gpuestimate
