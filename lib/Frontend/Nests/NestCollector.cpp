/// \file
/// Finds the loops of directives and describes their variables.
#include "NestCollector.h"

#include "Frontend/Host/CallChains.h"
#include "Frontend/Host/IterationSpace.h"
#include "Frontend/Host/LaunchSites.h"
#include "Frontend/Source/AtomicLines.h"
#include "Frontend/Source/Kernels.h"
#include "gpu-estimate/Support/Suggest.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace gpuestimate {

namespace {

using Variables = llvm::SetVector<const clang::VarDecl *>;

/// The loops of a function in source order, and its variables.
struct FunctionLoops {
  struct Loop {
    const clang::ForStmt *Statement;
    int Parent; ///< index, or -1
    std::string Variable;
  };
  std::vector<Loop> Loops;
  Variables Used; ///< declared in the function, or global and named in it

  bool within(int Inner, int Outer) const {
    for (; Inner >= 0; Inner = Loops[Inner].Parent)
      if (Inner == Outer)
        return true;
    return false;
  }
};

std::string counterOf(const clang::ForStmt &For) {
  const clang::Expr *Target = nullptr;
  if (const auto *Step = llvm::dyn_cast_or_null<clang::Expr>(For.getInc())) {
    const clang::Expr *E = stripCasts(Step);
    if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E))
      Target = Unary->getSubExpr();
    else if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E))
      Target = Binary->getLHS();
    else if (const auto *Call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(E))
      Target = Call->getArg(0);
  }
  AccessPath P = Target ? accessPathOf(Target) : AccessPath();
  return P.Base ? P.Base->getNameAsString() : "";
}

void walk(const clang::Stmt *S, int Parent, FunctionLoops &F) {
  if (!S)
    return;
  // The body of an OpenMP construct.
  if (const auto *Captured = llvm::dyn_cast<clang::CapturedStmt>(S))
    return walk(Captured->getCapturedStmt(), Parent, F);
  if (const auto *For = llvm::dyn_cast<clang::ForStmt>(S)) {
    F.Loops.push_back({For, Parent, counterOf(*For)});
    Parent = static_cast<int>(F.Loops.size()) - 1;
  }
  if (const auto *Decls = llvm::dyn_cast<clang::DeclStmt>(S))
    for (const clang::Decl *D : Decls->decls())
      if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(D))
        F.Used.insert(Variable->getCanonicalDecl());
  if (const auto *Name = llvm::dyn_cast<clang::DeclRefExpr>(S))
    if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Name->getDecl()))
      F.Used.insert(Variable->getCanonicalDecl());
  for (const clang::Stmt *Child : S->children())
    walk(Child, Parent, F);
}

class NestCollector {
public:
  NestCollector(clang::CodeGenerator &Generator, clang::ASTContext &AST,
                const HostIndex &Index,
                llvm::ArrayRef<clang::SourceLocation> Atomics,
                TranslationUnit &Unit)
      : Generator(Generator), AST(AST), Sources(AST.getSourceManager()),
        Index(Index), Atomics(Atomics), Unit(Unit), Chains(Index) {}

  void marked(llvm::ArrayRef<LoopPragma> Pragmas);
  void requested(const OffloadRequest &Request);

private:
  const FunctionLoops &loopsOf(const HostFunction &F);
  void add(const HostFunction &F, int Root, NestDirective Directive);
  int rootOf(const FunctionLoops &Loops, int First,
             const NestDirective &Directive, std::string &Problem) const;
  void describe(const HostFunction &F, int Root, HostLoopNest &Nest);
  std::optional<NestSite> evaluate(const CallFrame &F, int Root,
                                   const HostLoopNest &Nest,
                                   llvm::ArrayRef<const clang::VarDecl *> Vars);
  void refuse(std::string Name, SourceLocation Location, std::string Reason) {
    Unit.Refused.push_back({std::move(Name), "", Location, std::move(Reason)});
  }
  SourceLocation locationOf(const FunctionLoops::Loop &L) const {
    return presumedLocation(Sources, L.Statement->getBeginLoc());
  }

