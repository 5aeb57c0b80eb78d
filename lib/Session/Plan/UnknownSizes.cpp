#include "UnknownSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

// Powers of two, as sizes mostly are: another remainder costs little, but
// would not show what a multiple of a warp takes.
static constexpr double K = 1024, M = K * K;
/// Table values of a number of elements that alone decides the grid.
static constexpr double ElementValues[] = {K, 32 * K, M, 32 * M};
/// Table values of a size beside others that multiply the work.
static constexpr double SideValues[] = {256, K, 4 * K, 16 * K};
static constexpr double BlockValues[] = {32, K, 32 * K, M};
static constexpr double ThreadValues[] = {64, 128, 256, 512, 1024};
static constexpr double UsualElements = M, UsualSide = K, UsualThreads = 256;

static const LaunchGuess *guessOf(const LaunchPlan &Plan, StringRef Key) {
  auto Found =
      find_if(Plan.Guesses, [&](const LaunchGuess &G) { return G.Key == Key; });
  return Found == Plan.Guesses.end() || !Found->IsInvented ? nullptr : &*Found;
}

UnknownSizes::UnknownSizes(const LaunchPlan &Plan)
    : Plan(Plan), Roles(Plan.From->Roles) {
  if (!Roles)
    Roles = std::make_shared<const SizeRoles>(*Plan.From->Kernel);
  if (guessOf(Plan, "blockDim.x") && isOpen(&LaunchSite::Block, 0))
    OpenBlock = Plan.Used.Block;
  findBlocks();
  findArguments();
  findHostVariables();
  makeBlocks();
  uniteFactors();
  findBlockThreads();
}

UnknownSize UnknownSizes::parameter(StringRef Name, std::string Why) const {
  UnknownSize Size;
  Size.Name = Name.str();
  Size.Why = std::move(Why);
  Size.Settle = "--param " + Name.str() + "=VALUE";
  Size.Parameters = {Name.str()};
  Size.Usual = UsualSide;
  Size.TableValues.assign(std::begin(SideValues), std::end(SideValues));
  return Size;
}

static void useElements(UnknownSize &Size) {
  Size.Usual = UsualElements;
  Size.TableValues.assign(std::begin(ElementValues), std::end(ElementValues));
}

/// Gives Size the table values of one of several sizes that multiply the work.
static void useFactors(UnknownSize &Size, double Usual) {
  Size.Usual = Usual;
  Size.TableValues = {Usual / 4, Usual, 4 * Usual, 16 * Usual};
  erase_if(Size.TableValues, [](double Value) { return Value < 1; });
}

static void useShifts(UnknownSize &Size) {
  Size.IsShiftAmount = true;
  Size.Usual = std::log2(Size.Usual);
  for (double &Value : Size.TableValues)
    Value = std::log2(Value);
}

/// Whether host code has no term for the size, or only a variable that it
/// passes on. The variables of other terms are unknown sizes of their own.
bool UnknownSizes::isOpen(std::array<Expr, 3> LaunchSite::*Member,
                          unsigned Axis) const {
  if (!Plan.site())
    return true;
  Expr Size = (Plan.site()->*Member)[Axis];
  return !Size || (Size.kind() == ExprKind::Parameter &&
                   (Member == &LaunchSite::Block || Roles->tellsGrid(Axis)));
}

/// Enlarges usual values that make no thread block: in `n / 256` where n is one
/// of many factors.
void UnknownSizes::makeBlocks() {
  constexpr double Step = 4;
  constexpr unsigned MaxSteps = 8;
  for (unsigned I = 0; I < MaxSteps; ++I)
    if (plan(usualValues()).Used.blocks() == 0)
      scale(Step);
}

