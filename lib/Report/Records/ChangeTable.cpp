/// \file
/// Changes between two snapshots, as a table of text and as Markdown.
#include "gpu-estimate/Report/Records/Snapshot.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

static std::string timeText(double Milliseconds) {
  return formatTime(Seconds(Milliseconds / 1e3));
}

/// The parts that changed most in the direction of the whole: "dram +1.2 ms".
static std::string causes(ArrayRef<std::pair<std::string, double>> Before,
                          ArrayRef<std::pair<std::string, double>> After,
                          double Change) {
  StringMap<double> Differences;
  for (const auto &[Name, Value] : After)
    Differences[Name] += Value;
  for (const auto &[Name, Value] : Before)
    Differences[Name] -= Value;
  std::vector<std::pair<std::string, double>> Parts;
  for (const auto &Entry : Differences)
    if (Entry.second / Change > 0.1)
      Parts.emplace_back(Entry.first().str(), Entry.second);
  sort(Parts, [](const auto &A, const auto &B) {
    return std::pair(-std::fabs(A.second), A.first) <
           std::pair(-std::fabs(B.second), B.first);
  });
  if (Parts.size() > 3)
    Parts.resize(3);
  std::string Text;
  for (const auto &[Name, Value] : Parts)
    Text += (Text.empty() ? "" : ", ") + Name + (Value < 0 ? " -" : " +") +
            timeText(std::fabs(Value));
  return Text;
}

/// Describes what differs beside the time: "registers 28 -> 40".
static std::string moved(const SnapshotRow &A, const SnapshotRow &B) {
  std::string Text;
  auto Add = [&](StringRef What, const std::string &From,
                 const std::string &To) {
    if (From != To)
      Text +=
          (Text.empty() ? "" : ", ") + What.str() + " " + From + " -> " + To;
  };
  auto Size = [](double Value) { return formatBytes(Bytes(Value)); };
  Add("launch", A.Launch, B.Launch);
  Add("bound", A.Bottleneck, B.Bottleneck);
  Add("registers", std::to_string(A.Registers), std::to_string(B.Registers));
  Add("occupancy", formatPercent(A.Occupancy), formatPercent(B.Occupancy));
  Add("L2", Size(A.L2Bytes), Size(B.L2Bytes));
  Add("DRAM", Size(A.DramBytes), Size(B.DramBytes));
  if (A.Terms.empty() || B.Terms.empty())
    return Text; // a golden file does not have the others
  Add("shared memory of a block", Size(A.SharedBytes), Size(B.SharedBytes));
  Add("loads", formatCount(A.Loads), formatCount(B.Loads));
  Add("stores", formatCount(A.Stores), formatCount(B.Stores));
  return Text;
}

static std::string percentText(double Ratio) {
  return (Ratio < 1 ? "-" : "+") + formatPercent(std::fabs(Ratio - 1));
}

static double ratioOf(const SnapshotChange &C) {
  return C.After->Milliseconds / C.Before->Milliseconds;
}

/// "+12.0% (-6.7% to +34%)"
static std::string changeText(const SnapshotChange &C, bool WithRange) {
  std::string Text = percentText(ratioOf(C));
  auto Range = ratioRange(*C.Before, *C.After);
  if (Range && WithRange)
    Text += " (" + percentText(Range->first) + " to " +
            percentText(Range->second) + ")";
  return Text;
}

std::string describe(const SourceChange &Edit) {
  auto Code = [](const std::string &Text) { return "`" + Text + "`"; };
  if (Edit.Added.empty())
    return Code(Edit.Removed) + " removed";
  if (Edit.Removed.empty())
    return Code(Edit.Added) + " added";
  return Code(Edit.Removed) + " became " + Code(Edit.Added);
}

static std::string placeText(const SourceChange &Edit) {
  return Edit.File + ":" + std::to_string(Edit.Line);
}

