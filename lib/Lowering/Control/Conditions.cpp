#include "Conditions.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ProfDataUtils.h"

namespace gpuestimate {

using namespace llvm::PatternMatch;

Expr Conditions::condition(const llvm::Value *Cond) {
  // Operands first, with a work list: a chain of && may be of any length.
  llvm::SmallVector<const llvm::Value *> Work{Cond};
  while (!Work.empty()) {
    const llvm::Value *Current = Work.back();
    if (Memo.contains(Current)) {
      Work.pop_back();
      continue;
    }
    spendWork();
    Expr E = V.of(Current);
    std::optional<Parts> P;
    if (Names.contains(E))
      P = partsOf(Current);
    if (P && P->R && !Memo.contains(P->R) && !workExhausted()) {
      Work.push_back(P->R);
      continue;
    }
    if (P && !Memo.contains(P->L) && !workExhausted()) {
      Work.push_back(P->L);
      continue;
    }
    // Computed before the insertion: single() may insert other entries.
    Expr Result = P && !workExhausted() ? combined(*P) : single(Current, E);
    Memo[Current] = Result;
  }
  return Memo.lookup(Cond);
}

/// Splitting keeps the closed form of one operand: i < n && x[i] > 0.
std::optional<Conditions::Parts>
Conditions::partsOf(const llvm::Value *Cond) const {
  const llvm::Value *L, *R;
  if (match(Cond, m_LogicalAnd(m_Value(L), m_Value(R))))
    return Parts{Parts::And, L, R};
  if (match(Cond, m_LogicalOr(m_Value(L), m_Value(R))))
    return Parts{Parts::Or, L, R};
  if (match(Cond, m_Not(m_Value(L))))
    return Parts{Parts::Not, L, nullptr};
  return std::nullopt;
}

Expr Conditions::combined(const Parts &P) const {
  Expr L = Memo.lookup(P.L);
  switch (P.Kind) {
  case Parts::And:
    return L * Memo.lookup(P.R);
  case Parts::Or:
    return 1.0 - (1.0 - L) * (1.0 - Memo.lookup(P.R));
  case Parts::Not:
    break;
  }
  return 1.0 - L;
}

Expr Conditions::single(const llvm::Value *Cond, Expr E) {
  if (!Names.contains(E)) {
    // A share lies in [0, 1]; an i1 from other arithmetic may not.
    if (E.range().Low >= 0 && E.range().High <= 1)
      return E;
    // A bool argument is true for every number but 0.
    if (llvm::isa<llvm::Argument>(Cond))
      return Ctx.notEqual(E, Ctx.constant(0));
  }
  return leaf(Cond);
}

Expr Conditions::leaf(const llvm::Value *Cond) {
  // A condition and its opposite share one unknown p: the opposite is 1 - p.
  if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Cond)) {
    llvm::CmpInst::Predicate P = C->getPredicate();
    bool Opposite =
        P == llvm::CmpInst::ICMP_NE || P == llvm::CmpInst::FCMP_UNE ||
        P == llvm::CmpInst::FCMP_ONE || P == llvm::CmpInst::ICMP_SGE ||
        P == llvm::CmpInst::ICMP_UGE || P == llvm::CmpInst::ICMP_SLE ||
        P == llvm::CmpInst::ICMP_ULE;
    return Opposite ? 1.0 - named(Cond, true) : named(Cond, false);
  }
  return named(Cond, false);
}

/// The relation as an operator of C, without signedness and NaN.
static std::string relation(llvm::CmpInst::Predicate P) {
  using llvm::CmpInst;
  switch (P) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return "==";
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    return "!=";
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return "<";
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
    return "<=";
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return ">";
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    return ">=";
  default:
    return "?";
  }
}

