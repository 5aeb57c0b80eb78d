/// \file
/// The option table as help text and as the reference page.
#include "CommandTable.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr OptionSection Sections[] = {
    OptionSection::Machine,   OptionSection::Launch, OptionSection::Model,
    OptionSection::Source,    OptionSection::Tuning, OptionSection::Sweep,
    OptionSection::Run,       OptionSection::Serve,  OptionSection::Validation,
    OptionSection::Measuring, OptionSection::Output};

static constexpr Subcommand Subcommands[] = {
    {ByAnalyze,
     "gpu-estimate analyze FILE... --gpu ID [OPTIONS] [-- CLANG ARGS]",
     "Predicts the time of every kernel of CUDA or HIP source files.",
     "the time of every kernel of a source, and what bounds it"},
    {0, "gpu-estimate analyze -p DIR --gpu ID [OPTIONS]",
     "The same for a whole compilation database: one table, the longest "
     "kernels first."},
    {0,
     "gpu-estimate cc [--results=DIR] [--gpu=ID] [--KEY=VALUE]... COMPILER "
     "ARGS...",
     "Runs the compiler as it is, and analyses what it compiles.",
     "a compiler launcher that analyses what is compiled"},
    {ByReport, "gpu-estimate report FOLDER... [OPTIONS]",
     "Puts together what compiles by `gpu-estimate cc --results=FOLDER` left.",
     "one table of what builds have left"},
    {ByCompare,
     "gpu-estimate compare FILE... --gpu ID [OPTIONS] [-- CLANG ARGS]",
     "Puts every performance model side by side on the same launches and GPUs, "
     "and says which part of the time sets them apart.",
     "every performance model side by side"},
    {ByTune,
     "gpu-estimate tune FILE --kernel K --gpu ID [OPTIONS] [-- CLANG ARGS]",
     "Ranks launch configurations and values of macros by predicted time.",
     "rank block shapes, macros and arguments by time"},
    {BySweep,
     "gpu-estimate sweep FILE --gpu ID --vary NAME=VALUES... [OPTIONS]",
     "Predicts time, power and energy over clocks, sizes of the chip and "
     "arguments.",
     "time, power and energy over clocks and sizes"},
    {ByRun,
     "gpu-estimate run FILE... --gpu ID [OPTIONS] [-- CLANG ARGS] [--args "
     "ARGS]",
     "Builds a CUDA or HIP program, runs it on the CPU, and predicts its time "
     "line on the GPU.",
     "a whole program, executed on the CPU, with its time line"},
    {0, "gpu-estimate run --gpu ID [OPTIONS] PROGRAM [PROGRAM ARGS]",
     "The same for a program that `gpu-estimate cc --run` has built, or for a "
     "saved run (FILE.gpurun)."},
    {ByGolden,
     "gpu-estimate golden (--update|--check) GOLDEN FILE... --gpu ID [OPTIONS]",
     "Writes what each kernel takes into a file that is reviewed, or compares "
     "with it.",
     "a gate for continuous integration"},
    {ByDiff, "gpu-estimate diff A.json B.json [--tolerance FRACTION]",
     "Compares two results, or two saved runs (A.gpurun B.gpurun --gpu ID), "
     "and says which part of the time changed.",
     "what changed between two results, and why"},
    {ByServe,
     "gpu-estimate serve --jsonl|--mcp|--lsp|--http HOST:PORT [OPTIONS]",
     "Answers requests of another program, such as an agent or an editor, "
     "until its input ends.",
     "answers for editors, agents and browsers"},
    {ByGpus, "gpu-estimate gpus [ID] [--set GPUKEY=VALUE] [--model-folder DIR]",
     "Lists the GPU models, or shows one with the source of each value.",
     "the GPU models, and each value with its source"},
    {0, "gpu-estimate gpus --scale A B [--price GPU=PRICE]...",
     "Shows how a kernel moves from card A to card B, by what bounds it."},
    {0,
     "gpu-estimate gpus --derive FROM --set 'KEY=VALUE [SOURCE]'... "
     "[--source TEXT]",
     "Writes a model of a GPU that differs from FROM in what --set states; the "
     "rest follows by the rules of the page on GPU models."},
    {0, "gpu-estimate gpus --check FILE",
     "Checks a GPU model file: its form, units, and relations between values."},
    {0,
     "gpu-estimate kernelbench REFERENCE.py SOLUTION.py... --gpu ID [OPTIONS]",
     "Executes solutions of a KernelBench problem on the CPU, compares their "
     "results, looks for tricks, and ranks them by predicted time (needs "
     "PyTorch; the page on KernelBench has its options).",
     "check and rank solutions of a KernelBench problem"},
    {ByValidate, "gpu-estimate validate [--dataset D]... [OPTIONS]",
     "Predicts measured launches and reports the errors.",
     "predicted against measured times"},
    {ByMeasure, "gpu-estimate measure [--quick] [OPTIONS]",
     "Measures the GPU of this machine by microbenchmarks and writes its "
     "model file.",
     "make a model of the GPU of this machine"},
    {ByDoctor, "gpu-estimate doctor [--format text|json]",
     "Says what of this machine gpu-estimate uses, what each missing component "
     "would add, and how to get it.",
     "what is found on this machine, and what is missing"},
    {ByBugReport,
     "gpu-estimate bug-report FILE... --gpu ID [OPTIONS] [-- CLANG ARGS]",
     "Writes what a report of a fault needs: versions, command, messages and "
     "this machine, without source unless asked.",
     "what a report of a fault needs"},
    {0, "gpu-estimate --explain NAME",
     "Explains a diagnostic, or what a report calls a bound or a part of the "
     "time: what it is, an example, why it matters, what helps."},
};

