#include "Unknowns.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

namespace {

// A control character separates private names from the user's parameters. A
// probability starts with "p(", which makes the parameter a real number.
constexpr llvm::StringLiteral PrivateValue = "\x02v";
constexpr llvm::StringLiteral PrivateProbability = "p(\x02";

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

void Unknowns::addOrigin(Expr E, const UnknownOrigin &Origin) {
  auto Entry = Index.find(E.name());
  assert(Entry != Index.end() && "not an unknown");
  Entries[Entry->second].Origins.push_back(Origin);
}

void Unknowns::note(Unknown U) {
  std::string Key =
      U.Location.File + ":" + std::to_string(U.Location.Line) + ":" + U.What;
  if (Noted.insert(Key).second)
    Notes.push_back(std::move(U));
}

bool Unknowns::contains(Expr E) {
  auto [Entry, IsNew] = ContainsMemo.try_emplace(E.node(), false);
  if (!IsNew)
    return Entry->second;
  spendWork();
  bool Contains = false;
  if (E.kind() == ExprKind::Parameter)
    Contains = Index.contains(E.name());
  else
    for (Expr Operand : E.operands())
      Contains = Contains || contains(Operand);
  return ContainsMemo[E.node()] = Contains;
}

bool Unknowns::laneVarying(Expr E) {
  if (!contains(E))
    return false;
  auto [Entry, IsNew] = LaneVaryingMemo.try_emplace(E.node(), false);
  if (!IsNew)
    return Entry->second;
  spendWork();
  bool Varies = false;
  if (E.kind() == ExprKind::Parameter)
    Varies = Entries[Index.lookup(E.name())].U.LaneVarying;
  else
    for (Expr Operand : E.operands())
      Varies = Varies || laneVarying(Operand);
  return LaneVaryingMemo[E.node()] = Varies;
}

void Unknowns::sources(
    Expr E, llvm::SmallVectorImpl<const llvm::Value *> &Values) const {
  for (const std::string &Name : E.parameters())
    if (auto Entry = Index.find(Name);
        Entry != Index.end() && Entries[Entry->second].Source)
      Values.push_back(Entries[Entry->second].Source);
}

std::vector<bool> Unknowns::findUsed() {
  std::vector<bool> Used(Entries.size(), false);
  std::vector<Expr> Work;
  forEachExpr(Model, [&](Expr &E) {
    if (contains(E))
      Work.push_back(E);
  });
  while (!Work.empty()) {
    std::vector<Expr> Bounds;
    for (const std::string &Name : parametersOf(Work)) {
      auto Entry = Index.find(Name);
      if (Entry == Index.end() || Used[Entry->second])
        continue;
      Used[Entry->second] = true;
      if (Entries[Entry->second].U.UpperBound)
        Bounds.push_back(*Entries[Entry->second].U.UpperBound);
    }
    Work = std::move(Bounds);
  }
  return Used;
}

void Unknowns::forEachUsed(
    llvm::function_ref<void(Unknown &, const llvm::Value *,
                            llvm::ArrayRef<UnknownOrigin>)>
        Visit) {
  std::vector<bool> Used = findUsed();
  for (unsigned I = 0; I < Used.size(); ++I) {
    if (!Used[I] || !spendWork())
      continue;
    // Visit may add entries, which moves this one.
    Unknown U = Entries[I].U;
    auto Origins = Entries[I].Origins;
    Visit(U, Entries[I].Source, Origins);
    Entries[I].U = std::move(U);
  }
}

void Unknowns::finish(IrOrigins *Origins) {
  // Names are assigned in the order of the entries, so that #2 follows #1 in
  // the source. The upper bound of a used unknown may contain another one.
  std::vector<bool> Used = findUsed();

  llvm::StringMap<Expr> Public;
  llvm::StringMap<unsigned> Count;
  std::vector<std::string> Names(Entries.size());
  for (unsigned I = 0; I < Entries.size(); ++I) {
    if (!Used[I])
      continue;
    const Unknown &U = Entries[I].U;
    std::string Name = stemOf(U.Kind).str() + "@" + U.Location.brief();
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
    if (Origins)
      Origins->Unknowns[U.Name] = Entries[I].Origins;
    U.Settle = "--param '" + U.Name + "=VALUE'";
    if (U.Kind == Unknown::LoadedValue)
      U.Settle += " or --assume 'access@" + U.Location.brief() + "=sequential'";
    if (U.UpperBound)
      U.UpperBound = Rename(*U.UpperBound);
    if (U.Key)
      U.Key = Rename(U.Key);
    Model.Unknowns.push_back(std::move(U));
  }
  for (Unknown &U : Notes)
    Model.Unknowns.push_back(std::move(U));
}

} // namespace gpuestimate
