/// \file
/// What --help and --help-all print: a screen, and everything.
#include "CommandTable.h"

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr size_t LineWidth = 80, HelpIndent = 6, ScreenLines = 40;

namespace {
/// Two calls of a command, and its options that --help shows where all of them
/// do not fit a screen, separated by blanks.
struct CommandExamples {
  StringLiteral Name, First, Second, Options;
};

/// An option in a few words, for one line of a screen.
struct ShortOption {
  StringLiteral Spelling, Text;
};
} // namespace

static constexpr CommandExamples Examples[] = {
    {"analyze", "gpu-estimate analyze kernel.cu --gpu nvidia-h200",
     "gpu-estimate analyze k.cu --gpu sm_90 --grid 4096 --param n=1048576",
     "--gpu --kernel --grid --block --param --buffer --launches --budget "
     "--caches --registers -p --no-cuda-sdk --cuda-path --ptxas --offload "
     "--against --format --json -o --no-warning --error"},
    {"cc", "gpu-estimate cc --gpu=nvidia-h200 nvcc -O3 -c kernel.cu",
     "gpu-estimate cc --gpu=sm_90 --results=estimates clang++-19 -c kernel.cu",
     ""},
    {"report", "gpu-estimate report estimates",
     "gpu-estimate report part*.json --format json -o all.json", ""},
    {"compare", "gpu-estimate compare kernel.cu --gpu nvidia-h200",
     "gpu-estimate compare kernel.cu --gpu sm_80 --model interval,roofline",
     "--gpu --kernel --model --grid --block --param --caches --profile "
     "--no-cuda-sdk --format --charts -o"},
    {"tune",
     "gpu-estimate tune k.cu --kernel conv --gpu nvidia-a40 --block 32:1024:32",
     "gpu-estimate tune k.cu --kernel conv --gpu sm_90 -D TILE=4,8,16",
     "--gpu --kernel --block -D --param --grid --dynamic-smem --where --tie "
     "--top --shard --caches --no-cuda-sdk --format -o"},
    {"sweep",
     "gpu-estimate sweep k.cu --gpu nvidia-v100 --vary sm_count=8:80:8",
     "gpu-estimate sweep k.cu --gpu sm_70 --vary core_clock=405:1380:75MHz",
     "--gpu --kernel --vary --power-cap --budget-energy --time-limit --price "
     "--scaling --profile --grid --block --param --top --shard --format -o"},
    {"run", "gpu-estimate run program.cu --gpu nvidia-h200",
     "gpu-estimate run --gpu nvidia-h200 --gpu nvidia-a40 ./program input.txt",
     "--gpu --args --execute --execute-seconds --threads --checks --save "
     "--host-speed --config --no-cuda-sdk --format -o"},
    {"golden",
     "gpu-estimate golden --update kernels.golden src/a.cu --gpu nvidia-h200",
     "gpu-estimate golden --check kernels.golden src/a.cu --gpu sm_90 "
     "--explain",
     "--gpu --check --update --tolerance --changed-when --fail-on --explain "
     "--kernel --param --no-cuda-sdk --format -o"},
    {"diff", "gpu-estimate diff before.json after.json",
     "gpu-estimate diff a.gpurun b.gpurun --gpu nvidia-h200",
     "--gpu --set --model --caches --tolerance --changed-when --fail-on "
     "--format -o"},
    {"serve", "gpu-estimate serve --mcp --gpu nvidia-h100-sxm",
     "gpu-estimate serve --http 127.0.0.1:0 --gpu nvidia-h100-sxm", ""},
    {"gpus", "gpu-estimate gpus nvidia-h200",
     "gpu-estimate gpus --scale nvidia-a40 nvidia-h200 --price nvidia-a40=0.4",
     "--set --model-folder --price"},
    {"kernelbench",
     "gpu-estimate kernelbench problem.py solution.py --gpu nvidia-l40s",
     "gpu-estimate kernelbench problem.py a.py b.py --gpu nvidia-h200 --format "
     "json",
     ""},
    {"validate", "gpu-estimate validate --dataset rajaperf --kernel GEMM",
     "gpu-estimate validate --model all --format markdown",
     "--dataset --gpu --kernel --model --set --bounds --ablation --ptxas "
     "--validation --sources --record --format -o"},
    {"measure", "gpu-estimate measure --quick",
     "gpu-estimate measure --raw samples --out card.yaml", ""},
    {"doctor", "gpu-estimate doctor",
     "gpu-estimate doctor --format json -o machine.json", ""},
    {"bug-report",
     "gpu-estimate bug-report kernel.cu --gpu nvidia-h200 -o report.txt",
     "gpu-estimate bug-report --reduce kernel.cu --gpu sm_90 -- -DTILE=32", ""},
};

