/// \file
/// Replaces loaded indices by assumed patterns in the kernel model.
#include "gpu-estimate/Model/Kernel/IndexPattern.h"

#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

std::string IndexPattern::str() const {
  switch (Kind) {
  case Random:
    return "random";
  case Constant:
    return "constant";
  case Strided:
    break;
  }
  return Stride == 1 ? "sequential"
                     : "stride:" + std::to_string(static_cast<int64_t>(Stride));
}

std::string IndexPattern::name() const { return "access@" + Place; }

std::optional<IndexPattern> parseIndexPattern(llvm::StringRef Text) {
  IndexPattern P;
  if (Text == "random")
    return P;
  P.Kind = IndexPattern::Constant;
  if (Text == "constant")
    return P;
  P.Kind = IndexPattern::Strided;
  if (Text == "sequential")
    return P;
  int32_t Stride;
  if (!Text.consume_front("stride:") || Text.getAsInteger(10, Stride) ||
      Stride == 0)
    return std::nullopt;
  P.Stride = Stride;
  return P;
}

static bool isLoadedValue(const Unknown &U) {
  return U.Kind == Unknown::LoadedValue && !U.Name.empty();
}

/// The load that produces the value, if a single access does.
static const MemoryAccess *sourceOf(const KernelModel &Kernel,
                                    const Unknown &U) {
  for (const MemoryAccess &A : Kernel.Accesses)
    if (A.Kind == AccessKind::Load && A.Address && U.Location.isValid() &&
        A.Location.File == U.Location.File &&
        A.Location.Line == U.Location.Line &&
        A.Location.Column == U.Location.Column && !A.Address.dependsOn(U.Name))
      return &A;
  return nullptr;
}

/// The value as a function of its own address; null if that is unknown.
static Expr patternValue(const KernelModel &Kernel, const Unknown &U,
                         const IndexPattern &Pattern) {
  ExprContext &Context = *Kernel.Context;
  if (Pattern.Kind == IndexPattern::Constant)
    return Context.constant(0);
  const MemoryAccess *Source = sourceOf(Kernel, U);
  if (!Source)
    return Expr();
  Expr Element = Context.floorDiv(Source->Address,
                                  Context.constant(Source->BytesPerThread));
  return Pattern.Stride * Element;
}

bool assumePattern(KernelModel &Kernel, const IndexPattern &Pattern) {
  std::vector<Expr> AddressesThere;
  for (const MemoryAccess &A : Kernel.Accesses)
    if (A.Address &&
        (A.Location.brief() == Pattern.Place || A.Anchor == Pattern.Place))
      AddressesThere.push_back(A.Address);
  std::vector<std::string> NamesThere = parametersOf(AddressesThere);
  auto addressesThere = [&](const Unknown &U) {
    return llvm::binary_search(NamesThere, U.Name);
  };
  auto isThere = [&](const Unknown &U) {
    return U.Location.brief() == Pattern.Place ||
           U.Anchor == "value@" + Pattern.Place;
  };
  llvm::StringMap<Expr> Values;
  bool HasPlace = false;
  for (Unknown &U : Kernel.Unknowns) {
    if (!isLoadedValue(U) || (!isThere(U) && !addressesThere(U)))
      continue;
    if (Pattern.Kind != IndexPattern::Random) {
      Expr Value = patternValue(Kernel, U, Pattern);
      if (!Value)
        continue;
      Values[U.Name] = Value;
      U.Name.clear(); // no expression uses it any more
    }
    HasPlace = true;
    U.Why = "taken as " + Pattern.str() + ", as --assume says";
    U.Settle = "--assume 'access@" + Pattern.Place + "=PATTERN'";
    U.Default = Pattern.Kind == IndexPattern::Strided ? Pattern.Stride : 0;
    U.UpperBound.reset();
  }
  if (Values.empty())
    return HasPlace;

  Binder Replacing(*Kernel.Context, std::move(Values));
  forEachExpr(Kernel, [&](Expr &E) { E = Replacing(E); });
  ParameterSet Loaded;
  for (const Unknown &U : Kernel.Unknowns)
    if (isLoadedValue(U))
      Loaded.insert(U.Name);
  for (MemoryAccess &A : Kernel.Accesses)
    A.DataDependent &= !A.Address || dependsOn(A.Address, Loaded);
  return HasPlace;
}

} // namespace gpuestimate
