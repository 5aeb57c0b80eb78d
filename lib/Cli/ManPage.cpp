/// \file
/// The manual page gpu-estimate(1), in the macros of man(7).
#include "CommandTable.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Cli/ShellFiles.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Text that troff does not take for its own; `code` is set in bold.
static std::string roff(StringRef Text) {
  std::string Result;
  bool Code = false;
  for (char C : Text) {
    if (C == '`') {
      Result += Code ? "\\fR" : "\\fB";
      Code = !Code;
    } else if (C == '\\') {
      Result += "\\e";
    } else if (C == '-') {
      Result += "\\-";
    } else if (C == '\'') {
      Result += "\\(aq";
    } else {
      Result += C;
    }
  }
  return Result;
}

/// Lines of a paragraph. A dot in front would make one a request.
static void printText(raw_ostream &OS, StringRef Text) {
  constexpr size_t Width = 78;
  std::string Line;
  SmallVector<StringRef, 64> Words;
  std::string Roff = roff(Text);
  StringRef(Roff).split(Words, ' ', -1, /*KeepEmpty=*/false);
  auto Flush = [&] {
    OS << (Line.rfind('.', 0) == 0 ? "\\&" : "") << Line << '\n';
    Line.clear();
  };
  for (StringRef Word : Words) {
    if (!Line.empty() && Line.size() + 1 + Word.size() > Width)
      Flush();
    Line += (Line.empty() ? "" : " ") + Word.str();
  }
  Flush();
}

/// The word in front in bold, the rest as it is.
static std::string boldFirst(StringRef Text) {
  auto [First, Rest] = Text.split(' ');
  return "\\fB" + roff(First) + "\\fR" + (Rest.empty() ? "" : " ") + roff(Rest);
}

static void entry(raw_ostream &OS, const std::string &Tag, StringRef Text) {
  OS << ".TP\n" << Tag << '\n';
  printText(OS, Text);
}

static void printOptions(raw_ostream &OS) {
  for (OptionSection Section : optionSections()) {
    OS << ".SS " << roff(name(Section)) << '\n';
    for (const OptionSpec &Spec : optionTable()) {
      if (Spec.Section != Section || Spec.Spelling.empty())
        continue;
      entry(OS,
            boldFirst(Spec.withMetavariable()) +
                (Spec.Repeatable ? " (repeatable)" : ""),
            Spec.Help);
    }
  }
}

static constexpr StringLiteral Examples[][2] = {
    {"The kernels of a file on two GPUs, with the launches of its host code:",
     "gpu-estimate analyze kernel.cu --gpu nvidia-v100 --gpu nvidia-h200"},
    {"A build that says what its kernels take:",
     "gpu-estimate cc --gpu=nvidia-h200 --results=estimates nvcc -c kernel.cu"},
    {"Everything that a build compiles:",
     "gpu-estimate analyze -p build --gpu nvidia-h200"},
    {"What a name in a report means:", "gpu-estimate --explain l1-bandwidth"},
};

static void printExamples(raw_ostream &OS) {
  OS << ".SH EXAMPLES\n";
  bool First = true;
  for (const auto &[Says, Command] : Examples) {
    if (!First)
      OS << ".PP\n";
    First = false;
    OS << Says << "\n.PP\n.nf\n.RS\n" << roff(Command) << "\n.RE\n.fi\n";
  }
}

std::string manPage() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << ".\\\" Written by gpu-estimate-docs from the tables of lib/Driver.\n"
        ".TH GPU\\-ESTIMATE 1 "
     << GPU_ESTIMATE_DATE << " \"gpu\\-estimate " << toolVersion()
     << "\" \"User Commands\"\n.SH NAME\n"
        "gpu\\-estimate \\- predict, without a GPU, how long a GPU kernel "
        "takes\n.SH SYNOPSIS\n";
  bool First = true;
  for (const Subcommand &Row : subcommandTable()) {
    OS << (First ? "" : ".br\n") << boldFirst(Row.Usage) << '\n';
    First = false;
  }
  OS << ".SH DESCRIPTION\n";
  printText(
      OS,
      "Reads CUDA, HIP, or loops of plain C and C++, and says how long each "
      "kernel takes on a GPU that is named, what bounds it, and what would "
      "help. Nothing is run and no GPU is needed: the kernel's LLVM IR is "
      "evaluated on a model of the GPU. What the source does not tell is "
      "listed as an assumption, with the option that settles it.");
  OS << ".SH COMMANDS\n";
  for (const Subcommand &Row : subcommandTable())
    entry(OS, "\\fB" + roff(Row.Usage) + "\\fR", Row.Help);
  OS << ".SH OPTIONS\n";
  printText(OS, "Of `analyze` and `compare` where nothing else is said; "
                "`gpu-estimate COMMAND --help` lists those of a command.");
  printOptions(OS);
  OS << ".SS Compiler wrapper\n";
  printText(OS, "Of `gpu-estimate cc`, before the compiler.");
  for (const WrapperOption &Row : wrapperOptions())
    entry(OS, boldFirst(Row.Spelling), Row.Help);
  OS << ".SS Terms\nOf \\fB\\-\\-without\\fR.\n";
  for (const TermInfo &Term : termTable())
    entry(OS, boldFirst(Term.Name), Term.Meaning);
  OS << ".SH EXIT STATUS\n";
  for (size_t I = 0; I < exitStatuses().size(); ++I)
    entry(OS, "\\fB" + std::to_string(I) + "\\fR", exitStatuses()[I]);
  OS << ".SH ENVIRONMENT\n";
  for (const WrapperOption &Row : wrapperEnvironment())
    entry(OS, boldFirst(Row.Spelling), Row.Help);
  OS << ".SH FILES\n";
  entry(OS, "\\fB.gpu\\-estimate.yaml\\fR",
        "Options, launches, arguments and budgets of a project; found upward "
        "from each source file.");
  entry(OS, "\\fIPREFIX\\fR/share/gpu\\-estimate/hwmodels",
        "The GPU models, one YAML file each.");
  entry(OS, "\\fIPREFIX\\fR/share/doc/gpu\\-estimate",
        "How the numbers come about, and what each diagnostic means.");
  printExamples(OS);
  OS << ".SH SEE ALSO\n"
        ".BR clang (1),\n.BR ccache (1)\n";
  return Page;
}

} // namespace gpuestimate