static constexpr ShortOption ShortOptions[] = {
    {"--gpu", "GPU to predict for (repeatable)"},
    {"--kernel", "only kernels whose name matches"},
    {"--grid", "blocks of the grid"},
    {"--block", "threads of a block"},
    {"--dynamic-smem", "dynamic shared memory of a block"},
    {"--param", "an argument, a host variable or an unknown"},
    {"--buffer", "contents of a buffer"},
    {"--launches", "launches of a profile or trace"},
    {"--budget", "longest time of a launch"},
    {"--caches", "contents of the caches before the launch"},
    {"--registers", "registers of a thread"},
    {"-p", "folder of compile_commands.json"},
    {"--no-cuda-sdk", "the CUDA headers of gpu-estimate"},
    {"--cuda-path", "folder of a CUDA SDK"},
    {"--ptxas", "assembler to ask for registers, or off"},
    {"--offload", "loops of plain C to estimate"},
    {"--against", "compare loops with a CPU or FPGA"},
    {"--format", "form of the output"},
    {"--json", "also write JSON to FILE"},
    {"-o", "write the output to FILE"},
    {"--no-warning", "silence a group of diagnostics, or all"},
    {"--error", "fail where a group of diagnostics is found"},
    {"--model", "performance model"},
    {"--profile", "measured profile of the kernels"},
    {"--charts", "write charts as SVG into DIR"},
    {"--where", "try only configurations that keep it"},
    {"--tie", "times that share a rank"},
    {"--top", "rows to print"},
    {"--shard", "only part I of N"},
    {"-D", "values of a macro"},
    {"--vary", "a thing to vary (repeatable)"},
    {"--power-cap", "largest mean power"},
    {"--budget-energy", "largest energy of a launch"},
    {"--time-limit", "longest time of a launch"},
    {"--price", "price of an hour of a GPU"},
    {"--scaling", "how times follow the clocks"},
    {"--args", "arguments of the program"},
    {"--execute", "kernels that execute on the CPU"},
    {"--execute-seconds", "limit of the execution"},
    {"--threads", "threads that execute kernels"},
    {"--checks", "find wrong accesses and races"},
    {"--save", "save the run for other GPUs"},
    {"--host-speed", "speed of the modelled host"},
    {"--config", "configuration file"},
    {"--check", "compare with a golden file"},
    {"--update", "write a golden file"},
    {"--tolerance", "largest difference that counts as none"},
    {"--changed-when", "when a time has changed"},
    {"--fail-on", "what fails the check"},
    {"--explain", "name the edit behind a change"},
    {"--set", "override a value of the GPU"},
    {"--model-folder", "folder of GPU models"},
    {"--dataset", "dataset to predict (repeatable)"},
    {"--bounds", "use of the recorded errors"},
    {"--ablation", "without each term of the model"},
    {"--validation", "folder of datasets"},
    {"--sources", "folder of third-party sources"},
    {"--record", "write errors into the GPU models"},
};

/// Words of Text in lines of at most LineWidth, each after Indent blanks.
static void wrap(raw_ostream &OS, StringRef Text, size_t Indent) {
  std::string Line(Indent, ' ');
  SmallVector<StringRef, 64> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    if (Line.size() > Indent && Line.size() + 1 + Word.size() > LineWidth) {
      OS << Line << '\n';
      Line.assign(Indent, ' ');
    }
    Line += (Line.size() > Indent ? " " : "") + Word.str();
  }
  OS << Line << '\n';
}

static const CommandExamples *examplesOf(StringRef Name) {
  const CommandExamples *Found = find_if(
      Examples, [&](const CommandExamples &E) { return E.Name == Name; });
  return Found == std::end(Examples) ? nullptr : Found;
}

static void printExamples(raw_ostream &OS, const CommandExamples *Of) {
  if (Of)
    OS << "\nExamples:\n  " << Of->First << "\n  " << Of->Second << '\n';
}

std::string toolHelp() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "Predicts, without a GPU, how long a CUDA kernel takes.\n\n"
        "Usage: gpu-estimate COMMAND ...\n\nCommands:\n";
  StringRef Last;
  for (const Subcommand &S : subcommandTable()) {
    if (S.name().empty() || S.name() == Last)
      continue;
    Last = S.name();
    constexpr size_t Column = 14;
    std::string Name = "  " + S.name().str();
    Name.resize(Column, ' ');
    OS << Name << S.Brief << '\n';
  }
  OS << "\nExamples:\n"
        "  gpu-estimate analyze kernel.cu --gpu nvidia-h200\n"
        "  gpu-estimate cc --gpu=nvidia-h200 nvcc -O3 -c kernel.cu\n\n"
        "gpu-estimate COMMAND --help        options most used, and examples\n"
        "gpu-estimate COMMAND --help-all    every option\n"
        "gpu-estimate --explain NAME        what a name in a report means\n"
        "gpu-estimate --version\n\nExit status:\n";
  for (auto [Status, Meaning] : enumerate(exitStatuses()))
    OS << "  " << Status << "  "
       << Meaning.take_until([](char C) { return C == ':'; }) << '\n';
  return Text;
}

