/// \file
/// The part of WarpEvaluator that models indirect indices: finds the values
/// loaded from memory, their ranges, and generates random values for them.
#include "WarpEvaluator.h"
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

void WarpEvaluator::findIndirectIndices(const Bindings &All) {
  for (const Unknown &U : Kernel.Unknowns) {
    if (U.Kind != Unknown::LoadedValue || U.Name.empty() || All.count(U.Name))
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
      int DefiningLoop = BlockLoop[A.Block];
      if (!V.DefiningLoop || (Exact && !SameColumn) ||
          (Exact == SameColumn &&
           depth(Kernel, DefiningLoop) > depth(Kernel, *V.DefiningLoop)))
        V.DefiningLoop = DefiningLoop;
      // An atomic returns a different value to each thread.
      if (Exact && A.Kind == AccessKind::Load && Addresses[I] &&
          V.DefiningLoop == DefiningLoop && !Addresses[I].dependsOn(U.Name))
        Source = I;
      SameColumn |= Exact;
    }
    if (Source && BlockLoop[Kernel.Accesses[*Source].Block] == *V.DefiningLoop)
      V.Key = Addresses[*Source];
    else if (U.Key)
      takeKey(V, Context->bind(Context->import(U.Key), All));
    Indices.push_back(V);
  }
  sortByDependence();
}

/// The key of a value that is computed in the innermost loop whose counter it
/// depends on, or further inside.
void WarpEvaluator::takeKey(IndirectIndex &V, Expr Key) const {
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
void WarpEvaluator::sortByDependence() {
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

void WarpEvaluator::setRanges(const Bindings &All) {
  std::vector<std::optional<SlopesAtZero>> Slopes(Addresses.size());
  for (IndirectIndex &V : Indices) {
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Name == V.Name && U.UpperBound)
        if (auto Limit =
                Context->bind(Context->import(*U.UpperBound), All).asConstant())
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
      double Unit = bytesPerIndex(A, Slopes[A]->along(V.Name));
      if (auto Size = bufferBytes(Kernel, Kernel.Accesses[A], All))
        BufferRange = std::min(BufferRange, *Size / Unit);
      AssumedRange = std::min(AssumedRange, UnknownBufferBytes / Unit);
    }
    double Range = std::isfinite(BufferRange) ? BufferRange : AssumedRange;
    V.Range = std::isfinite(Range) ? std::max(1.0, std::floor(Range))
                                   : UnknownBufferBytes / 4;
  }
}

/// Lists for each scope the indices that get new values when it is entered. An
/// index with a known defining loop belongs to that loop's scope if any scope
/// reads it; an index without one belongs to every scope that reads it. Reads
/// through the load address of another index count.
void WarpEvaluator::assignToScopes(std::vector<llvm::StringSet<>> &Read) {
  llvm::StringSet<> Anywhere;
  for (const llvm::StringSet<> &Names : Read)
    for (const auto &Name : Names)
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

void WarpEvaluator::renewValues(unsigned V, uint64_t Salt) {
  for (unsigned Other : LoadAddressIndices[V])
    materializeValues(Other);
  if (LoadAddressPrograms[V])
    LoadAddressPrograms[V]->evaluateMany(
        Inputs,
        llvm::MutableArrayRef(LoadAddresses).slice(size_t(V) * Lanes, Lanes),
        Lanes);
  ValueStates[V] = {WarpSalt, Salt, ++LastVersion, true};
}

void WarpEvaluator::materializeValues(unsigned V) {
  if (!ValueStates[V].Pending)
    return;
  ValueStates[V].Pending = false;
  double *Values = &Inputs[inputOf(V)];
  llvm::ArrayRef<double> LoadedFrom = indexLoadAddresses(V);
  uint64_t IndexSeed = mixBits(V),
           Key = mixBits(mixBits(
               mixBits(ValueStates[V].WarpSalt, ValueStates[V].Salt), V));
  bool LaneVarying = Indices[V].LaneVarying;
  double Range = Indices[V].Range;
  uint64_t Last = 0;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    bool HasAddress = !std::isnan(LoadedFrom[Lane]);
    uint64_t Bits = llvm::bit_cast<uint64_t>(LoadedFrom[Lane]);
    // Neighbouring lanes often load from one address.
    if (Lane && Bits == Last && (HasAddress || !LaneVarying)) {
      Values[Lane] = Values[Lane - 1];
      continue;
    }
    Last = Bits;
    uint64_t Hash = HasAddress ? mixInto(IndexSeed, Bits)
                               : mixInto(Key, LaneVarying ? Lane : 0);
    double Value = unitFraction(Hash) * Range;
    // Truncation equals floor here and needs no call.
    Values[Lane] = Value < 0x1p62 ? double(int64_t(Value)) : std::floor(Value);
  }
}

namespace {
/// A sum BytesPerIndex * index + Terms with one indirect index.
struct IndexedSum {
  llvm::StringRef Name;
  double BytesPerIndex = 0;
  llvm::SmallVector<Expr, 4> Terms;
};
} // namespace

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

/// Whether the value appears in a condition or trip count around the block. The
/// lanes that execute the block then have values of a restricted range.
bool WarpEvaluator::decides(llvm::StringRef Value, unsigned Block) const {
  auto reads = [&](Expr E) { return E && E.dependsOn(Value); };
  if (reads(Active[Block]))
    return true;
  for (int Loop = BlockLoop[Block]; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
    if (reads(LoopActive[Loop]) || reads(Trips[Loop]))
      return true;
  return false;
}

/// Whether the expected cost of a request with this address is the same for all
/// values of the index: the set of lanes that share a value must be fixed.
bool WarpEvaluator::isCostValueIndependent(const Output &Address) const {
  if (!Address.Indirect)
    return false;
  const IndirectIndex &V = Indices[Address.Indirect->Index];
  return !V.Key || Sums->isSum(V.Key);
}

bool WarpEvaluator::splitIndirect(Expr Address, unsigned Block, Output &To) {
  IndexedSum Sum;
  if (!collect(Address, 1, IndexNames, Sum) || !(Sum.BytesPerIndex > 0) ||
      decides(Sum.Name, Block))
    return false;
  unsigned Scope = scopeOf(BlockLoop[Block]);
  To.Sum = Sums->split(Sum.Terms.empty() ? Context->constant(0)
                                         : Context->add(Sum.Terms),
                       Scope);
  if (!To.Sum || To.Sum->Thread != 0) {
    To.Sum.reset();
    return false;
  }
  auto Value = llvm::find_if(
      Indices, [&](const IndirectIndex &V) { return V.Name == Sum.Name; });
  To.Indirect = {unsigned(Value - Indices.begin()), Sum.BytesPerIndex};
  return true;
}

double WarpEvaluator::bytesPerIndex(unsigned Access, unsigned Value) const {
  if (!Addresses[Access])
    return bytesPerIndex(Access, 0.0);
  return bytesPerIndex(
      Access, SlopesAtZero(Addresses[Access]).along(Indices[Value].Name));
}

double WarpEvaluator::bytesPerIndex(unsigned Access, double Slope) const {
  return Slope > 0 ? Slope
                   : std::max(1u, Kernel.Accesses[Access].BytesPerThread);
}

bool WarpEvaluator::addressUsesIndex(unsigned Access, unsigned Value) const {
  return Addresses[Access] && Addresses[Access].dependsOn(Indices[Value].Name);
}

} // namespace gpuestimate
