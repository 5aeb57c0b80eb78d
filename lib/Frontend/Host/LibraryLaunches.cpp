#include "LibraryLaunches.h"

#include "HostAnalysis.h"
#include "IteratorRanges.h"
#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace gpuestimate {

namespace {

/// How the number of thread blocks follows from the number of items.
enum class BlocksBy : uint8_t {
  Tiles,     ///< one for each tile
  States,    ///< a thread for the state of each tile of a sibling kernel
  One,       ///< a single block
  EvenShare, ///< one for each tile, and at most Waves times what is resident
  Resident,  ///< what is resident at once
  Digits,    ///< one for each pass of a radix sort
  Bins,      ///< a thread for each bin of a histogram
  Partition, ///< a thread for each bound of the tiles of a merge
  Segments,  ///< one for each segment
  BytesInFlight, ///< tiles as large as the latency of memory asks for
};

/// How often one call launches the kernel.
enum class LaunchedBy : uint8_t {
  Once,
  IfOneTile,   ///< once if all items are in one tile
  IfManyTiles, ///< once if a sibling of IfOneTile cannot do it
  EachDigit,   ///< the same, in each pass of a radix sort
  IfBinsFit,   ///< once, of two variants: bins in shared memory or in global
  EachMerge,   ///< in each pass of a merge sort: ceil(log2(tiles))
  SumOfBlocks, ///< once; its items are the results of the sibling's blocks
};

/// One kernel template of the libraries.
struct KernelRule {
  llvm::StringLiteral Kernel;
  llvm::StringLiteral Policy; ///< member of the active policy; "": none
  BlocksBy Grid;
  LaunchedBy Count = LaunchedBy::Once;
  unsigned Threads = 0; ///< 0: its launch bounds
  unsigned Waves = 1;   ///< EvenShare
};

/// The policy of cub::DeviceFor, by which Thrust fills and copies, too.
constexpr llvm::StringLiteral LoopPolicy = "for_policy_t";

/// cub/device/dispatch. Threads of kernels without launch bounds are
/// INIT_KERNEL_THREADS and the like there; 5 waves are
/// CUB_PTX_SUBSCRIPTION_FACTOR.
constexpr KernelRule Rules[] = {
    {"DeviceScanKernel", "ScanPolicyT", BlocksBy::Tiles},
    {"DeviceScanInitKernel", "", BlocksBy::States, LaunchedBy::Once, 128},
    {"DeviceScanByKeyKernel", "ScanByKeyPolicyT", BlocksBy::Tiles},
    {"DeviceScanByKeyInitKernel", "", BlocksBy::States, LaunchedBy::Once, 128},
    {"DeviceCompactInitKernel", "", BlocksBy::States, LaunchedBy::Once, 128},
    {"DeviceSelectSweepKernel", "SelectIfPolicyT", BlocksBy::Tiles},
    {"DeviceUniqueByKeySweepKernel", "UniqueByKeyPolicyT", BlocksBy::Tiles},
    {"DeviceReduceByKeyKernel", "ReduceByKeyPolicyT", BlocksBy::Tiles},
    {"DeviceRleSweepKernel", "RleSweepPolicyT", BlocksBy::Tiles},
    {"DeviceThreeWayPartitionKernel", "ThreeWayPartitionPolicy",
     BlocksBy::Tiles},
    {"DeviceThreeWayPartitionInitKernel", "", BlocksBy::States,
     LaunchedBy::Once, 256},
    {"DeviceAdjacentDifferenceDifferenceKernel", "AdjacentDifferencePolicy",
     BlocksBy::Tiles},
    {"DeviceReduceKernel", "ReducePolicy", BlocksBy::EvenShare,
     LaunchedBy::IfManyTiles, 0, 5},
    {"DeviceReduceSingleTileKernel", "SingleTilePolicy", BlocksBy::One,
     LaunchedBy::SumOfBlocks},
    {"DeviceSegmentedReduceKernel", "SegmentedReducePolicy",
     BlocksBy::Segments},
    {"DeviceHistogramSweepKernel", "AgentHistogramPolicyT", BlocksBy::EvenShare,
     LaunchedBy::IfBinsFit},
    {"DeviceHistogramInitKernel", "", BlocksBy::Bins, LaunchedBy::Once, 256},
    {"DeviceRadixSortSingleTileKernel", "SingleTilePolicy", BlocksBy::One,
     LaunchedBy::IfOneTile},
    {"DeviceRadixSortHistogramKernel", "HistogramPolicy", BlocksBy::Resident,
     LaunchedBy::IfManyTiles},
    {"DeviceRadixSortExclusiveSumKernel", "ExclusiveSumPolicy",
     BlocksBy::Digits, LaunchedBy::IfManyTiles},
    {"DeviceRadixSortOnesweepKernel", "OnesweepPolicy", BlocksBy::Tiles,
     LaunchedBy::EachDigit},
    {"DeviceMergeSortBlockSortKernel", "MergeSortPolicy", BlocksBy::Tiles},
    {"DeviceMergeSortPartitionKernel", "", BlocksBy::Partition,
     LaunchedBy::EachMerge, 256},
    {"DeviceMergeSortMergeKernel", "MergeSortPolicy", BlocksBy::Tiles,
     LaunchedBy::EachMerge},
    {"device_merge_kernel", "merge_policy", BlocksBy::Tiles},
    {"device_partition_merge_path_kernel", "", BlocksBy::Partition,
     LaunchedBy::Once, 256},
    {"static_kernel", LoopPolicy, BlocksBy::Tiles},
    {"transform_kernel", "algo_policy", BlocksBy::BytesInFlight},
};

/// Thrust's own kernels are `_kernel_agent<Agent, ...>`, whose tuning is
/// Agent::ptx_plan; by the name of Agent.
constexpr KernelRule AgentRules[] = {
    {"InitAgent", "ptx_plan", BlocksBy::States},
    {"UniqueAgent", "ptx_plan", BlocksBy::Tiles},
    {"SetOpAgent", "ptx_plan", BlocksBy::Tiles},
    {"ReduceByKeyAgent", "ptx_plan", BlocksBy::Tiles},
};

/// Reads constants of classes.
class ClassReader {
public:
  explicit ClassReader(clang::ASTContext &AST) : AST(AST) {}