static void printAllOptions(raw_ostream &OS, TakenBy Command) {
  for (OptionSection Section : optionSections()) {
    bool Any = false;
    for (const OptionSpec &Spec : optionTable()) {
      if (Spec.Section != Section || Spec.Spelling.empty() ||
          !(Spec.Commands & Command))
        continue;
      if (!Any)
        OS << '\n' << name(Section) << ":\n";
      Any = true;
      OS << "  " << Spec.withMetavariable()
         << (Spec.Repeatable ? "  (repeatable)\n" : "\n");
      wrap(OS, Spec.Help, HelpIndent);
    }
  }
}

/// The row of a command for a spelling; a command that takes the options of
/// analyze has its own rows first.
static const OptionSpec *optionOf(TakenBy Command, StringRef Spelling) {
  for (unsigned Commands : {unsigned(Command), unsigned(ByAnalyze)})
    for (const OptionSpec &Spec : optionTable())
      if (Spec.Spelling == Spelling && Spec.Commands & Commands)
        return &Spec;
  return nullptr;
}

static void printMainOptions(raw_ostream &OS, TakenBy Command, StringRef Name,
                             StringRef Spellings) {
  OS << "\nOptions most used (all: gpu-estimate " << Name << " --help-all):\n";
  SmallVector<StringRef, 32> Words;
  Spellings.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    const OptionSpec *Spec = optionOf(Command, Word);
    const ShortOption *Short = find_if(
        ShortOptions, [&](const ShortOption &O) { return O.Spelling == Word; });
    constexpr size_t Column = 36;
    std::string Line =
        "  " + (Spec ? Spec->withMetavariable() : "no option " + Word.str());
    Line.resize(std::max(Line.size() + 2, Column), ' ');
    OS << Line << (Short != std::end(ShortOptions) ? Short->Text : "") << '\n';
  }
}

/// What stands behind the options of a command.
static StringRef remarkOf(TakenBy Command) {
  switch (Command) {
  case ByAnalyze:
    return "What follows -- goes to clang: -DTILE=32 -I include. Options of "
           "nvcc are translated: -gencode arch=compute_90,code=sm_90.";
  case ByGolden:
  case ByBugReport:
    return "And the options of gpu-estimate analyze but --format.";
  case ByServe:
    return "And the options of gpu-estimate analyze but those of its output, "
           "as defaults of all requests.";
  default:
    return "";
  }
}

std::string commandHelp(TakenBy Command, bool All) {
  std::string Head, Text;
  raw_string_ostream OS(Head);
  const Subcommand *Row = find_if(subcommandTable(), [&](const Subcommand &S) {
    return S.Command == Command;
  });
  StringRef Name = Row->name();
  wrap(OS, Row->Help, 0);
  OS << "\nUsage:\n";
  for (const Subcommand &S : subcommandTable())
    if (S.name() == Name)
      OS << "  " << S.Usage << '\n';
  const CommandExamples *Of = examplesOf(Name);
  printExamples(OS, Of);
  Text = OS.str();
  raw_string_ostream Whole(Text);
  printAllOptions(Whole, Command);
  StringRef Remark = remarkOf(Command);
  auto PrintRemark = [&](raw_ostream &To) {
    if (Remark.empty())
      return;
    To << '\n';
    wrap(To, Remark, 0);
  };
  PrintRemark(Whole);
  if (All || count(Whole.str(), '\n') <= ptrdiff_t(ScreenLines) || !Of)
    return Whole.str();
  printMainOptions(OS, Command, Name, Of->Options);
  PrintRemark(OS);
  return OS.str();
}

std::string wrapperHelp() {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const Subcommand &S : subcommandTable())
    if (S.name() == "cc")
      OS << S.Help << "\n\nUsage:\n  " << S.Usage << '\n';
  printExamples(OS, examplesOf("cc"));
  auto Print = [&](ArrayRef<WrapperOption> Rows, StringRef Title) {
    OS << '\n' << Title << ":\n";
    for (const WrapperOption &O : Rows) {
      OS << "  " << O.Spelling << '\n';
      wrap(OS, O.Help, HelpIndent);
    }
  };
  Print(wrapperOptions(), "Options, before the compiler");
  Print(wrapperEnvironment(), "Environment");
  return Text;
}

} // namespace gpuestimate
