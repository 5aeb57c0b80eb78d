/// \file
/// Turns the module of host functions into a module of kernels, with launches.
#include "gpu-estimate/Offload/Offload.h"

#include "Offload/Mapping/Mapping.h"
#include "Offload/Outline/AtomicUpdates.h"
#include "Offload/Outline/DeviceLibrary.h"
#include "Offload/Outline/FinalKernel.h"
#include "Offload/Outline/OutlinedKernel.h"
#include "Offload/Outline/ScanTransform.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/LowerInvoke.h"
#include <map>
#include <utility>

namespace gpuestimate {

namespace {

/// The target of clang's NVPTX back end (LLVM 19).
constexpr const char *DeviceTriple = "nvptx64-nvidia-cuda";
constexpr const char *DeviceLayout =
    "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

class ModuleOffload {
public:
  ModuleOffload(TranslationUnit &Unit, bool AssumeIndependent)
      : Unit(Unit), AssumeIndependent(AssumeIndependent) {}

  void run();

private:
  struct Host {
    llvm::Function *Code = nullptr;
    std::unique_ptr<LoopDependences> Dependences;
  };
  Host &host(const std::string &Mangled);
  bool offload(const HostLoopNest &Nest, const std::string &Name);
  void addLaunches(const HostLoopNest &Nest, const NestMapping &Mapping,
                   const KernelSource &Source, const OutlinedKernel &Outlined);
  void addFinal(const OutlinedKernel &Outlined, const KernelSource &First,
                size_t FirstLaunch);
  unsigned computeCapability() const;
  void refuse(const HostLoopNest &Nest, const std::string &Name,
              SourceLocation Location, std::string Reason);
  void retargetModule();

