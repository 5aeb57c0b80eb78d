/// \file
/// Solving for, naming and guessing host variables.
#include "gpu-estimate/Session/Plan/HostVariables.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Access/DeviceProperty.h"
#include "gpu-estimate/Evaluate/Access/InputRange.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace gpuestimate {

static constexpr double LinearGridGuess = 1048576, OtherGuess = 1024;
/// Threads of a block, and along one side of a block of several dimensions.
static constexpr double BlockGuess = 256, SideGuess = 16;

static std::string printed(double Value) {
  return Value == std::floor(Value) && std::fabs(Value) < 1e15
             ? std::to_string(static_cast<int64_t>(Value))
             : std::to_string(Value);
}

HostVariables::HostVariables(const KernelModel &Kernel, const LaunchSite &Site,
                             const LaunchVariant *Variant,
                             const Bindings &Named, const GpuModel *Gpu)
    : Kernel(Kernel), Site(Site), Named(Named), Gpu(Gpu) {
  for (const auto &Own : Named)
    if (isDeviceProperty(Own.getKey()))
      KnownValues[Own.getKey()] = Own.getValue();
  if (Variant)
    for (const auto &Entry : Variant->Values)
      KnownValues[Entry.getKey()] = Entry.getValue();
  solveForNamedArguments();
}

const KernelArgument *HostVariables::argument(StringRef Name) const {
  auto Found = find_if(Kernel.Arguments,
                       [&](const KernelArgument &A) { return A.Name == Name; });
  return Found == Kernel.Arguments.end() ? nullptr : &*Found;
}

void HostVariables::solve(Expr E, StringRef Variable, double Target) {
  auto At = [&](double Value) {
    Bindings Trial = KnownValues;
    Trial[Variable] = Value;
    return gpuestimate::evaluate(E, Trial);
  };
  std::optional<double> Zero = At(0), One = At(1);
  if (!Zero || !One || *Zero == *One)
    return;
  double Solution = (Target - *Zero) / (*One - *Zero);
  std::optional<double> Check = At(Solution);
  if (Check && std::fabs(*Check - Target) <= 1e-9 * std::fabs(Target))
    KnownValues[Variable] = Solution;
}

void HostVariables::solveForNamedArguments() {
  // Scalars first: they are exact, while a buffer may be larger than needed.
  for (bool Pointers : {false, true})
    for (const auto &Passed : Site.Arguments) {
      auto Given = Named.find(Passed.getKey());
      const KernelArgument *A = argument(Passed.getKey());
      bool IsPointer = A && A->Kind == KernelArgument::Pointer;
      if (Given == Named.end() || !Passed.getValue() || IsPointer != Pointers)
        continue;
      std::vector<std::string> Open;
      for (std::string &Name : Passed.getValue().parameters())
        if (!learn(Name))
          Open.push_back(std::move(Name));
      if (Open.size() == 1)
        solve(Passed.getValue(), Open.front(),
              Given->second * (IsPointer ? A->ElementBytes : 1));
    }
  // By its own name, unless that is the name of an argument for which host
  // code passes something else: an argument's name has precedence.
  for (const auto &Given : Named)
    if (!KnownValues.contains(Given.getKey()) &&
        !Site.Arguments.contains(Given.getKey()))
      KnownValues[Given.getKey()] = Given.getValue();
}

bool HostVariables::decidesLinearGrid(StringRef Variable) const {
  return Site.Grid[0] && Site.Grid[0].dependsOn(Variable) &&
         (!Site.Grid[1] || Site.Grid[1].isConstant(1)) &&
         (!Site.Grid[2] || Site.Grid[2].isConstant(1));
}

