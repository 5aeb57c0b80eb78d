#include "gpu-estimate/Targets/Nest/Nest.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cmath>

namespace gpuestimate {

namespace {

constexpr const char *Threads[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
constexpr const char *Blocks[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};

class NestNumbering {
public:
  NestNumbering(const KernelModel &Kernel, const Launch &L,
                const Bindings &Values, llvm::ArrayRef<SourceLocation> Places)
      : Kernel(Kernel), L(L), Places(Places),
        At(bindParameters(Kernel, L, Values).All) {}

  LoopNestNumbers run() {
    // What data decide is 0 here; accesses that depend on it are marked.
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Kind == Unknown::LoadedValue)
        At[U.Name] = 0;
      else if (U.Kind == Unknown::BranchProbability)
        Result.Chances.push_back({U.Location, At.lookup(U.Name)});
    for (unsigned D = 0; D < 3; ++D)
      go(D, 0);
    for (unsigned D : outermostFirst())
      spread(D);
    Result.LoopOfBlock.assign(Kernel.Blocks.size(), -1);
    Result.Executions.assign(Kernel.Blocks.size(), 0);
    int Inner = static_cast<int>(Result.Loops.size()) - 1;
    body(Kernel.Body, Inner, Result.iterations());
    for (unsigned I = 0; I < Kernel.Accesses.size(); ++I)
      access(I);
    return std::move(Result);
  }

private:
  double value(Expr E, double Default) const {
    std::optional<double> V = E ? evaluate(E, At) : std::nullopt;
    return V && std::isfinite(*V) ? *V : Default;
  }

  /// Moves to one index of a thread dimension.
  void go(unsigned D, double Index) {
    double Size = static_cast<double>(L.Block[D]);
    double Block = std::floor(Index / Size);
    At[Blocks[D]] = Block;
    At[Threads[D]] = Index - Block * Size;
  }

  /// Is the thread there in anything?
  bool active() const {
    return llvm::any_of(Kernel.Body, [&](const Item &I) {
      return value(I.Kind == Item::IsBlock ? Kernel.Blocks[I.Index].Active
                                           : Kernel.Loops[I.Index].Active,
                   1) > 0;
    });
  }

  /// The guard of a nest is true up to its extent.
  double extentOf(unsigned D) {
    double Size =
        static_cast<double>(L.Grid[D]) * static_cast<double>(L.Block[D]);
    auto Inside = [&](double Index) {
      go(D, Index);
      return active();
    };
    if (Inside(Size - 1))
      return Size;
    double Low = -1;
    for (double Try : {0.0, std::floor(Size / 4), std::floor(Size / 2)})
      if (Inside(Try))
        Low = Try;
    if (Low < 0)
      return Size;
    double High = Size - 1;
    while (High - Low > 1) {
      double Middle = std::floor((Low + High) / 2);
      (Inside(Middle) ? Low : High) = Middle;
    }
    return Low + 1;
  }

  /// The dimensions as the source has their loops, whichever became x: one
  /// machine without threads runs them as they are written.
  std::array<unsigned, 3> outermostFirst() const {
    auto Place = [&](unsigned D) {
      return D < Places.size() ? std::pair(Places[D].Line, Places[D].Column)
                               : std::pair(0u, 0u);
    };
    std::array<unsigned, 3> Order{2, 1, 0};
    llvm::stable_sort(
        Order, [&](unsigned A, unsigned B) { return Place(A) < Place(B); });
    return Order;
  }

  void spread(unsigned D) {
    double Extent = extentOf(D);
    go(D, std::floor(Extent / 2));
    if (Extent <= 1)
      return;
    NestedLoop &New = Result.Loops.emplace_back();
    New.Extent = Extent;
    New.Spread = true;
    New.Location = D < Places.size() ? Places[D] : Kernel.Location;
    adopt(static_cast<int>(Result.Loops.size()) - 2, 1);
    DimensionOf.push_back(static_cast<int>(D));
  }

  void adopt(int Parent, double Share) {
    NestedLoop &New = Result.Loops.back();
    New.Parent = Parent;
    if (Parent < 0)
      return;
    NestedLoop &Outer = Result.Loops[Parent];
    New.Entries = Outer.Entries * Outer.Extent * Share;
    Outer.Innermost = false;
  }

  void body(const std::vector<Item> &Body, int Around, double Executions) {
    for (const Item &I : Body) {
      if (I.Kind == Item::IsBlock) {
        Result.LoopOfBlock[I.Index] = Around;
        Result.Executions[I.Index] =
            Executions * value(Kernel.Blocks[I.Index].Active, 1);
        continue;
      }
      const Loop &Inner = Kernel.Loops[I.Index];
      double Trips = std::max(0.0, value(Inner.TripCount, 1));
      double Share = value(Inner.Active, 1);
      At[Inner.Counter] = std::floor(Trips / 2);
      NestedLoop &New = Result.Loops.emplace_back();
      New.Extent = Trips;
      New.Loop = static_cast<int>(I.Index);
      New.Location = Inner.Location;
      adopt(Around, Share);
      DimensionOf.push_back(-1);
      body(Inner.Body, static_cast<int>(Result.Loops.size()) - 1,
           Executions * Share * Trips);
    }
  }

  /// Address one iteration further, less the address here.
  double strideOf(const NestedLoop &Of, int Dimension, Expr Address) {
    double Here = value(Address, 0);
    if (Dimension < 0) {
      const std::string &Counter = Kernel.Loops[Of.Loop].Counter;
      double Old = At[Counter];
      At[Counter] = Old + 1;
      double Stride = value(Address, 0) - Here;
      At[Counter] = Old;
      return Stride;
    }
    double Middle = std::floor(Of.Extent / 2);
    go(Dimension, Middle + 1);
    double Stride = value(Address, 0) - Here;
    go(Dimension, Middle);
    return Stride;
  }

  void access(unsigned Index) {
    const MemoryAccess &From = Kernel.Accesses[Index];
    if (From.Space != MemorySpace::Global &&
        From.Space != MemorySpace::Constant)
      return;
    NestedAccess A;
    A.Index = Index;
    A.Base = From.Base;
    A.Reads = From.Kind != AccessKind::Store;
    A.Writes =
        From.Kind == AccessKind::Store || From.Kind == AccessKind::Atomic;
    A.Bytes = From.BytesPerThread;
    A.Executions = Result.Executions[From.Block];
    A.Irregular = From.DataDependent || !From.Address;
    if (From.BaseBytes)
      A.ObjectBytes = static_cast<double>(*From.BaseBytes);
    else if (From.BaseArgument >= 0)
      if (auto Count = At.find(From.Base);
          Count != At.end() &&
          Kernel.Arguments[From.BaseArgument].Kind == KernelArgument::Pointer)
        A.ObjectBytes =
            Count->second *
            std::max(1u, Kernel.Arguments[From.BaseArgument].ElementBytes);
    A.Start = value(From.Address, 0);
    for (int I = Result.LoopOfBlock[From.Block]; I >= 0;
         I = Result.Loops[I].Parent)
      A.Strides.insert(A.Strides.begin(),
                       {static_cast<unsigned>(I),
                        From.Address ? strideOf(Result.Loops[I], DimensionOf[I],
                                                From.Address)
                                     : 0});
    Result.Accesses.push_back(std::move(A));
  }

  const KernelModel &Kernel;
  const Launch &L;
  llvm::ArrayRef<SourceLocation> Places;
  Bindings At; ///< every parameter, at the middle of what is bound so far
  LoopNestNumbers Result;
  std::vector<int> DimensionOf; ///< of each loop: 0 is x; -1 none
};

} // namespace

double LoopNestNumbers::iterations() const {
  double Product = 1;
  for (const NestedLoop &Each : Loops)
    if (Each.Spread)
      Product *= Each.Extent;
  return Product;
}

LoopNestNumbers numberNest(const KernelModel &Kernel, const Launch &L,
                           const Bindings &Values,
                           llvm::ArrayRef<SourceLocation> Places) {
  return NestNumbering(Kernel, L, Values, Places).run();
}

} // namespace gpuestimate
