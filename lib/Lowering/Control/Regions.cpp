#include "Regions.h"

#include "Lowering/Pipeline/WholeUnrolling.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gpuestimate {

void Regions::nameLoops() {
  llvm::StringMap<unsigned> Count;
  for (const llvm::Loop *L : A.LI.getLoopsInPreorder()) {
    SourceLocation Location = locate(L->getStartLoc());
    if (!Location.isValid())
      Location = locate(*L->getHeader()->getTerminator());
    std::string Name = "iter@" + Location.brief();
    if (unsigned N = ++Count[Name]; N > 1)
      Name += "#" + std::to_string(N);
    LoopIndex[L] = Model.Loops.size();
    Loop &ModelLoop = Model.Loops.emplace_back();
    ModelLoop.Counter = Name;
    ModelLoop.Location = Location;
    ModelLoop.Parent = L->getParentLoop()
                           ? static_cast<int>(LoopIndex[L->getParentLoop()])
                           : -1;
    V.setCounterName(L, Name);
    Ctx.assumeRange(Name, {0, 9007199254740992.0});
  }
}

Regions::Node Regions::nodeOf(const llvm::BasicBlock *BB,
                              const llvm::Loop *L) const {
  const llvm::Loop *Ancestor = A.LI.getLoopFor(BB);
  if (Ancestor == L)
    return BB;
  while (Ancestor && Ancestor->getParentLoop() != L)
    Ancestor = Ancestor->getParentLoop();
  return Ancestor ? Ancestor->getHeader() : nullptr; // null: outside of L
}

const llvm::Loop *Regions::collapsed(Node N, const llvm::Loop *L) const {
  const llvm::Loop *Inner = A.LI.getLoopFor(N);
  return Inner == L ? nullptr : Inner;
}

void Regions::order(Graph &G, Node Entry) {
  // Iterative depth-first search: kernels may have thousands of blocks.
  llvm::SmallPtrSet<Node, 32> Seen;
  std::vector<std::pair<Node, unsigned>> Stack;
  std::vector<Node> PostOrder;
  auto Visit = [&](Node N) {
    Seen.insert(N);
    Stack.push_back({N, 0});
    auto &Edges = G.Edges[N];
    llvm::SmallDenseSet<std::pair<const llvm::BasicBlock *, Node>> Added;
    llvm::SmallVector<const llvm::BasicBlock *> Sources;
    if (const llvm::Loop *Inner = collapsed(N, G.L)) {
      llvm::SmallVector<llvm::BasicBlock *> Exiting;
      Inner->getExitingBlocks(Exiting);
      Sources.append(Exiting.begin(), Exiting.end());
    } else {
      Sources.push_back(N);
    }
    for (const llvm::BasicBlock *BB : Sources)
      for (const llvm::BasicBlock *S : llvm::successors(BB)) {
        Node To = nodeOf(S, G.L);
        if (!To || To == N || (G.L && S == G.L->getHeader()))
          continue; // leaves the body, stays in the inner loop, or starts over
        spendWork();
        if (Added.insert({BB, To}).second)
          Edges.push_back({BB, To});
      }
  };
  Visit(Entry);
  while (!Stack.empty()) {
    auto &[N, Next] = Stack.back();
    auto &Edges = G.Edges[N];
    if (Next == Edges.size()) {
      PostOrder.push_back(N);
      Stack.pop_back();
      continue;
    }
    Node To = Edges[Next++].second;
    if (!Seen.contains(To))
      Visit(To);
  }
  G.Order.assign(PostOrder.rbegin(), PostOrder.rend());
  for (unsigned I = 0; I < G.Order.size(); ++I)
    G.Position[G.Order[I]] = I;
}

const Regions::LoopExits &Regions::exitsOf(const Graph &G, Node Header) {
  auto [Entry, IsNew] = Exits.try_emplace(Header);
  if (!IsNew)
    return Entry->second;
  // The exit that a loop takes is assumed to depend on data.
  LoopExits &E = Entry->second;
  for (const auto &[Exiting, Target] : G.Edges.find(Header)->second)
    if (spendWork() && !E.Targets.contains(Target) && !endsInTrap(*Target)) {
      E.Targets.insert(Target);
      E.Ends.push_back(Exiting->getTerminator());
    }
  return E;
}

