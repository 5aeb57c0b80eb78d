/// \file
/// What a changed time comes from, and what it means.
#include "gpu-estimate/Report/Records/Snapshot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

StringRef name(ChangeVerdict Verdict) {
  switch (Verdict) {
  case ChangeVerdict::Slower:
    return "slower";
  case ChangeVerdict::Faster:
    return "faster";
  case ChangeVerdict::Benign:
    return "benign";
  case ChangeVerdict::New:
    return "new";
  case ChangeVerdict::Gone:
    return "gone";
  }
  llvm_unreachable("all verdicts are named");
}

ChangeVerdict verdict(const SnapshotChange &C) {
  if (!C.Before)
    return ChangeVerdict::New;
  if (!C.After)
    return ChangeVerdict::Gone;
  bool IsTime = C.Kind == ChangeKind::Worse || C.Kind == ChangeKind::Improved;
  auto Range = ratioRange(*C.Before, *C.After);
  bool HoldsOne = Range && Range->first <= 1 && Range->second >= 1;
  if (!IsTime || HoldsOne)
    return ChangeVerdict::Benign;
  return C.Kind == ChangeKind::Worse ? ChangeVerdict::Slower
                                     : ChangeVerdict::Faster;
}

/// Differs by more than 2% of the larger value.
static bool hasChanged(double Before, double After) {
  return std::fabs(After - Before) > 0.02 * std::max(Before, After);
}

/// The term of the time that changed most in the direction of the whole.
static std::string mostChangedTerm(const SnapshotRow &A, const SnapshotRow &B) {
  StringMap<double> Differences;
  for (const auto &[Name, Value] : B.Terms)
    Differences[Name] += Value;
  for (const auto &[Name, Value] : A.Terms)
    Differences[Name] -= Value;
  double Direction = B.Milliseconds < A.Milliseconds ? -1 : 1;
  std::pair<double, std::string> Most = {0, ""};
  for (const auto &Entry : Differences)
    Most = std::max(Most, {Direction * Entry.second, Entry.first().str()});
  return Most.second;
}

/// The quantity that a term of the time is proportional to, if it has changed.
static std::string causeOfTerm(StringRef Term, const SnapshotRow &A,
                               const SnapshotRow &B) {
  bool HasRequests =
      hasChanged(A.Loads, B.Loads) || hasChanged(A.Stores, B.Stores);
  auto Requests = [&] {
    return std::fabs(B.Loads - A.Loads) >= std::fabs(B.Stores - A.Stores)
               ? "loads"
               : "stores";
  };
  if (Term == "dram" && hasChanged(A.DramBytes, B.DramBytes))
    return "dram-traffic";
  if (Term == "l2" && hasChanged(A.L2Bytes, B.L2Bytes))
    return HasRequests ? Requests() : "l2-traffic";
  if ((Term == "l1" || Term == "l2") && HasRequests)
    return Requests();
  if ((Term == "l1" || Term == "l2") && hasChanged(A.Sectors, B.Sectors))
    return "coalescing";
  if (Term == "shared" && hasChanged(A.SharedWavefronts, B.SharedWavefronts))
    return "shared-accesses";
  if ((Term == "issue" || Term == "pipes") &&
      hasChanged(A.Instructions, B.Instructions))
    return HasRequests ? Requests() : "instructions";
  return "";
}

std::string causeOf(const SnapshotChange &C) {
  if (!C.Before || !C.After)
    return "-";
  const SnapshotRow &B = *C.After;
  // A golden file has no counts that could be compared.
  const SnapshotRow &A = C.Earlier ? *C.Earlier : *C.Before;
  bool HasCounts = !A.Terms.empty() && !B.Terms.empty();
  if (A.Launch != B.Launch)
    return "launch";
  if (HasCounts && hasChanged(A.LocalInstructions, B.LocalInstructions))
    return "local-memory";
  std::string Term = HasCounts ? mostChangedTerm(A, B) : "";
  if (HasCounts)
    if (std::string Cause = causeOfTerm(Term, A, B); !Cause.empty())
      return Cause;
  if (hasChanged(A.Occupancy, B.Occupancy)) {
    if (HasCounts && hasChanged(A.SharedBytes, B.SharedBytes))
      return "shared-memory";
    return A.Registers != B.Registers ? "registers" : "occupancy";
  }
  if (hasChanged(A.DramBytes, B.DramBytes))
    return "dram-traffic";
  if (hasChanged(A.L2Bytes, B.L2Bytes))
    return "l2-traffic";
  if (HasCounts && hasChanged(A.Instructions, B.Instructions))
    return "instructions";
  if (A.Registers != B.Registers)
    return "registers";
  if (A.Bottleneck != B.Bottleneck)
    return "bound";
  return Term.empty() ? "time" : Term;
}

} // namespace gpuestimate
