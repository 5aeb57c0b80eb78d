/// \file
/// Binding and compiling a kernel model for one launch.
#include "LaneValues.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuestimate {

/// Lanes that can be evaluated in the time of an expression taken apart.
static constexpr double CostApart = 8;

static constexpr const char *Axis = "xyz";

BoundKernel::BoundKernel(const KernelModel &Kernel, const GpuModel &Gpu,
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
  for (const Block &B : Kernel.Blocks)
    Active.push_back(condition(B.Active));
  for (const Loop &Each : Kernel.Loops) {
    LoopActive.push_back(condition(Each.Active));
    Trips.push_back(bind(Each.TripCount));
  }
  for (const MemoryAccess &A : Kernel.Accesses)
    Addresses.push_back(bind(A.Address));

  BlockLoop.assign(Kernel.Blocks.size(), -1);
  for (unsigned I = 0; I < Kernel.Loops.size(); ++I)
    for (const Item &Member : Kernel.Loops[I].Body)
      if (Member.Kind == Item::IsBlock)
        BlockLoop[Member.Index] = I;
  BlockAccesses.resize(Kernel.Blocks.size());
  for (unsigned A = 0; A < Kernel.Accesses.size(); ++A)
    BlockAccesses[Kernel.Accesses[A].Block].push_back(A);

  findDrawn(Bound);
  setRanges(Bound);
  compile();
  markVarying();
}

std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All) {
  if (A.BaseBytes)
    return double(*A.BaseBytes);
  if (A.BaseArgument < 0 || unsigned(A.BaseArgument) >= Kernel.Arguments.size())
    return std::nullopt;
  const KernelArgument &Argument = Kernel.Arguments[A.BaseArgument];
  auto Elements = All.find(Argument.Name);
  if (Elements == All.end() || !Argument.ElementBytes || Elements->second <= 0)
    return std::nullopt;
  return Elements->second * Argument.ElementBytes;
}

void BoundKernel::nameInputs() {
  for (const char *Prefix : {"threadIdx.", "blockIdx."})
    for (unsigned D = 0; D < 3; ++D)
      Names.push_back(std::string(Prefix) + Axis[D]);
  for (const Loop &Each : Kernel.Loops)
    Names.push_back(Each.Counter);
  for (const DrawnValue &V : Drawn) {
    Names.push_back(V.Name);
    DrawnNames.insert(V.Name);
  }
  Inputs.assign(Names.size() * Lanes, 0);
  SharedInputs.assign(Names.size(), 0);
  ThreadInputs.resize(Warps);
}

