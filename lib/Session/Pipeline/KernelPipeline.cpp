#include "KernelPipeline.h"

#include "Session/Settings/Annotation.h"
#include "gpu-estimate/Frontend/AssignedRegisters.h"
#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Model/Transform/MachineInstructions.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

std::string crashReason() {
  return "internal: the analysis crashed; please report it with the source";
}

KernelPipeline::KernelPipeline(TranslationUnit &&Parsed, const Setup &S,
                               StepLimits Limits, std::vector<Notice> &Notices)
    : Unit(std::move(Parsed)), S(S), Limits(Limits), Notices(Notices) {
  offloadLoops();
  // ptxas compiles the code as it will run, before step 3 changes it.
  countRegisters();
  if (Failure.empty())
    simplifyModule();
}

void KernelPipeline::offloadLoops() {
  // A proof of independence that was cut off by a limit is none.
  if (Limits == StepLimits::None) {
    Loops = offloadLoopNests(Unit, S);
    return;
  }
  WorkBudget Budget(analysisLimits(S.Opts, Unit.Nests.size(), /*Gpus=*/1));
  WorkScope Scope(Budget);
  Loops = offloadLoopNests(Unit, S);
  if (workExhausted())
    Failure = endedEarly();
}

void KernelPipeline::countRegisters() {
  Registers.emplace(Unit, S.Opts);
  if (!Registers->notice().empty())
    Notices.push_back({SourceLocation(), Registers->notice()});
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
      bool IsNest = !Source.HostFunction.empty() &&
                    Anchor.Location == Source.Location &&
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
      compileVariants(*code(Source), Source, Loops, S);
  if (Variants && Variants->Unfused)
    nameUnknowns(*Variants->Unfused, Unit.Anchors);
  return Variants;
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
  std::string Remark = Registers->set(Reading.Model.Res, Source.Mangled,
                                      Reading.Settings.options().Registers,
                                      Reading.Settings.registersSource());
  unsigned Assigned = 0;
  if (!Code->getFnAttribute(AssignedRegistersMark)
           .getValueAsString()
           .getAsInteger(10, Assigned) &&
      is_contained({"estimate", "ptxas"}, Reading.Model.Res.RegistersSource)) {
    Reading.Model.Res.RegistersPerThread = Assigned;
    Reading.Model.Res.RegistersSource = "ptxas";
    Remark = "";
  }
  if (!Remark.empty())
    Notices.push_back(
        {Source.Location, "'" + Source.Name + "': " + std::move(Remark)});
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
