#include "gpu-estimate/Report/Records/TuningParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Schema = "gpu-estimate-tune/1";

static Expected<json::Object> readResult(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  Expected<json::Value> Value = json::parse((*Buffer)->getBuffer());
  if (!Value)
    return createStringError(File + ": " + toString(Value.takeError()));
  json::Object *Object = Value->getAsObject();
  if (!Object || Object->getString("schema") != Schema)
    return createStringError(File + ": expected a result of tune in JSON (" +
                             Schema + ")");
  return std::move(*Object);
}

bool isTuningResult(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  // The schema is the first attribute.
  return Buffer && (*Buffer)->getBuffer().take_front(200).contains(Schema);
}

static std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

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
  T.Kernel = text(From, "kernel");
  T.Name = text(From, "name");
  auto [File, Line] = StringRef(text(From, "location")).rsplit(':');
  T.Location = {File.str(), 0, 1};
  if (Line.getAsInteger(10, T.Location.Line))
    T.Location = {};
  T.Gpu = text(From, "gpu");
  T.GpuName = text(From, "gpu_name");
  T.Model = text(From, "model");
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
  C.Bottleneck = text(O, "bottleneck");
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
    T.AsWritten = std::move(*C);
  }
  T.WhyNotAsWritten = text(From, "as_written_refused");
  if (const json::Array *Refused = From.getArray("refused"))
    for (const json::Value &V : *Refused)
      if (const json::Object *O = V.getAsObject()) {
        std::string Reason = text(*O, "reason");
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

/// Assumptions and premises are about the fastest configuration: those of the
/// part that has it.
static void takeAssumptions(const json::Object &From, Tuning &T) {
  T.Assumptions.clear();
  T.Premises.clear();
  if (const json::Array *All = From.getArray("assumptions"))
    for (const json::Value &V : *All)
      if (const json::Object *O = V.getAsObject()) {
        Assumption A;
        A.What = text(*O, "what");
        A.Why = text(*O, "why");
        A.Settle = text(*O, "settle");
        A.Value = O->getNumber("value").value_or(0);
        T.Assumptions.push_back(std::move(A));
      }
  if (const json::Array *All = From.getArray("premises"))
    for (const json::Value &V : *All)
      T.Premises.push_back(V.getAsString().value_or("").str());
}

namespace {
struct ReadPart {
  int64_t Index;
  std::string File;
  json::Object Result;
};
} // namespace

Expected<std::vector<Tuning>> mergeTunings(ArrayRef<std::string> Files) {
  std::vector<Tuning> All;
  std::vector<double> Fastest; ///< of the parts read so far
  std::set<int64_t> Parts;
  std::string Space;
  int64_t Count = 0;
  std::vector<ReadPart> Read;
  for (const std::string &File : Files) {
    Expected<json::Object> Result = readResult(File);
    if (!Result)
      return Result.takeError();
    const json::Object *Part = Result->getObject("part");
    Read.push_back({Part ? Part->getInteger("index").value_or(1) : 1, File,
                    std::move(*Result)});
  }
  // Equal times stay in the order of the space.
  stable_sort(Read, [](const ReadPart &A, const ReadPart &B) {
    return A.Index < B.Index;
  });
  for (const auto &[Index, File, Result] : Read) {
    const json::Object *Part = Result.getObject("part");
    int64_t Of = Part ? Part->getInteger("count").value_or(1) : 1;
    std::string Own = Part ? text(*Part, "space") : "";
    if (Count != 0 && (Own != Space || Of != Count))
      return createStringError(File + ": a part of another space than " +
                               Read.front().File);
    Space = Own;
    Count = Of;
    if (!Parts.insert(Index).second)
      return createStringError(File + ": part " + Twine(Index) + " of " +
                               Twine(Of) + " is there twice");
    const json::Array *Tunings = Result.getArray("tunings");
    for (size_t I = 0; Tunings && I < Tunings->size(); ++I) {
      const json::Object *From = (*Tunings)[I].getAsObject();
      if (!From)
        continue;
      auto T = find_if(All, [&](const Tuning &Other) {
        return Other.Gpu == text(*From, "gpu");
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
      if (Error E = Reader.addPart(File))
        return std::move(E);
      double &Best = Fastest[T - All.begin()];
      if (T->Ranked.size() > Before && T->Ranked[Before].Time.value() < Best) {
        Best = T->Ranked[Before].Time.value();
        takeAssumptions(*From, *T);
      }
    }
  }
  for (int64_t Index = 1; Index <= Count; ++Index)
    if (!Parts.count(Index))
      return createStringError("part " + Twine(Index) + " of " + Twine(Count) +
                               " is missing");
  for (Tuning &T : All) {
    T.rank();
    stable_sort(T.Refused,
                [](auto &A, auto &B) { return A.second > B.second; });
  }
  return All;
}

} // namespace gpuestimate
