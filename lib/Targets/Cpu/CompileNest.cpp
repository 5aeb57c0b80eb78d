/// \file
/// Optimises the function of a nest for a CPU and matches its loops with those
/// of the source by their places.
#include "gpu-estimate/Targets/Cpu/HostCode.h"

#include "Assembly.h"
#include "Throughput.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

namespace gpuestimate {

namespace {

using Place = std::pair<unsigned, unsigned>; ///< line and column of a loop

Place placeOf(const llvm::DebugLoc &Start) {
  return Start ? Place(Start.getLine(), Start.getCol()) : Place();
}

/// Factors that the loop passes report for one source loop.
struct LoopFactors {
  double Vector = 1; ///< width x interleaved copies
  double Unroll = 1;
};

/// Collects the factors from the remarks of the vectoriser and the unroller.
class FactorListener final : public llvm::DiagnosticHandler {
public:
  explicit FactorListener(std::map<Place, LoopFactors> &Into) : Into(Into) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override {
    const auto *Remark = llvm::dyn_cast<llvm::OptimizationRemark>(&Info);
    if (!Remark)
      return true; // nothing of this is for the user
    double Product = 1;
    bool Factors = false;
    for (const auto &Argument : Remark->getArgs()) {
      double Value = 0;
      if ((Argument.Key == "VectorizationFactor" ||
           Argument.Key == "InterleaveCount" ||
           Argument.Key == "UnrollCount") &&
          !llvm::StringRef(Argument.Val).getAsDouble(Value)) {
        Product *= Value;
        Factors = true;
      }
    }
    if (!Factors)
      return true;
    Place Position(Remark->getLocation().getLine(),
                   Remark->getLocation().getColumn());
    LoopFactors &Entry = Into[Position];
    double &Target =
        Remark->getPassName() == "loop-unroll" ? Entry.Unroll : Entry.Vector;
    // A loop may have several copies (inlined, peeled); most iterations run in
    // the one with the largest factor.
    Target = std::max(Target, Product);
    return true;
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef Pass) const override {
    return Pass == "loop-vectorize" || Pass == "loop-unroll";
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  std::map<Place, LoopFactors> &Into;
};

void initializeTargets() {
  static const bool Once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86TargetMCA();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTarget();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMAsmPrinter();
    LLVMInitializeARMAsmParser();
    return true;
  }();
  (void)Once;
}

class NestCompiler {
public:
  NestCompiler(const llvm::Module &Host, const SourceLocation &Nest,
               const HostTarget &Target)
      : M(llvm::CloneModule(Host)), Root(Nest.Line, Nest.Column), Nest(Nest),
        Target(Target) {}

  llvm::Expected<MachineNest> run();

private:
  llvm::Error chooseTarget();
  llvm::Function *functionOfNest();
  void keepOnly(llvm::Function &F);
  void optimise();
  llvm::Expected<MachineNest> measure(llvm::Function &F);
  llvm::Error noLoopLeft() const {
    return llvm::createStringError("no loop is left for the nest at " +
                                   Nest.brief() + " after optimisation");
  }
  MachineLoop describe(const llvm::Loop &L);
  llvm::Error measureOverlap(MachineNest &Nest,
                             llvm::ArrayRef<std::string> Texts);

