/// \file
/// The command line by CLI11, from the option table.
#include "CommandLine.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <CLI/CLI.hpp>
#include <deque>

namespace gpuestimate {

namespace {

/// Where CLI11 leaves the values of one row of the option table.
struct Slot {
  const OptionSpec *Spec;
  std::vector<std::string> Values;
  bool Given = false;
  /// Of an option whose value may be left out, which CLI11 calls "true".
  std::string Optional;
};

class Parser {
public:
  explicit Parser(std::vector<std::string> Words);
  Command parse();

private:
  void addTableOption(CLI::App &Subcommand, const OptionSpec &Spec);
  void addTable(CLI::App &Subcommand, unsigned Commands,
                std::initializer_list<llvm::StringRef> But = {},
                std::optional<OptionSection> ButSection = std::nullopt);
  Command complain(std::string Text) {
    Result.Kind = Command::Complain;
    Result.Text = std::move(Text);
    return std::move(Result);
  }
  Command take();
  void splitProgramArguments();

  CLI::App App{"gpu-estimate", "gpu-estimate"};
  CLI::App *Analyze, *AnalyzeCommand, *Report, *Golden, *Diff, *Compare, *Tune,
      *Sweep, *Run, *Serve, *BuildCommand, *Gpus, *Validate, *Measure, *Doctor,
      *BugReport;
  std::vector<std::string> Arguments;
  std::deque<Slot> Slots; // CLI11 keeps references into it
  Command Result;
};

} // namespace

// NOLINTNEXTLINE(readability-function-size): the commands, one by one.
Parser::Parser(std::vector<std::string> Words) : Arguments(std::move(Words)) {
  auto Help = [](const CLI::App *, std::string, CLI::AppFormatMode) {
    return toolHelp();
  };
  auto HelpOf = [](TakenBy Command) {
    return [Command](const CLI::App *, std::string, CLI::AppFormatMode Mode) {
      return commandHelp(Command, Mode == CLI::AppFormatMode::All);
    };
  };
  App.formatter_fn(Help);
  App.set_version_flag("--version", "gpu-estimate " + toolVersion().str());
  App.set_help_all_flag("--help-all");
  App.require_subcommand(1);

  Analyze = App.add_subcommand("analyze");
  Analyze->formatter_fn(HelpOf(ByAnalyze));
  // With -p the database may name them.
  Analyze->add_option("FILE", Result.Opts.Files);
  addTable(*Analyze, ByAnalyze);

  // bin/gpu-estimate is the wrapper; only its help is ours.
  App.add_subcommand("cc")->formatter_fn(
      [](const CLI::App *, std::string, CLI::AppFormatMode) {
        return wrapperHelp();
      });

  AnalyzeCommand = App.add_subcommand("analyze-command");
  AnalyzeCommand->formatter_fn(Help);
  AnalyzeCommand->add_option("--source", Result.Opts.Files)
      ->required()
      ->expected(1);
  addTable(*AnalyzeCommand, ByAnalyze);

  Report = App.add_subcommand("report");
  Report->formatter_fn(HelpOf(ByReport));
  Report->add_option("FOLDER", Result.Opts.Files)->required();
  addTable(*Report, ByReport);

  Golden = App.add_subcommand("golden");
  Golden->formatter_fn(HelpOf(ByGolden));
  Golden->add_option("FILE", Result.Opts.Files)->required();
  addTable(*Golden, ByAnalyze | ByGolden, {"--format"});

  Diff = App.add_subcommand("diff");
  Diff->formatter_fn(HelpOf(ByDiff));
  Diff->add_option("RESULT", Result.Opts.Files)->required()->expected(2);
  addTable(*Diff, ByDiff);

  Compare = App.add_subcommand("compare");
  Compare->formatter_fn(HelpOf(ByCompare));
  Compare->add_option("FILE", Result.Opts.Files)->required();
  addTable(*Compare, ByCompare);

  Tune = App.add_subcommand("tune");
  Tune->formatter_fn(HelpOf(ByTune));
  Tune->add_option("FILE", Result.Opts.Files)->required()->expected(1);
  addTable(*Tune, ByTune);

  Sweep = App.add_subcommand("sweep");
  Sweep->formatter_fn(HelpOf(BySweep));
  Sweep->add_option("FILE", Result.Opts.Files)->required()->expected(1);
  addTable(*Sweep, BySweep);

  Run = App.add_subcommand("run");
  Run->formatter_fn(HelpOf(ByRun));
  // The program of --program-socket has none.
  Run->add_option("FILE", Result.Opts.Files);
  addTable(*Run, ByRun, {"--args"});

  Serve = App.add_subcommand("serve");
  Serve->formatter_fn(HelpOf(ByServe));
  addTable(*Serve, ByAnalyze | ByServe, {}, OptionSection::Output);

  BuildCommand = App.add_subcommand("build-command");
  BuildCommand->formatter_fn(Help);
  addTable(*BuildCommand, ByRun, {"--args"});

  Gpus = App.add_subcommand("gpus");
  Gpus->formatter_fn(HelpOf(ByGpus));
  auto *Name = Gpus->add_option("ID", Result.GpuName);
  auto *Check = Gpus->add_option("--check", Result.GpuFile)->excludes(Name);
  Gpus->add_option("--scale", Result.ScaledGpus)
      ->expected(2)
      ->excludes(Name)
      ->excludes(Check);
  auto *Derive = Gpus->add_option("--derive", Result.DerivedFrom)
                     ->excludes(Name)
                     ->excludes(Check);
  Gpus->add_option("--source", Result.FactSource)->needs(Derive);
  addTable(*Gpus, ByGpus);

  Validate = App.add_subcommand("validate");
  Validate->formatter_fn(HelpOf(ByValidate));
  addTable(*Validate, ByValidate);

  Measure = App.add_subcommand("measure");
  Measure->formatter_fn(HelpOf(ByMeasure));
  addTable(*Measure, ByMeasure);

  Doctor = App.add_subcommand("doctor");
  Doctor->formatter_fn(HelpOf(ByDoctor));
  addTable(*Doctor, ByDoctor);

  BugReport = App.add_subcommand("bug-report");
  BugReport->formatter_fn(HelpOf(ByBugReport));
  BugReport->add_option("FILE", Result.Opts.Files)->required();
  addTable(*BugReport, ByAnalyze | ByBugReport, {"--format"});
}

void Parser::addTable(CLI::App &Subcommand, unsigned Commands,
                      std::initializer_list<llvm::StringRef> But,
                      std::optional<OptionSection> ButSection) {
  // Twelve commands have two hundred options; one command is named.
  if (!llvm::is_contained(Arguments, Subcommand.get_name()))
    return;
  // A command that takes analyze's options has its own rows besides.
  unsigned Own = Commands & ByAnalyze ? Commands & ~unsigned(ByAnalyze) : 0;
  for (const OptionSpec &Spec : optionTable())
    if (!Spec.Spelling.empty() && (Spec.Commands & Commands) &&
        (!llvm::is_contained(But, Spec.Spelling) || (Spec.Commands & Own)) &&
        Spec.Section != ButSection)
      addTableOption(Subcommand, Spec);
}

void Parser::addTableOption(CLI::App &Subcommand, const OptionSpec &Spec) {
  Slot &Into = Slots.emplace_back(Slot{&Spec, {}, false, {}});
  if (Spec.Metavariable.empty()) {
    Subcommand.add_flag(Spec.Spelling.str(), Into.Given);
    return;
  }
  if (Spec.isValueOptional()) {
    Subcommand.add_flag(Spec.Spelling.str(), Into.Optional);
    return;
  }
  CLI::Option *Added = Subcommand.add_option(Spec.Spelling.str(), Into.Values);
  // One value for each time the option stands there, so that files may follow.
  Added->expected(1)->allow_extra_args(false);
  if (Spec.Repeatable)
    Added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  else
    Added->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

Command Parser::take() {
  for (const Slot &S : Slots) {
    if (S.Given)
      if (llvm::Error E =
              applyOption(Result.Opts, *S.Spec, S.Spec->Spelling, ""))
        return complain(llvm::toString(std::move(E)));
    if (!S.Optional.empty())
      if (llvm::Error E = applyOption(Result.Opts, *S.Spec, S.Spec->Spelling,
                                      S.Optional == "true" ? "" : S.Optional))
        return complain(llvm::toString(std::move(E)));
    for (const std::string &Value : S.Values)
      if (llvm::Error E =
              applyOption(Result.Opts, *S.Spec, S.Spec->Spelling, Value))
        return complain(llvm::toString(std::move(E)));
  }
  if (AnalyzeCommand->parsed() || BuildCommand->parsed())
    std::swap(Result.Opts.CompilerCommand, Result.Opts.ClangArguments);
  Result.Kind = Analyze->parsed()             ? Command::Analyze
                : AnalyzeCommand->parsed()    ? Command::AnalyzeCommand
                : Golden->parsed()            ? Command::Golden
                : Diff->parsed()              ? Command::Diff
                : Report->parsed()            ? Command::Report
                : Compare->parsed()           ? Command::Compare
                : Tune->parsed()              ? Command::Tune
                : Sweep->parsed()             ? Command::Sweep
                : Run->parsed()               ? Command::Run
                : Serve->parsed()             ? Command::Serve
                : BuildCommand->parsed()      ? Command::BuildCommand
                : Validate->parsed()          ? Command::Validate
                : Measure->parsed()           ? Command::Measure
                : Doctor->parsed()            ? Command::Doctor
                : BugReport->parsed()         ? Command::BugReport
                : !Result.ScaledGpus.empty()  ? Command::ScaleGpus
                : !Result.DerivedFrom.empty() ? Command::DeriveGpu
                : Result.GpuFile.empty()      ? Command::ListGpus
                                              : Command::CheckGpu;
  return std::move(Result);
}

/// All words but those with their values that no estimate depends on.
static std::string withoutOutput(const std::vector<std::string> &Arguments) {
  std::string Text;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const std::string &Word = Arguments[I];
    if (Word == "-o" || Word == "--format" || Word == "--shard")
      ++I;
    else if (!Word.starts_with("--format=") && !Word.starts_with("--shard="))
      Text += Word + "\n";
  }
  return Text;
}

/// Takes the words behind --args, or behind the name of a built program, which
/// are the program's own. A source, an object or a saved run is no program.
void Parser::splitProgramArguments() {
  if (Arguments.empty() || Arguments[0] != "run")
    return;
  auto Own = std::find(Arguments.begin(), Arguments.end(), "--args");
  if (Own != Arguments.end()) {
    Result.Opts.Run.ProgramArguments.assign(Own + 1, Arguments.end());
    Arguments.erase(Own, Arguments.end());
    return;
  }
  for (size_t I = 1; I < Arguments.size(); ++I) {
    llvm::StringRef Word = Arguments[I];
    if (Word == "--")
      return;
    if (Word.starts_with("-")) {
      const OptionSpec *Spec =
          llvm::find_if(optionTable(), [&](const OptionSpec &S) {
            return S.Spelling == Word && (S.Commands & ByRun);
          });
      if (Spec != optionTable().end() && !Spec->Metavariable.empty() &&
          !Spec->isValueOptional())
        ++I;
      continue;
    }
    if (isInputOfBuild(Word))
      continue;
    Result.Opts.Run.ProgramArguments.assign(Arguments.begin() + I + 1,
                                            Arguments.end());
    Arguments.resize(I + 1);
    return;
  }
}

Command Parser::parse() {
  Result.Opts.CommandText = withoutOutput(Arguments);
  splitProgramArguments();
  auto Dashes = std::find(Arguments.begin(), Arguments.end(), "--");
  if (Dashes != Arguments.end()) {
    Result.Opts.ClangArguments.assign(Dashes + 1, Arguments.end());
    Arguments.erase(Dashes, Arguments.end());
  }
  try {
    std::reverse(Arguments.begin(), Arguments.end()); // as CLI11 wants them
    App.parse(std::move(Arguments));
  } catch (const CLI::CallForHelp &) {
    Result.Text = App.help();
    return std::move(Result);
  } catch (const CLI::CallForAllHelp &) {
    Result.Text = App.help("", CLI::AppFormatMode::All);
    return std::move(Result);
  } catch (const CLI::CallForVersion &Version) {
    Result.Text = std::string(Version.what()) + "\n";
    return std::move(Result);
  } catch (const CLI::ParseError &Problem) {
    return complain(
        std::string(Problem.what()) +
        "\nTry gpu-estimate --help or gpu-estimate SUBCOMMAND --help");
  }
  return take();
}

/// `--explain NAME`: no subcommand, and a name may begin with a dash.
static Command explanation(llvm::ArrayRef<std::string> Words) {
  Command Result;
  llvm::StringRef Name(Words[0]);
  if (!Name.consume_front("--explain="))
    Name = Words.size() > 1 ? llvm::StringRef(Words[1]) : "";
  llvm::Expected<std::string> Text = explain(Name);
  Result.Kind = Text ? Command::Print : Command::Complain;
  Result.Text = Text ? *Text : llvm::toString(Text.takeError());
  return Result;
}

Command parseCommandLine(int ArgCount, const char *const *Args) {
  std::vector<std::string> Words(Args + 1, Args + ArgCount);
  if (!Words.empty() &&
      (Words[0] == "--explain" || Words[0].starts_with("--explain=")))
    return explanation(Words);
  bool InBuild = !Words.empty() && Words[0] == "analyze-command";
  Command Parsed = Parser(std::move(Words)).parse();
  if (InBuild && Parsed.Kind == Command::Complain) {
    Parsed.Kind = Command::Remark;
    const std::vector<std::string> &Files = Parsed.Opts.Files;
    Parsed.Text = "no estimate for " +
                  (Files.empty() ? "a source" : Files.front()) + ": " +
                  Parsed.Text.substr(0, Parsed.Text.find('\n'));
  }
  return Parsed;
}

} // namespace gpuestimate
