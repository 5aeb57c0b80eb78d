/// \file
/// ptx_time FILE.ptx...: what the translation of PTX to LLVM IR costs. Prints
/// the lines and kernels of each file and the median of 20 runs in milliseconds
/// of processor time. The exit status is 1 if any takes more than 30 ms for
/// each 2,000 lines, or cannot be read.
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <ctime>

using namespace gpuestimate;

static constexpr double LimitMs = 30, LimitLines = 2000;
static constexpr unsigned Runs = 20;

static bool measure(const char *File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer) {
    llvm::errs() << File << ": " << Buffer.getError().message() << "\n";
    return false;
  }
  llvm::StringRef Text = (*Buffer)->getBuffer();
  std::vector<double> Ms;
  size_t Kernels = 0;
  for (unsigned N = 0; N < Runs; ++N) {
    std::clock_t Begin = std::clock();
    llvm::Expected<PtxUnit> Unit = readPtx(Text, File, "sm_120");
    Ms.push_back(1e3 * double(std::clock() - Begin) / CLOCKS_PER_SEC);
    if (!Unit) {
      llvm::errs() << llvm::toString(Unit.takeError()) << "\n";
      return false;
    }
    Kernels = Unit->Kernels.size();
  }
  std::nth_element(Ms.begin(), Ms.begin() + Runs / 2, Ms.end());
  double Lines = double(Text.count('\n')), Median = Ms[Runs / 2];
  llvm::outs() << llvm::format("%8.0f lines %3zu kernels %8.2f ms  ", Lines,
                               Kernels, Median)
               << File << "\n";
  return Median <= LimitMs * std::max(1.0, Lines / LimitLines);
}

int main(int Count, char **Arguments) {
  bool Holds = Count > 1;
  for (int N = 1; N < Count; ++N)
    Holds &= measure(Arguments[N]);
  return !Holds;
}