/// "bound a -> b, ...", with the terms and lines of a changed time in front.
static std::string whyText(const SnapshotChange &C) {
  const SnapshotRow &A = C.Earlier ? *C.Earlier : *C.Before;
  std::string Why = moved(A, *C.After);
  if (C.Kind == ChangeKind::Moved)
    return Why;
  double Difference = C.After->Milliseconds - C.Before->Milliseconds;
  for (auto Member : {&SnapshotRow::Terms, &SnapshotRow::Lines}) {
    if ((A.*Member).empty() || (C.After->*Member).empty())
      continue;
    std::string Parts = causes(A.*Member, C.After->*Member, Difference);
    if (!Parts.empty())
      Why = Parts + (Why.empty() ? "" : "; " + Why);
  }
  return Why;
}

/// Verdicts and, within one, larger changes come first.
static bool isWorse(const SnapshotChange *A, const SnapshotChange *B) {
  auto Key = [](const SnapshotChange &C) {
    double Size = C.Before && C.After ? -std::fabs(std::log(ratioOf(C))) : 0;
    return std::pair(verdict(C), Size);
  };
  return Key(*A) < Key(*B);
}

/// The edits behind the changes of one kernel and launch on all GPUs:
/// "smooth (f.cu): loads", then "  f.cu:3: `const` removed; alone +34% on ...".
static void printEdits(raw_ostream &OS, ArrayRef<const SnapshotChange *> All) {
  OS << '\n'
     << All.front()->After->title() << ": " << causeOf(*All.front()) << '\n';
  std::vector<std::pair<std::string, std::string>> Lines; // edit, effects
  for (const SnapshotChange *C : All)
    for (const SourceChange &Edit : C->Edits) {
      std::string Text = placeText(Edit) + ": " + describe(Edit);
      auto Line =
          find_if(Lines, [&](const auto &L) { return L.first == Text; });
      if (Line == Lines.end())
        Line = Lines.insert(Line, {Text, ""});
      if (Edit.Alone)
        Line->second += (Line->second.empty() ? "; alone " : ", ") +
                        percentText(*Edit.Alone) + " on " + C->After->Gpu;
    }
  for (const auto &[Text, Effects] : Lines)
    OS << "  " << Text << Effects << '\n';
}

void printChanges(raw_ostream &OS, ArrayRef<SnapshotChange> Changes,
                  size_t Compared) {
  if (Changes.empty()) {
    OS << Compared << " estimates, none changed\n";
    return;
  }
  Table T({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
           Align::Right, Align::Left});
  T.row({"", "kernel", "gpu", "before", "after", "change", "because of"});
  for (const SnapshotChange &C : Changes) {
    const SnapshotRow &Any = C.After ? *C.After : *C.Before;
    bool Both = C.Before && C.After;
    T.row({name(C.Kind).str(), Any.title(), Any.Gpu,
           C.Before ? timeText(C.Before->Milliseconds) : "-",
           C.After ? timeText(C.After->Milliseconds) : "-",
           Both ? changeText(C, C.Kind != ChangeKind::Moved) : "",
           Both ? whyText(C) : ""});
  }
  T.print(OS, 0);
  OS << Changes.size() << " of " << Compared << " estimates changed\n";
  std::map<std::string, std::vector<const SnapshotChange *>> Explained;
  for (const SnapshotChange &C : Changes)
    if (!C.Edits.empty())
      Explained[C.After->title()].push_back(&C);
  for (auto &[Title, Group] : Explained) {
    stable_sort(Group, isWorse);
    printEdits(OS, Group);
  }
}

//===-- Markdown ----------------------------------------------------------===//

/// The changes of one kernel and launch, of several GPUs.
using KernelChanges = std::vector<const SnapshotChange *>;

/// Text of a cell: a bar would end it.
static std::string markdownCell(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '|')
      Result += '\\';
    Result += C == '\n' ? ' ' : C;
  }
  return Result;
}