/// The axes of the grid that follow no argument, as one number.
void UnknownSizes::findBlocks() {
  UnknownSize Size;
  Size.Kind = UnknownSize::Blocks;
  Size.Name = "thread blocks";
  Size.ScalesGrid = true;
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    const LaunchGuess *Guess =
        guessOf(Plan, std::string("gridDim.") + "xyz"[Axis]);
    if (!Guess || !isOpen(&LaunchSite::Grid, Axis))
      continue;
    bool Follows = any_of(Roles->drivers(Axis), [&](const std::string &Name) {
      return Roles->blocksFor(Axis, Name, K, Plan.Used.Block) > 0;
    });
    if (Follows)
      continue;
    Size.Axes.push_back(Axis);
    Size.Why = Guess->Stated.Why;
    Size.Settle = Axis == 0   ? "--grid X"
                  : Axis == 1 ? "--grid X,Y"
                              : "--grid X,Y,Z";
  }
  if (Size.Axes.empty())
    return;
  Size.Usual = UsualSide;
  Size.TableValues.assign(std::begin(BlockValues), std::end(BlockValues));
  Sizes.push_back(std::move(Size));
}

/// Arguments of the kernel that no authority tells.
void UnknownSizes::findArguments() {
  std::vector<UnknownSize> Found;
  unsigned OpenAxes = 0;
  for (unsigned Axis = 0; Axis < 3; ++Axis)
    OpenAxes += guessOf(Plan, std::string("gridDim.") + "xyz"[Axis]) != nullptr;
  for (const std::string &Name : Roles->sizes()) {
    if (Plan.Values.contains(Name))
      continue;
    bool Drives = drivesOpenGrid(Name);
    unsigned Depth = Roles->loopDepth(Name);
    // A guard alone says with a known grid how large its argument is.
    if (!Drives && Roles->isGuardOnly(Name))
      continue;
    UnknownSize Size =
        parameter(Name, Plan.site() ? "the launch does not tell it"
                                    : "no launch of the kernel was seen");
    Size.ScalesGrid = Drives;
    if (Roles->drives(Name) && OpenAxes < 2)
      useElements(Size);
    else if (!Drives && Depth > 1)
      // All loops of the nest together have about K iterations.
      useFactors(Size, std::exp2(std::round(std::log2(K) / Depth)));
    if (Roles->isShiftAmount(Name))
      useShifts(Size);
    Found.push_back(std::move(Size));
  }
  append_range(Sizes, std::move(Found));
}

bool UnknownSizes::drivesOpenGrid(StringRef Argument) const {
  for (unsigned Axis = 0; Axis < 3; ++Axis)
    if (guessOf(Plan, std::string("gridDim.") + "xyz"[Axis]) &&
        is_contained(Roles->drivers(Axis), Argument))
      return true;
  return false;
}

bool UnknownSizes::decides(StringRef Variable) const {
  const LaunchSite &Site = *Plan.site();
  auto Follows = [&](Expr E) { return E && E.dependsOn(Variable); };
  auto IsStated = [&](auto Member) {
    return any_of(Plan.From->Authorities, [&](const LaunchAuthority &A) {
      return bool(A.Launch.*Member);
    });
  };
  if ((any_of(Site.Grid, Follows) && !IsStated(&LaunchSettings::Grid)) ||
      (any_of(Site.Block, Follows) && !IsStated(&LaunchSettings::Block)))
    return true;
  // A guard alone says with a known grid how large its argument is.
  if (any_of(Site.Arguments, [&](const auto &Passed) {
        return Roles->isSize(Passed.getKey()) &&
               (!Roles->isGuardOnly(Passed.getKey()) ||
                drivesOpenGrid(Passed.getKey())) &&
               Follows(Passed.getValue());
      }))
    return true;
  return any_of(Site.Ranges, [&](const auto &Range) {
    return Range.getKey() != Variable &&
           (Follows(Range.getValue().First) ||
            Follows(Range.getValue().Last)) &&
           decides(Range.getKey());
  });
}

/// A kernel's argument of the variable's name is the same unknown: one option
/// gives both their value.
void UnknownSizes::addHostVariable(UnknownSize Size) {
  auto Same = find_if(Sizes, [&](const UnknownSize &Other) {
    return Other.Parameters == Size.Parameters;
  });
  if (Same == Sizes.end()) {
    Sizes.push_back(std::move(Size));
    return;
  }
  Size.ScalesGrid |= Same->ScalesGrid;
  // The values of a shift amount are logarithms.
  if (Same->IsShiftAmount)
    Same->ScalesGrid = Size.ScalesGrid;
  else
    *Same = std::move(Size);
}

