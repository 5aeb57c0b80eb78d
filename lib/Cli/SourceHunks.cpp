#include "SourceHunks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

namespace {
struct SourceWord {
  std::string Text;
  bool AfterBlank; ///< a blank or a line end stands before it
  unsigned Line;   ///< of its hunk, from 0
};
} // namespace

/// The end of the name, number or sign at the begin of Text.
static size_t wordLength(StringRef Text) {
  auto IsName = [](char C) { return isAlnum(C) || C == '_'; };
  if (!IsName(Text.front()))
    return 1;
  size_t End = Text.find_if_not(IsName);
  return End == StringRef::npos ? Text.size() : End;
}

/// Names, numbers and signs of the lines, without comments.
static std::vector<SourceWord> wordsOf(ArrayRef<std::string> Lines) {
  std::vector<SourceWord> Words;
  bool InComment = false;
  for (auto [Number, Whole] : enumerate(Lines)) {
    StringRef Line = Whole;
    bool AfterBlank = true;
    while (!Line.empty()) {
      if (InComment) {
        size_t End = Line.find("*/");
        InComment = End == StringRef::npos;
        Line = InComment ? StringRef() : Line.drop_front(End + 2);
        AfterBlank = true;
      } else if (Line.starts_with("//")) {
        break;
      } else if (Line.consume_front("/*")) {
        InComment = true;
      } else if (isSpace(Line.front())) {
        AfterBlank = true;
        Line = Line.drop_front();
      } else {
        size_t Length = wordLength(Line);
        Words.push_back({Line.take_front(Length).str(), AfterBlank,
                         static_cast<unsigned>(Number)});
        AfterBlank = false;
        Line = Line.drop_front(Length);
      }
    }
  }
  return Words;
}

static std::string textOf(ArrayRef<SourceWord> Words) {
  constexpr size_t MaxLength = 60;
  std::string Text;
  for (const SourceWord &W : Words)
    Text += (W.AfterBlank && !Text.empty() ? " " : "") + W.Text;
  if (Text.size() > MaxLength)
    Text = Text.substr(0, MaxLength) + "...";
  return Text;
}

static bool sameText(const SourceWord &A, const SourceWord &B) {
  return A.Text == B.Text;
}

/// Leaves the lines from the first that differs; of as many lines before and
/// after, that one alone.
static void keepFirstDifference(std::vector<SourceWord> &A,
                                std::vector<SourceWord> &B) {
  auto [AtA, AtB] =
      std::mismatch(A.begin(), A.end(), B.begin(), B.end(), sameText);
  if (AtA == A.end() || AtB == B.end() || AtA->Line != AtB->Line)
    return;
  unsigned Line = AtA->Line;
  auto IsOther = [&](const SourceWord &W) { return W.Line != Line; };
  erase_if(A, IsOther);
  erase_if(B, IsOther);
}

SourceChange SourceHunk::change() const {
  std::vector<SourceWord> A = wordsOf(Old), B = wordsOf(New);
  if (Old.size() == New.size())
    keepFirstDifference(A, B);
  ArrayRef<SourceWord> Removed(A), Added(B);
  while (!Removed.empty() && !Added.empty() &&
         sameText(Removed.front(), Added.front())) {
    Removed = Removed.drop_front();
    Added = Added.drop_front();
  }
  while (!Removed.empty() && !Added.empty() &&
         sameText(Removed.back(), Added.back())) {
    Removed = Removed.drop_back();
    Added = Added.drop_back();
  }
  SourceChange Change;
  Change.File = File;
  const SourceWord *First = !Added.empty()     ? &Added.front()
                            : !Removed.empty() ? &Removed.front()
                                               : nullptr;
  unsigned Last = New.empty() ? 0 : New.size() - 1;
  Change.Line = NewLine + (First ? std::min(First->Line, Last) : 0);
  Change.Removed = textOf(Removed);
  Change.Added = textOf(Added);
  return Change;
}

std::string SourceHunk::applyTo(StringRef Text) const {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  // Without old lines, the new ones stand behind OldLine.
  size_t Begin = Old.empty() ? OldLine : OldLine - 1;
  Begin = std::min<size_t>(Begin, Lines.size());
  size_t End = std::min<size_t>(Begin + Old.size(), Lines.size());
  std::string Result;
  auto Add = [&](ArrayRef<StringRef> Part) {
    for (StringRef Line : Part)
      Result += (Line + "\n").str();
  };
  Add(ArrayRef(Lines).take_front(Begin));
  for (const std::string &Line : New)
    Result += Line + "\n";
  Add(ArrayRef(Lines).drop_front(End));
  Result.pop_back(); // of what stands behind the last line end
  return Result;
}

/// "12,3" or "12": the first line and the number of lines.
static unsigned firstLine(StringRef Range) {
  unsigned Line = 0;
  (void)Range.consumeInteger(10, Line);
  return Line;
}

std::vector<SourceHunk> parseHunks(StringRef Diff) {
  std::vector<SourceHunk> Hunks;
  std::string File;
  SmallVector<StringRef, 0> Lines;
  Diff.split(Lines, '\n');
  bool InHunk = false;
  for (StringRef Line : Lines) {
    if (Line.starts_with("diff --git ")) {
      InHunk = false;
    } else if (!InHunk && Line.consume_front("+++ ")) {
      Line.consume_front("b/");
      File = Line.rtrim('\t').str();
    } else if (Line.starts_with("@@ -")) {
      InHunk = true;
      auto [OldRange, Rest] = Line.drop_front(4).split(' ');
      SourceHunk &H = Hunks.emplace_back();
      H.File = File;
      H.OldLine = firstLine(OldRange);
      H.NewLine = firstLine(Rest.drop_front(1));
    } else if (InHunk && Line.consume_front("-")) {
      Hunks.back().Old.push_back(Line.str());
    } else if (InHunk && Line.consume_front("+")) {
      Hunks.back().New.push_back(Line.str());
    }
  }
  return Hunks;
}

} // namespace gpuestimate
