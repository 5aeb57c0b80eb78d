/// \file
/// Launch sizes and argument values from their authorities.
#include "gpu-estimate/Session/Plan/LaunchPlan.h"

#include "SizeRoles.h"
#include "gpu-estimate/Evaluate/Access/DynamicShared.h"
#include "gpu-estimate/Evaluate/Access/InputRange.h"
#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"
#include "gpu-estimate/Session/Plan/HostVariables.h"
#include "gpu-estimate/Session/Plan/PointerParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

constexpr uint64_t DefaultBlocks = 1024, DefaultGridSide = 32;
/// Larger sizes that come from guessed host values are not believed.
constexpr double LargestGrid = 2147483647, LargestBlock = 1024,
                 LargestShared = 48 * 1024;

class Planner {
public:
  explicit Planner(std::shared_ptr<const LaunchInputs> Inputs)
      : In(*Inputs),
        Host(In.Site ? std::optional<HostVariables>(std::in_place, *In.Kernel,
                                                    *In.Site, In.Variant.get(),
                                                    In.Named, In.Gpu)
                     : std::nullopt) {
    Plan.From = std::move(Inputs);
  }

  LaunchPlan plan();

private:
  /// What holds along one axis where no authority tells the size.
  struct OpenAxis {
    uint64_t Size = 1;
    std::optional<Assumption> Guess = {}; ///< of the size
    bool IsInvented = true;
  };
  OpenAxis guess(StringRef What, unsigned Axis, uint64_t Size,
                 ValueRange Range) const;
  /// The terms of host code, but for variables that nothing determines: where a
  /// launch only passes them on, the block is as open as without a launch, and
  /// so is the grid along axes that follow an argument.
  std::array<Expr, 3> blockOfHost() const;
  std::array<Expr, 3> gridOfHost() const;
  bool isUndetermined(Expr E) const {
    return E && E.kind() == ExprKind::Parameter &&
           Host->isUndetermined(E.name());
  }
  std::array<OpenAxis, 3> openBlock() const;
  std::array<OpenAxis, 3> openGrid();
  /// The value of an integer argument that needs no guess.
  std::optional<double> knownArgument(StringRef Name);
  void size(std::optional<std::array<uint64_t, 3>> LaunchSettings::*Setting,
            const std::array<Expr, 3> &FromHost, double MaxGuessed,
            function_ref<std::array<OpenAxis, 3>()> Open,
            std::array<uint64_t, 3> &Into);
  /// Sizes that an authority states settle the variables that host code
  /// computes them from.
  void solve(std::optional<std::array<uint64_t, 3>> LaunchSettings::*Setting,
             const std::array<Expr, 3> &FromHost, StringRef What,
             const std::array<uint64_t, 3> &Stated);
  void dynamicShared();
  void arguments();
  void contents();
  void places();
  void repeats();
  std::optional<LaunchCount> count() const;

  /// The launch is called after the highest authority that shaped it.
  void shapedBy(StringRef Source) {
    if (Plan.Used.Source == "default")
      Plan.Used.Source = Source.str();
  }
  void shapedBySite(StringRef What) {
    shapedBy(In.Site->IsCompilersRecord ? "compiler" : "host-code");
    if (In.Site->IsCompilersRecord)
      FromRecord.insert(What);
  }

  const LaunchInputs &In;
  std::optional<HostVariables> Host;
  LaunchPlan Plan;
  SetVector<StringRef> FromRecord; ///< parts of the launch
};

} // namespace

/// Host code computes sizes in integers; a size below one is kept as 0, which
/// the evaluation refuses with its own words.
static uint64_t wholeSize(double Value) {
  return Value >= 1 ? static_cast<uint64_t>(std::floor(Value + 1e-9)) : 0;
}

/// Whether E rests on a variable that nothing determines.
static bool isUndetermined(const HostVariables &Host, Expr E) {
  return any_of(E.parameters(), [&](const std::string &Name) {
    return Host.isUndetermined(Name);
  });
}