Expr Conditions::named(const llvm::Value *Cond, bool Opposite) {
  Likelihood Guess = likelihood(Cond);
  Unknown U;
  U.Kind = Unknown::BranchProbability;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Cond);
  if (I)
    U.Location = locate(*I);
  if (!U.Location.isValid() && User)
    U.Location = locate(*User);
  bool LaneVarying = A.UI.isDivergent(Cond);
  std::string Key;
  if (I && U.Location.isValid()) {
    const auto *C = llvm::dyn_cast<llvm::CmpInst>(I);
    unsigned Form =
        !C ? 0 : 1 + (Opposite ? C->getInversePredicate() : C->getPredicate());
    Key = U.Location.File + ":" + std::to_string(U.Location.Line) + ":" +
          std::to_string(U.Location.Column) + ":" +
          std::to_string(I->getOpcode()) + ":" + std::to_string(Form) +
          (LaneVarying ? "v" : "u");
    if (auto Entry = ByPlace.find(Key); Entry != ByPlace.end()) {
      Names.addOrigin(Entry->second, {Cond, Opposite, nullptr, nullptr});
      return Entry->second;
    }
  }
  U.What = "share of threads for which the condition at " + U.Location.brief() +
           " holds";
  U.Why = std::string("it depends on data; ") + Guess.Why;
  U.Default = Opposite ? 1 - Guess.Probability : Guess.Probability;
  U.LaneVarying = LaneVarying;
  if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Cond))
    U.Relation =
        relation(Opposite ? C->getInversePredicate() : C->getPredicate());
  Expr E = Names.add(std::move(U), Cond);
  Names.addOrigin(E, {Cond, Opposite, nullptr, nullptr});
  if (!Key.empty())
    ByPlace[Key] = E;
  return E;
}

const llvm::Loop *
Conditions::guardedLoop(const llvm::BranchInst &Branch) const {
  const auto *Guard = llvm::dyn_cast<llvm::Instruction>(Branch.getCondition());
  for (const llvm::BasicBlock *S : Branch.successors()) {
    const llvm::BasicBlock *Header = S;
    const llvm::Loop *L = A.LI.getLoopFor(S);
    if (!L || L->getHeader() != S || L->contains(&Branch)) {
      Header = S->getSingleSuccessor();
      L = Header && S->getSinglePredecessor() ? A.LI.getLoopFor(Header)
                                              : nullptr;
    }
    if (!Guard || !L || L->getHeader() != Header || L->contains(&Branch))
      continue;
    // Loop rotation copies the loop's own test, with its source line, in front
    // of the loop.
    llvm::SmallVector<llvm::BasicBlock *> Exiting;
    L->getExitingBlocks(Exiting);
    for (const llvm::BasicBlock *E : Exiting) {
      const auto *Exit = llvm::dyn_cast<llvm::BranchInst>(E->getTerminator());
      const auto *Test =
          Exit && Exit->isConditional()
              ? llvm::dyn_cast<llvm::Instruction>(Exit->getCondition())
              : nullptr;
      if (Test && Test->getDebugLoc() && Guard->getDebugLoc() &&
          Test->getDebugLoc().getLine() == Guard->getDebugLoc().getLine() &&
          Test->getDebugLoc().getCol() == Guard->getDebugLoc().getCol())
        return L;
    }
  }
  return nullptr;
}

Expr Conditions::unknownShare(const llvm::Instruction &At, double Default,
                              const std::string &What, const std::string &Why,
                              const UnknownOrigin &Origin) {
  Unknown U;
  U.Kind = Unknown::BranchProbability;
  U.Location = locate(At);
  U.What = What + " at " + U.Location.brief();
  U.Why = Why;
  U.Default = Default;
  U.LaneVarying = A.UI.isDivergent(&At);
  Expr E = Names.add(std::move(U), &At);
  Names.addOrigin(E, Origin);
  return E;
}

Expr Conditions::exitShare(const llvm::Instruction *End, unsigned Ways,
                           const llvm::BasicBlock *To,
                           const llvm::BasicBlock *Header) {
  Expr &Share = Memo[End];
  if (!Share)
    Share = unknownShare(
        *End, 1.0 / Ways, "share of threads that leave the loop by the exit",
        "the loop has several exits; each is taken to be as likely",
        {End, false, To, Header});
  return Share;
}

