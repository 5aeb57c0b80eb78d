#include "gpu-estimate/Model/Result/Refusals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Compares the characters that are no digits.
static bool differInDigitsAlone(StringRef A, StringRef B) {
  for (;;) {
    A = A.drop_while(isDigit);
    B = B.drop_while(isDigit);
    if (A.empty() || B.empty())
      return A.empty() && B.empty();
    if (A.front() != B.front())
      return false;
    A = A.drop_front();
    B = B.drop_front();
  }
}

void addRefusal(RefusalCounts &To, StringRef Reason, size_t Count,
                SameReason When) {
  auto Known = find_if(To, [&](const auto &Entry) {
    return Entry.first == Reason || (When == SameReason::EqualButForDigits &&
                                     differInDigitsAlone(Entry.first, Reason));
  });
  if (Known == To.end())
    To.emplace_back(Reason.str(), Count);
  else
    Known->second += Count;
}

void sortRefusals(RefusalCounts &Counts) {
  stable_sort(Counts,
              [](const auto &A, const auto &B) { return A.second > B.second; });
}

} // namespace gpuestimate