  clang::CodeGenerator &Generator;
  clang::ASTContext &AST;
  const clang::SourceManager &Sources;
  const HostIndex &Index;
  llvm::ArrayRef<clang::SourceLocation> Atomics; ///< directives
  TranslationUnit &Unit;
  CallChains Chains;
  std::map<const HostFunction *, FunctionLoops> LoopsByFunction;
};

} // namespace

const FunctionLoops &NestCollector::loopsOf(const HostFunction &F) {
  auto [It, New] = LoopsByFunction.try_emplace(&F);
  if (New) {
    for (const clang::ParmVarDecl *Parameter : F.Decl->parameters())
      It->second.Used.insert(
          llvm::cast<clang::VarDecl>(Parameter->getCanonicalDecl()));
    walk(F.Decl->getBody(), -1, It->second);
  }
  return It->second;
}

/// The outermost loop that grid() lists, or the first loop without grid().
int NestCollector::rootOf(const FunctionLoops &Loops, int First,
                          const NestDirective &Directive,
                          std::string &Problem) const {
  int Root = -1;
  for (const std::string &Name : Directive.Grid) {
    int Match = -1;
    std::vector<std::string> Names;
    for (size_t I = First; I < Loops.Loops.size(); ++I) {
      if (!Loops.within(I, First))
        continue;
      Names.push_back(Loops.Loops[I].Variable);
      if (Loops.Loops[I].Variable == Name && Match < 0)
        Match = I;
    }
    if (Match < 0) {
      Problem = "grid(): no loop of the nest has the counter '" + Name + "'" +
                didYouMean(Name, Names);
      return -1;
    }
    if (Root < 0 || Loops.within(Root, Match))
      Root = Match;
  }
  return Root < 0 ? First : Root;
}

void NestCollector::add(const HostFunction &F, int Root,
                        NestDirective Directive) {
  HostLoopNest Nest;
  Nest.FunctionName = F.Decl->getQualifiedNameAsString();
  Nest.Function = Generator.GetMangledName(clang::GlobalDecl(F.Decl)).str();
  Nest.Directive = std::move(Directive);
  describe(F, Root, Nest);
  Unit.Nests.push_back(std::move(Nest));
}

void NestCollector::describe(const HostFunction &F, int Root,
                             HostLoopNest &Nest) {
  const FunctionLoops &Function = loopsOf(F);
  std::map<int, int> NewIndex;
  for (int I = Root; I < static_cast<int>(Function.Loops.size()); ++I) {
    if (!Function.within(I, Root))
      continue;
    const FunctionLoops::Loop &L = Function.Loops[I];
    NewIndex[I] = static_cast<int>(Nest.Loops.size());
    Nest.Loops.push_back(
        {locationOf(L), L.Variable, I == Root ? -1 : NewIndex[L.Parent]});
  }

  const clang::ForStmt *Loop = Function.Loops[Root].Statement;
  Nest.AtomicLines = linesOfAtomics(Sources, *Loop, Atomics);
  clang::SourceRange Range = Loop->getSourceRange();
  std::vector<const clang::VarDecl *> Vars;
  for (const clang::VarDecl *V : Function.Used) {
    bool Inside =
        V->isLocalVarDecl() && !V->isStaticLocal() &&
        !Sources.isBeforeInTranslationUnit(V->getLocation(),
                                           Range.getBegin()) &&
        !Sources.isBeforeInTranslationUnit(Range.getEnd(), V->getLocation());
    if (Inside || V->getType()->isDependentType())
      continue;
    Vars.push_back(V);
    NestVariable &Variable = Nest.Variables.emplace_back();
    Variable.Argument = describeVariable(AST, *V);
    Variable.Location = presumedLocation(Sources, V->getLocation());
    Variable.Global = V->hasGlobalStorage();
    listMembers(AST, V->getType(), 0, 0, "", Variable.Members);
  }

  bool TooMany = false;
  for (const CallFrame *Chain : Chains.to(F, TooMany)) {
    std::optional<NestSite> Site = evaluate(*Chain, Root, Nest, Vars);
    if (!Site)
      continue;
    if (TooMany)
      Site->Site.Repeats = {};
    auto Like = llvm::find_if(Nest.Sites, [&](const NestSite &Other) {
      return fingerprint(Other.Site) == fingerprint(Site->Site);
    });
    if (Like == Nest.Sites.end())
      Nest.Sites.push_back(std::move(*Site));
    else
      addRepeats(Like->Site, Site->Site);
  }
}