  TranslationUnit &Unit;
  bool AssumeIndependent;
  std::map<std::string, Host> Hosts;
  /// The previous nest: its kernel and its exit block.
  std::string LastKernel;
  const llvm::BasicBlock *BehindLast = nullptr;
};

} // namespace

ModuleOffload::Host &ModuleOffload::host(const std::string &Mangled) {
  auto [It, New] = Hosts.try_emplace(Mangled);
  llvm::Function *Code = Unit.Module->getFunction(Mangled);
  if (New && Code && !Code->isDeclaration()) {
    std::vector<SourceLocation> Loops;
    for (const HostLoopNest &Nest : Unit.Nests)
      if (Nest.Function == Mangled)
        for (const NestLoop &L : Nest.Loops)
          Loops.push_back(L.Location);
    It->second = {Code, std::make_unique<LoopDependences>(*Code, Loops)};
  }
  return It->second;
}

void ModuleOffload::refuse(const HostLoopNest &Nest, const std::string &Name,
                           SourceLocation Location, std::string Reason) {
  if (Nest.Directive.Origin == NestDirective::Proposed)
    return;
  if (!Location.isValid())
    Location = Nest.Loops.front().Location;
  Unit.Refused.push_back(
      {Name, Nest.FunctionName, std::move(Location), std::move(Reason)});
}

/// Promotes variables to registers. Variables that the nest sets before it
/// reads them leave their arguments unused.
static void promoteToRegisters(llvm::Function &Kernel) {
  llvm::FunctionAnalysisManager Analyses;
  llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(Kernel, Analyses);
}

static std::array<uint64_t, 3> defaultBlock(size_t Dimensions) {
  switch (Dimensions) {
  case 1:
    return {256, 1, 1};
  case 2:
    return {32, 32, 1};
  default:
    return {32, 4, 2};
  }
}

static std::array<uint64_t, 3> blockOf(const HostLoopNest &Nest,
                                       const NestMapping &Mapping) {
  return Nest.Directive.Block.value_or(defaultBlock(Mapping.Loops.size()));
}

/// The width of a tile in shared memory: the block's size in x, because each
/// thread copies one element.
static unsigned tileOf(const HostLoopNest &Nest, const NestMapping &Mapping) {
  return static_cast<unsigned>(blockOf(Nest, Mapping)[0]);
}

static std::string tileProblem(const HostLoopNest &Nest,
                               const NestMapping &Mapping) {
  if (Nest.Directive.Shared.empty())
    return Nest.Directive.Tile.empty()
               ? ""
               : "tile() has no effect without shared()";
  std::array<uint64_t, 3> Block = blockOf(Nest, Mapping);
  for (unsigned Tile : Nest.Directive.Tile)
    if (Tile != Block[0])
      return "tile(" + std::to_string(Tile) + ") differs from the block's " +
             std::to_string(Block[0]) +
             " threads in x; they must be equal, because each thread copies "
             "one element";
  if (Mapping.Loops.size() > 1 && (Block[0] != Block[1] || Block[2] != 1))
    return "shared() needs a square block, because each thread copies one "
           "element of a tile";
  return "";
}

/// Blocks of the grid; null if they are unknown.
static Expr gridBlocks(const LaunchSite &Site) {
  Expr Blocks = Site.Context->constant(1);
  for (Expr Size : Site.Grid) {
    if (!Size)
      return {};
    Blocks = Blocks * Size;
  }
  return Blocks;
}

/// Adds the launches of a kernel. Grid sizes depend on the parameters
/// blockDim.x, .y and .z, because the user may choose another block.
void ModuleOffload::addLaunches(const HostLoopNest &Nest,
                                const NestMapping &Mapping,
                                const KernelSource &Source,
                                const OutlinedKernel &Outlined) {
  static constexpr const char *Sizes[] = {"blockDim.x", "blockDim.y",
                                          "blockDim.z"};
  std::array<uint64_t, 3> Block = blockOf(Nest, Mapping);
  for (const NestSite &CallChain : Nest.Sites) {
    LaunchSite Site = CallChain.Site;
    ExprContext &Terms = *Site.Context;
    Site.Kernel = Source.Mangled;
    for (unsigned I = 0; I < 3; ++I) {
      Site.Block[I] = Terms.constant(static_cast<double>(Block[I]));
      if (I >= Mapping.Loops.size())
        Site.Grid[I] = Terms.constant(1);
      else if (Expr Extent = CallChain.Extents[Mapping.Loops[I]])
        Site.Grid[I] = Terms.ceilDiv(Extent, Terms.parameter(Sizes[I]));
      if (Outlined.Strided && I == 0 && Site.Grid[0])
        Site.Grid[0] =
            Terms.min({Site.Grid[0], Terms.constant(MaxStridedBlocks)});
    }
    Site.DynamicSharedBytes = Terms.constant(0);
    // Unused arguments need no value.
    llvm::Function *Code = Unit.Module->getFunction(Source.Mangled);
    llvm::StringMap<Expr> Used;
    for (const auto &Argument : Site.Arguments) {
      llvm::StringRef Object =
          Argument.getKey().take_until([](char C) { return C == '.'; });
      for (unsigned I = 0; I < Source.Arguments.size(); ++I)
        if (Source.Arguments[I].Name == Object && !Code->getArg(I)->use_empty())
          Used[Argument.getKey()] = Argument.getValue();
    }
    // Arguments for results are pointers, not the values on the host.
    for (const auto &Result : Outlined.ResultBytes)
      Used[Result.getKey()] =
          Terms.constant(static_cast<double>(Result.getValue()));
    for (const PartialResults &P : Outlined.Partials)
      if (Expr Blocks = gridBlocks(Site))
        Used[P.Array.Name] = Blocks * P.Array.ElementBytes;
    if (Outlined.Scan.Words)
      if (Expr Blocks = gridBlocks(Site))
        Used["look_back"] = Blocks * scanWordBytes(Outlined.Scan.Operator);
    Site.Arguments = std::move(Used);
    Unit.Launches.push_back(std::move(Site));
  }
}

/// Adds the second launch of a reduction without atomic operation. A block size
/// that the user chooses applies to both launches.
void ModuleOffload::addFinal(const OutlinedKernel &Outlined,
                             const KernelSource &First, size_t FirstLaunch) {
  KernelSource Source;
  Source.Mangled = First.Mangled + ".final";
  Source.Name = First.Name + ".final";
  Source.Location = First.Location;
  Source.Nest.emplace().Function = First.Nest->Function;
  Source.Premises.push_back("the second launch of a reduction: one block "
                            "combines what the blocks of '" +
                            First.Name + "' have left");
  promoteToRegisters(*makeFinalKernel(*Unit.Module, Outlined.Partials,
                                      Outlined.Location, Source));
  for (size_t I = FirstLaunch, End = Unit.Launches.size(); I < End; ++I) {
    LaunchSite Site = Unit.Launches[I];
    Expr Blocks = gridBlocks(Site), One = Site.Context->constant(1);
    llvm::StringMap<Expr> Arguments;
    for (const PartialResults &P : Outlined.Partials) {
      if (Blocks)
        Arguments[P.Array.Name] = Blocks * P.Array.ElementBytes;
      Arguments[P.Variable.Name] = One * P.Variable.ElementBytes;
    }
    if (Blocks)
      Arguments["blocks"] = Blocks;
    Site.Kernel = Source.Mangled;
    Site.Arguments = std::move(Arguments);
    Site.Grid = {One, One, One};
    Unit.Launches.push_back(std::move(Site));
  }
  Unit.Kernels.push_back(std::move(Source));
}

/// "sm_80" is 80, as is an unknown architecture.
unsigned ModuleOffload::computeCapability() const {
  llvm::StringRef Digits = Unit.Arch;
  unsigned Sm = 0;
  Digits.consume_front("sm_");
  return Digits.consumeInteger(10, Sm) ? 80 : Sm;
}

bool ModuleOffload::offload(const HostLoopNest &Nest, const std::string &Name) {
  Host &HostCode = host(Nest.Function);
  if (!HostCode.Code) {
    refuse(Nest, Name, {}, "the compiler generates no code for its function");
    return false;
  }
  IrLoopNest Code(*HostCode.Code, Nest);
  KernelSource Source;
  OffloadedNest &Made = Source.Nest.emplace();
  bool AssertIndependent = AssumeIndependent || Nest.Directive.Independent;
  if (Code.follows(std::exchange(BehindLast, nullptr)))
    Made.Predecessor = LastKernel;
  NestMapping Mapping =
      chooseMapping(Code, *HostCode.Dependences, AssertIndependent);
  if (!Mapping.Refusal.empty()) {
    refuse(Nest, Name, Mapping.RefusedAt, Mapping.Refusal);
    return false;
  }
  if (std::string Reason = tileProblem(Nest, Mapping); !Reason.empty()) {
    refuse(Nest, Name, Nest.Directive.Location, Reason);
    return false;
  }
  Source.Mangled = Name;
  Source.Name = Name;
  Source.Location = Nest.Loops.front().Location;
  Made.Function = Nest.FunctionName;
  unsigned Sm = computeCapability();
  llvm::Expected<OutlinedKernel> Outlined =
      outlineKernel(Code,
                    {Mapping.Loops, Mapping.Updates,
                     Mapping.Scan ? &*Mapping.Scan : nullptr, Sm},
                    Source);
  if (!Outlined) {
    refuse(Nest, Name, {}, toString(Outlined.takeError()));
    return false;
  }
  llvm::Function &Kernel = *Outlined->Kernel;
  promoteToRegisters(Kernel);
  llvm::Error Combined = llvm::Error::success();
  if (Mapping.Scan) {
    simplifyKernel(Kernel);
    Combined = transformToScan(*Outlined, *Mapping.Scan);
    Source.Arguments.back().ElementBytes =
        Combined ? 0 : scanWordBytes(Outlined->Scan.Operator);
  } else if (!Outlined->InMemory.empty()) {
    Combined = convertToAtomics(Kernel, Outlined->InMemory, Sm);
  }
  if (Combined) {
    Kernel.eraseFromParent();
    refuse(Nest, Name,
           (Mapping.Scan ? *Mapping.Scan : Mapping.Updates.front()).Location,
           toString(std::move(Combined)));
    return false;
  }
  for (std::string &Text : Mapping.Assumed)
    Source.Premises.push_back(std::move(Text));
  for (unsigned Loop : Mapping.Loops)
    Made.Loops.push_back(
        {Nest.Loops[Loop].Variable, Nest.Loops[Loop].Location});
  Made.Proposed = Nest.Directive.Origin == NestDirective::Proposed;
  Made.Shared = Nest.Directive.Shared;
  Made.Tile = tileOf(Nest, Mapping);
  size_t FirstLaunch = Unit.Launches.size();
  addLaunches(Nest, Mapping, Source, *Outlined);
  LastKernel = Source.Mangled;
  if (!Mapping.Scan && Mapping.Updates.empty())
    BehindLast = Code.loop(0)->getExitBlock();
  Unit.Kernels.push_back(Source);
  if (!Outlined->Partials.empty())
    addFinal(*Outlined, Source, FirstLaunch);
  return true;
}

/// Removes debug records of variables, which only served to name arguments and
/// would slow down later passes.
static void dropDebugVariables(llvm::Function &F) {
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : llvm::make_early_inc_range(BB)) {
      I.dropDbgRecords();
      if (llvm::isa<llvm::DbgInfoIntrinsic>(I))
        I.eraseFromParent();
    }
}

