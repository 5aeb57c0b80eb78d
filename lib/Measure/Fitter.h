/// \file
/// Shared by the rules of Fit*.cpp: look-ups in the measurements, and the list
/// of values.
#ifndef GPU_ESTIMATE_LIB_MEASURE_FITTER_H
#define GPU_ESTIMATE_LIB_MEASURE_FITTER_H

#include "Curves.h"
#include "gpu-estimate/Measure/Fit.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace gpuestimate {

class Fitter {
public:
  Fitter(llvm::ArrayRef<Measurement> All, const GpuModel &Base)
      : Base(Base), All(All) {}

  Fit Result;
  const GpuModel &Base;

  /// Whether a group was measured at all.
  bool has(llvm::StringRef Group) const;
  /// All measurements of a group with this name.
  std::vector<const Measurement *> named(llvm::StringRef Group,
                                         llvm::StringRef Name) const;
  /// The first measurement of this name; null if there is none.
  const Measurement *one(llvm::StringRef Group, llvm::StringRef Name) const;
  /// The measurement whose parameter Key is Word; null if there is none.
  const Measurement *one(llvm::StringRef Group, llvm::StringRef Name,
                         llvm::StringRef Key, llvm::StringRef Word) const;
  /// Value against the parameter X, ascending.
  std::vector<CurveSample> curve(llvm::StringRef Group, llvm::StringRef Name,
                                 llvm::StringRef X) const;

  /// Value is in base units. A value that no GPU can have becomes a doubt.
  void add(llvm::StringRef Key, double Value, llvm::StringRef Kind,
           llvm::StringRef Group, const llvm::Twine &Note);
  /// Takes the median of one measurement without a conversion.
  void take(llvm::StringRef Key, const Measurement *M,
            llvm::StringRef Note = "");
  void doubt(const llvm::Twine &Sentence) {
    Result.Doubts.push_back(Sentence.str());
  }

  /// Takes the median of Group's measurement Name; adds a doubt if Group was
  /// measured, but not Name.
  void take(llvm::StringRef Key, llvm::StringRef Group, llvm::StringRef Name,
            llvm::StringRef Note = "");

  /// Core clock under load in Hz; the base's when none was measured.
  double clock() const;
  /// Multiprocessors as the driver says, else the base's.
  double smCount() const;
  /// Bytes of L2 as the driver says, else the base's.
  double l2Size() const;

private:
  llvm::ArrayRef<Measurement> All;
};

/// "median of 9, spread 0.4%".
std::string quality(const Measurement &M);

void fitDevice(Fitter &F);
void fitOperations(Fitter &F);
void fitMemory(Fitter &F);
void fitExecution(Fitter &F);
void fitPower(Fitter &F);

} // namespace gpuestimate

#endif
