/// \file
/// `gpu-estimate analyze`: files in, one report out.
#include "RunSupport.h"

#include "gpu-estimate/Report/Diagnostics.h"
#include "gpu-estimate/Report/Json.h"
#include "gpu-estimate/Report/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral ErrorPrefix = "gpu-estimate: error: ";

static ExitStatus report(raw_ostream &Err, Error E) {
  ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
  Err << ErrorPrefix << toString(std::move(E)) << '\n';
  return Status;
}

std::string archOf(const GpuModel &Gpu) {
  if (Gpu.ComputeCapability.empty())
    return "";
  std::string Arch = "sm_" + Gpu.ComputeCapability;
  erase(Arch, '.');
  return supportedArch(Arch);
}

/// Adds the results of another file or architecture; what is said for each of
/// them is said once.
static void append(Analysis &Into, Analysis From) {
  std::move(From.Estimates.begin(), From.Estimates.end(),
            std::back_inserter(Into.Estimates));
  for (Unresolved &U : From.Unresolveds)
    if (none_of(Into.Unresolveds, [&](const Unresolved &Other) {
          return Other.Kernel == U.Kernel && Other.Location == U.Location &&
                 Other.Reason == U.Reason;
        }))
      Into.Unresolveds.push_back(std::move(U));
  for (Notice &N : From.Notices)
    if (none_of(Into.Notices, [&](const Notice &Other) {
          return Other.Text == N.Text && Other.Location == N.Location;
        }))
      Into.Notices.push_back(std::move(N));
}

namespace {

/// One file: parsed once for each architecture among the GPUs.
class FileRun {
public:
  FileRun(const Options &O, StringRef File, raw_ostream &Err)
      : O(O), File(File), Err(Err) {}

  Expected<Analysis> run();

private:
  const Options &O;
  StringRef File;
  raw_ostream &Err;
};

} // namespace

Expected<Analysis> FileRun::run() {
  Expected<Setup> S = prepareSetup(O, File);
  if (!S)
    return S.takeError();
  S->Latencies = S->Opts.Format != OutputFormat::Diagnostics;

  ParseRequest Request;
  Request.File = File.str();
  Request.ClangArgs = S->Opts.ClangArguments;
  Request.BuildPath = S->Opts.CompilationDatabase;
  Request.NoCudaSdk = S->Opts.NoCudaSdk;
  Request.CudaPath = S->Opts.CudaPath;
  Request.Offload = S->Opts.Offload;

  std::vector<std::pair<std::string, std::vector<GpuModel>>> Groups;
  for (const GpuModel &Gpu : S->Gpus) {
    std::string Arch = S->Opts.GpuArch.empty() ? archOf(Gpu) : S->Opts.GpuArch;
    auto Group = find_if(Groups, [&](auto &G) { return G.first == Arch; });
    if (Group == Groups.end())
      Group = Groups.insert(Groups.end(), {Arch, {}});
    Group->second.push_back(Gpu);
  }

  Analysis Result;
  std::string Printed;
  for (const auto &[Arch, Gpus] : Groups) {
    if (!Arch.empty())
      (StringRef(Arch).starts_with("gfx") ? Request.HipArch : Request.GpuArch) =
          Arch;
    std::string Diagnostics;
    Expected<TranslationUnit> Unit = parse(Request, Diagnostics);
    // The second architecture mostly repeats the warnings of the first.
    if (Diagnostics != Printed)
      Err << Diagnostics;
    Printed = std::move(Diagnostics);
    if (!Unit)
      return Unit.takeError();
    Expected<Analysis> Part = analyze(std::move(*Unit), *S, Gpus);
    if (!Part)
      return Part.takeError();
    append(Result, std::move(*Part));
  }
  return Result;
}

static std::string render(const Options &O, const Analysis &A) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text: {
    TextOptions T;
    T.Formulas = O.Formulas;
    T.Assumptions = !is_contained(O.Silenced, "assumption");
    printText(OS, A, T);
    break;
  }
  case OutputFormat::Json:
    printJson(OS, A, toolVersion());
    break;
  case OutputFormat::Diagnostics:
    printDiagnostics(OS, diagnose(A, O.Silenced));
    break;
  }
  return OS.str();
}

ExitStatus writeOutput(const Options &O, const std::string &Text,
                       raw_ostream &Out, raw_ostream &Err) {
  if (O.OutputFile.empty()) {
    Out << Text;
    return Done;
  }
  std::error_code Problem;
  raw_fd_ostream File(O.OutputFile, Problem);
  if (!Problem) {
    File << Text;
    File.close();
    Problem = File.error();
    File.clear_error();
  }
  if (!Problem)
    return Done;
  Err << ErrorPrefix << O.OutputFile << ": " << Problem.message() << '\n';
  return WrongUsage;
}

ExitStatus runAnalyze(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (O.Files.empty()) {
    Err << ErrorPrefix << "no file is named\n";
    return WrongUsage;
  }
  Analysis All;
  ExitStatus Status = Done;
  for (const std::string &File : O.Files) {
    Expected<Analysis> Result = FileRun(O, File, Err).run();
    if (Result) {
      append(All, std::move(*Result));
      continue;
    }
    Status = report(Err, Result.takeError());
    if (Status == WrongUsage)
      return Status;
  }
  // A file that could not be read leaves the others' results worth printing,
  // but a lone failure leaves nothing to print.
  if (Status == NotAnalysed && All.Estimates.empty() && All.Unresolveds.empty())
    return Status;
  // As diagnostics they stand among the others.
  if (O.Format != OutputFormat::Diagnostics)
    for (const Notice &N : All.Notices)
      Err << "gpu-estimate: warning: "
          << (N.Location.isValid() ? N.Location.brief() + ": " : "") << N.Text
          << '\n';
  if (ExitStatus Written = writeOutput(O, render(O, All), Out, Err);
      Written != Done)
    return Written;
  bool Impossible = any_of(
      All.Unresolveds, [](const Unresolved &U) { return U.ImpossibleLaunch; });
  bool NothingEstimated =
      All.Estimates.empty() &&
      any_of(All.Unresolveds, [](const Unresolved &U) { return U.HasCode; });
  return Impossible || NothingEstimated ? NotAnalysed : Status;
}

} // namespace gpuestimate
