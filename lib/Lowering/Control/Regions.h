/// \file
/// The tree of loops over blocks in execution order, and in what share of the
/// enclosing body's executions each of them runs.
///
/// A body is an acyclic graph of blocks and collapsed inner loops. A node's
/// share is the sum over its predecessors of their share times that of the
/// edge, unless every way from its immediate dominator leads through it: then
/// it has the dominator's share, so that what follows an if/else is plain 1.
#ifndef GPU_ESTIMATE_LIB_LOWERING_CONTROL_REGIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_CONTROL_REGIONS_H

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
  /// The ways from a block on: edges that stay in the body and that leave it,
  /// and the successor that leads to each node.
  struct Leaving {
    unsigned Inside = 0, Outside = 0;
    llvm::DenseMap<Node, const llvm::BasicBlock *> Target;
  };
  struct Graph {
    const llvm::Loop *L = nullptr;
    llvm::MapVector<
        Node, llvm::SmallVector<std::pair<const llvm::BasicBlock *, Node>>>
        Edges;
    std::vector<Node> Order; ///< reverse post-order
    llvm::DenseMap<Node, unsigned> Position;
    llvm::DenseMap<Node, Leaving> Ways;
    /// By position: the next node that every way to the end of the body comes
    /// through, the number of nodes if none does. Ways into a trap do not
    /// count. Only found where no edge leads back in Order.
    std::vector<unsigned> PostDominator;
    bool HasRetreat = false; ///< an edge leads back: a cycle that is no loop
    llvm::DenseMap<Node, Expr> Active;
    /// The branch that a node's share comes from, for diagnostics.
    llvm::DenseMap<Node, SourceLocation> Condition;
  };
  Node nodeOf(const llvm::BasicBlock *BB, const llvm::Loop *L) const;
  const llvm::Loop *collapsed(Node N, const llvm::Loop *L) const;
  void order(Graph &G, Node Entry);
  void shares(Graph &G);
  void findPostDominators(Graph &G);
  Expr edgeShare(Graph &G, Node From, Node To);
  Expr sumOf(llvm::ArrayRef<Expr> Terms);
  /// Where a collapsed loop leads to, and the end of the block from which it
  /// first leads there.
  struct LoopExits {
    llvm::SmallSetVector<Node, 2> Targets;
    llvm::SmallVector<const llvm::Instruction *, 2> Ends;
  };
  const LoopExits &exitsOf(const Graph &G, Node Header);
  Expr loopExitShare(const Graph &G, Node Header, Node To);
  /// Does every way from From on, but into a trap, lead through To?
  bool allWaysLeadTo(const Graph &G, Node From, Node To) const;
  /// The slow answer, by a search, where cycles are no loops.
  bool allWaysLeadAround(const Graph &G, Node From, Node To) const;
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
  llvm::DenseMap<Node, LoopExits> Exits; ///< by header
  bool Irreducible = false;
};

} // namespace gpuestimate

#endif
