#include "Unknowns.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

namespace {

// A control character keeps private names apart from a user's parameters. A
// probability must start with "p(": the symbolic room knows it as a real.
constexpr llvm::StringLiteral PrivateValue = "\x02v";
constexpr llvm::StringLiteral PrivateProbability = "p(\x02";

/// Calls Visit on every expression of the model, by reference.
template <typename Function> void forEachExpr(KernelModel &M, Function Visit) {
  for (Loop &L : M.Loops) {
    Visit(L.TripCount);
    Visit(L.Active);
  }
  for (Block &B : M.Blocks)
    Visit(B.Active);
  for (MemoryAccess &A : M.Accesses)
    if (A.Address)
      Visit(A.Address);
}

} // namespace

llvm::StringRef stemOf(Unknown::KindType Kind) {
  switch (Kind) {
  case Unknown::TripCount:
    return "trip";
  case Unknown::BranchProbability:
    return "p(branch";
  case Unknown::LoadedValue:
    return "value";
  case Unknown::Call:
    return "call";
  case Unknown::Instruction:
    return "instruction";
  case Unknown::Other:
    return "value";
  }
  return "value";
}

std::string placeOf(const SourceLocation &Location) { return Location.brief(); }

Expr Unknowns::add(Unknown U, const llvm::Value *Source) {
  std::string Private =
      (U.Kind == Unknown::BranchProbability
           ? PrivateProbability.str() + std::to_string(Entries.size()) + ")"
           : PrivateValue.str() + std::to_string(Entries.size()));
  Index[Private] = Entries.size();
  Entries.push_back({std::move(U), Source, {}});
  if (Entries.back().U.Kind == Unknown::BranchProbability)
    Ctx.assumeRange(Private, {0, 1});
  return Ctx.parameter(Private);
}

void Unknowns::addPlace(Expr E, const UnknownPlace &Place) {
  auto At = Index.find(E.name());
  assert(At != Index.end() && "not an unknown");
  Entries[At->second].Places.push_back(Place);
}

void Unknowns::note(Unknown U) {
  std::string Key =
      U.Location.File + ":" + std::to_string(U.Location.Line) + ":" + U.What;
  if (Noted.insert(Key).second)
    Notes.push_back(std::move(U));
}

bool Unknowns::contains(Expr E) {
  auto [At, New] = ContainsMemo.try_emplace(E.node(), false);
  if (!New)
    return At->second;
  spendWork();
  bool Found = false;
  if (E.kind() == ExprKind::Parameter)
    Found = Index.contains(E.name());
  else
    for (Expr Operand : E.operands())
      Found = Found || contains(Operand);
  return ContainsMemo[E.node()] = Found;
}

bool Unknowns::laneVarying(Expr E) {
  if (!contains(E))
    return false;
  auto [At, New] = LaneVaryingMemo.try_emplace(E.node(), false);
  if (!New)
    return At->second;
  spendWork();
  bool Varies = false;
  if (E.kind() == ExprKind::Parameter)
    Varies = Entries[Index.lookup(E.name())].U.LaneVarying;
  else
    for (Expr Operand : E.operands())
      Varies = Varies || laneVarying(Operand);
  return LaneVaryingMemo[E.node()] = Varies;
}

void Unknowns::sources(Expr E,
                       llvm::SmallVectorImpl<const llvm::Value *> &Out) const {
  for (const std::string &Name : E.parameters())
    if (auto At = Index.find(Name);
        At != Index.end() && Entries[At->second].Source)
      Out.push_back(Entries[At->second].Source);
}

void Unknowns::finish(IrPlaces *Places) {
  // Names are given in the order of the entries, so that #2 follows #1 in the
  // source; an upper bound may use another unknown, so use spreads.
  std::vector<bool> Used(Entries.size(), false);
  std::vector<Expr> Work;
  forEachExpr(Model, [&](Expr &E) {
    if (contains(E))
      Work.push_back(E);
  });
  while (!Work.empty()) {
    std::vector<Expr> Bounds;
    for (const std::string &Name : parametersOf(Work)) {
      auto At = Index.find(Name);
      if (At == Index.end() || Used[At->second])
        continue;
      Used[At->second] = true;
      if (Entries[At->second].U.UpperBound)
        Bounds.push_back(*Entries[At->second].U.UpperBound);
    }
    Work = std::move(Bounds);
  }

  llvm::StringMap<Expr> Public;
  llvm::StringMap<unsigned> Count;
  std::vector<std::string> Names(Entries.size());
  for (unsigned I = 0; I < Entries.size(); ++I) {
    if (!Used[I])
      continue;
    const Unknown &U = Entries[I].U;
    std::string Name = stemOf(U.Kind).str() + "@" + placeOf(U.Location);
    if (unsigned N = ++Count[Name]; N > 1)
      Name += "#" + std::to_string(N);
    if (U.Kind == Unknown::BranchProbability) {
      Name += ")";
      Ctx.assumeRange(Name, {0, 1});
    }
    Names[I] = Name;
  }
  for (const auto &E : Index)
    if (Used[E.second])
      Public[E.first()] = Ctx.parameter(Names[E.second]);

  Binder Rename(Ctx, std::move(Public));
  forEachExpr(Model, [&](Expr &E) {
    if (contains(E))
      E = Rename(E);
  });
  for (unsigned I = 0; I < Entries.size(); ++I) {
    if (!Used[I])
      continue;
    Unknown U = Entries[I].U;
    U.Name = Names[I];
    if (Places)
      Places->Unknowns[U.Name] = Entries[I].Places;
    U.Settle = "--param '" + U.Name + "=VALUE'";
    if (U.Kind == Unknown::LoadedValue)
      U.Settle +=
          " or --assume 'access@" + placeOf(U.Location) + "=sequential'";
    if (U.UpperBound)
      U.UpperBound = Rename(*U.UpperBound);
    Model.Unknowns.push_back(std::move(U));
  }
  for (Unknown &U : Notes)
    Model.Unknowns.push_back(std::move(U));
}

} // namespace gpuestimate
