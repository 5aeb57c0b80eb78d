#include "gpu-estimate/Session/Plan/RecordedPlans.h"

#include "gpu-estimate/Session/Plan/HostVariables.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace gpuestimate {

template <typename T> static T valueIn(StringRef Bytes) {
  T Value;
  std::memcpy(&Value, Bytes.data(), sizeof(T));
  return Value;
}

std::optional<double> scalarArgument(const KernelArgument &A, StringRef Bytes) {
  if (A.Bytes > Bytes.size())
    return std::nullopt;
  if (A.Kind == KernelArgument::Real)
    return A.Bytes == 4   ? std::optional<double>(valueIn<float>(Bytes))
           : A.Bytes == 8 ? std::optional<double>(valueIn<double>(Bytes))
                          : std::nullopt;
  if (A.Kind != KernelArgument::Integer)
    return std::nullopt;
  switch (A.Bytes) {
  case 1:
    return A.Unsigned ? double(valueIn<uint8_t>(Bytes))
                      : valueIn<int8_t>(Bytes);
  case 2:
    return A.Unsigned ? double(valueIn<uint16_t>(Bytes))
                      : valueIn<int16_t>(Bytes);
  case 4:
    return A.Unsigned ? double(valueIn<uint32_t>(Bytes))
                      : valueIn<int32_t>(Bytes);
  case 8:
    return A.Unsigned ? double(valueIn<uint64_t>(Bytes))
                      : double(valueIn<int64_t>(Bytes));
  default:
    return std::nullopt;
  }
}

Options settingsOf(const RecordedLaunch &L, const KernelModel &Kernel) {
  Options Says;
  Says.Launch = L.Sizes;
  Says.Parameters = L.Parameters;
  uint64_t Static = Kernel.Res.StaticSharedBytes;
  if (!Says.Launch.DynamicSharedBytes && L.SharedBytes)
    Says.Launch.DynamicSharedBytes =
        *L.SharedBytes > Static ? *L.SharedBytes - Static : 0;
  size_t Known = std::min(L.ArgumentBytes.size(), Kernel.Arguments.size());
  for (size_t I = 0; I < Known; ++I)
    if (auto Value = scalarArgument(Kernel.Arguments[I], L.ArgumentBytes[I]))
      Says.Parameters.push_back({Kernel.Arguments[I].Name, *Value});
  return Says;
}

/// Whether no size that host code fixes is another one in the launch.
static bool canHaveMade(const LaunchInputs &In, const LaunchSite &Site,
                        const LaunchVariant *Variant,
                        const LaunchSettings &Sizes) {
  HostVariables Host(*In.Kernel, Site, Variant, In.Named, In.Gpu);
  auto Agrees = [&](const std::array<Expr, 3> &Of,
                    const std::optional<std::array<uint64_t, 3>> &Recorded) {
    for (unsigned I = 0; Recorded && I < 3; ++I)
      if (Of[I] && Host.isFixed(Of[I]))
        if (std::optional<double> Size = Host.evaluate(Of[I]);
            Size && *Size != double((*Recorded)[I]))
          return false;
    return true;
  };
  for (unsigned I = 0; Sizes.Block && I < 3; ++I)
    Host.set(std::string("blockDim.") + "xyz"[I], double((*Sizes.Block)[I]));
  return Agrees(Site.Block, Sizes.Block) && Agrees(Site.Grid, Sizes.Grid);
}

LaunchPlan planRecorded(const LaunchInputs &Inputs,
                        ArrayRef<const LaunchSite *> Sites,
                        const RecordedLaunch &L) {
  LaunchInputs In = Inputs;
  auto Take = [&](const LaunchSite *Site,
                  std::shared_ptr<const LaunchVariant> Variant) {
    if (In.Site || !canHaveMade(In, *Site, Variant.get(), L.Sizes))
      return;
    In.Site = Site;
    In.Variant = std::move(Variant);
  };
  for (const LaunchSite *Site : Sites) {
    if (Site->Variants.empty())
      Take(Site, nullptr);
    for (const LaunchVariant &Variant : Site->Variants) // owned by the site
      Take(Site, {std::shared_ptr<const void>(), &Variant});
  }
  LaunchPlan Plan = planLaunch(std::move(In));
  Plan.Count = LaunchCount{L.Count, L.Count};
  return Plan;
}

} // namespace gpuestimate