Planner::OpenAxis Planner::guess(StringRef What, unsigned Axis, uint64_t Size,
                                 ValueRange Range) const {
  OpenAxis Open{Size};
  // A launch that was seen gives every size or fails at the first one; the y
  // and z of an unseen one are 1 by convention, unless they are used.
  if (Size == 1 && Axis > 0)
    return Open;
  Assumption &Stated = Open.Guess.emplace();
  Stated.What = (What + "." + Twine("xyz"[Axis])).str();
  Stated.Value = static_cast<double>(Size);
  Stated.Why = In.Site ? "the launch at " + In.Site->Location.brief() +
                             " does not tell it"
                       : "no launch of the kernel was seen";
  Stated.Low = std::min(Range.Low, Stated.Value);
  Stated.High = std::max(Range.High, Stated.Value);
  if (In.Site)
    Stated.Location = In.Site->Location;
  return Open;
}

std::array<Expr, 3> Planner::blockOfHost() const {
  if (!Host)
    return {};
  std::array<Expr, 3> Block = In.Site->Block;
  for (Expr &E : Block)
    if (isUndetermined(E))
      E = Expr();
  return Block;
}

std::array<Expr, 3> Planner::gridOfHost() const {
  if (!Host)
    return {};
  std::array<Expr, 3> Grid = In.Site->Grid;
  for (unsigned I = 0; I < 3; ++I)
    if (In.Roles && In.Roles->tellsGrid(I) && isUndetermined(Grid[I]))
      Grid[I] = Expr();
  return Grid;
}

std::array<Planner::OpenAxis, 3> Planner::openBlock() const {
  const BlockByKernel &ByKernel = In.Roles->block();
  std::array<OpenAxis, 3> Open;
  for (unsigned I = 0; I < 3; ++I) {
    if (In.OpenBlock[I]) {
      Open[I].Size = *In.OpenBlock[I];
      continue;
    }
    Open[I] = guess("blockDim", I, ByKernel.Shape[I], BlockRange);
    Open[I].IsInvented = !ByKernel.IsWhole;
    if (!Open[I].Guess)
      continue;
    Open[I].Guess->Settle = "--block X[,Y[,Z]]";
    if (ByKernel.IsWhole)
      Open[I].Guess->Why += "; " + ByKernel.Why;
  }
  return Open;
}

std::optional<double> Planner::knownArgument(StringRef Name) {
  if (auto Known = In.Named.find(Name); Known != In.Named.end())
    return Known->second;
  if (!Host)
    return std::nullopt;
  auto Passed = In.Site->Arguments.find(Name);
  if (Passed == In.Site->Arguments.end() || !Passed->second ||
      !Host->knows(Passed->second))
    return std::nullopt;
  return Host->evaluate(Passed->second);
}

std::array<Planner::OpenAxis, 3> Planner::openGrid() {
  std::array<OpenAxis, 3> Open;
  bool IsPlane = In.Roles->readsBlockIdx(1);
  for (unsigned I = 0; I < 3; ++I) {
    if (In.OpenGrid[I]) {
      Open[I].Size = *In.OpenGrid[I];
      continue;
    }
    uint64_t Blocks = 0;
    for (const std::string &Driver : In.Roles->drivers(I))
      if (std::optional<double> Elements = knownArgument(Driver))
        Blocks = std::max(
            Blocks, In.Roles->blocksFor(I, Driver, *Elements, Plan.Used.Block));
    if (Blocks) {
      Open[I].Size = Blocks;
      shapedBy("kernel");
      continue;
    }
    if (In.Roles->drivers(I).empty() && In.Roles->tellsGrid(I))
      continue; // 1
    Open[I] = guess("gridDim", I,
                    IsPlane && I < 2 ? DefaultGridSide
                    : I == 0         ? DefaultBlocks
                                     : 1,
                    GridRange);
    if (Open[I].Guess)
      Open[I].Guess->Settle = "--grid X[,Y[,Z]]";
  }
  return Open;
}

