/// \file
/// Behind `gpu-estimate cc`: one source of a compiler's command; and the table
/// of what such runs left.
#include "RunSupport.h"

#include "gpu-estimate/Report/Records.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static Expected<std::vector<Diagnostic>>
analyzeCommand(const Options &O, const std::string &Source) {
  Expected<Setup> S = prepareSetup(O, Source);
  if (!S)
    return S.takeError();
  ParseRequest Request;
  Request.File = Source;
  Request.CommandLine = O.CompilerCommand;
  Request.NoCudaSdk = O.NoCudaSdk;
  Request.CudaPath = O.CudaPath;
  Request.Offload = S->Opts.Offload;
  // What the command names goes first.
  std::string Arch = O.GpuArch.empty() ? archOf(S->Gpus.front()) : O.GpuArch;
  if (!Arch.empty())
    (StringRef(Arch).starts_with("gfx") ? Request.HipArch : Request.GpuArch) =
        Arch;
  // The compiler itself has said what there is to say about the source.
  std::string Said;
  Expected<TranslationUnit> Unit = parse(Request, Said);
  if (!Unit) {
    std::string Reason = toString(Unit.takeError());
    size_t At = StringRef(Said).find("error: ");
    if (At != StringRef::npos)
      Reason += ": " + StringRef(Said).substr(At + 7).split('\n').first.str();
    return createStringError(Reason);
  }
  return analyzeForPlugin(std::move(*Unit), O);
}

ExitStatus runAnalyzeCommand(const Options &O, raw_ostream &Err) {
  const std::string &Source = O.Files.front();
  Expected<std::vector<Diagnostic>> Found = analyzeCommand(O, Source);
  if (Found) {
    printDiagnostics(Err, *Found);
    bool Failed = any_of(*Found, [](const Diagnostic &D) {
      return D.Severity == DiagnosticSeverity::Error;
    });
    return Failed ? BoundExceeded : Done;
  }
  std::string Reason = toString(Found.takeError());
  Err << "gpu-estimate: remark: no estimate for " << Source << ": " << Reason
      << '\n';
  if (O.JsonFile.empty())
    return Done;
  Analysis Nothing;
  Nothing.Unresolveds.push_back({"", "", {Source, 1, 1}, Reason});
  if (Error E = writeJsonFile(O.JsonFile, Nothing, Source))
    Err << "gpu-estimate: remark: " << toString(std::move(E)) << '\n';
  return Done;
}

ExitStatus runReport(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  Expected<Records> Found = readRecords(O.Files);
  if (!Found) {
    Err << "gpu-estimate: error: " << toString(Found.takeError()) << '\n';
    return WrongUsage;
  }
  for (const std::string &Problem : Found->Problems)
    Err << "gpu-estimate: warning: " << Problem << '\n';
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text:
    printRecordsText(OS, *Found);
    break;
  case OutputFormat::Json:
    printRecordsJson(OS, std::move(*Found), toolVersion());
    break;
  default:
    Err << "gpu-estimate: error: --format: report has text and json\n";
    return WrongUsage;
  }
  return writeOutput(O, OS.str(), Out, Err);
}

} // namespace gpuestimate
