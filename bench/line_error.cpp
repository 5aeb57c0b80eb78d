/// \file
/// line_error FILE.cu... [--kernel NAME] [-- CLANG ARGS]: what `tune` loses by
/// evaluating only some of very many launches
/// (Evaluate/Evaluator/LaunchSweep.h). Each integer argument of a kernel in
/// turn takes hundreds of values, at awkward steps too, in several blocks, in a
/// grid that stands and in one that follows the argument. Prints a line for
/// each kernel and argument: launches, share that was evaluated, and the error
/// of the time of the others (largest, and that of the worst in a hundred)
/// against their own evaluation and, of one in SamplesOfAll, against all
/// samples; last what their own evaluation errs against all samples, which is
/// what the screening costs by itself.
#include "Kernels.h"
#include "gpu-estimate/Evaluate/Evaluator/LaunchSweep.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace gpuestimate;

namespace {

struct Range {
  double First, Step;
  unsigned Count;
};

constexpr size_t SamplesOfAll = 16;

struct Errors {
  size_t Launches = 0, Evaluated = 0;
  /// Of launches that were not evaluated: against their evaluation, against
  /// all samples, and their evaluation against all samples.
  std::array<std::vector<double>, 3> OfOthers;

  void print(llvm::StringRef Of) {
    llvm::outs() << Of
                 << llvm::format(",%zu,%.3f", Launches,
                                 double(Evaluated) / Launches);
    for (std::vector<double> &Errors : OfOthers) {
      std::sort(Errors.begin(), Errors.end(), std::greater<double>());
      bool Any = !Errors.empty();
      llvm::outs() << llvm::format(",%.4f,%.4f", Any ? Errors.front() : 0,
                                   Any ? Errors[Errors.size() / 100] : 0);
    }
    llvm::outs() << '\n';
  }
};

double apart(double Time, double Wanted) { return std::abs(Time / Wanted - 1); }

} // namespace

static constexpr Range Ranges[] = {{1024, 64, 300},
                                   {1000, 37, 300},
                                   {300, 1, 400},
                                   {1000, 1, 600},
                                   {5000, 111, 300}};
static constexpr std::array<uint64_t, 3> Blocks[] = {
    {256, 1, 1}, {100, 1, 1}, {32, 8, 1}, {16, 16, 1}, {13, 7, 1}};

static void screen(const KernelModel &K, const GpuModel &Gpu,
                   const KernelArgument &Followed, const Range &Of,
                   const std::array<uint64_t, 3> &Block, bool GridFollows,
                   Errors &Into) {
  std::vector<Launch> Launches(Of.Count);
  std::vector<Bindings> Values(Of.Count);
  std::vector<SweepPoint> Line;
  for (unsigned I = 0; I < Of.Count; ++I) {
    double At = Of.First + Of.Step * I;
    for (const KernelArgument &A : K.Arguments)
      if (A.Kind == KernelArgument::Integer)
        Values[I][A.Name] = 1500;
    Values[I][Followed.Name] = At;
    uint64_t Threads = GridFollows ? uint64_t(At) : 1500;
    Launches[I].Block = Block;
    for (unsigned D = 0; D < (Block[1] > 1 ? 2 : 1); ++D)
      Launches[I].Grid[D] = (Threads + Block[D] - 1) / Block[D];
    Line.push_back({At, &Launches[I], &Values[I]});
  }
  EvaluateOptions Options;
  Options.SampleEffort = WhatIfEffort;
  KernelEvaluator Evaluator(K, Gpu, Options), Full(K, Gpu);
  interpolateSweep(
      Evaluator, Line, [&](size_t I, llvm::Expected<SweepResult> Screened) {
        if (!Screened)
          return llvm::consumeError(Screened.takeError());
        ++Into.Launches;
        Into.Evaluated += Screened->Evaluated;
        if (Screened->Evaluated)
          return;
        double Time = Screened->Time.value();
        double Own = cantFail(Evaluator.time(Launches[I], Values[I])).value();
        Into.OfOthers[0].push_back(apart(Time, Own));
        if (Into.OfOthers[0].size() % SamplesOfAll)
          return;
        double All = cantFail(Full.time(Launches[I], Values[I])).value();
        Into.OfOthers[1].push_back(apart(Time, All));
        Into.OfOthers[2].push_back(apart(Own, All));
      });
}

int main(int Count, char **Arguments) {
  std::vector<std::string> Files, ClangArgs, *Into = &Files;
  llvm::StringRef Only;
  for (int I = 1; I < Count; ++I)
    if (llvm::StringRef(Arguments[I]) == "--")
      Into = &ClangArgs;
    else if (llvm::StringRef(Arguments[I]) == "--kernel" && I + 1 < Count)
      Only = Arguments[++I];
    else
      Into->push_back(Arguments[I]);
  std::optional<GpuModel> Gpu = benchGpu();
  if (!Gpu)
    return 1;
  llvm::outs() << "kernel:argument,launches,evaluated,max,p99,max_all,p99_all,"
                  "max_screened,p99_screened\n";
  Errors Total;
  for (const std::string &File : Files)
    for (const KernelModel &K : kernelsOf(File, ClangArgs))
      for (const KernelArgument &A : K.Arguments) {
        if (!llvm::StringRef(K.Mangled).contains(Only) ||
            A.Kind != KernelArgument::Integer)
          continue;
        Errors Of;
        for (const Range &Each : Ranges)
          for (const auto &Block : Blocks)
            for (bool GridFollows : {false, true})
              screen(K, *Gpu, A, Each, Block, GridFollows, Of);
        if (Of.Launches == 0)
          continue;
        Of.print(K.Name + ":" + A.Name);
        Total.Launches += Of.Launches;
        Total.Evaluated += Of.Evaluated;
        for (unsigned E = 0; E < 3; ++E)
          Total.OfOthers[E].insert(Total.OfOthers[E].end(),
                                   Of.OfOthers[E].begin(),
                                   Of.OfOthers[E].end());
      }
  if (Total.Launches > 0)
    Total.print("all");
  return 0;
}
