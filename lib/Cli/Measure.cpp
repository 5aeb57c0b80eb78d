/// \file
/// `gpu-estimate measure`: run, fit, check, write.
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Measure/Groups.h"
#include "gpu-estimate/Measure/Runner.h"
#include "gpu-estimate/Measure/Write.h"
#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/Plausibility.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static ExitStatus fail(raw_ostream &Err, Error E, ExitStatus Status) {
  Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
  return Status;
}

static Expected<GpuModel> baseModel(const Options &O,
                                    const MeasuredIdentity &Id) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  return O.Measure.Base.empty() ? nearestModel(Id, *Folder)
                                : findGpuModel(O.Measure.Base, *Folder);
}

/// Writes next to File, loads that back, and only then gives it its name.
static Error writeChecked(const GpuModel &Model, StringRef Header,
                          StringRef File, std::vector<std::string> &Doubts) {
  std::string Fresh = (File + ".new.yaml").str();
  std::error_code Problem;
  {
    raw_fd_ostream OS(Fresh, Problem);
    if (Problem)
      return createStringError(Fresh + ": " + Problem.message());
    OS << Header << writeGpuModel(Model);
  }
  Expected<GpuModel> Back = loadGpuModel(Fresh);
  if (!Back)
    return Back.takeError();
  for (const std::string &Doubt : checkPlausibility(*Back))
    Doubts.push_back("implausible: " + Doubt);
  if (std::error_code E = sys::fs::rename(Fresh, File))
    return createStringError(File + ": " + E.message());
  return Error::success();
}

/// Groups without samples, separated by commas.
static std::string missingGroups(ArrayRef<Measurement> Measured) {
  std::string Names;
  for (const MeasureGroup &Group : measureGroups())
    if (none_of(Measured,
                [&](const Measurement &M) { return M.Group == Group.Name; }))
      Names += (Names.empty() ? "" : ", ") + Group.Name.str();
  return Names;
}

static ExitStatus makeModel(const Options &O, StringRef Raw,
                            ArrayRef<std::string> Failed, raw_ostream &Out,
                            raw_ostream &Err) {
  auto Measured = readRawFolder(Raw);
  if (!Measured)
    return fail(Err, Measured.takeError(), NotAnalysed);
  MeasuredIdentity Id = identityOf(*Measured);
  if (Id.Name.empty())
    return fail(Err,
                createStringError("the raw samples in '" + Raw +
                                  "' do not name their GPU: expected a "
                                  "device.jsonl with its name"),
                NotAnalysed);
  Expected<GpuModel> Base = baseModel(O, Id);
  if (!Base)
    return fail(Err, Base.takeError(), WrongUsage);
  Fit Fitted = fitMeasurements(*Measured, *Base);
  Expected<GpuModel> Model = measuredModel(Id, Fitted, *Base);
  if (!Model)
    return fail(Err, Model.takeError(), NotAnalysed);

  SmallString<128> File(O.Measure.Out);
  if (File.empty()) {
    File = O.Measure.Work;
    if (std::error_code E = sys::fs::create_directories(File))
      return fail(Err, createStringError(File + ": " + E.message()),
                  NotAnalysed);
    sys::path::append(File, Model->Id + ".yaml");
  }
  std::string Header =
      "# " + Model->Name + ", written by gpu-estimate measure" +
      (Id.Driver.empty() ? "" : " with CUDA driver " + Id.Driver) +
      ".\n# What was not measured is inherited from " + Base->Id + ".\n";
  std::vector<std::string> Doubts = Fitted.Doubts;
  if (std::string Missing = missingGroups(*Measured); !Missing.empty())
    Doubts.push_back("not measured: " + Missing +
                     "; their values are inherited from " + Base->Id);
  for (const std::string &Group : Failed)
    Doubts.push_back("group " + Group);
  if (Error E = writeChecked(*Model, Header, File, Doubts))
    return fail(Err, std::move(E), NotAnalysed);
  for (const std::string &Doubt : Doubts)
    Err << "gpu-estimate: warning: " << Doubt << '\n';
  size_t Inherited = 0;
  for (const auto &Entry : Model->Sources)
    Inherited += Entry.second.Kind == "inherited";
  Out << File << ": model of " << Model->Name << ", "
      << Model->Sources.size() - Inherited << " values measured or reported, "
      << Inherited << " inherited from " << Base->Id << "\nraw samples: " << Raw
      << '\n';
  return Done;
}

ExitStatus runMeasure(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (!O.Measure.Raw.empty())
    return makeModel(O, O.Measure.Raw, {}, Out, Err);
  for (const std::string &Name : O.Measure.Only)
    if (!findMeasureGroup(Name))
      return fail(Err,
                  createStringError("--only: no group is called '" + Name +
                                    "'; there are: " + measureGroupNames()),
                  WrongUsage);
  RunnerOptions R;
  R.Compiler = O.Measure.Compiler;
  R.WorkFolder = O.Measure.Work;
  R.Only = O.Measure.Only;
  R.Quick = O.Measure.Quick;
  R.Terminal = Err.is_displayed();
  Expected<RunnerResult> Ran = runGroups(R, Err);
  if (!Ran)
    return fail(Err, Ran.takeError(), NotAnalysed);
  return makeModel(O, Ran->RawFolder, Ran->Failed, Out, Err);
}

} // namespace gpuestimate
