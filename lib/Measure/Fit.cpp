/// \file
/// The fitter's tools, the identity of the device, and the order of the rules.
#include "Fitter.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

std::string quality(const Measurement &M) {
  return formatv("median of {0}, spread {1:F1}%", M.Samples, M.Spread * 100)
      .str();
}

bool Fitter::has(StringRef Group) const {
  return any_of(All, [&](const Measurement &M) { return M.Group == Group; });
}

std::vector<const Measurement *> Fitter::named(StringRef Group,
                                               StringRef Name) const {
  std::vector<const Measurement *> Matches;
  for (const Measurement &M : All)
    if (M.Group == Group && M.Name == Name)
      Matches.push_back(&M);
  return Matches;
}

const Measurement *Fitter::one(StringRef Group, StringRef Name) const {
  std::vector<const Measurement *> Matches = named(Group, Name);
  return Matches.empty() ? nullptr : Matches.front();
}

const Measurement *Fitter::one(StringRef Group, StringRef Name, StringRef Key,
                               StringRef Word) const {
  for (const Measurement *M : named(Group, Name)) {
    auto It = M->Words.find(Key.str());
    if (It != M->Words.end() && It->second == Word)
      return M;
  }
  return nullptr;
}

std::vector<CurveSample> Fitter::curve(StringRef Group, StringRef Name,
                                       StringRef X) const {
  std::vector<CurveSample> Points;
  for (const Measurement *M : named(Group, Name)) {
    auto It = M->Numbers.find(X.str());
    if (It != M->Numbers.end())
      Points.push_back({It->second, M->Value});
  }
  std::stable_sort(
      Points.begin(), Points.end(),
      [](const CurveSample &A, const CurveSample &B) { return A.X < B.X; });
  return Points;
}

/// Prints a value with its usual unit, to four digits; sizes exactly.
static std::string withUnit(KeyDimension Dim, double Value) {
  auto Number = [&](double Scale, const char *Unit) {
    return formatv("{0}{1}", format("%.4g", Value / Scale), Unit).str();
  };
  switch (Dim) {
  case KeyDimension::Cycles:
    return Number(1, " cycles");
  case KeyDimension::Bytes:
    return formatv("{0:F0} B", std::round(Value)).str();
  case KeyDimension::Frequency:
    return Number(1e6, " MHz");
  case KeyDimension::Bandwidth:
    return Value < 1e12 ? Number(1e9, " GB/s")
                        : formatv("{0:F0} GB/s", Value / 1e9).str();
  case KeyDimension::BytesPerCycle:
    return Number(1, " B/cycle");
  case KeyDimension::Time:
    return Number(1e-6, " us");
  case KeyDimension::PerCycle:
    return Number(1, " /cycle");
  case KeyDimension::Count:
    return formatv("{0:F0}", Value).str();
  case KeyDimension::Power:
    return Number(1, " W");
  case KeyDimension::Energy:
    return Number(1e-12, " pJ");
  case KeyDimension::EnergyPerByte:
    return Number(1e-12, " pJ/B");
  default:
    return Number(1, "");
  }
}

void Fitter::add(StringRef Key, double Value, StringRef Kind, StringRef Group,
                 const Twine &Note) {
  const GpuKey *Row = findGpuKey(Key);
  if (!Row || !std::isfinite(Value))
    return doubt(Key + ": " + Note + ": no finite value");
  std::string Text = withUnit(Row->Dim, Value);
  Expected<KeyValue> Parsed = parseKeyValue(*Row, Text);
  if (!Parsed)
    return doubt(Key + ": " + Note + ": " + toString(Parsed.takeError()));
  Result.Values.push_back(
      {Key.str(), Text, Kind.str(), Group.str(), Note.str()});
}

void Fitter::take(StringRef Key, const Measurement *M, StringRef Note) {
  if (M)
    add(Key, M->Value, "measured", M->Group,
        (Note.empty() ? "" : Note + "; ") + quality(*M));
}

void Fitter::take(StringRef Key, StringRef Group, StringRef Name,
                  StringRef Note) {
  if (const Measurement *M = one(Group, Name))
    return take(Key, M, Note);
  if (has(Group))
    doubt(Key + ": group " + Group + " has no sample '" + Name + "'");
}

double Fitter::clock() const {
  const Measurement *M = one("clock", "clock", "load", "fp32");
  return M && M->Value > 0 ? M->Value : Base.CoreClock.value();
}

double Fitter::smCount() const {
  const Measurement *M = one("device", "sm_count");
  return M ? M->Value : Base.SmCount;
}

double Fitter::l2Size() const {
  const Measurement *M = one("device", "l2_size");
  return M ? M->Value : Base.L2.Size.value();
}

MeasuredIdentity identityOf(ArrayRef<Measurement> All) {
  MeasuredIdentity Id;
  for (const Measurement &M : All) {
    if (M.Group != "device")
      continue;
    if (M.Name == "name")
      Id.Name = M.Text;
    else if (M.Name == "compute_capability")
      Id.ComputeCapability = M.Text;
    else if (M.Name == "gfx_target")
      Id.GfxTarget = StringRef(M.Text).split(':').first.str();
    else if (M.Name == "sm_count")
      Id.SmCount = static_cast<unsigned>(M.Value);
    else if (M.Name == "driver_version")
      Id.Driver = formatv("{0:F0}", M.Value).str();
  }
  return Id;
}

void fitDevice(Fitter &F) {
  static constexpr struct {
    StringLiteral Fact, Key;
  } Facts[] = {
      {"sm_count", "sm_count"},
      {"warp_size", "sm.warp_size"},
      {"max_warps", "occupancy.max_warps"},
      {"max_blocks", "occupancy.max_blocks"},
      {"max_threads_per_block", "occupancy.max_threads_per_block"},
      {"registers", "occupancy.registers"},
      {"shared_size", "shared.size"},
      {"shared_per_block_max", "shared.per_block_max"},
      {"shared_per_block_default", "shared.per_block_default"},
      {"shared_reserved", "shared.reserved_per_block"},
      {"l2_size", "l2.size"},
      {"dram_size", "dram.size"},
      {"memory_clock", "dram.clock"},
      {"bus_width", "dram.bus_width"},
  };
  for (const auto &[Fact, Key] : Facts)
    if (const Measurement *M = F.one("device", Fact))
      F.add(Key, M->Value, "vendor", "device", "reported by the driver");
  const Measurement *Clock = F.one("device", "memory_clock"),
                    *Width = F.one("device", "bus_width");
  if (Clock && Width)
    F.add("dram.peak_bandwidth", 2 * Clock->Value * Width->Value, "derived",
          "device",
          "two transfers for each cycle of the memory clock that the "
          "driver reports, times the width of the bus");
  F.take("core_clock", F.one("clock", "clock", "load", "fp32"),
         "cycles by time while all multiprocessors compute");
}

Fit fitMeasurements(ArrayRef<Measurement> All, const GpuModel &Base) {
  Fitter F(All, Base);
  fitDevice(F);
  fitOperations(F);
  fitMemory(F);
  fitExecution(F);
  fitPower(F);
  return std::move(F.Result);
}

} // namespace gpuestimate