  std::optional<double> constant(const clang::CXXRecordDecl *Class,
                                 llvm::StringRef Name) const;
  /// The class that a member type names.
  const clang::CXXRecordDecl *type(const clang::CXXRecordDecl *Class,
                                   llvm::StringRef Name) const;

private:
  /// The first non-null answer of Read on a member Name, bases included.
  template <typename Callable>
  auto search(const clang::CXXRecordDecl *Class, llvm::StringRef Name,
              Callable Read) const
      -> decltype(Read(std::declval<const clang::NamedDecl &>())) {
    if (!Class || !(Class = Class->getDefinition()))
      return {};
    for (const clang::NamedDecl *Found : Class->lookup(&AST.Idents.get(Name)))
      if (auto Answer = Read(*Found))
        return Answer;
    for (const clang::CXXBaseSpecifier &Base : Class->bases())
      if (auto Answer =
              search(Base.getType()->getAsCXXRecordDecl(), Name, Read))
        return Answer;
    return {};
  }

  clang::ASTContext &AST;
};

/// Threads and items of the blocks of one kernel.
struct Tuning {
  double Threads = 0, ItemsPerThread = 0;
  const clang::CXXRecordDecl *Policy = nullptr; ///< null: it has none
  const clang::CXXRecordDecl *Active = nullptr; ///< that Policy is a member of
  double tile() const { return Threads * ItemsPerThread; }
};

/// The launches of one call.
class CallReader {
public:
  CallReader(HostAnalysis &Host,
             llvm::ArrayRef<const clang::FunctionDecl *> Siblings,
             const LibraryUse &Use, const CallFrame &Frame)
      : Host(Host), Terms(Host.Terms), Classes(Host.AST), Siblings(Siblings),
        Use(Use), Callee(*Use.Callee), Frame(Frame), Point(Use.Point) {}

