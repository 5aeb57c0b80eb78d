/// \file
/// The command line by CLI11, from the option table.
#include "CommandLine.h"

#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Serve/Serve.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <CLI/CLI.hpp>
#include <deque>

namespace gpuestimate {

template <ExitStatus (*Run)(const Options &, llvm::raw_ostream &,
                            llvm::raw_ostream &)>
static int run(const Command &C, llvm::raw_ostream &Out,
               llvm::raw_ostream &Err) {
  return Run(C.Opts, Out, Err);
}

/// Commands that `gpu-estimate cc` calls have no output of their own.
template <auto Run>
static int runInBuild(const Command &C, llvm::raw_ostream &,
                      llvm::raw_ostream &Err) {
  return Run(C.Opts, Err);
}

static int runGpusCommand(const Command &C, llvm::raw_ostream &Out,
                          llvm::raw_ostream &Err) {
  if (!C.ScaledGpus.empty())
    return runGpuScale(C.ScaledGpus[0], C.ScaledGpus[1], C.Opts, Out, Err);
  if (!C.DerivedFrom.empty())
    return runGpuDerive(C.DerivedFrom, C.FactSource, C.Opts, Out, Err);
  return C.GpuFile.empty() ? runGpus(C.GpuName, C.Opts, Out, Err)
                           : runGpuCheck(C.GpuFile, Out, Err);
}

namespace {
/// A subcommand.
struct CommandRow {
  llvm::StringLiteral Name;
  Command::Function Run;
  /// The options that it takes, as a set of TakenBy; one that takes those of
  /// analyze has its own rows besides.
  unsigned Takes;
  /// The operand on its command line, Options::Files: "FILE" for any number,
  /// "FILE 1" for exactly one, "[FILE]" where it may be missing, "" for none.
  llvm::StringLiteral Operand = "";
  /// Up to two options that it does not take, unless a row of its own has them.
  llvm::StringLiteral But = "";
  std::optional<OptionSection> ButSection = std::nullopt;
};
} // namespace

static constexpr CommandRow Commands[] = {
    // With -p the database may name the files.
    {"analyze", run<runAnalyze>, ByAnalyze, "[FILE]"},
    {"report", run<runReport>, ByReport, "FOLDER"},
    {"golden", run<runGolden>, ByAnalyze | ByGolden, "FILE",
     "--format --compiler"},
    {"diff", run<runDiff>, ByDiff, "RESULT 2"},
    {"compare", run<runCompare>, ByCompare, "FILE"},
    {"tune", run<runTune>, ByTune, "FILE 1"},
    {"sweep", run<runSweep>, BySweep, "FILE 1"},
    // The program of --program-socket has no file.
    {"run", run<runRun>, ByRun, "[FILE]", "--args"},
    {"serve", run<runServe>, ByAnalyze | ByServe, "", "",
     OptionSection::Output},
    {"gpus", runGpusCommand, ByGpus},
    {"validate", run<runValidate>, ByValidate},
    {"measure", run<runMeasure>, ByMeasure},
    {"doctor", run<runDoctor>, ByDoctor},
    {"bug-report", run<runBugReport>, ByAnalyze | ByBugReport, "FILE",
     "--format"},
    // What `gpu-estimate cc` asks for.
    {"analyze-command", runInBuild<runAnalyzeCommand>, ByAnalyze},
    {"build-command", runInBuild<buildForRun>, ByRun, "", "--args"},
};

static int printText(const Command &C, llvm::raw_ostream &Out,
                     llvm::raw_ostream &) {
  Out << C.Text;
  return Done;
}
static int complainOfText(const Command &C, llvm::raw_ostream &,
                          llvm::raw_ostream &Err) {
  Err << "gpu-estimate: error: " << C.Text << '\n';
  return WrongUsage;
}
/// A build goes on.
static int remarkText(const Command &C, llvm::raw_ostream &,
                      llvm::raw_ostream &Err) {
  Err << "gpu-estimate: remark: " << C.Text << '\n';
  return Done;
}

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
  void addTable(CLI::App &Subcommand, const CommandRow &Row);
  void addOperand(CLI::App &Subcommand, llvm::StringRef Operand);
  void addGpuOptions(CLI::App &Gpus);
  Command complain(std::string Text) {
    Result.Run = complainOfText;
    Result.Name.clear();
    Result.Text = std::move(Text);
    return std::move(Result);
  }
  Command take();
  void splitProgramArguments();

