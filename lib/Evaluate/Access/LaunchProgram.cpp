#include "LaunchProgram.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Cost of evaluating one uniform split, in lane evaluations.
static constexpr double SplitCost = 8;

LaunchProgram::LaunchProgram(const KernelModel &Kernel, const GpuModel &Gpu,
                             const Launch &L, const Bindings &All)
    : Kernel(Kernel), L(L), Lanes(std::clamp(Gpu.WarpSize, 1u, MaxLanes)),
      Warps((L.threadsPerBlock() + Lanes - 1) / Lanes),
      Expressions(Kernel, L, All), Indices(findIndirectIndices(Expressions)) {
  listMembersOfBlocks();
  nameInputs();
  compileLoadAddresses();
  compileScopes();
  std::vector<bool> CostIsFixed;
  for (const Output &Address : Outputs.Addresses)
    CostIsFixed.push_back(isCostFixed(Address));
  Uniformity.emplace(Expressions, L, Indices, IndexNames, CostIsFixed);
}

void LaunchProgram::listMembersOfBlocks() {
  BlockAccesses.resize(Kernel.Blocks.size());
  for (unsigned A = 0; A < Kernel.Accesses.size(); ++A)
    BlockAccesses[Kernel.Accesses[A].Block].push_back(A);
  BlockWaits.resize(Kernel.Blocks.size());
  for (unsigned W = 0; W < Kernel.Waits.size(); ++W)
    BlockWaits[Kernel.Waits[W].Block].push_back(W);
}

void LaunchProgram::nameInputs() {
  for (const char *Prefix : {"threadIdx.", "blockIdx."})
    for (const char *Dimension : {"x", "y", "z"})
      Names.push_back(std::string(Prefix) + Dimension);
  for (const Loop &Nested : Kernel.Loops)
    Names.push_back(Nested.Counter);
  for (const IndirectIndex &V : Indices) {
    Names.push_back(V.Name);
    IndexNames.insert(V.Name);
  }
}

