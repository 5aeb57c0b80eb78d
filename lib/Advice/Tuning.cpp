#include "gpu-estimate/Advice/Tuning.h"

#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Where the model's error is not known: below it, the order of two measured
/// configurations is hardly ever predicted (docs/tuning.md).
static constexpr double UnknownTie = 0.05;

/// TimeError::Ratio of two configurations; nothing where neither has one. A
/// screened one is taken to be as sure as the other.
static std::optional<double> ratioError(const TunedConfiguration &A,
                                        const TunedConfiguration &B) {
  if (A.RatioError && B.RatioError)
    return ratioError(*A.RatioError, *B.RatioError);
  return A.RatioError ? A.RatioError : B.RatioError;
}

double Tuning::tieFactor(const TunedConfiguration &A,
                         const TunedConfiguration &B) const {
  return Tie ? 1 + *Tie : ratioError(A, B).value_or(1 + UnknownTie);
}

std::optional<TimeFactors>
Tuning::byFastest(const TunedConfiguration &C) const {
  if (Ranked.empty())
    return std::nullopt;
  std::optional<double> Error = ratioError(C, Ranked.front());
  if (!Error || &C == &Ranked.front())
    return std::nullopt;
  double Ratio = C.Time / Ranked.front().Time;
  return TimeFactors{Ratio / *Error, Ratio * *Error};
}

static std::optional<Seconds> timeAt(const TunedConfiguration &C,
                                     SizePlace End) {
  return End == SizePlace::Least ? C.AtLeast : C.AtLargest;
}

const TunedConfiguration *Tuning::fastestAt(SizePlace End) const {
  const TunedConfiguration *Fastest = nullptr;
  for (const TunedConfiguration &C : Ranked)
    if (std::optional<Seconds> Time = timeAt(C, End))
      if (!Fastest || *Time < *timeAt(*Fastest, End))
        Fastest = &C;
  return Fastest;
}

bool Tuning::holdsAt(SizePlace End) const {
  const TunedConfiguration *Fastest = fastestAt(End);
  std::optional<Seconds> First =
      Ranked.empty() ? std::nullopt : timeAt(Ranked.front(), End);
  return Fastest && First &&
         First->value() <= timeAt(*Fastest, End)->value() *
                               tieFactor(*Fastest, Ranked.front());
}

void Tuning::rank() {
  // Equal times stay in the order in which the user gave the values.
  stable_sort(Ranked,
              [](const TunedConfiguration &A, const TunedConfiguration &B) {
                return A.Time < B.Time;
              });
  auto Ties = [&](const TunedConfiguration &A, const TunedConfiguration &B) {
    return B.Time.value() <= A.Time.value() * tieFactor(A, B);
  };
  for (size_t First = 0, End; First < Ranked.size(); First = End) {
    for (End = First + 1;
         End < Ranked.size() && Ties(Ranked[First], Ranked[End]);)
      ++End;
    for (size_t I = First; I < End; ++I) {
      Ranked[I].Rank = First + 1;
      Ranked[I].Tied = End - First > 1;
    }
  }
}

std::string checkRanking(const Tuning &T) {
  InvariantList Rules;
  const TunedConfiguration *Before = nullptr;
  for (const TunedConfiguration &C : T.Ranked) {
    Rules.amount("the time of a configuration", C.Time.value());
    Rules.fraction("the occupancy of a configuration", C.Occupancy);
    Rules.require(C.Choice.size() == T.Names.size(),
                  "a configuration has other names");
    for (auto [Name, Choice] : zip(T.Names, C.Choice))
      Rules.require(Choice < Name.Values.size(),
                    "a configuration has no value of " + Name.Name);
    Rules.require(C.Rank >= 1, "a configuration has no rank");
    if (Before)
      Rules.require(Before->Time <= C.Time && Before->Rank <= C.Rank,
                    "a faster configuration has a later rank");
    Before = &C;
  }
  Rules.require(!T.AsWritten || T.WhyNotAsWritten.empty(),
                "the unchanged source has a time and none");
  return Rules.take();
}

} // namespace gpuestimate