  CLI::App App{"gpu-estimate", "gpu-estimate"};
  std::vector<std::string> Arguments;
  std::deque<Slot> Slots; // CLI11 keeps references into it
  Command Result;
};

} // namespace

Parser::Parser(std::vector<std::string> Words) : Arguments(std::move(Words)) {
  auto Help = [](const CLI::App *, std::string, CLI::AppFormatMode) {
    return toolHelp();
  };
  App.formatter_fn(Help);
  App.set_version_flag("--version", "gpu-estimate " + toolVersion().str());
  App.set_help_all_flag("--help-all");
  App.require_subcommand(1);
  // bin/gpu-estimate is the wrapper; only its help is ours.
  App.add_subcommand("cc")->formatter_fn(
      [](const CLI::App *, std::string, CLI::AppFormatMode) {
        return wrapperHelp();
      });
  for (const CommandRow &Row : Commands) {
    CLI::App *Added = App.add_subcommand(Row.Name.str());
    Added->callback([this, &Row] {
      Result.Run = Row.Run;
      Result.Name = Row.Name.str();
    });
    auto Own =
        TakenBy(Row.Takes == ByAnalyze ? Row.Takes : Row.Takes & ~ByAnalyze);
    if (Row.Name.ends_with("-command"))
      Added->formatter_fn(Help);
    else
      Added->formatter_fn(
          [Own](const CLI::App *, std::string, CLI::AppFormatMode Mode) {
            return commandHelp(Own, Mode == CLI::AppFormatMode::All);
          });
    addOperand(*Added, Row.Operand);
    addTable(*Added, Row);
  }
  App.get_subcommand("analyze-command")
      ->add_option("--source", Result.Opts.Files)
      ->required()
      ->expected(1);
  addGpuOptions(*App.get_subcommand("gpus"));
}

void Parser::addOperand(CLI::App &Subcommand, llvm::StringRef Operand) {
  if (Operand.empty())
    return;
  auto [Name, Count] = Operand.split(' ');
  CLI::Option *Added =
      Subcommand.add_option(Name.trim("[]").str(), Result.Opts.Files);
  Added->required(!Name.starts_with("["));
  int Number = 0;
  if (!Count.getAsInteger(10, Number))
    Added->expected(Number);
}

void Parser::addGpuOptions(CLI::App &Gpus) {
  auto *Name = Gpus.add_option("ID", Result.GpuName);
  auto *Check = Gpus.add_option("--check", Result.GpuFile)->excludes(Name);
  Gpus.add_option("--scale", Result.ScaledGpus)
      ->expected(2)
      ->excludes(Name)
      ->excludes(Check);
  auto *Derive = Gpus.add_option("--derive", Result.DerivedFrom)
                     ->excludes(Name)
                     ->excludes(Check);
  Gpus.add_option("--source", Result.FactSource)->needs(Derive);
}

void Parser::addTable(CLI::App &Subcommand, const CommandRow &Row) {
  // Twelve commands have two hundred options; one command is named.
  if (!llvm::is_contained(Arguments, Row.Name))
    return;
  unsigned Own = Row.Takes & ByAnalyze ? Row.Takes & ~unsigned(ByAnalyze) : 0;
  auto [First, Second] = Row.But.split(' ');
  for (const OptionSpec &Spec : optionTable())
    if (!Spec.Spelling.empty() && (Spec.Commands & Row.Takes) &&
        ((Spec.Spelling != First && Spec.Spelling != Second) ||
         (Spec.Commands & Own)) &&
        Spec.Section != Row.ButSection)
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
  if (App.got_subcommand("analyze-command") ||
      App.got_subcommand("build-command"))
    std::swap(Result.Opts.CompilerCommand, Result.Opts.ClangArguments);
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
    Result.Run = printText;
    Result.Text = App.help();
    return std::move(Result);
  } catch (const CLI::CallForAllHelp &) {
    Result.Run = printText;
    Result.Text = App.help("", CLI::AppFormatMode::All);
    return std::move(Result);
  } catch (const CLI::CallForVersion &Version) {
    Result.Run = printText;
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
  Result.Run = Text ? printText : complainOfText;
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
  if (InBuild && Parsed.Run == complainOfText) {
    Parsed.Run = remarkText;
    const std::vector<std::string> &Files = Parsed.Opts.Files;
    Parsed.Text = "no estimate for " +
                  (Files.empty() ? "a source" : Files.front()) + ": " +
                  Parsed.Text.substr(0, Parsed.Text.find('\n'));
  }
  return Parsed;
}

} // namespace gpuestimate
