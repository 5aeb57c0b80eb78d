#include "LaunchPredictor.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Frontend/DeviceImage.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Plan/RecordedPlans.h"
#include "gpu-estimate/Session/Settings/Budget.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuestimate {

/// The unknowns of Model that have other values in Resolved. Without: their
/// values where nothing is executed.
static std::vector<SettledValue> settledValues(const KernelModel &Model,
                                               const KernelModel &Resolved,
                                               const Bindings &Without) {
  std::vector<SettledValue> Values;
  for (auto [Before, After] : zip(Model.Unknowns, Resolved.Unknowns)) {
    if (Before.Why == After.Why ||
        any_of(Values, [&, &What = After.What](const SettledValue &V) {
          return V.What == What;
        }))
      continue;
    SettledValue &V = Values.emplace_back();
    V.What = After.What;
    // Loaded values have no number.
    if (auto Assumed = Without.find(Before.Name); Assumed != Without.end()) {
      V.Value = After.Default;
      V.Without = Assumed->second;
    } else if (Before.Name.empty()) {
      V.Value = After.Default;
      V.Without = Before.Default;
    }
  }
  return Values;
}

struct LaunchPredictor::ModuleOfRun {
  ModuleOfRun(TranslationUnit &&Unit, const Setup &S,
              std::vector<Notice> &Notices)
      : Pipeline(std::move(Unit), S, KernelPipeline::StepLimits::None,
                 Notices) {}

  KernelPipeline Pipeline;
};

/// One kernel of the program.
struct LaunchPredictor::KernelOfRun {
  uint64_t Module = 0;
  std::string Mangled;
  std::optional<unsigned> Registers; ///< RunKernel::Registers
  // Set at the first launch.
  bool WasRead = false;
  std::string Problem;
  const KernelPipeline *Pipeline = nullptr;
  const KernelSource *Source = nullptr;
  Function *Code = nullptr;
  /// A model of the kernel. They differ in the costs of divisions.
  struct Version {
    Version(KernelReading &&Of, const KernelOfRun &K, const Setup &S)
        : Reading(std::move(Of)), Resolver(*K.Code, *K.Source, Reading.Model,
                                           Reading.Places, S.Buffers) {}
    KernelReading Reading;
    UnknownResolver Resolver;
  };
  std::unique_ptr<Version> Ordinary; ///< without special operands
  /// By the shares of special operands in the order of IrOrigins::Divisions.
  std::map<std::vector<double>, std::unique_ptr<Version>> Versions;
  static constexpr size_t MaxVersions = 16;

  /// The model, with the registers that the program's compiler has assigned,
  /// unless the user says another number.
  Expected<KernelReading> read(const SpecialDivisions *Shares = nullptr) const {
    Expected<KernelReading> Reading = Pipeline->read(*Source, Shares);
    if (!Reading || !Registers)
      return Reading;
    Resources &Res = Reading->Model.Res;
    if (is_contained({"estimate", "ptxas"}, Res.RegistersSource)) {
      Res.RegistersPerThread = *Registers;
      Res.RegistersSource = "ptxas";
    }
    return Reading;
  }
  bool hasDivisions() const {
    return !Ordinary->Reading.Places.Divisions.empty();
  }
  bool wantsTraces() const {
    return hasDivisions() || !Ordinary->Resolver.isClosedForm();
  }
  /// For what the traced warps have divided.
  Expected<const Version *> version(const TracedLaunch &Traced, const Setup &S);

  /// A GPU, and what a launch finds in its caches.
  using OnGpu = std::pair<size_t, CacheState>;
  /// Launches that are equal but for the contents of buffers.
  struct EqualLaunches {
    BoundLaunch Bound;           ///< by the last trace
    const Version *By = nullptr; ///< by the last trace
    std::vector<SettledValue> FromData;
    bool IsTraced = true; ///< false: Bound is what another launch showed
    std::map<OnGpu, LaunchForecast> Forecasts;
    std::map<OnGpu, std::string> Failures;

