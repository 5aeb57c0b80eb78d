#include "gpu-estimate/Resolve/UnknownResolver.h"

#include "LaunchArguments.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

Bindings UnknownResolver::elementCounts() const {
  Bindings Counts;
  for (const BufferInput &B : Inputs)
    for (const KernelArgument &A : Model.Arguments)
      if (B.Array && A.Name == B.Name && A.ElementBytes)
        Counts[B.Name] =
            std::floor(double(B.Array->Bytes.size()) / A.ElementBytes);
  return Counts;
}

/// The options that initialise Buffers: "--buffer a=FILE.npy --buffer b=...".
static std::string bufferOptions(ArrayRef<std::string> Buffers) {
  std::string Text;
  for (const std::string &Name : Buffers)
    Text += (Text.empty() ? "--buffer " : " --buffer ") + Name + "=FILE.npy";
  return Text;
}

namespace {

/// Maps the counts of one launch to the unknowns of one model.
class Resolution {
public:
  /// Inputs: null if every buffer had the contents that the program gave it.
  Resolution(const IrOrigins &Origins, const BufferNames &Names,
             const ArrayRef<BufferInput> *Inputs, const Bindings &Stated,
             const TracedLaunch &E, ResolvedKernel &Result)
      : Origins(Origins), Names(Names),
        Inputs(Inputs ? *Inputs : ArrayRef<BufferInput>()), OfProgram(!Inputs),
        Stated(Stated), E(E), Result(Result) {
    for (unsigned B = 0; B < E.Blocks.size(); ++B)
      BlockNumber[E.Blocks[B]] = B;
    for (unsigned L = 0; L < E.Loops.size(); ++L)
      LoopNumber[E.Loops[L]] = L;
    Dominators.recalculate(const_cast<Function &>(Names.function()));
    Loops.analyze(Dominators);
  }

  void run() {
    for (Unknown &U : Result.Model.Unknowns)
      if (!U.Name.empty() && U.Kind != Unknown::LoadedValue)
        resolve(U);
    resolveRequests();
    if (AllResolved)
      for (const TracedWarp &W : E.Warps)
        Result.Executed.Warps.push_back(pathOf(W));
    for (const llvm::BasicBlock *Block : Origins.Blocks) {
      unsigned Number = BlockNumber.lookup(Block);
      Result.Executed.BlockLanes.push_back(
          E.Runs[Number] > 0 ? E.Lanes[Number] / E.Runs[Number] : 0);
    }
    if (MissingBuffers.empty())
      return;
    std::vector<std::string> Buffers(MissingBuffers.begin(),
                                     MissingBuffers.end());
    Result.Notices.push_back(
        {Result.Model.Location,
         "what '" + Result.Model.Name + "' does depends on " +
             join(Buffers, " and ") +
             ", for which nothing is given: " + bufferOptions(Buffers)});
  }

private:
  std::optional<double> tripCount(const UnknownOrigin &Origin) const;
  std::optional<double> probability(ArrayRef<UnknownOrigin> Branches) const;
  std::set<std::string> sourceBuffers(const Unknown &U,
                                      ArrayRef<UnknownOrigin> Values) const;
  void resolve(Unknown &U);
  /// Records the warp requests of accesses with data-dependent addresses.
  void resolveRequests();
  /// Values that the address of an access depends on have come from data.
  void settleIndices(unsigned Access, const std::string &Why);
  /// Executions of an access by warps.
  double runs(unsigned Access) const;
  /// An access that was not traced, since the trace was full: it is as another
  /// copy that the compiler has made of the same access in the source (by
  /// unrolling a loop), if that was traced.
  void takeFromCopy(unsigned Access, const std::set<std::string> &Buffers);
  ExecutedWarp pathOf(const TracedWarp &W) const;
  /// Entries and iterations of a loop of the model. Runs(block number) and
  /// Entries(loop number) are the counts of one warp, or their sums over warps.
  template <typename RunsOf, typename EntriesOf>
  std::pair<double, double> entriesAndIterations(unsigned Loop, RunsOf Runs,
                                                 EntriesOf Entries) const;
  /// The names in Buffers whose contents are neither an input nor a constant
  /// initialiser in the source.
  std::vector<std::string>
  uninitialised(const std::set<std::string> &Buffers) const;
  /// The reason of a measured value: "mean of 64 warps emulated with a =
  /// a.npy".
  std::string reason(const std::set<std::string> &Buffers,
                     const char *Statistic = "mean") const;

