#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "SegmentLength.h"
#include "gpu-estimate/Evaluate/Access/InputRange.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

bool isCoordinate(llvm::StringRef Name) {
  return Name.starts_with("threadIdx.") || Name.starts_with("blockIdx.");
}

UsedParameters::UsedParameters(const KernelModel &Kernel) {
  std::vector<Expr> Terms;
  auto use = [&](Expr E) {
    if (E)
      Terms.push_back(E);
  };
  for (const BasicBlock &B : Kernel.Blocks)
    use(B.Active);
  for (const Loop &Nested : Kernel.Loops) {
    use(Nested.Active);
    use(Nested.TripCount);
  }
  for (const MemoryAccess &A : Kernel.Accesses)
    use(A.Address);
  for (const Wait &W : Kernel.Waits)
    use(W.Length);
  All = parametersOf(Terms);
  ShiftAmounts = shiftAmountsOf(Terms);
  for (const Loop &Nested : Kernel.Loops)
    Inner.insert(Nested.Counter);
  for (const Unknown &U : Kernel.Unknowns)
    if (U.Kind == Unknown::LoadedValue)
      Inner.insert(U.Name);
  llvm::copy_if(All, std::back_inserter(Outer), [&](const std::string &Name) {
    return !isCoordinate(Name) && !Inner.contains(Name);
  });
  Roles.emplace(Kernel, Outer, Inner);
}

namespace {

class ParameterBinder {
public:
  ParameterBinder(const KernelModel &Kernel, const Launch &L,
                  const Bindings &Values)
      : Kernel(Kernel), L(L), Values(Values) {}

  BoundParameters run(const UsedParameters &ExprParameters) {
    collectUsed(ExprParameters);
    bindLaunch();
    for (const KernelArgument &A : Kernel.Arguments)
      if (auto It = Values.find(A.Name); It != Values.end())
        Result.Arguments.push_back({A.Name, It->second});
    for (const auto &Entry : Values)
      Result.All[Entry.first()] = Entry.second;
    std::sort(Result.Arguments.begin(), Result.Arguments.end());
    for (const Unknown &U : Kernel.Unknowns)
      bindUnknown(U);
    // Those that others are needed for come last: `row * width + i < n`.
    for (bool DependsOnOthers : {false, true})
      for (const std::string &Name : Used)
        if (!Result.All.contains(Name) &&
            ExprParameters.Roles->dependsOnOthers(Name) == DependsOnOthers)
          assumeArgument(Name, ExprParameters);
    // Upper bounds may contain arguments, so trip counts come last.
    for (auto [U, Index] : Bounded) {
      auto Bound = evaluate(*U->UpperBound, Result.All);
      // A shift by a guessed amount can leave the range of numbers.
      if (!Bound || *Bound < 0 || !std::isfinite(*Bound))
        continue;
      Assumption &A = Result.Assumptions[Index];
      Result.All[U->Name] = A.Value = *Bound;
      setRange(A, rangeOf(*U, *Bound, /*IsUpperBound=*/true));
      A.Why += "; taken as its upper bound " + U->UpperBound->str();
    }
    for (auto [U, Index] : Unbounded)
      takeSegmentLength(*U, Result.Assumptions[Index]);
    return std::move(Result);
  }

private:
  void collectUsed(const UsedParameters &ExprParameters) {
    Used = ExprParameters.Outer;
    // The bound of a trip count may contain an argument that occurs nowhere
    // else.
    llvm::StringSet<> More;
    auto isUsed = [&](const std::string &Name) {
      return More.contains(Name) ||
             llvm::binary_search(ExprParameters.All, Name);
    };
    for (const Unknown &U : Kernel.Unknowns)
      if (U.UpperBound && !Values.contains(U.Name) && isUsed(U.Name))
        for (const std::string &Name : U.UpperBound->parameters())
          if (!isUsed(Name)) {
            More.insert(Name);
            if (!isCoordinate(Name) && !ExprParameters.Inner.contains(Name))
              Used.push_back(Name);
          }
    if (!More.empty())
      std::sort(Used.begin(), Used.end());
  }

  void bindLaunch() {
    static constexpr const char *Axis[] = {"x", "y", "z"};
    for (unsigned D = 0; D < 3; ++D) {
      Result.All[std::string("blockDim.") + Axis[D]] = L.Block[D];
      Result.All[std::string("gridDim.") + Axis[D]] = L.Grid[D];
    }
  }

