#include "gpu-estimate/Evaluate/Access/ArgumentRoles.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

bool isThread(StringRef Name) { return Name.starts_with("threadIdx."); }
bool isBlock(StringRef Name) { return Name.starts_with("blockIdx."); }
bool isDimension(StringRef Name) {
  return Name.starts_with("blockDim.") || Name.starts_with("gridDim.");
}

/// Calls Visit for each comparison for order in the terms.
class Comparisons {
public:
  explicit Comparisons(function_ref<void(Expr, Expr)> Visit) : Visit(Visit) {}
  void of(Expr E) {
    if (!E || !Seen.insert(E.node()).second)
      return;
    if (E.kind() == ExprKind::Less || E.kind() == ExprKind::LessEqual)
      Visit(E.operands()[0], E.operands()[1]);
    for (Expr Operand : E.operands())
      of(Operand);
  }

private:
  function_ref<void(Expr, Expr)> Visit;
  DenseSet<const ExprNode *> Seen;
};

/// Limit = Scale * the parameter, of whole numbers and but for a constant.
struct ScaledParameter {
  StringRef Name;
  double Scale;
};

std::optional<ScaledParameter> scaledParameter(Expr Limit) {
  double Scale = 1;
  if (Limit.kind() == ExprKind::Add && Limit.operands().size() == 2 &&
      Limit.operands()[1].asConstant())
    Limit = Limit.operands()[0];
  if (Limit.kind() == ExprKind::Mul && Limit.operands().size() == 2 &&
      Limit.operands()[0].asConstant()) {
    Scale = Limit.operands()[0].constant();
    Limit = Limit.operands()[1];
  } else if ((Limit.kind() == ExprKind::FloorDiv ||
              Limit.kind() == ExprKind::CeilDiv) &&
             Limit.operands()[1].asConstant()) {
    Scale = 1 / Limit.operands()[1].constant();
    Limit = Limit.operands()[0];
  }
  if (Limit.kind() != ExprKind::Parameter || !(Scale > 0) ||
      !std::isfinite(Scale))
    return std::nullopt;
  return ScaledParameter{Limit.name(), Scale};
}

} // namespace

ArgumentRoles::ArgumentRoles(const KernelModel &Kernel,
                             ArrayRef<std::string> Parameters,
                             const StringSet<> &Hidden) {
  for (const std::string &Name : Parameters)
    if (!isDimension(Name))
      Roles[Name];
  for (const Unknown &U : Kernel.Unknowns)
    Roles.erase(U.Name);
  if (Roles.empty())
    return;
  auto Visit = [&](Expr A, Expr B) {
    addGuard(A, B, Hidden);
    addGuard(B, A, Hidden);
  };
  Comparisons Guards(Visit);
  for (const BasicBlock &B : Kernel.Blocks)
    Guards.of(B.Active);
  for (const Loop &Nested : Kernel.Loops)
    Guards.of(Nested.Active);
  findDepths(Kernel);
}

void ArgumentRoles::addGuard(Expr Index, Expr Limit,
                             const StringSet<> &Hidden) {
  std::optional<ScaledParameter> Of = scaledParameter(Limit);
  auto Into = Of ? Roles.find(Of->Name) : Roles.end();
  if (Into == Roles.end())
    return;
  std::vector<std::string> Names = Index.parameters();
  if (none_of(Names, isBlock) || is_contained(Names, Of->Name) ||
      any_of(Names, [&](const std::string &N) { return Hidden.contains(N); }))
    return;
  bool HasOthers =
      any_of(Names, [&](const std::string &N) { return Roles.contains(N); });
  Into->second.Guards.push_back({Index, Of->Scale, HasOthers});
}

void ArgumentRoles::findDepths(const KernelModel &Kernel) {
  size_t Count = Kernel.Loops.size();
  StringSet<> Counters; // of loops up to an argument
  std::vector<unsigned> Above(Count), Below(Count);
  std::vector<std::vector<std::string>> Names(Count);
  auto isBounded = [&](size_t I) {
    return none_of(Names[I],
                   [](StringRef N) { return N.starts_with("gridDim."); }) &&
           any_of(Names[I], [&](const std::string &N) {
             return Roles.contains(N) || Counters.contains(N);
           });
  };
  std::vector<bool> Counted(Count);
  for (size_t I = 0; I < Count; ++I) { // parents come first
    const Loop &L = Kernel.Loops[I];
    if (L.TripCount)
      Names[I] = L.TripCount.parameters();
    if ((Counted[I] = isBounded(I)))
      Counters.insert(L.Counter);
    Above[I] = Counted[I] + (L.Parent >= 0 ? Above[L.Parent] : 0);
  }
  for (size_t I = Count; I-- > 0;)
    if (int Parent = Kernel.Loops[I].Parent; Parent >= 0)
      Below[Parent] = std::max(Below[Parent], Below[I] + Counted[I]);
  for (size_t I = 0; I < Count; ++I)
    if (Counted[I])
      for (const std::string &Name : Names[I])
        if (auto Of = Roles.find(Name); Of != Roles.end())
          Of->second.Depth = std::max(Of->second.Depth, Above[I] + Below[I]);
}

std::optional<double> ArgumentRoles::extent(StringRef Argument, const Launch &L,
                                            const Bindings &Others,
                                            double Rest) const {
  auto Of = Roles.find(Argument);
  if (Of == Roles.end() || Of->second.Guards.empty())
    return std::nullopt;
  static constexpr const char *Axis[] = {"x", "y", "z"};
  IntervalBindings Ranges;
  for (const auto &Role : Roles)
    Ranges[Role.first()] = {Rest, Rest};
  for (const auto &Other : Others)
    Ranges[Other.first()] = {Other.second, Other.second};
  for (unsigned D = 0; D < 3; ++D) {
    Ranges[std::string("threadIdx.") + Axis[D]] = {0, double(L.Block[D]) - 1};
    Ranges[std::string("blockIdx.") + Axis[D]] = {0, double(L.Grid[D]) - 1};
  }
  std::optional<double> Result;
  for (const Guard &G : Of->second.Guards) {
    Expr Index = G.Index;
    double Last = bound(Index, Ranges).High;
    if (Index.kind() == ExprKind::Add)
      Last -= Index.operands().back().asConstant().value_or(0);
    double Unit = 1;
    for (const std::string &Name : Index.parameters())
      if (isThread(Name))
        Unit = std::max(Unit, double(L.Block[Name.back() - 'x']));
    double Extent = std::ceil((Last + 1) / Unit) * Unit / G.Scale;
    constexpr double Largest = 1ull << 53;
    if (Extent >= 1 && Extent <= Largest)
      Result = std::max(Result.value_or(0), std::ceil(Extent));
  }
  return Result;
}

unsigned ArgumentRoles::guardedAxes(StringRef Argument) const {
  auto Of = Roles.find(Argument);
  unsigned Axes = 0;
  if (Of == Roles.end())
    return Axes;
  for (const Guard &G : Of->second.Guards)
    for (const std::string &Name : G.Index.parameters())
      if (!G.HasOthers && isBlock(Name))
        Axes |= 1u << (Name.back() - 'x');
  return Axes;
}

bool ArgumentRoles::dependsOnOthers(StringRef Argument) const {
  auto Of = Roles.find(Argument);
  return Of != Roles.end() &&
         any_of(Of->second.Guards, [](const Guard &G) { return G.HasOthers; });
}

unsigned ArgumentRoles::loopDepth(StringRef Argument) const {
  auto Of = Roles.find(Argument);
  return Of == Roles.end() ? 0 : Of->second.Depth;
}

} // namespace gpuestimate
