#include "gpu-estimate/Evaluate/Access/HostContents.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

namespace gpuestimate {

namespace {

class ContentsResolver {
public:
  ContentsResolver(KernelModel Kernel, const Launch &L, const Bindings &Values,
                   const ContentsOfBuffers &Contents, unsigned WarpSize)
      : Result(std::move(Kernel)), Context(*Result.Context), L(L),
        Values(Values), Contents(Contents), Lanes(WarpSize) {}

  KernelWithContents run();

private:
  /// Warps of a trip count, and threads of other unknowns.
  static constexpr unsigned SampledWarps = 64;

  const BufferContents *contentsOf(const DataLoad &Load) const;
  /// U without loads, as far as their contents are no draws.
  bool settle(Unknown &U);
  void sample(Unknown &U);
  /// The largest value that a load can give; nullopt if it may be negative or
  /// no whole number.
  std::optional<double> largest(const Unknown &U) const;
  /// The value of U.Form in one thread; nullopt where it has none.
  std::optional<double> valueIn(const Unknown &U, Bindings &Point) const;
  std::string places(const Unknown &U) const;

  KernelModel Result;
  ExprContext &Context;
  const Launch &L;
  const Bindings &Values;
  const ContentsOfBuffers &Contents;
  const unsigned Lanes;      ///< of a warp
  llvm::StringSet<> Written; ///< buffers that the kernel writes
  Bindings All;
  llvm::StringMap<Expr> Settled;
  bool FollowsLaunch = false;
};

/// Buffers have draws of their own.
uint64_t seedOf(llvm::StringRef Buffer) {
  uint64_t Seed = 1;
  for (char C : Buffer)
    Seed = mixInto(Seed, uint64_t(uint8_t(C)));
  return Seed;
}

} // namespace

const BufferContents *ContentsResolver::contentsOf(const DataLoad &Load) const {
  auto Found = Contents.find(Load.Buffer);
  if (Found == Contents.end() || Written.contains(Load.Buffer))
    return nullptr;
  const BufferContents &C = Found->second;
  return C.Bytes == 0 || C.Bytes == Load.Bytes ? &C : nullptr;
}

std::string ContentsResolver::places(const Unknown &U) const {
  std::string Text;
  for (const DataLoad &Load : U.Loads) {
    std::string Place = contentsOf(Load)->Location.brief();
    if (Text.find(Place) == std::string::npos)
      Text += (Text.empty() ? "" : " and ") + Place;
  }
  return Text;
}

bool ContentsResolver::settle(Unknown &U) {
  llvm::StringMap<Expr> Loaded;
  for (const DataLoad &Load : U.Loads) {
    const BufferContents &C = *contentsOf(Load);
    if (C.isRandom())
      return false;
    Expr Address = Context.substitute(Load.Address, Loaded);
    Expr Number = C.Bytes ? Context.floorDiv(Address, Context.constant(C.Bytes))
                          : Context.constant(0);
    llvm::StringMap<Expr> Element;
    Element[BufferContents::Number] = Number;
    Loaded[Load.Name] = Context.substitute(Context.import(C.Element), Element);
  }
  Expr Value = Context.substitute(U.Form, Loaded);
  // A share is a number; its lanes differ.
  if (U.Kind == Unknown::BranchProbability && !Value.isBoolean())
    return false;
  Settled[U.Name] = Value;
  Result.Premises.push_back(U.What + " follows from the host code at " +
                            places(U));
  return true;
}

std::optional<double> ContentsResolver::valueIn(const Unknown &U,
                                                Bindings &Point) const {
  for (const DataLoad &Load : U.Loads) {
    const BufferContents &C = *contentsOf(Load);
    std::optional<double> Address = evaluate(Load.Address, Point);
    if (!Address)
      return std::nullopt;
    double Number = C.Bytes ? std::floor(*Address / C.Bytes) : 0;
    Bindings Element;
    Element[BufferContents::Number] = Number;
    // One element has one value, whoever loads it.
    uint64_t Hash = mixInto(seedOf(Load.Buffer), uint64_t(int64_t(Number)));
    for (const RandomDraw &Draw : C.Draws) {
      Hash = mixBits(Hash);
      Element[Draw.Name] = Draw.at(unitFraction(Hash));
    }
    std::optional<double> Value = evaluate(C.Element, Element);
    if (!Value)
      return std::nullopt;
    Point[Load.Name] = *Value;
  }
  return evaluate(U.Form, Point);
}

std::optional<double> ContentsResolver::largest(const Unknown &U) const {
  double Most = 0;
  Bindings Point = All;
  for (unsigned I = 0; I < SampledWarps * Lanes; ++I) {
    const BufferContents &C = *contentsOf(U.Loads.back());
    Bindings Element;
    Element[BufferContents::Number] = I;
    uint64_t Hash = mixBits(I);
    for (const RandomDraw &Draw : C.Draws) {
      Hash = mixBits(Hash);
      Element[Draw.Name] = Draw.at(unitFraction(Hash));
    }
    std::optional<double> Value = evaluate(C.Element, Element);
    if (!Value || *Value < 0 || std::floor(*Value) != *Value)
      return std::nullopt;
    Most = std::max(Most, *Value);
  }
  return Most;
}

void ContentsResolver::sample(Unknown &U) {
  if (U.Kind == Unknown::LoadedValue) {
    std::optional<double> Most =
        U.Loads.size() == 1 ? largest(U) : std::nullopt;
    if (!Most)
      return;
    U.UpperBound = Context.constant(*Most);
    U.Why += "; up to " + std::to_string(int64_t(*Most)) +
             " by the host code at " + places(U);
    return;
  }
  FollowsLaunch = true;
  double Sum = 0, Count = 0;
  for (unsigned Warp = 0; Warp < SampledWarps; ++Warp) {
    if (!spendWork(Lanes))
      return;
    uint64_t Seed = mixBits(Warp + 1);
    auto choose = [&](double Number) {
      Seed = mixBits(Seed);
      return std::floor(unitFraction(Seed) * Number);
    };
    Bindings Point = All;
    static constexpr const char *Axes[] = {"x", "y", "z"};
    for (unsigned D = 0; D < 3; ++D)
      Point[std::string("blockIdx.") + Axes[D]] = choose(double(L.Grid[D]));
    for (const Loop &Around : Result.Loops) {
      std::optional<double> Trips = evaluate(Around.TripCount, Point);
      Point[Around.Counter] = choose(std::max(1.0, Trips.value_or(1)));
    }
    double Threads = double(L.threadsPerBlock());
    double First = choose(std::ceil(Threads / Lanes)) * Lanes;
    std::optional<double> Largest;
    for (unsigned Lane = 0; Lane < Lanes && First + Lane < Threads; ++Lane) {
      uint64_t Thread = uint64_t(First) + Lane;
      for (unsigned D = 0; D < 3; ++D) {
        Point[std::string("threadIdx.") + Axes[D]] =
            double(Thread % L.Block[D]);
        Thread /= L.Block[D];
      }
      std::optional<double> Value = valueIn(U, Point);
      if (!Value || !std::isfinite(*Value))
        return;
      if (U.Kind == Unknown::TripCount && U.LaneVarying) {
        Largest = std::max(Largest.value_or(0), *Value);
      } else {
        Sum += *Value;
        ++Count;
      }
    }
    if (Largest) {
      Sum += *Largest;
      ++Count;
    }
  }
  if (Count == 0)
    return;
  U.Default = Sum / Count;
  if (U.Kind == Unknown::BranchProbability)
    U.Default = std::min(1.0, std::max(0.0, U.Default));
  U.FromData = true;
  U.Why = "mean over what the host code puts into the buffer at " + places(U);
}

KernelWithContents ContentsResolver::run() {
  for (const MemoryAccess &A : Result.Accesses)
    if (A.Kind != AccessKind::Load)
      Written.insert(A.Base);
  All = bindParameters(Result, L, Values).All;
  for (Unknown &U : Result.Unknowns) {
    if (U.Name.empty() || !U.Form || U.FromData || Values.contains(U.Name) ||
        !llvm::all_of(U.Loads,
                      [&](const DataLoad &Load) { return contentsOf(Load); }))
      continue;
    if (!settle(U))
      sample(U);
  }
  if (Settled.empty())
    return {std::move(Result), FollowsLaunch};
  llvm::erase_if(Result.Unknowns, [&](const Unknown &U) {
    return !U.Name.empty() && Settled.contains(U.Name);
  });
  Binder Replacing(Context, std::move(Settled));
  forEachExpr(Result, [&](Expr &E) { E = Replacing(E); });
  ParameterSet Loaded;
  for (const Unknown &U : Result.Unknowns) {
    if (U.Kind == Unknown::LoadedValue && !U.Name.empty())
      Loaded.insert(U.Name);
  }
  for (Unknown &U : Result.Unknowns)
    if (U.UpperBound)
      U.UpperBound = Replacing(*U.UpperBound);
  for (MemoryAccess &A : Result.Accesses)
    A.DataDependent &= !A.Address || dependsOn(A.Address, Loaded);
  return {std::move(Result), FollowsLaunch};
}

KernelWithContents withHostContents(KernelModel Kernel, const Launch &L,
                                    const Bindings &Values,
                                    const ContentsOfBuffers &Contents,
                                    unsigned WarpSize) {
  return ContentsResolver(std::move(Kernel), L, Values, Contents, WarpSize)
      .run();
}

} // namespace gpuestimate
