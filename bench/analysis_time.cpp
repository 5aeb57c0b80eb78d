/// \file
/// analysis_time FILE.cu...: how long the evaluation of one kernel and one
/// launch takes, without the compile: launches of 10^3 to 10^9 threads, integer
/// arguments of 10 to 10^7 (trip counts). Prints median, 99th percentile and
/// largest time, the medians by size, and the peak memory of the process.
#include "gpu-estimate/Evaluate/Evaluate.h"
#include "gpu-estimate/Extract/Extract.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/GpuModel/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <map>
#include <sys/resource.h>

using namespace gpuestimate;

static double percentile(std::vector<double> Times, double Share) {
  llvm::sort(Times);
  return Times[size_t(Share * double(Times.size() - 1))];
}

static std::vector<KernelModel> kernelsOf(const std::string &File) {
  std::vector<KernelModel> Out;
  ParseRequest Request;
  Request.File = File;
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  if (!Unit) {
    llvm::errs() << "left out: " << llvm::toString(Unit.takeError()) << "\n";
    return Out;
  }
  prepareForAnalysis(*Unit->Module);
  for (const KernelSource &K : Unit->Kernels)
    if (auto Model = extractKernel(*Unit->Module->getFunction(K.Mangled), K))
      Out.push_back(std::move(*Model));
    else
      llvm::consumeError(Model.takeError());
  return Out;
}

int main(int Count, char **Files) {
  auto Folder = findModelFolder();
  if (!Folder) {
    llvm::errs() << llvm::toString(Folder.takeError()) << "\n";
    return 1;
  }
  auto Gpu = findGpuModel("nvidia-a100-40gb-pcie", *Folder);
  if (!Gpu) {
    llvm::errs() << llvm::toString(Gpu.takeError()) << "\n";
    return 1;
  }
  std::vector<double> All;
  std::map<double, std::vector<double>> ByThreads, ByArgument;
  unsigned Kernels = 0;
  for (int I = 1; I < Count; ++I)
    for (const KernelModel &K : kernelsOf(Files[I])) {
      ++Kernels;
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
          auto Start = std::chrono::steady_clock::now();
          auto P = evaluate(K, *Gpu, L, Values, {});
          double Ms = std::chrono::duration<double, std::milli>(
                          std::chrono::steady_clock::now() - Start)
                          .count();
          if (!P) {
            llvm::consumeError(P.takeError());
            continue;
          }
          All.push_back(Ms);
          ByThreads[Threads].push_back(Ms);
          ByArgument[Argument].push_back(Ms);
        }
    }
  if (All.empty()) {
    llvm::errs() << "nothing to evaluate\n";
    return 1;
  }
  llvm::outs() << Kernels << " kernels, " << All.size() << " launches\n"
               << llvm::format("median %.2f ms, 99%% %.1f ms, most %.1f ms\n",
                               percentile(All, 0.5), percentile(All, 0.99),
                               percentile(All, 1));
  for (auto &[Threads, Times] : ByThreads)
    llvm::outs() << llvm::format("%8.0e threads:   median %.2f ms\n", Threads,
                                 percentile(Times, 0.5));
  for (auto &[Argument, Times] : ByArgument)
    llvm::outs() << llvm::format("%8.0e arguments: median %.2f ms\n", Argument,
                                 percentile(Times, 0.5));
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  llvm::outs() << llvm::format("peak memory %.0f MB, the compiler's included\n",
                               double(Usage.ru_maxrss) / 1024);
  return 0;
}
