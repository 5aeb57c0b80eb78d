#include "CpuCases.h"

#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

/// `analyze FILE --against cpu=NAME:CORES` of one function's nests.
static Options optionsOf(const DatasetCases &From, const MeasuredCase &Case,
                         const Options &O) {
  const CaseLaunch &Launch = Case.Launches.front();
  Options One;
  SmallString<128> File(From.sourceFolder(Launch));
  sys::path::append(File, Launch.File);
  One.Files = {File.str().str()};
  One.Gpus = {Case.Gpu};
  One.ModelFolder = O.ModelFolder;
  One.KernelRegex = "^" + Regex::escape(Launch.Function) + "(\\.[0-9]+)?$";
  One.ClangArguments = From.Data->Arguments;
  for (const std::string &Define : Launch.Defines)
    One.ClangArguments.push_back("-D" + Define);
  One.Parameters = Launch.Parameters;
  One.Caches = Launch.Caches;
  One.Ptxas = "off";
  One.NoCudaSdk = true;
  One.Against = {{TargetRequest::Cpu, Case.Cpu, Case.Cores}};
  return One;
}

static Expected<Analysis> analyse(const Options &One) {
  Expected<Setup> S = prepareSetup(One, One.Files.front());
  if (!S)
    return S.takeError();
  S->Details = S->BreakEvens = false;
  ParseRequest Request = parseRequest(One, One.Files.front(), /*Arch=*/"");
  std::string Diagnostics;
  Expected<TranslationUnit> Unit = gpuestimate::parse(Request, Diagnostics);
  if (!Unit)
    return createStringError(toString(Unit.takeError()) + Diagnostics);
  return analyze(std::move(*Unit), *S, S->Gpus);
}

/// The nests of the case after each other; a string says why it has no time.
static Expected<CaseResult>
predict(const DatasetCases &From, const MeasuredCase &Case, const Options &O) {
  if (Case.Launches.size() > 1)
    return createStringError("a case of a CPU must name one function");
  Expected<Analysis> A = analyse(optionsOf(From, Case, O));
  if (!A)
    return A.takeError();
  if (!A->Unresolveds.empty())
    return createStringError(A->Unresolveds.front().Reason);
  CaseResult R;
  double Longest = 0;
  for (const ExplainedPrediction &E : A->Estimates) {
    const TargetComparison &C = E.Against.front();
    if (!C.Problem.empty())
      return createStringError(C.Problem);
    double Ms = C.Time.value() * 1e3 * Case.Launches.front().Repeat;
    R.PredictedMs += Ms;
    R.Breakdown.push_back({C.Bottleneck, Ms});
    if (Ms > Longest) {
      Longest = Ms;
      R.Bottleneck = C.Bottleneck;
    }
  }
  if (A->Estimates.empty())
    return createStringError("'" + Case.Launches.front().Function +
                             "' has no loop nest");
  for (auto &[Name, Share] : R.Breakdown)
    Share /= R.PredictedMs;
  return R;
}

void predictCpuCase(const DatasetCases &From, const MeasuredCase &Case,
                    const Options &O, Validation &Into) {
  if (!is_contained(Into.Models, DefaultModel))
    return;
  const Dataset &Data = *From.Data;
  Expected<CaseResult> R = predict(From, Case, O);
  if (!R) {
    Into.Failures.push_back(
        {Data.Name, Case.Id, Case.Cpu,
         Data.CasesFile + ":" + std::to_string(Case.Launches.front().Line),
         toString(R.takeError())});
    return;
  }
  R->Dataset = Data.Name;
  R->Case = Case.Id;
  R->Kernel = Case.Kernel;
  R->Gpu = Case.Cpu;
  R->Model = DefaultModel.str();
  R->Part = Case.Part;
  R->Noisy = Case.Noisy;
  R->MeasuredMs = Case.Milliseconds;
  R->Spread = Case.Spread;
  Into.Cases.push_back(std::move(*R));
}

} // namespace gpuestimate