/// Options of `gpu-estimate cc`. The wrapper (tools/gpu-estimate) parses them
/// without LLVM, to start fast.
static constexpr WrapperOption WrapperOptions[] = {
    {"--results=DIR",
     "Write what each source gives into a file of DIR, for `gpu-estimate "
     "report DIR`. A compile that is repeated replaces its file."},
    {"--quiet", "No findings on standard error."},
    {"--run",
     "Build for `gpu-estimate run`: clang 19 compiles the CUDA or HIP sources, "
     "whose device code becomes LLVM bitcode, and the program is linked with "
     "the runtime library of gpu-estimate. Nothing is analysed."},
    {"--timeout=SECONDS",
     "How long the analysis of one source may take beside the plugin. Default: "
     "60."},
    {"--own-process", "Do not hand the plugin to clang 19, but analyse after "
                      "the compile, as for "
                      "every other compiler."},
    {"--KEY=VALUE", "Any option of `gpu-estimate analyze` that is one word: "
                    "--gpu=nvidia-h200, "
                    "--offload=auto."},
};
static constexpr WrapperOption WrapperEnvironment[] = {
    {"GPU_ESTIMATE_OPTIONS",
     "Options as above, separated by blanks; those on the command line come "
     "after them."},
    {"GPU_ESTIMATE_DISABLE=1", "Run the compiler and nothing else."},
    {"GPU_ESTIMATE_HINTS=off",
     "Do not say how to be quiet at the first finding of a project."},
};

static constexpr StringLiteral ExitStatuses[] = {
    "done", "a budget or bound was exceeded",
    "wrong usage: an option, a configuration, or a launch that no kernel of "
    "the input can have",
    "the input could not be analysed: a missing file, an error of the "
    "compiler, an impossible launch in host code, no kernel with an estimate, "
    "a measured case without a prediction, a kernel that `run` cannot execute, "
    "or nothing to measure with"};

StringRef Subcommand::name() const {
  StringRef Name = Usage.split(' ').second.split(' ').first;
  return Name.starts_with("-") ? StringRef() : Name;
}

ArrayRef<Subcommand> subcommandTable() { return Subcommands; }
ArrayRef<WrapperOption> wrapperOptions() { return WrapperOptions; }
ArrayRef<WrapperOption> wrapperEnvironment() { return WrapperEnvironment; }
ArrayRef<StringLiteral> exitStatuses() { return ExitStatuses; }
ArrayRef<OptionSection> optionSections() { return Sections; }

static std::string code(StringRef Text) {
  std::string Escaped = Text.str();
  for (size_t At = 0; (At = Escaped.find('|', At)) != std::string::npos;
       At += 2)
    Escaped.insert(At, "\\");
  return Escaped.empty() ? "" : "`" + Escaped + "`";
}

