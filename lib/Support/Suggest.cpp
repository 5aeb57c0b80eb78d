/// \file
/// Nearest names by edit distance.
#include "gpu-estimate/Support/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>

namespace gpuestimate {

std::string didYouMean(llvm::StringRef Name, llvm::ArrayRef<std::string> Known) {
  std::string Wanted = Name.take_front(100).lower();
  // A set: sorted by distance, then by name, without duplicates.
  std::set<std::pair<unsigned, std::string>> Near;
  for (const std::string &Candidate : Known) {
    std::string Lower = llvm::StringRef(Candidate).lower();
    unsigned Distance = llvm::StringRef(Lower).edit_distance(Wanted);
    // What the user left out is a smaller mistake than what was mistyped.
    if (Wanted.size() >= 3 && llvm::StringRef(Lower).contains(Wanted))
      Distance = 1;
    if (Distance <= std::max<size_t>(2, Wanted.size() / 3))
      Near.insert({Distance, Candidate});
  }
  std::string Text;
  unsigned Count = 0;
  for (const auto &[Distance, Candidate] : Near) {
    if (Count++ == 3)
      break;
    Text += (Count == 1 ? "; did you mean '" : " or '") + Candidate + "'";
  }
  return Text.empty() ? Text : Text + "?";
}

} // namespace gpuestimate