  const IrOrigins &Origins;
  const BufferNames &Names;
  ArrayRef<BufferInput> Inputs;
  bool OfProgram;
  const Bindings &Stated;
  const TracedLaunch &E;
  ResolvedKernel &Result;
  DenseMap<const llvm::BasicBlock *, unsigned> BlockNumber, LoopNumber;
  DominatorTree Dominators;
  LoopInfo Loops;
  /// Buffers without contents from which unknowns are computed.
  std::set<std::string> MissingBuffers;
  bool AllResolved = true;
};

} // namespace

template <typename RunsOf, typename EntriesOf>
std::pair<double, double>
Resolution::entriesAndIterations(unsigned Loop, RunsOf Runs,
                                 EntriesOf Entries) const {
  const LoopOrigin &Origin = Origins.Loops[Loop];
  double LoopEntries = Entries(LoopNumber.lookup(Origin.Header)),
         Iterations = Runs(BlockNumber.lookup(Origin.Header));
  if (Origin.TestFirst) // the header's last run only ends the loop
    Iterations -= LoopEntries;
  return {Origin.Guard ? Runs(BlockNumber.lookup(Origin.Guard)) : LoopEntries,
          Iterations};
}

std::optional<double> Resolution::tripCount(const UnknownOrigin &Origin) const {
  const llvm::BasicBlock *Header = cast<Instruction>(Origin.V)->getParent();
  for (unsigned L = 0; L < Origins.Loops.size(); ++L) {
    if (Origins.Loops[L].Header != Header)
      continue;
    auto [Entries, Iterations] = entriesAndIterations(
        L, [&](unsigned Block) { return E.Runs[Block]; },
        [&](unsigned Loop) { return E.Entries[Loop]; });
    if (Entries > 0)
      return Iterations / Entries;
  }
  return std::nullopt;
}

std::optional<double>
Resolution::probability(ArrayRef<UnknownOrigin> Branches) const {
  double AllLanes = 0, TakenLanes = 0;
  for (const UnknownOrigin &Origin : Branches) {
    const auto *I = dyn_cast_or_null<Instruction>(Origin.V);
    if (!I)
      continue;
    if (!Origin.To) {
      ConditionCounts C = E.Conditions.lookup(I);
      AllLanes += C.Lanes;
      TakenLanes += Origin.Opposite ? C.Lanes - C.True : C.True;
      continue;
    }
    // A branch counts its own successors; a loop counts all of its exits.
    const llvm::Loop *ExitedLoop =
        Origin.FromLoop ? Loops.getLoopFor(Origin.FromLoop) : nullptr;
    for (const llvm::BasicBlock *BB : E.Blocks) {
      const Instruction *Terminator = BB->getTerminator();
      bool Counts = ExitedLoop ? ExitedLoop->contains(BB) : Terminator == I;
      BranchCounts C = Counts ? E.Branches.lookup(Terminator) : BranchCounts();
      for (unsigned S = 0; S < C.Lanes.size(); ++S) {
        const llvm::BasicBlock *Successor = Terminator->getSuccessor(S);
        if (ExitedLoop && ExitedLoop->contains(Successor))
          continue;
        AllLanes += C.Lanes[S];
        TakenLanes +=
            (Successor == Origin.To) != Origin.Opposite ? C.Lanes[S] : 0;
      }
    }
  }
  if (AllLanes <= 0)
    return std::nullopt;
  return TakenLanes / AllLanes;
}

std::set<std::string>
Resolution::sourceBuffers(const Unknown &U,
                          ArrayRef<UnknownOrigin> Values) const {
  std::set<std::string> Buffers;
  for (const UnknownOrigin &Origin : Values) {
    const auto *I = dyn_cast_or_null<Instruction>(Origin.V);
    if (I && (U.Kind == Unknown::TripCount || Origin.FromLoop))
      Buffers.merge(buffersInLoopSlice(
          Names, Origin.FromLoop ? Origin.FromLoop : I->getParent()));
    else if (I)
      Buffers.merge(buffersInSlice(Names, I));
  }
  return Buffers;
}

std::vector<std::string>
Resolution::uninitialised(const std::set<std::string> &Buffers) const {
  std::vector<std::string> Missing;
  if (OfProgram)
    return Missing;
  auto HasInitializer = [](const Value *V) {
    const auto *G = dyn_cast<GlobalVariable>(V);
    return G && G->hasInitializer() && !G->getInitializer()->isNullValue();
  };
  for (const std::string &Name : Buffers)
    if (none_of(Inputs, [&](const BufferInput &B) { return B.Name == Name; }) &&
        none_of(Names.valuesOf(Name), HasInitializer))
      Missing.push_back(Name);
  return Missing;
}