void UnknownSizes::findHostVariables() {
  if (!Plan.site())
    return;
  const LaunchSite &Site = *Plan.site();
  auto Follows = [&](StringRef Variable) {
    return [Variable](Expr E) { return E && E.dependsOn(Variable); };
  };
  for (const LaunchGuess &Guess : Plan.Guesses) {
    if (!Guess.IsInvented || isLaunchSize(Guess.Key) ||
        Guess.Key == "dynamic-smem" || !decides(Guess.Key))
      continue;
    UnknownSize Size = parameter(Guess.Key, Guess.Stated.Why);
    // The number of factors, this one included, that make the grid.
    double Factors = 0;
    for (const auto &Passed : Site.Arguments)
      if (Follows(Guess.Key)(Passed.getValue()) &&
          drivesOpenGrid(Passed.getKey()))
        Factors = std::max(Factors, undeterminedIn(Passed.getValue()));
    bool Drives = Factors > 0;
    if (!Drives)
      Factors = undeterminedIn(Site.Grid);
    Size.ScalesGrid = Drives || any_of(Site.Grid, Follows(Guess.Key));
    double Usual = Drives && Factors < 2 ? UsualElements : Guess.Stated.Value;
    unsigned Depth = 0;
    for (const auto &Passed : Site.Arguments)
      if (Passed.getValue() && Passed.getValue().dependsOn(Guess.Key))
        Depth = std::max(Depth, Roles->loopDepth(Passed.getKey()));
    if (any_of(Site.Block, Follows(Guess.Key))) {
      useFactors(Size, std::exp2(std::floor(std::log2(UsualThreads) /
                                            undeterminedIn(Site.Block))));
      if (Guess.IsShiftAmount)
        useShifts(Size);
    } else if (Guess.IsShiftAmount)
      useShifts(Size);
    else if (Size.ScalesGrid && Usual >= UsualElements)
      useElements(Size);
    else if (Size.ScalesGrid && Factors > (Drives ? 1 : 2))
      useFactors(Size, std::exp2(std::round(std::log2(M) / Factors)));
    else if (!Size.ScalesGrid && Depth > 1)
      useFactors(Size, std::exp2(std::round(std::log2(K) / Depth)));
    addHostVariable(std::move(Size));
  }
  findCountsOfBlocks();
}

/// Variables that say how many thread blocks there are: each block does as much
/// as a row, so that there are fewer than elements.
void UnknownSizes::findCountsOfBlocks() {
  std::vector<double> Usual = usualValues();
  for (size_t I = 0; I < Sizes.size(); ++I) {
    if (Sizes[I].Kind != UnknownSize::Parameter || !Sizes[I].ScalesGrid ||
        Sizes[I].Usual < UsualElements)
      continue;
    std::vector<double> Values = Usual;
    Values[I] = UsualSide;
    if (static_cast<double>(plan(Values).Used.blocks()) < UsualSide)
      continue;
    Sizes[I].Usual = UsualSide;
    Sizes[I].TableValues.assign(std::begin(BlockValues), std::end(BlockValues));
  }
}

double UnknownSizes::undeterminedIn(ArrayRef<Expr> Extents) const {
  auto Follows = [](StringRef Variable) {
    return [Variable](Expr E) { return E && E.dependsOn(Variable); };
  };
  bool IsBlock = Extents == ArrayRef(Plan.site()->Block);
  return static_cast<double>(
      count_if(Plan.Guesses, [&](const LaunchGuess &Guess) {
        return any_of(Extents, Follows(Guess.Key)) &&
               (IsBlock || none_of(Plan.site()->Block, Follows(Guess.Key)));
      }));
}

void UnknownSizes::scale(double Factor) {
  for (UnknownSize &Size : Sizes) {
    if (Size.Kind == UnknownSize::BlockThreads || Size.Usual * Factor < 1 ||
        Size.IsShiftAmount)
      continue;
    Size.Usual *= Factor;
    for (double &Value : Size.TableValues)
      Value *= Factor;
    erase_if(Size.TableValues, [](double Value) { return Value < 1; });
  }
}

