#include "PartFiles.h"
#include "Report/Text/TuningFields.h"
#include "gpu-estimate/Report/Records/SpaceParts.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral TuningSchema = "gpu-estimate-tune/1";

bool isTuningResult(StringRef File) { return hasSchema(File, TuningSchema); }

/// T: whose names may get another value.
static Expected<TunedConfiguration> configurationOf(const json::Object &O,
                                                    Tuning &T) {
  TunedConfiguration C;
  if (O.getObject("values"))
    C.Choice.resize(T.Names.size());
  JsonReader F(O);
  configurationFields(F, C, T);
  if (!(C.Time.value() > 0))
    return createStringError("a configuration has no time_ms");
  for (StringRef Key : {"block", "grid"}) {
    const json::Array *Sizes = O.getArray(Key);
    if (!Sizes || Sizes->size() != 3)
      return createStringError("a configuration has no " + Key +
                               " of three sizes");
  }
  C.Rank = 0; // of the part
  C.Tied = false;
  return C;
}

/// Adds what a part tells of one GPU. Fastest: of the parts so far.
static Error addTuning(Tuning &T, Seconds &Fastest, const json::Object &From) {
  JsonReader F(From);
  // A part of which nothing can run does not know the kernel.
  if (T.Name.empty()) {
    T.Names.clear();
    rankingFields(F, T);
  }
  size_t Before = T.Ranked.size();
  if (const json::Array *All = From.getArray("configurations"))
    for (const json::Value &V : *All) {
      static const json::Object None;
      const json::Object *O = V.getAsObject();
      Expected<TunedConfiguration> C = configurationOf(O ? *O : None, T);
      if (!C)
        return C.takeError();
      T.Ranked.push_back(std::move(*C));
    }
  if (const json::Object *Source = From.getObject("as_written");
      Source && !T.AsWritten) {
    Expected<TunedConfiguration> C = configurationOf(*Source, T);
    if (!C)
      return C.takeError();
    T.AsWritten = {std::move(*C), std::nullopt, {}};
    JsonReader Written(*Source);
    Written.interval(T.Level, T.AsWritten->IntervalMs);
    Written.stored("premises", T.AsWritten->Premises);
  }
  F.stored("as_written_refused", T.WhyNotAsWritten);
  RefusalCounts Refused;
  F.refusals("configurations", Refused);
  for (const auto &[Reason, Count] : Refused)
    addRefusal(T.Refused, Reason, Count, SameReason::EqualButForDigits);
  if (T.Ranked.size() > Before && T.Ranked[Before].Time < Fastest) {
    Fastest = T.Ranked[Before].Time;
    // They are about the fastest configuration.
    T.Assumptions.clear();
    T.Premises.clear();
    assumptionFields(F, T.Assumptions);
    F.stored("premises", T.Premises);
  }
  return Error::success();
}

Expected<std::vector<Tuning>> mergeTunings(ArrayRef<std::string> Files) {
  std::vector<Tuning> All;
  std::vector<Seconds> Fastest;
  auto Add = [&](const json::Object &From, const json::Object &) {
    StringRef Gpu = From.getString("gpu").value_or("");
    auto T =
        find_if(All, [&](const Tuning &Other) { return Other.Gpu == Gpu; });
    if (T == All.end()) {
      T = All.insert(T, Tuning());
      Fastest.push_back(Seconds(std::numeric_limits<double>::infinity()));
    }
    return addTuning(*T, Fastest[T - All.begin()], From);
  };
  if (Error E = readParts(Files, TuningSchema, "tune", "tunings", Add))
    return std::move(E);
  for (Tuning &T : All) {
    T.rank();
    sortRefusals(T.Refused);
    atBorder("merged ranking on " + T.Gpu, [&] { return checkRanking(T); });
  }
  return All;
}

} // namespace gpuestimate
