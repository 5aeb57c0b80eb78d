#include "LaunchGroups.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static bool isSameLaunch(const ModelComparison &A, const ModelComparison &B) {
  return A.Kernel == B.Kernel && A.Location == B.Location &&
         A.Used.Grid == B.Used.Grid && A.Used.Block == B.Used.Block &&
         A.Used.DynamicSharedBytes == B.Used.DynamicSharedBytes &&
         A.Used.Location == B.Used.Location && A.Arguments == B.Arguments;
}

std::vector<LaunchGroup> groupLaunches(const Analysis &A) {
  std::vector<LaunchGroup> Groups;
  for (const ModelComparison &C : A.Comparisons) {
    auto Same = find_if(Groups, [&](const LaunchGroup &G) {
      return isSameLaunch(*G.front(), C);
    });
    if (Same == Groups.end())
      Groups.push_back({&C});
    else
      Same->push_back(&C);
  }
  return Groups;
}

std::string describe(const Disagreement &D) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << D.Model << format(" %.3g x", D.Ratio);
  if (!D.Component.empty())
    OS << ": " << D.Component << (D.Difference.value() < 0 ? " -" : " +")
       << formatTime(D.Difference.value() < 0 ? D.Difference * -1
                                              : D.Difference);
  return OS.str();
}

std::string describeLaunch(const ModelComparison &C) {
  std::string Text = "'" + C.Name + "' (" + C.Location.brief() + "), grid " +
                     formatSizes(C.Used.Grid) + ", block " +
                     formatSizes(C.Used.Block) + " from " + C.Used.Source;
  for (const auto &[Name, Value] : C.Arguments)
    Text += ", " + Name + " = " + formatNumber(Value);
  return Text;
}

std::vector<std::pair<std::string, unsigned>> refusals(const Analysis &A) {
  std::vector<std::pair<std::string, unsigned>> Reasons;
  for (const ModelComparison &C : A.Comparisons)
    for (const ModelEstimate &M : C.Models) {
      if (M.Estimate)
        continue;
      auto Reason =
          find_if(Reasons, [&](const auto &R) { return R.first == M.Refusal; });
      if (Reason == Reasons.end())
        Reason = Reasons.insert(Reason, {M.Refusal, 0});
      ++Reason->second;
    }
  return Reasons;
}

} // namespace gpuestimate
