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

static std::string recordLine(StringRef Dataset, double Value,
                              bool IsCoverage) {
  std::string Text;
  raw_string_ostream(Text) << "  " << Dataset << ": "
                           << format(IsCoverage ? "%.2f" : "%.4f", Value);
  return Text;
}

std::string BoundCheck::line() const {
  return recordLine(Dataset, Current, IsCoverage);
}

static std::optional<double> entryOf(const BoundTable &Table, StringRef Name) {
  auto Entry = find_if(Table, [&](auto &B) { return B.first == Name; });
  return Entry == Table.end() ? std::nullopt : std::optional(Entry->second);
}

BoundCheck checkBound(const RecordedBounds &Bounds, StringRef Dataset,
                      double MeanApe) {
  BoundCheck Check;
  Check.Dataset = Dataset.str();
  Check.Current = recorded(MeanApe);
  Check.Recorded = entryOf(Bounds.MeanApe, Dataset);
  if (!Check.Recorded) {
    Check.Verdict = BoundVerdict::New;
    return Check;
  }
  double Change = Check.Current - recorded(*Check.Recorded);
  if (Change > Step / 2)
    Check.Verdict = BoundVerdict::Worse;
  else if (Change < -Step / 2)
    Check.Verdict = BoundVerdict::Improved;
  return Check;
}

BoundCheck checkCoverage(const RecordedBounds &Bounds, StringRef Group,
                         double Share) {
  constexpr double SharePrecision = 0.01;
  BoundCheck Check;
  Check.Dataset = Group.str();
  Check.IsCoverage = true;
  Check.Current = std::floor(Share / SharePrecision + 1e-6) * SharePrecision;
  Check.Recorded = entryOf(Bounds.Coverage, Group);
  double Least = Check.Recorded.value_or(LeastCoverage);
  if (Check.Current < Least - SharePrecision / 2)
    Check.Verdict = BoundVerdict::Worse;
  else if (Check.Recorded && Check.Current > Least + SharePrecision / 2)
    Check.Verdict = BoundVerdict::Improved;
  return Check;
}

std::string boundsText(const RecordedBounds &Bounds,
                       ArrayRef<BoundCheck> Checks) {
  BoundTable Errors, Shares;
  for (const BoundCheck &C : Checks)
    if (!C.IsCoverage)
      Errors.push_back({C.Dataset, C.Current});
    else if (C.Current < LeastCoverage)
      Shares.push_back({C.Dataset, C.Current});
  auto Keep = [&](const BoundTable &Earlier, bool IsCoverage, BoundTable &In) {
    for (const auto &Entry : Earlier)
      if (none_of(Checks, [&](const BoundCheck &C) {
            return C.Dataset == Entry.first && C.IsCoverage == IsCoverage;
          }))
        In.push_back(Entry);
    llvm::sort(In);
  };
  Keep(Bounds.MeanApe, /*IsCoverage=*/false, Errors);
  Keep(Bounds.Coverage, /*IsCoverage=*/true, Shares);
  std::string Text =
      "# Mean absolute percentage error (a fraction) of each dataset with the\n"
      "# default model. A change may lower it, and then lowers it here; see\n"
      "# docs/validation.md. Written by: gpu-estimate validate --bounds print\n"
      "schema: " +
      BoundsSchema.str() + "\nmean_ape:\n";
  for (const auto &[Dataset, Value] : Errors)
    Text += recordLine(Dataset, Value, /*IsCoverage=*/false) + "\n";
  if (Shares.empty())
    return Text;
  Text +=
      "# Share of the measured times in the 80 % intervals, of groups of 30 "
      "cases or\n# more in which it is below 70 %. A change may raise it.\n"
      "coverage:\n";
  for (const auto &[Group, Value] : Shares)
    Text += recordLine(Group, Value, /*IsCoverage=*/true) + "\n";
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
    bool IsCoverage = Name == "coverage";
    bool IsTable =
        (Name == "mean_ape" || IsCoverage) && (Node.isMap() || Node.isNull());
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
      (IsCoverage ? Bounds.Coverage : Bounds.MeanApe)
          .push_back({Row.Name, Error});
    }
  }
  if (!Root->find("schema"))
    return Problem({}, "expected the key 'schema: " + BoundsSchema.str() + "'");
  return Bounds;
}

} // namespace gpuestimate