std::string optionReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "# Command line, plugin arguments and configuration\n\n"
        "<!-- Written by gpu-estimate-docs from the table in "
        "lib/Session/Settings/Options.cpp. -->\n\n```\n";
  for (const Subcommand &S : Subcommands)
    OS << S.Usage << '\n';
  OS << "```\n\n";
  for (const Subcommand &S : Subcommands)
    OS << "- `" << S.Usage.take_until([](char C) { return C == '['; }).rtrim()
       << "`: " << S.Help << '\n';
  OS << "\nThe plugin takes the same options as "
        "`-fplugin-arg-gpu_estimate-KEY=VALUE`, the file\n"
        "`.gpu-estimate.yaml` as `KEY: VALUE` (a list, or `NAME: VALUE` pairs, "
        "for repeatable ones).\n";
  std::string Shared;
  for (const OptionSpec &Spec : optionTable())
    if (Spec.Commands & ByValidate && Spec.Section != OptionSection::Validation)
      Shared += (Shared.empty() ? "" : ", ") + code(Spec.Spelling);
  OS << "\n`gpu-estimate validate` takes the options of its section below and "
        "of the others\n"
     << Shared << ".\n";
  std::string NotCompared;
  for (const OptionSpec &Spec : optionTable())
    if (Spec.Commands & ByAnalyze && !(Spec.Commands & ByCompare))
      NotCompared += (NotCompared.empty() ? "" : ", ") + code(Spec.Spelling);
  OS << "\n`gpu-estimate compare` takes those of `analyze` but " << NotCompared
     << ".\n";
  for (OptionSection Section : Sections) {
    OS << "\n## " << name(Section)
       << "\n\n| option | plugin | file | meaning |\n| --- | --- | --- | --- "
          "|\n";
    for (const OptionSpec &Spec : optionTable())
      if (Spec.Section == Section)
        OS << "| " << code(Spec.Spelling.empty() ? "" : Spec.withMetavariable())
           << (Spec.Repeatable ? " (repeatable)" : "") << " | "
           << code(Spec.Key) << " | "
           << (Spec.inFile() || Spec.inKernel() ? code(Spec.Key) : "") << " | "
           << Spec.Help << " |\n";
  }
  OS << "\n## Wrapper\n\n`gpu-estimate cc` takes these before the compiler's "
        "name; how to use it in a build:\n[build-integration.md]"
        "(build-integration.md).\n\n| option or variable | meaning |\n| --- | "
        "--- |\n";
  for (ArrayRef<WrapperOption> Rows :
       {ArrayRef(WrapperOptions), ArrayRef(WrapperEnvironment)})
    for (const WrapperOption &O : Rows)
      OS << "| " << code(O.Spelling) << " | " << O.Help << " |\n";
  OS << "\n## Terms of `--without`\n\n| term | what it covers |\n| --- | --- "
        "|\n";
  for (const TermInfo &Term : termTable())
    OS << "| `" << Term.Name << "` | " << Term.Meaning << " |\n";
  OS << "\n## Who is believed\n\n"
        "For each setting: the command line or plugin argument, then the "
        "[configuration file](config.md),\nthen the "
        "[annotation](annotations.md) in the source, then the launch in host "
        "code, then a default.\nThe report says which it was.\n\n"
        "Defaults, each listed among the assumptions where it is used: 1024 "
        "blocks (32 x 32 where the\nkernel reads a y coordinate) of 256 "
        "threads (16 x 16) or as many as `__launch_bounds__` allows;\nan "
        "undetermined variable of the host code is 1048576 when a "
        "one-dimensional grid is computed\nfrom it, 256 (16 of several "
        "dimensions) when the block is, else 1024; where a grid is "
        "computed\nfrom several, the largest power of two that makes at most "
        "1048576 threads.\n\n"
        "What host code asks the device for is no unknown: fields of "
        "`cudaDeviceProp` and `cudaDeviceGetAttribute`\n(HIP's alike) have "
        "the numbers of the GPU that is estimated, under names such as "
        "`gpu.multiProcessorCount`,\nwhich `--param` overrides. What "
        "`cudaOccupancyMaxActiveBlocksPerMultiprocessor` and "
        "`cudaOccupancyMaxPotentialBlockSize`\nanswer for the launched "
        "kernel is computed from its registers and shared memory.\n\n"
        "## Exit status\n\n| status | meaning |\n| --- | --- |\n";
  for (unsigned I = 0; I < std::size(ExitStatuses); ++I)
    OS << "| " << I << " | " << ExitStatuses[I] << " |\n";
  return Page;
}

} // namespace gpuestimate
