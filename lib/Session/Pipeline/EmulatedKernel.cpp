#include "EmulatedKernel.h"
#include "Session/Settings/ModelOptions.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Lowering/Extract.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

Expected<std::vector<GivenBuffer>>
readBuffers(ArrayRef<std::pair<std::string, std::string>> Buffers) {
  std::vector<GivenBuffer> Out;
  for (const auto &[Name, Text] : Buffers) {
    GivenBuffer &B = Out.emplace_back();
    B.Name = Name;
    B.Text = Text;
    B.Fill = StringSwitch<BufferData::FillKind>(Text)
                 .Case("zeros", BufferData::Zeros)
                 .Case("iota", BufferData::Iota)
                 .Case("random", BufferData::Random)
                 .Default(BufferData::File);
    if (B.Fill != BufferData::File)
      continue;
    auto File = MemoryBuffer::getFile(Text, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    if (!File)
      return usage("--buffer " + Name + "=" + Text + ": " +
                   File.getError().message());
    Expected<NpyArray> Array = parseNpy(Text, (*File)->getBuffer());
    if (!Array)
      return usage("--buffer " + Name + "=" + toString(Array.takeError()));
    B.Array = std::make_shared<const NpyArray>(std::move(*Array));
  }
  return Out;
}

Bindings EmulatedKernel::elements() const {
  Bindings Out;
  for (const GivenBuffer &B : Given)
    for (const KernelArgument &A : Model.Arguments)
      if (B.Array && A.Name == B.Name && A.ElementBytes)
        Out[B.Name] =
            std::floor(double(B.Array->Bytes.size()) / A.ElementBytes);
  return Out;
}

static std::string giveThem(ArrayRef<std::string> Buffers) {
  std::string Text;
  for (const std::string &Name : Buffers)
    Text += (Text.empty() ? "--buffer " : " --buffer ") + Name + "=FILE.npy";
  return Text;
}

namespace {

/// Reads the counts of an emulation as values of a model's unknowns.
class Settling {
public:
  Settling(const IrPlaces &Places, const BufferNames &Names,
           ArrayRef<GivenBuffer> Given, const Bindings &Values,
           const Emulation &E, SettledKernel &Into)
      : Places(Places), Names(Names), Given(Given), Values(Values), E(E),
        Into(Into) {
    for (unsigned B = 0; B < E.Blocks.size(); ++B)
      Number[E.Blocks[B]] = B;
    for (unsigned L = 0; L < E.Loops.size(); ++L)
      LoopNumber[E.Loops[L]] = L;
    Dominators.recalculate(const_cast<Function &>(Names.function()));
    Loops.analyze(Dominators);
  }

  void run() {
    for (Unknown &U : Into.Model.Unknowns)
      if (!U.Name.empty() && U.Kind != Unknown::LoadedValue)
        settle(U);
    requests();
    if (Complete)
      warps();
    if (Wanted.empty())
      return;
    std::vector<std::string> Names(Wanted.begin(), Wanted.end());
    Into.Notices.push_back(
        {Into.Model.Location,
         "what '" + Into.Model.Name + "' does depends on " +
             join(Names, " and ") +
             ", for which nothing is given: " + giveThem(Names)});
  }

private:
  std::optional<double> tripCount(const UnknownPlace &P) const;
  std::optional<double> share(ArrayRef<UnknownPlace> Of) const;
  std::set<std::string> decidedBy(const Unknown &U,
                                  ArrayRef<UnknownPlace> Of) const;
  void settle(Unknown &U);
  void requests();
  void warps();
  ExecutedWarp walked(const EmulatedWarp &W) const;
  /// Runs of a block, entries and iterations of a loop, by Of(block number).
  template <typename RunsOf, typename EntriesOf>
  std::pair<double, double> entriesAndIterations(unsigned Loop, RunsOf Runs,
                                                 EntriesOf Entries) const;
  std::vector<std::string> missing(const std::set<std::string> &Buffers) const;
  /// "mean of 64 warps emulated with a = a.npy"
  std::string how(const std::set<std::string> &Buffers,
                  const char *What = "mean") const;

  const IrPlaces &Places;
  const BufferNames &Names;
  ArrayRef<GivenBuffer> Given;
  const Bindings &Values;
  const Emulation &E;
  SettledKernel &Into;
  DenseMap<const BasicBlock *, unsigned> Number, LoopNumber;
  DominatorTree Dominators;
  LoopInfo Loops;
  std::set<std::string> Wanted; ///< buffers that nobody gave and that decide
  bool Complete = true;         ///< everything that data decides is known
};

} // namespace

template <typename RunsOf, typename EntriesOf>
std::pair<double, double>
Settling::entriesAndIterations(unsigned Loop, RunsOf Runs,
                               EntriesOf Entries) const {
  const LoopPlace &P = Places.Loops[Loop];
  double In = Entries(LoopNumber.lookup(P.Header)),
         Iterations = Runs(Number.lookup(P.Header));
  if (P.TestFirst)
    Iterations -= In;
  return {P.Guard ? Runs(Number.lookup(P.Guard)) : In, Iterations};
}

std::optional<double> Settling::tripCount(const UnknownPlace &P) const {
  const BasicBlock *Header = cast<Instruction>(P.V)->getParent();
  for (unsigned L = 0; L < Places.Loops.size(); ++L) {
    if (Places.Loops[L].Header != Header)
      continue;
    auto [Entries, Iterations] = entriesAndIterations(
        L, [&](unsigned B) { return E.Runs[B]; },
        [&](unsigned N) { return E.Entries[N]; });
    if (Entries > 0)
      return Iterations / Entries;
  }
  return std::nullopt;
}

std::optional<double> Settling::share(ArrayRef<UnknownPlace> Of) const {
  double All = 0, Holds = 0;
  for (const UnknownPlace &P : Of) {
    const auto *I = dyn_cast_or_null<Instruction>(P.V);
    if (!I)
      continue;
    if (!P.To) {
      ConditionCounts C = E.Conditions.lookup(I);
      All += C.Lanes;
      Holds += P.Opposite ? C.Lanes - C.True : C.True;
      continue;
    }
    // Of a branch: its sides that go on. Of a loop: all that leave it.
    for (const BasicBlock *BB : E.Blocks) {
      const Instruction *End = BB->getTerminator();
      bool Mine =
          P.FromLoop ? Loops.getLoopFor(P.FromLoop)->contains(BB) : End == I;
      BranchCounts C = Mine ? E.Branches.lookup(End) : BranchCounts();
      for (unsigned S = 0; S < C.Lanes.size(); ++S) {
        const BasicBlock *To = End->getSuccessor(S);
        if (P.FromLoop && Loops.getLoopFor(P.FromLoop)->contains(To))
          continue;
        All += C.Lanes[S];
        Holds += To == P.To ? C.Lanes[S] : 0;
      }
    }
  }
  if (All <= 0)
    return std::nullopt;
  return Holds / All;
}

std::set<std::string> Settling::decidedBy(const Unknown &U,
                                          ArrayRef<UnknownPlace> Of) const {
  std::set<std::string> Buffers;
  for (const UnknownPlace &P : Of) {
    const auto *I = dyn_cast_or_null<Instruction>(P.V);
    if (I && (U.Kind == Unknown::TripCount || P.FromLoop))
      Buffers.merge(decidingBuffersOfLoop(Names, P.FromLoop ? P.FromLoop
                                                            : I->getParent()));
    else if (I)
      Buffers.merge(decidingBuffers(Names, I));
  }
  return Buffers;
}

std::vector<std::string>
Settling::missing(const std::set<std::string> &Buffers) const {
  std::vector<std::string> Out;
  // A table that the source initialises is known.
  auto HasTable = [](const Value *V) {
    const auto *G = dyn_cast<GlobalVariable>(V);
    return G && G->hasInitializer() && !G->getInitializer()->isNullValue();
  };
  for (const std::string &Name : Buffers)
    if (none_of(Given, [&](const GivenBuffer &B) { return B.Name == Name; }) &&
        none_of(Names.valuesOf(Name), HasTable))
      Out.push_back(Name);
  return Out;
}

std::string Settling::how(const std::set<std::string> &Buffers,
                          const char *What) const {
  size_t N = E.Warps.size();
  std::string Text = std::string(What) + " of " + std::to_string(N) +
                     (N == 1 ? " warp" : " warps") + " emulated";
  const char *Joint = " with ";
  for (const GivenBuffer &B : Given)
    if (Buffers.count(B.Name)) {
      Text += Joint + B.Name + " = " + B.Text;
      Joint = ", ";
    }
  if (E.Stop)
    Text +=
        "; it stopped before the other " + std::to_string(E.WantedWarps - N);
  return Text;
}

void Settling::settle(Unknown &U) {
  if (Values.count(U.Name)) { // the user knows better
    Complete = false;
    return;
  }
  auto Of = Places.Unknowns.find(U.Name);
  if (Of == Places.Unknowns.end() || Of->second.empty()) {
    Complete = false;
    return;
  }
  std::set<std::string> Buffers = decidedBy(U, Of->second);
  if (std::vector<std::string> Missing = missing(Buffers); !Missing.empty()) {
    Wanted.insert(Missing.begin(), Missing.end());
    U.Why += "; not emulated, because nothing is given for " +
             join(Missing, " and ");
    U.Settle = giveThem(Missing) + " or " + U.Settle;
    Complete = false;
    return;
  }
  std::optional<double> Value = U.Kind == Unknown::TripCount
                                    ? tripCount(Of->second.front())
                                    : share(Of->second);
  if (!Value) {
    U.Why += "; no emulated warp came by";
    return;
  }
  U.Default = *Value;
  U.UpperBound.reset();
  U.Why = how(Buffers);
}

/// Requests whose addresses come from data.
void Settling::requests() {
  KernelModel &M = Into.Model;
  Into.Executed.Requests.resize(M.Accesses.size());
  std::set<std::string> Missing, Used;
  for (unsigned A = 0; A < M.Accesses.size(); ++A) {
    if (!M.Accesses[A].DataDependent)
      continue;
    const AccessPlace &P = Places.Accesses[A];
    auto Found = E.Accesses.find(P.At);
    const Value *Pointer = getLoadStorePointerOperand(P.At);
    if (const auto *Rmw = dyn_cast<AtomicRMWInst>(P.At))
      Pointer = Rmw->getPointerOperand();
    if (Found == E.Accesses.end() || !Pointer) {
      Complete = false;
      continue;
    }
    std::set<std::string> Buffers = decidingBuffers(Names, Pointer);
    if (std::vector<std::string> None = missing(Buffers); !None.empty()) {
      Complete = false;
      Missing.insert(None.begin(), None.end());
      Wanted.insert(None.begin(), None.end());
      continue;
    }
    auto &To = Into.Executed.Requests[A] = Found->second.Samples;
    for (std::vector<double> &Request : To)
      for (double &Address : Request)
        Address += double(P.Offset); // NaN stays NaN
    if (To.empty())
      continue;
    Used.insert(Buffers.begin(), Buffers.end());
    for (Unknown &U : M.Unknowns)
      if (U.Kind == Unknown::LoadedValue && M.Accesses[A].Address &&
          M.Accesses[A].Address.dependsOn(U.Name))
        U.Why = "requests " + how(Buffers, "as those");
  }
  for (Unknown &U : M.Unknowns)
    if (U.Kind == Unknown::LoadedValue && !Missing.empty() &&
        !StringRef(U.Why).starts_with("requests ")) {
      std::vector<std::string> Names(Missing.begin(), Missing.end());
      U.Settle = giveThem(Names) + " or " + U.Settle;
    }
}

ExecutedWarp Settling::walked(const EmulatedWarp &W) const {
  const KernelModel &M = Into.Model;
  ExecutedWarp Out;
  Out.Weight = W.Weight;
  Out.SampledBlock = W.Sampled;
  std::vector<double> Entries, Iterations;
  for (unsigned L = 0; L < M.Loops.size(); ++L) {
    auto [In, Times] = entriesAndIterations(
        L, [&](unsigned B) { return double(W.Runs[B]); },
        [&](unsigned N) { return double(W.Entries[N]); });
    Entries.push_back(In);
    Iterations.push_back(Times);
  }
  auto Ratio = [](double A, double B) { return B > 0 ? A / B : 0; };
  auto Around = [&](int Loop) { return Loop < 0 ? 1 : Iterations[Loop]; };
  for (unsigned L = 0; L < M.Loops.size(); ++L) {
    Out.LoopShare.push_back(Ratio(Entries[L], Around(M.Loops[L].Parent)));
    Out.LoopTrips.push_back(Ratio(Iterations[L], Entries[L]));
  }
  Out.BlockShare.assign(M.Blocks.size(), 0);
  auto Visit = [&](auto &Self, ArrayRef<Item> Body, int Loop) -> void {
    for (const Item &I : Body)
      if (I.Kind == Item::IsLoop)
        Self(Self, M.Loops[I.Index].Body, int(I.Index));
      else // a test at the start of a loop runs once more
        Out.BlockShare[I.Index] = std::min(
            1.0, Ratio(double(W.Runs[Number.lookup(Places.Blocks[I.Index])]),
                       Around(Loop)));
  };
  Visit(Visit, M.Body, -1);
  return Out;
}

void Settling::warps() {
  for (const EmulatedWarp &W : E.Warps)
    Into.Executed.Warps.push_back(walked(W));
}

static std::string placed(const EmulationStop &Stop) {
  if (!Stop.At || !Stop.At->getDebugLoc())
    return Stop.Reason;
  return Stop.Reason + " (" + locate(Stop.At->getDebugLoc()).brief() + ")";
}

Expected<SettledKernel> EmulatedKernel::run(const Launch &L,
                                            const Bindings &Values,
                                            unsigned Lanes) const {
  SettledKernel Out;
  Out.Model = Model;
  Out.Executed.Blocks = Model.Blocks.size();
  Out.Executed.Loops = Model.Loops.size();
  Out.Executed.Accesses = Model.Accesses.size();
  auto Say = [&](const Twine &Text) {
    Out.Notices.push_back({Model.Location, Text.str()});
  };
  bool Known = none_of(Model.Unknowns,
                       [](const Unknown &U) { return !U.Name.empty(); }) &&
               none_of(Model.Accesses,
                       [](const MemoryAccess &A) { return A.DataDependent; });
  if (Known) // the closed form is exact
    return Out;
  if (Places.Accesses.size() != Model.Accesses.size()) {
    Say("'" + Model.Name +
        "' is not emulated: its model was changed by tiles "
        "in shared memory");
    return Out;
  }
  DeviceMemory Memory;
  EmulationRequest Request;
  Request.Kernel = &Names.function();
  Request.L = L;
  Request.Lanes = Lanes;
  Request.Memory = &Memory;
  Bindings All = bindParameters(Model, L, Values).All;
  if (Error E = bindArguments(Names, All, Given, Request))
    return usage(toString(std::move(E)));
  Expected<Emulation> E = emulate(Request);
  if (!E) {
    handleAllErrors(E.takeError(), [&](const NotEmulated &Problem) {
      Say("'" + Model.Name + "' is not emulated: " + placed(Problem.Stop));
    });
    return Out;
  }
  if (E->Stop)
    Say("the emulation of '" + Model.Name + "' stopped after " +
        Twine(E->Warps.size()) + " of " + Twine(E->WantedWarps) +
        " warps: " + placed(*E->Stop));
  Settling(Places, Names, Given, Values, *E, Out).run();
  return Out;
}

} // namespace gpuestimate
