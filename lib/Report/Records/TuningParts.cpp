#include "gpu-estimate/Report/Records/TuningParts.h"

#include "PartFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral TuningSchema = "gpu-estimate-tune/1";

bool isTuningResult(StringRef File) { return hasSchema(File, TuningSchema); }

/// Reasons that differ in their numbers alone are one (as in Tuning::Refused).
static std::string withoutDigits(StringRef Reason) {
  std::string Kind = Reason.str();
  erase_if(Kind, isDigit);
  return Kind;
}

namespace {

class TuningReader {
public:
  TuningReader(const json::Object &From, Tuning &T) : From(From), T(T) {}

  /// What the parts of one space have in common.
  void readHead();
  /// What each part adds.
  Error addPart(StringRef File);

private:
  Expected<TunedConfiguration> configuration(const json::Object &O);
  uint32_t indexOf(StringRef Name, StringRef Value);

  const json::Object &From;
  Tuning &T;
};

} // namespace

void TuningReader::readHead() {
  T.Kernel = textOf(From, "kernel");
  T.Name = textOf(From, "name");
  T.Location = placeOf(textOf(From, "location"));
  T.Gpu = textOf(From, "gpu");
  T.GpuName = textOf(From, "gpu_name");
  T.Model = textOf(From, "model");
  T.Launches = size_t(From.getInteger("launches").value_or(1));
  T.IsNest = From.getBoolean("nest").value_or(false);
  T.Tie = From.getNumber("tie");
  T.Level = From.getNumber("level").value_or(DefaultIntervalLevel);
}

/// The place of a value among those of its name; both may be new.
uint32_t TuningReader::indexOf(StringRef Name, StringRef Value) {
  auto Axis =
      find_if(T.Names, [&](const TunedName &N) { return N.Name == Name; });
  if (Axis == T.Names.end())
    Axis = T.Names.insert(T.Names.end(), TunedName{Name.str(), {}});
  auto Place = find(Axis->Values, Value);
  if (Place == Axis->Values.end())
    Place = Axis->Values.insert(Place, Value.str());
  return uint32_t(Place - Axis->Values.begin());
}

Expected<TunedConfiguration>
TuningReader::configuration(const json::Object &O) {
  TunedConfiguration C;
  auto Time = O.getNumber("time_ms");
  if (!Time || !(*Time > 0))
    return createStringError("a configuration has no time_ms");
  C.Time = Seconds(*Time * 1e-3);
  C.Screened = O.getBoolean("screened").value_or(false);
  C.Interpolated = O.getBoolean("interpolated").value_or(false);
  C.Bottleneck = textOf(O, "bottleneck");
  C.Occupancy = O.getNumber("occupancy").value_or(0);
  C.RegistersPerThread = unsigned(O.getInteger("registers").value_or(0));
  C.SharedBytesPerBlock = uint64_t(O.getInteger("shared_bytes").value_or(0));
  C.DramBytes = O.getNumber("dram_bytes").value_or(0);
  C.RatioError = O.getNumber("ratio_error");
  C.Used.DynamicSharedBytes =
      uint64_t(O.getInteger("dynamic_shared_bytes").value_or(0));
  for (auto [Key, Sizes] :
       {std::pair{"block", &C.Used.Block}, {"grid", &C.Used.Grid}}) {
    const json::Array *Given = O.getArray(Key);
    if (!Given || Given->size() != 3)
      return createStringError("a configuration has no %s of three sizes", Key);
    for (auto [Size, Value] : zip(*Sizes, *Given))
      Size = uint64_t(Value.getAsInteger().value_or(0));
  }
  const json::Array *Names = From.getArray("names");
  const json::Object *Values = O.getObject("values");
  if (Names && Values)
    for (const json::Value &V : *Names) {
      StringRef Name = V.getAsString().value_or("");
      C.Choice.push_back(indexOf(Name, Values->getString(Name).value_or("")));
    }
  return C;
}