void BoundKernel::compile() {
  nameInputs();
  DrawnFrom.resize(Drawn.size());
  SourceOf.assign(Drawn.size() * Lanes, NAN);
  SourceReads.resize(Drawn.size());
  LastDraw.resize(Drawn.size());
  for (unsigned V = 0; V < Drawn.size(); ++V) {
    if (!Drawn[V].Source)
      continue;
    Expr From = Addresses[*Drawn[V].Source];
    DrawnFrom[V].emplace(llvm::ArrayRef<Expr>(From), Names);
    for (unsigned Other = 0; Other < Drawn.size(); ++Other)
      if (From.dependsOn(Drawn[Other].Name))
        SourceReads[V].push_back(Other);
  }
  NeedsLanes = !Drawn.empty();
  ActiveOf.resize(Active.size());
  LoopActiveOf.resize(LoopActive.size());
  TripsOf.resize(Trips.size());
  AddressOf.resize(Addresses.size());
  Scopes.resize(Kernel.Loops.size() + 1);
  Sums.emplace(*Context, Names, DrawnNames, Lanes, Scopes.size());
  std::vector<llvm::StringSet<>> Read(Scopes.size()); ///< names, by scope
  for (int Owner = -1; Owner < int(Kernel.Loops.size()); ++Owner) {
    Scope &S = scope(Owner);
    S.Items = Owner < 0 ? &Kernel.Body : &Kernel.Loops[Owner].Body;
    std::vector<Expr> Programmed, Outputs;
    llvm::SmallVector<Output *, 16> Apart;
    unsigned DrawnApart = 0;
    auto take = [&](Expr E, Output &To, OutputKind Kind, unsigned Block = 0) {
      if (!E)
        return;
      Outputs.push_back(E);
      if (Kind == OutputKind::Condition)
        To.Test = Sums->splitTest(E, scopeOf(Owner));
      else if (Kind == OutputKind::Address && dependsOn(E, DrawnNames))
        DrawnApart += splitDrawn(E, Block, To);
      else
        To.Sum = Sums->split(E, scopeOf(Owner));
      if (To.isApart()) {
        Apart.push_back(&To);
        return;
      }
      To.Row = Programmed.size();
      Programmed.push_back(E);
    };
    for (const Item &Member : *S.Items) {
      if (Member.Kind == Item::IsLoop) {
        S.Loops.push_back(Member.Index);
        take(LoopActive[Member.Index], LoopActiveOf[Member.Index],
             OutputKind::Condition);
        take(Trips[Member.Index], TripsOf[Member.Index], OutputKind::Trips);
        continue;
      }
      take(Active[Member.Index], ActiveOf[Member.Index], OutputKind::Condition);
      for (unsigned A : BlockAccesses[Member.Index])
        take(Addresses[A], AddressOf[A], OutputKind::Address, Member.Index);
    }
    for (auto [Index, Of] : llvm::enumerate(Apart))
      Of->Row = Programmed.size() + Index;
    for (Expr E : Outputs)
      if (!Drawn.empty())
        for (const std::string &Name : E.parameters())
          Read[scopeOf(Owner)].insert(Name);
    bool Left =
        spendWork(Outputs.size() + Drawn.size() * Programmed.size() / 8);
    for (unsigned V = 0; V < Drawn.size() && Left; ++V)
      if (llvm::any_of(Programmed,
                       [&](Expr E) { return E.dependsOn(Drawn[V].Name); }))
        S.Reads.push_back(V);
    S.Out.resize(Outputs.size() * Lanes);
    S.Cost = Lanes + (Programmed.size() + DrawnApart) * Lanes +
             (Apart.size() - DrawnApart) * CostApart;
    if (!Programmed.empty())
      S.Program.emplace(Programmed, Names);
    NeedsLanes |= !Programmed.empty();
    for (unsigned D = 0; D < 3; ++D)
      for (Expr E : Outputs)
        BlockDependent[D] |= L.Grid[D] > 1 && E.dependsOn(Names[3 + D]);
  }
  Sums->compile();
  placeDraws(Read);
}

