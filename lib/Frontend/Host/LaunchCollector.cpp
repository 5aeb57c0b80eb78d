/// \file
/// Evaluates launches: one LaunchSite for each chain of calls with different
/// values.
#include "LaunchCollector.h"

#include "CallChains.h"
#include "DeadBranches.h"
#include "DeviceLaunches.h"
#include "EnclosingLoops.h"
#include "Frontend/Source/Kernels.h"
#include "LaunchSites.h"
#include "RuntimeCalls.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

namespace {

class LaunchCollector {
public:
  LaunchCollector(clang::CodeGenerator &Generator, clang::ASTContext &AST,
                  const HostIndex &Index, TranslationUnit &Unit)
      : Generator(Generator), AST(AST), Index(Index), Unit(Unit),
        Chains(Index) {
    for (const KernelSource &Kernel : Unit.Kernels)
      KernelsByName[Kernel.Mangled] = &Kernel;
  }

  void collect(const HostFunction &F, const CallSite &Launch) {
    collect(F, [&](const CallFrame &Chain) { return evaluate(Chain, Launch); });
  }

  /// The launches of a library's kernel by a call of the user.
  void collect(const HostFunction &F, const LibraryUse &Use,
               const clang::FunctionDecl &Kernel,
               llvm::ArrayRef<const clang::FunctionDecl *> Siblings) {
    collect(F, [&](const CallFrame &Chain) {
      return evaluate(Chain, Use, Kernel, Siblings);
    });
  }

  /// Hands the launches over. A kernel of a library that no call launches for
  /// as many items as it is given is no kernel of the unit. Else a launch that
  /// no execution reaches tells something of its kernel only if that has no
  /// other.
  void finish() {
    llvm::StringSet<> Launched;
    for (const FoundLaunch &Launch : Found)
      NotLaunched.erase(Launch.Site.Kernel);
    llvm::erase_if(Unit.Kernels, [&](const KernelSource &Kernel) {
      return NotLaunched.contains(Kernel.Mangled);
    });
    for (const auto &Entry : NotLaunched)
      Unit.LibraryKernels.erase(Entry.getKey().str());
    for (const FoundLaunch &Launch : Found)
      if (Launch.IsReached)
        Launched.insert(Launch.Site.Kernel);
    for (FoundLaunch &Launch : Found)
      if (Launch.IsReached || !Launched.contains(Launch.Site.Kernel))
        Unit.Launches.push_back(std::move(Launch.Site));
  }

private:
  struct FoundLaunch {
    LaunchSite Site;
    bool IsReached = true;
  };

  void collect(
      const HostFunction &F,
      llvm::function_ref<std::optional<FoundLaunch>(const CallFrame &)> Make) {
    std::vector<FoundLaunch> Here;
    bool TooMany = false;
    for (const CallFrame *Chain : Chains.to(F, TooMany)) {
      std::optional<FoundLaunch> New = Make(*Chain);
      if (!New)
        continue;
      if (TooMany)
        New->Site.Repeats = {};
      auto Like = llvm::find_if(Here, [&](const FoundLaunch &Other) {
        return Other.IsReached == New->IsReached &&
               fingerprint(Other.Site) == fingerprint(New->Site);
      });
      if (Like == Here.end())
        Here.push_back(std::move(*New));
      else
        addRepeats(Like->Site, New->Site);
    }
    for (FoundLaunch &New : Here)
      Found.push_back(std::move(New));
  }

  /// What a call launches. Null: unknown, or not given.
  struct LaunchCall {
    const clang::FunctionDecl *Kernel = nullptr;
    Dim3 Grid, Block;
    Expr DynamicSharedBytes;
    llvm::SmallVector<const clang::Expr *> Arguments;
    /// Each execution of the call is one launch; not where threads execute it.
    bool IsCounted = true;
  };

