/// \file
/// Completion for bash, without the package bash-completion: bash splits words
/// at '=', so that "--gpu=nv" comes as three.
#include "Completion.h"

#include "gpu-estimate/Cli/ShellFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Head =

#include "Completion/head.bash.inc"
    ;

/// Statements of a case: for the value of an option, or for arguments.
static std::string assignments(const CompletionValue &Value) {
  std::string Text;
  if (!Value.Words.empty())
    Text += " words='" + joined(Value.Words, " ") + "'";
  if (Value.Files)
    Text += " files='" +
            (Value.Endings.empty() ? "*" : joined(Value.Endings, " ")) + "'";
  if (Value.Folders)
    Text += " folders=yes";
  return Text.empty() ? " :" : Text;
}

static std::string spellings(const std::vector<CompletionOption> &Options) {
  std::string Text;
  for (const CompletionOption &O : Options)
    Text += (Text.empty() ? "" : " ") + O.Spelling +
            (O.OneWord && O.TakesValue ? "=" : "");
  return Text;
}

static void printBashCommand(raw_ostream &OS,
                             const CompletionCommand &Command) {
  OS << "    " << Command.Name << ")\n";
  if (Command.ThenCommand)
    // Arguments after the compiler's name are completed by the shell.
    OS << "      for ((i = 2; i < COMP_CWORD; ++i)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "          -*) ;;\n"
          "          =) ((++i)) ;;\n"
          "          *)\n"
          "            if declare -F _command_offset > /dev/null; then\n"
          "              _command_offset $i\n"
          "            else\n"
          "              mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "            fi\n"
          "            return ;;\n"
          "        esac\n"
          "      done\n";
  OS << "      case $option in\n";
  for (const CompletionOption &O : Command.Options)
    if (O.TakesValue)
      OS << "        " << O.Spelling << ")" << assignments(O.Value) << " ;;\n";
  OS << "        *)\n          if [[ $cur = -* ]]; then\n            words='"
     << spellings(Command.Options) << (Command.ThenCommand ? "" : " --help")
     << "'\n          else\n            ";
  if (Command.ThenCommand)
    OS << "mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n            "
          "return\n";
  else
    OS << StringRef(assignments(Command.Arguments)).ltrim() << '\n';
  OS << "          fi ;;\n      esac ;;\n";
}

static constexpr StringLiteral Tail =
#include "Completion/tail.bash.inc"
    ;

std::string bashCompletion() {
  std::string Text;
  raw_string_ostream OS(Text);
  std::vector<CompletionCommand> Commands = completionCommands();
  std::vector<CompletionOption> Globals = completionGlobals();
  OS << Head << "  if [ $COMP_CWORD -eq 1 ]; then\n    words='";
  for (const CompletionCommand &Command : Commands)
    OS << Command.Name << ' ';
  OS << spellings(Globals) << "' command=any\n  fi\n  case $command in\n";
  for (const CompletionOption &O : Globals)
    if (O.TakesValue)
      OS << "    " << O.Spelling << ")" << assignments(O.Value) << " ;;\n";
  for (const CompletionCommand &Command : Commands)
    printBashCommand(OS, Command);
  OS << Tail;
  return Text;
}

} // namespace gpuestimate
