#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"

#include "Session/Settings/Annotation.h"
#include "gpu-estimate/Frontend/AssignedRegisters.h"
#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Model/Transform/MachineInstructions.h"
#include "gpu-estimate/Model/Transform/PrivateArrays.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

std::string crashReason() {
  return "internal: the analysis crashed; `gpu-estimate bug-report` with the "
         "same "
         "arguments writes what a report needs";
}

KernelPipeline::KernelPipeline(TranslationUnit &&Parsed, const Setup &S,
                               StepLimits Limits, std::vector<Notice> &Notices)
    : Unit(std::move(Parsed)), S(S), Limits(Limits), Notices(Notices) {
  offloadLoops();
  // ptxas compiles the code as it will run, before step 3 changes it.
  Registers.emplace(Unit, S.Opts, cardArch());
  if (Failure.empty())
    simplifyModule();
  Registers->finish();
  if (!Registers->notice().empty())
    Notices.push_back({SourceLocation(), Registers->notice()});
}

void KernelPipeline::offloadLoops() {
  // A proof of independence that was cut off by a limit is none.
  if (Limits == StepLimits::None) {
    HostCode = offloadLoopNests(Unit, S);
    return;
  }
  WorkBudget Budget(analysisLimits(S.Opts, Unit.Nests.size(), /*Gpus=*/1));
  WorkScope Scope(Budget);
  HostCode = offloadLoopNests(Unit, S);
  if (workExhausted())
    Failure = endedEarly();
}

/// clang may know only an older architecture than that of the cards.
std::string KernelPipeline::cardArch() const {
  std::string Arch;
  for (const GpuModel &Gpu : S.Gpus) {
    if (targetArch(S.Opts, Gpu) != Unit.Arch)
      continue;
    std::string Own = "sm_" + Gpu.ComputeCapability;
    erase(Own, '.');
    if (!S.Opts.GpuArch.empty() || (!Arch.empty() && Own != Arch))
      return Unit.Arch;
    Arch = Own;
  }
  return Arch.empty() ? Unit.Arch : Arch;
}

void KernelPipeline::simplifyModule() {
  if (Limits == StepLimits::None)
    return prepareForAnalysis(*Unit.Module);
  WorkBudget Budget(analysisLimits(S.Opts, Unit.Kernels.size(), /*Gpus=*/1));
  WorkScope Scope(Budget);
  if (!runGuarded([&] { prepareForAnalysis(*Unit.Module); })) {
    Failure = crashReason();
    // The crashed pass left the module half changed: it must not be destroyed.
    (void)Unit.Module.release();
    (void)Unit.Context.release();
  } else if (workExhausted()) {
    Failure = endedEarly();
  }
  PreparationWork = Budget.spent();
}

void KernelPipeline::readAnnotation(const SourceAnnotation &Note,
                                    Expected<Options> Parsed,
                                    std::vector<Options> &Into) const {
  Error E = Parsed ? resolveBudgets(Parsed->Budgets, S.ModelFolder)
                   : Parsed.takeError();
  if (!E)
    return Into.push_back(std::move(*Parsed));
  // Kernels share their loops, and instantiations their template.
  addNotice(Notices,
            {Note.Place, "annotation ignored: " + toString(std::move(E))});
}

/// Annotations of the kernel, the nearest to it last: those of loops and
/// conditions come first. An annotation of the loop of a nest of plain C may
/// state what a kernel's annotation states.
std::vector<Options>
KernelPipeline::annotations(const KernelSource &Source) const {
  std::vector<Options> Read;
  for (const SourceAnchor &Anchor : Unit.Anchors)
    for (const SourceAnnotation &Note : Anchor.Notes) {
      bool IsNest = Source.Nest && Anchor.Location == Source.Location &&
                    !StringRef(Note.Text).starts_with("trip");
      readAnnotation(Note,
                     IsNest
                         ? parseAnnotation(Note.Text, Unit.Constants)
                         : parseAnnotation(Anchor, Note.Text, Unit.Constants),
                     Read);
    }
  for (const SourceAnnotation &Note : Source.Notes)
    readAnnotation(Note, parseAnnotation(Note.Text, Unit.Constants), Read);
  return Read;
}

KernelSettings KernelPipeline::settings(const KernelSource &Source) const {
  return KernelSettings(S, Unit.MainFile, Source, annotations(Source));
}

Function *KernelPipeline::code(const KernelSource &Source) const {
  return Unit.Module->getFunction(Source.Mangled);
}

Expected<NestVariants>
KernelPipeline::variants(const KernelSource &Source) const {
  Expected<NestVariants> Variants =
      compileVariants(*code(Source), Source, HostCode.get(), S);
  if (Variants && Variants->Unfused)
    nameUnknowns(*Variants->Unfused, Unit.Anchors);
  return Variants;
}

/// The arrays as a remark names them, each with the loop that would be laid
/// out.
static std::string describeArrays(const KernelModel &Kernel,
                                  ArrayRef<std::string> Arrays) {
  std::vector<std::string> Texts;
  for (const std::string &Array : Arrays) {
    const Loop *L = loopOverArray(Kernel, Array);
    Texts.push_back(
        (Array.empty() ? std::string("a private array") : "'" + Array + "'") +
        (L ? ": the loop at " + L->Location.brief() : ""));
  }
  return join(Texts, ", ");
}