    /// Takes what the trace shows of the unknowns of Model.
    void settle(const KernelModel &Model, const Version &Settled,
                const TracedLaunch &Traced, const GpuModel &Gpu) {
      By = &Settled;
      KernelCopies Copies(By->Reading.Model, {&By->Resolver, &Traced, {}});
      const LaunchPlan &Plan = Bound.Plan;
      // A trace has no buffers of the user, which alone may not fit.
      Bound = cantFail(bind(Plan, Gpu, Copies));
      FromData =
          settledValues(Model, *Bound.Kernel,
                        bindParameters(Model, Plan.Used, Plan.Values).All);
      Forecasts.clear();
      Failures.clear();
    }
  };
  std::map<std::string, EqualLaunches> Launches; ///< by their arguments
  /// The last trace of each shape: what a launch with other arguments does that
  /// is not traced.
  struct LastTrace {
    const Version *By = nullptr;
    TracedLaunch Trace;
  };
  using LaunchShape =
      std::pair<std::array<uint64_t, 3>, std::array<uint64_t, 3>>;
  std::map<LaunchShape, LastTrace> LastTraces; ///< by grid and block

  /// How much the time depends on what is assumed changes little from launch to
  /// launch, and costs more evaluations than all else: after some forecasts it
  /// is computed only for those whose number is a power of two.
  struct Effects {
    static constexpr uint64_t MinForecasts = 8;
    uint64_t Forecasts = 0;
    std::vector<Assumption> Of; ///< the last one that they were computed for
  };
  std::map<size_t, Effects> KnownEffects; ///< by GPU
};

Expected<const LaunchPredictor::KernelOfRun::Version *>
LaunchPredictor::KernelOfRun::version(const TracedLaunch &Traced,
                                      const Setup &S) {
  if (!hasDivisions())
    return Ordinary.get();
  SpecialDivisions Shares = Ordinary->Resolver.specialDivisions(Traced);
  std::vector<double> Key;
  for (const Instruction *I : Ordinary->Reading.Places.Divisions)
    Key.push_back(Shares.lookup(I));
  if (auto Known = Versions.find(Key); Known != Versions.end())
    return Known->second.get();
  if (Versions.size() == MaxVersions) {
    auto Distance = [&](const auto &Of) {
      double Sum = 0;
      for (auto [Share, Wanted] : zip(Of.first, Key))
        Sum += std::abs(Share - Wanted);
      return Sum;
    };
    return std::min_element(Versions.begin(), Versions.end(),
                            [&](const auto &A, const auto &B) {
                              return Distance(A) < Distance(B);
                            })
        ->second.get();
  }
  Expected<KernelReading> Reading = read(&Shares);
  if (!Reading)
    return Reading.takeError();
  return (Versions[Key] =
              std::make_unique<Version>(std::move(*Reading), *this, S))
      .get();
}

LaunchPredictor::LaunchPredictor(const Setup &S) : S(S) {}
LaunchPredictor::~LaunchPredictor() = default;

Error LaunchPredictor::take(const RunRecord &R) {
  if (const auto *M = std::get_if<RunModule>(&R.What)) {
    if (M->Module != Modules.size())
      return createStringError("modules are not in order");
    Modules.emplace_back();
    Expected<TranslationUnit> Unit =
        readDeviceImage(M->Bitcode, targetArch(S.Opts, S.Gpus.front()));
    if (!Unit)
      return Unit.takeError();
    Modules.back() =
        std::make_unique<ModuleOfRun>(std::move(*Unit), S, Notices);
  } else if (const auto *K = std::get_if<RunKernel>(&R.What)) {
    if (K->Kernel != Kernels.size())
      return createStringError("kernels are not in order");
    Kernels.push_back(std::make_unique<KernelOfRun>());
    Kernels.back()->Module = K->Module;
    Kernels.back()->Mangled = K->Mangled;
    Kernels.back()->Registers = K->Registers;
  } else if (const auto *A = std::get_if<RunAllocation>(&R.What)) {
    Memory[A->Address] = {A->Bytes, A->Kind};
  } else if (const auto *F = std::get_if<RunFree>(&R.What)) {
    Memory.erase(F->Address);
  } else if (const auto *Set = std::get_if<RunMemset>(&R.What)) {
    SetBytes += Set->Bytes;
  } else if (std::holds_alternative<RunLaunch>(R.What)) {
    SetBytesBefore = std::exchange(SetBytes, 0);
  }
  return Error::success();
}