std::optional<NestSite>
NestCollector::evaluate(const CallFrame &F, int Root, const HostLoopNest &Nest,
                        llvm::ArrayRef<const clang::VarDecl *> Vars) {
  const FunctionLoops &Function = loopsOf(*F.Function);
  auto scopeOf = [&](const clang::Stmt *S) -> const Scope * {
    for (const Scope &Candidate : F.Function->Scopes)
      if (Candidate.Kind == Scope::Loop && Candidate.Statement == S)
        return &Candidate;
    return nullptr;
  };
  const Scope *Outer = scopeOf(Function.Loops[Root].Statement);
  if (!Outer) // in a branch that this instantiation does not have
    return std::nullopt;
  ProgramPoint Before{Outer->FirstOrder, Outer->Parent};

  NestSite Result;
  LaunchSite &Site = Result.Site;
  Site.Context = std::make_shared<ExprContext>();
  HostAnalysis Host(AST, Index, *Site.Context);
  Site.Location = Nest.Loops.front().Location;
  Site.Function = Nest.FunctionName;
  for (size_t I = 0; I < Vars.size(); ++I) {
    const KernelArgument &Argument = Nest.Variables[I].Argument;
    Expr Value;
    if (Argument.Kind == KernelArgument::Pointer)
      Value = Host.Buffers.bytes(*Vars[I], F);
    else if (Argument.Kind == KernelArgument::Integer ||
             Argument.Kind == KernelArgument::Real)
      Value =
          Host.Variables.read({Vars[I]->getCanonicalDecl(), ""}, F, Before).E;
    for (const AggregateMember &Member : Nest.Variables[I].Members)
      if (Expr Part =
              Host.Variables
                  .read({Vars[I]->getCanonicalDecl(), "." + Member.Name}, F,
                        Before)
                  .E)
        Site.Arguments[Argument.Name + "." + Member.Name] = Part;
    if (Value)
      Site.Arguments[Argument.Name] = Value;
  }

  EnclosingRegions Around = enclosingRegions(F, Before);
  std::vector<std::string> Used = parametersOf(Site);
  for (const FunctionLoops::Loop &L :
       llvm::ArrayRef(Function.Loops).drop_front(Root)) {
    if (!Function.within(static_cast<int>(&L - Function.Loops.data()), Root))
      continue;
    const Scope *Inner = scopeOf(L.Statement);
    Expr Extent;
    if (Inner) {
      EnclosingRegions To = enclosingRegions(F, {Inner->FirstOrder + 1, Inner});
      IterationSpace Loops(Host, To);
      Extent = Loops.extent(Loops.size() - 1, Around.Loops.size());
    }
    if (Extent)
      llvm::append_range(Used, Extent.parameters());
    Result.Extents.push_back(Extent);
  }
  llvm::sort(Used);
  Used.erase(std::unique(Used.begin(), Used.end()), Used.end());
  describeLoops(Host, Around, Used, Site);
  for (const std::string &Name : Used)
    if (auto Default = Host.Symbols.defaults().find(Name);
        Default != Host.Symbols.defaults().end())
      Site.Defaults[Name] = Default->second;
  return Result;
}