void Planner::size(
    std::optional<std::array<uint64_t, 3>> LaunchSettings::*Setting,
    const std::array<Expr, 3> &FromHost, double MaxGuessed,
    function_ref<std::array<OpenAxis, 3>()> Open,
    std::array<uint64_t, 3> &Into) {
  for (const LaunchAuthority &A : In.Authorities)
    if (A.Launch.*Setting) {
      Into = *(A.Launch.*Setting);
      shapedBy(A.Source);
      return;
    }
  std::array<std::optional<double>, 3> Values;
  bool Guessed = false, Possible = true;
  double Product = 1;
  for (unsigned I = 0; I < 3; ++I) {
    if (!Host || !FromHost[I] || !(Values[I] = Host->evaluate(FromHost[I])))
      continue;
    Guessed |= Host->guessed(FromHost[I]);
    Possible &= *Values[I] >= 1;
    Product *= *Values[I];
  }
  // Guessed host values may contradict each other; a launch that only they
  // make impossible tells nothing.
  if (Guessed && (!Possible || Product > MaxGuessed))
    Values = {};
  std::array<OpenAxis, 3> OpenAxes;
  if (!Values[0] || !Values[1] || !Values[2])
    OpenAxes = Open();
  for (unsigned I = 0; I < 3; ++I) {
    if (Values[I]) {
      Into[I] = wholeSize(*Values[I]);
      shapedBySite(Setting == &LaunchSettings::Grid ? "grid" : "block");
      continue;
    }
    Into[I] = OpenAxes[I].Size;
    if (OpenAxes[I].Guess)
      Plan.Guesses.push_back({OpenAxes[I].Guess->What, *OpenAxes[I].Guess,
                              OpenAxes[I].IsInvented});
  }
}

void Planner::solve(
    std::optional<std::array<uint64_t, 3>> LaunchSettings::*Setting,
    const std::array<Expr, 3> &FromHost, StringRef What,
    const std::array<uint64_t, 3> &Stated) {
  if (!Host || none_of(In.Authorities, [&](const LaunchAuthority &A) {
        return bool(A.Launch.*Setting);
      }))
    return;
  for (unsigned I = 0; I < 3; ++I)
    if (FromHost[I])
      Host->solveForSize(FromHost[I], Stated[I],
                         (What + "." + Twine("xyz"[I])).str());
}

void Planner::dynamicShared() {
  for (const LaunchAuthority &A : In.Authorities)
    if (A.Launch.DynamicSharedBytes) {
      Plan.Used.DynamicSharedBytes = *A.Launch.DynamicSharedBytes;
      shapedBy(A.Source);
      return;
    }
  if (Host && In.Site->DynamicSharedBytes)
    if (auto Bytes = Host->evaluate(In.Site->DynamicSharedBytes);
        Bytes && (*Bytes <= LargestShared ||
                  !Host->guessed(In.Site->DynamicSharedBytes))) {
      Plan.Used.DynamicSharedBytes = wholeSize(*Bytes);
      shapedBySite("dynamic shared memory");
      return;
    }
  if (!In.Kernel->Res.UsesDynamicShared)
    return;
  Assumption Stated;
  Stated.What = "dynamic shared memory of a block, in bytes";
  Stated.Why = "no launch tells it";
  uint64_t Bytes = leastDynamicShared(*In.Kernel, Plan.Used);
  if (Bytes && (!In.Gpu || static_cast<double>(Bytes) <=
                               In.Gpu->SharedPerBlockMax.value() -
                                   double(In.Kernel->Res.StaticSharedBytes))) {
    Plan.Used.DynamicSharedBytes = Bytes;
    Stated.Value = Stated.Low = Stated.High = static_cast<double>(Bytes);
    Stated.Why += "; the kernel's accesses with known offsets reach so far, "
                  "and it may need more";
  }
  Stated.Settle = "--dynamic-smem BYTES";
  Plan.Guesses.push_back({"dynamic-smem", std::move(Stated)});
}

