#include "AssumptionEffects.h"

#include "gpu-estimate/Model/Kernel/IndexPattern.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {
/// Assumptions that read the same.
struct Alike {
  SmallVector<unsigned> Members;
  SmallVector<StringRef> Parameters;
};

/// Evaluates the launch with other values of parameters that are alike.
class Variation {
public:
  Variation(const BoundParameters &Bound, Seconds Base,
            function_ref<Seconds(const Bindings &)> Time)
      : All(Bound.All), Base(Base), Time(Time) {}

  /// Time with the value / time; nothing where it cannot be evaluated so.
  std::optional<double> ratio(ArrayRef<StringRef> Parameters, double Value) {
    double Before = All.lookup(Parameters.front());
    if (Value == Before)
      return 1;
    for (StringRef Name : Parameters)
      All[Name] = Value;
    Seconds Changed = Time(All);
    for (StringRef Name : Parameters)
      All[Name] = Before;
    if (Changed.value() <= 0 || Base.value() <= 0)
      return std::nullopt;
    return Changed / Base;
  }

  double sensitivity(ArrayRef<StringRef> Parameters) {
    double Value = All.lookup(Parameters.front());
    bool Probability = Parameters.front().starts_with("p(");
    double Raised = Probability ? std::min(1.0, Value * 1.1)
                                : std::max(Value + 1, std::round(Value * 1.1));
    if (Value <= 0 || Raised == Value)
      return 0;
    std::optional<double> Ratio = ratio(Parameters, Raised);
    return Ratio ? std::log(*Ratio) / std::log(Raised / Value) : 0;
  }

private:
  Bindings All;
  Seconds Base;
  function_ref<Seconds(const Bindings &)> Time;
};
} // namespace

static std::vector<Alike> groupAlike(ArrayRef<Assumption> Assumptions,
                                     const BoundParameters &Bound) {
  assert(Assumptions.size() == Bound.Parameters.size() && "parallel");
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

void varyAssumptions(std::vector<Assumption> &Assumptions,
                     const BoundParameters &Bound, uint64_t MaxWork,
                     function_ref<Seconds(const Bindings &All)> Time,
                     function_ref<double(StringRef)> Reach) {
  std::vector<Alike> Groups = groupAlike(Assumptions, Bound);
  if (Groups.empty())
    return;
  WorkBudget Meter({}); // without limit: it only counts
  WorkScope Scope(Meter);
  Variation Vary(Bound, Time(Bound.All), Time);
  constexpr unsigned EvaluationsOfGroup = 3;
  if (Groups.size() > MaxVaried ||
      Meter.spent() * (EvaluationsOfGroup * Groups.size() + 1) > MaxWork)
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
    const Assumption &First = Assumptions[Group.Members.front()];
    double Together = Vary.sensitivity(Group.Parameters);
    double AtLow = Vary.ratio(Group.Parameters, First.Low).value_or(1);
    double AtHigh = Vary.ratio(Group.Parameters, First.High).value_or(1);
    for (unsigned J : Group.Members) {
      Assumptions[J].Sensitivity = Together / double(Group.Members.size());
      Assumptions[J].Variation = int(Varied);
      Assumptions[J].Effect = {std::min({1.0, AtLow, AtHigh}),
                               std::max({1.0, AtLow, AtHigh})};
    }
    ++Varied;
  }
}

void takeEffects(std::vector<Assumption> &Assumptions,
                 const BoundParameters &Bound, ArrayRef<Assumption> Earlier) {
  assert(Assumptions.size() == Bound.Parameters.size() && "parallel");
  for (auto [Index, A] : enumerate(Assumptions)) {
    const auto *Same = find_if(Earlier, [&A = A](const Assumption &E) {
      return E.What == A.What && E.Location == A.Location;
    });
    if (Same != Earlier.end()) {
      A.Sensitivity = Same->Sensitivity;
      A.Variation = Same->Variation;
      A.Effect = Same->Effect;
      A.NotVaried = Same->NotVaried;
    } else if (!Bound.Parameters[Index].empty()) {
      A.NotVaried = true;
      A.Why += "; its effect is not computed, as it is in no launch of the "
               "kernel whose effects are";
    }
  }
}

bool isRandomIndex(const Unknown &U) {
  return U.Kind == Unknown::LoadedValue && !U.Name.empty() && !U.FromData;
}

void addIndexEffect(std::vector<Assumption> &Assumptions,
                    const KernelModel &Kernel, TimeFactors Effect) {
  int Variation = 0;
  for (const Assumption &A : Assumptions)
    Variation = std::max(Variation, A.Variation + 1);
  for (Assumption &A : Assumptions)
    if (any_of(Kernel.Unknowns, [&](const Unknown &U) {
          return isRandomIndex(U) && U.What == A.What &&
                 U.Location == A.Location;
        })) {
      A.Variation = Variation;
      A.Effect = Effect;
    }
}

/// The kernel with the pattern in place of each loaded value.
static std::optional<KernelModel> withPattern(const KernelModel &Kernel,
                                              IndexPattern Pattern) {
  std::optional<KernelModel> Changed;
  for (const Unknown &U : Kernel.Unknowns) {
    if (!isRandomIndex(U))
      continue;
    if (!Changed)
      Changed = Kernel;
    Pattern.Place = U.Location.brief();
    assumePattern(*Changed, Pattern);
  }
  return Changed;
}

std::optional<KernelModel> withSequentialIndices(const KernelModel &Kernel) {
  IndexPattern Sequential;
  Sequential.Kind = IndexPattern::Strided;
  return withPattern(Kernel, Sequential);
}

std::optional<KernelModel> withOneIndex(const KernelModel &Kernel) {
  IndexPattern One;
  One.Kind = IndexPattern::Constant;
  return withPattern(Kernel, One);
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
