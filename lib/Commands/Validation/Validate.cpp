/// \file
/// `gpu-estimate validate`: datasets in, one report out.
#include "gpu-estimate/Commands/Validation/Validate.h"

#include "CasePredictor.h"
#include "ScalingCases.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "gpu-estimate/Report/Validation/Validation.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/RegisterCounts.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Validate/ErrorTraining.h"
#include "gpu-estimate/Validate/IntervalStatistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <ctime>
#include <deque>

using namespace llvm;

namespace gpuestimate {

namespace {

class ValidateRun {
public:
  ValidateRun(const Options &O, raw_ostream &Err) : O(O), Err(Err) {}

  /// Errors are UsageErrors.
  Expected<Validation> run();
  ExitStatus status(const Validation &V) const;
  const RecordedBounds &recorded() const { return Recorded; }

private:
  Expected<std::vector<std::string>> folders(StringRef Root);
  Error chooseModels(Validation &V);
  /// Filters; false (and a line in V.Skipped) when the sources are not here.
  bool choose(const Dataset &D, DatasetCases &Into, Validation &V);
  bool isWhole() const;
  /// All cases of each dataset, with the models as they are.
  bool isUnchanged() const;
  /// "; recorded ..." of a dataset that is skipped, noted in V.
  std::string recordOf(StringRef Dataset, Validation &V) const;
  void checkBounds(Validation &V) const;