  std::unique_ptr<llvm::Module> M;
  Place Root;
  SourceLocation Nest;
  const HostTarget &Target;
  std::unique_ptr<llvm::TargetMachine> Machine, Scheduled;
  std::map<Place, LoopFactors> Factors;
};

} // namespace

llvm::Error NestCompiler::chooseTarget() {
  initializeTargets();
  std::string Problem;
  const llvm::Target *T =
      llvm::TargetRegistry::lookupTarget(Target.Triple, Problem);
  if (!T)
    return llvm::createStringError(Problem);
  auto Level = llvm::CodeGenOpt::getLevel(static_cast<int>(Target.Level));
  auto Create = [&](llvm::StringRef Cpu) {
    return std::unique_ptr<llvm::TargetMachine>(T->createTargetMachine(
        Target.Triple, Cpu, Target.Features, llvm::TargetOptions(),
        llvm::Reloc::PIC_, std::nullopt,
        Level.value_or(llvm::CodeGenOptLevel::Aggressive)));
  };
  Machine = Create(Target.Cpu);
  Scheduled =
      Create(Target.SchedulingCpu.empty() ? Target.Cpu : Target.SchedulingCpu);
  if (!Machine || !Scheduled)
    return llvm::createStringError("LLVM has no code generator for " +
                                   Target.Triple);
  M->setTargetTriple(Target.Triple);
  M->setDataLayout(Machine->createDataLayout());
  for (llvm::Function &F : *M) {
    for (const char *Attribute : {"target-cpu", "target-features", "tune-cpu",
                                  "probe-stack", "stack-protector-buffer-size"})
      F.removeFnAttr(Attribute);
    F.addFnAttr("target-cpu", Target.Cpu);
    if (!Target.Features.empty())
      F.addFnAttr("target-features", Target.Features);
  }
  return llvm::Error::success();
}

llvm::Function *NestCompiler::functionOfNest() {
  for (llvm::Function &F : *M) {
    if (F.isDeclaration())
      continue;
    llvm::DominatorTree DT(F);
    llvm::LoopInfo LI(DT);
    for (const llvm::Loop *L : LI.getLoopsInPreorder())
      if (placeOf(L->getStartLoc()) == Root)
        return &F;
  }
  return nullptr;
}

void NestCompiler::keepOnly(llvm::Function &F) {
  for (const char *Table : {"llvm.used", "llvm.compiler.used",
                            "llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *G = M->getNamedGlobal(Table))
      G->eraseFromParent();
  F.setLinkage(llvm::GlobalValue::ExternalLinkage);
  F.setComdat(nullptr);
  llvm::internalizeModule(*M,
                          [&](const llvm::GlobalValue &G) { return &G == &F; });
  llvm::ModuleAnalysisManager Analyses;
  llvm::PassBuilder().registerModuleAnalyses(Analyses);
  llvm::GlobalDCEPass().run(*M, Analyses);
}

void NestCompiler::optimise() {
  static constexpr const llvm::OptimizationLevel *Levels[] = {
      &llvm::OptimizationLevel::O0, &llvm::OptimizationLevel::O1,
      &llvm::OptimizationLevel::O2, &llvm::OptimizationLevel::O3};
  llvm::LLVMContext &Context = M->getContext();
  std::unique_ptr<llvm::DiagnosticHandler> Before =
      Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<FactorListener>(Factors));

  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Graph;
  llvm::ModuleAnalysisManager Modules;
  llvm::PipelineTuningOptions Tuning;
  Tuning.LoopVectorization = Target.Level > 1;
  Tuning.SLPVectorization = Target.Level > 1;
  // Copy loops stay loops: the cost of a library's memcpy is unknown, and
  // memory bandwidth bounds both.
  llvm::TargetLibraryInfoImpl Library{llvm::Triple(M->getTargetTriple())};
  for (llvm::LibFunc Copy :
       {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
    Library.setUnavailable(Copy);
  Functions.registerPass([&] { return llvm::TargetLibraryAnalysis(Library); });
  llvm::PassBuilder Builder(Machine.get(), Tuning);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Graph);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Graph, Modules);
  const llvm::OptimizationLevel &Level = *Levels[std::min(Target.Level, 3u)];
  if (Level == llvm::OptimizationLevel::O0)
    Builder.buildO0DefaultPipeline(Level).run(*M, Modules);
  else
    Builder.buildPerModuleDefaultPipeline(Level).run(*M, Modules);
  Context.setDiagnosticHandler(std::move(Before));
}

/// True if V depends on a load in L.
static bool fromData(const llvm::Value *V, const llvm::Loop &L) {
  llvm::SmallVector<const llvm::Value *> Work{V};
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  while (!Work.empty()) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (llvm::isa<llvm::LoadInst>(I))
      return true;
    llvm::append_range(Work, I->operands());
  }
  return false;
}

/// Data-dependent jumps within L, outside of its inner loops.
static std::vector<SourceLocation> dataBranches(const llvm::Loop &L,
                                                const llvm::LoopInfo &LI,
                                                const SourceLocation &Nest) {
  std::vector<SourceLocation> Result;
  for (const llvm::BasicBlock *BB : L.blocks()) {
    const auto *Jump = llvm::dyn_cast<llvm::BranchInst>(BB->getTerminator());
    if (!Jump || !Jump->isConditional() || LI.getLoopFor(BB) != &L ||
        L.isLoopExiting(BB) || !fromData(Jump->getCondition(), L))
      continue;
    auto [Line, Column] = placeOf(Jump->getDebugLoc());
    SourceLocation &Location = Result.emplace_back(Nest);
    Location.Line = Line;
    Location.Column = Column;
  }
  return Result;
}

MachineLoop NestCompiler::describe(const llvm::Loop &L) {
  MachineLoop Result;
  Place Start = placeOf(L.getStartLoc());
  Result.Location = Nest;
  Result.Location.Line = Start.first;
  Result.Location.Column = Start.second;
  llvm::StringRef Header = L.getHeader()->getName();
  LoopFactors Widths = Factors.count(Start) ? Factors[Start] : LoopFactors();
  // The loop passes give these names.
  Result.Vector = Header.starts_with("vector.body");
  Result.Remainder = Header.starts_with("vec.epilog") ||
                     Header.ends_with(".epil") || Header.ends_with(".prol");
  if (Result.Vector)
    Result.Covers = Widths.Vector;
  else if (!Result.Remainder && Widths.Vector == 1)
    Result.Covers = Widths.Unroll;
  return Result;
}

/// Innermost loops that are the only one in their parent, remainder loops
/// aside.
static std::vector<LoopPair> lonelyLoops(const MachineNest &Nest) {
  std::vector<LoopPair> Result;
  std::vector<unsigned> Inner(Nest.Loops.size()), Main(Nest.Loops.size());
  for (const MachineLoop &L : Nest.Loops)
    if (L.Parent >= 0) {
      ++Inner[L.Parent];
      Main[L.Parent] += L.Covers > 1;
    }
  for (size_t I = 0; I < Nest.Loops.size(); ++I) {
    const MachineLoop &L = Nest.Loops[I];
    if (L.Parent < 0 || Inner[I] || Nest.Loops[L.Parent].Covers > 1)
      continue;
    auto Outer = static_cast<size_t>(L.Parent);
    if (Inner[Outer] == 1 || (Main[Outer] == 1 && L.Covers > 1))
      Result.push_back({Outer, I});
  }
  return Result;
}

llvm::Error NestCompiler::measureOverlap(MachineNest &Nest,
                                         llvm::ArrayRef<std::string> Texts) {
  std::vector<LoopPair> Pairs = lonelyLoops(Nest);
  llvm::Expected<std::vector<std::vector<double>>> Times =
      measureNested(*Scheduled, Texts, Pairs);
  if (!Times)
    return Times.takeError();
  for (auto [Pair, PairTimes] : llvm::zip_equal(Pairs, *Times))
    for (double Time : PairTimes)
      Nest.Loops[Pair.Inner].WithParent.push_back(Cycles(Time));
  return llvm::Error::success();
}

llvm::Expected<MachineNest> NestCompiler::measure(llvm::Function &F) {
  llvm::DominatorTree DT(F);
  llvm::LoopInfo LI(DT);
  llvm::TargetLibraryInfoImpl LibraryInfo{llvm::Triple(M->getTargetTriple())};
  llvm::TargetLibraryInfo Library(LibraryInfo, &F);
  llvm::AssumptionCache Assumed(F);
  llvm::ScalarEvolution SE(F, Library, Assumed, DT, LI);

  MachineNest Result;
  llvm::DenseMap<const llvm::Loop *, int> IndexOf;
  for (const llvm::Loop *L : LI.getLoopsInPreorder()) {
    auto Outer = IndexOf.find(L->getParentLoop());
    if (placeOf(L->getStartLoc()) != Root && Outer == IndexOf.end())
      continue;
    MachineLoop Loop = describe(*L);
    Loop.Parent = Outer == IndexOf.end() ? -1 : Outer->second;
    Loop.DataBranches = dataBranches(*L, LI, Nest);
    if (unsigned Trips = SE.getSmallConstantTripCount(L))
      Loop.ConstantTrips = Trips * Loop.Covers;
    IndexOf[L] = static_cast<int>(Result.Loops.size());
    Result.Loops.push_back(std::move(Loop));
  }
  const llvm::MCSchedModel &Schedule =
      Scheduled->getMCSubtargetInfo()->getSchedModel();
  Result.Mispredicted = Cycles(Schedule.MispredictPenalty);
  if (Result.Loops.empty())
    return noLoopLeft();

  // Block names by which the assembly identifies loop headers.
  llvm::StringMap<size_t> LoopOf;
  unsigned Number = 0;
  for (llvm::BasicBlock &BB : F) {
    BB.setName("nest" + std::to_string(Number++) + "_");
    if (auto Entry = IndexOf.find(LI.getLoopFor(&BB)); Entry != IndexOf.end())
      LoopOf[BB.getName()] = static_cast<size_t>(Entry->second);
  }
  llvm::Expected<std::vector<AssemblyLoop>> Loops = assembleLoops(*M, *Machine);
  if (!Loops)
    return Loops.takeError();
  std::vector<std::string> Texts(Result.Loops.size());
  for (const AssemblyLoop &L : *Loops)
    if (auto Entry = LoopOf.find(L.Header); Entry != LoopOf.end())
      Texts[Entry->second] += L.Instructions;
  llvm::Expected<std::vector<BlockThroughput>> Times =
      measureThroughput(*Scheduled, Texts);
  if (!Times)
    return Times.takeError();
  for (size_t I = 0; I < Texts.size(); ++I) {
    Result.Loops[I].PerIteration = Cycles((*Times)[I].Cycles);
    Result.Loops[I].Instructions = (*Times)[I].Instructions;
  }
  if (llvm::Error E = measureOverlap(Result, Texts))
    return E;
  return Result;
}

llvm::Expected<MachineNest> NestCompiler::run() {
  if (llvm::Error E = chooseTarget())
    return E;
  llvm::Function *F = functionOfNest();
  if (!F)
    return noLoopLeft();
  keepOnly(*F);
  optimise();
  return measure(*F);
}

llvm::Expected<MachineNest> compileNest(const llvm::Module &Host,
                                        const SourceLocation &Nest,
                                        const HostTarget &Target) {
  return NestCompiler(Host, Nest, Target).run();
}

} // namespace gpuestimate
