#include "gpu-estimate/Report/Records/Snapshot.h"

#include "Report/Json/JsonText.h"
#include "gpu-estimate/Model/Result/SizeCurve.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

std::string SnapshotRow::title() const {
  return Kernel + (Ordinal > 1 ? " #" + std::to_string(Ordinal) : "") + " (" +
         File + ")";
}

static SnapshotRow rowOf(const json::Object &E) {
  SnapshotRow R;
  auto Text = [](const json::Object *O, StringRef Key) {
    return O ? O->getString(Key).value_or("").str() : "";
  };
  auto Number = [](const json::Object *O, StringRef Key) {
    return O ? O->getNumber(Key).value_or(0) : 0;
  };
  R.Kernel = Text(&E, "name");
  const json::Object *Place = E.getObject("location");
  R.File = Text(Place, "file");
  R.Line = static_cast<unsigned>(Number(Place, "line"));
  R.Gpu = Text(&E, "gpu");
  R.Launch = launchText(E.getObject("launch"));
  R.Milliseconds = Number(&E, "time_ms");
  R.RatioError = E.getNumber("ratio_error");
  R.Bottleneck = Text(&E, "bottleneck");
  R.Registers = static_cast<unsigned>(Number(&E, "registers_per_thread"));
  R.Occupancy = Number(E.getObject("occupancy"), "fraction");
  R.L2Bytes = Number(E.getObject("counts"), "l2_bytes");
  R.DramBytes = Number(E.getObject("counts"), "dram_bytes");
  if (const json::Object *Breakdown = E.getObject("breakdown"))
    for (const auto &[Term, Share] : *Breakdown)
      R.Terms.emplace_back(StringRef(Term).str(),
                           Share.getAsNumber().value_or(0) * R.Milliseconds);
  if (const json::Array *Lines = E.getArray("lines"))
    for (const json::Value &V : *Lines)
      if (const json::Object *L = V.getAsObject())
        R.Lines.emplace_back(
            Text(L, "file") + ":" +
                std::to_string(static_cast<unsigned>(Number(L, "line"))),
            Number(L, "share") * R.Milliseconds);
  return R;
}

static void forEachEstimate(ArrayRef<json::Object> Objects,
                            function_ref<void(const json::Object &)> Visit) {
  for (const json::Object &O : Objects)
    if (const json::Array *All = O.getArray("estimates"))
      for (const json::Value &V : *All)
        if (const json::Object *E = V.getAsObject())
          Visit(*E);
}

std::vector<std::string> notCompared(ArrayRef<json::Object> Objects) {
  std::vector<std::string> Texts;
  forEachEstimate(Objects, [&](const json::Object &E) {
    const json::Object *Of = E.getObject("unknown");
    if (!Of)
      return;
    auto Text = [&](StringRef Key) {
      return Of->getString(Key).value_or("").str();
    };
    SnapshotRow R = rowOf(E);
    SizeCurve C;
    C.Unknown = Text("name");
    C.Why = Text("why");
    C.Settle = Text("settle");
    Texts.push_back("'" + R.Kernel + "' (" + R.File + ") on " + R.Gpu +
                    " is not compared: " + whyNoTime(C));
  });
  return Texts;
}

std::vector<SnapshotRow> snapshotOf(ArrayRef<json::Object> Objects) {
  std::vector<SnapshotRow> Rows;
  forEachEstimate(Objects, [&](const json::Object &E) {
    if (E.getNumber("time_ms"))
      Rows.push_back(rowOf(E));
  });
  StringMap<unsigned> Seen;
  for (SnapshotRow &R : Rows)
    R.Ordinal = ++Seen[R.File + "\n" + R.Kernel + "\n" + R.Gpu];
  stable_sort(Rows, [](const SnapshotRow &A, const SnapshotRow &B) {
    return A.key() < B.key();
  });
  return Rows;
}

StringRef name(ChangeKind Kind) {
  switch (Kind) {
  case ChangeKind::New:
    return "NEW";
  case ChangeKind::Gone:
    return "GONE";
  case ChangeKind::Worse:
    return "WORSE";
  case ChangeKind::Improved:
    return "IMPROVED";
  case ChangeKind::Moved:
    return "MOVED";
  }
  llvm_unreachable("all kinds are named");
}

static bool differ(double A, double B, double Tolerance) {
  return std::fabs(A - B) > Tolerance * std::max(std::fabs(A), std::fabs(B));
}

/// The error of the ratio of their times; a golden file does not tell that of
/// its own, which is taken to be as large as the other one's.
static std::optional<double> ratioError(const SnapshotRow &A,
                                        const SnapshotRow &B) {
  if (A.RatioError && B.RatioError)
    return ratioError(*A.RatioError, *B.RatioError);
  return A.RatioError ? A.RatioError : B.RatioError;
}