  LaunchCall partsOf(HostAnalysis &Host, const clang::CallExpr &Call,
                     const CallFrame &F, ProgramPoint Point) {
    LaunchCall Parts;
    auto size = [&](const clang::Expr *Bytes) {
      return Bytes ? Host.Expressions.value(Bytes, F, Point)
                   : Host.Terms.constant(0);
    };
    if (const auto *Chevron =
            llvm::dyn_cast<clang::CUDAKernelCallExpr>(&Call)) {
      const clang::CallExpr *Config = Chevron->getConfig();
      auto part = [&](unsigned I) {
        return I < Config->getNumArgs() ? Config->getArg(I) : nullptr;
      };
      Parts.Kernel = Host.Device.kernelOf(Chevron->getCallee(), F, Point);
      Parts.Grid = Host.Expressions.dim3(part(0), F, Point);
      Parts.Block = Host.Expressions.dim3(part(1), F, Point);
      Parts.DynamicSharedBytes = size(part(2));
      Parts.Arguments.append(Call.arg_begin(), Call.arg_end());
      return Parts;
    }
    if (std::optional<DeviceLaunch> Device = deviceLaunch(Call)) {
      Parts.Kernel = Device->Kernel;
      Parts.Grid = Host.Expressions.dim3(Device->Sizes[0], F, Point);
      Parts.Block = Host.Expressions.dim3(Device->Sizes[1], F, Point);
      Parts.DynamicSharedBytes = size(Device->Sizes[2]);
      Parts.Arguments = std::move(Device->Arguments);
      Parts.IsCounted = false;
      return Parts;
    }
    RuntimeLaunch Kind = runtimeLaunch(*Call.getDirectCallee());
    if (Kind == RuntimeLaunch::Sizes) {
      if (Call.getNumArgs() < 4)
        return Parts;
      Parts.Kernel = Host.Device.kernelOf(Call.getArg(0), F, Point);
      Parts.Grid = Host.Expressions.dim3(Call.getArg(1), F, Point);
      Parts.Block = Host.Expressions.dim3(Call.getArg(2), F, Point);
      Parts.DynamicSharedBytes =
          size(Call.getNumArgs() > 4 ? Call.getArg(4) : nullptr);
      Parts.Arguments = pointedArguments(Host, Call.getArg(3), F, Point);
      return Parts;
    }
    if (Call.getNumArgs() < 2)
      return Parts;
    Parts.Kernel = Host.Device.kernelOf(Call.getArg(1), F, Point);
    readConfiguration(Host, Call.getArg(0), F, Point, Parts);
    if (Kind == RuntimeLaunch::Configured)
      Parts.Arguments.append(Call.arg_begin() + 2, Call.arg_end());
    else if (Call.getNumArgs() > 2)
      Parts.Arguments = pointedArguments(Host, Call.getArg(2), F, Point);
    return Parts;
  }

  /// The x of an array `{&x, ...}` of addresses; null: unknown.
  static llvm::SmallVector<const clang::Expr *>
  pointedArguments(HostAnalysis &Host, const clang::Expr *Array,
                   const CallFrame &F, ProgramPoint Point) {
    llvm::SmallVector<const clang::Expr *> Arguments;
    const auto *List = llvm::dyn_cast<clang::InitListExpr>(
        Host.Variables.resolve(Array, F, Point));
    for (const clang::Expr *Init :
         List ? List->inits() : llvm::ArrayRef<clang::Expr *>()) {
      const auto *Address =
          llvm::dyn_cast_or_null<clang::UnaryOperator>(stripCasts(Init));
      Arguments.push_back(Address && Address->getOpcode() == clang::UO_AddrOf
                              ? Address->getSubExpr()
                              : nullptr);
    }
    return Arguments;
  }