  const Options &O;
  raw_ostream &Err;
  std::deque<Dataset> Data;
  std::vector<std::string> WantedGpus; ///< ids
  RecordedBounds Recorded;
  std::vector<RecordedDataset> Figures;
  bool Unreadable = false;
};

} // namespace

static std::string inFolder(StringRef Folder, StringRef Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

Expected<std::vector<std::string>> ValidateRun::folders(StringRef Root) {
  Expected<std::vector<std::string>> All = datasetFolders(Root);
  if (!All)
    return usage(toString(All.takeError()));
  if (O.Validation.Datasets.empty())
    return All;
  std::vector<std::string> Names, Chosen;
  for (StringRef Folder : *All)
    Names.push_back(sys::path::filename(Folder).str());
  for (const std::string &Wanted : O.Validation.Datasets) {
    if (is_contained(Names, Wanted))
      Chosen.push_back(inFolder(Root, Wanted));
    else if (sys::fs::exists(inFolder(Wanted, "dataset.yaml")))
      Chosen.push_back(Wanted);
    else
      return usage("--dataset: no dataset is called '" + Wanted + "' in " +
                   Root + didYouMean(Wanted, Names));
  }
  return Chosen;
}

Error ValidateRun::chooseModels(Validation &V) {
  Expected<std::vector<std::string>> Models =
      modelsOfList(O.Model.value_or(DefaultModel.str()), /*EmptyIsAll=*/true);
  if (!Models)
    return usage("--model: " + toString(Models.takeError()));
  V.Models = std::move(*Models);
  return Error::success();
}

bool ValidateRun::choose(const Dataset &D, DatasetCases &Into, Validation &V) {
  Into.Data = &D;
  Into.Checkouts = O.Validation.SourcesFolder;
  Regex Wanted(O.KernelRegex);
  for (const MeasuredCase &C : D.Cases)
    if ((WantedGpus.empty() ||
         (C.Cpu.empty() && is_contained(WantedGpus, C.Gpu))) &&
        (O.KernelRegex.empty() || Wanted.match(C.Kernel)))
      Into.Cases.push_back(&C);
  std::vector<std::string> Repositories = D.repositories();
  if (Repositories.empty())
    return true;
  if (O.Validation.SourcesFolder.empty()) {
    V.Skipped.push_back(D.Name + ": skipped, its sources are those of " +
                        join(Repositories, ", ") + " (--sources DIR)" +
                        recordOf(D.Name, V));
    return false;
  }
  for (StringRef Repository : Repositories) {
    std::string Folder = checkoutFolder(O.Validation.SourcesFolder, Repository);
    if (sys::fs::is_directory(Folder))
      continue;
    V.Skipped.push_back(D.Name + ": skipped, there is no " + Folder +
                        recordOf(D.Name, V));
    return false;
  }
  return true;
}

bool ValidateRun::isUnchanged() const {
  return O.Gpus.empty() && O.KernelRegex.empty() && O.GpuOverrides.empty() &&
         O.Without.empty();
}

std::string ValidateRun::recordOf(StringRef Dataset, Validation &V) const {
  if (!isUnchanged())
    return "";
  for (const RecordedDataset &D : Figures)
    if (D.Name == Dataset) {
      V.Recorded.push_back(D);
      return "; " + describe(D);
    }
  return "";
}

/// Bounds are about the errors of the default model.
bool ValidateRun::isWhole() const {
  std::string Model = O.Model.value_or(DefaultModel.str());
  return isUnchanged() && O.Validation.Bounds != BoundsMode::Off &&
         (Model == DefaultModel || Model == "all");
}

void ValidateRun::checkBounds(Validation &V) const {
  for (const StatisticsRow &Row : statistics(V, GroupBy::Dataset)) {
    bool Failed = any_of(V.Failures, [&](const CaseFailure &F) {
      return F.Dataset == Row.Dataset;
    });
    if (Row.Model == DefaultModel && !Row.Part && Row.Errors.Cases > 0 &&
        !Failed)
      V.Bounds.push_back(checkBound(Recorded, Row.Dataset, Row.Errors.MeanApe));
  }
  for (const IntervalRow &Row : intervalStatistics(V, GroupBy::Inputs))
    if (Row.Cases >= GroupedCases)
      V.Bounds.push_back(checkCoverage(Recorded, Row.Dataset + "/" + Row.Inputs,
                                       Row.Covered[DefaultLevelIndex]));
}

static std::string today() {
  std::time_t Today = std::time(nullptr);
  char Text[16];
  std::strftime(Text, sizeof Text, "%Y-%m-%d", std::gmtime(&Today));
  return Text;
}

/// Into the file of every model: those that no case was about lose theirs.
static Error recordValidation(const Validation &V, StringRef ModelFolder) {
  Expected<std::vector<GpuModel>> Models = loadGpuModels(ModelFolder);
  if (!Models)
    return Models.takeError();
  std::vector<StatisticsRow> Rows = statistics(V, GroupBy::Gpu);
  for (const GpuModel &Gpu : *Models) {
    std::vector<ValidationRecord> Records;
    for (const StatisticsRow &Row : Rows)
      if (Row.Gpu == Gpu.Id && Row.Model == DefaultModel && !Row.Part &&
          Row.Errors.Cases > 0)
        Records.push_back({Row.Dataset, unsigned(Row.Errors.Cases),
                           recorded(Row.Errors.MeanApe), today()});
    // Unchanged records keep their date.
    for (ValidationRecord &New : Records)
      for (const ValidationRecord &Earlier : Gpu.Validation)
        if (Earlier.Dataset == New.Dataset && Earlier.Cases == New.Cases &&
            Earlier.MeanError == New.MeanError)
          New.Date = Earlier.Date;
    auto Old = MemoryBuffer::getFile(Gpu.File);
    if (!Old)
      return errorCodeToError(Old.getError());
    std::string Text = withValidation((*Old)->getBuffer(), Records);
    if (Text == (*Old)->getBuffer())
      continue;
    if (Error E = writeToOutput(Gpu.File, [&](raw_ostream &OS) {
          OS << Text;
          return Error::success();
        }))
      return E;
  }
  return Error::success();
}

Expected<Validation> ValidateRun::run() {
  Validation V;
  if (Error E = chooseModels(V))
    return E;
  for (const std::string &Model : V.Models)
    if (Error E = checkTerms(O.Without, *findModel(Model)))
      return E;
  Expected<std::string> Models = findModelFolder(O.ModelFolder);
  if (!Models)
    return usage(toString(Models.takeError()));
  for (const std::string &Name : O.Gpus) {
    Expected<std::vector<GpuModel>> Gpus = findGpuModels(Name, *Models);
    if (!Gpus)
      return usage("--gpu: " + toString(Gpus.takeError()));
    for (const GpuModel &Gpu : *Gpus)
      WantedGpus.push_back(Gpu.Id);
  }
  Expected<std::string> Root = findValidationFolder(O.Validation.Folder);
  if (!Root)
    return usage(toString(Root.takeError()));
  Expected<std::vector<std::string>> Folders = folders(*Root);
  if (!Folders)
    return Folders.takeError();
  Expected<RecordedBounds> Bounds = loadBounds(inFolder(*Root, "bounds.yaml"));
  if (!Bounds)
    return usage(toString(Bounds.takeError()));
  Recorded = std::move(*Bounds);
  Expected<std::vector<RecordedDataset>> Read =
      loadRecordedFigures(inFolder(*Root, "recorded.json"));
  if (!Read)
    return usage(toString(Read.takeError()));
  Figures = std::move(*Read);

  std::vector<DatasetCases> Chosen;
  for (const std::string &Folder : *Folders) {
    Expected<Dataset> D = loadDataset(Folder);
    if (!D) { // the others are worth their numbers
      Unreadable = true;
      Err << toString(D.takeError()) << '\n';
      continue;
    }
    Data.push_back(std::move(*D));
    DatasetCases Cases;
    if (!choose(Data.back(), Cases, V) || Cases.Cases.empty())
      continue;
    V.Datasets.push_back({Data.back().Name, Data.back().Description,
                          Data.back().Source, Data.back().Tuning});
    Chosen.push_back(std::move(Cases));
  }
  if (Chosen.empty() && V.Skipped.empty() && !Unreadable)
    return usage("no case is left to predict in " + *Root);
  predictCases(Chosen, O, *Models, V);
  if (O.Scaling.Compare || O.Scaling.Method)
    if (Error E = addScalingErrors(V))
      return usage(toString(std::move(E)));
  if (isWhole())
    checkBounds(V);
  if (O.Validation.Record) {
    if (!isWhole() || !O.Validation.Datasets.empty() || !V.Failures.empty() ||
        Unreadable)
      return usage("--record: only what all datasets together find, without a "
                   "case that failed, is recorded");
    if (Error E = recordValidation(V, *Models))
      return usage(toString(std::move(E)));
  }
  return V;
}

ExitStatus ValidateRun::status(const Validation &V) const {
  if (Unreadable || !V.Failures.empty())
    return NotAnalysed;
  bool Worse = any_of(V.Bounds, [](const BoundCheck &C) {
    return C.Verdict == BoundVerdict::Worse;
  });
  return Worse && O.Validation.Bounds == BoundsMode::Check ? BoundExceeded
                                                           : Done;
}

static std::string render(const Options &O, const Validation &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Validation.Format) {
  case ValidationFormat::Text:
    printValidationText(OS, V);
    break;
  case ValidationFormat::Json:
    printValidationJson(OS, V, toolVersion());
    break;
  case ValidationFormat::Csv:
    printValidationCsv(OS, V);
    break;
  case ValidationFormat::Html:
    printValidationHtml(OS, V, toolVersion());
    break;
  case ValidationFormat::Markdown:
    printValidationMarkdown(OS, V);
    break;
  case ValidationFormat::Scaling:
    printValidationScaling(OS, V);
    break;
  case ValidationFormat::Errors:
    OS << errorTableText(V);
    break;
  }
  return OS.str();
}

ExitStatus runValidate(const Options &Given, raw_ostream &Out,
                       raw_ostream &Err) {
  Options O = Given;
  // The errors must not depend on what is installed.
  if (O.Ptxas.empty())
    O.Ptxas = "off";
  if (O.Ptxas == ComparePtxas && !sys::findProgramByName("ptxas")) {
    Err << "gpu-estimate: error: --ptxas both: there is no ptxas on PATH\n";
    return WrongUsage;
  }
  ValidateRun Run(O, Err);
  Expected<Validation> V = Run.run();
  if (!V) {
    Err << "gpu-estimate: error: " << toString(V.takeError()) << '\n';
    return WrongUsage;
  }
  bool PrintBounds = O.Validation.Bounds == BoundsMode::Print;
  std::string Text =
      PrintBounds ? boundsText(Run.recorded(), V->Bounds) : render(O, *V);
  if (ExitStatus Written = writeOutput(O, Text, Out, Err); Written != Done)
    return Written;
  // A text report has these lines where its reader sees them.
  bool Seen = !PrintBounds && O.OutputFile.empty() &&
              O.Validation.Format == ValidationFormat::Text;
  if (!Seen) {
    for (const BoundCheck &C : V->Bounds)
      if (C.Verdict != BoundVerdict::Same && !PrintBounds)
        Err << "gpu-estimate: " << describe(C) << '\n';
    for (const FailureGroup &G : groupFailures(V->Failures))
      Err << "gpu-estimate: not predicted: " << describe(G) << '\n';
  }
  return Run.status(*V);
}

} // namespace gpuestimate
