#include "TuneLaunchPlanner.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

TuneLaunchPlanner::TuneLaunchPlanner(const TuneBatch &Batch,
                                     const TuningRequest &Request,
                                     const GpuModel &Gpu)
    : Batch(Batch), Request(Request), Gpu(Gpu), Inputs(Batch.Inputs),
      Copies(Batch.Reading.Model) {
  Inputs.Gpu = &Gpu;
  findRoles(Inputs);
}

std::vector<LaunchPlan>
TuneLaunchPlanner::planAll(const LaunchInputs &In, GivenByCommand Given,
                           std::vector<OpenSize> &Open) {
  std::lock_guard Guard(Batch.SitesLock);
  return planLaunchesAt(Place, In, Batch.Reading.Sites, Given, Open);
}

std::vector<LaunchPlan> TuneLaunchPlanner::base(const SpacePoint &Point) {
  LaunchInputs In = Inputs;
  GivenByCommand Given = {!Request.Grid.empty(),
                          any_of(Request.Axes, [](const SpaceAxis &A) {
                            return A.Kind == AxisKind::Block;
                          })};
  // change() sets it; no argument has to tell it.
  if (Given.Grid && Batch.Reading.Sites.empty()) {
    LaunchSettings Stated;
    Stated.Grid = {1, 1, 1};
    In.Authorities.insert(In.Authorities.begin(), {"command-line", Stated});
  }
  for (auto [Axis, Choice] : zip_equal(Request.Axes, Point))
    if (Axis.Kind == AxisKind::Parameter)
      In.Named[Axis.Values.Name] = Axis.Numbers[Choice];
  return planAll(In, Given, Sizes);
}

std::vector<LaunchPlan>
TuneLaunchPlanner::asWritten(std::vector<OpenSize> &Open) {
  LaunchInputs In = Inputs;
  for (const SpaceAxis &Axis : Request.Axes)
    if (Axis.Kind == AxisKind::Parameter && Axis.Values.size() == 1)
      In.Named[Axis.Values.Name] = Axis.Numbers.front();
  return planAll(In, {}, Open);
}

Error TuneLaunchPlanner::change(LaunchPlan &Plan,
                                const SpacePoint &Point) const {
  if (ArrayRef<uint32_t> Block =
          choicesOf(AxisKind::Block, Request.Axes, Point);
      !Block.empty()) {
    std::lock_guard Guard(Batch.SitesLock);
    setBlock(Plan, Request.Axes.back().Shapes[Block.front()]);
  }
  if (Request.Grid.empty() && Request.DynamicShared.empty())
    return Error::success();
  TuningNames Names(Request.Axes, Point, &Plan.Used.Block);
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
  return Error::success();
}

std::vector<BoundLaunch>
TuneLaunchPlanner::bindAll(std::vector<LaunchPlan> Plans) {
  std::vector<BoundLaunch> Launches;
  for (LaunchPlan &Plan : Plans) {
    // Contents are expressions of host code.
    std::unique_lock Guard(Batch.SitesLock, std::defer_lock);
    if (!Plan.Contents.empty())
      Guard.lock();
    // Only what is executed may have an error.
    Launches.push_back(cantFail(bind(std::move(Plan), Gpu, Copies)));
  }
  return Launches;
}

Expected<std::vector<BoundLaunch>>
TuneLaunchPlanner::launches(std::vector<LaunchPlan> Plans,
                            const SpacePoint &Point) {
  for (LaunchPlan &Plan : Plans)
    if (Error E = change(Plan, Point))
      return std::move(E);
  return bindAll(std::move(Plans));
}

} // namespace gpuestimate