std::string Resolution::reason(const std::set<std::string> &Buffers,
                               const char *Statistic) const {
  size_t N = E.Warps.size();
  std::string Text = std::string(Statistic) + " of " + std::to_string(N) +
                     (N == 1 ? " warp" : " warps") +
                     (OfProgram ? " that the run has traced" : " emulated");
  const char *Separator = " with ";
  for (const BufferInput &B : Inputs)
    if (Buffers.count(B.Name)) {
      Text += Separator + B.Name + " = " + B.Text;
      Separator = ", ";
    }
  if (!E.Stop.empty())
    Text +=
        "; it stopped before the other " + std::to_string(E.WantedWarps - N);
  return Text;
}

void Resolution::resolve(Unknown &U) {
  if (Stated.count(U.Name)) { // the user's value has precedence
    AllResolved = false;
    return;
  }
  auto Entry = Origins.Unknowns.find(U.Name);
  if (Entry == Origins.Unknowns.end() || Entry->second.empty()) {
    AllResolved = false;
    return;
  }
  std::set<std::string> Buffers = sourceBuffers(U, Entry->second);
  if (std::vector<std::string> Missing = uninitialised(Buffers);
      !Missing.empty()) {
    MissingBuffers.insert(Missing.begin(), Missing.end());
    U.Why += "; not emulated, because nothing is given for " +
             join(Missing, " and ");
    U.Settle = bufferOptions(Missing) + " or " + U.Settle;
    AllResolved = false;
    return;
  }
  std::optional<double> Value = U.Kind == Unknown::TripCount
                                    ? tripCount(Entry->second.front())
                                    : probability(Entry->second);
  if (!Value) {
    U.Why += "; no emulated warp came by";
    return;
  }
  U.Default = *Value;
  U.UpperBound.reset();
  U.FromData = true;
  U.Why = reason(Buffers);
}

void Resolution::resolveRequests() {
  KernelModel &M = Result.Model;
  Result.Executed.Requests.resize(M.Accesses.size());
  Result.Executed.RequestWeights.resize(M.Accesses.size());
  Result.Executed.Counts.resize(M.Accesses.size());
  Result.Executed.Reuse.resize(M.Accesses.size());
  DenseMap<const Instruction *, unsigned> Parts; // accesses of an instruction
  for (const AccessOrigin &Origin : Origins.Accesses)
    ++Parts[Origin.At];
  std::set<std::array<uint64_t, 3>> Blocks;
  for (const TracedWarp &W : E.Warps) {
    Blocks.insert(W.Block);
    Result.Executed.RepresentedWarps += W.Weight;
  }
  Result.Executed.TracedBlocks = double(Blocks.size());
  Result.Executed.TracedWarps = double(E.Warps.size());
  DenseMap<const Instruction *, StringRef> Buffers;
  for (auto [Origin, Access] : zip_equal(Origins.Accesses, M.Accesses))
    Buffers.try_emplace(Origin.At, Access.buffer());
  for (const auto &Access : E.Accesses)
    Result.Executed.ReuseOfBuffers[Buffers.lookup(Access.first).str()] +=
        Access.second.Reuse;
  std::set<std::string> Missing;
  /// Accesses that were executed after the trace had become full, with the
  /// buffers that their addresses depend on.
  std::vector<std::pair<unsigned, std::set<std::string>>> Untraced;
  for (unsigned A = 0; A < M.Accesses.size(); ++A) {
    const AccessOrigin &Origin = Origins.Accesses[A];
    auto Counts = E.Accesses.find(Origin.At);
    if (Counts != E.Accesses.end() && Parts.lookup(Origin.At) == 1)
      Result.Executed.Counts[A] = {Counts->second.Requests,
                                   Counts->second.Lanes,
                                   Counts->second.Sectors};
    if (!M.Accesses[A].DataDependent)
      continue;
    const Value *Pointer = getLoadStorePointerOperand(Origin.At);
    if (const auto *Rmw = dyn_cast<AtomicRMWInst>(Origin.At))
      Pointer = Rmw->getPointerOperand();
    if (!Pointer) {
      AllResolved = false;
      continue;
    }
    std::set<std::string> Buffers = buffersInSlice(Names, Pointer);
    if (std::vector<std::string> None = uninitialised(Buffers); !None.empty()) {
      AllResolved = false;
      Missing.insert(None.begin(), None.end());
      MissingBuffers.insert(None.begin(), None.end());
      continue;
    }
    if (Counts == E.Accesses.end()) {
      if (runs(A) > 0)
        Untraced.push_back({A, std::move(Buffers)});
      continue;
    }
    Result.Executed.Reuse[A] = Counts->second.Reuse;
    Result.Executed.RequestWeights[A] = Counts->second.Weights;
    auto &Requests = Result.Executed.Requests[A] = Counts->second.Samples;
    for (std::vector<double> &LaneAddresses : Requests)
      for (double &Address : LaneAddresses)
        Address += double(Origin.Offset); // NaN stays NaN
    if (!Requests.empty())
      settleIndices(A, "requests " + reason(Buffers, "as those"));
  }
  for (const auto &[A, Buffers] : Untraced)
    takeFromCopy(A, Buffers);
  for (Unknown &U : M.Unknowns)
    if (U.Kind == Unknown::LoadedValue && !Missing.empty() && !U.FromData) {
      std::vector<std::string> Buffers(Missing.begin(), Missing.end());
      U.Settle = bufferOptions(Buffers) + " or " + U.Settle;
    }
}