  /// The sizes in the cudaLaunchConfig_t that Pointer points to.
  static void readConfiguration(HostAnalysis &Host, const clang::Expr *Pointer,
                                const CallFrame &F, ProgramPoint Point,
                                LaunchCall &Into) {
    AccessPath Config = accessPathOf(addressedOperand(Pointer));
    if (!Config.Base)
      return;
    auto member = [&](llvm::StringRef Name) {
      return AccessPath{Config.Base, Config.Fields + Name.str()};
    };
    Into.Grid = Host.Expressions.dim3(member(".gridDim"), F, Point);
    Into.Block = Host.Expressions.dim3(member(".blockDim"), F, Point);
    Into.DynamicSharedBytes =
        Host.Variables.read(member(".dynamicSmemBytes"), F, Point).E;
  }

  std::optional<FoundLaunch> evaluate(const CallFrame &F,
                                      const CallSite &Launch) {
    FoundLaunch Result;
    LaunchSite &Site = Result.Site;
    Site.Context = std::make_shared<ExprContext>();
    HostAnalysis Host(AST, Index, *Site.Context);
    const clang::CallExpr &Call = *Launch.Call;
    ProgramPoint Point = Launch.Point;
    LaunchCall Parts = partsOf(Host, Call, F, Point);
    llvm::ArrayRef<const clang::Expr *> Arguments = Parts.Arguments;
    if (!Parts.Kernel)
      return std::nullopt;
    Site.Kernel =
        Generator.GetMangledName(clang::GlobalDecl(Parts.Kernel)).str();
    auto It = KernelsByName.find(Site.Kernel);
    if (It == KernelsByName.end())
      return std::nullopt;

    Site.Location =
        presumedLocation(AST.getSourceManager(), Call.getBeginLoc());
    Site.Function = F.Function->Decl->getQualifiedNameAsString();
    Site.Grid = Parts.Grid;
    Site.Block = Parts.Block;
    Site.DynamicSharedBytes = Parts.DynamicSharedBytes;
    const KernelSource &Source = *It->second;
    for (unsigned I = 0; I < Source.Arguments.size() && I < Arguments.size();
         ++I)
      if (Arguments[I])
        addArgument(Host, Source, I, Arguments[I], F, Point, Site);
    keepSharedBuffers(Source, Site);

    describeLoops(Host, enclosingRegions(F, Point), parametersOf(Site), Site);
    takePathValues(valuesOnPath(Host, F, Point), Site);
    // Last: what it evaluates may contain random draws.
    for (unsigned I = 0; I < Source.Arguments.size() && I < Arguments.size();
         ++I)
      if (Arguments[I] && Source.Arguments[I].Kind == KernelArgument::Pointer)
        if (auto Contents = Host.Contents.of(Arguments[I], F, Point))
          Site.Contents[Source.Arguments[I].Name] = std::move(*Contents);
    addQueries(Host, Site);
    if (!Parts.IsCounted)
      Site.Repeats = {};
    Result.IsReached = !isNeverReached(Host, F, Point);
    return Result;
  }

  std::optional<FoundLaunch>
  evaluate(const CallFrame &F, const LibraryUse &Use,
           const clang::FunctionDecl &Kernel,
           llvm::ArrayRef<const clang::FunctionDecl *> Siblings) {
    FoundLaunch Result;
    LaunchSite &Site = Result.Site;
    Site.Context = std::make_shared<ExprContext>();
    HostAnalysis Host(AST, Index, *Site.Context);
    Site.Kernel = Generator.GetMangledName(clang::GlobalDecl(&Kernel)).str();
    auto It = KernelsByName.find(Site.Kernel);
    std::optional<LibraryLaunch> Launch =
        libraryLaunch(Host, Kernel, Siblings, Use, F);
    if (!Launch || It == KernelsByName.end())
      return std::nullopt;
    if (Launch->Count.isConstant(0)) {
      NotLaunched.insert(Site.Kernel);
      return std::nullopt;
    }
    Expr One = Host.Terms.constant(1);
    Site.Location = presumedLocation(AST.getSourceManager(), Use.Begin);
    Site.Function = F.Function->Decl->getQualifiedNameAsString();
    Site.Grid = {Launch->Grid, One, One};
    Site.Block = {Launch->Threads, One, One};
    Site.DynamicSharedBytes = Launch->DynamicSharedBytes;
    const KernelSource &Source = *It->second;
    auto pass = [&](const std::string &Name) {
      if (Expr Value = Launch->Arguments.lookup(Name))
        Site.Arguments[Name] = Value;
    };
    for (const KernelArgument &Argument : Source.Arguments)
      pass(Argument.Name);
    for (const AggregateMember &Member : Source.Members)
      pass(Source.Arguments[Member.Argument].Name + "." + Member.Name);
    describeLoops(Host, enclosingRegions(F, Use.Point), parametersOf(Site),
                  Site);
    if (Site.Repeats)
      Site.Repeats = Site.Repeats * Launch->Count;
    if (std::optional<double> Count = Launch->Count.asConstant())
      for (LaunchVariant &Variant : Site.Variants)
        Variant.Weight *= *Count;
    addQueries(Host, Site);
    Result.IsReached = !isNeverReached(Host, F, Use.Point);
    return Result;
  }

