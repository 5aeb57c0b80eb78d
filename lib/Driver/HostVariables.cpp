/// \file
/// Solving for, naming and guessing host variables.
#include "HostVariables.h"

#include "gpu-estimate/GpuModel/DeviceProperties.h"
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
                             const Bindings &Named, const Bindings &Device)
    : Kernel(Kernel), Site(Site), Named(Named), Known(Device) {
  for (const auto &Own : Named)
    if (isDeviceProperty(Own.getKey()))
      Known[Own.getKey()] = Own.getValue();
  if (Variant)
    for (const auto &Entry : Variant->Values)
      Known[Entry.getKey()] = Entry.getValue();
  solveForNamedArguments();
}

const KernelArgument *HostVariables::argument(StringRef Name) const {
  auto Found = find_if(Kernel.Arguments,
                       [&](const KernelArgument &A) { return A.Name == Name; });
  return Found == Kernel.Arguments.end() ? nullptr : &*Found;
}

void HostVariables::solve(Expr E, StringRef Variable, double Target) {
  auto At = [&](double Value) {
    Bindings Trial = Known;
    Trial[Variable] = Value;
    return gpuestimate::evaluate(E, Trial);
  };
  std::optional<double> Zero = At(0), One = At(1);
  if (!Zero || !One || *Zero == *One)
    return;
  double Solution = (Target - *Zero) / (*One - *Zero);
  std::optional<double> Check = At(Solution);
  if (Check && std::fabs(*Check - Target) <= 1e-9 * std::fabs(Target))
    Known[Variable] = Solution;
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
        if (!Known.contains(Name))
          Open.push_back(std::move(Name));
      if (Open.size() == 1)
        solve(Passed.getValue(), Open.front(),
              Given->second * (IsPointer ? A->ElementBytes : 1));
    }
  // By its own name, unless that is the name of an argument for which host
  // code passes something else: an argument's name has precedence.
  for (const auto &Given : Named)
    if (!Known.contains(Given.getKey()) &&
        !Site.Arguments.contains(Given.getKey()))
      Known[Given.getKey()] = Given.getValue();
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
  std::set<std::string> Open;
  Bindings Trial = Known;
  for (const auto &Sizes : {Site.Grid, Site.Block})
    for (const Expr &Size : Sizes)
      for (const std::string &Name :
           Size ? Size.parameters() : std::vector<std::string>()) {
        if (Known.contains(Name) || Site.Defaults.contains(Name) ||
            Site.Ranges.contains(Name))
          continue;
        if (DecidesBlock(Name))
          Trial[Name] = InBlock;
        else
          Open.insert(Name);
      }
  // One variable alone is the number of elements, whatever a thread does.
  if (Open.size() < 2 || !Open.count(Variable.str()))
    return Guess;
  auto Threads = [&](double Each) {
    for (const std::string &Name : Open)
      Trial[Name] = Each;
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

bool HostVariables::guessed(Expr E) const {
  return any_of(Guesses,
                [&](const LaunchGuess &G) { return E.dependsOn(G.Key); });
}

void HostVariables::guess(StringRef Variable) {
  Assumption Stated;
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
    Stated.Value =
        First && Last ? std::round((*First + *Last) / 2) : OtherGuess;
    Stated.Why = "the middle of what a host loop runs through";
  } else {
    Stated.Value = guessForLaunch(Variable);
    Stated.Why = "nothing in the file determines it";
  }
  Known[Variable] = Stated.Value;
  Guesses.push_back({Variable.str(), std::move(Stated)});
}

std::optional<double> HostVariables::evaluate(Expr E) {
  for (const std::string &Name : E.parameters())
    if (!Known.contains(Name))
      guess(Name);
  return gpuestimate::evaluate(E, Known);
}

bool HostVariables::knows(Expr E) const {
  return all_of(E.parameters(), [&](const std::string &Name) {
    return Known.contains(Name) || Site.Defaults.contains(Name);
  });
}

std::vector<LaunchGuess> HostVariables::takeGuesses() {
  sort(Guesses, [](const LaunchGuess &A, const LaunchGuess &B) {
    return A.Key < B.Key;
  });
  return std::move(Guesses);
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
