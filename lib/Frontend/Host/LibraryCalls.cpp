/// \file
/// Searches the calls of host functions, through instantiations of system
/// headers, for kernels that these headers define.
#include "LibraryCalls.h"

#include "Frontend/Source/Functions.h"
#include "Frontend/Source/Kernels.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuestimate {

namespace {

/// Functions that a body refers to, with the places.
class ReferenceFinder : public clang::RecursiveASTVisitor<ReferenceFinder> {
public:
  using Callback = llvm::function_ref<void(const clang::FunctionDecl &,
                                           clang::SourceLocation)>;
  explicit ReferenceFinder(Callback OnReference) : OnReference(OnReference) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    return visit(E->getDecl(), E->getBeginLoc());
  }
  bool VisitMemberExpr(clang::MemberExpr *E) {
    return visit(E->getMemberDecl(), E->getBeginLoc());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *E) {
    return visit(E->getConstructor(), E->getBeginLoc());
  }

private:
  bool visit(const clang::Decl *D, clang::SourceLocation Location) {
    if (const auto *Function = llvm::dyn_cast_or_null<clang::FunctionDecl>(D))
      OnReference(*Function->getCanonicalDecl(), Location);
    return true;
  }

  Callback OnReference;
};

bool isHostCode(const clang::FunctionDecl &F) {
  return !F.hasAttr<clang::CUDAGlobalAttr>() &&
         (!F.hasAttr<clang::CUDADeviceAttr>() ||
          F.hasAttr<clang::CUDAHostAttr>());
}

/// The calls of host functions as a graph, searched from its kernels upward.
class CallGraph {
public:
  CallGraph(clang::ASTContext &Context, TranslationUnit &Unit)
      : Context(Context), Sources(Context.getSourceManager()), Unit(Unit) {}

  void addUserFunction(const clang::FunctionDecl &F);
  /// Walks what the user's functions refer to in system headers.
  void addLibraries();
  /// The functions that the user calls to reach the kernel, if any are found.
  std::vector<const clang::FunctionDecl *>
  entriesOf(const clang::FunctionDecl &Kernel) const;
  /// The user's calls of such functions.
  std::vector<LibraryCall>
  callsOf(llvm::ArrayRef<const clang::FunctionDecl *> Entries) const;
  LibraryCall inclusion(const clang::FunctionDecl &Kernel) const;

private:
  using Function = const clang::FunctionDecl *;
  /// Beyond this number the headers are not searched further, and kernels are
  /// reported where their header is included.
  static constexpr size_t MaxFunctions = 100000;

  bool isOfUser(const clang::Decl &D) const {
    return !Sources.isInSystemHeader(Sources.getExpansionLoc(D.getLocation()));
  }
  LibraryCall call(const clang::FunctionDecl &Callee,
                   clang::SourceLocation Location) const;

  clang::ASTContext &Context;
  const clang::SourceManager &Sources;
  TranslationUnit &Unit;
  llvm::MapVector<Function, std::vector<clang::SourceLocation>> UserCalls;
  llvm::DenseMap<Function, std::vector<Function>> Callers;
};

} // namespace

/// The name as the user writes it: without inline namespaces, and a constructor
/// as its class.
static std::string userName(const clang::ASTContext &Context,
                            const clang::FunctionDecl &F) {
  const clang::NamedDecl *Named = &F;
  if (const auto *Constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&F))
    Named = Constructor->getParent();
  clang::PrintingPolicy Policy(Context.getPrintingPolicy());
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Named->printQualifiedName(OS, Policy);
  return Name;
}

LibraryCall CallGraph::call(const clang::FunctionDecl &Callee,
                            clang::SourceLocation Location) const {
  return {userName(Context, Callee), presumedLocation(Sources, Location)};
}

/// Removes the name of a library without source that the name of a function of
/// it begins with; false if F is no such function.
static bool consumeLibrary(const clang::FunctionDecl &F,
                           llvm::StringRef &Name) {
  if (!F.getDeclName().isIdentifier())
    return false;
  Name = F.getName();
  static constexpr llvm::StringLiteral Prefixes[] = {
      "cublasLt", "cublasXt",   "cublas",     "cufft",     "cudnn",
      "cusparse", "cusolverDn", "cusolverSp", "cusolverRf"};
  return llvm::any_of(Prefixes,
                      [&](auto Prefix) { return Name.consume_front(Prefix); });
}

/// A function of such a library that starts work on the GPU: all but handles,
/// descriptors, plans and sizes of buffers.
static bool isLibraryWork(const clang::FunctionDecl &F) {
  llvm::StringRef Name;
  if (!consumeLibrary(F, Name))
    return false;
  static constexpr llvm::StringLiteral Management[] = {
      "Create",     "Destroy", "Set",      "Get",      "Plan",  "MakePlan",
      "Init",       "Logger",  "Shutdown", "Estimate", "XtSet", "XtGet",
      "XtMakePlan", "XtFree",  "XtMalloc", "XtQuery",  "Free"};
  return llvm::none_of(Management,
                       [&](auto Start) { return Name.starts_with(Start); }) &&
         !Name.contains_insensitive("bufferSize") &&
         !Name.contains("WorkspaceSize");
}

void CallGraph::addUserFunction(const clang::FunctionDecl &F) {
  llvm::StringRef Name;
  if (!isHostCode(F) || consumeLibrary(F, Name)) // or an overload of a header
    return;
  auto OnReference = [&](const clang::FunctionDecl &Callee,
                         clang::SourceLocation Location) {
    if (isLibraryWork(Callee))
      Unit.NotModelled.push_back(call(Callee, Location));
    else if (!isOfUser(Callee))
      UserCalls[&Callee].push_back(Location);
  };
  ReferenceFinder(OnReference).TraverseStmt(F.getBody());
}

