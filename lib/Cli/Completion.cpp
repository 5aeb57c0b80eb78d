/// \file
/// From the tables of commands, options and names to what can be completed.
#include "Completion.h"

#include "CommandTable.h"
#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Cli/ShellFiles.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/Models.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuestimate {

/// Ids of the shipped models, in alphabetical order.
static std::vector<std::string> gpuIds() {
  std::vector<std::string> Ids;
  Expected<std::string> Folder = findModelFolder("");
  if (!Folder) {
    consumeError(Folder.takeError());
    return Ids;
  }
  Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models) {
    consumeError(Models.takeError());
    return Ids;
  }
  for (const GpuModel &Model : *Models)
    Ids.push_back(Model.Id);
  return Ids;
}

static std::vector<std::string> modelIds(bool All) {
  std::vector<std::string> Names;
  for (const ModelInfo &Model : modelTable())
    Names.push_back(Model.Name.str());
  if (All)
    Names.push_back("all");
  return Names;
}

static CompletionValue filesOf(std::vector<std::string> Endings) {
  CompletionValue Value;
  Value.Files = true;
  Value.Endings = std::move(Endings);
  return Value;
}

static CompletionValue sources() {
  return filesOf({"cu", "hip", "c", "cc", "cpp", "cxx"});
}

/// "cold|warm": words alone. "PATH|off": a file, or a word.
static CompletionValue valueOf(StringRef Metavariable) {
  CompletionValue Value;
  SmallVector<StringRef, 8> Parts;
  Metavariable.split(Parts, '|');
  for (StringRef Part : Parts) {
    if (Part == "FILE" || Part == "PATH" || Part == "GOLDEN" || Part == "MODEL")
      Value.Files = true;
    else if (Part == "DIR")
      Value.Folders = true;
    else if (Parts.size() > 1 && all_of(Part, [](char C) {
               return isLower(C) || C == '-' || isDigit(C);
             }))
      Value.Words.push_back(Part.str());
  }
  return Value;
}

static CompletionValue valueOf(const OptionSpec &Spec, unsigned Command) {
  if (Spec.Spelling == "--gpu") {
    CompletionValue Value = filesOf({"yaml"});
    Value.Words = gpuIds();
    return Value;
  }
  if (Spec.isValueOptional())
    return {};
  CompletionValue Value = valueOf(Spec.Metavariable);
  if (Spec.Spelling == "--model")
    Value.Words = modelIds(/*All=*/Command == ByValidate);
  if (Spec.Metavariable == "GROUP" && Spec.Commands & ByAnalyze) {
    for (const DiagnosticGroupInfo &Row : diagnosticTable())
      Value.Words.push_back(Row.Name.str());
    Value.Words.push_back("all");
  }
  if (Spec.Spelling == "--without")
    for (const TermInfo &Term : termTable())
      Value.Words.push_back(Term.Name.str());
  if (Spec.Spelling == "--against")
    Value.Words = {"cpu", "fpga"};
  return Value;
}

/// The first sentence, in one line of a list.
static std::string brief(StringRef Help) {
  constexpr size_t MaxLength = 70;
  for (StringRef Prefix :
       {"golden and diff: ", "golden: ", "diff: ", "doctor: ", "bug-report: "})
    Help.consume_front(Prefix);
  StringRef Sentence = Help.take_front(Help.find(". ")).rtrim('.');
  if (Sentence.size() <= MaxLength)
    return Sentence.str();
  return Sentence.take_front(Sentence.rfind(' ', MaxLength))
             .rtrim(",;:")
             .str() +
         " ...";
}

static void addTable(CompletionCommand &Command, unsigned Takes) {
  StringSet<> Seen; // --format stands there once for validate
  for (const OptionSpec &Spec : optionTable()) {
    if (Spec.Spelling.empty() || !(Spec.Commands & Takes) ||
        (Command.Name == "golden" && !(Spec.Commands & ByGolden) &&
         (Spec.Spelling == "--format" || Spec.Spelling == "--compiler")) ||
        (Command.Name == "bug-report" && Spec.Spelling == "--format") ||
        (Command.Name == "serve" && Spec.Section == OptionSection::Output) ||
        !Seen.insert(Spec.Spelling).second)
      continue;
    CompletionOption O;
    O.Spelling = Spec.Spelling.str();
    O.Help = brief(Spec.Help);
    O.TakesValue = !Spec.Metavariable.empty() && !Spec.isValueOptional();
    O.Repeatable = Spec.Repeatable;
    O.Value = valueOf(Spec, Takes);
    Command.Options.push_back(std::move(O));
  }
}