void Planner::arguments() {
  for (const auto &Named : In.Named)
    Plan.Values[Named.getKey()] = Named.getValue();
  if (!Host)
    return;
  // A buffer's size is no reason to guess a variable: the evaluation has a
  // better default for it. So buffers come last and take what is known.
  for (bool Pointers : {false, true})
    for (const auto &Passed : In.Site->Arguments) {
      StringRef Name = Passed.getKey();
      Expr Value = Passed.getValue();
      const KernelArgument *Argument = Host->argument(Name);
      bool IsPointer = Argument && Argument->Kind == KernelArgument::Pointer;
      if (!Value || In.Named.contains(Name) || IsPointer != Pointers)
        continue;
      // A real argument of a nest rarely decides its time; if it does, the
      // evaluation states the value that it assumes.
      bool Guessable = !Argument || Argument->Kind != KernelArgument::Real ||
                       !In.Kernel->Nest;
      if (!IsPointer) {
        if (!Guessable && !Host->knows(Value))
          continue;
        if (auto Number = Host->evaluate(Value))
          Plan.Values[Name] = *Number;
      } else if (Argument->ElementBytes > 0 && Host->knows(Value)) {
        if (auto Size = Host->evaluate(Value))
          Plan.Values[Name] = *Size / Argument->ElementBytes;
      }
    }
}

/// A buffer that two pointers lead to has no known contents: the kernel may
/// write it through one and read it through the other.
void Planner::contents() {
  Plan.Contents = Host ? Host->contents() : In.Contents;
  for (const BufferPart &Part : Plan.Parts) {
    Plan.Contents.erase(Part.Pointer);
    Plan.Contents.erase(Part.Buffer);
  }
}

/// Managed memory that host code has written migrates when the first launch
/// touches it; later launches find it on the GPU. What the user says counts for
/// every launch.
void Planner::places() {
  const double FirstTouch = placeValue(BufferPlace::FirstTouch);
  for (auto &Value : Plan.Values) {
    StringRef Name = Value.getKey();
    double &Place = Value.second;
    if (!Name.consume_front(PlacePrefix))
      continue;
    std::string Buffer = "the managed memory of '" + Name.str() + "'";
    bool IsStated = In.Named.contains(Value.getKey());
    if (Place == FirstTouch && In.Gpu && !In.Gpu->MigrationBandwidth) {
      Place = placeValue(BufferPlace::Managed);
      Plan.Notices.push_back(Buffer +
                             " is taken to be on the GPU already, since " +
                             In.Gpu->Id + " has no link.migration_bandwidth");
    } else if (Place == FirstTouch && (In.IsFirst || IsStated)) {
      Plan.Notices.push_back(
          Buffer + " is taken to migrate from the host when it is touched" +
          (IsStated ? ""
                    : "; --memory " + Name.str() +
                          "=managed if the pages are there"));
    } else if (Place == FirstTouch) {
      Place = placeValue(BufferPlace::Managed);
      Plan.Notices.push_back(
          Buffer +
          " is taken to be on the GPU already, as in every launch but "
          "the first; --memory " +
          Name.str() + "=first-touch for the first");
    } else if (Place == placeValue(BufferPlace::Managed)) {
      Plan.Notices.push_back(Buffer + " is taken to be on the GPU already");
    }
  }
}

/// Sets the number of launches of a loop nest. For CUDA kernels it is unused.
void Planner::repeats() {
  if (!Host || !In.Kernel->Nest)
    return;
  if (In.Variant)
    Plan.Repeats = In.Variant->Weight;
  else
    Plan.Repeats = In.Site->Repeats &&
                           !gpuestimate::isUndetermined(*Host, In.Site->Repeats)
                       ? Host->evaluate(In.Site->Repeats).value_or(0)
                       : 0;
}