void CallGraph::addLibraries() {
  std::vector<Function> Work;
  llvm::SmallPtrSet<Function, 0> Seen;
  auto Visit = [&](Function F) {
    if (Seen.size() < MaxFunctions && Seen.insert(F).second)
      Work.push_back(F);
  };
  for (const auto &[Callee, Places] : UserCalls)
    Visit(Callee);
  while (!Work.empty()) {
    Function Caller = Work.back();
    Work.pop_back();
    const clang::FunctionDecl *Definition = Caller->getDefinition();
    if (!Definition || !isHostCode(*Definition))
      continue;
    auto OnReference = [&](const clang::FunctionDecl &Callee,
                           clang::SourceLocation) {
      if (isOfUser(Callee))
        return;
      Callers[&Callee].push_back(Caller);
      Visit(&Callee);
    };
    ReferenceFinder Finder(OnReference);
    Finder.TraverseStmt(Definition->getBody());
    if (const auto *Constructor =
            llvm::dyn_cast<clang::CXXConstructorDecl>(Definition))
      for (const clang::CXXCtorInitializer *Init : Constructor->inits())
        Finder.TraverseStmt(Init->getInit());
  }
}

/// The place in the user's source that includes the header of a kernel.
LibraryCall CallGraph::inclusion(const clang::FunctionDecl &Kernel) const {
  clang::SourceLocation Place = Sources.getExpansionLoc(Kernel.getLocation());
  while (Place.isValid() && Sources.isInSystemHeader(Place))
    Place = Sources.getIncludeLoc(Sources.getFileID(Place));
  return call(Kernel, Place);
}

std::vector<const clang::FunctionDecl *>
CallGraph::entriesOf(const clang::FunctionDecl &Kernel) const {
  std::vector<Function> Work{Kernel.getCanonicalDecl()};
  llvm::SmallPtrSet<Function, 16> Seen(Work.begin(), Work.end());
  std::vector<Function> Entries;
  while (!Work.empty()) {
    Function Callee = Work.back();
    Work.pop_back();
    if (UserCalls.contains(Callee))
      Entries.push_back(Callee);
    if (auto Entry = Callers.find(Callee); Entry != Callers.end())
      for (Function Caller : Entry->second)
        if (Seen.insert(Caller).second)
          Work.push_back(Caller);
  }
  return Entries;
}

std::vector<LibraryCall>
CallGraph::callsOf(llvm::ArrayRef<const clang::FunctionDecl *> Entries) const {
  std::vector<LibraryCall> Calls;
  for (Function Callee : Entries)
    for (clang::SourceLocation Location : UserCalls.find(Callee)->second)
      Calls.push_back(call(*Callee, Location));
  auto Key = [](const LibraryCall &C) {
    return std::tie(C.Location.File, C.Location.Line, C.Location.Column,
                    C.Function);
  };
  llvm::sort(Calls, [&](const LibraryCall &A, const LibraryCall &B) {
    return Key(A) < Key(B);
  });
  // Instantiations of a function of the user share its lines.
  Calls.erase(std::unique(Calls.begin(), Calls.end(),
                          [&](const LibraryCall &A, const LibraryCall &B) {
                            return Key(A) == Key(B);
                          }),
              Calls.end());
  return Calls;
}

/// A kernel whose body has no statement, such as that of CUB by which the host
/// finds out for which GPUs the program was compiled.
static bool doesNothing(const clang::FunctionDecl &Kernel) {
  const clang::FunctionDecl *Definition = Kernel.getDefinition();
  const auto *Body = llvm::dyn_cast_or_null<clang::CompoundStmt>(
      Definition ? Definition->getBody() : nullptr);
  return Body && Body->body_empty();
}

std::vector<LibraryKernel>
collectLibraryCalls(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  std::vector<std::pair<std::string, const clang::FunctionDecl *>> Kernels;
  for (const KernelSource &Kernel : Unit.Kernels) {
    const auto *Decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        Generator.GetDeclForMangledName(Kernel.Mangled));
    if (Decl &&
        Sources.isInSystemHeader(Sources.getExpansionLoc(Decl->getLocation())))
      Kernels.emplace_back(Kernel.Mangled, Decl);
  }
  CallGraph Graph(Context, Unit);
  visitFunctions(
      TopLevel, Sources,
      [&](const clang::FunctionDecl &F) { Graph.addUserFunction(F); },
      [](const clang::VarDecl &) {});
  std::vector<LibraryKernel> Reached;
  if (Kernels.empty())
    return Reached;
  Graph.addLibraries();
  for (const auto &[Mangled, Decl] : Kernels) {
    if (doesNothing(*Decl)) {
      llvm::erase_if(Unit.Kernels, [&, &Name = Mangled](const KernelSource &K) {
        return K.Mangled == Name;
      });
      continue;
    }
    LibraryKernel Library{Decl, Graph.entriesOf(*Decl)};
    if (!Library.Entries.empty()) {
      Unit.LibraryKernels[Mangled] = Graph.callsOf(Library.Entries);
      Reached.push_back(std::move(Library));
    } else {
      Unit.LibraryKernels[Mangled] = {Graph.inclusion(*Decl)};
    }
  }
  return Reached;
}

} // namespace gpuestimate
