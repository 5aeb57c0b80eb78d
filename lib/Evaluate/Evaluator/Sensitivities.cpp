#include "Sensitivities.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Parameters: of equal value.
static double sensitivity(Bindings All, ArrayRef<StringRef> Parameters,
                          Seconds Base,
                          function_ref<Seconds(const Bindings &)> Time) {
  double Value = All.lookup(Parameters.front());
  bool Probability = Parameters.front().starts_with("p(");
  double Raised = Probability ? std::min(1.0, Value * 1.1)
                              : std::max(Value + 1, std::round(Value * 1.1));
  if (Value <= 0 || Raised == Value || Base.value() <= 0)
    return 0;
  for (StringRef Name : Parameters)
    All[Name] = Raised;
  Seconds Changed = Time(All);
  // Zero: the kernel could not be evaluated so.
  return Changed.value() <= 0
             ? 0
             : std::log(Changed / Base) / std::log(Raised / Value);
}

namespace {
/// Assumptions that read the same.
struct Alike {
  SmallVector<unsigned> Members;
  SmallVector<StringRef> Parameters;
};
} // namespace

static std::vector<Alike> groupAlike(ArrayRef<Assumption> Assumptions,
                                     const BoundParameters &Bound) {
  std::vector<Alike> Groups;
  std::vector<bool> Done(Assumptions.size());
  for (unsigned I = 0; I < Assumptions.size(); ++I) {
    if (Done[I] || Bound.Parameters[I].empty())
      continue;
    Alike &Group = Groups.emplace_back();
    for (unsigned J = I; J < Assumptions.size(); ++J) {
      const Assumption &A = Assumptions[I], &B = Assumptions[J];
      if (Bound.Parameters[J].empty() || A.What != B.What ||
          A.Value != B.Value || !(A.Location == B.Location))
        continue;
      Done[J] = true;
      Group.Members.push_back(J);
      Group.Parameters.push_back(Bound.Parameters[J]);
    }
  }
  return Groups;
}

/// Moves the groups of the largest reach to the front.
static void orderByReach(std::vector<Alike> &Groups,
                         function_ref<double(StringRef)> Reach) {
  std::vector<std::pair<double, unsigned>> Order;
  for (auto [Index, Group] : enumerate(Groups)) {
    double Sum = 0;
    for (StringRef Parameter : Group.Parameters)
      Sum += Reach(Parameter);
    Order.push_back({-Sum, unsigned(Index)});
  }
  sort(Order);
  std::vector<Alike> Sorted;
  for (auto [Reached, Index] : Order)
    Sorted.push_back(std::move(Groups[Index]));
  Groups = std::move(Sorted);
}

void fillSensitivities(std::vector<Assumption> &Assumptions,
                       const BoundParameters &Bound, uint64_t MaxWork,
                       function_ref<Seconds(const Bindings &All)> Time,
                       function_ref<double(StringRef)> Reach) {
  std::vector<Alike> Groups = groupAlike(Assumptions, Bound);
  WorkBudget Meter({}); // without limit: it only counts
  WorkScope Scope(Meter);
  Seconds Base = Groups.empty() ? Seconds(0) : Time(Bound.All);
  if (Groups.size() > MaxVaried ||
      Meter.spent() * (Groups.size() + 1) > MaxWork)
    orderByReach(Groups, Reach);
  size_t Varied = 0;
  for (Alike &Group : Groups) {
    if (Varied >= MaxVaried || Meter.spent() > MaxWork) {
      for (unsigned J : Group.Members) {
        Assumptions[J].NotVaried = true;
        Assumptions[J].Why += "; its effect is not computed, " +
                              std::to_string(Varied) +
                              " other assumptions decide more of the kernel";
      }
      continue;
    }
    ++Varied;
    double Together = sensitivity(Bound.All, Group.Parameters, Base, Time);
    for (unsigned J : Group.Members)
      Assumptions[J].Sensitivity = Together / double(Group.Members.size());
  }
  std::stable_sort(Assumptions.begin(), Assumptions.end(),
                   [](const Assumption &A, const Assumption &B) {
                     return std::abs(A.Sensitivity) > std::abs(B.Sensitivity);
                   });
}

StringMap<double> reachOfParameters(const KernelModel &Kernel,
                                    const LaunchSample &Sample) {
  // The expressions that decide about each block, those of the loops around it
  // included.
  std::vector<std::vector<Expr>> Deciding(Kernel.Blocks.size());
  auto Add = [](std::vector<Expr> &To, Expr E) {
    if (E)
      To.push_back(E);
  };
  auto Visit = [&](auto &Self, ArrayRef<RegionNode> Body,
                   const std::vector<Expr> &Around) -> void {
    for (const RegionNode &I : Body) {
      std::vector<Expr> Inside = Around;
      if (I.Kind == RegionNode::IsBlock) {
        Add(Inside, Kernel.Blocks[I.Index].Active);
        Deciding[I.Index] = std::move(Inside);
        continue;
      }
      const gpuestimate::Loop &L = Kernel.Loops[I.Index];
      Add(Inside, L.Active);
      Add(Inside, L.TripCount);
      Self(Self, L.Body, Inside);
    }
  };
  Visit(Visit, Kernel.Body, {});
  for (const MemoryAccess &A : Kernel.Accesses)
    Add(Deciding[A.Block], A.Address);
  for (const Wait &W : Kernel.Waits)
    Add(Deciding[W.Block], W.Length);

  StringMap<double> Reach;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Instructions = Sample.BlockWarps[B] *
                          (Kernel.Blocks[B].EndOp - Kernel.Blocks[B].FirstOp);
    std::vector<std::string> Parameters = parametersOf(Deciding[B]);
    if (!spendWork(Parameters.size() + 1))
      break;
    for (const std::string &Parameter : Parameters)
      Reach[Parameter] += Instructions;
  }
  return Reach;
}

} // namespace gpuestimate
