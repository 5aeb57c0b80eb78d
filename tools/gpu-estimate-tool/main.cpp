/// \file
/// The command line tool: arguments to Options, Options to Driver.
#include "CommandLine.h"

#include "llvm/Support/InitLLVM.h"

using namespace gpuestimate;

int main(int ArgCount, char **Args) {
  llvm::InitLLVM Crashes(ArgCount, Args);
  Command Parsed = parseCommandLine(ArgCount, Args);
  return Parsed.Run(Parsed, llvm::outs(), llvm::errs());
}
