/// \file
/// Binding, compilation and evaluation of a kernel model for one launch.
#include "WarpEvaluator.h"
#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuestimate {

/// Cost of evaluating one uniform split, in lane evaluations.
static constexpr double SplitCost = 8;

static constexpr const char *Axis = "xyz";

WarpEvaluator::WarpEvaluator(const KernelModel &Kernel, const GpuModel &Gpu,
                             const Launch &L, const Bindings &All)
    : Kernel(Kernel), L(L), Lanes(std::clamp(Gpu.WarpSize, 1u, MaxLanes)),
      Context(std::make_unique<ExprContext>()) {
  Warps = (L.threadsPerBlock() + Lanes - 1) / Lanes;
  Bindings Bound = All;
  for (unsigned D = 0; D < 3; ++D) {
    Bound[std::string("blockDim.") + Axis[D]] = L.Block[D];
    Bound[std::string("gridDim.") + Axis[D]] = L.Grid[D];
  }
  Binder Numbers(*Context, Bound);
  auto bind = [&](Expr E) { return E ? Numbers(E) : E; };
  // A condition that always holds needs no evaluation.
  auto condition = [&](Expr E) {
    E = bind(E);
    return E && E.isConstant(1) ? Expr() : E;
  };
  for (const BasicBlock &B : Kernel.Blocks)
    Active.push_back(condition(B.Active));
  for (const Loop &Nested : Kernel.Loops) {
    LoopActive.push_back(condition(Nested.Active));
    Trips.push_back(bind(Nested.TripCount));
  }
  for (const MemoryAccess &A : Kernel.Accesses)
    Addresses.push_back(bind(A.Address));
  for (const Wait &W : Kernel.Waits)
    Waits.push_back(bind(W.Length));

  BlockLoop = loopsOfBlocks(Kernel);
  BlockAccesses.resize(Kernel.Blocks.size());
  for (unsigned A = 0; A < Kernel.Accesses.size(); ++A)
    BlockAccesses[Kernel.Accesses[A].Block].push_back(A);
  BlockWaits.resize(Kernel.Blocks.size());
  for (unsigned W = 0; W < Kernel.Waits.size(); ++W)
    BlockWaits[Kernel.Waits[W].Block].push_back(W);

  findIndirectIndices(Bound);
  setRanges(Bound);
  compile();
  markVarying();
  findCommonControlFlow();
}

std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All) {
  if (A.BaseBytes)
    return double(*A.BaseBytes);
  if (!A.BaseArgument || *A.BaseArgument >= Kernel.Arguments.size())
    return std::nullopt;
  const KernelArgument &Argument = Kernel.Arguments[*A.BaseArgument];
  auto Elements = All.find(Argument.Name);
  if (Elements == All.end() || !Argument.ElementBytes || Elements->second <= 0)
    return std::nullopt;
  return Elements->second * Argument.ElementBytes;
}

void WarpEvaluator::nameInputs() {
  for (const char *Prefix : {"threadIdx.", "blockIdx."})
    for (unsigned D = 0; D < 3; ++D)
      Names.push_back(std::string(Prefix) + Axis[D]);
  for (const Loop &Nested : Kernel.Loops)
    Names.push_back(Nested.Counter);
  for (const IndirectIndex &V : Indices) {
    Names.push_back(V.Name);
    IndexNames.insert(V.Name);
  }
  Inputs.assign(Names.size() * Lanes, 0);
  SharedInputs.assign(Names.size(), 0);
  ThreadInputs.resize(Warps);
}

void WarpEvaluator::compileLoadAddresses() {
  LoadAddressPrograms.resize(Indices.size());
  LoadAddresses.assign(Indices.size() * Lanes, NAN);
  LoadAddressIndices.resize(Indices.size());
  ValueStates.resize(Indices.size());
  for (unsigned V = 0; V < Indices.size(); ++V) {
    Expr LoadAddress = Indices[V].Key;
    if (!LoadAddress)
      continue;
    LoadAddressPrograms[V].emplace(llvm::ArrayRef<Expr>(LoadAddress), Names);
    for (unsigned Other = 0; Other < Indices.size(); ++Other)
      if (LoadAddress.dependsOn(Indices[Other].Name))
        LoadAddressIndices[V].push_back(Other);
  }
}