  void addQueries(HostAnalysis &Host, LaunchSite &Site) {
    for (const std::string &Name : parametersOf(Site)) {
      if (auto Query = Host.Device.queries().find(Name);
          Query != Host.Device.queries().end())
        Site.Queries[Name] = named(Query->second);
      if (auto Default = Host.Symbols.defaults().find(Name);
          Default != Host.Symbols.defaults().end())
        Site.Defaults[Name] = Default->second;
    }
  }

  /// Gives parameters of the launch the values that its branch tells. A loop's
  /// variable keeps its range, which the number of launches follows.
  static void takePathValues(const llvm::StringMap<double> &Values,
                             LaunchSite &Site) {
    llvm::StringMap<Expr> Replacements;
    for (const auto &Value : Values) {
      bool IsOfLoop = Site.Ranges.contains(Value.getKey()) ||
                      llvm::any_of(Site.Variants, [&](const LaunchVariant &V) {
                        return V.Values.contains(Value.getKey());
                      });
      if (!IsOfLoop)
        Replacements[Value.getKey()] = Site.Context->constant(Value.getValue());
    }
    if (Replacements.empty())
      return;
    auto Replace = [&](Expr &E) {
      if (E)
        E = Site.Context->substitute(E, Replacements);
    };
    for (unsigned I = 0; I < 3; ++I) {
      Replace(Site.Grid[I]);
      Replace(Site.Block[I]);
    }
    Replace(Site.DynamicSharedBytes);
    Replace(Site.Repeats);
    for (auto &Argument : Site.Arguments)
      Replace(Argument.getValue());
    for (auto &Origin : Site.Origins)
      Replace(Origin.getValue().Offset);
    for (auto &Range : Site.Ranges) {
      Replace(Range.getValue().First);
      Replace(Range.getValue().Last);
    }
  }

  OccupancyQuery named(const DeviceQueries::Query &Query) {
    OccupancyQuery Result = Query.Occupancy;
    if (Query.Kernel)
      Result.Kernel =
          Generator.GetMangledName(clang::GlobalDecl(Query.Kernel)).str();
    return Result;
  }

  void addArgument(HostAnalysis &Host, const KernelSource &Source, unsigned I,
                   const clang::Expr *Argument, const CallFrame &F,
                   ProgramPoint Point, LaunchSite &Site) {
    const KernelArgument &Parameter = Source.Arguments[I];
    auto set = [&](const std::string &Name, Expr Value) {
      if (Value)
        Site.Arguments[Name] = Value;
    };
    switch (Parameter.Kind) {
    case KernelArgument::Pointer:
      set(Parameter.Name, Host.Buffers.bytes(Argument, F, Point));
      if (auto Origin = Host.Origins.of(Argument, F, Point))
        Site.Origins[Parameter.Name] = std::move(*Origin);
      if (std::optional<BufferPlace> Place =
              Host.Buffers.place(Argument, F, Point);
          Place && *Place != BufferPlace::Device) {
        if (*Place == BufferPlace::Managed &&
            Host.Pages.areOnHost(Argument, F, Point))
          Place = BufferPlace::FirstTouch;
        set(placeParameter(Parameter.Name),
            Site.Context->constant(placeValue(*Place)));
      }
      break;
    case KernelArgument::Integer:
    case KernelArgument::Real:
      set(Parameter.Name, Host.Expressions.value(Argument, F, Point));
      break;
    case KernelArgument::Aggregate:
      addMembers(Host, Source, I, Argument, F, Point, Site);
      break;
    case KernelArgument::Texture:
      break;
    }
  }

