#include "gpu-estimate/Validate/Bounds.h"

#include "gpu-estimate/Support/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral BoundsSchema = "gpu-estimate-bounds/1";
static constexpr double Step = 1e-4;

StringRef name(BoundVerdict V) {
  static constexpr StringLiteral Names[] = {"NEW", "IMPROVED", "SAME", "WORSE"};
  return Names[static_cast<unsigned>(V)];
}

double recorded(double MeanApe) {
  // The tolerance makes a record that was read back round to itself.
  return std::ceil(MeanApe / Step - 1e-6) * Step;
}

static std::string recordLine(StringRef Dataset, double Value) {
  std::string Text;
  raw_string_ostream(Text) << "  " << Dataset << ": " << format("%.4f", Value);
  return Text;
}

std::string BoundCheck::line() const { return recordLine(Dataset, Current); }

BoundCheck checkBound(const RecordedBounds &Bounds, StringRef Dataset,
                      double MeanApe) {
  BoundCheck Check;
  Check.Dataset = Dataset.str();
  Check.Current = recorded(MeanApe);
  auto Entry = find_if(Bounds, [&](auto &B) { return B.first == Dataset; });
  if (Entry == Bounds.end()) {
    Check.Verdict = BoundVerdict::New;
    return Check;
  }
  Check.Recorded = Entry->second;
  double Change = Check.Current - recorded(Entry->second);
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
    All.push_back({C.Dataset, C.Current});
  for (const auto &Entry : Bounds)
    if (none_of(Checks,
                [&](const BoundCheck &C) { return C.Dataset == Entry.first; }))
      All.push_back(Entry);
  llvm::sort(All);
  std::string Text =
      "# Mean absolute percentage error (a fraction) of each dataset with the\n"
      "# default model. A change may lower it, and then lowers it here; see\n"
      "# docs/validation.md. Written by: gpu-estimate validate --bounds print\n"
      "schema: " +
      BoundsSchema.str() + "\nmean_ape:\n";
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
  auto Root = readYamlFile(File, (*Buffer)->getBuffer(),
                           {"a file of recorded bounds", "schema"});
  if (!Root)
    return Root.takeError();
  auto Problem = [&](TextPlace Place, const std::string &Message) {
    return createStringError(printMessage(File, Place, Message));
  };
  for (const auto &[Name, Place, Node] : Root->Members) {
    bool IsSchema = Name == "schema" && Node.Scalar == BoundsSchema;
    bool IsTable = Name == "mean_ape" && (Node.isMap() || Node.isNull());
    if (!IsSchema && !IsTable)
      return Problem(Place, "expected 'schema: " + BoundsSchema.str() +
                                "' and 'mean_ape:' with a line for each "
                                "dataset, got '" +
                                Name + "'");
    for (const YamlMember &Row : Node.Members) {
      double Error;
      if (StringRef(Row.Value.Scalar).getAsDouble(Error) || !(Error >= 0))
        return Problem(Row.Value.Place,
                       "expected a fraction such as 0.1873, got '" +
                           Row.Value.Scalar + "'");
      Bounds.push_back({Row.Name, Error});
    }
  }
  if (!Root->find("schema"))
    return Problem({}, "expected the key 'schema: " + BoundsSchema.str() + "'");
  return Bounds;
}

} // namespace gpuestimate