Conditions::Way &Conditions::waysFrom(const llvm::BasicBlock *From) {
  auto [Entry, IsNew] = Ways.try_emplace(From, nullptr);
  if (!IsNew)
    return *Entry->second;
  auto W = std::make_unique<Way>();
  // Successors that trap are never taken; a single other one is always taken.
  for (const llvm::BasicBlock *S : llvm::successors(From))
    if (spendWork() && !W->Alive.contains(S) && !endsInTrap(*S))
      W->Alive.insert(S);
  return *(Ways[From] = std::move(W));
}

/// Computes the conditions of all successors of a switch on a closed form.
void Conditions::decideSwitch(const llvm::SwitchInst &Switch, Expr On, Way &W) {
  // In the order of the cases, so that the expressions are deterministic.
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<Expr, 1>> TermsOf;
  llvm::SmallVector<Expr> DefaultTerms{Ctx.constant(1)};
  for (const auto &Case : Switch.cases()) {
    spendWork();
    Expr IsCase = Ctx.equal(On, V.of(Case.getCaseValue()));
    DefaultTerms.push_back(-1.0 * IsCase);
    TermsOf[Case.getCaseSuccessor()].push_back(IsCase);
  }
  TermsOf[Switch.getDefaultDest()].push_back(Ctx.add(DefaultTerms));
  for (const auto &[To, Terms] : TermsOf)
    W.Decided[To] = Ctx.add(Terms);
}

Expr Conditions::edge(const llvm::BasicBlock *From,
                      const llvm::BasicBlock *To) {
  const llvm::Instruction *End = From->getTerminator();
  Expr One = Ctx.constant(1), Zero = Ctx.constant(0);
  if (End->getNumSuccessors() == 1)
    return One;
  Way &W = waysFrom(From);
  const auto &Alive = W.Alive;
  if (Alive.size() < 2)
    return Alive.empty() || Alive[0] == To ? One : Zero;
  if (!Alive.contains(To))
    return Zero;

  User = End;
  if (const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(End)) {
    uint64_t True, False;
    bool ToTrue = Branch->getSuccessor(0) == To;
    Expr C = V.of(Branch->getCondition());
    if (Names.contains(C))
      if (const llvm::Loop *L = guardedLoop(*Branch)) {
        const llvm::BasicBlock *Next = To->getSingleSuccessor();
        bool Enters = L->contains(To) || (Next && L->contains(Next));
        Guards[L] = From;
        return Enters ? One : Zero;
      }
    if (Names.contains(C) && llvm::extractBranchWeights(*Branch, True, False) &&
        True + False > 0) {
      Expr &Cached = Memo[Branch];
      if (!Cached)
        Cached = unknownShare(
            *Branch,
            static_cast<double>(True) / static_cast<double>(True + False),
            "share of threads for which the condition holds",
            "it depends on data; the source says which side is expected",
            {Branch, false, Branch->getSuccessor(0), nullptr});
      return ToTrue ? Cached : 1.0 - Cached;
    }
    C = condition(Branch->getCondition());
    return ToTrue ? C : 1.0 - C;
  }
  if (const auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(End)) {
    Expr On = V.of(Switch->getCondition());
    if (!Names.contains(On)) {
      if (W.Decided.empty())
        decideSwitch(*Switch, On, W);
      return W.Decided.lookup(To);
    }
  }
  // A switch on data: all live successors are equally likely; the share of the
  // last one is one minus the others.
  auto Share = [&](const llvm::BasicBlock *S) {
    Expr &Cached =
        Memo[S == Alive.front() ? static_cast<const llvm::Value *>(End) : S];
    if (!Cached)
      Cached = unknownShare(
          *End, 1.0 / static_cast<double>(Alive.size()),
          "share of one case of the switch",
          "it depends on data; every case is taken to be as likely",
          {End, false, S, nullptr});
    return Cached;
  };
  if (To != Alive.back())
    return Share(To);
  llvm::SmallVector<Expr> Terms{One};
  for (const llvm::BasicBlock *S : Alive.getArrayRef().drop_back())
    Terms.push_back(-1.0 * Share(S));
  return Ctx.add(Terms);
}

} // namespace gpuestimate
