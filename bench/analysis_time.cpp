/// \file
/// analysis_time FILE.cu... [-- CLANG ARGS]: how long the analysis of one
/// kernel and one launch takes, without the compile: its evaluation, the
/// sensitivities of its assumptions, and the search for findings. Launches of
/// 10^3 to 10^9 threads, integer arguments of 10 to 10^7 (trip counts). Prints
/// one line of CSV for each launch; bench/analysis-time sums them up.
#include "Kernels.h"
#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <sys/resource.h>

using namespace gpuestimate;

/// Processor time of one analysis, which does nothing but compute, in
/// milliseconds; negative for an impossible launch.
static double analyse(const KernelModel &K, const GpuModel &Gpu,
                      const Launch &L, const Bindings &Values) {
  double Start = processorMs();
  auto P = evaluate(K, Gpu, L, Values, {});
  if (!P) {
    llvm::consumeError(P.takeError());
    return -1;
  }
  findCosts(*P, K, Gpu, L, Values, {});
  return processorMs() - Start;
}

static double peakMegabytes() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return double(Usage.ru_maxrss) / 1024;
}

int main(int Count, char **Arguments) {
  std::vector<std::string> Files, ClangArgs, *Into = &Files;
  for (int I = 1; I < Count; ++I)
    if (llvm::StringRef(Arguments[I]) == "--")
      Into = &ClangArgs;
    else
      Into->push_back(Arguments[I]);
  std::optional<GpuModel> Gpu = benchGpu();
  if (!Gpu)
    return 1;
  llvm::outs() << "file,kernel,threads,argument,ms,peak_mb\n";
  for (const std::string &File : Files)
    for (const KernelModel &K : kernelsOf(File, ClangArgs))
      for (double Threads : {1e3, 1e5, 1e7, 1e9})
        for (double Argument : {1e1, 1e3, 1e5, 1e7}) {
          Bindings Values;
          for (const KernelArgument &A : K.Arguments)
            if (A.Kind == KernelArgument::Integer)
              Values[A.Name] = Argument;
          Launch L;
          L.Block = {K.Res.MaxThreadsPerBlock
                         ? std::min(256u, K.Res.MaxThreadsPerBlock)
                         : 256u,
                     1, 1};
          L.Grid[0] = uint64_t(std::ceil(Threads / double(L.Block[0])));
          double Ms = analyse(K, *Gpu, L, Values);
          if (Ms >= 0)
            llvm::outs() << File << "," << K.Mangled
                         << llvm::format(",%.0e,%.0e,%.3f,%.0f\n", Threads,
                                         Argument, Ms, peakMegabytes());
        }
  return 0;
}
