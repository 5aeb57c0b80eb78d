/// \file
/// Turns launches in host code into LaunchSites: one for each chain of calls
/// that gives other values.
#include "Launches.h"

#include "CallChains.h"
#include "Frontend/Source/Kernels.h"
#include "HostLoops.h"
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
                  const HostCode &Code, TranslationUnit &Unit)
      : Generator(Generator), AST(AST), Code(Code), Unit(Unit), Chains(Code) {
    for (const KernelSource &Kernel : Unit.Kernels)
      Known[Kernel.Mangled] = &Kernel;
  }

  void collect(const HostFunction &F, const CallSite &Launch) {
    std::vector<LaunchSite> Sites;
    bool TooMany = false;
    for (const Frame *Chain : Chains.to(F, TooMany)) {
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
  std::optional<LaunchSite> evaluate(const Frame &F, const CallSite &Launch) {
    LaunchSite Site;
    Site.Context = std::make_shared<ExprContext>();
    HostValues Values(AST, Code, *Site.Context);
    const clang::CallExpr &Call = *Launch.Call;
    Position At = Launch.At;

    const clang::FunctionDecl *Kernel = nullptr;
    const clang::Expr *Sizes[3] = {}; // grid, block, dynamic shared memory
    llvm::SmallVector<const clang::Expr *> Arguments;
    if (const auto *Chevron =
            llvm::dyn_cast<clang::CUDAKernelCallExpr>(&Call)) {
      Kernel = Values.kernelOf(Chevron->getCallee(), F, At);
      const clang::CallExpr *Config = Chevron->getConfig();
      for (unsigned I = 0; I < 3 && I < Config->getNumArgs(); ++I)
        Sizes[I] = Config->getArg(I);
      Arguments.append(Call.arg_begin(), Call.arg_end());
    } else if (Call.getNumArgs() >= 4) {
      // (kernel, grid, block, void *args[], shared bytes, stream)
      Kernel = Values.kernelOf(Call.getArg(0), F, At);
      Sizes[0] = Call.getArg(1);
      Sizes[1] = Call.getArg(2);
      Sizes[2] = Call.getNumArgs() > 4 ? Call.getArg(4) : nullptr;
      const auto *List = llvm::dyn_cast<clang::InitListExpr>(
          Values.resolve(Call.getArg(3), F, At));
      for (const clang::Expr *Init :
           List ? List->inits() : llvm::ArrayRef<clang::Expr *>()) {
        const auto *Address =
            llvm::dyn_cast_or_null<clang::UnaryOperator>(strip(Init));
        Arguments.push_back(Address && Address->getOpcode() == clang::UO_AddrOf
                                ? Address->getSubExpr()
                                : nullptr);
      }
    }
    if (!Kernel)
      return std::nullopt;
    Site.Kernel = Generator.GetMangledName(clang::GlobalDecl(Kernel)).str();
    auto It = Known.find(Site.Kernel);
    if (It == Known.end())
      return std::nullopt;

    Site.Location =
        presumedLocation(AST.getSourceManager(), Call.getBeginLoc());
    Site.Function = F.Function->Decl->getQualifiedNameAsString();
    Site.Grid = Values.dim3(Sizes[0], F, At);
    Site.Block = Values.dim3(Sizes[1], F, At);
    Site.DynamicSharedBytes =
        Sizes[2] ? Values.value(Sizes[2], F, At) : Site.Context->constant(0);
    const KernelSource &Source = *It->second;
    for (unsigned I = 0; I < Source.Arguments.size() && I < Arguments.size();
         ++I)
      if (Arguments[I])
        addArgument(Values, Source, I, Arguments[I], F, At, Site);

    describeLoops(Values, surroundings(F, At), parametersOf(Site), Site);
    for (const std::string &Name : parametersOf(Site)) {
      if (auto Query = Values.queries().find(Name);
          Query != Values.queries().end())
        Site.Queries[Name] = named(Query->second);
      if (auto Default = Values.defaults().find(Name);
          Default != Values.defaults().end())
        Site.Defaults[Name] = Default->second;
    }
    return Site;
  }

  OccupancyQuery named(const HostValues::Query &Query) {
    OccupancyQuery Result = Query.Asked;
    if (Query.Kernel)
      Result.Kernel =
          Generator.GetMangledName(clang::GlobalDecl(Query.Kernel)).str();
    return Result;
  }

  void addArgument(HostValues &Values, const KernelSource &Source, unsigned I,
                   const clang::Expr *Argument, const Frame &F, Position At,
                   LaunchSite &Site) {
    const KernelArgument &Parameter = Source.Arguments[I];
    auto set = [&](const std::string &Name, Expr Value) {
      if (Value)
        Site.Arguments[Name] = Value;
    };
    switch (Parameter.Kind) {
    case KernelArgument::Pointer:
      set(Parameter.Name, Values.bufferBytes(Argument, F, At));
      break;
    case KernelArgument::Integer:
    case KernelArgument::Real:
      set(Parameter.Name, Values.value(Argument, F, At));
      break;
    case KernelArgument::Aggregate:
      addMembers(Values, Source, I, Argument, F, At, Site);
      break;
    case KernelArgument::Texture:
      break;
    }
  }

  void addMembers(HostValues &Values, const KernelSource &Source, unsigned I,
                  const clang::Expr *Argument, const Frame &F, Position At,
                  LaunchSite &Site) {
    const clang::Expr *E = strip(Argument);
    if (const auto *Copy = llvm::dyn_cast<clang::CXXConstructExpr>(E);
        Copy && Copy->getNumArgs() == 1)
      E = Copy->getArg(0);
    Place P = placeOf(E);
    if (!P.Root)
      return;
    for (const AggregateMember &Member : Source.Members) {
      if (Member.Argument != I)
        continue;
      Place Part = P;
      Part.Path += "." + Member.Name;
      if (Expr Value = Values.read(Part, F, At).E)
        Site.Arguments[Source.Arguments[I].Name + "." + Member.Name] = Value;
    }
  }

  clang::CodeGenerator &Generator;
  clang::ASTContext &AST;
  const HostCode &Code;
  TranslationUnit &Unit;
  llvm::StringMap<const KernelSource *> Known;
  CallChains Chains;
};

} // namespace

void collectLaunches(clang::CodeGenerator &Generator,
                     clang::ASTContext &Context,
                     llvm::ArrayRef<clang::Decl *> TopLevel,
                     TranslationUnit &Unit) {
  if (Unit.Kernels.empty())
    return;
  HostCode Code = indexHostCode(Context, TopLevel);
  struct Found {
    const HostFunction *Function;
    const CallSite *Launch;
    clang::SourceLocation At;
    size_t Index; ///< instantiations of a template share a location
  };
  std::vector<Found> Launches;
  const clang::SourceManager &Sources = Context.getSourceManager();
  for (const HostFunction *F : Code.InOrder)
    for (const CallSite &Launch : F->Launches)
      Launches.push_back({F, &Launch,
                          Sources.getExpansionLoc(Launch.Call->getBeginLoc()),
                          Launches.size()});
  llvm::sort(Launches, [&](const Found &A, const Found &B) {
    return A.At == B.At ? A.Index < B.Index
                        : Sources.isBeforeInTranslationUnit(A.At, B.At);
  });
  LaunchCollector Collector(Generator, Context, Code, Unit);
  for (const Found &F : Launches)
    Collector.collect(*F.Function, *F.Launch);
}

} // namespace gpuestimate