  std::optional<LibraryLaunch> launch(const clang::FunctionDecl &Kernel);

private:
  const clang::Expr *argument(llvm::StringRef Name) const;
  Expr value(llvm::StringRef Name) const {
    const clang::Expr *Passed = argument(Name);
    return Passed ? Host.Expressions.value(Passed, Frame, Point) : Expr();
  }
  bool asksForStorageOnly() const;
  Expr items() const;
  Expr rangeOf(llvm::StringRef Suffix) const;
  std::optional<Tuning> tuningOf(const clang::FunctionDecl &Kernel,
                                 const KernelRule &Rule) const;
  /// The rule and the tuning of the first sibling that Wanted holds for.
  template <typename Predicate>
  std::optional<Tuning> sibling(Predicate Wanted) const;
  /// Whether another sibling is the same template for smaller offsets, which
  /// Thrust launches below 2^31 items.
  bool isForMoreItems(const clang::FunctionDecl &Kernel) const;
  Expr tilesOfSweep() const;
  /// The bits of the keys by which a radix sort sorts: those that the call
  /// gives, or all.
  struct BitRange {
    Expr Begin, End;
  };
  std::optional<BitRange> sortedBits() const;
  Expr passesOfRadixSort() const;
  Expr resident(const clang::FunctionDecl &Kernel, double Threads,
                Expr DynamicSharedBytes) const;
  Expr grid(const clang::FunctionDecl &Kernel, const KernelRule &Rule,
            const Tuning &T, LibraryLaunch &Into) const;
  Expr count(const clang::FunctionDecl &Kernel, const KernelRule &Rule,
             const Tuning &T) const;
  void describeTransform(const clang::FunctionDecl &Kernel, const Tuning &T,
                         LibraryLaunch &Into) const;

  HostAnalysis &Host;
  ExprContext &Terms;
  ClassReader Classes;
  llvm::ArrayRef<const clang::FunctionDecl *> Siblings;
  const LibraryUse &Use;
  const clang::FunctionDecl &Callee;
  const CallFrame &Frame;
  ProgramPoint Point;
  Expr Items;
};

} // namespace

//===-- Classes -----------------------------------------------------------===//

std::optional<double> ClassReader::constant(const clang::CXXRecordDecl *Class,
                                            llvm::StringRef Name) const {
  return search(
      Class, Name, [](const clang::NamedDecl &Member) -> std::optional<double> {
        if (const auto *Enumerator =
                llvm::dyn_cast<clang::EnumConstantDecl>(&Member))
          return Enumerator->getInitVal().getExtValue();
        const auto *Variable = llvm::dyn_cast<clang::VarDecl>(&Member);
        const clang::Expr *Init =
            Variable ? Variable->getAnyInitializer() : nullptr;
        if (!Init || Init->isValueDependent())
          return std::nullopt;
        const clang::APValue *Value = Variable->evaluateValue();
        if (!Value || !Value->isInt())
          return std::nullopt;
        return Value->getInt().getExtValue();
      });
}

const clang::CXXRecordDecl *ClassReader::type(const clang::CXXRecordDecl *Class,
                                              llvm::StringRef Name) const {
  return search(
      Class, Name,
      [](const clang::NamedDecl &Member) -> const clang::CXXRecordDecl * {
        if (const auto *Alias = llvm::dyn_cast<clang::TypedefNameDecl>(&Member))
          return Alias->getUnderlyingType()->getAsCXXRecordDecl();
        return llvm::dyn_cast<clang::CXXRecordDecl>(&Member);
      });
}

/// The class that is the template argument of a kernel at Index.
static const clang::CXXRecordDecl *
classArgument(const clang::FunctionDecl &Kernel, unsigned Index) {
  const clang::TemplateArgumentList *Arguments =
      Kernel.getTemplateSpecializationArgs();
  if (!Arguments || Index >= Arguments->size() ||
      Arguments->get(Index).getKind() != clang::TemplateArgument::Type)
    return nullptr;
  return Arguments->get(Index).getAsType()->getAsCXXRecordDecl();
}

