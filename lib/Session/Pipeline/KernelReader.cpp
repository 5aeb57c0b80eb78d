#include "KernelReader.h"

#include "Session/Settings/Annotation.h"
#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

void KernelReader::readAnnotation(const SourceNote &Note,
                                  Expected<Options> Read,
                                  std::vector<Options> &Into) const {
  Error E =
      Read ? resolveBudgets(Read->Budgets, S.ModelFolder) : Read.takeError();
  if (!E)
    return Into.push_back(std::move(*Read));
  Notice N{Note.Place, "annotation ignored: " + toString(std::move(E))};
  // Kernels share their loops, and instantiations their template.
  if (none_of(Notices, [&](const Notice &Other) {
        return Other.Location == N.Location && Other.Text == N.Text;
      }))
    Notices.push_back(std::move(N));
}

/// The nearest to the kernel last. Those of loops and conditions come first;
/// of a loop nest of plain C, what is said of its loop may be said of a kernel.
std::vector<Options>
KernelReader::annotations(const KernelSource &Source) const {
  std::vector<Options> Read;
  for (const SourceAnchor &Anchor : Unit.Anchors)
    for (const SourceNote &Note : Anchor.Notes) {
      bool OfNest = !Source.HostFunction.empty() &&
                    Anchor.Location == Source.Location &&
                    !StringRef(Note.Text).starts_with("trip");
      readAnnotation(Note,
                     OfNest
                         ? parseAnnotation(Note.Text, Unit.Constants)
                         : parseAnnotation(Anchor, Note.Text, Unit.Constants),
                     Read);
    }
  for (const SourceNote &Note : Source.Notes)
    readAnnotation(Note, parseAnnotation(Note.Text, Unit.Constants), Read);
  return Read;
}

KernelSettings KernelReader::settings(const KernelSource &Source) const {
  return KernelSettings(S, Unit.MainFile, Source, annotations(Source));
}

Expected<KernelReading> KernelReader::read(Function &F,
                                           const KernelSource &Source) const {
  KernelSettings Settings = settings(Source);
  KernelSource Told = Source;
  Told.Divisions =
      Settings.options().Divisions.value_or(DivisionOperands::Ordinary);
  IrPlaces Places;
  Expected<KernelModel> Kernel = extractKernel(F, Told, &Places);
  if (!Kernel)
    return Kernel.takeError();
  nameUnknowns(*Kernel, Unit.Anchors);
  KernelReading Read{
      std::move(Settings), std::move(*Kernel), std::move(Places), {}};
  const Options &Says = Read.Settings.options();
  Registers.set(Read.Model.Res, Source.Mangled, Says.Registers,
                Read.Settings.registersSource());
  for (const LaunchSite &Site : Unit.Launches)
    if (Site.Kernel == Source.Mangled)
      Read.Sites.push_back(&Site);
  return Read;
}

} // namespace gpuestimate
