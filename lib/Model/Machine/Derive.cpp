/// \file
/// Rules by which the values of a GPU follow from those of a sibling.
#include "gpu-estimate/Model/Machine/Derive.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

namespace {

enum class Rule : uint8_t {
  Fact,           ///< must be stated
  Multiprocessor, ///< the same in every GPU with this multiprocessor
  SlicesAndClock,
  Slices,
  PeakShare,
  BeyondL2,
  MemoryClock,
  LeftOut,
  Inherited,
};

struct RuleOfKeys {
  llvm::StringLiteral Keys; ///< one key, or a group that ends with a dot
  Rule Of;
};

constexpr RuleOfKeys Rules[] = {
    {"sm_count", Rule::Fact},
    {"core_clock", Rule::Fact},
    {"l2.size", Rule::Fact},
    {"l3.size", Rule::Fact},
    {"dram.size", Rule::Fact},
    {"dram.peak_bandwidth", Rule::Fact},
    {"dram.bus_width", Rule::Fact},
    {"l2.read_bandwidth", Rule::SlicesAndClock},
    {"l2.write_bandwidth", Rule::SlicesAndClock},
    {"l2.miss_bandwidth", Rule::Slices},
    {"l3.bandwidth", Rule::Slices},
    {"l3.latency", Rule::BeyondL2},
    {"dram.latency", Rule::BeyondL2},
    {"dram.clock", Rule::MemoryClock},
    {"dram.read_bandwidth", Rule::PeakShare},
    {"dram.write_bandwidth", Rule::PeakShare},
    {"dram.copy_bandwidth", Rule::PeakShare},
    {"dram.channels", Rule::Slices},
    {"atomics.rate", Rule::Slices},
    {"limits.", Rule::LeftOut},
    {"power.", Rule::LeftOut},
    {"roofline.", Rule::LeftOut},
    {"sm.", Rule::Multiprocessor},
    {"occupancy.", Rule::Multiprocessor},
    {"shared.", Rule::Multiprocessor},
    {"l1.", Rule::Multiprocessor},
    {"constant.", Rule::Multiprocessor},
    {"texture.", Rule::Multiprocessor},
    {"memory.", Rule::Multiprocessor},
    {"barrier.", Rule::Multiprocessor},
    {"operations.", Rule::Multiprocessor},
};

Rule ruleOf(llvm::StringRef Path) {
  for (const RuleOfKeys &R : Rules)
    if (Path == R.Keys || (R.Keys.ends_with(".") && Path.starts_with(R.Keys)))
      return R.Of;
  return Rule::Inherited;
}

/// A computed value, to four digits in a unit of model files.
std::string valueText(const GpuKey &Key, double Value) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  switch (Key.Dim) {
  case KeyDimension::Cycles:
    OS << llvm::format("%.4g cycles", Value);
    break;
  case KeyDimension::Bandwidth:
    OS << llvm::format("%.4g GB/s", Value / 1e9);
    break;
  case KeyDimension::BytesPerCycle:
    OS << llvm::format("%.4g B/cycle", Value);
    break;
  case KeyDimension::PerCycle:
    OS << llvm::format("%.4g /cycle", Value);
    break;
  case KeyDimension::Frequency:
    OS << llvm::format("%.6g MHz", Value / 1e6);
    break;
  default:
    OS << llvm::format("%.6g", Value);
  }
  return Text;
}

class ModelDerivation {
public:
  ModelDerivation(const GpuModel &From, llvm::StringRef Source)
      : From(From), Source(Source) {
    To.Model = From;
    To.Model.Sources.clear();
    To.Model.Validation.clear();
    To.Model.Aliases.clear();
    To.Model.Id.clear();
    To.Model.Name.clear();
    To.Model.File.clear();
  }

  llvm::Error state(llvm::StringRef Fact);
  llvm::Error checkFacts() const;
  llvm::Error inherit();
  DerivedModel take() { return std::move(To); }

private:
  bool isStated(llvm::StringRef Path) const {
    return llvm::is_contained(To.Set, Path);
  }
  std::optional<double> ratio(llvm::StringRef Path) const;
  std::optional<double> scaled(const GpuKey &Key, Rule Of,
                               std::string &How) const;
  void keep(const GpuKey &Key, const Provenance &Origin, bool IsMultiprocessor);
  llvm::Error setText(const GpuKey &Key, llvm::StringRef Text);
  Provenance stated(llvm::StringRef Text, llvm::StringRef OwnSource) const;

