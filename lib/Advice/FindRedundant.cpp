/// \file
/// Elements that several threads of a block load redundantly, and the gain of a
/// tile of them in shared memory.
///
/// For the loads of one object, a loop around them is
///   a window   if its iterations go over the same elements again (the filter
///              loops of a convolution): half of what they touch or less is
///              new;
///   a walk     otherwise (the k loop of a matrix product).
/// The tile of an object holds what the block touches in C iterations of the
/// innermost walk, all windows included; C is the number of threads that touch
/// the same elements (they load the walk's next iterations in parallel), 1
/// where every thread has elements of its own. The changed kernel
///   - fills the tiles in a loop of ceil(trips / C) iterations in front of the
///     walk, each with a barrier before and after,
///   - has loads from shared memory, free of bank conflicts, in place of the
///     loads from the object,
///   - and needs that much more shared memory.
#include "Advisor.h"
#include "BlockFootprint.h"

#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Smallest number of loads of one element by the threads of a block for which
/// a tile is tried.
static constexpr double RedundantRatio = 2;
/// Largest number of loads of one object in a body that is analysed.
static constexpr size_t MostLoads = 128;
/// Iterations that distinguish a window from a walk.
static constexpr double Lookahead = 16;

namespace {

/// The loads of one object in the body of one loop.
struct TiledObject {
  std::string Base;
  SmallVector<unsigned, 8> Loads;
  SmallVector<unsigned, 4> Windows; ///< innermost first
  int Walk = -1;                    ///< innermost walk; -1: none
  double Trips = 1;                 ///< of the walk
  double Sectors = 0;               ///< that the loads touch, over the launch
  double Ratio = 1;      ///< loads of an element by different threads
  double Elements = 0;   ///< of one iteration of the walk
  unsigned Sharing = 0;  ///< bit d: the address does not depend on threadIdx.d
  double Iterations = 1; ///< C
};

class TileSearch {
public:
  explicit TileSearch(Advisor &A)
      : A(A), Kernel(A.Kernel), C(*A.Kernel.Context), All(A.bound()) {}
  void run();

private:
  std::vector<TiledObject> objects() const;
  bool describe(TiledObject &O) const;
  std::optional<double> trips(unsigned Loop) const;
  Expr fillAddress(const TiledObject &O, unsigned Load, Expr Chunk) const;
  std::optional<KernelModel> tiled(ArrayRef<TiledObject> Objects) const;
  void addFill(KernelModel &M, ArrayRef<TiledObject> Objects, Expr Chunk) const;
  void place(KernelModel &M, const TiledObject &O, RegionNode Fill) const;

  Advisor &A;
  const KernelModel &Kernel;
  ExprContext &C;
  const Bindings &All;
};

} // namespace

static const char *const Coordinates[] = {"threadIdx.x", "threadIdx.y",
                                          "threadIdx.z"};

/// The trip count if it is equal for all threads.
std::optional<double> TileSearch::trips(unsigned Loop) const {
  std::optional<double> Trips = evaluate(Kernel.Loops[Loop].TripCount, All);
  return Trips && *Trips >= 1 ? Trips : std::nullopt;
}