Expr Regions::loopExitShare(const Graph &G, Node Header, Node To) {
  const LoopExits &E = exitsOf(G, Header);
  const auto &Targets = E.Targets;
  if (Targets.empty())
    return Ctx.constant(G.Edges.find(Header)->second.front().second == To);
  if (!Targets.contains(To))
    return Ctx.constant(0);
  if (Targets.size() == 1)
    return Ctx.constant(1);
  auto Share = [&](size_t N) {
    return C.exitShare(E.Ends[N], Targets.size(), Targets[N], Header);
  };
  if (To != Targets.back())
    return Share(llvm::find(Targets, To) - Targets.begin());
  // The share of the last target is one minus the others.
  llvm::SmallVector<Expr> Terms{Ctx.constant(1)};
  for (size_t N = 0; N + 1 < Targets.size(); ++N)
    Terms.push_back(-1.0 * Share(N));
  return Ctx.add(Terms);
}

Expr Regions::edgeShare(Graph &G, Node From, Node To) {
  if (collapsed(From, G.L))
    return loopExitShare(G, From, To);
  auto [Entry, IsNew] = G.Ways.try_emplace(From);
  Leaving &Ways = Entry->second;
  if (IsNew)
    for (const llvm::BasicBlock *S : llvm::successors(From)) {
      (G.L && !G.L->contains(S) ? Ways.Outside : Ways.Inside) += 1;
      Ways.Target[nodeOf(S, G.L)] = S;
    }
  // The trip count, not the shares, accounts for exits of the loop.
  if (Ways.Outside && Ways.Inside == 1)
    return Ctx.constant(1);
  return C.edge(From, Ways.Target.lookup(To));
}

void Regions::findPostDominators(Graph &G) {
  unsigned End = G.Order.size();
  G.PostDominator.assign(End, End);
  for (unsigned Index = End; Index-- > 0;) {
    Node N = G.Order[Index];
    // A back edge ends the iteration.
    if (G.L && !collapsed(N, G.L) &&
        llvm::is_contained(llvm::successors(N), G.L->getHeader()))
      continue;
    std::optional<unsigned> Common;
    for (const auto &[BB, Next] : G.Edges[N]) {
      if (!spendWork())
        return;
      if (endsInTrap(*Next))
        continue;
      unsigned To = G.Position.lookup(Next);
      G.HasRetreat = G.HasRetreat || To <= Index;
      if (G.HasRetreat)
        return;
      while (Common && *Common != To && spendWork())
        (*Common < To ? *Common : To) = G.PostDominator[std::min(*Common, To)];
      Common = To;
    }
    if (Common)
      G.PostDominator[Index] = *Common;
  }
}

bool Regions::postDominates(const Graph &G, Node From, Node To) const {
  if (G.HasRetreat)
    return postDominatesBySearch(G, From, To);
  unsigned Index = G.Position.lookup(From), Wanted = G.Position.lookup(To);
  while (Index < Wanted && spendWork())
    Index = G.PostDominator[Index];
  return Index == Wanted;
}

bool Regions::postDominatesBySearch(const Graph &G, Node From, Node To) const {
  llvm::SmallPtrSet<Node, 16> Seen;
  llvm::SmallVector<Node> Work{From};
  while (!Work.empty()) {
    Node N = Work.pop_back_val();
    if (N == To || !Seen.insert(N).second)
      continue;
    if (!spendWork())
      return false;
    // A node after To in order means that To was bypassed.
    if (G.Position.lookup(N) > G.Position.lookup(To))
      return false;
    const auto &Edges = G.Edges.find(N)->second;
    bool HasSuccessor = false;
    for (const auto &[BB, Next] : Edges) {
      if (endsInTrap(*Next))
        continue;
      HasSuccessor = true;
      Work.push_back(Next);
    }
    if (!HasSuccessor)
      return false; // the end of the body, or of the kernel
    // A back edge ends the iteration without To.
    if (G.L && !collapsed(N, G.L) &&
        llvm::is_contained(llvm::successors(N), G.L->getHeader()))
      return false;
  }
  return true;
}

Expr Regions::sumOf(llvm::ArrayRef<Expr> Terms) {
  // Pairwise addition simplifies the sum; for many terms it takes too long.
  constexpr size_t MaxPairwise = 24;
  Expr Sum = Ctx.constant(0);
  for (Expr Term : Terms.take_front(MaxPairwise))
    Sum = Sum + Term;
  if (Terms.size() <= MaxPairwise)
    return Sum;
  llvm::SmallVector<Expr> Summands{Sum};
  llvm::append_range(Summands, Terms.drop_front(MaxPairwise));
  return Ctx.add(Summands);
}