  const GpuModel &From;
  llvm::StringRef Source;
  DerivedModel To;
};

llvm::Error ModelDerivation::setText(const GpuKey &Key, llvm::StringRef Text) {
  llvm::Expected<KeyValue> Value = parseKeyValue(Key, Text);
  if (!Value)
    return llvm::createStringError(Key.Path + ": " +
                                   llvm::toString(Value.takeError()));
  Key.Set(To.Model, *Value);
  return llvm::Error::success();
}

/// "vendor: deviceQuery" has the kind vendor; a source without a kind is
/// secondary.
Provenance ModelDerivation::stated(llvm::StringRef Text,
                                   llvm::StringRef OwnSource) const {
  Provenance P;
  P.Text = Text.str();
  P.Kind = "secondary";
  P.Source = (OwnSource.empty() ? Source : OwnSource).trim().str();
  auto [Kind, Rest] = llvm::StringRef(P.Source).split(": ");
  for (const ProvenanceKind &Known : provenanceKinds())
    if (Kind == Known.Name && !Rest.empty()) {
      P.Kind = Kind.str();
      P.Source = Rest.trim().str();
      break;
    }
  if (P.Kind == "inherited" || P.Kind == "assumed")
    P.Note = P.Source;
  return P;
}

llvm::Error ModelDerivation::state(llvm::StringRef Fact) {
  auto [Name, Text] = Fact.split('=');
  llvm::StringRef OwnSource;
  if (Text.ends_with("]") && Text.contains(" [")) {
    std::tie(Text, OwnSource) = Text.rsplit(" [");
    OwnSource.consume_back("]");
  }
  Name = Name.trim();
  Text = Text.trim();
  const GpuKey *Key = findGpuKey(Name);
  if (!Key) {
    std::vector<std::string> Names;
    for (const GpuKey &Known : gpuKeys())
      Names.push_back(Known.Path);
    return llvm::createStringError("unknown GPU value '" + Name.take_front(60) +
                                   "'" + didYouMean(Name, Names));
  }
  if (llvm::Error E = setText(*Key, Text))
    return E;
  To.Set.push_back(Key->Path);
  if (Key->Identity)
    return llvm::Error::success();
  Provenance Origin = stated(Text, OwnSource);
  if (Origin.Source.empty())
    return llvm::createStringError(
        Key->Path +
        ": who says so? Name it with --source TEXT, or 'KEY=VALUE [SOURCE]'");
  // One word would be the short name of a citation.
  if (!llvm::StringRef(Origin.Source).contains(' '))
    return llvm::createStringError(Key->Path + ": the source '" +
                                   Origin.Source +
                                   "' is one word; cite it in full, such as "
                                   "'deviceQuery of the card'");
  To.Model.Sources[Key->Path] = std::move(Origin);
  return llvm::Error::success();
}

llvm::Error ModelDerivation::checkFacts() const {
  std::string Missing;
  for (const GpuKey &Key : gpuKeys()) {
    bool IsFact = Key.Path == "id" || Key.Path == "name" ||
                  (ruleOf(Key.Path) == Rule::Fact && Key.Get(From));
    if (IsFact && !isStated(Key.Path))
      Missing += (Missing.empty() ? "" : ", ") + Key.Path;
  }
  if (Missing.empty())
    return llvm::Error::success();
  return llvm::createStringError("--derive: what makes this GPU differ from " +
                                 From.Id + " is not stated; add --set for " +
                                 Missing);
}

/// New by old value of a stated key.
std::optional<double> ModelDerivation::ratio(llvm::StringRef Path) const {
  const GpuKey &Key = *findGpuKey(Path);
  std::optional<KeyValue> Old = Key.Get(From), New = Key.Get(To.Model);
  if (!Old || !New)
    return std::nullopt;
  return std::get<double>(*New) / std::get<double>(*Old);
}

