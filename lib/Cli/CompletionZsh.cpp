/// \file
/// Completion for zsh, by _arguments.
#include "Completion.h"

#include "gpu-estimate/Cli/ShellFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Within single quotes, where _arguments gives brackets and colons a meaning.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '\'')
      Result += "'\\'";
    else if (StringRef("[]:\\").contains(C))
      Result += '\\';
    Result += C;
  }
  return Result;
}

/// ":value:(cold warm)"
static std::string actionOf(StringRef Message, const CompletionValue &Value) {
  std::string Words = joined(Value.Words, " ");
  std::string Files;
  if (Value.Folders)
    Files = "_files -/";
  else if (Value.Files)
    Files = Value.Endings.empty()
                ? "_files"
                : "_files -g \"*.(" + joined(Value.Endings, "|") + ")\"";
  std::string Action = !Words.empty() && !Files.empty()
                           ? "{compadd -- " + Words + "; " + Files + "}"
                       : Words.empty() ? Files
                                       : "(" + Words + ")";
  return ":" + Message.str() + ":" + (Action.empty() ? " " : Action);
}

static void printOption(raw_ostream &OS, const CompletionOption &O) {
  bool Long = StringRef(O.Spelling).starts_with("--");
  OS << "        '" << (O.Repeatable ? "*" : "") << O.Spelling;
  if (O.TakesValue)
    OS << (O.OneWord ? "=-" : Long ? "=" : "");
  OS << "[" << escaped(O.Help) << "]"
     << (O.TakesValue ? actionOf("value", O.Value) : "") << "' \\\n";
}

static void printZshCommand(raw_ostream &OS, const CompletionCommand &Command) {
  OS << "    " << Command.Name << ")\n      _arguments \\\n";
  for (const CompletionOption &O : Command.Options)
    printOption(OS, O);
  if (Command.ThenCommand)
    OS << "        '(-)1: :_command_names -e' '*::arguments:_normal' ;;\n";
  else
    OS << "        '(- *)--help[Print what can be said]' \\\n        '*"
       << actionOf("argument", Command.Arguments) << "' ;;\n";
}

std::string zshCompletion() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "#compdef gpu-estimate\n"
        "# zsh completion for gpu-estimate. Written by gpu-estimate-docs.\n\n"
        "local curcontext=$curcontext state line\n"
        "local -a commands=(\n";
  std::vector<CompletionCommand> Commands = completionCommands();
  for (const CompletionCommand &Command : Commands)
    OS << "  '" << Command.Name << ":" << escaped(Command.Help) << "'\n";
  OS << ")\n_arguments -C \\\n";
  for (const CompletionOption &O : completionGlobals())
    OS << "  '(- *)" << O.Spelling << "[" << escaped(O.Help) << "]"
       << (O.TakesValue ? actionOf("name", O.Value) : "") << "' \\\n";
  OS << "  '1: :->command' '*:: :->arguments'\n\n"
        "case $state in\n"
        "command) _describe command commands ;;\n"
        "arguments)\n"
        "  case $words[1] in\n";
  for (const CompletionCommand &Command : Commands)
    printZshCommand(OS, Command);
  OS << "  esac ;;\nesac\n";
  return Text;
}

} // namespace gpuestimate
