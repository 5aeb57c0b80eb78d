#include "ChartData.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

using namespace llvm;

namespace gpuestimate {

/// Lines that are shown around one that costs something.
static constexpr unsigned Around = 2;
/// A gap that is no longer is shown as well, so that a kernel stays whole.
static constexpr unsigned Gap = 12;

/// Stretches of whole lines.
static std::vector<std::pair<unsigned, unsigned>>
stretches(const std::set<unsigned> &Lines) {
  std::vector<std::pair<unsigned, unsigned>> Result;
  for (unsigned Line : Lines) {
    unsigned First = Line > Around ? Line - Around : 1;
    if (Result.empty() || First > Result.back().second + Gap)
      Result.push_back({First, Line + Around});
    else
      Result.back().second = Line + Around;
  }
  return Result;
}

std::vector<SourceExcerpt> sourceExcerpts(const ExplainedPrediction &E,
                                          const Options &Asked) {
  std::map<std::string, std::set<unsigned>> Wanted;
  auto Add = [&](const SourceLocation &L) {
    if (L.isValid())
      Wanted[L.File].insert(L.Line);
  };
  Add(E.Estimate.Location);
  for (const LineCost &Line : E.Estimate.Lines)
    Add(Line.Where);
  for (const Finding &F : E.Findings)
    Add(F.Location);

  std::vector<SourceExcerpt> Result;
  for (const auto &[File, Numbers] : Wanted) {
    std::unique_ptr<MemoryBuffer> Read;
    StringRef Text;
    if (Asked.SourceText && is_contained(Asked.Files, File)) {
      Text = *Asked.SourceText;
    } else if (auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true)) {
      Read = std::move(*Buffer);
      Text = Read->getBuffer();
    } else {
      continue;
    }
    SmallVector<StringRef, 0> Lines;
    Text.split(Lines, '\n');
    for (auto [First, Last] : stretches(Numbers)) {
      if (First > Lines.size())
        continue;
      SourceExcerpt &Excerpt = Result.emplace_back();
      Excerpt.File = File;
      Excerpt.First = First;
      for (unsigned N = First; N <= std::min<size_t>(Last, Lines.size()); ++N)
        Excerpt.Lines.push_back(Lines[N - 1].rtrim('\r').str());
    }
  }
  stable_sort(Result, [&](const SourceExcerpt &A, const SourceExcerpt &B) {
    auto IsOwn = [&](const SourceExcerpt &X) {
      return X.File == E.Estimate.Location.File;
    };
    return IsOwn(A) > IsOwn(B);
  });
  return Result;
}

} // namespace gpuestimate