const KernelSource *LaunchPredictor::source(uint64_t Kernel) const {
  if (Kernel >= Kernels.size() || Kernels[Kernel]->Module >= Modules.size() ||
      !Modules[Kernels[Kernel]->Module])
    return nullptr;
  const KernelOfRun &K = *Kernels[Kernel];
  const auto &All = Modules[K.Module]->Pipeline.unit().Kernels;
  auto Entry = find_if(
      All, [&](const KernelSource &Of) { return Of.Mangled == K.Mangled; });
  return Entry == All.end() ? nullptr : &*Entry;
}

StringRef LaunchPredictor::mangled(uint64_t Kernel) const {
  return Kernel < Kernels.size() ? StringRef(Kernels[Kernel]->Mangled) : "";
}

Expected<LaunchPredictor::KernelOfRun *>
LaunchPredictor::kernel(uint64_t Number) {
  if (Number >= Kernels.size())
    return createStringError("the launch names no kernel of the program");
  KernelOfRun &K = *Kernels[Number];
  auto Read = [&]() -> Error {
    if (K.Module >= Modules.size() || !Modules[K.Module])
      return createStringError("its module cannot be read");
    K.Pipeline = &Modules[K.Module]->Pipeline;
    if (!K.Pipeline->failure().empty())
      return createStringError(K.Pipeline->failure());
    K.Source = source(Number);
    if (!K.Source || !(K.Code = K.Pipeline->code(*K.Source)))
      return createStringError("its device code is not in the program");
    Expected<KernelReading> Reading = K.read();
    if (!Reading)
      return Reading.takeError();
    K.Ordinary =
        std::make_unique<KernelOfRun::Version>(std::move(*Reading), K, S);
    return Error::success();
  };
  if (!K.WasRead) {
    K.WasRead = true;
    if (Error E = Read())
      K.Problem = toString(std::move(E));
  }
  if (!K.Problem.empty())
    return createStringError(K.Problem);
  return &K;
}

bool LaunchPredictor::wantsTraces(uint64_t Number) {
  Expected<KernelOfRun *> K = kernel(Number);
  if (K)
    return (*K)->wantsTraces();
  consumeError(K.takeError()); // its launches tell
  return false;
}

unsigned LaunchPredictor::registers(uint64_t Number) {
  Expected<KernelOfRun *> K = kernel(Number);
  if (K)
    return (*K)->Ordinary->Reading.Model.Res.RegistersPerThread;
  consumeError(K.takeError()); // its launches tell
  return 0;
}

template <typename T> static T read(StringRef Bytes) {
  T Value;
  std::memcpy(&Value, Bytes.data(), sizeof(T));
  return Value;
}

static BufferPlace placeOf(RunMemory Kind) {
  switch (Kind) {
  case RunMemory::Pinned:
  case RunMemory::Registered:
    return BufferPlace::Host;
  case RunMemory::Managed: // the time line moves it before the launch
  case RunMemory::Device:
  case RunMemory::Variable:
    return BufferPlace::Device;
  }
  llvm_unreachable("all kinds of memory have a place");
}

const std::pair<const uint64_t, LaunchPredictor::Allocation> *
LaunchPredictor::find(uint64_t Address) const {
  auto After = Memory.upper_bound(Address);
  if (After == Memory.begin())
    return nullptr;
  const auto &Entry = *std::prev(After);
  return Address - Entry.first < Entry.second.Bytes ? &Entry : nullptr;
}

std::string LaunchPredictor::pointersIn(const RunLaunch &L) const {
  std::string Words;
  for (StringRef Bytes : L.Arguments)
    for (; Bytes.size() >= sizeof(uint64_t);
         Bytes = Bytes.drop_front(sizeof(uint64_t)))
      if (find(read<uint64_t>(Bytes)))
        Words += Bytes.take_front(sizeof(uint64_t));
  return Words;
}