void WarpEvaluator::compileScope(int Owner, llvm::StringSet<> &Read) {
  Scope &S = scope(Owner);
  S.Nodes = Owner < 0 ? &Kernel.Body : &Kernel.Loops[Owner].Body;
  std::vector<Expr> Programmed, Outputs;
  llvm::SmallVector<Output *, 16> Split;
  unsigned NumIndirect = 0;
  auto take = [&](Expr E, Output &To, OutputKind Kind, unsigned Block = 0) {
    if (!E)
      return;
    Outputs.push_back(E);
    if (Kind == OutputKind::Condition)
      To.Test = Sums->splitTest(E, scopeOf(Owner));
    else if (Kind == OutputKind::Address && dependsOn(E, IndexNames))
      NumIndirect += splitIndirect(E, Block, To);
    else
      To.Sum = Sums->split(E, scopeOf(Owner));
    if (To.isSplit()) {
      Split.push_back(&To);
      return;
    }
    To.Row = Programmed.size();
    Programmed.push_back(E);
  };
  for (const RegionNode &Member : *S.Nodes) {
    if (Member.Kind == RegionNode::IsLoop) {
      S.Loops.push_back(Member.Index);
      take(LoopActive[Member.Index], LoopActiveOutputs[Member.Index],
           OutputKind::Condition);
      take(Trips[Member.Index], TripOutputs[Member.Index], OutputKind::Number);
      continue;
    }
    take(Active[Member.Index], ActiveOutputs[Member.Index],
         OutputKind::Condition);
    for (unsigned A : BlockAccesses[Member.Index])
      take(Addresses[A], AddressOutputs[A], OutputKind::Address, Member.Index);
    for (unsigned W : BlockWaits[Member.Index])
      take(Waits[W], WaitOutputs[W], OutputKind::Number);
  }
  for (auto [Index, Result] : llvm::enumerate(Split))
    Result->Row = Programmed.size() + Index;
  for (Expr E : Outputs)
    if (!Indices.empty())
      for (const std::string &Name : E.parameters())
        Read.insert(Name);
  bool HasBudget =
      spendWork(Outputs.size() + Indices.size() * Programmed.size() / 8);
  for (unsigned V = 0; V < Indices.size() && HasBudget; ++V)
    if (llvm::any_of(Programmed,
                     [&](Expr E) { return E.dependsOn(Indices[V].Name); }))
      S.ReadIndices.push_back(V);
  S.Out.resize(Outputs.size() * Lanes);
  S.Cost = Lanes + (Programmed.size() + NumIndirect) * Lanes +
           (Split.size() - NumIndirect) * SplitCost;
  if (!Programmed.empty())
    S.Program.emplace(Programmed, Names);
  NeedsLanes |= !Programmed.empty();
  for (unsigned D = 0; D < 3; ++D)
    for (Expr E : Outputs)
      BlockDependent[D] |= L.Grid[D] > 1 && E.dependsOn(Names[3 + D]);
}

void WarpEvaluator::compile() {
  nameInputs();
  compileLoadAddresses();
  NeedsLanes = !Indices.empty();
  ActiveOutputs.resize(Active.size());
  LoopActiveOutputs.resize(LoopActive.size());
  TripOutputs.resize(Trips.size());
  AddressOutputs.resize(Addresses.size());
  WaitOutputs.resize(Waits.size());
  Scopes.resize(Kernel.Loops.size() + 1);
  Sums.emplace(*Context, Names, IndexNames, Lanes, Scopes.size());
  std::vector<llvm::StringSet<>> Read(Scopes.size()); // names, by scope
  for (int Owner = -1; Owner < int(Kernel.Loops.size()); ++Owner)
    compileScope(Owner, Read[scopeOf(Owner)]);
  Sums->compile();
  assignToScopes(Read);
}

