/// \file
/// The tree of loops over blocks in execution order, and in what share of the
/// enclosing body's executions each of them runs.
///
/// A body is an acyclic graph of blocks and collapsed inner loops. The share of
/// a node is the sum of share(predecessor) * share(edge). A node that
/// post-dominates its immediate dominator has the dominator's share, so that
/// the block after an if/else has the share 1.
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

  /// Names the counters of all loops; call before the first value.
  void nameLoops();
  /// Fills Model.Body, Blocks and Loops, without operations.
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
  /// Out-edges of a block: their numbers inside the body and out of it, and
  /// the successor that leads to each node.
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
    /// By position: the immediate post-dominator within the body, the number
    /// of nodes if there is none. Edges into a trap are ignored. Computed only
    /// where no edge retreats in Order.
    std::vector<unsigned> PostDominator;
    bool HasRetreat = false; ///< an edge goes back: an irreducible cycle
    llvm::DenseMap<Node, Expr> Active;
    /// The branch that decides a node's share, for diagnostics.
    llvm::DenseMap<Node, SourceLocation> Condition;
  };
  Node nodeOf(const llvm::BasicBlock *BB, const llvm::Loop *L) const;
  const llvm::Loop *collapsed(Node N, const llvm::Loop *L) const;
  void order(Graph &G, Node Entry);
  void computeShares(Graph &G);
  void findPostDominators(Graph &G);
  Expr edgeShare(Graph &G, Node From, Node To);
  Expr sumOf(llvm::ArrayRef<Expr> Terms);
  /// The exit targets of a collapsed loop, and the terminator of the first
  /// exiting block of each.
  struct LoopExits {
    llvm::SmallSetVector<Node, 2> Targets;
    llvm::SmallVector<const llvm::Instruction *, 2> Ends;
  };
  const LoopExits &exitsOf(const Graph &G, Node Header);
  Expr loopExitShare(const Graph &G, Node Header, Node To);
  /// Does To post-dominate From, edges into a trap aside?
  bool postDominates(const Graph &G, Node From, Node To) const;
  /// postDominates() by a search, for irreducible control flow.
  bool postDominatesBySearch(const Graph &G, Node From, Node To) const;
  void fill(const llvm::Loop *L, Node Entry, std::vector<RegionNode> &Body);
  unsigned unrollCount(const llvm::Loop *L) const;
  /// Lists L if the source demands that it is unrolled.
  void noteRefusedUnrolling(const llvm::Loop &L, const Loop &ModelLoop);
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
