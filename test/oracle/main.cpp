/// \file
/// traffic-oracle [--all] [--output FILE] [KERNEL...]
///
/// The closed form of traffic against a simulation of every request, as a table
/// of the worst launch of each kernel (--all: of every launch). Fails when a
/// fraction differs by more than 3 percentage points in the mean over all
/// launches or by 8 in one of them (20 in the launches of Apart), or when
/// sectors or bank passes differ.
#include "Compare.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

using namespace gpuestimate;
using namespace gpuestimate::test;

static constexpr double MeanBound = 3, WorstBound = 8,
                        ApartBound = 20; // percentage points
/// Sectors and bank passes are exact, but for sums of rounded shares.
static constexpr double CountBound = 1e-4;
/// Standard errors of a launch's draws: a mean is further off by chance once in
/// 16000 times.
static constexpr double ChanceBound = 4;

namespace {

struct Fraction {
  const char *Name;
  double TrafficShares::*Share;
};
constexpr Fraction Fractions[] = {{"L1", &TrafficShares::L1Hit},
                                  {"L2", &TrafficShares::L2Hit},
                                  {"writes", &TrafficShares::Written}};

double points(const Comparison &C, const Fraction &F) {
  return 100 * std::abs(C.Got.*F.Share - C.Want.*F.Share);
}

/// Launches in which several blocks read the same data at a time. The simulated
/// blocks all take as long, so that they stay in step, wave after wave, and one
/// fetches for the others. On a GPU they drift apart, which the closed form
/// follows (lib/Evaluate/Cache/TrafficDrift.cpp): it fetches more.
struct ApartLaunch {
  const char *Kernel, *Fraction, *Launch;
};
constexpr ApartLaunch Apart[] = {
    {"broadcast", "L2", "24 of 256 n=30000"},
    {"matmulTiled", "L2", "18x18 of 16x16 n=288"},
};

/// Percentage points by which a fraction of a launch may differ.
double worstBound(llvm::StringRef Kernel, const Fraction &F, const Shape &S) {
  for (const ApartLaunch &A : Apart)
    if (Kernel == A.Kernel && llvm::StringRef(F.Name) == A.Fraction &&
        S.str() == A.Launch)
      return ApartBound;
  return WorstBound;
}

struct Mean {
  double Sum = 0;
  unsigned Count = 0;
};

class Report {
public:
  explicit Report(llvm::raw_ostream &Out) : Out(Out) {}
  void header();
  void row(llvm::StringRef Kernel, const OracleMachine &M, const Shape &S,
           const Comparison &C);
  void add(llvm::StringRef Kernel, const OracleMachine &M, const Shape &S,
           const Comparison &C);
  /// Means, and what is above the bounds; true if nothing is.
  bool finish(bool Whole);

private:
  /// Error: standard error of Want.
  void countsDiffer(llvm::StringRef Kernel, const char *What, double Got,
                    double Want, double Error, const Shape &S);

  llvm::raw_ostream &Out;
  std::map<std::string, double> Worst; ///< by kernel, caches, fraction
  std::map<std::string, Mean> Means;   ///< by caches and fraction
  std::map<std::string, std::string> Failures;
};

} // namespace

void Report::header() {
  Out << "kernel                caches   L1 hit (%)     L2 hit (%)     "
         "DRAM writes (%)  worst launch\n"
      << "                                here simul.    here simul.    "
         "here simul.\n";
}

void Report::row(llvm::StringRef Kernel, const OracleMachine &M, const Shape &S,
                 const Comparison &C) {
  Out << llvm::format("%-21s %-6s", Kernel.str().c_str(), M.Name.c_str());
  for (const Fraction &F : Fractions)
    Out << llvm::format("  %5.1f %5.1f %c", 100 * (C.Got.*F.Share),
                        100 * (C.Want.*F.Share),
                        points(C, F) > worstBound(Kernel, F, S) ? '!' : ' ');
  Out << "  " << S.str() << "\n";
}