static bool timesDiffer(const SnapshotRow &A, const SnapshotRow &B,
                        const ChangeRule &Rule) {
  // Of two times that agree to the digits of a golden file, the code is equal.
  constexpr double Digits = 1e-3;
  std::optional<double> Error = ratioError(A, B);
  double Shorter = std::min(A.Milliseconds, B.Milliseconds),
         Longer = std::max(A.Milliseconds, B.Milliseconds);
  switch (Rule.When) {
  case VerdictRule::Likely:
    break;
  case VerdictRule::Sure:
    return Error && Longer > Shorter * *Error &&
           differ(Shorter * *Error, Longer, Rule.Tolerance);
  case VerdictRule::Possible:
    return differ(Shorter, Longer, Digits) &&
           (!Error || differ(Shorter, Longer * *Error, Rule.Tolerance));
  }
  return differ(Shorter, Longer, Rule.Tolerance);
}

/// Compares two rows; nullopt if they agree.
static std::optional<ChangeKind>
compare(const SnapshotRow &A, const SnapshotRow &B, const ChangeRule &Rule) {
  double Tolerance = Rule.Tolerance;
  if (timesDiffer(A, B, Rule))
    return B.Milliseconds > A.Milliseconds ? ChangeKind::Worse
                                           : ChangeKind::Improved;
  if (A.Launch != B.Launch || A.Bottleneck != B.Bottleneck ||
      A.Registers != B.Registers ||
      differ(A.Occupancy, B.Occupancy, Tolerance) ||
      differ(A.L2Bytes, B.L2Bytes, Tolerance) ||
      differ(A.DramBytes, B.DramBytes, Tolerance))
    return ChangeKind::Moved;
  return std::nullopt;
}

std::vector<SnapshotChange> compareSnapshots(ArrayRef<SnapshotRow> Before,
                                             ArrayRef<SnapshotRow> After,
                                             const ChangeRule &Rule) {
  std::vector<SnapshotChange> Changes;
  const SnapshotRow *A = Before.begin(), *B = After.begin();
  while (A != Before.end() || B != After.end()) {
    if (B == After.end() || (A != Before.end() && A->key() < B->key())) {
      Changes.push_back({ChangeKind::Gone, A++, nullptr});
    } else if (A == Before.end() || B->key() < A->key()) {
      Changes.push_back({ChangeKind::New, nullptr, B++});
    } else {
      if (auto Kind = compare(*A, *B, Rule))
        Changes.push_back({*Kind, A, B});
      ++A, ++B;
    }
  }
  return Changes;
}

static std::string time(double Milliseconds) {
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
            time(std::fabs(Value));
  return Text;
}

/// Describes the changes of a Moved row.
static std::string moved(const SnapshotRow &A, const SnapshotRow &B) {
  std::string Text;
  auto Add = [&](StringRef What, const std::string &From,
                 const std::string &To) {
    if (From != To)
      Text +=
          (Text.empty() ? "" : ", ") + What.str() + " " + From + " -> " + To;
  };
  Add("launch", A.Launch, B.Launch);
  Add("bound", A.Bottleneck, B.Bottleneck);
  Add("registers", std::to_string(A.Registers), std::to_string(B.Registers));
  Add("occupancy", formatPercent(A.Occupancy), formatPercent(B.Occupancy));
  Add("L2", formatBytes(Bytes(A.L2Bytes)), formatBytes(Bytes(B.L2Bytes)));
  Add("DRAM", formatBytes(Bytes(A.DramBytes)), formatBytes(Bytes(B.DramBytes)));
  return Text;
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
    std::string Change, Why;
    if (C.Before && C.After) {
      double Difference = C.After->Milliseconds - C.Before->Milliseconds;
      auto Percent = [&](double Ratio) {
        return (Ratio < 1 ? "-" : "+") + formatPercent(std::fabs(Ratio - 1));
      };
      double Ratio = C.After->Milliseconds / C.Before->Milliseconds;
      Change = Percent(Ratio);
      std::optional<double> Error = ratioError(*C.Before, *C.After);
      if (Error && C.Kind != ChangeKind::Moved)
        Change += " (" + Percent(Ratio / *Error) + " to " +
                  Percent(Ratio * *Error) + ")";
      Why = moved(*C.Before, *C.After);
      if (C.Kind != ChangeKind::Moved)
        for (auto Member : {&SnapshotRow::Terms, &SnapshotRow::Lines}) {
          if ((C.Before->*Member).empty() || (C.After->*Member).empty())
            continue;
          std::string Parts =
              causes(C.Before->*Member, C.After->*Member, Difference);
          if (!Parts.empty())
            Why = Parts + (Why.empty() ? "" : "; " + Why);
        }
    }
    T.row({name(C.Kind).str(), Any.title(), Any.Gpu,
           C.Before ? time(C.Before->Milliseconds) : "-",
           C.After ? time(C.After->Milliseconds) : "-", Change, Why});
  }
  T.print(OS, 0);
  OS << Changes.size() << " of " << Compared << " estimates changed\n";
}

} // namespace gpuestimate
