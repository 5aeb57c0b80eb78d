/// \file
/// The tree of loops over blocks in execution order, and in what share of the
/// enclosing body's executions each of them runs.
///
/// A body is an acyclic graph of blocks and collapsed inner loops. A node's
/// share is the sum over its predecessors of their share times that of the
/// edge, unless every way from its immediate dominator leads through it: then
/// it has the dominator's share, so that what follows an if/else is plain 1.
#ifndef GPU_ESTIMATE_LIB_EXTRACT_REGIONS_H
#define GPU_ESTIMATE_LIB_EXTRACT_REGIONS_H

#include "Conditions.h"
#include "TripCounts.h"
#include "llvm/ADT/MapVector.h"

namespace gpuestimate {

class Regions {
public:
  Regions(KernelAnalyses &A, Values &V, Conditions &C, TripCounts &Trips,
          Unknowns &Names, KernelModel &Model, llvm::Function &F)
      : A(A), V(V), C(C), Trips(Trips), Names(Names), Model(Model),
        Ctx(*Model.Context), F(F) {}

  /// Names the counters of all loops. Before any value is asked for.
  void nameLoops();
  /// Fills Model.Body, Blocks and Loops. Operations come later.
  void build();

  /// The reachable blocks in execution order, each with its model block.
  const llvm::MapVector<const llvm::BasicBlock *, unsigned> &blocks() const {
    return BlockIndex;
  }
  int loopIndex(const llvm::Loop *L) const {
    return L ? static_cast<int>(LoopIndex.lookup(L)) : -1;
  }

private:
  using Node =
      const llvm::BasicBlock *; ///< a block, or the header of a collapsed loop
  struct Graph {
    const llvm::Loop *L = nullptr;
    llvm::MapVector<
        Node, llvm::SmallVector<std::pair<const llvm::BasicBlock *, Node>>>
        Edges;
    std::vector<Node> Order; ///< reverse post-order
    llvm::DenseMap<Node, unsigned> Position;
    llvm::DenseMap<Node, Expr> Active;
    /// The branch that a node's share comes from, for diagnostics.
    llvm::DenseMap<Node, SourceLocation> Condition;
  };
  Node nodeOf(const llvm::BasicBlock *BB, const llvm::Loop *L) const;
  const llvm::Loop *collapsed(Node N, const llvm::Loop *L) const;
  void order(Graph &G, Node Entry);
  void shares(Graph &G);
  Expr edgeShare(const Graph &G, Node From, Node To);
  Expr loopExitShare(
      Node Header, Node To,
      llvm::ArrayRef<std::pair<const llvm::BasicBlock *, Node>> Edges);
  bool allWaysLeadTo(const Graph &G, Node From, Node To) const;
  void fill(const llvm::Loop *L, Node Entry, std::vector<Item> &Body);
  unsigned unrollCount(const llvm::Loop *L) const;
  /// Lists L, if the source wants it unrolled and it is still there.
  void noteRefusedUnrolling(const llvm::Loop &L, const Loop &Of);
  bool warpUniform(Expr Active);

  KernelAnalyses &A;
  Values &V;
  Conditions &C;
  TripCounts &Trips;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  llvm::Function &F;
  llvm::MapVector<const llvm::BasicBlock *, unsigned> BlockIndex;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopIndex;
  bool Irreducible = false;
};

} // namespace gpuestimate

#endif