Error TuningReader::addPart(StringRef File) {
  auto Wrong = [&](Error E) {
    return createStringError(File + ": " + toString(std::move(E)));
  };
  if (const json::Array *All = From.getArray("configurations"))
    for (const json::Value &V : *All) {
      static const json::Object None;
      const json::Object *O = V.getAsObject();
      Expected<TunedConfiguration> C = configuration(O ? *O : None);
      if (!C)
        return Wrong(C.takeError());
      T.Ranked.push_back(std::move(*C));
    }
  if (const json::Object *Source = From.getObject("as_written");
      Source && !T.AsWritten) {
    Expected<TunedConfiguration> C = configuration(*Source);
    if (!C)
      return Wrong(C.takeError());
    T.AsWritten = {std::move(*C), intervalOf(*Source),
                   textsOf(*Source, "premises")};
  }
  T.WhyNotAsWritten = textOf(From, "as_written_refused");
  if (const json::Array *Refused = From.getArray("refused"))
    for (const json::Value &V : *Refused)
      if (const json::Object *O = V.getAsObject()) {
        std::string Reason = textOf(*O, "reason");
        auto Count = size_t(O->getInteger("configurations").value_or(0));
        auto Same = find_if(T.Refused, [&](auto &Entry) {
          return withoutDigits(Entry.first) == withoutDigits(Reason);
        });
        if (Same == T.Refused.end())
          T.Refused.emplace_back(std::move(Reason), Count);
        else
          Same->second += Count;
      }
  return Error::success();
}

namespace {
struct ReadPart {
  PartFile Part;
  json::Object Result;
};
} // namespace

Expected<std::vector<Tuning>> mergeTunings(ArrayRef<std::string> Files) {
  std::vector<Tuning> All;
  std::vector<double> Fastest; ///< of the parts read so far
  std::vector<ReadPart> Read;
  for (const std::string &File : Files) {
    Expected<json::Object> Result = readResult(File, TuningSchema, "tune");
    if (!Result)
      return Result.takeError();
    Read.push_back({PartFile(File, *Result), std::move(*Result)});
  }
  // Equal times stay in the order of the space.
  stable_sort(Read, [](const ReadPart &A, const ReadPart &B) {
    return A.Part.Index < B.Part.Index;
  });
  std::vector<PartFile> Parts;
  for (const ReadPart &R : Read)
    Parts.push_back(R.Part);
  if (Error E = checkParts(Parts))
    return std::move(E);
  for (const auto &[Part, Result] : Read) {
    const json::Array *Tunings = Result.getArray("tunings");
    for (size_t I = 0; Tunings && I < Tunings->size(); ++I) {
      const json::Object *From = (*Tunings)[I].getAsObject();
      if (!From)
        continue;
      auto T = find_if(All, [&](const Tuning &Other) {
        return Other.Gpu == textOf(*From, "gpu");
      });
      bool IsNew = T == All.end();
      if (IsNew) {
        T = All.insert(All.end(), Tuning());
        Fastest.push_back(std::numeric_limits<double>::infinity());
      }
      TuningReader Reader(*From, *T);
      // A part of which nothing can run does not know the kernel.
      if (IsNew || T->Name.empty())
        Reader.readHead();
      size_t Before = T->Ranked.size();
      if (Error E = Reader.addPart(Part.File))
        return std::move(E);
      double &Best = Fastest[T - All.begin()];
      if (T->Ranked.size() > Before && T->Ranked[Before].Time.value() < Best) {
        Best = T->Ranked[Before].Time.value();
        // They are about the fastest configuration.
        T->Assumptions = assumptionsOf(*From);
        T->Premises = textsOf(*From, "premises");
      }
    }
  }
  for (Tuning &T : All) {
    T.rank();
    stable_sort(T.Refused,
                [](auto &A, auto &B) { return A.second > B.second; });
  }
  return All;
}

} // namespace gpuestimate
