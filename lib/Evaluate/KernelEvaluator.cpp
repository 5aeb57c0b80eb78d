#include "gpu-estimate/Evaluate/KernelEvaluator.h"

#include "Evaluation.h"
#include "gpu-estimate/Evaluate/BindParameters.h"
#include "gpu-estimate/Evaluate/EvaluationMemory.h"
#include "gpu-estimate/Evaluate/Sensitivities.h"
#include "gpu-estimate/Evaluate/Spills.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

/// What does not depend on the model.
static Prediction describe(const KernelModel &Kernel, const GpuModel &Gpu,
                           const Launch &L, const BoundParameters &Bound,
                           const EvaluateOptions &Options) {
  Prediction P;
  P.Kernel = Kernel.Mangled;
  P.Name = Kernel.Name;
  P.Location = Kernel.Location;
  P.Gpu = Gpu.Id;
  P.GpuName = Gpu.Name;
  P.Used = L;
  P.Arguments = Bound.Arguments;
  P.Assumptions = Bound.Assumptions;
  P.Caches = Options.Caches == CacheState::Warm ? "warm" : "cold";
  for (const auto &Entry : Gpu.Sources)
    if (Entry.second.Kind == "what-if")
      P.WhatIf.push_back((Entry.first() + "=" + Entry.second.Text).str());
  std::sort(P.WhatIf.begin(), P.WhatIf.end());
  return P;
}

/// The kernel with its spilled registers, if there are any on the GPU.
struct WholeKernel {
  WholeKernel(const KernelModel &Kernel, const GpuModel &Gpu,
              TermDistances &Distances)
      : Spilled(spilledRegisters(Gpu, Kernel.Res)) {
    if (Spilled > 0)
      Spilling = withSpills(Kernel, Spilled);
    Model = Spilling ? &*Spilling : &Kernel;
    Schedule = scheduleBlocks(*Model, Distances);
  }
  WholeKernel(const WholeKernel &) = delete;

  unsigned Spilled;
  std::optional<KernelModel> Spilling;
  const KernelModel *Model;
  std::vector<BlockSchedule> Schedule;
};

static Error checkFilled(const Prediction &P, const EvaluateOptions &Options) {
  std::string Problem = checkConsistency(P, Options.Explained);
  if (Problem.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           "internal: the prediction of " + P.Name + " by " +
                               P.Model + " is inconsistent: " + Problem);
}

static Expected<Prediction> filled(Evaluation &By, Prediction P,
                                   const ModelInfo &Model,
                                   const EvaluateOptions &Options) {
  if (Error E = By.fill(P, Model))
    return E;
  if (Error E = checkFilled(P, Options))
    return E;
  return P;
}

static Error unknownModel(StringRef Name) {
  return createStringError("no model is called '" + Name.str() +
                           "'; there are: " + modelNames());
}

struct KernelEvaluator::Impl {
  Impl(const KernelModel &Kernel, const GpuModel &Gpu, EvaluateOptions Options)
      : Kernel(Kernel), Gpu(Gpu), Options(std::move(Options)),
        Memory(memory(this->Options, Gpu, Own)),
        Whole(Kernel, Gpu, Memory.Distances), Used(Kernel) {
    this->Options.Memory = &Memory;
  }

  Evaluation launch(const Launch &L, const Occupancy &Occ, const Bindings &All,
                    const EvaluateOptions &With) {
    return Evaluation(*Whole.Model, Gpu, L, Occ, All, With, Whole.Schedule);
  }

  static EvaluationMemory &memory(const EvaluateOptions &Options,
                                  const GpuModel &Gpu,
                                  std::optional<EvaluationMemory> &Own) {
    if (Options.Memory && Options.Memory->isAbout(Gpu))
      return *Options.Memory;
    return Own.emplace(Gpu);
  }

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  EvaluateOptions Options;
  std::optional<EvaluationMemory> Own;
  EvaluationMemory &Memory;
  WholeKernel Whole;
  UsedParameters Used;
};

KernelEvaluator::KernelEvaluator(const KernelModel &Kernel, const GpuModel &Gpu,
                                 EvaluateOptions Options)
    : I(std::make_unique<Impl>(Kernel, Gpu, std::move(Options))) {}
KernelEvaluator::~KernelEvaluator() = default;

Expected<Prediction> KernelEvaluator::evaluate(const Launch &L,
                                               const Bindings &Values) {
  const KernelModel &Kernel = I->Kernel;
  const GpuModel &Gpu = I->Gpu;
  const EvaluateOptions &Options = I->Options;
  const ModelInfo *Model = findModel(Options.Model);
  if (!Model)
    return unknownModel(Options.Model);
  Expected<Occupancy> Occ = computeOccupancy(Gpu, Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  BoundParameters Bound = bindParameters(Kernel, L, Values, I->Used);
  Evaluation This = I->launch(L, *Occ, Bound.All, Options);
  Expected<Prediction> P =
      filled(This, describe(Kernel, Gpu, L, Bound, Options), *Model, Options);
  if (!P)
    return P;
  EvaluateOptions WhatIf = Options;
  WhatIf.SampleEffort *= WhatIfEffort;
  if (Options.Sensitivities)
    fillSensitivities(
        P->Assumptions, Bound,
        [&](const Bindings &All) {
          return I->launch(L, *Occ, All, WhatIf).total();
        },
        [&](StringRef Parameter) {
          return reach(*I->Whole.Model, This.sample(), Parameter);
        });
  if (I->Whole.Spilled > 0)
    P->Assumptions.push_back(spillAssumption(Kernel, I->Whole.Spilled));
  return P;
}

Expected<Seconds> KernelEvaluator::time(const Launch &L,
                                        const Bindings &Values) {
  const ModelInfo *Model = findModel(I->Options.Model);
  if (!Model)
    return unknownModel(I->Options.Model);
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  return I->launch(L, *Occ, Bound.All, I->Options).time(*Model);
}

Error KernelEvaluator::evaluateModels(
    const Launch &L, const Bindings &Values, ArrayRef<std::string> Models,
    function_ref<void(StringRef, Expected<Prediction>)> Take) {
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  Evaluation Shared = I->launch(L, *Occ, Bound.All, I->Options);
  for (const std::string &Name : Models) {
    const ModelInfo *Model = findModel(Name);
    if (!Model)
      return unknownModel(Name);
    Take(Name, filled(Shared, describe(I->Kernel, I->Gpu, L, Bound, I->Options),
                      *Model, I->Options));
  }
  return Error::success();
}

} // namespace gpuestimate