/// Evaluates the number of launches without guessing variables, because a guess
/// would become an assumption of the time.
std::optional<LaunchCount> Planner::count() const {
  if (In.Variant)
    return LaunchCount{In.Variant->Weight, In.Variant->Weight};
  if (!In.Site || !In.Site->Repeats)
    return std::nullopt;
  auto With = [&](double Unknown) {
    Bindings Values;
    for (const std::string &Name : In.Site->Repeats.parameters()) {
      auto Named = In.Named.find(Name);
      Values[Name] = Named == In.Named.end() ? Unknown : Named->second;
    }
    return evaluate(In.Site->Repeats, Values);
  };
  std::optional<double> Few = With(1), Many = With(1000);
  if (!Few || !Many)
    return std::nullopt;
  return LaunchCount{*Few, *Many};
}

LaunchPlan Planner::plan() {

  std::array<Expr, 3> FromHost = blockOfHost();
  size(
      &LaunchSettings::Block, FromHost, LargestBlock,
      [&] { return openBlock(); }, Plan.Used.Block);
  if (Host)
    solve(&LaunchSettings::Block, In.Site->Block, "blockDim", Plan.Used.Block);
  // Grids follow the block: that of a loop nest, and of `(n + t - 1) / t`.
  if (Host)
    for (unsigned I = 0; I < 3; ++I) {
      auto Threads = static_cast<double>(Plan.Used.Block[I]);
      Host->set(std::string("blockDim.") + "xyz"[I], Threads);
      if (!FromHost[I] && In.Site->Block[I])
        Host->set(In.Site->Block[I].name(), Threads);
    }
  size(
      &LaunchSettings::Grid, gridOfHost(), LargestGrid,
      [&] { return openGrid(); }, Plan.Used.Grid);
  if (Host)
    solve(&LaunchSettings::Grid, In.Site->Grid, "gridDim", Plan.Used.Grid);
  dynamicShared();
  arguments();
  findPointerParts(In, Host ? &*Host : nullptr, Plan);
  contents();
  places();
  repeats();
  Plan.Count = count();
  // The order above decides which authority is highest only within a part.
  for (const LaunchAuthority &A : reverse(In.Authorities))
    if (A.Launch.any())
      Plan.Used.Source = A.Source;
  if (In.Site)
    Plan.Used.Location = In.Site->Location;
  if (!FromRecord.empty())
    Plan.Premises.push_back(join(FromRecord, ", ") +
                            ": as the compiler states it in " +
                            In.Site->Location.brief());
  if (Host) {
    append_range(Plan.Guesses, Host->takeGuesses());
    append_range(Plan.Notices, Host->contradictions(Plan.Used));
  } else {
    append_range(Plan.Premises, In.Premises);
  }
  return std::move(Plan);
}

/// Whether authorities tell both sizes of the launch.
static bool isStated(const LaunchInputs &In) {
  auto States = [&](auto Member) {
    return any_of(In.Authorities, [&](const LaunchAuthority &A) {
      return bool(A.Launch.*Member);
    });
  };
  return States(&LaunchSettings::Grid) && States(&LaunchSettings::Block);
}

LaunchPlan planLaunch(LaunchInputs Inputs) {
  if (!Inputs.Roles && !isStated(Inputs))
    Inputs.Roles = std::make_shared<const SizeRoles>(*Inputs.Kernel);
  return Planner(std::make_shared<const LaunchInputs>(std::move(Inputs)))
      .plan();
}

LaunchPlan planWithBlock(const LaunchPlan &Plan, const BlockShape &Block,
                         StringRef Source) {
  LaunchInputs Changed = *Plan.From;
  LaunchSettings Settings;
  Settings.Block = Block;
  Changed.Authorities.insert(Changed.Authorities.begin(),
                             {Source.str(), Settings});
  return planLaunch(std::move(Changed));
}

static bool dependsOnBlock(const LaunchSite *Site) {
  return Site && any_of(Site->Grid, [](Expr E) {
           return E && (E.dependsOn("blockDim.x") ||
                        E.dependsOn("blockDim.y") || E.dependsOn("blockDim.z"));
         });
}