static bool isInNamespace(const clang::FunctionDecl &F,
                          llvm::StringRef Namespace) {
  for (const clang::DeclContext *Context = F.getDeclContext(); Context;
       Context = Context->getParent())
    if (const auto *Outer = llvm::dyn_cast<clang::NamespaceDecl>(Context);
        Outer && Outer->getName() == Namespace)
      return true;
  return false;
}

static const KernelRule *ruleOf(const clang::FunctionDecl &Kernel) {
  if (!Kernel.getDeclName().isIdentifier())
    return nullptr;
  auto Named = [](llvm::ArrayRef<KernelRule> Table, llvm::StringRef Name) {
    const auto *Found = llvm::find_if(
        Table, [&](const KernelRule &Rule) { return Rule.Kernel == Name; });
    return Found == Table.end() ? nullptr : Found;
  };
  if (isInNamespace(Kernel, "cub"))
    return Named(Rules, Kernel.getName());
  if (!isInNamespace(Kernel, "thrust") || Kernel.getName() != "_kernel_agent")
    return nullptr;
  const clang::CXXRecordDecl *Agent = classArgument(Kernel, 0);
  return Agent ? Named(AgentRules, Agent->getName()) : nullptr;
}

bool hasLaunchRule(const clang::FunctionDecl &Kernel) {
  return ruleOf(Kernel) != nullptr;
}

static double launchBounds(clang::ASTContext &AST,
                           const clang::FunctionDecl &Kernel) {
  const clang::FunctionDecl *Definition = Kernel.getDefinition();
  const auto *Bounds = (Definition ? *Definition : Kernel)
                           .getAttr<clang::CUDALaunchBoundsAttr>();
  if (!Bounds || Bounds->getMaxThreads()->isValueDependent())
    return 0;
  auto Threads = Bounds->getMaxThreads()->getIntegerConstantExpr(AST);
  return Threads ? static_cast<double>(Threads->getExtValue()) : 0;
}

std::optional<Tuning> CallReader::tuningOf(const clang::FunctionDecl &Kernel,
                                           const KernelRule &Rule) const {
  Tuning T;
  T.Threads = Rule.Threads ? Rule.Threads : launchBounds(Host.AST, Kernel);
  if (!Rule.Policy.empty()) {
    const clang::CXXRecordDecl *First = classArgument(Kernel, 0);
    T.Active =
        Rule.Policy == "ptx_plan" ? First : Classes.type(First, "ActivePolicy");
    T.Policy = Classes.type(T.Active, Rule.Policy);
    if (!T.Policy)
      return std::nullopt;
    for (llvm::StringRef Name :
         {"ITEMS_PER_THREAD", "items_per_thread", "PIXELS_PER_THREAD"})
      if (auto Number = Classes.constant(T.Policy, Name)) {
        T.ItemsPerThread = *Number;
        break;
      }
    if (!T.Threads)
      T.Threads = Classes.constant(T.Policy, "BLOCK_THREADS").value_or(0);
  }
  if (!(T.Threads > 0))
    return std::nullopt;
  return T;
}

template <typename Predicate>
std::optional<Tuning> CallReader::sibling(Predicate Wanted) const {
  for (const clang::FunctionDecl *Other : Siblings)
    if (const KernelRule *Rule = ruleOf(*Other); Rule && Wanted(*Rule))
      if (std::optional<Tuning> T = tuningOf(*Other, *Rule);
          T && !isForMoreItems(*Other))
        return T;
  return std::nullopt;
}

//===-- The call ----------------------------------------------------------===//

const clang::Expr *CallReader::argument(llvm::StringRef Name) const {
  for (unsigned I = 0; I < Callee.getNumParams() && I < Use.Arguments.size();
       ++I)
    if (Callee.getParamDecl(I)->getName() == Name)
      return Use.Arguments[I];
  return nullptr;
}