/// Candidates by object and loop, with their footprints.
std::vector<TiledObject> TileSearch::objects() const {
  std::vector<TiledObject> Objects;
  double Sectors = 0;
  for (unsigned I = 0; I < Kernel.Accesses.size(); ++I) {
    const AccessReport &Report = A.Base.Accesses[I];
    const MemoryAccess &M = Kernel.Accesses[I];
    if (M.Space != MemorySpace::Global)
      continue;
    double Own = Report.Requests * Report.SectorsPerRequest;
    Sectors += Own;
    if (M.Kind != AccessKind::Load || M.DataDependent || M.BypassL1 ||
        !M.Address || M.Base.empty() || Own <= 0)
      continue;
    auto Around = A.loopsAround(M.Block);
    auto Object = find_if(Objects, [&](const TiledObject &O) {
      return O.Base == M.Base &&
             Kernel.Accesses[O.Loads[0]].BytesPerThread == M.BytesPerThread &&
             A.loopsAround(Kernel.Accesses[O.Loads[0]].Block) == Around;
    });
    if (Object == Objects.end()) {
      Object = Objects.insert(Objects.end(), TiledObject());
      Object->Base = M.Base;
    }
    Object->Loads.push_back(static_cast<unsigned>(I));
    Object->Sectors += Own;
  }
  // Tiling a body of thousands of loads is not practical, and counting its
  // elements would take seconds.
  erase_if(Objects, [&](const TiledObject &O) {
    return O.Sectors < MinimumShare * Sectors || O.Loads.size() > MostLoads;
  });
  return Objects;
}

/// Computes windows, walk and sizes; false if a tile has no use.
bool TileSearch::describe(TiledObject &O) const {
  BlockFootprint Footprint(A, O.Loads);
  std::vector<double> WindowTrips;
  BlockFootprint::Count Here = Footprint.count({}, {});
  if (Here.Distinct == 0)
    return false;
  for (unsigned Loop : A.loopsAround(Kernel.Accesses[O.Loads[0]].Block)) {
    std::optional<double> Trips = trips(Loop);
    if (!Trips)
      return false;
    SmallVector<unsigned, 4> With(O.Windows);
    std::vector<double> WithTrips(WindowTrips);
    With.push_back(Loop);
    WithTrips.push_back(std::min(*Trips, Lookahead));
    BlockFootprint::Count Longer = Footprint.count(With, WithTrips);
    double Steps = Longer.Points / Here.Points;
    if (Steps > 1 && Longer.Distinct > 0.5 * Steps * Here.Distinct) {
      O.Walk = static_cast<int>(Loop);
      O.Trips = *Trips;
      break;
    }
    O.Windows = std::move(With);
    WindowTrips = std::move(WithTrips);
    Here = Longer;
  }
  O.Elements = Here.Distinct;
  O.Ratio = Here.ByThreads / Here.Distinct;
  for (unsigned D = 0; D < 3; ++D)
    if (A.L.Block[D] > 1 && none_of(O.Loads, [&](unsigned Load) {
          return Kernel.Accesses[Load].Address.dependsOn(Coordinates[D]);
        })) {
      O.Sharing |= 1u << D;
      O.Iterations *= double(A.L.Block[D]);
    }
  if (O.Walk < 0)
    O.Iterations = 1;
  O.Iterations = std::min(O.Iterations, O.Trips);
  // A few values for all threads belong in registers or constant memory.
  return O.Ratio >= RedundantRatio &&
         O.Elements * O.Iterations >= A.Gpu.WarpSize;
}

/// Address that one thread loads in a fill: windows are at their first
/// iteration, the walk at the iteration given by the index of the thread among
/// those with equal addresses.
Expr TileSearch::fillAddress(const TiledObject &O, unsigned Load,
                             Expr Chunk) const {
  StringMap<Expr> Replaced;
  for (unsigned Loop : O.Windows)
    Replaced[Kernel.Loops[Loop].Counter] = C.constant(0);
  if (O.Walk >= 0) {
    Expr Place = C.constant(0);
    double Below = 1;
    for (unsigned D = 0; D < 3; ++D)
      if (O.Sharing & (1u << D)) {
        Place = Place + C.parameter(Coordinates[D]) * Below;
        Below *= double(A.L.Block[D]);
      }
    Expr Own = C.mod(Place, C.constant(O.Iterations));
    Replaced[Kernel.Loops[O.Walk].Counter] = Chunk * O.Iterations + Own;
  }
  return C.substitute(Kernel.Accesses[Load].Address, Replaced);
}