  /// Keeps the pointers that point into one buffer with an earlier one, as
  /// distances from that one: what all offsets have in common, such as the
  /// counter of a loop around the launch, cancels.
  static void keepSharedBuffers(const KernelSource &Source, LaunchSite &Site) {
    llvm::StringMap<std::pair<std::string, Expr>> First; // by buffer
    llvm::StringMap<PointerOrigin> Kept;
    auto visit = [&](const std::string &Name) {
      auto Entry = Site.Origins.find(Name);
      if (Entry == Site.Origins.end())
        return;
      const PointerOrigin &Origin = Entry->second;
      auto [It, New] =
          First.try_emplace(Origin.Buffer, std::pair(Name, Origin.Offset));
      if (!New)
        Kept[Name] = {It->second.first, Origin.Offset - It->second.second};
    };
    for (unsigned I = 0; I < Source.Arguments.size(); ++I) {
      visit(Source.Arguments[I].Name);
      for (const AggregateMember &Member : Source.Members)
        if (Member.Argument == I)
          visit(Source.Arguments[I].Name + "." + Member.Name);
    }
    Site.Origins = std::move(Kept);
  }

  void addMembers(HostAnalysis &Host, const KernelSource &Source, unsigned I,
                  const clang::Expr *Argument, const CallFrame &F,
                  ProgramPoint Point, LaunchSite &Site) {
    const clang::Expr *E = stripCasts(Argument);
    if (const auto *Copy = llvm::dyn_cast<clang::CXXConstructExpr>(E);
        Copy && Copy->getNumArgs() == 1)
      E = Copy->getArg(0);
    AccessPath P = accessPathOf(E);
    if (!P.Base)
      return addInitialisedMembers(Host, Source, I, E, F, Point, Site);
    for (const AggregateMember &Member : Source.Members) {
      if (Member.Argument != I)
        continue;
      AccessPath Part = P;
      Part.Fields += "." + Member.Name;
      std::string Name = Source.Arguments[I].Name + "." + Member.Name;
      if (auto Origin = Host.Origins.of(Part, F, Point))
        Site.Origins[Name] = std::move(*Origin);
      // The size of a buffer is no value of the pointer to it.
      if (Member.Value.Kind == KernelArgument::Pointer)
        continue;
      if (Expr Value = Host.Variables.read(Part, F, Point).E)
        Site.Arguments[Name] = Value;
    }
  }

  /// Adds members of a structure that is made in the call: `V{p, 1, n}`.
  static void addInitialisedMembers(HostAnalysis &Host,
                                    const KernelSource &Source, unsigned I,
                                    const clang::Expr *Structure,
                                    const CallFrame &F, ProgramPoint Point,
                                    LaunchSite &Site) {
    for (const AggregateMember &Member : Source.Members) {
      if (Member.Argument != I)
        continue;
      std::string Name = Source.Arguments[I].Name + "." + Member.Name;
      const clang::Expr *Value =
          memberInitialiser(Structure, "." + Member.Name);
      if (!Value) { // no list of initialisers: made by a call
        if (Expr Number =
                Host.Variables.member(Structure, "." + Member.Name, F, Point).E;
            Number && Member.Value.Kind != KernelArgument::Pointer)
          Site.Arguments[Name] = Number;
        continue;
      }
      if (Value->getType()->isPointerType()) {
        if (auto Origin = Host.Origins.of(Value, F, Point))
          Site.Origins[Name] = std::move(*Origin);
      } else if (Expr Number = Host.Expressions.value(Value, F, Point)) {
        Site.Arguments[Name] = Number;
      }
    }
  }