/// CUB's functions launch nothing while d_temp_storage is null.
bool CallReader::asksForStorageOnly() const {
  const clang::Expr *Storage = argument("d_temp_storage");
  if (!Storage)
    return false;
  const clang::Expr *Value = Host.Variables.resolve(Storage, Frame, Point);
  return Value && Value->isNullPointerConstant(
                      Host.AST, clang::Expr::NPC_ValueDependentIsNull) !=
                      clang::Expr::NPCK_NotNull;
}

/// The items between `first` and `last` with a suffix, such as `keys_first1`.
Expr CallReader::rangeOf(llvm::StringRef Suffix) const {
  for (const clang::ParmVarDecl *Parameter : Callee.parameters()) {
    llvm::StringRef First = Parameter->getName();
    if (!First.consume_back(Suffix) || !First.consume_back("first"))
      continue;
    const clang::Expr *Last = argument((First + "last" + Suffix).str());
    if (Last)
      return distanceBetween(Host, argument(Parameter->getName()), Last, Frame,
                             Point);
  }
  return {};
}

/// An unknown number is a parameter, as everything is that nothing determines.
Expr CallReader::items() const {
  for (llvm::StringRef Name : {"num_items", "num_samples", "num_pixels",
                               "num_segments", "shape", "count", "n", "size"})
    if (argument(Name))
      if (Expr Number = value(Name))
        return Number;
  for (auto [Row, Rows] : {std::pair("num_row_samples", "num_rows"),
                           std::pair("num_row_pixels", "num_rows")})
    if (Expr Width = value(Row), Height = value(Rows); Width && Height)
      return Width * Height;
  if (Expr A = rangeOf("1")) { // of two sequences that are merged
    if (Expr B = rangeOf("2"))
      return A + B;
    return A;
  }
  if (Expr Range = rangeOf(""))
    return Range;
  // The copy of a vector moves its elements without a kernel.
  return llvm::isa<clang::CXXConstructorDecl>(Callee)
             ? Expr()
             : Terms.parameter("num_items");
}

/// Whether two kernels of one template have the same arguments, but for integer
/// types and the policy, the first one, which may depend on these.
static bool differOnlyInIntegers(const clang::FunctionDecl &A,
                                 const clang::FunctionDecl &B) {
  const clang::TemplateArgumentList *Left = A.getTemplateSpecializationArgs();
  const clang::TemplateArgumentList *Right = B.getTemplateSpecializationArgs();
  if (!Left || !Right || Left->size() != Right->size())
    return false;
  auto IsInteger = [](const clang::TemplateArgument &Argument) {
    return Argument.getKind() == clang::TemplateArgument::Type &&
           Argument.getAsType()->isIntegerType();
  };
  for (unsigned I = 1; I < Left->size(); ++I)
    if (!Left->get(I).structurallyEquals(Right->get(I)) &&
        !(IsInteger(Left->get(I)) && IsInteger(Right->get(I))))
      return false;
  return true;
}

bool CallReader::isForMoreItems(const clang::FunctionDecl &Kernel) const {
  auto OffsetBytes = [&](const clang::FunctionDecl &F) -> int64_t {
    for (const clang::ParmVarDecl *Parameter : F.parameters())
      if (Parameter->getName() == "num_items")
        return Host.AST.getTypeSizeInChars(Parameter->getType()).getQuantity();
    return 0;
  };
  constexpr double LargestInt = 2147483647;
  if (Items && Items.asConstant() && *Items.asConstant() > LargestInt)
    return false;
  return llvm::any_of(Siblings, [&](const clang::FunctionDecl *Other) {
    return Other->getPrimaryTemplate() == Kernel.getPrimaryTemplate() &&
           OffsetBytes(*Other) < OffsetBytes(Kernel) &&
           differOnlyInIntegers(*Other, Kernel);
  });
}

//===-- Sizes -------------------------------------------------------------===//