void Regions::computeShares(Graph &G) {
  llvm::DenseMap<Node, llvm::SmallVector<Node>> Predecessors;
  for (Node N : G.Order)
    for (const auto &[BB, To] : G.Edges[N])
      if (auto &Preds = Predecessors[To]; Preds.empty() || Preds.back() != N)
        Preds.push_back(N);
  findPostDominators(G);

  for (Node N : G.Order) {
    if (N == G.Order.front() || !spendWork()) {
      G.Active[N] = Ctx.constant(1);
      continue;
    }
    Node IDom = nullptr;
    if (const auto *TreeNode = A.DT.getNode(N); TreeNode && TreeNode->getIDom())
      IDom = nodeOf(TreeNode->getIDom()->getBlock(), G.L);
    if (IDom && IDom != N && G.Active.contains(IDom) &&
        postDominates(G, IDom, N)) {
      // Copies: a new entry may move the others.
      G.Active[N] = G.Active.lookup(IDom);
      G.Condition[N] = G.Condition.lookup(IDom);
      continue;
    }
    llvm::SmallVector<Expr> Terms;
    for (Node P : Predecessors[N]) {
      spendWork();
      if (!G.Active.contains(P)) {
        Irreducible = true; // an irreducible cycle
        continue;
      }
      Expr Share = edgeShare(G, P, N);
      Terms.push_back(G.Active.lookup(P) * Share);
      if (!Share.isConstant(1))
        G.Condition[N] = locate(*P->getTerminator());
      else if (!G.Condition.contains(N))
        G.Condition[N] = G.Condition.lookup(P);
    }
    G.Active[N] = sumOf(Terms);
  }
}

bool Regions::warpUniform(Expr Active) {
  return Names.contains(Active) && !Names.laneVarying(Active);
}

unsigned Regions::unrollCount(const llvm::Loop *L) const {
  if (const llvm::MDNode *Id = L->getLoopID())
    for (unsigned I = 1; I < Id->getNumOperands(); ++I) {
      const auto *Entry = llvm::dyn_cast<llvm::MDNode>(Id->getOperand(I));
      const auto *Name =
          Entry && Entry->getNumOperands()
              ? llvm::dyn_cast<llvm::MDString>(Entry->getOperand(0))
              : nullptr;
      if (!Name)
        continue;
      if (Name->getString() == "llvm.loop.unroll.disable")
        return 1;
      if (Name->getString() == "llvm.loop.unroll.count" &&
          Entry->getNumOperands() > 1)
        if (const auto *Count = llvm::mdconst::dyn_extract<llvm::ConstantInt>(
                Entry->getOperand(1)))
          return std::max<uint64_t>(
              1, std::min<uint64_t>(Count->getZExtValue(), 1024));
    }
  return 0;
}

void Regions::noteRefusedUnrolling(const llvm::Loop &L, const Loop &ModelLoop) {
  std::optional<double> Trips = ModelLoop.TripCount.asConstant();
  if (!Trips || *Trips <= 1 || !hasUnrollPragma(L))
    return;
  Unknown U;
  U.Location = ModelLoop.Location;
  U.What = "copies of the body of the loop at " + U.Location.brief();
  U.Why = "the source wants it unrolled, but its iterations are more than "
          "compilers lay out, or a loop inside stays one";
  U.Default = 1;
  Names.note(std::move(U));
}

void Regions::fill(const llvm::Loop *L, Node Entry,
                   std::vector<RegionNode> &Body) {
  Graph G;
  G.L = L;
  order(G, Entry);
  computeShares(G);
  for (Node N : G.Order) {
    Expr Active = G.Active[N];
    if (const llvm::Loop *Inner = collapsed(N, L)) {
      unsigned Index = LoopIndex[Inner];
      Body.push_back({RegionNode::IsLoop, Index});
      Model.Loops[Index].TripCount = Trips.of(Inner);
      Model.Loops[Index].Active = Active;
      Model.Loops[Index].WarpUniform = warpUniform(Active);
      Model.Loops[Index].Unroll = unrollCount(Inner);
      noteRefusedUnrolling(*Inner, Model.Loops[Index]);
      std::vector<RegionNode> InnerBody;
      fill(Inner, Inner->getHeader(), InnerBody);
      Model.Loops[Index].Body = std::move(InnerBody);
      continue;
    }
    BlockIndex[N] = Model.Blocks.size();
    Body.push_back(
        {RegionNode::IsBlock, static_cast<unsigned>(Model.Blocks.size())});
    BasicBlock &B = Model.Blocks.emplace_back();
    B.Active = Active;
    B.WarpUniform = warpUniform(Active);
    B.Condition = G.Condition.lookup(N);
  }
}

void Regions::build() {
  fill(nullptr, &F.getEntryBlock(), Model.Body);
  if (Irreducible) {
    Unknown U;
    U.What = "control flow with a cycle that is no loop";
    U.Why = "jumps into the middle of a loop; its blocks count once";
    U.Location = Model.Location;
    Names.note(std::move(U));
  }
}

} // namespace gpuestimate