void WarpEvaluator::markVarying() {
  Varies.assign(Kernel.Loops.size(), 0);
  auto check = [&](Expr E, int Scope, bool ValueIndependent = false) {
    if (!E)
      return;
    // An expression varies with each enclosing loop whose counter it contains;
    // an indirect index varies with its defining loop and all loops around it.
    for (int Loop = Scope; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
      Varies[Loop] |= E.dependsOn(Kernel.Loops[Loop].Counter);
    if (ValueIndependent)
      return;
    UsesIndexValues |= dependsOn(E, IndexNames);
    for (const IndirectIndex &V : Indices)
      if (E.dependsOn(V.Name))
        for (int Loop = V.DefiningLoop.value_or(Scope); Loop >= 0;
             Loop = Kernel.Loops[Loop].Parent)
          Varies[Loop] = true;
  };
  for (unsigned B = 0; B < Active.size(); ++B)
    check(Active[B], BlockLoop[B]);
  for (unsigned I = 0; I < Trips.size(); ++I) {
    check(LoopActive[I], Kernel.Loops[I].Parent);
    check(Trips[I], Kernel.Loops[I].Parent);
  }
  for (unsigned A = 0; A < Addresses.size(); ++A)
    check(Addresses[A], BlockLoop[Kernel.Accesses[A].Block],
          isCostValueIndependent(AddressOutputs[A]));
  for (unsigned W = 0; W < Waits.size(); ++W)
    check(Waits[W], BlockLoop[Kernel.Waits[W].Block]);
}

void WarpEvaluator::findCommonControlFlow() {
  ParameterSet Differing = IndexNames;
  for (unsigned D = 0; D < 3; ++D) {
    if (L.Block[D] > 1)
      Differing.insert(Names[D]);
    if (L.Grid[D] > 1)
      Differing.insert(Names[3 + D]);
  }
  auto isCommon = [&](Expr E) { return !E || !dependsOn(E, Differing); };
  CommonIterations.assign(Kernel.Loops.size(), 0);
  CommonEntries.assign(Kernel.Loops.size(), 0);
  CommonExecutions.assign(Kernel.Blocks.size(), 0);
  auto visit = [&](auto &Self, int Owner) -> void {
    bool IsRoot = Owner < 0, Common = !IsRoot && CommonIterations[Owner];
    for (const RegionNode &Member : *scope(Owner).Nodes) {
      unsigned I = Member.Index;
      if (Member.Kind == RegionNode::IsBlock) {
        CommonExecutions[I] = Common && isCommon(Active[I]);
        continue;
      }
      CommonEntries[I] = Common && isCommon(LoopActive[I]);
      CommonIterations[I] = (IsRoot || CommonEntries[I]) && isCommon(Trips[I]);
      Self(Self, I);
    }
  };
  visit(visit, -1);
}

double WarpEvaluator::costOfWarp() const {
  double Sum = 0;
  for (const Scope &S : Scopes)
    Sum += S.Cost;
  return llvm::is_contained(Varies, char(true)) ? INFINITY : Sum;
}

void WarpEvaluator::reset() {
  Inputs.assign(Inputs.size(), 0);
  SharedInputs.assign(SharedInputs.size(), 0);
  ValueStates.assign(ValueStates.size(), {});
  CurrentBlock.reset();
}

unsigned WarpEvaluator::enterWarp(const WarpPosition &P) {
  uint64_t Threads = L.threadsPerBlock(), First = uint64_t(P.Warp) * Lanes;
  unsigned Present = std::min<uint64_t>(Lanes, Threads - First);
  std::vector<double> &Thread = ThreadInputs[P.Warp];
  if (Thread.empty()) {
    Thread.resize(3 * Lanes);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      // Lanes without a thread repeat the last thread; nothing reads them.
      uint64_t T = First + std::min(Lane, Present - 1);
      Thread[0 * Lanes + Lane] = T % L.Block[0];
      Thread[1 * Lanes + Lane] = T / L.Block[0] % L.Block[1];
      Thread[2 * Lanes + Lane] = T / (L.Block[0] * L.Block[1]);
    }
  }
  CurrentWarp = P.Warp;
  Sums->enterWarp(CurrentWarp, Thread);
  bool BlockChanged = CurrentBlock != P.Block;
  BlockIsNew |= BlockChanged;
  CurrentBlock = P.Block;
  for (unsigned D = 0; D < 3; ++D)
    SharedInputs[3 + D] = P.Block[D];
  if (NeedsLanes) {
    std::copy(Thread.begin(), Thread.end(), Inputs.begin());
    for (unsigned D = 0; D < 3 && BlockChanged; ++D)
      std::fill_n(Inputs.begin() + (3 + D) * Lanes, Lanes, double(P.Block[D]));
  }
  WarpSalt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  return Present;
}