double HostVariables::guessForLaunch(StringRef Variable) {
  if (auto Found = Planned.find(Variable); Found != Planned.end())
    return Found->second;
  auto DecidesBlock = [&](StringRef Name) {
    return any_of(Site.Block, [&](Expr E) { return E && E.dependsOn(Name); });
  };
  double InBlock =
      Site.Block[1] && !Site.Block[1].isConstant(1) ? SideGuess : BlockGuess;
  if (DecidesBlock(Variable))
    return InBlock;
  double Guess = decidesLinearGrid(Variable) ? LinearGridGuess : OtherGuess;
  if (!decidesLaunch(Variable))
    return Guess;
  std::set<std::string> Open;
  Bindings Trial = KnownValues;
  for (const auto &Sizes : {Site.Grid, Site.Block})
    for (const Expr &Size : Sizes)
      for (const std::string &Name :
           Size ? Size.parameters() : std::vector<std::string>()) {
        if (learn(Name) || Site.Defaults.contains(Name) ||
            Site.Ranges.contains(Name) || Site.Queries.contains(Name))
          continue;
        if (DecidesBlock(Name))
          Trial[Name] = InBlock;
        else
          Open.insert(Name);
      }
  // One variable alone is the number of elements, whatever a thread does.
  if (Open.size() < 2 || !Open.count(Variable.str()))
    return Guess;
  auto Threads = [&](double ThreadsPerBlock) {
    for (const std::string &Name : Open)
      Trial[Name] = ThreadsPerBlock;
    double Product = 1;
    for (const auto &Sizes : {Site.Grid, Site.Block})
      for (const Expr &Size : Sizes)
        if (Size)
          Product *= gpuestimate::evaluate(Size, Trial).value_or(1);
    return Product;
  };
  while (Guess > 2 && Threads(Guess) > LinearGridGuess)
    Guess /= 2;
  for (const std::string &Name : Open)
    Planned[Name] = Guess;
  return Guess;
}

bool HostVariables::decidesLaunch(StringRef Variable) const {
  auto Decides = [&](Expr E) { return E && E.dependsOn(Variable); };
  return any_of(Site.Grid, Decides) || any_of(Site.Block, Decides);
}

bool HostVariables::isShiftAmount(StringRef Variable) {
  if (ShiftAmounts)
    return ShiftAmounts->contains(Variable);
  ShiftAmounts.emplace();
  std::vector<Expr> Sizes;
  for (const auto &Dimensions : {Site.Grid, Site.Block})
    append_range(Sizes,
                 make_filter_range(Dimensions, [](Expr E) { return bool(E); }));
  for (const std::string &Name : shiftAmountsOf(Sizes))
    ShiftAmounts->insert(Name);
  // By the kernel, which gets it as an argument.
  for (const std::string &Name : UsedParameters(Kernel).ShiftAmounts)
    if (auto Passed = Site.Arguments.find(Name);
        Passed != Site.Arguments.end() && Passed->second &&
        Passed->second.kind() == ExprKind::Parameter)
      ShiftAmounts->insert(Passed->second.name());
  return ShiftAmounts->contains(Variable);
}

bool HostVariables::guessed(Expr E) const {
  return any_of(E.parameters(), [&](const std::string &Name) {
    return Guessed.contains(Name);
  });
}

/// The array that a variable is an element of: "p.v[3]" -> "p.v".
static StringRef arrayOf(StringRef Variable) {
  return Variable.ends_with("]") ? Variable.rsplit('[').first : "";
}

void HostVariables::addGuess(LaunchGuess Guess) {
  Guessed.insert(Guess.Key);
  StringRef Array = arrayOf(Guess.Key);
  if (Array.empty() || decidesLaunch(Guess.Key)) {
    Guesses.push_back(std::move(Guess));
    return;
  }
  auto [Entry, New] = GuessesByArray.try_emplace(Array, Guesses.size());
  LaunchGuess *Same = New ? nullptr : &Guesses[Entry->second];
  if (Same && Same->Stated.Value == Guess.Stated.Value &&
      Same->Stated.Why == Guess.Stated.Why)
    Same->Elements.push_back(std::move(Guess.Key));
  else
    Guesses.push_back(std::move(Guess));
}

/// The guess of one of several elements.
static LaunchGuess ofElement(const LaunchGuess &Guess, StringRef Variable) {
  LaunchGuess One = Guess;
  One.Elements.clear();
  One.Key = Variable.str();
  One.Stated.What = "'" + One.Key + "' of the host code";
  One.Stated.Settle = "--param '" + One.Key + "=VALUE'";
  return One;
}

