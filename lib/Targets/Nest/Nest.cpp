#include "gpu-estimate/Targets/Nest/Nest.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Support/Bisect.h"
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
                const Bindings &Values)
      : Kernel(Kernel), L(L), HostLoops(Kernel.parallelLoops()),
        Point(bindParameters(Kernel, L, Values).All) {}

  LoopNestNumbers run() {
    // Loaded values are 0 here; accesses that depend on them are marked.
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Kind == Unknown::LoadedValue)
        Point[U.Name] = 0;
      else if (U.Kind == Unknown::BranchProbability)
        Result.Chances.push_back({U.Location, Point.lookup(U.Name)});
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
    std::optional<double> V = E ? evaluate(E, Point) : std::nullopt;
    return V && std::isfinite(*V) ? *V : Default;
  }

  /// Sets the index of a thread dimension.
  void go(unsigned D, double Index) {
    double Size = static_cast<double>(L.Block[D]);
    double Block = std::floor(Index / Size);
    Point[Blocks[D]] = Block;
    Point[Threads[D]] = Index - Block * Size;
  }

  /// True if the thread at the current point executes any block.
  bool active() const {
    return llvm::any_of(Kernel.Body, [&](const RegionNode &I) {
      return value(I.Kind == RegionNode::IsBlock ? Kernel.Blocks[I.Index].Active
                                                 : Kernel.Loops[I.Index].Active,
                   1) > 0;
    });
  }

  /// Finds the extent up to which the guard of a nest is true.
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
    return lastTrue(Low, Size - 1, Inside) + 1;
  }

  /// The dimensions in the source order of their loops, which a machine without
  /// threads keeps.
  std::array<unsigned, 3> outermostFirst() const {
    auto Place = [&](unsigned D) {
      return D < HostLoops.size() ? std::pair(HostLoops[D].Location.Line,
                                              HostLoops[D].Location.Column)
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
    New.Location =
        D < HostLoops.size() ? HostLoops[D].Location : Kernel.Location;
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

  void body(const std::vector<RegionNode> &Body, int Around,
            double Executions) {
    for (const RegionNode &I : Body) {
      if (I.Kind == RegionNode::IsBlock) {
        Result.LoopOfBlock[I.Index] = Around;
        Result.Executions[I.Index] =
            Executions * value(Kernel.Blocks[I.Index].Active, 1);
        continue;
      }
      const Loop &Inner = Kernel.Loops[I.Index];
      double Trips = std::max(0.0, value(Inner.TripCount, 1));
      double Share = value(Inner.Active, 1);
      Point[Inner.Counter] = std::floor(Trips / 2);
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

  /// Stride: the address one iteration later minus the address here.
  double strideOf(const NestedLoop &Nested, int Dimension, Expr Address) {
    double Here = value(Address, 0);
    if (Dimension < 0) {
      const std::string &Counter = Kernel.Loops[Nested.Loop].Counter;
      double Old = Point[Counter];
      Point[Counter] = Old + 1;
      double Stride = value(Address, 0) - Here;
      Point[Counter] = Old;
      return Stride;
    }
    double Middle = std::floor(Nested.Extent / 2);
    go(Dimension, Middle + 1);
    double Stride = value(Address, 0) - Here;
    go(Dimension, Middle);
    return Stride;
  }

  void access(unsigned Index) {
    const MemoryAccess &Source = Kernel.Accesses[Index];
    if (Source.Space != MemorySpace::Global &&
        Source.Space != MemorySpace::Constant)
      return;
    NestedAccess A;
    A.Index = Index;
    A.Base = Source.Base;
    A.Reads = Source.Kind != AccessKind::Store;
    A.Writes =
        Source.Kind == AccessKind::Store || Source.Kind == AccessKind::Atomic;
    A.Bytes = Source.BytesPerThread;
    A.Executions = Result.Executions[Source.Block];
    A.Irregular = Source.DataDependent || !Source.Address;
    if (Source.BaseBytes)
      A.ObjectBytes = static_cast<double>(*Source.BaseBytes);
    else if (Source.BaseArgument)
      if (auto Count = Point.find(Source.Base);
          Count != Point.end() && Kernel.Arguments[*Source.BaseArgument].Kind ==
                                      KernelArgument::Pointer)
        A.ObjectBytes =
            Count->second *
            std::max(1u, Kernel.Arguments[*Source.BaseArgument].ElementBytes);
    A.Start = value(Source.Address, 0);
    for (int I = Result.LoopOfBlock[Source.Block]; I >= 0;
         I = Result.Loops[I].Parent)
      A.Strides.insert(
          A.Strides.begin(),
          {static_cast<unsigned>(I),
           Source.Address
               ? strideOf(Result.Loops[I], DimensionOf[I], Source.Address)
               : 0});
    Result.Accesses.push_back(std::move(A));
  }

  const KernelModel &Kernel;
  const Launch &L;
  llvm::ArrayRef<ParallelLoop> HostLoops;
  Bindings Point; ///< every parameter, at the middle of what is bound so far
  LoopNestNumbers Result;
  std::vector<int> DimensionOf; ///< of each loop: 0 is x; -1 none
};

} // namespace

double LoopNestNumbers::iterations() const {
  double Product = 1;
  for (const NestedLoop &Nested : Loops)
    if (Nested.Spread)
      Product *= Nested.Extent;
  return Product;
}

LoopNestNumbers numberNest(const KernelModel &Kernel, const Launch &L,
                           const Bindings &Values) {
  return NestNumbering(Kernel, L, Values).run();
}

} // namespace gpuestimate
