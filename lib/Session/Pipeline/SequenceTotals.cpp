#include "SequenceTotals.h"

#include "gpu-estimate/Timeline/Timeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

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

  const Prediction *estimateOf(const SequenceStep &Step) const;
  void chooseParts();

  // One execution on a time line; loops have one iteration.
  void schedule(ArrayRef<size_t> Of, bool InGraph, Timeline &On) const;
  TimelineResult repeated(ArrayRef<size_t> Of, bool InGraph,
                          unsigned Times) const;
  /// Totals of the iterations of loops after the first one.
  TimelineTotals furtherIterations(ArrayRef<size_t> Of, bool InGraph) const;

  // What the report counts.
  void count(ArrayRef<size_t> Of, double Times);
  void countLaunch(const SequenceStep &Step, double Times);
  void missing(const SequenceStep &Step, StringRef What, StringRef Why,
               double Times);

  const LaunchSequence &Sequence;
  const GpuModel &Gpu;
  const TimelineCosts Costs;
  /// [step] the steps that are executed in it, once: of a loop those of one
  /// iteration, of a choice those of one part.
  std::vector<Steps> Inside;
  Steps Outermost;
  StringMap<std::vector<const Prediction *>> Estimates; ///< by mangled name
  StringMap<size_t> PartOf, MissingOf;                  ///< places in Total
  bool HasAsync = false; ///< steps of another stream
  SequenceTotal Total;
};

} // namespace

