/// \file
/// Turns launches in host code into LaunchSites: one for each chain of calls
/// that gives other values.
#include "Launches.h"

#include "HostLoops.h"
#include "HostValues.h"
#include "Kernels.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// Chains of calls that are followed for one launch; a function that is called
/// in more ways keeps its parameters as unknowns.
constexpr unsigned MaxChains = 16, MaxChainDepth = 5;

class LaunchCollector {
public:
  LaunchCollector(clang::CodeGenerator &Generator, clang::ASTContext &AST,
                  const HostCode &Code, TranslationUnit &Unit)
      : Generator(Generator), AST(AST), Code(Code), Unit(Unit) {
    for (const KernelSource &Kernel : Unit.Kernels)
      Known[Kernel.Mangled] = &Kernel;
  }

  void collect(const HostFunction &F, const CallSite &Launch) {
    std::vector<LaunchSite> Sites;
    bool TooMany = false;
    for (const Frame *Chain : chainsTo(F, TooMany)) {
      std::optional<LaunchSite> Site = evaluate(*Chain, Launch);
      if (!Site)
        return;
      if (TooMany)
        Site->Repeats = {};
      if (!addIfSame(Sites, *Site))
        Sites.push_back(std::move(*Site));
    }
    for (LaunchSite &Site : Sites)
      Unit.Launches.push_back(std::move(Site));
  }

private:
  /// The innermost frame of each chain of calls that ends in F.
  std::vector<const Frame *> chainsTo(const HostFunction &F, bool &TooMany) {
    std::vector<const Frame *> Result;
    std::vector<const HostFunction *> Path = {&F};
    extend(Path, {}, Result, TooMany);
    if (TooMany || Result.empty()) {
      Frames.push_back({&F, nullptr, {}, nullptr, 0});
      return {&Frames.back()};
    }
    return Result;
  }

  struct Step {
    const HostFunction *Caller;
    const CallSite *Call;
  };
  /// Path.back() is the outermost function so far; Steps lead inward from it.
  void extend(std::vector<const HostFunction *> &Path, std::vector<Step> Steps,
              std::vector<const Frame *> &Result, bool &TooMany) {
    const HostFunction *Outer = Path.back();
    auto It = Code.Callers.find(Outer->Decl->getCanonicalDecl());
    bool Extended = false;
    if (It != Code.Callers.end() && Path.size() <= MaxChainDepth)
      for (const auto &[Caller, Call] : It->second) {
        if (llvm::is_contained(Path, Caller))
          continue; // recursion
        Extended = true;
        Path.push_back(Caller);
        Steps.push_back({Caller, &Call});
        extend(Path, Steps, Result, TooMany);
        Steps.pop_back();
        Path.pop_back();
        if (TooMany)
          return;
      }
    if (Extended)
      return;
    if (Result.size() == MaxChains) {
      TooMany = true;
      return;
    }
    Frames.push_back({Outer, nullptr, {}, nullptr, 0});
    const Frame *Current = &Frames.back();
    for (size_t I = Steps.size(); I-- > 0;) {
      const HostFunction *Callee = I == 0 ? Path[0] : Steps[I - 1].Caller;
      Frames.push_back({Callee, Steps[I].Call->Call, Steps[I].Call->At, Current,
                        Current->Depth + 1});
      Current = &Frames.back();
    }
    Result.push_back(Current);
  }

  const clang::FunctionDecl *kernelOf(HostValues &Values,
                                      const clang::Expr *Callee, const Frame &F,
                                      Position At) {
    const clang::Expr *E = Values.resolve(Callee, F, At);
    if (const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
        Address && Address->getOpcode() == clang::UO_AddrOf)
      E = strip(Address->getSubExpr());
    const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E);
    const auto *Kernel =
        Reference ? llvm::dyn_cast<clang::FunctionDecl>(Reference->getDecl())
                  : nullptr;
    return Kernel && Kernel->hasAttr<clang::CUDAGlobalAttr>() ? Kernel
                                                              : nullptr;
  }

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
      Kernel = kernelOf(Values, Chevron->getCallee(), F, At);
      const clang::CallExpr *Config = Chevron->getConfig();
      for (unsigned I = 0; I < 3 && I < Config->getNumArgs(); ++I)
        Sizes[I] = Config->getArg(I);
      Arguments.append(Call.arg_begin(), Call.arg_end());
    } else if (Call.getNumArgs() >= 4) {
      // (kernel, grid, block, void *args[], shared bytes, stream)
      Kernel = kernelOf(Values, Call.getArg(0), F, At);
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
    for (const std::string &Name : parametersOf(Site))
      if (auto Default = Values.defaults().find(Name);
          Default != Values.defaults().end())
        Site.Defaults[Name] = Default->second;
    return Site;
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

  static std::vector<std::string> parametersOf(const LaunchSite &Site) {
    std::vector<std::string> Names;
    auto add = [&](Expr E) {
      if (E)
        for (std::string &Name : E.parameters())
          Names.push_back(std::move(Name));
    };
    for (unsigned I = 0; I < 3; ++I) {
      add(Site.Grid[I]);
      add(Site.Block[I]);
    }
    add(Site.DynamicSharedBytes);
    for (const auto &Argument : Site.Arguments)
      add(Argument.getValue());
    std::sort(Names.begin(), Names.end());
    Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
    return Names;
  }

  static std::string text(Expr E) { return E ? E.str() : "?"; }
  static std::string fingerprint(const LaunchSite &Site) {
    std::string Result;
    for (unsigned I = 0; I < 3; ++I)
      Result += text(Site.Grid[I]) + "," + text(Site.Block[I]) + ";";
    Result += text(Site.DynamicSharedBytes);
    std::vector<std::string> Arguments;
    for (const auto &Argument : Site.Arguments)
      Arguments.push_back(
          (";" + Argument.getKey() + "=" + text(Argument.getValue())).str());
    std::sort(Arguments.begin(), Arguments.end());
    for (const std::string &Argument : Arguments)
      Result += Argument;
    for (const LaunchVariant &Variant : Site.Variants) {
      std::vector<std::string> Values;
      for (const auto &Value : Variant.Values)
        Values.push_back(
            (Value.getKey() + "=" + std::to_string(Value.getValue())).str());
      std::sort(Values.begin(), Values.end());
      for (const std::string &Value : Values)
        Result += ";" + Value;
    }
    return Result;
  }

  /// Two ways to the same launch with the same values are one launch that is
  /// made more often.
  static bool addIfSame(std::vector<LaunchSite> &Sites, const LaunchSite &New) {
    for (LaunchSite &Old : Sites) {
      if (fingerprint(Old) != fingerprint(New))
        continue;
      Old.Repeats = Old.Repeats && New.Repeats
                        ? Old.Repeats + Old.Context->import(New.Repeats)
                        : Expr();
      for (unsigned I = 0; I < Old.Variants.size(); ++I)
        Old.Variants[I].Weight += New.Variants[I].Weight;
      return true;
    }
    return false;
  }

  clang::CodeGenerator &Generator;
  clang::ASTContext &AST;
  const HostCode &Code;
  TranslationUnit &Unit;
  llvm::StringMap<const KernelSource *> Known;
  std::deque<Frame> Frames;
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