/// Puts the arrays into registers that nvcc has there, and keeps the other
/// kernel for the interval. Returns a remark where nvcc and the rules differ.
/// Estimated: its resources by the rules.
static std::string followNvcc(KernelModel &Kernel, const Resources &Estimated,
                              std::optional<uint64_t> LocalBytes) {
  // The array of 40 bytes in which sin, cos and tan of a double reduce large
  // arguments (28 of a float). Ordinary arguments do not get there.
  constexpr uint64_t OfReduction = 40;
  std::vector<std::string> Arrays = localArrays(Kernel);
  if (!LocalBytes || (Arrays.empty() && *LocalBytes <= OfReduction) ||
      (!Arrays.empty() && *LocalBytes > 0))
    return "";
  auto Other = std::make_shared<KernelModel>(Kernel);
  if (Arrays.empty()) {
    RegisterSpills &Accesses = Other->Res.Spills;
    unsigned Words = *LocalBytes / 4;
    Accesses.Slots += Words;
    Accesses.Stores += Words;
    Accesses.Loads += Words;
    Kernel.OtherLocal = std::move(Other);
    return "nvcc has " + std::to_string(*LocalBytes) +
           " bytes of arrays in local memory, the rules for nvcc none: the "
           "interval contains the time with each of them stored and loaded "
           "once";
  }
  Other->Res = Estimated;
  const Resources OfNvcc = Kernel.Res;
  for (const std::string &Array : Arrays)
    Kernel = withArrayInRegisters(Kernel, Array);
  Kernel.Res = OfNvcc;
  Kernel.Res.LocalBytes = 0;
  std::string Names = describeArrays(*Other, Arrays);
  Kernel.OtherLocal = std::move(Other);
  return "nvcc has no local memory where the rules for nvcc keep a loop or an "
         "index (" +
         Names +
         "): the time is that of nvcc's code, and the interval contains that "
         "of local memory";
}

/// Registers that the compiler has assigned, where a file beside the code tells
/// them.
static std::optional<unsigned> assignedRegisters(const Function &Code) {
  unsigned Assigned = 0;
  if (Code.getFnAttribute(AssignedRegistersMark)
          .getValueAsString()
          .getAsInteger(10, Assigned))
    return std::nullopt;
  return Assigned;
}

void KernelPipeline::setRegisters(KernelReading &Reading,
                                  const KernelSource &Source,
                                  const Function &Code) const {
  auto Remark = [&](const std::string &Text) {
    if (!Text.empty())
      Notices.push_back({Source.Location, "'" + Source.Name + "': " + Text});
  };
  const Resources Estimated = Reading.Model.Res;
  std::string Text = Registers->set(Reading.Model.Res, Source.Mangled,
                                    Reading.Settings.options().Registers,
                                    Reading.Settings.registersSource());
  if (std::optional<unsigned> Assigned = assignedRegisters(Code);
      Assigned &&
      is_contained({"estimate", "ptxas"}, Reading.Model.Res.RegistersSource)) {
    Reading.Model.Res.RegistersPerThread = *Assigned;
    Reading.Model.Res.RegistersSource = "ptxas";
    Text = "";
  }
  Remark(Text);
  Remark(followNvcc(Reading.Model, Estimated,
                    Registers->localBytes(Source.Mangled)));
}

Expected<KernelReading>
KernelPipeline::read(const KernelSource &Source,
                     const SpecialDivisions *Special) const {
  Function *Code = code(Source);
  if (!Code)
    return createStringError("the compiler removed it");
  KernelSettings Settings = settings(Source);
  KernelSource WithDivisions = Source;
  WithDivisions.Divisions =
      Settings.options().Divisions.value_or(DivisionOperands::Ordinary);
  IrOrigins Places;
  Expected<KernelModel> Kernel =
      lowerKernel(*Code, WithDivisions, &Places,
                  Settings.options().Divisions ? nullptr : Special);
  if (!Kernel)
    return Kernel.takeError();
  if (Settings.options().Divisions)
    Places.Divisions.clear(); // the user's statement has precedence
  for (const std::string &Name : nameUnknowns(*Kernel, Unit.Anchors))
    for (UnknownOrigin &Origin : Places.Unknowns[Name])
      Origin.Opposite = !Origin.Opposite;
  KernelReading Reading{
      std::move(Settings), std::move(*Kernel), std::move(Places), {}, {}, {}};
  setRegisters(Reading, Source, *Code);
  takeMachineInstructions(Reading.Model);
  for (const LaunchSite &Site : Unit.Launches)
    if (Site.Kernel == Source.Mangled)
      Reading.Sites.push_back(&Site);
  collectParameterNames(Reading.Model, Reading.Sites, Reading.ParameterNames);
  Reading.Settings.applyTo(Reading.Model, Reading.Sites, Reading.UsedSettings);
  return Reading;
}

std::optional<Resources>
KernelPipeline::assembled(const Resources &Estimated,
                          const KernelSource &Source) const {
  return Registers->assembled(Estimated, Source.Mangled);
}

} // namespace gpuestimate