/// Adds a guess of elements of an array: one for all of a long array, where an
/// element has no meaning of its own; one for each of a short one, such as the
/// extents of a tensor.
static void addElements(LaunchGuess Guess, std::vector<LaunchGuess> &Into) {
  constexpr size_t LongArray = 16;
  if (Guess.Elements.size() < LongArray) {
    for (const std::string &Element : Guess.Elements)
      Into.push_back(ofElement(Guess, Element));
    Guess.Elements.clear();
    Into.push_back(std::move(Guess));
    return;
  }
  Guess.Elements.push_back(std::move(Guess.Key));
  // By the number in the last brackets.
  sort(Guess.Elements, [](StringRef A, StringRef B) {
    return A.size() != B.size() ? A.size() < B.size() : A < B;
  });
  Guess.Key = std::move(Guess.Elements.front());
  Guess.Elements.erase(Guess.Elements.begin());
  Guess.Stated.What =
      "'" + Guess.Key + "' and " + std::to_string(Guess.Elements.size()) +
      " more elements of '" + arrayOf(Guess.Key).str() + "' of the host code";
  Guess.Stated.Settle =
      "--param '" + Guess.Key + "=VALUE', and so on for each element";
  Into.push_back(std::move(Guess));
}

void HostVariables::guess(StringRef Variable) {
  Assumption Stated;
  bool IsInvented = false;
  Stated.What = "'" + Variable.str() + "' of the host code";
  Stated.Settle = "--param '" + Variable.str() + "=VALUE'";
  Stated.Location = Site.Location;
  // A variable that shapes the launch was not 0 when it was launched.
  auto Default = Site.Defaults.find(Variable);
  if (Default != Site.Defaults.end() &&
      (Default->second > 0 || !decidesLaunch(Variable))) {
    Stated.Value = Default->second;
    Stated.Why = "its initial value; it may be changed before the launch";
  } else if (auto Range = Site.Ranges.find(Variable);
             Range != Site.Ranges.end()) {
    std::optional<double> First = evaluate(Range->second.First);
    std::optional<double> Last = evaluate(Range->second.Last);
    IsInvented = !First || !Last;
    Stated.Value = IsInvented ? OtherGuess : std::round((*First + *Last) / 2);
    Stated.Why = "the middle of what a host loop runs through";
  } else {
    IsInvented = true;
    Stated.Value = guessForLaunch(Variable);
    Stated.Why = "nothing in the file determines it";
    if (isShiftAmount(Variable)) {
      Stated.Value = std::floor(std::log2(Stated.Value));
      Stated.Why += "; values are shifted by it";
    }
  }
  ValueRange Range = isShiftAmount(Variable) ? rangeOfShift(Stated.Value)
                                             : rangeOfSize(Stated.Value);
  Stated.Low = Range.Low;
  Stated.High = Range.High;
  KnownValues[Variable] = Stated.Value;
  addGuess(
      {Variable.str(), std::move(Stated), IsInvented, isShiftAmount(Variable)});
}

bool HostVariables::isUndetermined(StringRef Variable) const {
  return !learn(Variable) && !Site.Defaults.contains(Variable) &&
         !Site.Ranges.contains(Variable) && !Site.Queries.contains(Variable);
}

bool HostVariables::learn(StringRef Name) const {
  if (KnownValues.contains(Name))
    return true;
  std::optional<double> Value = Gpu ? deviceProperty(*Gpu, Name) : std::nullopt;
  if (Value)
    KnownValues[Name] = *Value;
  return Value.has_value();
}

/// Threads or bytes beyond this are none that a block could have.
static constexpr double LargestAsked = 1 << 30;

namespace {
/// Resident blocks of one kernel on one GPU, as the CUDA runtime computes them.
struct Residents {
  const GpuModel &Gpu;
  const Resources &Res;
  uint64_t DynamicSharedBytes;