/// The launch as host code that passes constants would have written it.
LaunchSite LaunchPredictor::site(const KernelOfRun &K,
                                 const RunLaunch &L) const {
  LaunchSite Site;
  Site.Context = std::make_shared<ExprContext>();
  auto Constant = [&](double Value) { return Site.Context->constant(Value); };
  Site.Kernel = K.Mangled;
  for (unsigned I = 0; I < 3; ++I) {
    Site.Grid[I] = Constant(double(L.Grid[I]));
    Site.Block[I] = Constant(double(L.Block[I]));
  }
  Site.DynamicSharedBytes = Constant(double(L.DynamicSharedBytes));
  Site.Location = K.Source->Location;
  Site.Repeats = Constant(1);
  std::map<uint64_t, std::pair<std::string, uint64_t>> First; // by allocation
  auto Set = [&](const std::string &Name, const KernelArgument &A,
                 StringRef Bytes) {
    if (A.Kind != KernelArgument::Pointer) {
      if (std::optional<double> Value = scalarArgument(A, Bytes))
        Site.Arguments[Name] = Constant(*Value);
      return;
    }
    if (Bytes.size() < sizeof(uint64_t))
      return;
    uint64_t Address = read<uint64_t>(Bytes);
    const auto *Found = find(Address);
    if (!Found)
      return;
    const auto &[Start, Of] = *Found;
    Site.Arguments[Name] = Constant(double(Start + Of.Bytes - Address));
    if (BufferPlace Place = placeOf(Of.Kind); Place != BufferPlace::Device)
      Site.Arguments[placeParameter(Name)] = Constant(placeValue(Place));
    // Distances from the first pointer into the allocation.
    auto [Entry, IsFirst] =
        First.try_emplace(Start, std::make_pair(Name, Address));
    if (!IsFirst)
      Site.Origins[Name] = {
          Entry->second.first,
          Constant(double(int64_t(Address - Entry->second.second)))};
  };
  for (size_t I = 0;
       I < std::min(L.Arguments.size(), K.Source->Arguments.size()); ++I) {
    const KernelArgument &A = K.Source->Arguments[I];
    StringRef Bytes = L.Arguments[I];
    if (A.Kind != KernelArgument::Aggregate) {
      Set(A.Name, A, Bytes);
      continue;
    }
    for (const AggregateMember &M : K.Source->Members)
      if (M.Argument == I && M.Offset < Bytes.size())
        Set(A.Name + "." + M.Name, M.Value, Bytes.drop_front(M.Offset));
  }
  return Site;
}

/// A text that is equal for launches of a kernel that are alike: sizes, scalar
/// arguments, and where pointers point to inside of their buffers.
static std::string key(const RunLaunch &L, const LaunchSite &Site) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (unsigned I = 0; I < 3; ++I)
    OS << L.Grid[I] << ' ' << L.Block[I] << ' ';
  OS << L.DynamicSharedBytes;
  std::map<StringRef, double> Values;
  for (const auto &A : Site.Arguments)
    Values[A.getKey()] = A.getValue().constant();
  for (const auto &[Name, Value] : Values)
    OS << ' ' << Name << '=' << format("%.17g", Value);
  std::map<StringRef, std::string> Places;
  for (const auto &O : Site.Origins)
    Places[O.getKey()] =
        O.getValue().Buffer + "+" +
        std::to_string(int64_t(O.getValue().Offset.constant()));
  for (const auto &[Name, Place] : Places)
    OS << ' ' << Name << '@' << Place;
  return Text;
}

/// The launch before a trace settles what depends on data.
BoundLaunch LaunchPredictor::bindAsIs(const KernelOfRun &K,
                                      const LaunchSite &Site,
                                      const GpuModel &On) {
  const KernelModel &Model = K.Ordinary->Reading.Model;
  LaunchInputs Inputs = K.Ordinary->Reading.Settings.launchInputs(Model);
  Inputs.Site = &Site;
  Inputs.Gpu = &On;
  LaunchPlan Plan = planLaunch(std::move(Inputs));
  Plan.From = nullptr; // the site does not outlive this call
  Plan.Used.Source = "run";
  for (const std::string &Text : Plan.Notices)
    addNotice(Notices, {Model.Location, Text});
  KernelCopies Copies(Model);
  return cantFail(bind(std::move(Plan), On, Copies));
}

