#include "gpu-estimate/Session/Plan/OpenSizes.h"

#include "UnknownSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

void findRoles(LaunchInputs &Inputs) {
  if (!Inputs.Roles)
    Inputs.Roles = std::make_shared<const SizeRoles>(*Inputs.Kernel);
}

static bool isGiven(const UnknownSize &Size, GivenByCommand Given) {
  return (Size.Kind == UnknownSize::Blocks && Given.Grid) ||
         (Size.Kind == UnknownSize::BlockThreads && Given.Block);
}

/// Adds what Found has to All.
static void addSizes(const UnknownSizes &Found, GivenByCommand Given,
                     std::vector<OpenSize> &All) {
  auto Add = [&](OpenSize Size) {
    if (none_of(All, [&](const OpenSize &O) { return O.Name == Size.Name; }))
      All.push_back(std::move(Size));
  };
  for (const UnknownSize &Size : Found.sizes())
    if (!isGiven(Size, Given))
      Add({Size.Name, Size.Why, Size.Settle, Size.Usual,
           Size.TableValues.front(), Size.TableValues.back()});
  if (!Found.openBlock() || Given.Block)
    return;
  double Threads = 1;
  for (uint64_t Side : *Found.openBlock())
    Threads *= static_cast<double>(Side);
  Add({"threads of a block", "no launch tells it", Found.settleBlock(), Threads,
       Threads, Threads});
}

static std::vector<double> valuesAt(SizePlace Place,
                                    const UnknownSizes &Sizes) {
  std::vector<double> Values;
  for (const UnknownSize &Size : Sizes.sizes())
    Values.push_back(Place == SizePlace::Middle  ? Size.Usual
                     : Place == SizePlace::Least ? Size.TableValues.front()
                                                 : Size.TableValues.back());
  return Values;
}

LaunchPlan planAt(SizePlace Place, const LaunchPlan &Plan, GivenByCommand Given,
                  std::vector<OpenSize> &Sizes) {
  if (!Plan.From)
    return Plan;
  UnknownSizes Found(Plan);
  if (all_of(Found.sizes(),
             [&](const UnknownSize &Size) { return isGiven(Size, Given); }))
    return Plan;
  addSizes(Found, Given, Sizes);
  return Found.plan(valuesAt(Place, Found));
}

/// The iterations of a loop around a nest for which it is planned follow the
/// sizes, so that all launches are planned again.
static std::vector<LaunchPlan> planNestsAt(SizePlace Place, LaunchInputs Inputs,
                                           ArrayRef<const LaunchSite *> Sites,
                                           ArrayRef<LaunchPlan> Plans,
                                           GivenByCommand Given,
                                           std::vector<OpenSize> &Sizes) {
  for (const LaunchPlan &Plan : Plans) {
    UnknownSizes Found(Plan);
    addSizes(Found, Given, Sizes);
    for (const auto &[Size, Value] :
         zip_equal(Found.sizes(), valuesAt(Place, Found)))
      for (const std::string &Name : Size.Parameters)
        Inputs.Named[Name] = Name == Size.Parameters.front() ? Value : 1;
  }
  return planLaunches(Inputs, Sites);
}

std::vector<LaunchPlan> planLaunchesAt(SizePlace Place,
                                       const LaunchInputs &Inputs,
                                       ArrayRef<const LaunchSite *> Sites,
                                       GivenByCommand Given,
                                       std::vector<OpenSize> &Sizes) {
  std::vector<LaunchPlan> Plans = planLaunches(Inputs, Sites);
  if (Inputs.Kernel->Nest)
    return planNestsAt(Place, Inputs, Sites, Plans, Given, Sizes);
  for (LaunchPlan &Plan : Plans)
    Plan = planAt(Place, Plan, Given, Sizes);
  return Plans;
}

} // namespace gpuestimate