  /// 0 where not one fits.
  double blocks(uint64_t Threads) const {
    Launch L;
    L.Grid[0] = Gpu.MaxGrid[0];
    L.Block[0] = Threads;
    L.DynamicSharedBytes = DynamicSharedBytes;
    Expected<Occupancy> Occ = computeOccupancy(Gpu, Res, L);
    if (Occ)
      return Occ->BlocksPerSm;
    consumeError(Occ.takeError());
    return 0;
  }
  /// The largest block among those of which most threads are resident.
  uint64_t bestBlock(uint64_t MaxThreads) const {
    uint64_t Best = 0;
    double Threads = 0;
    for (uint64_t Size = MaxThreads / Gpu.WarpSize * Gpu.WarpSize; Size > 0;
         Size -= Gpu.WarpSize)
      if (double ResidentThreads = blocks(Size) * double(Size);
          ResidentThreads > Threads) {
        Threads = ResidentThreads;
        Best = Size;
      }
    return Best;
  }
};
} // namespace

void HostVariables::answer(StringRef Name, const OccupancyQuery &Query) {
  bool Own = Query.Kernel == Kernel.Mangled;
  auto asked = [&](Expr E) -> std::optional<uint64_t> {
    std::optional<double> Size = E ? evaluate(E) : std::nullopt;
    if (!Size || !(*Size >= 0 && *Size <= LargestAsked))
      return std::nullopt;
    return static_cast<uint64_t>(*Size);
  };
  std::optional<uint64_t> Limit = asked(Query.Threads),
                          Shared = asked(Query.DynamicSharedBytes);
  uint64_t Threads = Limit.value_or(0);
  const Resources Unknown;
  Residents Resident{*Gpu, Own ? Kernel.Res : Unknown, Shared.value_or(0)};
  double Value = 0;
  if (Query.Kind == OccupancyQuery::ActiveBlocks) {
    Value = Resident.blocks(Threads);
  } else {
    uint64_t MaxThreads = Gpu->MaxThreadsPerBlock;
    if (Resident.Res.MaxThreadsPerBlock)
      MaxThreads =
          std::min<uint64_t>(MaxThreads, Resident.Res.MaxThreadsPerBlock);
    if (Threads > 0)
      MaxThreads = std::min(MaxThreads, Threads);
    uint64_t Best = Resident.bestBlock(MaxThreads);
    Value = Query.Kind == OccupancyQuery::BlockSize
                ? double(Best)
                : Resident.blocks(Best) * Gpu->SmCount;
  }
  if (Value <= 0)
    return guess(Name);
  KnownValues[Name] = Value;
  if (Own && Limit && Shared)
    return;
  Assumption Stated;
  Stated.What = "'" + Name.str() + "' of the host code";
  Stated.Why = !Own      ? "asked for another kernel; taken for one that needs "
                           "few registers and no shared memory"
               : !Shared ? "asked for a size of shared memory that is not "
                           "known; taken for none"
                         : "asked with a limit that is not known; taken for "
                           "none";
  Stated.Settle = "--param '" + Name.str() + "=VALUE'";
  Stated.Value = Stated.Low = Stated.High = Value;
  Stated.Location = Site.Location;
  addGuess({Name.str(), std::move(Stated)});
}

std::optional<double> HostVariables::evaluate(Expr E) {
  for (const std::string &Name : E.parameters()) {
    if (learn(Name))
      continue;
    if (auto Asked = Site.Queries.find(Name);
        Asked != Site.Queries.end() && Gpu)
      answer(Name, Asked->second);
    else
      guess(Name);
  }
  std::optional<double> Value = gpuestimate::evaluate(E, KnownValues);
  // Two to the power of a guess is larger than any number: not known.
  return Value && std::isfinite(*Value) ? Value : std::nullopt;
}

bool HostVariables::knows(Expr E) const {
  return all_of(E.parameters(), [&](const std::string &Name) {
    return learn(Name) || Site.Defaults.contains(Name) ||
           (Gpu && Site.Queries.contains(Name));
  });
}

bool HostVariables::isFixed(Expr E) const {
  return all_of(E.parameters(),
                [&](const std::string &Name) { return learn(Name); });
}

/// The whole number from First to Last that the largest power of two divides.
static double roundest(double First, double Last) {
  double Power = 1;
  while (std::ceil(First / (2 * Power)) * 2 * Power <= Last)
    Power *= 2;
  return std::ceil(First / Power) * Power;
}

