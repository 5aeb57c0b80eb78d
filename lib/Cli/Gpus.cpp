/// \file
/// `gpu-estimate gpus`: GPU models as tables.
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Model/Machine/Derive.h"
#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/Plausibility.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Scaling/CardRatio.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static ExitStatus fail(raw_ostream &Err, Error E) {
  Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
  return WrongUsage;
}

static ExitStatus list(Expected<std::vector<GpuModel>> Models, raw_ostream &Out,
                       raw_ostream &Err) {
  if (!Models)
    return fail(Err, Models.takeError());
  Table T({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
           Align::Right, Align::Left});
  T.row({"id", "name", "architecture", "SMs", "clock", "DRAM peak",
         "mean error"});
  for (const GpuModel &Gpu : *Models)
    T.row({Gpu.Id, Gpu.Name, Gpu.Architecture, std::to_string(Gpu.SmCount),
           formatFrequency(Gpu.CoreClock), formatRate(Gpu.DramPeakBandwidth),
           describeValidation(Gpu.Validation)});
  T.print(Out, 0);
  return Done;
}

static ExitStatus show(StringRef Name, StringRef Folder, const Options &O,
                       raw_ostream &Out, raw_ostream &Err) {
  Expected<GpuModel> Gpu = findGpuModel(Name, Folder);
  if (!Gpu)
    return fail(Err, Gpu.takeError());
  for (const std::string &Override : O.GpuOverrides)
    if (Error E = setGpuValue(*Gpu, Override))
      return fail(Err, std::move(E));
  Out << Gpu->Id << ": " << Gpu->Name << ", from " << Gpu->File << "\n\n";
  Table T({Align::Left, Align::Left, Align::Left, Align::Left});
  T.row({"key", "value", "kind", "source"});
  for (const GpuValueRow &Row : describe(*Gpu))
    if (!Row.Value.empty())
      T.row({Row.Key, Row.Value, Row.Kind, Row.Source});
  T.print(Out, 0);
  Out << "\nnot stated:";
  for (const GpuValueRow &Row : describe(*Gpu))
    if (Row.Value.empty())
      Out << ' ' << Row.Key;
  Out << "\nmean error: " << describeValidation(Gpu->Validation) << '\n';
  if (Gpu->Validation.empty()) {
    ValueOrigins Origins = valueOrigins(*Gpu);
    Out << "  no dataset has a measured time of this GPU; "
        << Origins.OfOtherGpus << " of its " << Origins.All
        << " values are those of other GPUs\n";
  }
  for (const ValidationRecord &R : Gpu->Validation)
    Out << "  " << R.Dataset << ": " << formatPercent(R.MeanError) << " on "
        << R.Cases << " cases, " << R.Date << '\n';
  return Done;
}

ExitStatus runGpus(StringRef Name, const Options &O, raw_ostream &Out,
                   raw_ostream &Err) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return fail(Err, Folder.takeError());
  if (Name.empty())
    return list(loadGpuModels(*Folder), Out, Err);
  if (isArchitecture(Name))
    return list(findGpuModels(Name, *Folder), Out, Err);
  return show(Name, *Folder, O, Out, Err);
}

ExitStatus runGpuScale(StringRef NameA, StringRef NameB, const Options &O,
                       raw_ostream &Out, raw_ostream &Err) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return fail(Err, Folder.takeError());
  std::vector<GpuModel> Cards;
  for (StringRef Name : {NameA, NameB}) {
    Expected<GpuModel> Gpu = findGpuModel(Name, *Folder);
    if (!Gpu)
      return fail(Err, Gpu.takeError());
    Cards.push_back(std::move(*Gpu));
  }
  std::array<double, 2> Price = {0, 0};
  for (const auto &[Name, Value] : O.Prices) {
    bool Any = false;
    for (unsigned I = 0; I < 2; ++I)
      if (Name == Cards[I].Id || isProduct(Cards[I], Name)) {
        Price[I] = Value;
        Any = true;
      }
    if (!Any)
      return fail(Err, createStringError("--price " + Name +
                                         ": neither of the two cards"));
  }
  bool HasCost = Price[0] > 0 && Price[1] > 0;
  Out << "A: " << Cards[0].Id << ": " << Cards[0].Name << "\nB: " << Cards[1].Id
      << ": " << Cards[1].Name
      << "\n\nA kernel that is bound by the same on both takes on B\n";
  Table T({Align::Left, Align::Right, Align::Right, Align::Left, Align::Right,
           Align::Right});
  T.row({"bound by", "A", "B", "", "time", HasCost ? "cost" : ""});
  auto Text = [](const char *Format, double Value) {
    std::string Result;
    raw_string_ostream(Result) << format(Format, Value);
    return Result;
  };
  for (const CardRatio &R : cardRatios(Cards[0], Cards[1]))
    T.row({R.Bound, Text("%.4g", R.OfA), Text("%.4g", R.OfB), R.Unit,
           Text("%.2f x", R.Time),
           HasCost ? Text("%.2f x", R.Time * Price[1] / Price[0]) : ""});
  T.print(Out, 2);
  Out << "\nA kernel whose bound changes lies between the ratios of both "
         "bounds;\n`gpu-estimate analyze FILE --gpu "
      << Cards[0].Id << " --gpu " << Cards[1].Id << "` predicts it.\n";
  return Done;
}