/// Whether the launch needs its number of blocks, whatever their shape: one for
/// each row or tile. Roles: of the kernel of the plan.
static bool hasWorkInBlocks(const LaunchPlan &Plan, const SizeRoles &Roles,
                            unsigned Axis) {
  return (Plan.From->OpenGrid[Axis] || Roles.readsBlockIdx(Axis)) &&
         !Roles.spansThreads(Axis);
}

void setBlock(LaunchPlan &Plan, const BlockShape &Block) {
  if (dependsOnBlock(Plan.site())) {
    Plan = planWithBlock(Plan, Block, "command-line");
    return;
  }
  std::shared_ptr<const SizeRoles> Roles;
  if (Plan.From)
    Roles = Plan.From->Roles
                ? Plan.From->Roles
                : std::make_shared<const SizeRoles>(*Plan.From->Kernel);
  for (unsigned I = 0; I < 3; ++I)
    if (!Roles || !hasWorkInBlocks(Plan, *Roles, I))
      Plan.Used.Grid[I] =
          divideCeil(Plan.Used.Grid[I] * Plan.Used.Block[I], Block[I]);
  Plan.Used.Block = Block;
  Plan.Used.Source = "command-line";
  erase_if(Plan.Guesses, [](const LaunchGuess &Guess) {
    return StringRef(Guess.Key).starts_with("blockDim.");
  });
}

static bool sameEvaluation(const LaunchPlan &A, const LaunchPlan &B) {
  if (A.Used.Grid != B.Used.Grid || A.Used.Block != B.Used.Block ||
      A.Used.DynamicSharedBytes != B.Used.DynamicSharedBytes ||
      A.Values.size() != B.Values.size() || A.Parts != B.Parts)
    return false;
  if (!sameContents(A.Contents, B.Contents))
    return false;
  return all_of(A.Values, [&](const auto &Entry) {
    auto Other = B.Values.find(Entry.getKey());
    return Other != B.Values.end() && Other->second == Entry.getValue();
  });
}

/// Points of the range of the one host loop variable that the launch follows,
/// where the loop could not be enumerated before its bounds were known.
/// None where the number of iterations is not known.
static std::vector<std::shared_ptr<const LaunchVariant>>
pointsOfRange(const LaunchInputs &Inputs, const LaunchSite &Site) {
  std::vector<std::shared_ptr<const LaunchVariant>> Points;
  if (!Inputs.Kernel->Nest || Site.Ranges.size() != 1 || !Site.Repeats ||
      Inputs.Named.contains(Site.Ranges.begin()->getKey()))
    return Points;
  HostVariables Host(*Inputs.Kernel, Site, nullptr, Inputs.Named, Inputs.Gpu);
  if (isUndetermined(Host, Site.Repeats))
    return Points;
  const auto &Range = *Site.Ranges.begin();
  std::optional<double> First = Host.evaluate(Range.getValue().First);
  std::optional<double> Last = Host.evaluate(Range.getValue().Last);
  std::optional<double> Repeats = Host.evaluate(Site.Repeats);
  constexpr unsigned Count = LaunchSite::MaxVariants;
  if (!First || !Last || !Repeats || std::fabs(*Last - *First) < Count)
    return Points;
  for (unsigned I = 0; I < Count; ++I) {
    auto Point = std::make_shared<LaunchVariant>();
    Point->Values[Range.getKey()] =
        std::round(*First + (*Last - *First) * (2 * I + 1) / (2 * Count));
    Point->Weight = *Repeats / Count;
    Points.push_back(std::move(Point));
  }
  return Points;
}

/// Adds the launches of Plan to those of Same, which has the same evaluation.
static void addLaunches(LaunchPlan &Same, const LaunchPlan &Plan) {
  Same.Repeats =
      Same.Repeats > 0 && Plan.Repeats > 0 ? Same.Repeats + Plan.Repeats : 0;
  if (Same.Count && Plan.Count)
    Same.Count = LaunchCount{Same.Count->Few + Plan.Count->Few,
                             Same.Count->Many + Plan.Count->Many};
  else
    Same.Count = std::nullopt;
}