void HostVariables::solveForSize(Expr E, uint64_t Size, StringRef What) {
  std::vector<std::string> Open;
  for (std::string &Name : E.parameters())
    if (!learn(Name))
      Open.push_back(std::move(Name));
  if (Open.size() != 1 || Site.Queries.contains(Open.front()))
    return;
  const std::string &Variable = Open.front();
  Bindings Trial = KnownValues;
  // Sizes do not shrink where a variable grows; beyond all numbers they are
  // larger than any.
  auto IsAtMost = [&](double Value, double Limit) {
    Trial[Variable] = Value;
    std::optional<double> Made = gpuestimate::evaluate(E, Trial);
    return Made && *Made <= Limit;
  };
  auto Makes = [&](double Value) {
    return IsAtMost(Value, double(Size)) && !IsAtMost(Value, double(Size) - 1);
  };
  if (auto Default = Site.Defaults.find(Variable);
      Default != Site.Defaults.end() && Makes(Default->second))
    return;
  constexpr double Largest = 1ull << 40;
  auto LastWithin = [&](double Limit) { // 0: none
    double Low = 0, High = 1;
    while (High < Largest && IsAtMost(High, Limit)) {
      Low = High;
      High *= 2;
    }
    while (High - Low > 1) {
      double Middle = std::floor((Low + High) / 2);
      (IsAtMost(Middle, Limit) ? Low : High) = Middle;
    }
    return Low;
  };
  double Last = LastWithin(double(Size));
  if (Last <= 0 || Last >= Largest / 2 || !Makes(Last))
    return;
  double First = LastWithin(double(Size) - 1) + 1;
  double Value = roundest(First, Last);
  KnownValues[Variable] = Value;
  if (First == Last)
    return;
  Assumption Stated;
  Stated.What = "'" + Variable + "' of the host code";
  Stated.Why = "of the values with which host code makes " + What.str() +
               " = " + std::to_string(Size) + " the roundest";
  Stated.Settle = "--param '" + Variable + "=VALUE'";
  Stated.Location = Site.Location;
  Stated.Value = Value;
  Stated.Low = First;
  Stated.High = Last;
  addGuess({Variable, std::move(Stated)});
}

ContentsOfBuffers HostVariables::contents() const {
  ContentsOfBuffers Known;
  for (const auto &Entry : Site.Contents) {
    BufferContents Contents = Entry.getValue();
    Bindings Values;
    bool IsKnown = true;
    for (const std::string &Name : Contents.Element.parameters()) {
      bool IsOwn = Name == BufferContents::Number ||
                   any_of(Contents.Draws, [&](const RandomDraw &Draw) {
                     return Draw.Name == Name;
                   });
      if (IsOwn)
        continue;
      IsKnown &= learn(Name);
      Values[Name] = KnownValues.lookup(Name);
    }
    if (!IsKnown)
      continue;
    Contents.Element = Site.Context->bind(Contents.Element, Values);
    Known[Entry.getKey()] = std::move(Contents);
  }
  return Known;
}

std::vector<LaunchGuess> HostVariables::takeGuesses() {
  std::vector<LaunchGuess> Taken;
  for (LaunchGuess &Guess : Guesses)
    addElements(std::move(Guess), Taken);
  sort(Taken, [](const LaunchGuess &A, const LaunchGuess &B) {
    return A.Key < B.Key;
  });
  return Taken;
}

std::vector<std::string>
HostVariables::contradictions(const Launch &Used) const {
  std::vector<std::string> Texts;
  if (Used.Source != "host-code")
    return Texts;
  for (const KernelArgument &A : Kernel.Arguments) {
    auto Given = Named.find(A.Name);
    auto Passed = Site.Arguments.find(A.Name);
    if (Given == Named.end() || Passed == Site.Arguments.end() ||
        !Passed->second || A.Kind == KernelArgument::Pointer)
      continue;
    auto Constant = Passed->second.asConstant();
    if (Constant && *Constant != Given->second)
      Texts.push_back("'" + A.Name + "' is " + printed(Given->second) +
                      " as you say, but the launch at " +
                      Site.Location.brief() + " passes " + printed(*Constant) +
                      "; its grid stays that of the host code: give --grid "
                      "where the size follows '" +
                      A.Name + "'");
  }
  return Texts;
}

} // namespace gpuestimate
