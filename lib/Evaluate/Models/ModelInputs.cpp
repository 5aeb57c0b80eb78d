#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

char ModelRefusal::ID = 0;
void ModelRefusal::log(raw_ostream &OS) const { OS << Reason; }
std::error_code ModelRefusal::convertToErrorCode() const {
  return std::make_error_code(std::errc::not_supported);
}

double ModelInputs::computeCycles() const {
  double Largest = Work.IssueCycles;
  for (unsigned P = 0; P < NumPipes; ++P)
    if (P != unsigned(Pipe::LoadStore) && P != unsigned(Pipe::Texture))
      Largest = std::max(Largest, Work.PipeCycles[P]);
  return Largest;
}

static StringRef kindOf(const GpuModel &Gpu, StringRef Key) {
  auto Source = Gpu.Sources.find(Key);
  return Source == Gpu.Sources.end() ? StringRef() : Source->second.Kind;
}

Error checkValues(StringRef Model, const GpuModel &Gpu,
                  ArrayRef<NeededValue> Values) {
  for (const NeededValue &V : Values) {
    bool Assumed = kindOf(Gpu, V.Key) == "assumed";
    if (V.Value > 0 && !Assumed)
      continue;
    return make_error<ModelRefusal>(
        (Model + " needs " + V.Key + ", " +
         (Assumed ? "which is only assumed for " : "which is unknown for ") +
         Gpu.Id + " (--set " + V.Key + "=VALUE)")
            .str());
  }
  return Error::success();
}

void stateInherited(Prediction &P, const GpuModel &Gpu,
                    ArrayRef<NeededValue> Values) {
  for (const NeededValue &V : Values) {
    StringRef Kind = kindOf(Gpu, V.Key);
    if (Kind != "inherited" && Kind != "assumed")
      continue;
    const std::string &Note = Gpu.Sources.find(V.Key)->second.Note;
    P.Premises.push_back(
        (V.Key + " of this GPU is " + Kind + (Note.empty() ? "" : ": ") + Note)
            .str());
  }
}

void setParts(Prediction &P, const GpuModel &Gpu, ArrayRef<TimePart> Parts) {
  double Sum = 0;
  for (const TimePart &Part : Parts)
    Sum += Part.Cycles;
  P.LaunchOverhead = Seconds(0);
  P.Execution = P.Time = Cycles(Sum) / Gpu.CoreClock;
  P.Breakdown.clear();
  for (const TimePart &Part : Parts) {
    if (Part.Cycles <= 0)
      continue;
    auto Entry = find_if(P.Breakdown, [&](const auto &Other) {
      return Other.first == name(Part.Component);
    });
    if (Entry == P.Breakdown.end())
      Entry = P.Breakdown.insert(Entry, {name(Part.Component).str(), 0});
    Entry->second += Part.Cycles / Sum;
  }
  if (P.Breakdown.empty()) // nothing takes time
    P.Breakdown.push_back({name(Term::Issue).str(), 1});
  stable_sort(P.Breakdown,
              [](const auto &A, const auto &B) { return A.second > B.second; });
}

} // namespace gpuestimate
