#include "IndirectIndices.h"

#include "BufferBytes.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {
/// Forward differences of an expression at the origin (all parameters 0).
class SlopesAtZero {
public:
  explicit SlopesAtZero(Expr E) : E(E) {
    for (const std::string &Name : E.parameters())
      Point[Name] = 0;
    At0 = evaluate(E, Point);
  }
  /// |E(Parameter = 1) - E(0)|; 0 where E has no value.
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

static double bytesPerIndex(const MemoryAccess &A, double Slope) {
  return Slope > 0 ? Slope : std::max(1u, A.BytesPerThread);
}

namespace {
class IndexFinder {
public:
  explicit IndexFinder(const LaunchExpressions &Expressions)
      : Expressions(Expressions), Kernel(Expressions.Kernel) {}
  std::vector<IndirectIndex> find() {
    findLoads();
    sortByDependence();
    setRanges();
    return std::move(Indices);
  }

private:
  void findLoads();
  void takeKey(IndirectIndex &V, Expr Key) const;
  void sortByDependence();
  void setRanges();
  int depth(int Loop) const;
  Expr bind(Expr E) const {
    ExprContext &Context = *Expressions.Context;
    return Context.bind(Context.import(E), Expressions.Values);
  }

  const LaunchExpressions &Expressions;
  const KernelModel &Kernel;
  std::vector<IndirectIndex> Indices;
};
} // namespace

int IndexFinder::depth(int Loop) const {
  int Depth = 0;
  for (; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    ++Depth;
  return Depth;
}

void IndexFinder::findLoads() {
  for (const Unknown &U : Kernel.Unknowns) {
    if (U.Kind != Unknown::LoadedValue || U.Name.empty() ||
        Expressions.Values.count(U.Name))
      continue;
    spendWork(1 + Kernel.Accesses.size() / 16);
    IndirectIndex V;
    V.Name = U.Name;
    V.LaneVarying = U.LaneVarying;
    bool SameColumn = false;
    std::optional<unsigned> Source; // the load, index into Accesses
    for (unsigned I = 0; I < Kernel.Accesses.size(); ++I) {
      const MemoryAccess &A = Kernel.Accesses[I];
      if (A.Kind == AccessKind::Store || !U.Location.isValid() ||
          A.Location.Line != U.Location.Line ||
          A.Location.File != U.Location.File)
        continue;
      bool Exact = A.Location.Column == U.Location.Column;
      int DefiningLoop = Expressions.LoopOfBlock[A.Block];
      if (!V.DefiningLoop || (Exact && !SameColumn) ||
          (Exact == SameColumn && depth(DefiningLoop) > depth(*V.DefiningLoop)))
        V.DefiningLoop = DefiningLoop;
      // An atomic returns a different value to each thread.
      if (Exact && A.Kind == AccessKind::Load && Expressions.Addresses[I] &&
          V.DefiningLoop == DefiningLoop &&
          !Expressions.Addresses[I].dependsOn(U.Name))
        Source = I;
      SameColumn |= Exact;
    }
    if (Source && Expressions.LoopOfBlock[Kernel.Accesses[*Source].Block] ==
                      *V.DefiningLoop)
      V.Key = Expressions.Addresses[*Source];
    else if (U.Key)
      takeKey(V, bind(U.Key));
    Indices.push_back(V);
  }
}

/// The key of a value that is computed in the innermost loop whose counter it
/// depends on, or further inside.
void IndexFinder::takeKey(IndirectIndex &V, Expr Key) const {
  V.Key = Key;
  if (!V.DefiningLoop)
    return;
  std::vector<bool> IsAround(Kernel.Loops.size());
  for (int Loop = *V.DefiningLoop; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    IsAround[Loop] = true;
  for (auto [L, Nested] : llvm::enumerate(Kernel.Loops))
    if (!IsAround[L] && Key.dependsOn(Nested.Counter))
      V.DefiningLoop.reset();
}

/// Sorts the indices topologically: an index whose load address contains
/// another index comes after it.
void IndexFinder::sortByDependence() {
  for (size_t Sorted = 0; Sorted < Indices.size(); ++Sorted) {
    auto ready = [&](const IndirectIndex &V) {
      return !V.Key || !spendWork(1 + (Indices.size() - Sorted) / 8) ||
             llvm::none_of(llvm::drop_begin(Indices, Sorted),
                           [&](const IndirectIndex &Other) {
                             return &Other != &V && V.Key.dependsOn(Other.Name);
                           });
    };
    auto Next = std::find_if(Indices.begin() + Sorted, Indices.end(), ready);
    if (Next == Indices.end()) { // a cycle: drop one key
      Indices[Sorted].Key = Expr();
      continue;
    }
    std::rotate(Indices.begin() + Sorted, Next, Next + 1);
  }
}

void IndexFinder::setRanges() {
  const std::vector<Expr> &Addresses = Expressions.Addresses;
  std::vector<std::optional<SlopesAtZero>> Slopes(Addresses.size());
  for (IndirectIndex &V : Indices) {
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Name == V.Name && U.UpperBound)
        if (auto Limit = bind(*U.UpperBound).asConstant())
          V.Range = std::max(1.0, std::floor(*Limit) + 1);
    if (V.Range > 1)
      continue;
    if (!spendWork(1 + Addresses.size() / 4))
      return;
    double BufferRange = INFINITY, AssumedRange = INFINITY;
    for (unsigned A = 0; A < Addresses.size(); ++A) {
      if (!Addresses[A] || !Addresses[A].dependsOn(V.Name))
        continue;
      if (!Slopes[A])
        Slopes[A].emplace(Addresses[A]);
      double Unit = bytesPerIndex(Kernel.Accesses[A], Slopes[A]->along(V.Name));
      if (auto Size =
              bufferBytes(Kernel, Kernel.Accesses[A], Expressions.Values))
        BufferRange = std::min(BufferRange, *Size / Unit);
      AssumedRange = std::min(AssumedRange, UnknownBufferBytes / Unit);
    }
    double Range = std::isfinite(BufferRange) ? BufferRange : AssumedRange;
    V.Range = std::isfinite(Range) ? std::max(1.0, std::floor(Range))
                                   : UnknownBufferBytes / 4;
  }
}

std::vector<IndirectIndex>
findIndirectIndices(const LaunchExpressions &Expressions) {
  return IndexFinder(Expressions).find();
}

double bytesPerIndex(const LaunchExpressions &Expressions, unsigned Access,
                     const IndirectIndex &Index) {
  Expr Address = Expressions.Addresses[Access];
  return bytesPerIndex(Expressions.Kernel.Accesses[Access],
                       Address ? SlopesAtZero(Address).along(Index.Name) : 0);
}

/// Adds Factor * E to the sum; false if E has not that form.
static bool collect(Expr E, double Factor, const ParameterSet &Indices,
                    IndexedSum &Into) {
  auto collectAll = [&](llvm::ArrayRef<Expr> Terms) {
    return llvm::all_of(
        Terms, [&](Expr Term) { return collect(Term, Factor, Indices, Into); });
  };
  if (!dependsOn(E, Indices)) {
    Into.Terms.push_back(Factor == 1 ? E : Factor * E);
    return true;
  }
  llvm::ArrayRef<Expr> X = E.operands();
  if (E.kind() == ExprKind::Add)
    return collectAll(X);
  if (E.kind() == ExprKind::Mul && X.size() == 2 &&
      X[0].kind() == ExprKind::Constant)
    return collect(X[1], Factor * X[0].constant(), Indices, Into);
  if (E.kind() != ExprKind::Parameter ||
      (!Into.Name.empty() && Into.Name != E.name()))
    return false;
  Into.Name = E.name();
  Into.BytesPerIndex += Factor;
  return true;
}

std::optional<IndexedSum> asIndexedSum(Expr Address,
                                       const ParameterSet &Indices) {
  IndexedSum Sum;
  if (!collect(Address, 1, Indices, Sum) || !(Sum.BytesPerIndex > 0))
    return std::nullopt;
  return Sum;
}

bool decidesExecution(const LaunchExpressions &Expressions,
                      llvm::StringRef Index, unsigned Block) {
  auto reads = [&](Expr E) { return E && E.dependsOn(Index); };
  if (reads(Expressions.BlockActive[Block]))
    return true;
  for (int Loop = Expressions.LoopOfBlock[Block]; Loop >= 0;
       Loop = Expressions.Kernel.Loops[Loop].Parent)
    if (reads(Expressions.LoopActive[Loop]) || reads(Expressions.Trips[Loop]))
      return true;
  return false;
}

} // namespace gpuestimate