/// The wrapper's own, then those of the analysis, as one word each.
static void addWrapper(CompletionCommand &Command) {
  for (const WrapperOption &Row : wrapperOptions()) {
    auto [Spelling, Metavariable] = Row.Spelling.split('=');
    if (Spelling == "--KEY")
      continue;
    CompletionOption O;
    O.Spelling = Spelling.str();
    O.Help = brief(Row.Help);
    O.TakesValue = !Metavariable.empty();
    O.Value = valueOf(Metavariable);
    Command.Options.push_back(std::move(O));
  }
  CompletionCommand Analysis;
  addTable(Analysis, ByAnalyze);
  for (CompletionOption &O : Analysis.Options)
    if (StringRef(O.Spelling).starts_with("--") && O.Spelling != "--results" &&
        O.Spelling != "--json")
      Command.Options.push_back(std::move(O));
  for (CompletionOption &O : Command.Options)
    O.OneWord = true;
  Command.ThenCommand = true;
}

static void complete(CompletionCommand &Command, unsigned Takes) {
  StringRef Name = Command.Name;
  if (Name == "cc")
    return addWrapper(Command);
  addTable(Command, Name == "golden" || Name == "serve" || Name == "bug-report"
                        ? ByAnalyze | Takes
                        : Takes);
  if (Name == "gpus") {
    Command.Arguments.Words = gpuIds();
    CompletionOption Check;
    Check.Spelling = "--check";
    Check.Help = "Check a GPU model file";
    Check.TakesValue = true;
    Check.Value = filesOf({"yaml"});
    Command.Options.push_back(std::move(Check));
    CompletionOption Scale;
    Scale.Spelling = "--scale";
    Scale.Help = "How a kernel moves from one card to another";
    Scale.TakesValue = true;
    Scale.Value.Words = gpuIds();
    Command.Options.push_back(std::move(Scale));
    CompletionOption Derive;
    Derive.Spelling = "--derive";
    Derive.Help = "Make the model of a GPU from that of a sibling";
    Derive.TakesValue = true;
    Derive.Value.Words = gpuIds();
    Command.Options.push_back(std::move(Derive));
    CompletionOption Source;
    Source.Spelling = "--source";
    Source.Help = "Who states the values of --set";
    Source.TakesValue = true;
    Command.Options.push_back(std::move(Source));
  } else if (Name == "report") {
    Command.Arguments.Folders = true;
  } else if (Name == "diff") {
    Command.Arguments = filesOf({"json"});
  } else if (Name == "kernelbench") {
    Command.Arguments = filesOf({"py"});
  } else if (Name != "validate" && Name != "measure" && Name != "doctor") {
    Command.Arguments = sources();
  }
}

std::vector<CompletionCommand> completionCommands() {
  std::vector<CompletionCommand> Commands;
  for (const Subcommand &Row : subcommandTable()) {
    StringRef Name = Row.name();
    if (Name.empty() || any_of(Commands, [&](const CompletionCommand &C) {
          return C.Name == Name;
        }))
      continue;
    Commands.push_back({Name.str(), brief(Row.Help), {}, {}, false});
    complete(Commands.back(), Row.Command);
  }
  return Commands;
}

std::vector<CompletionOption> completionGlobals() {
  CompletionOption Help, Version, Explain;
  Help.Spelling = "--help";
  Help.Help = "Print what can be said";
  Version.Spelling = "--version";
  Version.Help = "Print the version";
  Explain.Spelling = "--explain";
  Explain.Help = "Explain a diagnostic, a bound or a part of the time";
  Explain.TakesValue = true;
  for (const Topic &T : topics()) {
    std::string Name = T.Name;
    std::replace(Name.begin(), Name.end(), ' ', '-');
    if (!is_contained(Explain.Value.Words, Name))
      Explain.Value.Words.push_back(Name);
  }
  return {Help, Version, Explain};
}

std::string joined(ArrayRef<std::string> Words, StringRef Between) {
  return llvm::join(Words, Between);
}

std::string packageNames() {
  return "# Written by gpu-estimate-docs.\nset(GpuEstimate_MODELS " +
         joined(modelIds(/*All=*/false), " ") + ")\n";
}

} // namespace gpuestimate
