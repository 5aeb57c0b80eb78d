#include "TuneLaunchPlanner.h"

#include "Session/Settings/ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuestimate {

static bool dependsOnBlock(const LaunchSite *Site) {
  return Site && any_of(Site->Grid, [](Expr E) {
           return E && (E.dependsOn("blockDim.x") ||
                        E.dependsOn("blockDim.y") || E.dependsOn("blockDim.z"));
         });
}

HostPlans TuneLaunchPlanner::planAll(LaunchInputs In) const {
  std::lock_guard Guard(Batch.SitesLock);
  std::vector<LaunchPlan> Plans = planLaunches(In, Batch.Reading.Sites);
  return {std::move(In), std::move(Plans)};
}

HostPlans TuneLaunchPlanner::base(ArrayRef<uint32_t> Parameters) const {
  LaunchInputs In = Inputs;
  for (auto [Axis, Choice] : zip(Request.Parameters, Parameters))
    In.Named[Axis.Name] = cantFail(parseNumber(Axis.Values[Choice]));
  return planAll(std::move(In));
}

HostPlans TuneLaunchPlanner::asWritten() const {
  LaunchInputs In = Inputs;
  for (const TuningAxis &Axis : Request.Parameters)
    if (Axis.Values.size() == 1)
      In.Named[Axis.Name] = cantFail(parseNumber(Axis.Values.front()));
  return planAll(std::move(In));
}

Expected<std::vector<LaunchPlan>>
TuneLaunchPlanner::plan(const HostPlans &Base, const TuningPoint &Point) const {
  std::vector<LaunchPlan> Plans = Base.Plans;
  for (LaunchPlan &Plan : Plans) {
    BlockShape Written = Plan.Used.Block;
    if (!Request.Blocks.empty()) {
      const BlockShape &Block = Request.Blocks[Point.Block];
      if (dependsOnBlock(Plan.Site)) {
        LaunchInputs Changed = Base.In;
        Changed.Site = Plan.Site;
        Changed.Variant = Plan.Variant;
        LaunchSettings Settings;
        Settings.Block = Block;
        Changed.Authorities.insert(Changed.Authorities.begin(),
                                   {"command-line", Settings});
        std::lock_guard Guard(Batch.SitesLock);
        Plan = planLaunch(Changed);
      } else {
        // The number of threads is kept, rounded up to whole blocks.
        for (unsigned I = 0; I < 3; ++I)
          Plan.Used.Grid[I] =
              divideCeil(Plan.Used.Grid[I] * Written[I], Block[I]);
        Plan.Used.Block = Block;
        Plan.Used.Source = "command-line";
      }
    }
    if (Request.Grid.empty() && Request.DynamicShared.empty())
      continue;
    TuningNames Names(Request, Point, &Plan.Used.Block);
    if (!Request.Grid.empty())
      Plan.Used.Grid = {1, 1, 1};
    for (auto [I, Text] : enumerate(Request.Grid)) {
      Expected<uint64_t> Size = Names.size("--grid", Text);
      if (!Size)
        return Size.takeError();
      Plan.Used.Grid[I] = *Size;
    }
    if (!Request.DynamicShared.empty()) {
      Expected<uint64_t> Size =
          Names.size("--dynamic-smem", Request.DynamicShared);
      if (!Size)
        return Size.takeError();
      Plan.Used.DynamicSharedBytes = *Size;
    }
  }
  return Plans;
}

} // namespace gpuestimate
