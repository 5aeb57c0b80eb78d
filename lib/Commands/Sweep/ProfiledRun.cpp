#include "ProfiledRun.h"

#include "LaunchScaling.h"
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// "1380 MHz, 877 MHz"
static std::string describe(ClockPoint Clocks) {
  std::string Text = formatNumber(std::round(Clocks.Core)) + " MHz";
  if (Clocks.Memory > 0)
    Text += ", " + formatNumber(std::round(Clocks.Memory)) + " MHz";
  return Text;
}

/// The features of the run, if its clocks are a base point of Tables.
static Expected<NamedFeatures> counters(const KernelProfile &Profile,
                                        const ProfiledRun &Run,
                                        const GpuModel &Gpu,
                                        const GpuClusters &Tables) {
  if (Tables.empty())
    return createStringError("there are no clusters of this GPU");
  ClockPoint At = clockPoint(Gpu, Run.Core, Run.Memory);
  ClockPoint Base = Tables.tableFor(At).base();
  if (!At.isNear(Base))
    return createStringError("it is of " + describe(At) +
                             ", and the clusters want counters of " +
                             describe(Base));
  auto Counted = clusterCounters(Profile);
  if (!Counted)
    return createStringError("it " + toString(Counted.takeError()));
  Expected<GpuModel> Clocked =
      hypothetical(Gpu, {std::nullopt, Run.Core, Run.Memory});
  if (!Clocked)
    return Clocked.takeError();
  return *counterFeatures(*Counted, Run.Time, *Clocked);
}

/// Why the profile is of another card; "" if it may be of this one.
static std::string otherCard(const KernelProfile &Profile,
                             const GpuModel &Gpu) {
  if (!Profile.Device.empty() && !isProduct(Gpu, Profile.Device))
    return "is of " + Profile.Device;
  if (!Profile.ComputeCapability.empty() &&
      Profile.ComputeCapability != Gpu.ComputeCapability)
    return "is of a GPU of compute capability " + Profile.ComputeCapability;
  return "";
}

/// Sets the clocks of the run.
static Error setClocks(ProfiledRun &Run, const KernelProfile &Profile,
                       const GpuModel &Gpu, const GpuClusters &Tables) {
  Run.Core = Gpu.CoreClock;
  Run.Memory = memoryClock(Gpu);
  if (std::optional<double> Core = Profile.metric(ProfiledCoreClock)) {
    Run.Core = Hertz(*Core);
    std::optional<double> Memory = Profile.metric(ProfiledMemoryClock);
    if (Memory && Run.Memory)
      Run.Memory = Hertz(*Memory);
    Run.ClocksAssumed = false;
  }
  ClockPoint Here = clockPoint(Gpu, Run.Core, Run.Memory);
  if (!Tables.empty() && Here.Core > 0 && Here.Memory > 0) {
    ClockPoint Base = Tables.tableFor(Here).base();
    if (Run.ClocksAssumed || Here.isNear(Base)) {
      Run.Core = Hertz(Base.Core * 1e6);
      Run.Memory = Hertz(Base.Memory * 1e6);
    }
  }
  for (const ExceededLimit &Limit :
       exceededLimits(Gpu, {std::nullopt, Run.Core, Run.Memory}))
    return createStringError("has another clock than the card can have: " +
                             Limit.Range + ", " + Limit.Got);
  return Error::success();
}

Expected<ProfiledRun> profiledRun(StringRef File, const KernelProfile &Profile,
                                  const GpuModel &Gpu,
                                  const GpuClusters &Tables) {
  if (std::string Why = otherCard(Profile, Gpu); !Why.empty())
    return createStringError(Why);
  Expected<Seconds> Time = profiledTime(Profile);
  if (!Time)
    return Time.takeError();
  if (*Time <= Seconds(0))
    return createStringError("has a time of 0");
  ProfiledRun Run;
  Run.Time = *Time;
  if (Error E = setClocks(Run, Profile, Gpu, Tables))
    return E;
  Expected<NamedFeatures> Features = counters(Profile, Run, Gpu, Tables);
  if (Features)
    Run.Counters = std::move(*Features);
  else
    Run.WhyNoCounters = toString(Features.takeError());
  Run.Description = "base time " + formatTime(Run.Time) + " measured (" +
                    File.str() + ") at " +
                    describe(clockPoint(Gpu, Run.Core, Run.Memory));
  if (Run.ClocksAssumed)
    Run.Description += ", assumed";
  if (!Tables.empty())
    Run.Description += Features ? "; clusters by its counters"
                                : "; clusters by static features";
  return Run;
}

} // namespace gpuestimate