Expected<const LaunchForecast *> LaunchPredictor::predict(const RunLaunch &L,
                                                          size_t Gpu) {
  Expected<KernelOfRun *> Kernel = kernel(L.Kernel);
  if (!Kernel)
    return Kernel.takeError();
  KernelOfRun &K = **Kernel;
  LaunchSite Site = site(K, L);
  auto [Entry, IsNew] = K.Launches.try_emplace(key(L, Site));
  KernelOfRun::EqualLaunches &A = Entry->second;
  const KernelModel &Model = K.Ordinary->Reading.Model;
  const KernelSettings &Settings = K.Ordinary->Reading.Settings;
  const GpuModel &On = S.Gpus[Gpu];
  if (IsNew)
    A.Bound = bindAsIs(K, Site, On);
  // The first GPU of a launch brings its trace.
  if (L.Trace && Gpu == 0 && K.wantsTraces()) {
    Expected<TracedLaunch> Traced = readTrace(*L.Trace, *K.Code);
    if (!Traced)
      return Traced.takeError();
    Expected<const KernelOfRun::Version *> By = K.version(*Traced, S);
    if (!By)
      return By.takeError();
    if (A.By != *By || !A.IsTraced || !(*By)->Resolver.isClosedForm())
      A.settle(Model, **By, *Traced, On);
    A.IsTraced = true;
    K.LastTraces[{L.Grid, L.Block}] = {*By, std::move(*Traced)};
  } else if (auto Last = K.LastTraces.find({L.Grid, L.Block});
             IsNew && Last != K.LastTraces.end()) {
    A.settle(Model, *Last->second.By, Last->second.Trace, On);
    A.IsTraced = false;
  }
  EvaluateOptions Options = evaluateOptions(Settings.options());
  // Programs that measure set a buffer of more than the cache before a launch.
  if (double(SetBytesBefore) >= On.L2.Size.value())
    Options.Caches = CacheState::Cold;
  KernelOfRun::OnGpu Which = {Gpu, Options.Caches};
  if (auto Done = A.Forecasts.find(Which); Done != A.Forecasts.end())
    return &Done->second;
  if (auto Failed = A.Failures.find(Which); Failed != A.Failures.end())
    return createStringError(Failed->second);
  // A launch in a stream has the duration that a profiler shows.
  if (!Options.Timing)
    Options.Timing = LaunchTiming::Single;
  Options.Wanted.Latencies = Options.Wanted.Lines = S.Details;
  Options.Wanted.Formulas = S.Details && S.Opts.wantsFormulas();
  KernelOfRun::Effects &Effects = K.KnownEffects[Gpu];
  bool TakesEffects = ++Effects.Forecasts > Effects.MinForecasts &&
                      !isPowerOf2_64(Effects.Forecasts);
  if (TakesEffects)
    Options.KnownEffects = &Effects.Of;
  LaunchEvaluators Evaluators(On, Options, S.Opts.GpuOverrides);
  Expected<Prediction> P = gpuestimate::predict(A.Bound, Evaluators);
  if (!P) {
    A.Failures[Which] = toString(P.takeError());
    return createStringError(A.Failures[Which]);
  }
  if (!TakesEffects)
    Effects.Of = P->Assumptions;
  LaunchForecast &F = A.Forecasts[Which];
  F.Number = Forecasts++;
  F.Predicted = std::move(*P);
  F.FromData = A.FromData;
  if (!A.IsTraced)
    F.Predicted.Premises.push_back(
        "what depends on data is as in the last traced launch of '" +
        F.Predicted.Name +
        "' with this grid and block, whose arguments differ");
  F.Budget = checkBudget(Settings.budgets(), Settings.options().BudgetWhen,
                         F.Predicted);
  return &F;
}

} // namespace gpuestimate