void Resolution::settleIndices(unsigned Access, const std::string &Why) {
  KernelModel &M = Result.Model;
  for (Unknown &U : M.Unknowns)
    if (U.Kind == Unknown::LoadedValue && M.Accesses[Access].Address &&
        M.Accesses[Access].Address.dependsOn(U.Name)) {
      U.FromData = true;
      U.Why = Why;
    }
}

double Resolution::runs(unsigned Access) const {
  return E.Runs[BlockNumber.lookup(Origins.Accesses[Access].At->getParent())];
}

void Resolution::takeFromCopy(unsigned Access,
                              const std::set<std::string> &Buffers) {
  const KernelModel &M = Result.Model;
  ExecutedLaunch &Executed = Result.Executed;
  const MemoryAccess &Of = M.Accesses[Access];
  auto IsCopy = [&](unsigned Other) {
    const MemoryAccess &A = M.Accesses[Other];
    return A.DataDependent && A.Location == Of.Location && A.Kind == Of.Kind &&
           A.BytesPerThread == Of.BytesPerThread && A.buffer() == Of.buffer();
  };
  std::optional<unsigned> Traced;
  double Runs = 0; // of all copies, whose uses the trace counts as those of one
  for (unsigned Other = 0; Other < M.Accesses.size(); ++Other) {
    if (!IsCopy(Other))
      continue;
    Runs += runs(Other);
    if (!Traced && E.Accesses.contains(Origins.Accesses[Other].At) &&
        !Executed.Requests[Other].empty())
      Traced = Other;
  }
  if (!Traced || Of.Location.Line == 0) {
    AllResolved = false;
    return;
  }
  Executed.Requests[Access] = Executed.Requests[*Traced];
  Executed.RequestWeights[Access] = Executed.RequestWeights[*Traced];
  const AccessCounts &Counts =
      E.Accesses.find(Origins.Accesses[*Traced].At)->second;
  Executed.Reuse[Access] = Counts.Reuse.part(runs(Access) / Runs);
  Executed.Reuse[*Traced] = Counts.Reuse.part(runs(*Traced) / Runs);
  settleIndices(Access, "requests as those of another copy of this access, " +
                            reason(Buffers, "which are those"));
}

ExecutedWarp Resolution::pathOf(const TracedWarp &W) const {
  const KernelModel &M = Result.Model;
  ExecutedWarp Path;
  Path.Weight = W.Weight;
  Path.SampledBlock = W.Sampled;
  std::vector<double> Entries, Iterations;
  for (unsigned L = 0; L < M.Loops.size(); ++L) {
    auto [LoopEntries, LoopIterations] = entriesAndIterations(
        L, [&](unsigned Block) { return double(W.Runs[Block]); },
        [&](unsigned Loop) { return double(W.Entries[Loop]); });
    Entries.push_back(LoopEntries);
    Iterations.push_back(LoopIterations);
  }
  auto Ratio = [](double A, double B) { return B > 0 ? A / B : 0; };
  auto BodyRuns = [&](int Loop) { return Loop < 0 ? 1 : Iterations[Loop]; };
  for (unsigned L = 0; L < M.Loops.size(); ++L) {
    Path.LoopShare.push_back(Ratio(Entries[L], BodyRuns(M.Loops[L].Parent)));
    Path.LoopTrips.push_back(Ratio(Iterations[L], Entries[L]));
  }
  Path.BlockShare.assign(M.Blocks.size(), 0);
  auto Visit = [&](auto &Self, ArrayRef<RegionNode> Body, int Loop) -> void {
    for (const RegionNode &I : Body)
      if (I.Kind == RegionNode::IsLoop)
        Self(Self, M.Loops[I.Index].Body, int(I.Index));
      else // a test at the start of a loop runs once more than the body
        Path.BlockShare[I.Index] = std::min(
            1.0,
            Ratio(double(W.Runs[BlockNumber.lookup(Origins.Blocks[I.Index])]),
                  BodyRuns(Loop)));
  };
  Visit(Visit, M.Body, -1);
  if (!W.ReuseBytes.empty()) {
    Path.ReuseBytes.resize(M.Accesses.size());
    for (unsigned A = 0; A < M.Accesses.size(); ++A)
      if (M.Accesses[A].Kind == AccessKind::Load)
        Path.ReuseBytes[A] = W.ReuseBytes.lookup(Origins.Accesses[A].At);
  }
  return Path;
}