/// Tiles of the kernel whose blocks hand sums to their successors, or merge; a
/// loop over all items may be its sibling.
Expr CallReader::tilesOfSweep() const {
  std::optional<Tuning> Sweep = sibling([](const KernelRule &Rule) {
    return Rule.Grid == BlocksBy::Tiles &&
           Rule.Count != LaunchedBy::EachDigit && Rule.Policy != LoopPolicy;
  });
  return Sweep && Sweep->tile() > 0
             ? Terms.ceilDiv(Items, Terms.constant(Sweep->tile()))
             : Expr();
}

std::optional<CallReader::BitRange> CallReader::sortedBits() const {
  if (Expr Begin = value("begin_bit"), End = value("end_bit"); Begin && End)
    return BitRange{Begin, End};
  for (const clang::FunctionDecl *Kernel : Siblings)
    for (const clang::ParmVarDecl *Parameter : Kernel->parameters())
      if (Parameter->getName() == "d_keys_out" &&
          Parameter->getType()->isPointerType())
        return BitRange{
            Terms.constant(0),
            Terms.constant(8.0 * Host.AST
                                     .getTypeSizeInChars(
                                         Parameter->getType()->getPointeeType())
                                     .getQuantity())};
  return std::nullopt;
}

Expr CallReader::passesOfRadixSort() const {
  std::optional<Tuning> Sweep = sibling([](const KernelRule &Rule) {
    return Rule.Count == LaunchedBy::EachDigit;
  });
  std::optional<double> Digit =
      Sweep ? Classes.constant(Sweep->Policy, "RADIX_BITS") : std::nullopt;
  std::optional<BitRange> Bits = sortedBits();
  if (!Digit || !(*Digit > 0) || !Bits)
    return {};
  return Terms.ceilDiv(Bits->End - Bits->Begin, Terms.constant(*Digit));
}

Expr CallReader::resident(const clang::FunctionDecl &Kernel, double Threads,
                          Expr DynamicSharedBytes) const {
  return Host.Device
             .activeBlocks(Kernel, Terms.constant(Threads), DynamicSharedBytes)
             .E *
         Terms.parameter(devicePropertyParameter("multiProcessorCount"));
}

/// cub::DeviceTransform: an item more for each thread until a multiprocessor
/// has min_bif bytes in flight (its latency times its bandwidth), where there
/// are so many items. Into keeps no grid where the policy lacks a constant.
void CallReader::describeTransform(const clang::FunctionDecl &Kernel,
                                   const Tuning &T, LibraryLaunch &Into) const {
  double Bytes = 0;
  unsigned Streams = 0;
  const clang::TemplateArgumentList *Arguments =
      Kernel.getTemplateSpecializationArgs();
  // <policy, offset, function, output, inputs...>
  for (unsigned I = 4; Arguments && I < Arguments->size(); ++I)
    if (Arguments->get(I).getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument &Input :
           Arguments->get(I).pack_elements())
        if (Input.getKind() == clang::TemplateArgument::Type &&
            Input.getAsType()->isPointerType()) {
          Bytes += static_cast<double>(
              Host.AST.getTypeSizeInChars(Input.getAsType()->getPointeeType())
                  .getQuantity());
          ++Streams;
        }
  std::optional<double> Least =
                            Classes.constant(T.Policy, "min_items_per_thread"),
                        Most =
                            Classes.constant(T.Policy, "max_items_per_thread"),
                        BytesInFlight = Classes.constant(T.Active, "min_bif"),
                        WithoutInput = Classes.constant(
                            T.Policy, "items_per_thread_no_input");
  bool IsPrefetch = WithoutInput.has_value();
  if (!Least || !Most || !BytesInFlight || (Bytes == 0 && !IsPrefetch))
    return; // another version of the library
  Expr PerThread;
  Expr Blocks =
      Host.Device
          .activeBlocks(Kernel, Terms.constant(T.Threads), Terms.constant(0))
          .E;
  if (Bytes == 0)
    PerThread = Terms.constant(*WithoutInput);
  else
    PerThread = Terms.ceilDiv(Terms.constant(*BytesInFlight),
                              Blocks * (T.Threads * Bytes));
  if (IsPrefetch) {
    Expr All = resident(Kernel, T.Threads, Terms.constant(0)) * T.Threads;
    PerThread = Terms.min({PerThread, Terms.floorDiv(Items, All)});
  } else {
    // One tile if that holds all items.
    PerThread =
        Terms.min({PerThread, Terms.ceilDiv(Items, Terms.constant(T.Threads))});
    *Most -= 1;
  }
  PerThread = Terms.max(
      {Terms.min({PerThread, Terms.constant(*Most)}), Terms.constant(*Least)});
  Expr Tile = PerThread * T.Threads;
  Into.Grid = Terms.ceilDiv(Items, Tile);
  // Each stream of bulk copies begins at a multiple of 128 bytes.
  constexpr double Alignment = 128;
  Into.DynamicSharedBytes =
      IsPrefetch ? Terms.constant(0) : Tile * Bytes + Alignment * Streams;
  Into.Arguments["num_elem_per_thread"] = PerThread;
}

