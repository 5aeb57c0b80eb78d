#include "gpu-estimate/Scaling/Surface.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace gpuestimate {

std::vector<uint32_t> indicesOf(llvm::ArrayRef<size_t> Sizes, size_t Point) {
  std::vector<uint32_t> Result(Sizes.size());
  for (size_t I = Sizes.size(); I-- > 0;) {
    Result[I] = static_cast<uint32_t>(Point % Sizes[I]);
    Point /= Sizes[I];
  }
  return Result;
}

std::vector<uint32_t> Surface::indices(size_t Point) const {
  llvm::SmallVector<size_t> Sizes;
  for (const SurfaceAxis &Axis : Axes)
    Sizes.push_back(Axis.size());
  return indicesOf(Sizes, Point);
}

std::string Surface::describe(size_t Point) const {
  std::vector<std::string> Parts;
  for (auto [Axis, Index] : llvm::zip_equal(Axes, indices(Point)))
    Parts.push_back(Axis.Name + " " + Axis.Labels[Index] +
                    (Axis.Unit.empty() ? "" : " " + Axis.Unit));
  return llvm::join(Parts, ", ");
}

bool Surface::hasPower() const {
  return llvm::any_of(
      Points, [](const SurfacePoint &P) { return !std::isnan(P.joules()); });
}

std::optional<double> Surface::cost(size_t Point) const {
  if (!PricePerHour)
    return std::nullopt;
  return *PricePerHour * Points[Point].Time.value() / 3600;
}

std::vector<size_t> paretoFront(const Surface &S) {
  std::vector<size_t> Order;
  for (size_t I = 0; I < S.Points.size(); ++I)
    if (!std::isnan(S.Points[I].joules()))
      Order.push_back(I);
  llvm::stable_sort(Order, [&](size_t A, size_t B) {
    const SurfacePoint &P = S.Points[A], &Q = S.Points[B];
    return P.Time != Q.Time ? P.Time < Q.Time : P.joules() < Q.joules();
  });
  std::vector<size_t> Front;
  for (size_t I : Order)
    if (Front.empty() || S.Points[I].joules() < S.Points[Front.back()].joules())
      Front.push_back(I);
  return Front;
}

std::optional<size_t> kneeOf(const Surface &S,
                             const std::vector<size_t> &Front) {
  if (Front.size() < 3)
    return std::nullopt;
  const SurfacePoint &Fastest = S.Points[Front.front()],
                     &Frugal = S.Points[Front.back()];
  double TimeRange = (Frugal.Time - Fastest.Time).value(),
         EnergyRange = Fastest.joules() - Frugal.joules();
  std::optional<size_t> Knee;
  double Farthest = 0;
  for (size_t I : Front) {
    double X = (S.Points[I].Time - Fastest.Time).value() / TimeRange,
           Y = (S.Points[I].joules() - Frugal.joules()) / EnergyRange;
    if (1 - X - Y > Farthest) {
      Farthest = 1 - X - Y;
      Knee = I;
    }
  }
  return Knee;
}

/// The point with the smallest Cost among those that are Allowed; NaN never is.
static std::optional<size_t>
smallest(const Surface &S,
         llvm::function_ref<double(const SurfacePoint &)> Cost,
         llvm::function_ref<bool(const SurfacePoint &)> Allowed) {
  std::optional<size_t> Best;
  for (size_t I = 0; I < S.Points.size(); ++I) {
    const SurfacePoint &P = S.Points[I];
    if (std::isnan(Cost(P)) || !Allowed(P))
      continue;
    if (!Best || Cost(P) < Cost(S.Points[*Best]))
      Best = I;
  }
  return Best;
}

std::vector<BestPoint> bestPoints(const Surface &S,
                                  const SurfaceLimits &Limits) {
  auto Time = [](const SurfacePoint &P) { return P.Time.value(); };
  auto Energy = [](const SurfacePoint &P) { return P.joules(); };
  auto Product = [](const SurfacePoint &P) {
    return P.joules() * P.Time.value();
  };
  auto Always = [](const SurfacePoint &) { return true; };
  auto Number = [](double Value, llvm::StringRef Unit) {
    std::string Text;
    llvm::raw_string_ostream(Text) << llvm::format("%.6g ", Value) << Unit;
    return Text;
  };
  std::vector<BestPoint> Best = {
      {"fastest", "fastest", smallest(S, Time, Always)}};
  bool HasPower = S.hasPower();
  if (HasPower) {
    Best.push_back(
        {"least-energy", "least energy", smallest(S, Energy, Always)});
    Best.push_back({"least-energy-delay", "least energy-delay product",
                    smallest(S, Product, Always)});
  }
  if (Limits.PowerCapWatts)
    Best.push_back(
        {"power-cap",
         "fastest at " + Number(*Limits.PowerCapWatts, "W") + " or less",
         smallest(S, Time, [&](const SurfacePoint &P) {
           return P.Watts <= *Limits.PowerCapWatts;
         })});
  if (Limits.EnergyBudgetJoules)
    Best.push_back({"energy-budget",
                    "fastest within " + Number(*Limits.EnergyBudgetJoules, "J"),
                    smallest(S, Time, [&](const SurfacePoint &P) {
                      return P.joules() <= *Limits.EnergyBudgetJoules;
                    })});
  if (Limits.TimeLimit) {
    auto InTime = [&](const SurfacePoint &P) {
      return P.Time <= *Limits.TimeLimit;
    };
    std::string Within = "within " + formatTime(*Limits.TimeLimit);
    Best.push_back(
        {"time-limit",
         HasPower ? "least energy " + Within : "slowest " + Within,
         HasPower
             ? smallest(S, Energy, InTime)
             : smallest(
                   S, [&](const SurfacePoint &P) { return -P.Time.value(); },
                   InTime)});
  }
  return Best;
}

void BestAtSizes::take(const BestAtSizes &Part) {
  auto Less = [](std::optional<PointValue> &Into,
                 const std::optional<PointValue> &Other) {
    // The first of equal points counts.
    if (Other && (!Into || std::pair(Other->Value, Other->Point) <
                               std::pair(Into->Value, Into->Point)))
      Into = Other;
  };
  Less(Fastest, Part.Fastest);
  Less(LeastEnergy, Part.LeastEnergy);
}

std::string checkSurface(const Surface &S, bool All) {
  InvariantList Rules;
  size_t Product = 1, Refused = 0, WithoutTime = 0;
  for (const SurfaceAxis &Axis : S.Axes) {
    Product *= Axis.size();
    Rules.require(Axis.Numbers.empty() || Axis.Numbers.size() == Axis.size(),
                  "the axis " + Axis.Name + " lacks a number");
  }
  Rules.require(Product == S.Points.size(), "points are missing");
  for (const SurfacePoint &P : S.Points) {
    WithoutTime += !P.hasTime();
    if (!P.hasTime())
      continue;
    Rules.amount("the time of a point", P.Time.value());
    Rules.require(!(P.Watts < 0), "a point has negative power");
    Rules.require(P.Bottleneck < S.Bottlenecks.size(),
                  "a point has no bottleneck");
  }
  for (const auto &[Reason, Count] : S.Refused)
    Refused += Count;
  if (All)
    Rules.require(Refused == WithoutTime,
                  "not every point has a time or a reason why not");
  for (const auto &[Predictor, Times] : S.Compared)
    Rules.require(Times.size() == S.Points.size(),
                  "the predictor " + Predictor + " lacks a point");
  return Rules.take();
}

} // namespace gpuestimate
