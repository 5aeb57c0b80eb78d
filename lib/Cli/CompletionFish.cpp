/// \file
/// Completion for fish: one `complete` line for each option of each command.
#include "Completion.h"

#include "gpu-estimate/Cli/ShellFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static std::string quoted(StringRef Text) {
  std::string Result = "'";
  for (char C : Text) {
    if (C == '\'' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + "'";
}

/// " -x -a 'cold warm'"; files and folders by fish's own functions.
static std::string valueOf(const CompletionValue &Value) {
  std::string Words = joined(Value.Words, " ");
  auto Add = [&](const std::string &More) {
    Words += (Words.empty() ? "" : " ") + More;
  };
  for (const std::string &Ending : Value.Endings)
    Add("(__fish_complete_suffix ." + Ending + ")");
  if (Value.Folders)
    Add("(__fish_complete_directories)");
  bool AnyFile = Value.Files && Value.Endings.empty();
  // __fish_complete_suffix puts what has the ending in front.
  return std::string(AnyFile ? " -r -F" : " -x") +
         (Value.Endings.empty() ? "" : " -k") +
         (Words.empty() ? "" : " -a " + quoted(Words));
}

static void printOption(raw_ostream &OS, StringRef Condition,
                        const CompletionOption &O) {
  StringRef Name(O.Spelling);
  OS << "complete -c gpu-estimate -n " << quoted(Condition)
     << (Name.consume_front("--") ? " -l " : " -s ") << Name.ltrim('-')
     << (O.TakesValue ? valueOf(O.Value) : " -f") << " -d " << quoted(O.Help)
     << '\n';
}

std::string fishCompletion() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "# fish completion for gpu-estimate. Written by gpu-estimate-docs.\n";
  std::vector<CompletionCommand> Commands = completionCommands();
  std::string Names;
  for (const CompletionCommand &Command : Commands)
    Names += (Names.empty() ? "" : " ") + Command.Name;
  std::string None = "not __fish_seen_subcommand_from " + Names;
  for (const CompletionCommand &Command : Commands)
    OS << "complete -c gpu-estimate -f -n " << quoted(None) << " -a "
       << Command.Name << " -d " << quoted(Command.Help) << '\n';
  for (const CompletionOption &O : completionGlobals())
    printOption(OS, None, O);
  for (const CompletionCommand &Command : Commands) {
    std::string Seen = "__fish_seen_subcommand_from " + Command.Name;
    for (const CompletionOption &O : Command.Options)
      printOption(OS, Seen, O);
    if (Command.ThenCommand)
      OS << "complete -c gpu-estimate -n " << quoted(Seen)
         << " -x -a '(__fish_complete_subcommand)'\n";
    else
      OS << "complete -c gpu-estimate -n " << quoted(Seen)
         << valueOf(Command.Arguments) << '\n';
  }
  return Text;
}

} // namespace gpuestimate
