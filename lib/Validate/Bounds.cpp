#include "gpu-estimate/Validate/Bounds.h"

#include "YamlKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Schema = "gpu-estimate-bounds/1";
static constexpr double Step = 1e-4;

StringRef name(BoundVerdict V) {
  static constexpr StringLiteral Names[] = {"NEW", "IMPROVED", "SAME", "WORSE"};
  return Names[static_cast<unsigned>(V)];
}

double recorded(double MeanApe) {
  // A record that was read back must round to itself.
  return std::ceil(MeanApe / Step - 1e-6) * Step;
}

static std::string recordLine(StringRef Dataset, double Value) {
  std::string Text;
  raw_string_ostream(Text) << "  " << Dataset << ": " << format("%.4f", Value);
  return Text;
}

std::string BoundCheck::line() const { return recordLine(Dataset, Found); }

BoundCheck checkBound(const RecordedBounds &Bounds, StringRef Dataset,
                      double MeanApe) {
  BoundCheck Check;
  Check.Dataset = Dataset.str();
  Check.Found = recorded(MeanApe);
  auto Known = find_if(Bounds, [&](auto &B) { return B.first == Dataset; });
  if (Known == Bounds.end()) {
    Check.Verdict = BoundVerdict::New;
    return Check;
  }
  Check.Recorded = Known->second;
  double Change = Check.Found - recorded(Known->second);
  if (Change > Step / 2)
    Check.Verdict = BoundVerdict::Worse;
  else if (Change < -Step / 2)
    Check.Verdict = BoundVerdict::Improved;
  return Check;
}

std::string boundsText(const RecordedBounds &Bounds,
                       ArrayRef<BoundCheck> Checks) {
  RecordedBounds All;
  for (const BoundCheck &C : Checks)
    All.push_back({C.Dataset, C.Found});
  for (const auto &Known : Bounds)
    if (none_of(Checks,
                [&](const BoundCheck &C) { return C.Dataset == Known.first; }))
      All.push_back(Known);
  llvm::sort(All);
  std::string Text =
      "# Mean absolute percentage error (a fraction) of each dataset with the\n"
      "# default model. A change may lower it, and then lowers it here; see\n"
      "# docs/validation.md. Written by: gpu-estimate validate --bounds print\n"
      "schema: " +
      Schema.str() + "\nmean_ape:\n";
  for (const auto &[Dataset, Value] : All)
    Text += recordLine(Dataset, Value) + "\n";
  return Text;
}

Expected<RecordedBounds> loadBounds(StringRef File) {
  RecordedBounds Bounds;
  if (!sys::fs::exists(File))
    return Bounds;
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  auto Entries = readYamlKeys(File, (*Buffer)->getBuffer());
  if (!Entries)
    return Entries.takeError();
  auto Problem = [&](const YamlWord &Where, const std::string &Message) {
    return createStringError(at(File, Where.Where, Message));
  };
  bool HasSchema = false;
  for (const YamlEntry &E : *Entries) {
    if (E.Key.Text == "schema" && E.Value.Text == Schema) {
      HasSchema = true;
    } else if (E.Key.Text == "mean_ape" && E.Kind == YamlEntry::Map) {
      for (const auto &[Dataset, Value] : E.Pairs) {
        double Number;
        if (StringRef(Value.Text).getAsDouble(Number) || !(Number >= 0))
          return Problem(Value, "expected a fraction such as 0.1873, got '" +
                                    Value.Text + "'");
        Bounds.push_back({Dataset.Text, Number});
      }
    } else if (E.Key.Text != "mean_ape" || !E.Value.Text.empty()) {
      return Problem(E.Key, "expected 'schema: " + Schema.str() +
                                "' and 'mean_ape:' with a line for each "
                                "dataset, got '" +
                                E.Key.Text + "'");
    }
  }
  if (!HasSchema)
    return createStringError(
        at(File, {1, 1}, "expected the key 'schema: " + Schema.str() + "'"));
  return Bounds;
}

} // namespace gpuestimate