void Report::countsDiffer(llvm::StringRef Kernel, const char *What, double Got,
                          double Want, double Error, const Shape &S) {
  double Beyond = std::max(0.0, std::abs(Got - Want) - ChanceBound * Error);
  double Percent = Want > 0 ? 100 * Beyond / Want : 0;
  std::string Key = Kernel.str() + " all " + What;
  Worst[Key] = std::max(Worst[Key], Percent);
  if (Percent > 100 * CountBound)
    Failures[Key] = S.str();
}

void Report::add(llvm::StringRef Kernel, const OracleMachine &M, const Shape &S,
                 const Comparison &C) {
  for (const Fraction &F : Fractions) {
    double Points = points(C, F);
    Mean &Average = Means[M.Name + " " + F.Name];
    Average.Sum += Points;
    ++Average.Count;
    std::string Key = Kernel.str() + " " + M.Name + " " + F.Name;
    Worst[Key] = std::max(Worst[Key], Points);
    if (Points > worstBound(Kernel, F, S))
      Failures[Key] = S.str();
  }
  countsDiffer(Kernel, "sectors", C.Got.Sectors, C.Want.Sectors,
               C.Want.SectorsError, S);
  countsDiffer(Kernel, "passes", C.Got.BankPasses, C.Want.BankPasses, 0, S);
}

bool Report::finish(bool Whole) {
  bool Good = Failures.empty();
  Out << "\nmean difference, and launches looked at:\n";
  for (auto &[Key, Average] : Means) {
    double Points = Average.Sum / Average.Count;
    Out << llvm::format("  %-14s %5.2f of %u", Key.c_str(), Points,
                        Average.Count);
    if (Whole && Points > MeanBound) {
      Out << "  above " << MeanBound;
      Good = false;
    }
    Out << "\n";
  }
  for (auto &[Key, Launch] : Failures)
    Out << llvm::format("above the bound: %s, %.2f: ", Key.c_str(), Worst[Key])
        << Launch << "\n";
  return Good;
}

int main(int Count, char **Arguments) {
  bool All = false;
  std::string Output = "-";
  std::vector<std::string> Wanted;
  for (int I = 1; I < Count; ++I) {
    std::string Argument = Arguments[I];
    if (Argument == "--all")
      All = true;
    else if (Argument == "--output" && I + 1 < Count)
      Output = Arguments[++I];
    else
      Wanted.push_back(Argument);
  }
  std::error_code Error;
  llvm::raw_fd_ostream File(Output, Error);
  if (Error) {
    llvm::errs() << Output << ": " << Error.message() << "\n";
    return 2;
  }

  llvm::StringMap<KernelModel> Kernels = oracleKernels();
  std::vector<OracleMachine> Machines = oracleMachines();
  Report R(File);
  R.header();
  for (const KernelCases &C : oracleCases()) {
    if (!Wanted.empty() && llvm::find(Wanted, C.Kernel) == Wanted.end())
      continue;
    auto Kernel = Kernels.find(C.Kernel);
    if (Kernel == Kernels.end()) {
      llvm::errs() << "no model of " << C.Kernel << "\n";
      return 2;
    }
    std::vector<std::optional<Comparison>> Worst(Machines.size());
    std::vector<const Shape *> At(Machines.size());
    for (const Shape &S : C.Shapes) {
      std::vector<Comparison> Comparisons =
          compare(Kernel->second, S, Machines);
      for (unsigned I = 0; I < Machines.size(); ++I) {
        R.add(C.Kernel, Machines[I], S, Comparisons[I]);
        if (All)
          R.row(C.Kernel, Machines[I], S, Comparisons[I]);
        if (!Worst[I] || Comparisons[I].worst() > Worst[I]->worst()) {
          Worst[I] = Comparisons[I];
          At[I] = &S;
        }
      }
    }
    for (unsigned I = 0; I < Machines.size() && !All; ++I)
      R.row(C.Kernel, Machines[I], *At[I], *Worst[I]);
  }
  bool Good = R.finish(Wanted.empty());
  if (!Good)
    llvm::errs() << "traffic-oracle: above the bounds"
                 << (Output == "-" ? "" : ", see " + Output) << "\n";
  return Good ? 0 : 1;
}