SequencePricer::SequencePricer(const LaunchSequence &Sequence,
                               ArrayRef<const Prediction *> Known,
                               const GpuModel &Gpu)
    : Sequence(Sequence), Gpu(Gpu), Costs(timelineCosts(Gpu)),
      Inside(Sequence.Steps.size()) {
  for (const auto &[I, Step] : enumerate(Sequence.Steps))
    (Step.Parent ? Inside[*Step.Parent] : Outermost).push_back(I);
  for (const Prediction *P : Known)
    if (P->Gpu == Gpu.Id)
      Estimates[P->Kernel].push_back(P);
  chooseParts();
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

/// Leaves in loops and choices what is executed.
void SequencePricer::chooseParts() {
  std::vector<double> KernelNs(Sequence.Steps.size()); // of what is executed
  auto Sum = [&](ArrayRef<size_t> Of) {
    return std::accumulate(Of.begin(), Of.end(), 0.0, [&](double Ns, size_t I) {
      return Ns + KernelNs[I];
    });
  };
  // A step stands before those inside it.
  for (size_t I = Sequence.Steps.size(); I-- > 0;) {
    const SequenceStep &Step = Sequence.Steps[I];
    auto IsOf = [&](StringRef Part) {
      return [&, Part](size_t Inner) {
        return Sequence.Steps[Inner].Part == Part;
      };
    };
    // A number of iterations that is known needs no condition.
    if (Step.Role == SequenceStep::Loop && Step.Iterations)
      erase_if(Inside[I], IsOf("condition"));
    if (Step.Role == SequenceStep::Choice) {
      Steps Longest;
      for (ArrayRef<size_t> Rest = Inside[I]; !Rest.empty();) {
        ArrayRef<size_t> Part =
            Rest.take_while(IsOf(Sequence.Steps[Rest.front()].Part));
        Rest = Rest.drop_front(Part.size());
        if (Longest.empty() || Sum(Part) > Sum(Longest))
          Longest = Part.vec();
      }
      Inside[I] = std::move(Longest);
    }
    const Prediction *P = Step.isLaunch() ? estimateOf(Step) : nullptr;
    KernelNs[I] = P ? launchCost(*P, Gpu).Ns : Sum(Inside[I]);
  }
}

static void call(Timeline &On, StringRef Name, decltype(RunRecord::What) What,
                 const LaunchCost *Cost = nullptr) {
  RunRecord Record;
  Record.Call = Name.str();
  Record.What = std::move(What);
  On.add(Record, Cost);
}

void SequencePricer::schedule(ArrayRef<size_t> Of, bool InGraph,
                              Timeline &On) const {
  for (size_t I : Of) {
    const SequenceStep &Step = Sequence.Steps[I];
    switch (Step.Role) {
    case SequenceStep::Launch:
      if (const Prediction *P = estimateOf(Step)) {
        LaunchCost Cost = launchCost(*P, Gpu);
        call(On, "launch", RunLaunch(), &Cost);
      }
      break;
    case SequenceStep::Group:
    case SequenceStep::Loop:
    case SequenceStep::Choice:
      schedule(Inside[I], InGraph, On);
      break;
    case SequenceStep::Graph: {
      // A graph within a graph is part of it.
      RunGraphLaunch Graph;
      if (!InGraph)
        call(On, "graph", Graph);
      schedule(Inside[I], /*InGraph=*/true, On);
      Graph.Begin = false;
      if (!InGraph)
        call(On, "graph", Graph);
      break;
    }
    case SequenceStep::Copy:
      if (RunCopy Copy; Step.Bytes) {
        Copy.Kind = RunCopyKind::DeviceToDevice;
        Copy.Bytes = *Step.Bytes;
        Copy.Async = true;
        call(On, "copy", Copy);
      }
      break;
    case SequenceStep::Memset:
      if (RunMemset Memset; Step.Bytes) {
        Memset.Bytes = *Step.Bytes;
        Memset.Async = true;
        call(On, "memset", Memset);
      }
      break;
    case SequenceStep::Marker:
    case SequenceStep::Other:
      break;
    }
  }
}

TimelineResult SequencePricer::repeated(ArrayRef<size_t> Of, bool InGraph,
                                        unsigned Times) const {
  Timeline On(Costs);
  RunGraphLaunch Graph;
  if (InGraph)
    call(On, "graph", Graph);
  for (unsigned N = 0; N < Times; ++N)
    schedule(Of, InGraph, On);
  Graph.Begin = false;
  if (InGraph)
    call(On, "graph", Graph);
  call(On, "wait", RunWait());
  return On.finish();
}

TimelineTotals SequencePricer::furtherIterations(ArrayRef<size_t> Of,
                                                 bool InGraph) const {
  TimelineTotals Sum;
  auto Add = [&](const TimelineTotals &Part, double Times) {
    Sum.WallNs += Times * Part.WallNs;
    Sum.KernelNs += Times * Part.KernelNs;
    Sum.CopyNs += Times * Part.CopyNs;
  };
  for (size_t I : Of) {
    const SequenceStep &Step = Sequence.Steps[I];
    bool IsInGraph = InGraph || Step.Role == SequenceStep::Graph;
    if (Inside[I].empty())
      continue;
    double Iterations = 1;
    if (Step.Role == SequenceStep::Loop && Step.Iterations) {
      Iterations = static_cast<double>(*Step.Iterations);
      Add(repeated(Inside[I], IsInGraph, 2).Totals, Iterations - 1);
      Add(repeated(Inside[I], IsInGraph, 1).Totals, 1 - Iterations);
    }
    Add(furtherIterations(Inside[I], IsInGraph), Iterations);
  }
  return Sum;
}

void SequencePricer::missing(const SequenceStep &Step, StringRef What,
                             StringRef Why, double Times) {
  auto [Place, IsNew] = MissingOf.try_emplace(What, Total.NotPredicted.size());
  if (IsNew)
    Total.NotPredicted.push_back({What.str(), 0, Step.Line, Why.str()});
  Total.NotPredicted[Place->second].Count += Times;
}

void SequencePricer::countLaunch(const SequenceStep &Step, double Times) {
  const Prediction *P = estimateOf(Step);
  if (!P)
    return missing(Step, Step.Kernel,
                   "this kernel has no estimate, or is in another file", Times);
  auto [Place, IsNew] = PartOf.try_emplace(P->Kernel, Total.Parts.size());
  if (IsNew)
    Total.Parts.push_back({P->Kernel, P->Name, 0, {}});
  FunctionTotal::Part &Part = Total.Parts[Place->second];
  Part.Launches += Times;
  Part.Time = Part.Time + P->Time * Times;
  Total.Launches += Times;
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
      .Case("kCustomCall", "code that is not in the module")
      .Cases("kInfeed", "kOutfeed", "the host takes part")
      .StartsWith("kHost", "the host takes part")
      .Default("not a kernel of the module");
}

void SequencePricer::count(ArrayRef<size_t> Of, double Times) {
  for (size_t I : Of) {
    const SequenceStep &Step = Sequence.Steps[I];
    switch (Step.Role) {
    case SequenceStep::Launch:
      countLaunch(Step, Times);
      break;
    case SequenceStep::Group:
    case SequenceStep::Graph:
      HasAsync |= Step.Kind == "kAsyncStart" && !Inside[I].empty();
      count(Inside[I], Times);
      break;
    case SequenceStep::Loop:
      if (!Step.Iterations)
        missing(Step, Step.Kind,
                "one iteration of it is counted: no file tells how many there "
                "are",
                Times);
      count(Inside[I],
            Times * static_cast<double>(Step.Iterations.value_or(1)));
      break;
    case SequenceStep::Choice:
      missing(Step, Step.Kind,
              "the branch whose kernels take longest is counted", Times);
      count(Inside[I], Times);
      break;
    case SequenceStep::Copy:
    case SequenceStep::Memset:
      if (!Step.Bytes)
        missing(Step, Step.Kind, "no file tells its size", Times);
      break;
    case SequenceStep::Marker:
      break;
    case SequenceStep::Other:
      missing(Step, Step.Kind, reasonOf(Step.Kind), Times);
      break;
    }
  }
}

SequenceTotal SequencePricer::run() {
  constexpr double SecondsPerNs = 1e-9;
  TimelineResult Once = repeated(Outermost, /*InGraph=*/false, 1);
  TimelineTotals Further = furtherIterations(Outermost, /*InGraph=*/false);
  count(Outermost, 1);
  Total.Name = Sequence.Name;
  Total.File = Sequence.File;
  Total.Gpu = Gpu.Id;
  Total.GpuName = Gpu.Name;
  auto Sum = [&](double TimelineTotals::*Part) {
    return Seconds((Once.Totals.*Part + Further.*Part) * SecondsPerNs);
  };
  Total.Time = Sum(&TimelineTotals::WallNs);
  Total.KernelTime = Sum(&TimelineTotals::KernelNs);
  Total.CopyTime = Sum(&TimelineTotals::CopyNs);
  Total.IdleTime = Total.Time - Total.KernelTime - Total.CopyTime;
  Total.Premises = std::move(Once.Assumptions);
  Total.Premises.push_back("each launch takes the time of its estimate: what "
                           "the launches before it leave in the caches does "
                           "not count");
  if (HasAsync)
    Total.Premises.push_back("steps of kAsyncStart are done in their order, "
                             "and not beside others");
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