/// "1 of 3: nvidia-h200; benign on nvidia-v100": the GPUs with the verdict of
/// the first, then the others.
static std::string cardsText(const KernelChanges &Changes, size_t Cards) {
  ChangeVerdict First = verdict(*Changes.front());
  std::string Same;
  std::map<ChangeVerdict, std::string> Others;
  size_t Count = 0;
  for (const SnapshotChange *C : Changes) {
    const std::string &Gpu = (C->After ? C->After : C->Before)->Gpu;
    if (verdict(*C) == First) {
      Same += (Count++ ? ", " : "") + Gpu;
      continue;
    }
    std::string &Names = Others[verdict(*C)];
    Names += (Names.empty() ? "" : ", ") + Gpu;
  }
  std::string Text =
      std::to_string(Count) + " of " + std::to_string(Cards) + ": " + Same;
  for (const auto &[Verdict, Names] : Others)
    Text += ("; " + name(Verdict) + " on " + Names).str();
  return Text;
}

static std::string sourceText(const SnapshotChange &C) {
  if (C.Edits.empty())
    return C.After && C.After->Line
               ? C.After->File + ":" + std::to_string(C.After->Line)
               : "";
  const SourceChange &Edit = C.Edits.front();
  return placeText(Edit) + ": " + describe(Edit);
}

static void printMarkdownRow(raw_ostream &OS, const KernelChanges &Changes,
                             size_t Cards) {
  const SnapshotChange &C = *Changes.front();
  const SnapshotRow &Any = C.After ? *C.After : *C.Before;
  bool Both = C.Before && C.After;
  StringRef Emphasis = verdict(C) == ChangeVerdict::Slower   ? "**"
                       : verdict(C) == ChangeVerdict::Benign ? "*"
                                                             : "";
  OS << "| " << Emphasis << name(verdict(C)) << Emphasis << " | "
     << markdownCell("`" + Any.Kernel + "`" +
                     Any.title().substr(Any.Kernel.size()))
     << " | " << (C.Before ? timeText(C.Before->Milliseconds) : "-") << " | "
     << (C.After ? timeText(C.After->Milliseconds) : "-") << " | "
     << (Both ? changeText(C, /*WithRange=*/true) : "-") << " | "
     << cardsText(Changes, Cards) << " | " << causeOf(C) << " | "
     << markdownCell(sourceText(C)) << " |\n";
}

void printChangesMarkdown(raw_ostream &OS, ArrayRef<SnapshotChange> Changes,
                          ArrayRef<SnapshotRow> After, size_t Compared) {
  std::map<std::string, size_t> CardsOfKernel;
  for (const SnapshotRow &R : After)
    ++CardsOfKernel[R.title()];
  std::map<std::string, KernelChanges> ByKernel;
  std::array<size_t, 5> Counts = {};
  for (const SnapshotChange &C : Changes)
    ByKernel[(C.After ? C.After : C.Before)->title()].push_back(&C);
  std::vector<KernelChanges> Rows;
  for (auto &[Title, Group] : ByKernel) {
    stable_sort(Group, isWorse);
    ++Counts[size_t(verdict(*Group.front()))];
    Rows.push_back(Group);
  }
  stable_sort(Rows, [](const KernelChanges &A, const KernelChanges &B) {
    return isWorse(A.front(), B.front());
  });
  OS << "### Predicted GPU time of kernels\n\n";
  if (Changes.empty()) {
    OS << Compared << " estimates, none changed.\n";
    return;
  }
  StringRef Separator;
  for (auto [Index, Count] : enumerate(Counts))
    if (Count) {
      OS << Separator << Count << ' ' << name(ChangeVerdict(Index));
      Separator = ", ";
    }
  OS << "; " << Changes.size() << " of " << Compared
     << " estimates changed.\n\n| | kernel | before | after | change | cards | "
        "cause | source |\n| --- | --- | --: | --: | --: | --- | --- | --- "
        "|\n";
  for (const KernelChanges &Group : Rows) {
    const SnapshotRow &Any =
        Group.front()->After ? *Group.front()->After : *Group.front()->Before;
    size_t Cards = std::max(CardsOfKernel[Any.title()], Group.size());
    printMarkdownRow(OS, Group, Cards);
  }
  OS << "\nTimes are of the card that is named first. *benign*: the interval "
        "of "
        "the ratio holds 1, so that a measurement may show no change.\n";
}

} // namespace gpuestimate