/// The command that makes the file again, a value a line.
static void printDerivation(StringRef From, StringRef Source, const Options &O,
                            raw_ostream &Out) {
  auto Quoted = [](StringRef Word) {
    std::string Text = "'";
    for (char C : Word)
      Text += C == '\'' ? "'\\''" : std::string(1, C);
    return Text + "'";
  };
  Out << "#   gpu-estimate gpus --derive " << From;
  if (!Source.empty())
    Out << " \\\n#     --source " << Quoted(Source);
  for (const std::string &Fact : O.GpuOverrides)
    Out << " \\\n#     --set " << Quoted(Fact);
  Out << '\n';
}

ExitStatus runGpuDerive(StringRef From, StringRef Source, const Options &O,
                        raw_ostream &Out, raw_ostream &Err) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return fail(Err, Folder.takeError());
  Expected<GpuModel> Sibling = findGpuModel(From, *Folder);
  if (!Sibling)
    return fail(Err, Sibling.takeError());
  Expected<DerivedModel> Derived =
      deriveGpuModel(*Sibling, O.GpuOverrides, Source);
  if (!Derived)
    return fail(Err, Derived.takeError());
  const GpuModel &Gpu = Derived->Model;
  std::string Text = writeGpuModel(Gpu);
  Expected<GpuModel> Back = parseGpuModel(Text, Gpu.Id + ".yaml");
  if (!Back)
    return fail(Err, Back.takeError());
  Out << "# " << Gpu.Name << ", derived from " << Sibling->Name
      << " (docs/gpu-model.md):\n";
  printDerivation(Sibling->Id, Source, O, Out);
  Out << Text;
  auto List = [&](StringRef What, ArrayRef<std::string> Keys) {
    if (!Keys.empty())
      Err << "  " << What << " (" << Keys.size() << "): " << join(Keys, " ")
          << '\n';
  };
  Err << Gpu.Id << ", derived from " << Sibling->Id << ":\n";
  List("stated", Derived->Set);
  List("scaled", Derived->Scaled);
  List("inherited", Derived->Inherited);
  List("of the board, left out", Derived->LeftOut);
  Err << "  of the multiprocessor, as " << Sibling->Id
      << " has them: " << Derived->OfMultiprocessor.size() << '\n';
  std::vector<std::string> Doubts = checkPlausibility(*Back);
  for (const std::string &Doubt : Doubts)
    Err << "gpu-estimate: warning: " << Doubt << '\n';
  return Doubts.empty() ? Done : NotAnalysed;
}

ExitStatus runGpuCheck(StringRef File, raw_ostream &Out, raw_ostream &Err) {
  Expected<GpuModel> Gpu = loadGpuModel(File);
  if (!Gpu) {
    fail(Err, Gpu.takeError());
    return NotAnalysed;
  }
  std::vector<std::string> Doubts = checkPlausibility(*Gpu);
  for (const std::string &Doubt : Doubts)
    Err << File << ": warning: " << Doubt << '\n';
  Out << File << ": the model of " << Gpu->Id << " is "
      << (Doubts.empty() ? "well-formed and plausible\n" : "well-formed\n");
  return Doubts.empty() ? Done : NotAnalysed;
}

} // namespace gpuestimate
