#include "gpu-estimate/Model/Transform/SharedTile.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

namespace {

/// One load of a tiled array: strides of its address in bytes.
struct Patch {
  unsigned Access;
  Expr AlongLoop;         ///< per iteration
  std::string Thread;     ///< the coordinate that it also follows; "" none
  bool LoopIsFast = true; ///< the loop, not the thread, has unit stride
};

class Tiler {
public:
  Tiler(KernelModel &Kernel, llvm::ArrayRef<std::string> Arrays, unsigned Tile)
      : Kernel(Kernel), Arrays(Arrays), Tile(Tile), Ctx(*Kernel.Context) {}

  llvm::Error run();

private:
  llvm::Error findPatches();
  llvm::Error describe(unsigned Access);
  void splitLoop();
  void addFill();
  void readTiles();
  int innermostLoop(unsigned Block) const;
  Expr inChunk(Expr E) const;
  unsigned add(OpClass Class, std::optional<unsigned> Access,
               std::vector<Operand> Operands);
  unsigned addBlock(unsigned FirstOp);

  KernelModel &Kernel;
  llvm::ArrayRef<std::string> Arrays;
  unsigned Tile;
  ExprContext &Ctx;
  std::vector<Patch> Patches;
  int Walk = -1;       ///< the loop that is cut into stretches
  unsigned Chunks = 0; ///< the loop over the stretches
  std::string Counter, Chunk;
};

} // namespace

int Tiler::innermostLoop(unsigned Block) const {
  for (size_t L = 0; L < Kernel.Loops.size(); ++L)
    for (const RegionNode &I : Kernel.Loops[L].Body)
      if (I.Kind == RegionNode::IsBlock && I.Index == Block)
        return static_cast<int>(L);
  return -1;
}

llvm::Error Tiler::describe(unsigned Access) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  auto refuse = [&](const llvm::Twine &Why) {
    return llvm::createStringError("shared(" + A.Base + "): " + Why.str());
  };
  auto strideAlong = [&](llvm::StringRef Name) -> Expr {
    auto Terms = Ctx.polynomial(Ctx.expand(A.Address), Name, 1);
    return Terms ? (Terms->size() > 1 ? (*Terms)[1] : Ctx.constant(0)) : Expr();
  };
  int Loop = innermostLoop(A.Block);
  if (Loop < 0)
    return refuse("it is not read in a loop, whose iterations could share it");
  if (Walk >= 0 && Walk != Loop)
    return refuse("it is read in another loop than the arrays before it");
  Walk = Loop;
  Patch P;
  P.Access = Access;
  P.AlongLoop = strideAlong(Kernel.Loops[Loop].Counter);
  Expr X = strideAlong("threadIdx.x"), Y = strideAlong("threadIdx.y");
  if (!P.AlongLoop || !X || !Y)
    return refuse("its index is not affine");
  bool FollowsX = !X.isConstant(0), FollowsY = !Y.isConstant(0);
  if (P.AlongLoop.isConstant(0))
    return refuse("the loop around its load reads one element again and again");
  if (FollowsX && FollowsY)
    return refuse("every thread of a block reads elements of its own");
  if (FollowsX || FollowsY) {
    P.Thread = FollowsX ? "threadIdx.x" : "threadIdx.y";
    P.LoopIsFast = P.AlongLoop.isConstant(A.BytesPerThread);
    if (!P.LoopIsFast && !(FollowsX ? X : Y).isConstant(A.BytesPerThread))
      return refuse("no index of it has unit stride");
  }
  Patches.push_back(P);
  return llvm::Error::success();
}

llvm::Error Tiler::findPatches() {
  for (const std::string &Array : Arrays) {
    size_t Before = Patches.size();
    for (size_t I = 0; I < Kernel.Accesses.size(); ++I) {
      const MemoryAccess &A = Kernel.Accesses[I];
      if (A.Base == Array && A.Kind == AccessKind::Load && A.Address &&
          A.Space == MemorySpace::Global && innermostLoop(A.Block) >= 0)
        if (llvm::Error E = describe(static_cast<unsigned>(I)))
          return E;
    }
    if (Patches.size() == Before)
      return llvm::createStringError("shared(" + Array +
                                     "): no loop of the kernel reads it");
  }
  return llvm::Error::success();
}

/// Splits the counter of the tiled loop into tile and position in the tile.
Expr Tiler::inChunk(Expr E) const {
  if (!E)
    return E;
  llvm::StringMap<Expr> Replaced;
  Replaced[Counter] =
      Ctx.parameter(Chunk) * double(Tile) + Ctx.parameter(Counter);
  return Ctx.substitute(E, Replaced);
}

void Tiler::splitLoop() {
  Counter = Kernel.Loops[Walk].Counter;
  Chunk = "chunk of " + Counter;
  // Inner loops count from the beginning of the tile.
  std::vector<RegionNode> Inside = Kernel.Loops[Walk].Body;
  while (!Inside.empty()) {
    RegionNode I = Inside.back();
    Inside.pop_back();
    if (I.Kind == RegionNode::IsBlock) {
      BasicBlock &B = Kernel.Blocks[I.Index];
      B.Active = inChunk(B.Active);
      for (MemoryAccess &A : Kernel.Accesses)
        if (A.Block == I.Index)
          A.Address = inChunk(A.Address);
    } else {
      Loop &L = Kernel.Loops[I.Index];
      L.TripCount = inChunk(L.TripCount);
      L.Active = inChunk(L.Active);
      Inside.insert(Inside.end(), L.Body.begin(), L.Body.end());
    }
  }

  Loop Outer = Kernel.Loops[Walk];
  Chunks = static_cast<unsigned>(Kernel.Loops.size());
  Outer.Counter = Chunk;
  Outer.TripCount = Ctx.ceilDiv(Outer.TripCount, Ctx.constant(Tile));
  Outer.Unroll = 1;
  Outer.Body = {{RegionNode::IsLoop, static_cast<unsigned>(Walk)}};
  std::vector<RegionNode> &Around =
      Outer.Parent >= 0 ? Kernel.Loops[Outer.Parent].Body : Kernel.Body;
  for (RegionNode &I : Around)
    if (I.Kind == RegionNode::IsLoop && I.Index == static_cast<unsigned>(Walk))
      I.Index = Chunks;
  Kernel.Loops.push_back(std::move(Outer));
  Loop &Inner = Kernel.Loops[Walk];
  Inner.Parent = static_cast<int>(Chunks);
  Inner.TripCount =
      Ctx.min({Ctx.constant(Tile),
               Inner.TripCount - Ctx.parameter(Chunk) * double(Tile)});
  Inner.Active = Ctx.constant(1);
}

