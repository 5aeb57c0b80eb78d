/// \file
/// Values that are loaded from memory: which there are, their ranges, and
/// numbers for them.
#include "LaneValues.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static int depth(const KernelModel &Kernel, int Loop) {
  int Depth = 0;
  for (; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    ++Depth;
  return Depth;
}

void BoundKernel::findDrawn(const Bindings &All) {
  for (const Unknown &U : Kernel.Unknowns) {
    if (U.Kind != Unknown::LoadedValue || U.Name.empty() || All.count(U.Name))
      continue;
    spendWork(1 + Kernel.Accesses.size() / 16);
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
      return !V.Source || !spendWork(1 + (Drawn.size() - Done) / 8) ||
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

namespace {
/// Slopes of an expression at the point where every parameter is 0.
class SlopesAtZero {
public:
  explicit SlopesAtZero(Expr E) : E(E) {
    for (const std::string &Name : E.parameters())
      Point[Name] = 0;
    At0 = evaluate(E, Point);
  }
  /// Change of E when the parameter goes from 0 to 1.
  double along(llvm::StringRef Parameter) {
    Point[Parameter] = 1;
    std::optional<double> At1 = evaluate(E, Point);
    Point[Parameter] = 0;
    return At0 && At1 ? std::abs(*At1 - *At0) : 0;
  }

private:
  Expr E;
  Bindings Point;
  std::optional<double> At0;
};
} // namespace

void BoundKernel::setRanges(const Bindings &All) {
  std::vector<std::optional<SlopesAtZero>> Slopes(Addresses.size());
  for (DrawnValue &V : Drawn) {
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Name == V.Name && U.UpperBound)
        if (auto Limit =
                Context->bind(Context->import(*U.UpperBound), All).asConstant())
          V.Range = std::max(1.0, std::floor(*Limit) + 1);
    if (V.Range > 1)
      continue;
    if (!spendWork(1 + Addresses.size() / 4))
      return;
    double Known = INFINITY, Guessed = INFINITY;
    for (unsigned A = 0; A < Addresses.size(); ++A) {
      if (!Addresses[A] || !Addresses[A].dependsOn(V.Name))
        continue;
      if (!Slopes[A])
        Slopes[A].emplace(Addresses[A]);
      double Unit = unitOf(A, Slopes[A]->along(V.Name));
      if (auto Size = bufferBytes(Kernel, Kernel.Accesses[A], All))
        Known = std::min(Known, *Size / Unit);
      Guessed = std::min(Guessed, UnknownBufferBytes / Unit);
    }
    double Range = std::isfinite(Known) ? Known : Guessed;
    V.Range = std::isfinite(Range) ? std::max(1.0, std::floor(Range))
                                   : UnknownBufferBytes / 4;
  }
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

void BoundKernel::draw(unsigned V, uint64_t Salt) {
  for (unsigned Other : SourceReads[V])
    makeValues(Other);
  if (DrawnFrom[V])
    DrawnFrom[V]->evaluateMany(
        Inputs, llvm::MutableArrayRef(SourceOf).slice(size_t(V) * Lanes, Lanes),
        Lanes);
  LastDraw[V] = {WarpSalt, Salt, ++Draws, true};
}

void BoundKernel::makeValues(unsigned V) {
  if (!LastDraw[V].Open)
    return;
  LastDraw[V].Open = false;
  double *Values = &Inputs[inputOf(V)];
  llvm::ArrayRef<double> From = drawnFrom(V);
  uint64_t Place = mixBits(V),
           Key = mixBits(
               mixBits(mixBits(LastDraw[V].WarpSalt, LastDraw[V].Salt), V));
  bool LaneVarying = Drawn[V].LaneVarying;
  double Range = Drawn[V].Range;
  uint64_t Last = 0;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    bool Known = !std::isnan(From[Lane]);
    uint64_t Bits = llvm::bit_cast<uint64_t>(From[Lane]);
    // Lanes that have the same value often do so side by side.
    if (Lane && Bits == Last && (Known || !LaneVarying)) {
      Values[Lane] = Values[Lane - 1];
      continue;
    }
    Last = Bits;
    uint64_t Hash =
        Known ? mixInto(Place, Bits) : mixInto(Key, LaneVarying ? Lane : 0);
    double Value = unitFraction(Hash) * Range;
    // Without a call where that gives the same.
    Values[Lane] = Value < 0x1p62 ? double(int64_t(Value)) : std::floor(Value);
  }
}

namespace {
/// A sum that has one drawn value in it: Unit times that, and the rest.
struct DrawnSum {
  llvm::StringRef Name;
  double Unit = 0;
  llvm::SmallVector<Expr, 4> Rest;
};
} // namespace

/// Adds Factor * E; false where that is no such sum.
static bool collect(Expr E, double Factor, const ParameterSet &Drawn,
                    DrawnSum &Into) {
  auto collectAll = [&](llvm::ArrayRef<Expr> Terms) {
    return llvm::all_of(
        Terms, [&](Expr Term) { return collect(Term, Factor, Drawn, Into); });
  };
  if (!dependsOn(E, Drawn)) {
    Into.Rest.push_back(Factor == 1 ? E : Factor * E);
    return true;
  }
  llvm::ArrayRef<Expr> X = E.operands();
  if (E.kind() == ExprKind::Add)
    return collectAll(X);
  if (E.kind() == ExprKind::Mul && X.size() == 2 &&
      X[0].kind() == ExprKind::Constant)
    return collect(X[1], Factor * X[0].constant(), Drawn, Into);
  if (E.kind() != ExprKind::Parameter ||
      (!Into.Name.empty() && Into.Name != E.name()))
    return false;
  Into.Name = E.name();
  Into.Unit += Factor;
  return true;
}

/// A value that decides which threads come by is not just any one to them.
bool BoundKernel::decides(llvm::StringRef Value, unsigned Block) const {
  auto reads = [&](Expr E) { return E && E.dependsOn(Value); };
  if (reads(Active[Block]))
    return true;
  for (int Loop = BlockLoop[Block]; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    if (reads(LoopActive[Loop]) || reads(Trips[Loop]))
      return true;
  return false;
}

/// Does the address ask for requests that cost the same on average, whatever is
/// drawn? So it is where the same lanes always load the same value.
bool BoundKernel::isAlike(const Output &Address) const {
  if (!Address.Drawn)
    return false;
  const DrawnValue &V = Drawn[Address.Drawn->Value];
  return !V.Source || Sums->isSum(Addresses[*V.Source]);
}

bool BoundKernel::splitDrawn(Expr Address, unsigned Block, Output &To) {
  DrawnSum Sum;
  if (!collect(Address, 1, DrawnNames, Sum) || !(Sum.Unit > 0) ||
      decides(Sum.Name, Block))
    return false;
  unsigned Scope = scopeOf(BlockLoop[Block]);
  To.Sum = Sums->split(
      Sum.Rest.empty() ? Context->constant(0) : Context->add(Sum.Rest), Scope);
  if (!To.Sum || To.Sum->Thread != 0) {
    To.Sum.reset();
    return false;
  }
  auto Value = llvm::find_if(
      Drawn, [&](const DrawnValue &V) { return V.Name == Sum.Name; });
  To.Drawn = {unsigned(Value - Drawn.begin()), Sum.Unit};
  return true;
}

double BoundKernel::unitOf(unsigned Access, unsigned Value) const {
  if (!Addresses[Access])
    return unitOf(Access, 0.0);
  return unitOf(Access,
                SlopesAtZero(Addresses[Access]).along(Drawn[Value].Name));
}

double BoundKernel::unitOf(unsigned Access, double Slope) const {
  return Slope > 0 ? Slope
                   : std::max(1u, Kernel.Accesses[Access].BytesPerThread);
}

bool BoundKernel::addressDraws(unsigned Access, unsigned Value) const {
  return Addresses[Access] && Addresses[Access].dependsOn(Drawn[Value].Name);
}

} // namespace gpuestimate