/// A basic block that loads one round of every tile and stores it, between two
/// barriers.
void TileSearch::addFill(KernelModel &M, ArrayRef<TiledObject> Objects,
                         Expr Chunk) const {
  BasicBlock Fill;
  Fill.FirstOp = M.Operations.size();
  Fill.Active = C.constant(1);
  auto Op = [&](OpClass Class, std::optional<unsigned> Access,
                std::vector<Operand> Operands) {
    Operation O;
    O.Class = Class;
    if (Access)
      O.Effect = PerformedAccess{*Access};
    O.Operands = std::move(Operands);
    M.Operations.push_back(std::move(O));
    return static_cast<unsigned>(M.Operations.size() - 1);
  };
  for (const TiledObject &O : Objects) {
    unsigned Width = Kernel.Accesses[O.Loads[0]].BytesPerThread;
    double Threads = double(A.L.threadsPerBlock());
    auto Rounds =
        unsigned(std::max(1.0, std::ceil(O.Elements * O.Iterations / Threads)));
    for (unsigned R = 0; R < Rounds; ++R) {
      // Further rounds load the border of the tile, next to the elements of the
      // first round.
      unsigned Load =
          O.Loads[size_t(R) * (O.Loads.size() - 1) / std::max(1u, Rounds - 1)];
      MemoryAccess FillLoad = Kernel.Accesses[Load];
      FillLoad.Address = fillAddress(O, Load, Chunk);
      FillLoad.Block = M.Blocks.size();
      MemoryAccess FillStore = FillLoad;
      FillStore.Space = MemorySpace::Shared;
      FillStore.Kind = AccessKind::Store;
      FillStore.Base = "tile of " + O.Base;
      FillStore.BaseArgument.reset();
      FillStore.Address = A.thread() * double(Width);
      M.Accesses.push_back(std::move(FillLoad));
      unsigned Loaded = Op(OpClass::LoadGlobal, M.Accesses.size() - 1, {});
      M.Accesses.push_back(std::move(FillStore));
      Op(OpClass::StoreShared, M.Accesses.size() - 1, {{Loaded, false}});
    }
    M.Res.StaticSharedBytes += uint64_t(O.Elements * O.Iterations * Width);
  }
  Op(OpClass::Barrier, std::nullopt, {});
  Op(OpClass::Barrier, std::nullopt, {});
  Fill.EndOp = M.Operations.size();
  M.Blocks.push_back(std::move(Fill));
}

/// Inserts Fill before the loop, or the block, that reads the tile.
void TileSearch::place(KernelModel &M, const TiledObject &O,
                       RegionNode Fill) const {
  RegionNode Reader;
  Reader.Index = Kernel.Accesses[O.Loads[0]].Block;
  int Outermost = O.Walk >= 0         ? O.Walk
                  : O.Windows.empty() ? -1
                                      : static_cast<int>(O.Windows.back());
  std::vector<RegionNode> *Body = &M.Body;
  if (Outermost >= 0) {
    Reader = {RegionNode::IsLoop, static_cast<unsigned>(Outermost)};
    if (Kernel.Loops[Outermost].Parent >= 0)
      Body = &M.Loops[Kernel.Loops[Outermost].Parent].Body;
  } else if (auto Around = A.loopsAround(Reader.Index); !Around.empty()) {
    Body = &M.Loops[Around[0]].Body;
  }
  auto Position = find_if(*Body, [&](const RegionNode &I) {
    return I.Kind == Reader.Kind && I.Index == Reader.Index;
  });
  Body->insert(Position, Fill);
}