Expr CallReader::grid(const clang::FunctionDecl &Kernel, const KernelRule &Rule,
                      const Tuning &T, LibraryLaunch &Into) const {
  Expr Tiles =
      T.tile() > 0 ? Terms.ceilDiv(Items, Terms.constant(T.tile())) : Expr();
  auto EachThread = [&](Expr Work) {
    return Work ? Terms.ceilDiv(Work, Terms.constant(T.Threads)) : Expr();
  };
  switch (Rule.Grid) {
  case BlocksBy::Tiles:
    Into.Arguments["num_tiles"] = Tiles;
    return Tiles;
  case BlocksBy::States: {
    Expr States = tilesOfSweep();
    Into.Arguments["num_tiles"] = States;
    return EachThread(States);
  }
  case BlocksBy::One:
    return Terms.constant(1);
  case BlocksBy::EvenShare:
    Into.Arguments["tiles_per_row"] = Tiles;
    return Tiles ? Terms.min(
                       {Tiles, resident(Kernel, T.Threads, Terms.constant(0)) *
                                   double(Rule.Waves)})
                 : Expr();
  case BlocksBy::Resident:
    return resident(Kernel, T.Threads, Terms.constant(0));
  case BlocksBy::Digits:
    return passesOfRadixSort();
  case BlocksBy::Bins: {
    Expr Levels = value("num_levels");
    return Levels ? EachThread(Levels - 1) : Expr();
  }
  case BlocksBy::Partition: {
    Expr Bounds = tilesOfSweep();
    return Bounds ? EachThread(Bounds + 1) : Expr();
  }
  case BlocksBy::Segments:
    return Items;
  case BlocksBy::BytesInFlight:
    describeTransform(Kernel, T, Into);
    return Into.Grid;
  }
  llvm_unreachable("all rules are handled");
}

Expr CallReader::count(const clang::FunctionDecl &Kernel,
                       const KernelRule &Rule, const Tuning &T) const {
  auto SingleTile = [&] {
    return sibling([](const KernelRule &Other) {
      return Other.Count == LaunchedBy::IfOneTile ||
             Other.Count == LaunchedBy::SumOfBlocks;
    });
  };
  auto IsBeyondOneTile = [&](Expr Count) {
    std::optional<Tuning> Single = SingleTile();
    return Single && Items.asConstant()
               ? Terms.less(Terms.constant(Single->tile()), Items) * Count
               : Count;
  };
  switch (Rule.Count) {
  case LaunchedBy::Once:
  case LaunchedBy::SumOfBlocks:
    return Terms.constant(1);
  case LaunchedBy::IfOneTile:
    return Items.asConstant() ? Terms.lessEqual(Items, Terms.constant(T.tile()))
                              : Terms.constant(1);
  case LaunchedBy::IfManyTiles:
    return IsBeyondOneTile(Terms.constant(1));
  case LaunchedBy::IfBinsFit: {
    // cub: MAX_PRIVATIZED_SMEM_BINS, and the argument PRIVATIZED_SMEM_BINS.
    constexpr double MostBins = 256;
    const clang::TemplateArgumentList *Arguments =
        Kernel.getTemplateSpecializationArgs();
    Expr Levels = value("num_levels");
    if (!Arguments || Arguments->size() < 2 || !Levels ||
        !Levels.asConstant() ||
        Arguments->get(1).getKind() != clang::TemplateArgument::Integral)
      return Terms.constant(1);
    bool IsForShared = !Arguments->get(1).getAsIntegral().isZero();
    return Terms.constant(IsForShared ==
                          (*Levels.asConstant() - 1 <= MostBins));
  }
  case LaunchedBy::EachDigit: {
    Expr Passes = passesOfRadixSort();
    return Passes ? IsBeyondOneTile(Passes) : Expr();
  }
  case LaunchedBy::EachMerge: {
    Expr Tiles = tilesOfSweep();
    Expr One = Terms.constant(1);
    return Tiles
               ? Terms.select(Terms.less(One, Tiles),
                              Terms.floorLog2(Tiles - 1) + 1, Terms.constant(0))
               : Expr();
  }
  }
  llvm_unreachable("all rules are handled");
}

