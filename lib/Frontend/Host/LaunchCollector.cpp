/// \file
/// Evaluates launches: one LaunchSite for each chain of calls with different
/// values.
#include "LaunchCollector.h"

#include "CallChains.h"
#include "EnclosingLoops.h"
#include "Frontend/Source/Kernels.h"
#include "LaunchSites.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"

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
    std::vector<LaunchSite> Sites;
    bool TooMany = false;
    for (const CallFrame *Chain : Chains.to(F, TooMany)) {
      std::optional<LaunchSite> Site = evaluate(*Chain, Launch);
      if (!Site)
        return;
      if (TooMany)
        Site->Repeats = {};
      auto Like = llvm::find_if(Sites, [&](const LaunchSite &Other) {
        return fingerprint(Other) == fingerprint(*Site);
      });
      if (Like == Sites.end())
        Sites.push_back(std::move(*Site));
      else
        addRepeats(*Like, *Site);
    }
    for (LaunchSite &Site : Sites)
      Unit.Launches.push_back(std::move(Site));
  }

private:
  std::optional<LaunchSite> evaluate(const CallFrame &F,
                                     const CallSite &Launch) {
    LaunchSite Site;
    Site.Context = std::make_shared<ExprContext>();
    HostAnalysis Host(AST, Index, *Site.Context);
    const clang::CallExpr &Call = *Launch.Call;
    ProgramPoint Point = Launch.Point;

    const clang::FunctionDecl *Kernel = nullptr;
    const clang::Expr *Sizes[3] = {}; // grid, block, dynamic shared memory
    llvm::SmallVector<const clang::Expr *> Arguments;
    if (const auto *Chevron =
            llvm::dyn_cast<clang::CUDAKernelCallExpr>(&Call)) {
      Kernel = Host.Device.kernelOf(Chevron->getCallee(), F, Point);
      const clang::CallExpr *Config = Chevron->getConfig();
      for (unsigned I = 0; I < 3 && I < Config->getNumArgs(); ++I)
        Sizes[I] = Config->getArg(I);
      Arguments.append(Call.arg_begin(), Call.arg_end());
    } else if (Call.getNumArgs() >= 4) {
      // (kernel, grid, block, void *args[], shared bytes, stream)
      Kernel = Host.Device.kernelOf(Call.getArg(0), F, Point);
      Sizes[0] = Call.getArg(1);
      Sizes[1] = Call.getArg(2);
      Sizes[2] = Call.getNumArgs() > 4 ? Call.getArg(4) : nullptr;
      const auto *List = llvm::dyn_cast<clang::InitListExpr>(
          Host.Variables.resolve(Call.getArg(3), F, Point));
      for (const clang::Expr *Init :
           List ? List->inits() : llvm::ArrayRef<clang::Expr *>()) {
        const auto *Address =
            llvm::dyn_cast_or_null<clang::UnaryOperator>(stripCasts(Init));
        Arguments.push_back(Address && Address->getOpcode() == clang::UO_AddrOf
                                ? Address->getSubExpr()
                                : nullptr);
      }
    }
    if (!Kernel)
      return std::nullopt;
    Site.Kernel = Generator.GetMangledName(clang::GlobalDecl(Kernel)).str();
    auto It = KernelsByName.find(Site.Kernel);
    if (It == KernelsByName.end())
      return std::nullopt;

    Site.Location =
        presumedLocation(AST.getSourceManager(), Call.getBeginLoc());
    Site.Function = F.Function->Decl->getQualifiedNameAsString();
    Site.Grid = Host.Expressions.dim3(Sizes[0], F, Point);
    Site.Block = Host.Expressions.dim3(Sizes[1], F, Point);
    Site.DynamicSharedBytes = Sizes[2]
                                  ? Host.Expressions.value(Sizes[2], F, Point)
                                  : Site.Context->constant(0);
    const KernelSource &Source = *It->second;
    for (unsigned I = 0; I < Source.Arguments.size() && I < Arguments.size();
         ++I)
      if (Arguments[I])
        addArgument(Host, Source, I, Arguments[I], F, Point, Site);
    keepSharedBuffers(Source, Site);

    describeLoops(Host, enclosingRegions(F, Point), parametersOf(Site), Site);
    // Last: what it evaluates may contain random draws.
    for (unsigned I = 0; I < Source.Arguments.size() && I < Arguments.size();
         ++I)
      if (Arguments[I] && Source.Arguments[I].Kind == KernelArgument::Pointer)
        if (auto Contents = Host.Contents.of(Arguments[I], F, Point))
          Site.Contents[Source.Arguments[I].Name] = std::move(*Contents);
    for (const std::string &Name : parametersOf(Site)) {
      if (auto Query = Host.Device.queries().find(Name);
          Query != Host.Device.queries().end())
        Site.Queries[Name] = named(Query->second);
      if (auto Default = Host.Symbols.defaults().find(Name);
          Default != Host.Symbols.defaults().end())
        Site.Defaults[Name] = Default->second;
    }
    return Site;
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
      return;
    for (const AggregateMember &Member : Source.Members) {
      if (Member.Argument != I)
        continue;
      AccessPath Part = P;
      Part.Fields += "." + Member.Name;
      std::string Name = Source.Arguments[I].Name + "." + Member.Name;
      if (auto Origin = Host.Origins.of(Part, F, Point))
        Site.Origins[Name] = std::move(*Origin);
      if (Expr Value = Host.Variables.read(Part, F, Point).E)
        Site.Arguments[Name] = Value;
    }
  }

  clang::CodeGenerator &Generator;
  clang::ASTContext &AST;
  const HostIndex &Index;
  TranslationUnit &Unit;
  llvm::StringMap<const KernelSource *> KernelsByName;
  CallChains Chains;
};

} // namespace

void collectLaunches(clang::CodeGenerator &Generator,
                     clang::ASTContext &Context,
                     llvm::ArrayRef<clang::Decl *> TopLevel,
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
}

} // namespace gpuestimate