unsigned Tiler::add(OpClass Class, std::optional<unsigned> Access,
                    std::vector<Operand> Operands) {
  Operation O;
  O.Class = Class;
  if (Access)
    O.Effect = PerformedAccess{*Access};
  O.Location = Kernel.Loops[Walk].Location;
  O.Operands = std::move(Operands);
  Kernel.Operations.push_back(std::move(O));
  return static_cast<unsigned>(Kernel.Operations.size()) - 1;
}

unsigned Tiler::addBlock(unsigned FirstOp) {
  BasicBlock B;
  B.FirstOp = FirstOp;
  B.EndOp = static_cast<unsigned>(Kernel.Operations.size());
  B.Active = Ctx.constant(1);
  Kernel.Blocks.push_back(std::move(B));
  return static_cast<unsigned>(Kernel.Blocks.size()) - 1;
}

/// Adds the fill: each thread copies one element of each patch, then a barrier.
/// Another barrier after the tile keeps the next fill from overwriting elements
/// that are still read.
void Tiler::addFill() {
  Expr X = Ctx.parameter("threadIdx.x"), Y = Ctx.parameter("threadIdx.y");
  unsigned FirstOp = static_cast<unsigned>(Kernel.Operations.size());
  unsigned FillBlock = static_cast<unsigned>(Kernel.Blocks.size());
  std::vector<unsigned> Loaded;
  for (const Patch &P : Patches) {
    MemoryAccess Load = Kernel.Accesses[P.Access];
    llvm::StringMap<Expr> Replaced;
    Replaced[Counter] = P.Thread.empty() || P.LoopIsFast ? X : Y;
    if (!P.Thread.empty())
      Replaced[P.Thread] = P.LoopIsFast ? Y : X;
    Load.Address = Ctx.substitute(Load.Address, Replaced);
    Load.Block = FillBlock;
    Kernel.Accesses.push_back(std::move(Load));
    Loaded.push_back(add(OpClass::LoadGlobal, Kernel.Accesses.size() - 1, {}));
  }
  for (size_t I = 0; I < Patches.size(); ++I) {
    const Patch &P = Patches[I];
    MemoryAccess To = Kernel.Accesses[P.Access];
    To.Kind = AccessKind::Store;
    To.Space = MemorySpace::Shared;
    To.Base = "tile of " + To.Base;
    To.BaseArgument.reset();
    To.BaseBytes.reset();
    To.Address = (P.Thread.empty() ? X : Y * double(Tile) + X) *
                 double(To.BytesPerThread);
    To.Block = FillBlock;
    Kernel.Accesses.push_back(std::move(To));
    add(OpClass::StoreShared, Kernel.Accesses.size() - 1, {{Loaded[I], false}});
  }
  add(OpClass::Barrier, std::nullopt, {});
  addBlock(FirstOp);
  unsigned After = static_cast<unsigned>(Kernel.Operations.size());
  add(OpClass::Barrier, std::nullopt, {});
  unsigned AfterBlock = addBlock(After);
  std::vector<RegionNode> &Body = Kernel.Loops[Chunks].Body;
  Body.insert(Body.begin(), {RegionNode::IsBlock, FillBlock});
  Body.push_back({RegionNode::IsBlock, AfterBlock});
}

void Tiler::readTiles() {
  Expr Place = Ctx.parameter(Counter);
  for (const Patch &P : Patches) {
    MemoryAccess &A = Kernel.Accesses[P.Access];
    A.Space = MemorySpace::Shared;
    A.Base = "tile of " + A.Base;
    A.BaseArgument.reset();
    A.BaseBytes.reset();
    A.ReadOnly = false;
    double Width = A.BytesPerThread;
    if (P.Thread.empty()) {
      A.Address = Place * Width;
      Kernel.Res.StaticSharedBytes += Tile * A.BytesPerThread;
    } else {
      Expr Thread = Ctx.parameter(P.Thread);
      A.Address = P.LoopIsFast ? (Thread * double(Tile) + Place) * Width
                               : (Place * double(Tile) + Thread) * Width;
      Kernel.Res.StaticSharedBytes += uint64_t(Tile) * Tile * A.BytesPerThread;
    }
    for (Operation &O : Kernel.Operations)
      if (O.access() == P.Access)
        O.Class = OpClass::LoadShared;
  }
}

llvm::Error Tiler::run() {
  if (llvm::Error E = findPatches())
    return E;
  splitLoop();
  addFill();
  readTiles();
  if (std::string Problem = checkConsistency(Kernel); !Problem.empty())
    return llvm::createStringError("shared(): " + Problem);
  return llvm::Error::success();
}

llvm::Error tileIntoShared(KernelModel &Kernel,
                           llvm::ArrayRef<std::string> Arrays, unsigned Tile) {
  return Tiler(Kernel, Arrays, Tile).run();
}

} // namespace gpuestimate
