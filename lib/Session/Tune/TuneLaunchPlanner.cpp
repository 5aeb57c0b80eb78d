#include "TuneLaunchPlanner.h"

#include "Session/Settings/ParseValue.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

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
    if (!Request.Blocks.empty()) {
      std::lock_guard Guard(Batch.SitesLock);
      setBlock(Plan, Base.In, Request.Blocks[Point.Block]);
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
