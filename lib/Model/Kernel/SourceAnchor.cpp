/// \file
/// Names the unknowns of a kernel by the anchors of their places.
#include "gpu-estimate/Model/Kernel/SourceAnchor.h"

#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

static bool isEquality(llvm::StringRef Relation) {
  return Relation == "==" || Relation == "!=";
}

std::optional<bool> sameTruth(const SourceAnchor &Written,
                              llvm::StringRef Compiled) {
  llvm::StringRef Source = Written.Relation;
  bool Constant = Written.AgainstConstant;
  if (Compiled == "?") // of NaNs alone
    return std::nullopt;
  if (Source.empty()) {
    if (Compiled.empty())
      return true;
    Source = "!="; // zero
    Constant = true;
  }
  if (Compiled.empty())
    return std::nullopt;
  if (isEquality(Source) && isEquality(Compiled))
    return Source == Compiled;
  if (isEquality(Source))
    return std::nullopt;
  bool More = Source.front() == '>';
  // `u > 0` of an unsigned u is `u != 0`, `u < 1` is `u == 0`.
  if (isEquality(Compiled))
    return Constant ? std::optional(More == (Compiled == "!=")) : std::nullopt;
  // `i >= 5` is `i > 4`, and the opposite of `i < 5`.
  if (Constant)
    return More == (Compiled.front() == '>');
  // `a >= b` is the opposite of `a < b`, which is `b > a`.
  bool SourceStrict = Source.size() == 1, CompiledStrict = Compiled.size() == 1;
  return SourceStrict == CompiledStrict;
}

namespace {

/// Anchors of one kind by place. A place that two different anchors share (in a
/// macro) has none.
class PlaceIndex {
public:
  PlaceIndex(const std::vector<SourceAnchor> &Anchors,
             SourceAnchor::KindType Kind) {
    for (const SourceAnchor &A : Anchors)
      if (A.Kind == Kind) {
        auto [Entry, New] = ByPlace.try_emplace(key(A.Location), &A);
        if (!New && Entry->second && Entry->second->Name != A.Name)
          Entry->second = nullptr;
      }
  }

  const SourceAnchor *find(const SourceLocation &Location) const {
    return Location.isValid() ? ByPlace.lookup(key(Location)) : nullptr;
  }

private:
  /// Compares file names only: debug information and the source may spell the
  /// folder differently.
  static std::string key(const SourceLocation &L) {
    return L.brief() + ":" + std::to_string(L.Column);
  }

  llvm::StringMap<const SourceAnchor *> ByPlace;
};

} // namespace

/// Replaces the probabilities p in Names by 1 - p.
static void negate(KernelModel &Kernel, llvm::ArrayRef<std::string> Names) {
  ExprContext &Context = *Kernel.Context;
  llvm::StringMap<Expr> Opposite;
  ParameterSet Negated;
  for (const std::string &Name : Names) {
    Opposite[Name] = 1.0 - Context.parameter(Name);
    Negated.insert(Name);
  }
  Binder Negate(Context, std::move(Opposite));
  auto Replace = [&](Expr &E) {
    if (E && dependsOn(E, Negated))
      E = Negate(E);
  };
  forEachExpr(Kernel, Replace);
  for (Unknown &Other : Kernel.Unknowns) {
    if (Other.UpperBound)
      Replace(*Other.UpperBound);
    Replace(Other.Key);
  }
}

std::vector<std::string>
nameUnknowns(KernelModel &Kernel, const std::vector<SourceAnchor> &Anchors) {
  PlaceIndex Loops(Anchors, SourceAnchor::Loop),
      Conditions(Anchors, SourceAnchor::Condition),
      Accesses(Anchors, SourceAnchor::Access);
  for (MemoryAccess &M : Kernel.Accesses)
    if (const SourceAnchor *A = Accesses.find(M.Location))
      M.Anchor = A->Name;
  std::vector<std::string> Negated;
  for (Unknown &U : Kernel.Unknowns) {
    if (U.Name.empty())
      continue;
    if (U.Kind == Unknown::TripCount) {
      if (const SourceAnchor *A = Loops.find(U.Location))
        U.Anchor = "trip@" + A->Name;
    } else if (U.Kind == Unknown::BranchProbability) {
      const SourceAnchor *A = Conditions.find(U.Location);
      std::optional<bool> Same =
          A ? sameTruth(*A, U.Relation) : std::optional<bool>();
      if (!Same)
        continue;
      U.Anchor = "branch@" + A->Name;
      if (!*Same) {
        Negated.push_back(U.Name);
        U.Default = 1 - U.Default;
        if (U.Form)
          U.Form = 1.0 - U.Form;
      }
    } else if (U.Kind == Unknown::LoadedValue) {
      if (const SourceAnchor *A = Accesses.find(U.Location))
        U.Anchor = "value@" + A->Name;
    }
    if (U.Anchor.empty())
      continue;
    U.Settle = "--param '" + U.Anchor + "=VALUE'";
    if (U.Kind == Unknown::LoadedValue)
      U.Settle += " or --assume 'access@" +
                  llvm::StringRef(U.Anchor).split('@').second.str() +
                  "=sequential'";
  }
  if (!Negated.empty())
    negate(Kernel, Negated);
  return Negated;
}

} // namespace gpuestimate