std::vector<LaunchPlan> planLaunches(const LaunchInputs &Inputs,
                                     ArrayRef<const LaunchSite *> Sites) {
  std::vector<LaunchPlan> Plans;
  auto Add = [&](const LaunchSite *Site,
                 std::shared_ptr<const LaunchVariant> Variant = nullptr) {
    LaunchInputs In = Inputs;
    In.Site = Site;
    In.Variant = std::move(Variant);
    LaunchPlan Plan = planLaunch(std::move(In));
    auto Same = find_if(Plans, [&](const LaunchPlan &Other) {
      return sameEvaluation(Plan, Other);
    });
    if (Same == Plans.end())
      Plans.push_back(std::move(Plan));
    else
      addLaunches(*Same, Plan);
  };
  if (Sites.empty())
    Add(nullptr);
  for (const LaunchSite *Site : Sites) {
    auto Points = Site->Variants.empty()
                      ? pointsOfRange(Inputs, *Site)
                      : std::vector<std::shared_ptr<const LaunchVariant>>();
    for (auto &Point : Points)
      Add(Site, Point);
    if (Site->Variants.empty() && Points.empty())
      Add(Site);
    for (const LaunchVariant &Variant : Site->Variants) // owned by the site
      Add(Site, {std::shared_ptr<const void>(), &Variant});
  }
  return Plans;
}

bool followDevice(ArrayRef<const LaunchSite *> Sites) {
  auto Follows = [](Expr E) {
    return E && any_of(E.parameters(), [](const std::string &Name) {
             return isDeviceProperty(Name);
           });
  };
  return any_of(Sites, [&](const LaunchSite *Site) {
    return any_of(Site->Grid, Follows) || any_of(Site->Block, Follows) ||
           Follows(Site->DynamicSharedBytes) || Follows(Site->Repeats) ||
           any_of(Site->Arguments,
                  [&](const auto &Passed) {
                    return Follows(Passed.getValue());
                  }) ||
           any_of(Site->Ranges, [&](const auto &Range) {
             return Follows(Range.getValue().First) ||
                    Follows(Range.getValue().Last);
           });
  });
}

void collectParameterNames(const KernelModel &Kernel,
                           ArrayRef<const LaunchSite *> Sites,
                           std::vector<std::string> &Names) {
  for (const KernelArgument &A : Kernel.Arguments) {
    Names.push_back(A.Name);
    if (A.Kind == KernelArgument::Pointer)
      Names.push_back(placeParameter(A.Name));
  }
  for (const Unknown &U : Kernel.Unknowns)
    for (const std::string &Name : {U.Name, U.Anchor})
      if (!Name.empty())
        Names.push_back(Name);
  auto AddFree = [&](Expr E) {
    if (E)
      append_range(Names, E.parameters());
  };
  // Members of arguments by value ("p.n") appear only in expressions.
  for (const MemoryAccess &A : Kernel.Accesses)
    AddFree(A.Address);
  for (const Loop &L : Kernel.Loops)
    AddFree(L.TripCount);
  for (const BasicBlock &B : Kernel.Blocks)
    AddFree(B.Active);
  for (const Wait &W : Kernel.Waits)
    AddFree(W.Length);
  for (const LaunchSite *Site : Sites) {
    for (Expr E : Site->Grid)
      AddFree(E);
    for (Expr E : Site->Block)
      AddFree(E);
    AddFree(Site->DynamicSharedBytes);
    if (Kernel.Nest) {
      AddFree(Site->Repeats);
      for (const auto &Range : Site->Ranges) {
        Names.push_back(Range.getKey().str());
        AddFree(Range.getValue().First);
        AddFree(Range.getValue().Last);
      }
    }
    for (const auto &Argument : Site->Arguments)
      AddFree(Argument.getValue());
  }
}

} // namespace gpuestimate