void WarpEvaluator::setCounter(unsigned Loop, double Iteration) {
  SharedInputs[FirstCounter + Loop] = Iteration;
  if (NeedsLanes)
    std::fill_n(Inputs.begin() + (FirstCounter + Loop) * Lanes, Lanes,
                Iteration);
}

void WarpEvaluator::enterScope(int Loop, uint64_t Salt) {
  Scope &S = scope(Loop);
  for (unsigned V : S.DefinedIndices)
    renewValues(V, Salt);
  S.IsOutdated = S.Program.has_value();
  // Uniform values of the kernel's body are computed once per thread block.
  if (Loop >= 0 || BlockIsNew)
    Sums->enterScope(scopeOf(Loop), SharedInputs);
  BlockIsNew &= Loop >= 0;
}

llvm::ArrayRef<double> WarpEvaluator::output(int Loop, const Output &Result) {
  if (Result.Row < 0)
    return {};
  Scope &S = scope(Loop);
  if (!Result.isSplit() && std::exchange(S.IsOutdated, false)) {
    for (unsigned V : S.ReadIndices)
      materializeValues(V);
    S.Program->evaluateMany(Inputs, S.Out, Lanes);
  }
  auto Row = llvm::MutableArrayRef<double>(S.Out).slice(
      size_t(Result.Row) * Lanes, Lanes);
  if (Result.Indirect) {
    materializeValues(Result.Indirect->Index);
    const double *Values = &Inputs[inputOf(Result.Indirect->Index)];
    double Base = Sums->uniformValue(*Result.Sum, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Base + Result.Indirect->BytesPerIndex * Values[Lane];
  } else if (Result.Sum) {
    llvm::ArrayRef<double> Thread = Sums->threadPart(Result.Sum->Thread);
    double Uniform = Sums->uniformValue(*Result.Sum, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Thread[Lane] + Uniform;
  } else if (Result.Test) {
    uint64_t On = Sums->holds(*Result.Test, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = On >> Lane & 1;
  }
  return Row;
}

std::optional<uint64_t> WarpEvaluator::bits(int Loop,
                                            const Output &Result) const {
  if (!Result.Test)
    return std::nullopt;
  return Sums->holds(*Result.Test, scopeOf(Loop));
}

std::optional<double> WarpEvaluator::uniformLoopTrips(unsigned Loop) const {
  const Output &Result = TripOutputs[Loop];
  if (!Result.Sum || Result.Sum->Thread != 0)
    return std::nullopt;
  return Sums->uniformValue(*Result.Sum, scopeOf(Kernel.Loops[Loop].Parent));
}

double WarpEvaluator::indirectBase(unsigned Access) const {
  return Sums->uniformValue(*AddressOutputs[Access].Sum,
                            scopeOf(BlockLoop[Kernel.Accesses[Access].Block]));
}

std::optional<WarpEvaluator::Place>
WarpEvaluator::place(unsigned Access) const {
  const Output &Result = AddressOutputs[Access];
  if (!Result.Sum || Result.Indirect)
    return std::nullopt;
  return Place{
      Result.Sum->Thread,
      Sums->uniformValue(*Result.Sum,
                         scopeOf(BlockLoop[Kernel.Accesses[Access].Block]))};
}

} // namespace gpuestimate