void BoundKernel::markVarying() {
  Varies.assign(Kernel.Loops.size(), 0);
  auto check = [&](Expr E, int Scope, bool DrawnAlike = false) {
    if (!E)
      return;
    // Every loop around the expression, from the inside; a value drawn in a
    // loop changes with that loop and with those around it.
    for (int Loop = Scope; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
      Varies[Loop] |= E.dependsOn(Kernel.Loops[Loop].Counter);
    if (DrawnAlike)
      return;
    DrawsDecide |= dependsOn(E, DrawnNames);
    for (const DrawnValue &V : Drawn)
      if (E.dependsOn(V.Name))
        for (int Loop = V.Home.value_or(Scope); Loop >= 0;
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
          isAlike(AddressOf[A]));
}

double BoundKernel::costOfWarp() const {
  double Sum = 0;
  for (const Scope &S : Scopes)
    Sum += S.Cost;
  return llvm::is_contained(Varies, char(true)) ? INFINITY : Sum;
}

void BoundKernel::reset() {
  Inputs.assign(Inputs.size(), 0);
  SharedInputs.assign(SharedInputs.size(), 0);
  LastDraw.assign(LastDraw.size(), {});
  Entered.reset();
}

unsigned BoundKernel::enterWarp(const WarpPosition &P) {
  uint64_t Threads = L.threadsPerBlock(), First = uint64_t(P.Warp) * Lanes;
  unsigned Present = std::min<uint64_t>(Lanes, Threads - First);
  std::vector<double> &Thread = ThreadInputs[P.Warp];
  if (Thread.empty()) {
    Thread.resize(3 * Lanes);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      // Absent lanes repeat the last thread: their values are never used.
      uint64_t T = First + std::min(Lane, Present - 1);
      Thread[0 * Lanes + Lane] = T % L.Block[0];
      Thread[1 * Lanes + Lane] = T / L.Block[0] % L.Block[1];
      Thread[2 * Lanes + Lane] = T / (L.Block[0] * L.Block[1]);
    }
  }
  Now = P.Warp;
  Sums->enterWarp(Now, Thread);
  bool Moves = Entered != P.Block;
  BlockIsNew |= Moves;
  Entered = P.Block;
  for (unsigned D = 0; D < 3; ++D)
    SharedInputs[3 + D] = P.Block[D];
  if (NeedsLanes) {
    std::copy(Thread.begin(), Thread.end(), Inputs.begin());
    for (unsigned D = 0; D < 3 && Moves; ++D)
      std::fill_n(Inputs.begin() + (3 + D) * Lanes, Lanes, double(P.Block[D]));
  }
  WarpSalt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  return Present;
}

void BoundKernel::setCounter(unsigned Loop, double Iteration) {
  SharedInputs[FirstCounter + Loop] = Iteration;
  if (NeedsLanes)
    std::fill_n(Inputs.begin() + (FirstCounter + Loop) * Lanes, Lanes,
                Iteration);
}

void BoundKernel::enterScope(int Loop, uint64_t Salt) {
  Scope &S = scope(Loop);
  for (unsigned V : S.Draws)
    draw(V, Salt);
  S.IsOutdated = S.Program.has_value();
  // Warps of one block share what the kernel's body computes for all.
  if (Loop >= 0 || BlockIsNew)
    Sums->enterScope(scopeOf(Loop), SharedInputs);
  BlockIsNew &= Loop >= 0;
}

llvm::ArrayRef<double> BoundKernel::output(int Loop, const Output &Of) {
  if (Of.Row < 0)
    return {};
  Scope &S = scope(Loop);
  if (!Of.isApart() && std::exchange(S.IsOutdated, false)) {
    for (unsigned V : S.Reads)
      makeValues(V);
    S.Program->evaluateMany(Inputs, S.Out, Lanes);
  }
  auto Row =
      llvm::MutableArrayRef<double>(S.Out).slice(size_t(Of.Row) * Lanes, Lanes);
  if (Of.Drawn) {
    makeValues(Of.Drawn->Value);
    const double *Values = &Inputs[inputOf(Of.Drawn->Value)];
    double Base = Sums->rest(*Of.Sum, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Base + Of.Drawn->Unit * Values[Lane];
  } else if (Of.Sum) {
    llvm::ArrayRef<double> Thread = Sums->threadPart(Of.Sum->Thread);
    double Rest = Sums->rest(*Of.Sum, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Thread[Lane] + Rest;
  } else if (Of.Test) {
    uint64_t On = Sums->holds(*Of.Test, scopeOf(Loop));
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = On >> Lane & 1;
  }
  return Row;
}

std::optional<uint64_t> BoundKernel::bits(int Loop, const Output &Of) const {
  if (!Of.Test)
    return std::nullopt;
  return Sums->holds(*Of.Test, scopeOf(Loop));
}

std::optional<double> BoundKernel::loopTripsOfAll(unsigned Loop) const {
  const Output &Of = TripsOf[Loop];
  if (!Of.Sum || Of.Sum->Thread != 0)
    return std::nullopt;
  return Sums->rest(*Of.Sum, scopeOf(Kernel.Loops[Loop].Parent));
}

double BoundKernel::drawnBase(unsigned Access) const {
  return Sums->rest(*AddressOf[Access].Sum,
                    scopeOf(BlockLoop[Kernel.Accesses[Access].Block]));
}

std::optional<BoundKernel::Place> BoundKernel::place(unsigned Access) const {
  const Output &Of = AddressOf[Access];
  if (!Of.Sum || Of.Drawn)
    return std::nullopt;
  return Place{
      Of.Sum->Thread,
      Sums->rest(*Of.Sum, scopeOf(BlockLoop[Kernel.Accesses[Access].Block]))};
}

} // namespace gpuestimate
