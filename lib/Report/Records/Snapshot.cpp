#include "gpu-estimate/Report/Records/Snapshot.h"

#include "Report/Json/JsonText.h"
#include "gpu-estimate/Model/Result/SizeCurve.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

std::string SnapshotRow::title() const {
  return Kernel + (Ordinal > 1 ? " #" + std::to_string(Ordinal) : "") + " (" +
         File + ")" + (Compiler.empty() ? "" : ", " + Compiler);
}

void sortRows(std::vector<SnapshotRow> &Rows) {
  stable_sort(Rows, [](const SnapshotRow &A, const SnapshotRow &B) {
    return A.key() < B.key();
  });
}

static void takeCounts(SnapshotRow &R, const json::Object *Counts) {
  if (!Counts)
    return;
  auto Number = [&](StringRef Key) {
    return Counts->getNumber(Key).value_or(0);
  };
  R.L2Bytes = Number("l2_bytes");
  R.DramBytes = Number("dram_bytes");
  R.Instructions = Number("warp_instructions");
  R.Loads = Number("global_load_requests");
  R.Stores = Number("global_store_requests");
  R.Sectors = Number("global_load_sectors") + Number("global_store_sectors");
  R.SharedWavefronts = Number("shared_wavefronts");
  if (const json::Object *Classes = Counts->getObject("by_class"))
    for (StringRef Class : {"load_local", "store_local"})
      R.LocalInstructions += Classes->getNumber(Class).value_or(0);
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
  R.SharedBytes = Number(&E, "shared_bytes_per_block");
  takeCounts(R, E.getObject("counts"));
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
  sortRows(Rows);
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

std::optional<std::pair<double, double>> ratioRange(const SnapshotRow &Before,
                                                    const SnapshotRow &After) {
  std::optional<double> Error = ratioError(Before, After);
  if (!Error || Before.Milliseconds <= 0)
    return std::nullopt;
  double Ratio = After.Milliseconds / Before.Milliseconds;
  return std::pair(Ratio / *Error, Ratio * *Error);
}

static bool timesDiffer(const SnapshotRow &A, const SnapshotRow &B,
                        const ChangeRule &Rule) {
  // Times that agree to the digits of a golden file are of equal code.
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
      Changes.push_back({ChangeKind::Gone, A++, nullptr, nullptr, {}});
    } else if (A == Before.end() || B->key() < A->key()) {
      Changes.push_back({ChangeKind::New, nullptr, B++, nullptr, {}});
    } else {
      if (auto Kind = compare(*A, *B, Rule))
        Changes.push_back({*Kind, A, B, nullptr, {}});
      ++A, ++B;
    }
  }
  return Changes;
}

} // namespace gpuestimate