/// The model as it is.
static ResolvedKernel unresolved(const KernelModel &Model) {
  ResolvedKernel Result;
  Result.Model = Model;
  Result.Executed.Blocks = Model.Blocks.size();
  Result.Executed.Loops = Model.Loops.size();
  Result.Executed.Accesses = Model.Accesses.size();
  return Result;
}

bool UnknownResolver::isClosedForm() const {
  return none_of(Model.Unknowns,
                 [](const Unknown &U) { return !U.Name.empty(); }) &&
         none_of(Model.Accesses,
                 [](const MemoryAccess &A) { return A.DataDependent; });
}

SpecialDivisions
UnknownResolver::specialDivisions(const TracedLaunch &Traced) const {
  constexpr double Steps = 8;
  SpecialDivisions Shares;
  for (const Instruction *I : Origins.Divisions)
    if (ConditionCounts Warps = Traced.Conditions.lookup(I); Warps.Lanes > 0)
      Shares[I] = std::round(Steps * Warps.True / Warps.Lanes) / Steps;
  return Shares;
}

ResolvedKernel UnknownResolver::resolve(const TracedLaunch &Traced,
                                        const Bindings &Stated) const {
  ResolvedKernel Result = unresolved(Model);
  if (isClosedForm() || Origins.Accesses.size() != Model.Accesses.size())
    return Result;
  Resolution(Origins, Names, nullptr, Stated, Traced, Result).run();
  return Result;
}

/// The module that F belongs to.
static std::string bitcodeOf(const Function &F) {
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*F.getParent(), OS);
  return Bitcode;
}

/// The reason of a stop and its source line.
static std::string whyStopped(const SampleResult &R) {
  SourceLocation At{R.File, R.Line, 0};
  return R.Stop + (At.isValid() ? " (" + At.brief() + ")" : "");
}

Expected<ResolvedKernel>
UnknownResolver::resolve(const Launch &L, const Bindings &Stated,
                         const Bindings &Parameters, unsigned Lanes,
                         const SampleLimits &Limits) const {
  ResolvedKernel Result = unresolved(Model);
  auto AddNotice = [&](const Twine &Text) {
    Result.Notices.push_back({Model.Location, Text.str()});
  };
  auto NotExecuted = [&](const Twine &Why) {
    AddNotice("'" + Model.Name + "' is not emulated: " + Why);
  };
  if (isClosedForm())
    return Result;
  if (Origins.Accesses.size() != Model.Accesses.size()) {
    NotExecuted("its model was changed by tiles in shared memory");
    return Result;
  }
  Expected<SampleRequest> Request = launchRequest(Names, L, Parameters, Inputs);
  if (!Request)
    return Request.takeError();
  Request->Bitcode = bitcodeOf(Names.function());
  Request->Lanes = Lanes;
  Request->Seconds = Limits.Seconds;
  Request->MemoryBytes = Limits.MemoryBytes;
  SampleResult Executed = executeSample(*Request);
  if (!Executed.Trace) {
    NotExecuted(whyStopped(Executed));
    return Result;
  }
  Expected<TracedLaunch> Traced = readTrace(*Executed.Trace, Names.function());
  if (!Traced) {
    NotExecuted(toString(Traced.takeError()));
    return Result;
  }
  if (Traced->Stop.empty())
    Traced->Stop = Executed.Stop;
  if (!Traced->Stop.empty()) {
    std::string Why =
        Executed.Stop.empty() ? Traced->Stop : whyStopped(Executed);
    if (Traced->Warps.empty()) {
      NotExecuted(Why);
      return Result;
    }
    AddNotice("the emulation of '" + Model.Name + "' stopped after " +
              Twine(Traced->Warps.size()) + " of " +
              Twine(Traced->WantedWarps) + " warps: " + Why);
  }
  Resolution(Origins, Names, &Inputs, Stated, *Traced, Result).run();
  return Result;
}

} // namespace gpuestimate
