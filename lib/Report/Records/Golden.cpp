/// \file
/// Golden files: rows as lines with fields between bars, so that a change of
/// one kernel changes one line.
#include "gpu-estimate/Report/Records/Snapshot.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Header =
    "# What each kernel is predicted to take: gpu-estimate golden --check FILE "
    "...\n"
    "# file | kernel | launch number | gpu | launch | time | bound by | "
    "registers | occupancy | L2 traffic | DRAM traffic";

/// A row has one more, the compiler, where several were asked.
static constexpr size_t Fields = 11;

static std::string line(const SnapshotRow &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << R.File << " | " << R.Kernel << " | " << R.Ordinal << " | " << R.Gpu
     << " | " << R.Launch << " | " << format("%.4g", R.Milliseconds) << " ms | "
     << R.Bottleneck << " | " << R.Registers << " | "
     << format("%.4g", R.Occupancy * 100) << "% | "
     << format("%.4g", R.L2Bytes / 1e6) << " MB | "
     << format("%.4g", R.DramBytes / 1e6) << " MB";
  if (!R.Compiler.empty())
    OS << " | " << R.Compiler;
  OS << '\n';
  return OS.str();
}

std::string goldenText(ArrayRef<SnapshotRow> Rows) {
  bool HaveCompilers =
      any_of(Rows, [](const SnapshotRow &R) { return !R.Compiler.empty(); });
  std::string Text = (Header + (HaveCompilers ? " | compiler\n" : "\n")).str();
  for (const SnapshotRow &R : Rows)
    Text += line(R);
  return Text;
}

static Error parseLine(StringRef Text, SnapshotRow &R) {
  SmallVector<StringRef, Fields + 1> Parts;
  Text.split(Parts, " | ");
  if (Parts.size() == Fields + 1)
    R.Compiler = Parts.pop_back_val().str();
  if (Parts.size() != Fields)
    return createStringError("expected " + Twine(Fields) +
                             " fields between ' | ', got " +
                             Twine(Parts.size()));
  R.File = Parts[0].str();
  R.Kernel = Parts[1].str();
  R.Gpu = Parts[3].str();
  R.Launch = Parts[4].str();
  R.Bottleneck = Parts[6].str();
  auto Whole = [&](size_t I, unsigned &Into) -> Error {
    if (Parts[I].getAsInteger(10, Into))
      return createStringError("expected a number, got '" + Parts[I] + "'");
    return Error::success();
  };
  auto Quantity = [&](size_t I, Dimension D, double Unit,
                      double &Into) -> Error {
    Expected<double> Value = parseQuantity(Parts[I], D);
    if (!Value)
      return Value.takeError();
    Into = *Value * Unit;
    return Error::success();
  };
  if (Error E = Whole(2, R.Ordinal))
    return E;
  if (Error E = Quantity(5, Dimension::Time, 1e3, R.Milliseconds))
    return E;
  if (Error E = Whole(7, R.Registers))
    return E;
  if (Error E = Quantity(8, Dimension::Fraction, 1, R.Occupancy))
    return E;
  if (Error E = Quantity(9, Dimension::Bytes, 1, R.L2Bytes))
    return E;
  return Quantity(10, Dimension::Bytes, 1, R.DramBytes);
}

/// Lines of Text with their line ends; the last line may lack it.
static std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    Lines.push_back(Text.take_front(End == StringRef::npos ? End : End + 1));
    Text = Text.drop_front(Lines.back().size());
  }
  return Lines;
}

static bool isRow(StringRef Line) {
  Line = Line.trim();
  return !Line.empty() && !Line.starts_with("#");
}

Expected<std::vector<SnapshotRow>> parseGolden(StringRef File, StringRef Text) {
  std::vector<SnapshotRow> Rows;
  for (auto [Number, Line] : enumerate(linesOf(Text))) {
    if (!isRow(Line))
      continue;
    std::string Place = (File + ":" + Twine(Number + 1) + ": ").str();
    SnapshotRow R;
    if (Error E = parseLine(Line.trim(), R))
      return createStringError(Place + toString(std::move(E)) +
                               "; golden --update rewrites the file");
    if (!Rows.empty() && R.key() == Rows.back().key())
      return createStringError(Place + "'" + R.title() + "' is given twice");
    if (!Rows.empty() && R.key() < Rows.back().key())
      return createStringError(Place +
                               "lines are sorted by file, kernel, GPU and "
                               "launch; this one belongs further up");
    Rows.push_back(std::move(R));
  }
  return Rows;
}

namespace {
/// One line of a patch: ' ', '-' or '+' and the text.
struct PatchLine {
  char Mark;
  std::string Text;
};
} // namespace

/// Hunks with three lines of context.
static std::string hunks(ArrayRef<PatchLine> Lines) {
  constexpr size_t Context = 3;
  std::string Text;
  raw_string_ostream OS(Text);
  auto IsChange = [](const PatchLine &L) { return L.Mark != ' '; };
  size_t Position = 0;
  while (true) {
    const PatchLine *Next = find_if(Lines.drop_front(Position), IsChange);
    if (Next == Lines.end())
      return OS.str();
    size_t First = std::max<size_t>(
        Position, std::max<ptrdiff_t>(Next - Lines.begin() - Context, 0));
    size_t Last = Next - Lines.begin();
    for (size_t I = Last; I < Lines.size() && I <= Last + 2 * Context; ++I)
      if (IsChange(Lines[I]))
        Last = I;
    size_t End = std::min(Lines.size(), Last + Context + 1);
    auto Count = [&](size_t From, size_t To, char Not) {
      return count_if(Lines.slice(From, To - From),
                      [&](const PatchLine &L) { return L.Mark != Not; });
    };
    auto Range = [&](char Not) {
      size_t Before = Count(0, First, Not), Inside = Count(First, End, Not);
      return std::to_string(Before + (Inside ? 1 : 0)) + "," +
             std::to_string(Inside);
    };
    OS << "@@ -" << Range('+') << " +" << Range('-') << " @@\n";
    for (const PatchLine &L : Lines.slice(First, End - First)) {
      OS << L.Mark << L.Text;
      if (!StringRef(L.Text).ends_with("\n"))
        OS << "\n\\ No newline at end of file\n";
    }
    Position = End;
  }
}

std::string goldenPatch(StringRef File, StringRef Text,
                        ArrayRef<SnapshotRow> Before,
                        ArrayRef<SnapshotChange> Changes) {
  std::vector<PatchLine> Lines;
  const SnapshotChange *Change = Changes.begin();
  auto AddNewBefore = [&](const SnapshotRow *Row) {
    for (; Change != Changes.end() && Change->Kind == ChangeKind::New &&
           (!Row || Change->After->key() < Row->key());
         ++Change)
      Lines.push_back({'+', line(*Change->After)});
  };
  const SnapshotRow *Row = Before.begin();
  for (StringRef Line : linesOf(Text)) {
    if (!isRow(Line)) {
      Lines.push_back({' ', Line.str()});
      continue;
    }
    AddNewBefore(Row);
    bool Changed = Change != Changes.end() && Change->Before == Row;
    Lines.push_back({Changed ? '-' : ' ', Line.str()});
    if (Changed) {
      if (Change->After)
        Lines.push_back({'+', line(*Change->After)});
      ++Change;
    }
    ++Row;
  }
  AddNewBefore(nullptr);
  return ("--- " + File + "\n+++ " + File + "\n").str() + hunks(Lines);
}

} // namespace gpuestimate