/// The kernel with tiles of all Objects, whose loads are in one loop body.
std::optional<KernelModel>
TileSearch::tiled(ArrayRef<TiledObject> Objects) const {
  KernelModel M = Kernel;
  const TiledObject &First = Objects.front();
  RegionNode Fill;
  Fill.Index = M.Blocks.size();
  if (First.Walk < 0) {
    addFill(M, Objects, C.constant(0));
    place(M, First, Fill);
  } else {
    Loop Chunks;
    Chunks.Counter = "chunk of " + First.Base;
    addFill(M, Objects, C.parameter(Chunks.Counter));
    const Loop &Walk = Kernel.Loops[First.Walk];
    Chunks.TripCount = C.ceilDiv(Walk.TripCount, C.constant(First.Iterations));
    Chunks.Active = Walk.Active;
    Chunks.WarpUniform = Walk.WarpUniform;
    Chunks.Parent = Walk.Parent;
    Chunks.Location = Walk.Location;
    Chunks.Body = {Fill};
    M.Loops.push_back(std::move(Chunks));
    place(M, First,
          {RegionNode::IsLoop, static_cast<unsigned>(M.Loops.size() - 1)});
  }
  for (const TiledObject &O : Objects)
    for (unsigned Load : O.Loads) {
      MemoryAccess &Access = M.Accesses[Load];
      bool Uniform = !Access.Address.dependsOn(Coordinates[0]) &&
                     A.L.Block[0] % A.Gpu.WarpSize == 0;
      Access.Space = MemorySpace::Shared;
      Access.Base = "tile of " + O.Base;
      Access.BaseArgument.reset();
      Access.ReadOnly = false;
      Access.Address =
          Uniform ? C.constant(0) : A.thread() * double(Access.BytesPerThread);
      for (Operation &Op : M.Operations)
        if (Op.access() == Load)
          Op.Class = OpClass::LoadShared;
    }
  if (M.Res.StaticSharedBytes > A.Gpu.SharedPerBlockDefault.value() ||
      !checkConsistency(M).empty())
    return std::nullopt;
  return M;
}

void TileSearch::run() {
  std::vector<TiledObject> Objects = objects();
  erase_if(Objects, [&](TiledObject &O) { return !describe(O); });
  stable_sort(Objects, [](const TiledObject &X, const TiledObject &Y) {
    return X.Sectors > Y.Sectors;
  });
  // Objects with a common walk are tiled together.
  for (unsigned Tried = 0; !Objects.empty() && Tried < Advisor::MaxTried;
       ++Tried) {
    std::vector<TiledObject> Together, Separate;
    const TiledObject First = Objects.front();
    for (TiledObject &O : Objects)
      (O.Walk == First.Walk && (O.Walk >= 0 || O.Base == First.Base) ? Together
                                                                     : Separate)
          .push_back(std::move(O));
    Objects = std::move(Separate);
    // The tiles share their barriers, so the smallest number of iterations
    // counts.
    double Iterations = First.Iterations;
    for (const TiledObject &O : Together)
      Iterations = std::min(Iterations, O.Iterations);
    std::string Problem = "threads of a block load", Names;
    ListSeparator And(" and"), Comma(" and ");
    for (TiledObject &O : Together) {
      O.Iterations = Iterations;
      Problem += std::string(StringRef(And)) + " each element of '" + O.Base +
                 "' " + formatRatio(O.Ratio) + " times";
      Names += std::string(StringRef(Comma)) + "'" + O.Base + "'";
    }
    std::optional<KernelModel> Changed = tiled(Together);
    std::optional<Prediction> Result =
        Changed ? A.tryOut(*Changed) : std::nullopt;
    std::optional<double> Gain = A.gain(Result);
    // Only a gain makes a finding: caches may serve the repeated loads as well.
    if (Gain && *Gain >= MinimumGain)
      A.add({"redundant-load", "redundant-load",
             Kernel.Accesses[Together[0].Loads[0]].Location, Problem,
             "load tiles of " + Names +
                 " into shared memory once per block, and read them there",
             Gain, A.energyGain(Result)});
  }
}

void findRedundantLoads(Advisor &A) {
  if (A.Base.Accesses.size() >= A.Kernel.Accesses.size())
    TileSearch(A).run();
}

} // namespace gpuestimate