void NestCollector::marked(llvm::ArrayRef<LoopPragma> Pragmas) {
  for (const LoopPragma &P : Pragmas) {
    SourceLocation Location = presumedLocation(Sources, P.Location);
    if (!P.Problem.empty()) {
      refuse("#pragma gpu_estimate", Location, P.Problem);
      continue;
    }
    // The first loop after the directive in its function.
    const HostFunction *Function = nullptr;
    int First = -1;
    for (const HostFunction *F : Index.InSourceOrder) {
      clang::SourceRange Body = F->Decl->getSourceRange();
      if (Sources.isBeforeInTranslationUnit(P.Location, Body.getBegin()) ||
          Sources.isBeforeInTranslationUnit(Body.getEnd(), P.Location))
        continue;
      const FunctionLoops &Loops = loopsOf(*F);
      for (size_t I = 0; I < Loops.Loops.size() && First < 0; ++I)
        if (Sources.isBeforeInTranslationUnit(
                P.Location, Loops.Loops[I].Statement->getBeginLoc()))
          First = I;
      if (First >= 0) {
        Function = F;
        break;
      }
    }
    NestDirective Directive = P.Directive;
    Directive.Location = Location;
    if (!Function) {
      if (Directive.Origin == NestDirective::Pragma)
        refuse(Directive.Name.empty() ? "#pragma gpu_estimate" : Directive.Name,
               Location, "no 'for' follows the directive");
      continue;
    }
    std::string Problem;
    int Root = rootOf(loopsOf(*Function), First, Directive, Problem);
    if (Root < 0)
      refuse("#pragma gpu_estimate", Location, Problem);
    else
      add(*Function, Root, std::move(Directive));
  }
}

void NestCollector::requested(const OffloadRequest &Request) {
  std::vector<std::string> Names;
  for (const HostFunction *F : Index.InSourceOrder)
    Names.push_back(F->Decl->getQualifiedNameAsString());
  for (const OffloadTarget &Target : Request.Targets) {
    bool FoundFunction = false, FoundLoop = false;
    for (size_t I = 0; I < Names.size(); ++I) {
      if (Names[I] != Target.Function)
        continue;
      FoundFunction = true;
      const FunctionLoops &Loops = loopsOf(*Index.InSourceOrder[I]);
      for (size_t L = 0; L < Loops.Loops.size(); ++L) {
        const FunctionLoops::Loop &Loop = Loops.Loops[L];
        bool Wanted =
            Target.Loop.empty()
                ? Loop.Parent < 0
                : Loop.Variable == Target.Loop ||
                      std::to_string(locationOf(Loop).Line) == Target.Loop;
        if (!Wanted)
          continue;
        NestDirective Directive;
        Directive.Origin = NestDirective::CommandLine;
        add(*Index.InSourceOrder[I], static_cast<int>(L), std::move(Directive));
        FoundLoop = true;
        if (!Target.Loop.empty())
          break;
      }
    }
    std::string Spelled =
        Target.Function + (Target.Loop.empty() ? "" : ":" + Target.Loop);
    if (!FoundFunction)
      refuse(Spelled, {},
             "--offload " + Spelled +
                 ": the file has no function of this name" +
                 didYouMean(Target.Function, Names));
    else if (!FoundLoop)
      refuse(Spelled, {},
             "--offload " + Spelled + ": the function has no such 'for' loop");
  }
  if (!Request.Propose)
    return;
  for (const HostFunction *F : Index.InSourceOrder) {
    const FunctionLoops &Loops = loopsOf(*F);
    for (size_t L = 0; L < Loops.Loops.size(); ++L)
      add(*F, static_cast<int>(L), NestDirective());
  }
}

void collectLoopNests(clang::CodeGenerator &Generator,
                      clang::ASTContext &Context,
                      llvm::ArrayRef<clang::Decl *> TopLevel,
                      const LoopPragmas &Pragmas, const OffloadRequest &Request,
                      TranslationUnit &Unit) {
  if (Pragmas.Loops.empty() && Request.Targets.empty() && !Request.Propose)
    return;
  HostIndex Index = buildHostIndex(Context, TopLevel);
  NestCollector Collector(Generator, Context, Index, Pragmas.Atomics, Unit);
  Collector.marked(Pragmas.Loops);
  Collector.requested(Request);
}

} // namespace gpuestimate
