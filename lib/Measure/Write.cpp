/// \file
/// Measured values over an inherited base.
#include "gpu-estimate/Measure/Write.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace llvm;

namespace gpuestimate {

Expected<GpuModel> nearestModel(const MeasuredIdentity &Id, StringRef Folder) {
  Expected<std::vector<GpuModel>> Models = loadGpuModels(Folder);
  if (!Models)
    return Models.takeError();
  const GpuModel *Nearest = nullptr;
  auto Distance = [&](const GpuModel &M) {
    return std::abs(static_cast<int>(M.SmCount) - static_cast<int>(Id.SmCount));
  };
  for (const GpuModel &M : *Models) {
    bool Same = Id.ComputeCapability.empty()
                    ? !Id.GfxTarget.empty() && M.GfxTarget == Id.GfxTarget
                    : M.ComputeCapability == Id.ComputeCapability;
    if (Same && isProduct(M, Id.Name))
      return M;
    if (Same && (!Nearest || Distance(M) < Distance(*Nearest)))
      Nearest = &M;
  }
  if (Nearest)
    return *Nearest;
  return createStringError(
      "no GPU model has the compute capability of '" + Id.Name + "' (" +
      (Id.ComputeCapability.empty() ? Id.GfxTarget : Id.ComputeCapability) +
      "); name one with --base, for what is not measured");
}

std::string modelIdOf(StringRef Name) {
  std::string Id;
  for (char C : Name)
    if (isAlnum(C))
      Id += toLower(C);
    else if (!Id.empty() && Id.back() != '-')
      Id += '-';
  while (!Id.empty() && Id.back() == '-')
    Id.pop_back();
  if (StringRef(Id).starts_with("nvidia-") || StringRef(Id).starts_with("amd-"))
    return Id;
  return "nvidia-" + Id;
}

Expected<GpuModel> measuredModel(const MeasuredIdentity &Id, const Fit &Fitted,
                                 const GpuModel &Base) {
  GpuModel Model = Base;
  Model.Sources.clear();
  Model.Validation.clear(); // was about the base
  if (!Id.Name.empty()) {
    if (!isProduct(Base, Id.Name)) { // else a better model of the same GPU
      Model.Name = Id.Name;
      Model.Id = modelIdOf(Id.Name);
      Model.Aliases.clear();
    }
    Model.ComputeCapability = Id.ComputeCapability;
    Model.GfxTarget = Id.GfxTarget;
  }
  for (const auto &Entry : Base.Sources) {
    Provenance P = Entry.second;
    P.Note = "not measured; " + Base.Id + " has it from: " + P.Kind +
             (P.Source.empty() ? "" : ", " + P.Source) +
             (P.Note.empty() ? "" : "; " + P.Note);
    P.Source = "GPU model " + Base.Id;
    P.SourceName.clear();
    P.Kind = "inherited";
    P.Line = 0;
    Model.Sources[Entry.first()] = std::move(P);
  }
  std::string Source = "gpu-estimate measure";
  if (!Id.Driver.empty())
    Source += ", driver " + Id.Driver;
  for (const FittedValue &V : Fitted.Values) {
    const GpuKey *Key = findGpuKey(V.Key);
    if (!Key)
      return createStringError("no key is called " + V.Key);
    Expected<KeyValue> Value = parseKeyValue(*Key, V.Text);
    if (!Value)
      return createStringError(V.Key + ": " + toString(Value.takeError()));
    Key->Set(Model, *Value);
    Model.Sources[V.Key] = {V.Text, Source + ", group " + V.Group, V.Note,
                            V.Kind, 0};
  }
  return Model;
}

} // namespace gpuestimate
