/// \file
/// The program behind `gpu-estimate serve --http`.
#include "../gpu-estimate-tool/CommandLine.h"
#include "gpu-estimate/Serve/WebServer.h"
#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "llvm/Support/InitLLVM.h"

using namespace gpuestimate;

int main(int ArgCount, char **Args) {
  llvm::InitLLVM Crashes(ArgCount, Args);
  Command Parsed = parseCommandLine(ArgCount, Args);
  if (Parsed.Name.empty())
    return Parsed.Run(Parsed, llvm::outs(), llvm::errs());
  if (Parsed.Name != "serve" ||
      Parsed.Opts.Serve.Protocol != ServeProtocol::Http) {
    llvm::errs() << "gpu-estimate: error: expected serve --http\n";
    return WrongUsage;
  }
  return runWebServer(Parsed.Opts, llvm::outs(), llvm::errs());
}