/// Removes what no kernel needs and changes the target to the device.
void ModuleOffload::retargetModule() {
  llvm::Module &M = *Unit.Module;
  auto isWanted = [&](const llvm::GlobalValue &G) {
    return llvm::any_of(Unit.Kernels, [&](const KernelSource &K) {
      return K.Mangled == G.getName();
    });
  };
  // Tables that keep functions alive belong to the host.
  for (const char *Table : {"llvm.used", "llvm.compiler.used",
                            "llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *G = M.getNamedGlobal(Table))
      G->eraseFromParent();
  llvm::internalizeModule(M, isWanted);
  llvm::ModuleAnalysisManager Analyses;
  llvm::PassBuilder().registerModuleAnalyses(Analyses);
  llvm::GlobalDCEPass().run(M, Analyses);

  useDeviceLibrary(M);
  M.setTargetTriple(DeviceTriple);
  M.setDataLayout(DeviceLayout);
  for (llvm::Function &F : M) {
    dropDebugVariables(F);
    for (const char *Attribute :
         {"target-cpu", "target-features", "tune-cpu", "probe-stack"})
      F.removeFnAttr(Attribute);
    F.setPersonalityFn(nullptr);
    if (!F.isDeclaration())
      F.addFnAttr("target-cpu", Unit.Arch.empty() ? "sm_80" : Unit.Arch);
  }
}

void ModuleOffload::run() {
  // Exceptions would be exits of every loop with a call.
  llvm::FunctionAnalysisManager None;
  for (llvm::Function &F : *Unit.Module)
    if (!F.isDeclaration())
      llvm::LowerInvokePass().run(F, None);

  std::map<std::string, unsigned> Nests, Numbers;
  for (const HostLoopNest &Nest : Unit.Nests)
    ++Nests[Nest.FunctionName];
  // Among proposed loops, the outermost that can be mapped is taken.
  const HostLoopNest *Taken = nullptr;
  for (const HostLoopNest &Nest : Unit.Nests) {
    bool Proposed = Nest.Directive.Origin == NestDirective::Proposed;
    if (Proposed && Taken && Taken->Function == Nest.Function &&
        llvm::any_of(llvm::ArrayRef(Taken->Loops), [&](const NestLoop &L) {
          return L.Location == Nest.Loops.front().Location;
        }))
      continue;
    std::string Name = Nest.Directive.Name;
    if (Name.empty())
      Name = Nest.FunctionName +
             (Nests[Nest.FunctionName] > 1
                  ? "." + std::to_string(Numbers[Nest.FunctionName] + 1)
                  : "");
    if (offload(Nest, Name)) {
      ++Numbers[Nest.FunctionName];
      Taken = &Nest;
    } else if (!Proposed) {
      ++Numbers[Nest.FunctionName];
    }
  }
  Unit.Nests.clear();
  llvm::stable_sort(Unit.Refused,
                    [](const RefusedNest &A, const RefusedNest &B) {
                      return A.Location.Line < B.Location.Line;
                    });
  retargetModule();
}

void offloadNests(TranslationUnit &Unit, bool AssumeIndependent) {
  if (Unit.Host && Unit.Module)
    ModuleOffload(Unit, AssumeIndependent).run();
}

} // namespace gpuestimate
