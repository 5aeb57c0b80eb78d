/// \file
/// Nearest names by edit distance.
#include "gpu-estimate/Support/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// Number of edits between Wrong and Name; a match with a part of Name counts
/// one more, so that whole names are preferred.
unsigned distance(llvm::StringRef Wrong, llvm::StringRef Name) {
  unsigned Best = Wrong.edit_distance_insensitive(Name);
  if (Wrong.size() >= 3 && Name.contains_insensitive(Wrong))
    Best = std::min(Best, 1u);
  while (!Name.empty()) {
    size_t End = Name.find_first_of("-_.");
    llvm::StringRef Part = Name.take_front(End);
    if (Part.size() >= 3)
      Best = std::min(Best, 1 + Wrong.edit_distance_insensitive(Part));
    Name = End == llvm::StringRef::npos ? "" : Name.drop_front(End + 1);
  }
  return Best;
}

} // namespace

std::vector<std::string> nearestNames(llvm::StringRef Wrong,
                                      llvm::ArrayRef<std::string> Names,
                                      unsigned Max) {
  Wrong = Wrong.take_front(100); // distance is quadratic
  // At most two edits, or a third of the letters.
  unsigned Limit =
      Wrong.size() < 3 ? 1 : std::max<unsigned>(2, Wrong.size() / 3);
  llvm::SmallVector<std::pair<unsigned, size_t>, 8> Near;
  for (size_t I = 0; I < Names.size(); ++I)
    if (unsigned D = distance(Wrong, Names[I]); D <= Limit)
      Near.emplace_back(D, I);
  llvm::sort(Near);
  std::vector<std::string> Result;
  for (auto [D, I] : Near)
    if (Result.size() < Max && !llvm::is_contained(Result, Names[I]))
      Result.push_back(Names[I]);
  return Result;
}

std::string didYouMean(llvm::StringRef Wrong,
                       llvm::ArrayRef<std::string> Names) {
  std::string Text;
  for (const std::string &Name : nearestNames(Wrong, Names))
    Text += (Text.empty() ? "; did you mean '" : " or '") + Name + "'";
  return Text.empty() ? Text : Text + "?";
}

} // namespace gpuestimate