  static void setRange(Assumption &A, ValueRange Range) {
    A.Low = Range.Low;
    A.High = Range.High;
  }

  void assume(const Assumption &A, llvm::StringRef Parameter) {
    Result.Assumptions.push_back(A);
    Result.Parameters.push_back(Parameter.str());
  }

  void bindUnknown(const Unknown &U) {
    bool Given = !U.Name.empty() && Values.contains(U.Name);
    if (Given)
      return;
    // Loaded values are modelled as random (IndirectIndex) and not bound.
    bool Numeric = U.Kind != Unknown::LoadedValue;
    if (Numeric && !U.Name.empty()) {
      Result.All[U.Name] = U.Default;
      if (U.UpperBound)
        Bounded.push_back({&U, Result.Assumptions.size()});
      else if (U.Kind == Unknown::TripCount && !U.Relation.empty())
        Unbounded.push_back({&U, Result.Assumptions.size()});
    }
    Assumption A;
    A.What = U.What;
    A.Why = U.Why;
    A.Settle = U.Settle;
    A.Value = U.Default;
    A.Location = U.Location;
    setRange(A, rangeOf(U, U.Default, /*IsUpperBound=*/false));
    assume(A, Numeric ? U.Name : std::string());
  }

  void takeSegmentLength(const Unknown &U, Assumption &A) {
    std::optional<SegmentLength> Length = segmentLength(Kernel, U, Result.All);
    if (!Length)
      return;
    Result.All[U.Name] = A.Value = Length->Mean;
    setRange(A, rangeOf(U, Length->Mean, /*IsUpperBound=*/false));
    A.Why += "; taken as the mean over all segments, from the sizes of " +
             Length->Array + " and " + Length->Begins;
  }

  void assumeArgument(const std::string &Name, const UsedParameters &Of) {
    bool IsShiftAmount = llvm::binary_search(Of.ShiftAmounts, Name);
    double Threads = double(L.Grid[0]) * double(L.Block[0]);
    double Value = Threads;
    std::string Why = "it is not known at compile time";
    unsigned Depth = Of.Roles->loopDepth(Name);
    if (!Kernel.Context->parameter(Name).isInteger()) {
      Value = 1;                // a real number is rather a scale than a size
    } else if (IsShiftAmount) { // the size is 2 to the power of the argument
      Value = std::floor(std::log2(Threads));
      Why += "; values are shifted by it: taken as the logarithm to base 2 of "
             "the number of threads along x";
    } else if (std::optional<double> Extent =
                   Of.Roles->extent(Name, L, Result.All, Threads);
               Extent && *Extent != Threads) {
      Value = *Extent;
      Why += "; taken so that the threads of all blocks pass the guard that "
             "compares their index with it";
    } else if (Depth > 1 && !Extent) {
      Value = std::ceil(std::pow(Threads, 1.0 / Depth));
      Why += "; it bounds one of " + std::to_string(Depth) +
             " nested loops, which together are taken to have as many "
             "iterations as there are threads along x";
    } else {
      Why += "; taken as the number of threads along x";
    }
    Result.All[Name] = Value;
    Assumption A;
    A.What = "argument " + Name;
    A.Why = Why;
    A.Settle = "--param " + Name + "=VALUE";
    A.Value = A.Low = A.High = Value;
    A.Location = Kernel.Location;
    if (IsShiftAmount)
      setRange(A, rangeOfShift(Value));
    else if (Kernel.Context->parameter(Name).isInteger())
      setRange(A, rangeOfSize(Value));
    assume(A, Name);
  }

  const KernelModel &Kernel;
  const Launch &L;
  const Bindings &Values;
  BoundParameters Result;
  std::vector<std::string> Used;
  /// Trip counts with an upper bound, and those with an end that is data, with
  /// the indices of their assumptions.
  std::vector<std::pair<const Unknown *, unsigned>> Bounded, Unbounded;
};

} // namespace

BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values) {
  return bindParameters(Kernel, L, Values, UsedParameters(Kernel));
}

BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values,
                               const UsedParameters &Used) {
  return ParameterBinder(Kernel, L, Values).run(Used);
}

} // namespace gpuestimate
