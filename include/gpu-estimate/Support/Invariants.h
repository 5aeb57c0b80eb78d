/// \file
/// Invariants of records: what must hold of a record when a room hands it to
/// the next one. A record has a function
///
///   std::string checkX(const X &Record);   // "" or the first violation
///
/// that lists its rules with an InvariantList, and the room that finishes the
/// record calls
///
///   atBorder("launch plan", [&] { return checkX(Record); });
///
/// A violation is a fault of this program, never one of its input. Rules are
/// checked in builds with assertions and where the environment variable
/// GPU_ESTIMATE_CHECK is not empty, as in all lit tests.
#ifndef GPU_ESTIMATE_SUPPORT_INVARIANTS_H
#define GPU_ESTIMATE_SUPPORT_INVARIANTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace gpuestimate {

/// Relative error of a sum of doubles that counts as none.
inline constexpr double SumTolerance = 1e-9;

/// Collects the first violated rule.
class InvariantList {
public:
  void require(bool Holds, const llvm::Twine &Violation) {
    if (!Holds && Problem.empty())
      Problem = Violation.str();
  }
  /// A finite number that is not negative.
  void amount(const llvm::Twine &Name, double Value);
  /// From 0 to 1.
  void fraction(const llvm::Twine &Name, double Value);
  /// Parts make a whole.
  void sum(const llvm::Twine &Name, double Parts, double Whole);
  /// Part is no more than Whole.
  void within(const llvm::Twine &Name, double Part, double Whole);

  std::string take() { return std::move(Problem); }

private:
  std::string Problem;
};

/// Ends the process with a message and the status 70 where rules are checked
/// and Check returns a violation; GPU_ESTIMATE_CHECK=report only prints the
/// message. Record: "prediction of 'saxpy'".
void atBorder(const llvm::Twine &Record,
              llvm::function_ref<std::string()> Check);

} // namespace gpuestimate

#endif