void LaunchProgram::compileLoadAddresses() {
  LoadAddressPrograms.resize(Indices.size());
  LoadAddressIndices.resize(Indices.size());
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

void LaunchProgram::compileScope(int Owner, llvm::StringSet<> &Read) {
  Scope &S = Scopes[scopeOf(Owner)];
  S.Nodes = Owner < 0 ? &Kernel.Body : &Kernel.Loops[Owner].Body;
  std::vector<Expr> Programmed, All;
  llvm::SmallVector<Output *, 16> Split;
  unsigned NumIndirect = 0;
  auto take = [&](Expr E, Output &To, OutputKind Kind, unsigned Block = 0) {
    if (!E)
      return;
    All.push_back(E);
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
    unsigned I = Member.Index;
    if (Member.Kind == RegionNode::IsLoop) {
      S.Loops.push_back(I);
      take(Expressions.LoopActive[I], Outputs.LoopActive[I],
           OutputKind::Condition);
      take(Expressions.Trips[I], Outputs.Trips[I], OutputKind::Number);
      continue;
    }
    take(Expressions.BlockActive[I], Outputs.BlockActive[I],
         OutputKind::Condition);
    for (unsigned A : BlockAccesses[I])
      take(Expressions.Addresses[A], Outputs.Addresses[A], OutputKind::Address,
           I);
    for (unsigned W : BlockWaits[I])
      take(Expressions.WaitLengths[W], Outputs.WaitLengths[W],
           OutputKind::Number);
  }
  for (auto [Index, Result] : llvm::enumerate(Split))
    Result->Row = Programmed.size() + Index;
  for (Expr E : All)
    if (!Indices.empty())
      for (const std::string &Name : E.parameters())
        Read.insert(Name);
  bool HasBudget =
      spendWork(All.size() + Indices.size() * Programmed.size() / 8);
  for (unsigned V = 0; V < Indices.size() && HasBudget; ++V)
    if (llvm::any_of(Programmed,
                     [&](Expr E) { return E.dependsOn(Indices[V].Name); }))
      S.ReadIndices.push_back(V);
  S.Rows = All.size();
  S.Cost = Lanes + (Programmed.size() + NumIndirect) * Lanes +
           (Split.size() - NumIndirect) * SplitCost;
  if (!Programmed.empty())
    S.Program.emplace(Programmed, Names);
  NeedsLanes |= !Programmed.empty();
}

void LaunchProgram::compileScopes() {
  NeedsLanes = !Indices.empty();
  Outputs.BlockActive.resize(Kernel.Blocks.size());
  Outputs.LoopActive.resize(Kernel.Loops.size());
  Outputs.Trips.resize(Kernel.Loops.size());
  Outputs.Addresses.resize(Kernel.Accesses.size());
  Outputs.WaitLengths.resize(Kernel.Waits.size());
  Scopes.resize(Kernel.Loops.size() + 1);
  Sums.emplace(*Expressions.Context, Names, IndexNames, Lanes, Scopes.size());
  std::vector<llvm::StringSet<>> Read(Scopes.size()); // names, by scope
  for (int Owner = -1; Owner < int(Kernel.Loops.size()); ++Owner)
    compileScope(Owner, Read[scopeOf(Owner)]);
  Sums->compile();
  assignIndicesToScopes(Read);
}

/// Gives the output the form of an IndirectAddress; false if it has another.
bool LaunchProgram::splitIndirect(Expr Address, unsigned Block, Output &To) {
  std::optional<IndexedSum> Sum = asIndexedSum(Address, IndexNames);
  if (!Sum || decidesExecution(Expressions, Sum->Name, Block))
    return false;
  ExprContext &Context = *Expressions.Context;
  To.Sum = Sums->split(Sum->Terms.empty() ? Context.constant(0)
                                          : Context.add(Sum->Terms),
                       scopeOf(loopOfBlock(Block)));
  if (!To.Sum || To.Sum->Thread != 0) {
    To.Sum.reset();
    return false;
  }
  auto Value = llvm::find_if(
      Indices, [&](const IndirectIndex &V) { return V.Name == Sum->Name; });
  To.Indirect = {unsigned(Value - Indices.begin()), Sum->BytesPerIndex};
  return true;
}

/// Lists for each scope the indices that get new values when it is entered. An
/// index with a known defining loop belongs to that loop's scope if any scope
/// reads it; an index without one belongs to every scope that reads it. Reads
/// through the load address of another index count.
void LaunchProgram::assignIndicesToScopes(
    std::vector<llvm::StringSet<>> &Read) {
  llvm::StringSet<> Anywhere;
  for (const llvm::StringSet<> &ScopeNames : Read)
    for (const auto &Name : ScopeNames)
      Anywhere.insert(Name.first());
  // Backwards: an index comes after the indices in its load address.
  for (unsigned V = Indices.size(); V-- > 0;) {
    const IndirectIndex &Value = Indices[V];
    for (unsigned S = 0; S < Scopes.size(); ++S) {
      bool Here = Value.DefiningLoop ? scopeOf(*Value.DefiningLoop) == S : true;
      if (!Here ||
          !(Value.DefiningLoop ? Anywhere : Read[S]).contains(Value.Name))
        continue;
      Scopes[S].DefinedIndices.push_back(V);
      if (Value.Key)
        for (const std::string &Name : Value.Key.parameters()) {
          Read[S].insert(Name);
          Anywhere.insert(Name);
        }
    }
  }
  for (Scope &S : Scopes)
    std::reverse(S.DefinedIndices.begin(), S.DefinedIndices.end());
}

/// Whether the expected cost of a request with this address is the same for all
/// values of the index: the set of lanes that share a value must be fixed.
bool LaunchProgram::isCostFixed(const Output &Address) const {
  if (!Address.Indirect)
    return false;
  const IndirectIndex &V = Indices[Address.Indirect->Index];
  return !V.Key || Sums->isSum(V.Key);
}

double LaunchProgram::costOfWarp() const {
  double Sum = 0;
  for (const Scope &S : Scopes)
    Sum += S.Cost;
  return Uniformity->hasVaryingLoop() ? INFINITY : Sum;
}

bool LaunchProgram::addressUsesIndex(unsigned Access, unsigned Index) const {
  Expr Address = addressExpr(Access);
  return Address && Address.dependsOn(Indices[Index].Name);
}

double LaunchProgram::bytesPerIndex(unsigned Access, unsigned Index) const {
  return gpuestimate::bytesPerIndex(Expressions, Access, Indices[Index]);
}

} // namespace gpuestimate