std::optional<double> ModelDerivation::scaled(const GpuKey &Key, Rule Of,
                                              std::string &How) const {
  double Value = std::get<double>(*Key.Get(From));
  double Slices = ratio("dram.bus_width").value_or(1);
  double Clock = *ratio("core_clock");
  switch (Of) {
  case Rule::SlicesAndClock:
    How = "scaled with the width of the memory interface and the core clock";
    return Value * Slices * Clock;
  case Rule::Slices:
    How = "scaled with the width of the memory interface";
    return Value * Slices;
  case Rule::PeakShare:
    How = "the same share of the peak bandwidth";
    return Value * *ratio("dram.peak_bandwidth");
  case Rule::BeyondL2: {
    How = "the part beyond L2 is fixed in time";
    double OnChip = From.L2.Latency.value();
    return OnChip + std::max(0.0, Value - OnChip) * Clock;
  }
  case Rule::MemoryClock:
    if (!To.Model.DramBusWidth)
      return std::nullopt;
    return To.Model.DramPeakBandwidth.value() /
           (2 * To.Model.DramBusWidth->value());
  default:
    return std::nullopt;
  }
}

/// The sibling's value. Facts about the multiprocessor keep their kind; what
/// was measured on the sibling is a measurement of the same multiprocessor.
void ModelDerivation::keep(const GpuKey &Key, const Provenance &Origin,
                           bool IsMultiprocessor) {
  Provenance P = Origin;
  P.Line = 0;
  bool WasMeasured = P.Kind == "measured" || P.Kind == "fitted";
  if (IsMultiprocessor) {
    if (WasMeasured) {
      P.Kind = "measured-arch";
      P.Note = From.Name + ", the same multiprocessor" +
               (P.Note.empty() ? "" : "; " + P.Note);
    }
    To.OfMultiprocessor.push_back(Key.Path);
  } else {
    if (P.Kind != "assumed" && P.Kind != "inherited") {
      P.Kind = "inherited";
      P.Note = From.Name + (P.Note.empty() ? "" : "; " + P.Note);
    }
    To.Inherited.push_back(Key.Path);
  }
  To.Model.Sources[Key.Path] = std::move(P);
}

llvm::Error ModelDerivation::inherit() {
  bool SameMultiprocessor =
      To.Model.ComputeCapability == From.ComputeCapability &&
      To.Model.GfxTarget == From.GfxTarget;
  for (const GpuKey &Key : gpuKeys()) {
    auto Origin = From.Sources.find(Key.Path);
    if (isStated(Key.Path) || Key.Identity || Origin == From.Sources.end())
      continue;
    Rule Of = ruleOf(Key.Path);
    if (Of == Rule::LeftOut) {
      To.LeftOut.push_back(Key.Path);
      continue;
    }
    std::string How;
    std::optional<double> Value;
    if (Of != Rule::Multiprocessor && Of != Rule::Inherited)
      Value = scaled(Key, Of, How);
    double Old = Value ? std::get<double>(*Key.Get(From)) : 0;
    if (!Value || std::abs(*Value / Old - 1) < 1e-4) {
      keep(Key, Origin->second,
           Of == Rule::Multiprocessor && SameMultiprocessor);
      continue;
    }
    Provenance P = Origin->second;
    P.Line = 0;
    P.Text = valueText(Key, *Value);
    if (Of == Rule::MemoryClock) {
      P.Kind = "derived";
      P.Source = "dram.peak_bandwidth and dram.bus_width of this file";
      P.SourceName.clear();
      P.Note.clear();
    } else {
      P.Kind = "inherited";
      P.Note = From.Name + ": " + Origin->second.Text + ", " + How;
      if (P.Source.empty()) // an assumption about the sibling
        P.Source = "GPU model " + From.Id;
    }
    if (llvm::Error E = setText(Key, P.Text))
      return E;
    To.Scaled.push_back(Key.Path);
    To.Model.Sources[Key.Path] = std::move(P);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<DerivedModel> deriveGpuModel(const GpuModel &From,
                                            llvm::ArrayRef<std::string> Facts,
                                            llvm::StringRef Source) {
  ModelDerivation D(From, Source);
  for (const std::string &Fact : Facts)
    if (llvm::Error E = D.state(Fact))
      return std::move(E);
  if (llvm::Error E = D.checkFacts())
    return std::move(E);
  if (llvm::Error E = D.inherit())
    return std::move(E);
  return D.take();
}

} // namespace gpuestimate