/// Variables that only multiply the number of thread blocks are one size.
void UnknownSizes::uniteFactors() {
  if (Sizes.size() < 2)
    return;
  std::vector<double> Usual = usualValues();
  LaunchPlan Base = plan(Usual);
  auto IsFactor = [&](size_t I) {
    if (Sizes[I].Kind != UnknownSize::Parameter || !Sizes[I].ScalesGrid)
      return false;
    std::vector<double> One = Usual;
    One[I] = 1;
    LaunchPlan Other = plan(One);
    return Other.Used.Block == Base.Used.Block &&
           Other.Used.DynamicSharedBytes == Base.Used.DynamicSharedBytes &&
           double(Other.Used.blocks()) * Usual[I] ==
               double(Base.Used.blocks()) &&
           Other.Used.blocks() > 0 &&
           all_of(Roles->parameters(), [&](const std::string &Name) {
             return Other.Values.lookup(Name) == Base.Values.lookup(Name);
           });
  };
  std::vector<size_t> Factors;
  for (size_t I = 0; I < Sizes.size(); ++I)
    if (IsFactor(I))
      Factors.push_back(I);
  if (Factors.size() < 2)
    return;
  UnknownSize &Product = Sizes[Factors.front()];
  for (size_t I : ArrayRef(Factors).drop_front()) {
    Product.Name += "*" + Sizes[I].Name;
    Product.Settle += " " + Sizes[I].Settle;
    append_range(Product.Parameters, Sizes[I].Parameters);
  }
  Product.Usual = UsualSide;
  Product.TableValues.assign(std::begin(BlockValues), std::end(BlockValues));
  for (size_t I : reverse(ArrayRef(Factors).drop_front()))
    Sizes.erase(Sizes.begin() + static_cast<ptrdiff_t>(I));
}

/// The block alone: with other unknown sizes, tables name the block that they
/// are for.
void UnknownSizes::findBlockThreads() {
  if (!OpenBlock || !Sizes.empty())
    return;
  UnknownSize Size;
  Size.Kind = UnknownSize::BlockThreads;
  Size.Name = "threads of a block";
  Size.Why = guessOf(Plan, "blockDim.x")->Stated.Why;
  Size.Settle = settleBlock();
  Size.Usual = UsualThreads;
  Size.TableValues.assign(std::begin(ThreadValues), std::end(ThreadValues));
  Sizes.push_back(std::move(Size));
  OpenBlock.reset();
}

std::string UnknownSizes::settleBlock() const {
  return Roles->readsThreadIdx(1) ? "--block X,Y" : "--block X";
}

std::vector<double> UnknownSizes::usualValues() const {
  std::vector<double> Values;
  for (const UnknownSize &Size : Sizes)
    Values.push_back(Size.Usual);
  return Values;
}

/// N, a power of two, as a product over the axes: 1024 is 32 * 32.
static void spread(double N, ArrayRef<unsigned> Axes,
                   std::array<std::optional<uint64_t>, 3> &Grid) {
  int Bits = static_cast<int>(std::log2(N));
  for (size_t I = 0; I < Axes.size(); ++I) {
    int Left = static_cast<int>(Axes.size() - I);
    int Share = (Bits + Left - 1) / Left;
    Grid[Axes[I]] = uint64_t(1) << Share;
    Bits -= Share;
  }
}

LaunchPlan UnknownSizes::plan(ArrayRef<double> Values) const {
  LaunchInputs In = *Plan.From;
  In.Roles = Roles;
  auto SetBlock = [&](const std::array<uint64_t, 3> &Block) {
    for (unsigned Axis = 0; Axis < 3; ++Axis)
      In.OpenBlock[Axis] = Block[Axis];
  };
  if (OpenBlock)
    SetBlock(*OpenBlock);
  for (const auto &[Size, Value] : zip_equal(Sizes, Values))
    switch (Size.Kind) {
    case UnknownSize::Blocks:
      spread(Value, Size.Axes, In.OpenGrid);
      break;
    case UnknownSize::BlockThreads:
      SetBlock(
          usualBlock(static_cast<uint64_t>(Value), Roles->readsThreadIdx(1)));
      break;
    case UnknownSize::Parameter:
      for (const std::string &Name : Size.Parameters)
        In.Named[Name] = Name == Size.Parameters.front() ? Value : 1;
      break;
    }
  return planLaunch(std::move(In));
}

} // namespace gpuestimate