  clang::CodeGenerator &Generator;
  clang::ASTContext &AST;
  const HostIndex &Index;
  TranslationUnit &Unit;
  llvm::StringMap<const KernelSource *> KernelsByName;
  CallChains Chains;
  std::vector<FoundLaunch> Found; ///< in source order
  /// Kernels of libraries that some call does not launch for its items.
  llvm::StringSet<> NotLaunched;
};

} // namespace

static void collectLibraryLaunches(const HostIndex &Index,
                                   llvm::ArrayRef<LibraryKernel> Library,
                                   LaunchCollector &Collector) {
  llvm::MapVector<const clang::FunctionDecl *,
                  std::vector<const clang::FunctionDecl *>>
      KernelsOf; // by entry
  for (const LibraryKernel &Reached : Library)
    for (const clang::FunctionDecl *Entry : Reached.Entries)
      KernelsOf[Entry].push_back(Reached.Kernel);
  auto Collect = [&](const HostFunction &F, const LibraryUse &Use) {
    auto Kernels = KernelsOf.find(Use.Callee);
    if (Kernels == KernelsOf.end())
      return;
    for (const clang::FunctionDecl *Kernel : Kernels->second)
      if (hasLaunchRule(*Kernel))
        Collector.collect(F, Use, *Kernel, Kernels->second);
  };
  for (const HostFunction *F : Index.InSourceOrder) {
    for (const CallSite &Call : F->Calls) {
      llvm::SmallVector<const clang::Expr *> Arguments(Call.Call->arguments());
      // The object of an operator of a class is its first argument.
      if (llvm::isa<clang::CXXOperatorCallExpr>(Call.Call) &&
          llvm::isa<clang::CXXMethodDecl>(Call.Callee))
        Arguments.erase(Arguments.begin());
      Collect(*F,
              {Call.Callee, Arguments, Call.Call->getBeginLoc(), Call.Point});
    }
    for (const ConstructionSite &Object : F->Constructions) {
      llvm::SmallVector<const clang::Expr *> Arguments(
          Object.Made->arguments());
      Collect(*F, {Object.Made->getConstructor()->getCanonicalDecl(), Arguments,
                   Object.Made->getBeginLoc(), Object.Point});
    }
  }
}

void collectLaunches(clang::CodeGenerator &Generator,
                     clang::ASTContext &Context,
                     llvm::ArrayRef<clang::Decl *> TopLevel,
                     llvm::ArrayRef<LibraryKernel> Library,
                     TranslationUnit &Unit) {
  if (Unit.Kernels.empty())
    return;
  HostIndex Index = buildHostIndex(Context, TopLevel);
  struct LaunchInSource {
    const HostFunction *Function;
    const CallSite *Launch;
    clang::SourceLocation Point;
    size_t Index; ///< instantiations of a template share a location
  };
  std::vector<LaunchInSource> Launches;
  const clang::SourceManager &Sources = Context.getSourceManager();
  for (const HostFunction *F : Index.InSourceOrder)
    for (const CallSite &Launch : F->Launches)
      Launches.push_back({F, &Launch,
                          Sources.getExpansionLoc(Launch.Call->getBeginLoc()),
                          Launches.size()});
  llvm::sort(Launches, [&](const LaunchInSource &A, const LaunchInSource &B) {
    return A.Point == B.Point
               ? A.Index < B.Index
               : Sources.isBeforeInTranslationUnit(A.Point, B.Point);
  });
  LaunchCollector Collector(Generator, Context, Index, Unit);
  for (const LaunchInSource &F : Launches)
    Collector.collect(*F.Function, *F.Launch);
  collectLibraryLaunches(Index, Library, Collector);
  Collector.finish();
}

} // namespace gpuestimate
