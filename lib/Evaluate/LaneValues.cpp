/// \file
/// Binding and compiling a kernel model for one launch.
#include "gpu-estimate/Evaluate/LaneValues.h"
#include "gpu-estimate/Evaluate/SamplingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static constexpr const char *Axis = "xyz";
static constexpr unsigned FirstCounter = 6; ///< after threadIdx and blockIdx

static int depth(const KernelModel &Kernel, int Loop) {
  int Depth = 0;
  for (; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    ++Depth;
  return Depth;
}

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
  auto bind = [&](Expr E) {
    return E ? Context->bind(Context->import(E), Bound) : E;
  };
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

void BoundKernel::findDrawn(const Bindings &All) {
  for (const Unknown &U : Kernel.Unknowns) {
    if (U.Kind != Unknown::LoadedValue || U.Name.empty() || All.count(U.Name))
      continue;
    DrawnValue V;
    V.Name = U.Name;
    V.LaneVarying = U.LaneVarying;
    bool SameColumn = false;
    for (unsigned I = 0; I < Kernel.Accesses.size(); ++I) {
      const MemoryAccess &A = Kernel.Accesses[I];
      if (A.Kind == AccessKind::Store || !U.Location.isValid() ||
          A.Location.Line != U.Location.Line ||
          A.Location.File != U.Location.File)
        continue;
      bool Exact = A.Location.Column == U.Location.Column;
      int Home = BlockLoop[A.Block];
      if (!V.Home || (Exact && !SameColumn) ||
          (Exact == SameColumn && depth(Kernel, Home) > depth(Kernel, *V.Home)))
        V.Home = Home;
      // Atomics return something else to every thread.
      if (Exact && A.Kind == AccessKind::Load && Addresses[I] &&
          V.Home == Home && !Addresses[I].dependsOn(U.Name))
        V.Source = I;
      SameColumn |= Exact;
    }
    if (V.Source && BlockLoop[Kernel.Accesses[*V.Source].Block] != *V.Home)
      V.Source.reset();
    Drawn.push_back(V);
  }
  orderDrawn();
}

/// A value whose load address contains another one comes after it.
void BoundKernel::orderDrawn() {
  for (size_t Done = 0; Done < Drawn.size(); ++Done) {
    auto ready = [&](const DrawnValue &V) {
      return !V.Source ||
             llvm::none_of(llvm::drop_begin(Drawn, Done),
                           [&](const DrawnValue &Other) {
                             return &Other != &V &&
                                    Addresses[*V.Source].dependsOn(Other.Name);
                           });
    };
    auto Next = std::find_if(Drawn.begin() + Done, Drawn.end(), ready);
    if (Next == Drawn.end()) { // each waits for another: cut the circle
      Drawn[Done].Source.reset();
      continue;
    }
    std::rotate(Drawn.begin() + Done, Next, Next + 1);
  }
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

/// Change of E, everything else 0, when the parameter goes from 0 to 1.
static double slope(Expr E, llvm::StringRef Parameter) {
  Bindings Point;
  for (const std::string &Name : E.parameters())
    Point[Name] = 0;
  std::optional<double> At0 = evaluate(E, Point);
  Point[Parameter] = 1;
  std::optional<double> At1 = evaluate(E, Point);
  return At0 && At1 ? std::abs(*At1 - *At0) : 0;
}

void BoundKernel::setRanges(const Bindings &All) {
  for (DrawnValue &V : Drawn) {
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Name == V.Name && U.UpperBound)
        if (auto Limit =
                Context->bind(Context->import(*U.UpperBound), All).asConstant())
          V.Range = std::max(1.0, std::floor(*Limit) + 1);
    if (V.Range > 1)
      continue;
    double Known = INFINITY, Guessed = INFINITY;
    for (unsigned A = 0; A < Addresses.size(); ++A) {
      if (!Addresses[A] || !Addresses[A].dependsOn(V.Name))
        continue;
      double Unit = unitOf(A, &V - Drawn.data());
      if (auto Size = bufferBytes(Kernel, Kernel.Accesses[A], All))
        Known = std::min(Known, *Size / Unit);
      Guessed = std::min(Guessed, UnknownBufferBytes / Unit);
    }
    double Range = std::isfinite(Known) ? Known : Guessed;
    V.Range = std::isfinite(Range) ? std::max(1.0, std::floor(Range))
                                   : UnknownBufferBytes / 4;
  }
}

void BoundKernel::compile() {
  for (const char *Prefix : {"threadIdx.", "blockIdx."})
    for (unsigned D = 0; D < 3; ++D)
      Names.push_back(std::string(Prefix) + Axis[D]);
  for (const Loop &Each : Kernel.Loops)
    Names.push_back(Each.Counter);
  for (const DrawnValue &V : Drawn)
    Names.push_back(V.Name);
  Inputs.assign(Names.size() * Lanes, 0);

  DrawnFrom.resize(Drawn.size());
  for (unsigned V = 0; V < Drawn.size(); ++V)
    if (Drawn[V].Source)
      DrawnFrom[V].emplace(llvm::ArrayRef<Expr>(Addresses[*Drawn[V].Source]),
                           Names);
  ActiveOf.assign(Active.size(), -1);
  LoopActiveOf.assign(LoopActive.size(), -1);
  TripsOf.assign(Trips.size(), -1);
  AddressOf.assign(Addresses.size(), -1);
  Scopes.resize(Kernel.Loops.size() + 1);
  std::vector<llvm::StringSet<>> Read(Scopes.size()); ///< names, by scope
  for (int Owner = -1; Owner < int(Kernel.Loops.size()); ++Owner) {
    Scope &S = scope(Owner);
    S.Items = Owner < 0 ? &Kernel.Body : &Kernel.Loops[Owner].Body;
    std::vector<Expr> Outputs;
    auto take = [&](Expr E, int &Slot) {
      if (!E)
        return;
      Slot = Outputs.size();
      Outputs.push_back(E);
    };
    for (const Item &Member : *S.Items) {
      if (Member.Kind == Item::IsLoop) {
        S.Loops.push_back(Member.Index);
        take(LoopActive[Member.Index], LoopActiveOf[Member.Index]);
        take(Trips[Member.Index], TripsOf[Member.Index]);
        continue;
      }
      take(Active[Member.Index], ActiveOf[Member.Index]);
      for (unsigned A : BlockAccesses[Member.Index])
        take(Addresses[A], AddressOf[A]);
    }
    for (Expr E : Outputs)
      if (!Drawn.empty())
        for (const std::string &Name : E.parameters())
          Read[scopeOf(Owner)].insert(Name);
    S.Out.resize(Outputs.size() * Lanes);
    if (!Outputs.empty())
      S.Program.emplace(Outputs, Names);
    for (unsigned D = 0; D < 3; ++D)
      for (Expr E : Outputs)
        BlockDependent[D] |= L.Grid[D] > 1 && E.dependsOn(Names[3 + D]);
  }
  placeDraws(Read);
}

/// Each scope draws what is read in it, directly or for another draw; a value
/// of a known home what is read anywhere.
void BoundKernel::placeDraws(std::vector<llvm::StringSet<>> &Read) {
  llvm::StringSet<> Anywhere;
  for (const llvm::StringSet<> &Of : Read)
    for (const auto &Name : Of)
      Anywhere.insert(Name.first());
  // From the last: what one is drawn from comes before it.
  for (unsigned V = Drawn.size(); V-- > 0;) {
    const DrawnValue &Value = Drawn[V];
    for (unsigned S = 0; S < Scopes.size(); ++S) {
      bool Here = Value.Home ? scopeOf(*Value.Home) == S : true;
      if (!Here || !(Value.Home ? Anywhere : Read[S]).contains(Value.Name))
        continue;
      Scopes[S].Draws.push_back(V);
      if (Value.Source)
        for (const std::string &Name : Addresses[*Value.Source].parameters()) {
          Read[S].insert(Name);
          Anywhere.insert(Name);
        }
    }
  }
  for (Scope &S : Scopes)
    std::reverse(S.Draws.begin(), S.Draws.end());
}

void BoundKernel::markVarying() {
  Varies.assign(Kernel.Loops.size(), 0);
  auto check = [&](Expr E, int Scope) {
    if (!E)
      return;
    // Every loop around the expression, from the inside; a value drawn in a
    // loop changes with that loop and with those around it.
    for (int Loop = Scope; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
      Varies[Loop] |= E.dependsOn(Kernel.Loops[Loop].Counter);
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
    check(Addresses[A], BlockLoop[Kernel.Accesses[A].Block]);
}

unsigned BoundKernel::enterWarp(const WarpPosition &P) {
  uint64_t Threads = L.threadsPerBlock(), First = uint64_t(P.Warp) * Lanes;
  unsigned Present = std::min<uint64_t>(Lanes, Threads - First);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    // Absent lanes repeat the last thread: their values are never used.
    uint64_t T = First + std::min(Lane, Present - 1);
    Inputs[0 * Lanes + Lane] = T % L.Block[0];
    Inputs[1 * Lanes + Lane] = T / L.Block[0] % L.Block[1];
    Inputs[2 * Lanes + Lane] = T / (L.Block[0] * L.Block[1]);
    for (unsigned D = 0; D < 3; ++D)
      Inputs[(3 + D) * Lanes + Lane] = P.Block[D];
  }
  WarpSalt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  return Present;
}

void BoundKernel::setCounter(unsigned Loop, double Iteration) {
  std::fill_n(Inputs.begin() + (FirstCounter + Loop) * Lanes, Lanes, Iteration);
}

void BoundKernel::draw(unsigned V, uint64_t Salt) {
  llvm::MutableArrayRef<double> Values(
      &Inputs[(FirstCounter + Kernel.Loops.size() + V) * Lanes], Lanes);
  std::array<double, MaxLanes> From;
  From.fill(NAN);
  if (DrawnFrom[V])
    DrawnFrom[V]->evaluateMany(
        Inputs, llvm::MutableArrayRef<double>(From.data(), Lanes), Lanes);
  uint64_t Key = mixBits(mixBits(WarpSalt, Salt), V);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    uint64_t Hash = std::isnan(From[Lane])
                        ? mixBits(Key, Drawn[V].LaneVarying ? Lane : 0)
                        : mixBits(V, llvm::bit_cast<uint64_t>(From[Lane]));
    Values[Lane] = std::floor(unitFraction(Hash) * Drawn[V].Range);
  }
}

void BoundKernel::enterScope(int Loop, uint64_t Salt) {
  Scope &S = scope(Loop);
  for (unsigned V : S.Draws)
    draw(V, Salt);
  if (S.Program)
    S.Program->evaluateMany(Inputs, S.Out, Lanes);
}

double BoundKernel::unitOf(unsigned Access, unsigned Value) const {
  double Unit =
      Addresses[Access] ? slope(Addresses[Access], Drawn[Value].Name) : 0;
  return Unit > 0 ? Unit : std::max(1u, Kernel.Accesses[Access].BytesPerThread);
}

bool BoundKernel::addressDraws(unsigned Access, unsigned Value) const {
  return Addresses[Access] && Addresses[Access].dependsOn(Drawn[Value].Name);
}

llvm::ArrayRef<double> BoundKernel::output(int Loop, int Index) const {
  if (Index < 0)
    return {};
  return llvm::ArrayRef<double>(Scopes[Loop + 1].Out)
      .slice(Index * Lanes, Lanes);
}

} // namespace gpuestimate
