/// \file
/// evaluation_rate FILE.cu... [--kernel NAME] [--effort E] [-- CLANG ARGS]:
/// what one of many launches of a kernel costs when only its time is wanted, as
/// in the ranking of block shapes and arguments. Prints a line for each kernel:
/// launches, microseconds of processor time for each, and the sum of the times
/// as a check that two versions compute the same.
#include "Kernels.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "llvm/Support/Format.h"

using namespace gpuestimate;

namespace {

struct Planned {
  Launch L;
  Bindings Values;
};

} // namespace

/// Every block of powers of two with 32 to 1024 threads, over several sizes of
/// the problem; the grid covers Size x Size threads.
static std::vector<Planned> launchesOf(const KernelModel &K) {
  std::vector<Planned> Out;
  for (double Size : {1000.0, 1024.0, 1500.0, 2048.0, 3000.0, 4096.0})
    for (uint64_t X = 1; X <= 1024; X *= 2)
      for (uint64_t Y = 1; X * Y <= 1024; Y *= 2) {
        if (X * Y < 32)
          continue;
        Planned &P = Out.emplace_back();
        for (const KernelArgument &A : K.Arguments)
          if (A.Kind == KernelArgument::Integer)
            P.Values[A.Name] = Size;
        P.L.Block = {X, Y, 1};
        P.L.Grid = {uint64_t(Size + X - 1) / X, uint64_t(Size + Y - 1) / Y, 1};
      }
  return Out;
}

static void measure(const std::string &File, const KernelModel &K,
                    const GpuModel &Gpu, double Effort) {
  std::vector<Planned> Launches = launchesOf(K);
  EvaluateOptions Options;
  Options.SampleEffort = Effort;
  double Sum = 0;
  unsigned Rounds = 0, Times = 0;
  double Start = processorMs(), Spent = 0;
  do {
    KernelEvaluator Evaluator(K, Gpu, Options);
    for (const Planned &P : Launches)
      if (auto Time = Evaluator.time(P.L, P.Values)) {
        Sum += Rounds ? 0 : Time->value();
        ++Times;
      } else {
        llvm::consumeError(Time.takeError());
      }
    ++Rounds;
    Spent = processorMs() - Start;
  } while (Spent < 500 && Times > 0);
  if (Times > 0)
    llvm::outs() << File << "," << K.Mangled << ","
                 << llvm::format("%g,%u,%.2f,%.17g\n", Effort, Times / Rounds,
                                 1000 * Spent / Times, Sum);
}

int main(int Count, char **Arguments) {
  std::vector<std::string> Files, ClangArgs, *Into = &Files;
  llvm::StringRef Only;
  std::vector<double> Efforts = {1.0, WhatIfEffort};
  for (int I = 1; I < Count; ++I)
    if (llvm::StringRef(Arguments[I]) == "--")
      Into = &ClangArgs;
    else if (llvm::StringRef(Arguments[I]) == "--kernel" && I + 1 < Count)
      Only = Arguments[++I];
    else if (llvm::StringRef(Arguments[I]) == "--effort" && I + 1 < Count)
      Efforts = {std::atof(Arguments[++I])};
    else
      Into->push_back(Arguments[I]);
  std::optional<GpuModel> Gpu = benchGpu();
  if (!Gpu)
    return 1;
  llvm::outs() << "file,kernel,effort,launches,microseconds,sum_s\n";
  for (const std::string &File : Files)
    for (const KernelModel &K : kernelsOf(File, ClangArgs))
      if (llvm::StringRef(K.Mangled).contains(Only))
        for (double Effort : Efforts)
          measure(File, K, *Gpu, Effort);
  return 0;
}