std::optional<LibraryLaunch>
CallReader::launch(const clang::FunctionDecl &Kernel) {
  const KernelRule *Rule = ruleOf(Kernel);
  if (!Rule || asksForStorageOnly())
    return std::nullopt;
  Items = items();
  if (!Items)
    return std::nullopt;
  std::optional<Tuning> T = tuningOf(Kernel, *Rule);
  if (!T)
    return std::nullopt;
  LibraryLaunch Result;
  Result.Threads = Terms.constant(T->Threads);
  if (!isInNamespace(Kernel, "thrust"))
    Result.DynamicSharedBytes = Terms.constant(0);
  Result.Grid = grid(Kernel, *Rule, *T, Result);
  Result.Count =
      isForMoreItems(Kernel) ? Terms.constant(0) : count(Kernel, *Rule, *T);
  if (!Result.Grid || !Result.Count)
    return std::nullopt;
  Expr Worked = Items;
  if (Rule->Count == LaunchedBy::SumOfBlocks && !Result.Count.isConstant(0)) {
    // The results of the blocks of the sibling, where all items are not in one
    // tile.
    Expr Tile = Terms.constant(T->tile());
    for (const clang::FunctionDecl *Other : Siblings)
      if (const KernelRule *Blocks = ruleOf(*Other);
          Blocks && Blocks->Count == LaunchedBy::IfManyTiles &&
          !isForMoreItems(*Other))
        if (std::optional<Tuning> Sweep = tuningOf(*Other, *Blocks)) {
          LibraryLaunch Unused;
          if (Expr Results = grid(*Other, *Blocks, *Sweep, Unused))
            Worked = Terms.select(Terms.lessEqual(Items, Tile), Items, Results);
        }
  } else if (Rule->Count == LaunchedBy::IfOneTile) {
    Worked = Terms.min({Items, Terms.constant(T->tile())});
  }
  for (llvm::StringRef Name :
       {"num_items", "even_share.num_items", "num_row_pixels",
        "row_stride_samples", "keys_count", "num_keys"})
    Result.Arguments[Name] = Worked;
  if (std::optional<BitRange> Bits = sortedBits()) {
    for (llvm::StringRef Name : {"begin_bit", "start_bit", "current_bit"})
      Result.Arguments[Name] = Bits->Begin;
    Result.Arguments["end_bit"] = Bits->End;
  }
  Result.Arguments["even_share.grid_size"] = Result.Grid;
  Result.Arguments["num_rows"] = Terms.constant(1);
  Result.Arguments["start_tile"] = Terms.constant(0);
  return Result;
}

std::optional<LibraryLaunch>
libraryLaunch(HostAnalysis &Host, const clang::FunctionDecl &Kernel,
              llvm::ArrayRef<const clang::FunctionDecl *> Siblings,
              const LibraryUse &Use, const CallFrame &Frame) {
  return CallReader(Host, Siblings, Use, Frame).launch(Kernel);
}

} // namespace gpuestimate
