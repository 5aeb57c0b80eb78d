#include "gpu-estimate/Execute/Executor.h"
#include "Execute/Device/DeviceFunctions.h"
#include "Execute/Record/RaceDetector.h"
#include "Execute/Record/Trace.h"
#include "Execute/Schedule/CodeMap.h"
#include "Execute/Schedule/CodeMemory.h"
#include "Execute/Schedule/Scheduler.h"
#include "Execute/Schedule/SystemClock.h"
#include "Execute/Translate/KernelEffects.h"
#include "HostModule.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/JITEventListener.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>
#include <cstring>
#include <optional>
#include <set>
#include <thread>

using namespace llvm;

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace gpuestimate {

/// Bytes of a stack beside the arrays of a thread: functions of the C library
/// run on it, too.
static constexpr uint64_t StackBytes = 64 << 10;
static constexpr uint64_t RecursionBytes = 256 << 10;

namespace {

/// What compiled code calls beside what the kernel does: nothing; the recorder
/// and the RaceDetector; the RaceDetector alone.
enum class Variant : uint8_t { Plain, Traced, Checked };
/// Threads execute one by one, or several at a time: those of a vector are in
/// one row of the block, or anywhere.
enum class Grouping : uint8_t { Single, Rows, Anywhere };

struct CompiledKernel {
  struct Form : KernelForm {
    bool IsTried = false;
  };
  Form Forms[3][3]; ///< [Variant][Grouping]
  Form &form(Variant V, Grouping G) { return Forms[size_t(V)][size_t(G)]; }
  /// Threads of launches that executed one by one, and the seconds of the
  /// longest of these launches; nullopt: there was none.
  uint64_t SingleThreads = 0;
  bool TakesLong = false; ///< few threads do, one by one
  std::optional<double> LongestSingle;
  bool WaitsForMemory = false, WaitsInLoops = false; ///< see HostModule
  /// Block sizes and dynamic shared memory of launches that were checked.
  std::set<std::array<uint64_t, 4>> CheckedShapes;
  bool UsesFibers = false;
  uint64_t StaticSharedBytes = 0, LocalBytes = 0;
  uint64_t SharedAlignment = 1;
  std::vector<SharedVariable> SharedVariables;
  StringSet<> RacingLines;          ///< of the races found so far
  std::unique_ptr<TracedCode> Code; ///< where Traced is compiled
};

struct DeviceModule {
  std::string Bitcode;
  DeviceCode Code = DeviceCode::Generated;
  std::unique_ptr<LLVMContext> Context; ///< null before the first use
  std::unique_ptr<Module> Raw;          ///< with all variables
  std::unique_ptr<Module> Prepared;     ///< after prepareForAnalysis()
  StringMap<CompiledKernel> Kernels;
  StringMap<void *> Variables;
  StringMap<void *> FunctionAddresses; ///< in variables
};

/// Notes where compiled code was loaded.
class CodeListener : public JITEventListener {
public:
  explicit CodeListener(CodeMap &Code) : Code(Code) {}
  void notifyObjectLoaded(ObjectKey, const object::ObjectFile &Object,
                          const RuntimeDyld::LoadedObjectInfo &Info) override {
    object::OwningBinary<object::ObjectFile> Copy =
        Info.getObjectForDebug(Object);
    if (Copy.getBinary())
      Code.add(std::move(Copy));
  }

private:
  CodeMap &Code;
};

} // namespace

class Executor::Implementation {
public:
  static Expected<std::unique_ptr<Implementation>> create(ExecuteOptions O);

  Error parse(DeviceModule &M);
  Error prepare(DeviceModule &M);
  Expected<DeviceModule *> find(uint64_t Number);
  Expected<void *> storage(DeviceModule &M, StringRef Name);
  Expected<void *> functionAddress(DeviceModule &M, StringRef Name);
  Expected<CompiledKernel *> compile(DeviceModule &M, StringRef Name,
                                     Variant Wanted,
                                     Grouping Threads = Grouping::Single);
  Expected<KernelForm> instrumented(DeviceModule &M, StringRef Name,
                                    Variant Wanted,
                                    const RunningLaunch &Launch);
  Error findRaces(DeviceModule &M, StringRef Kernel, RunningLaunch &Launch);
  Error useVectors(DeviceModule &M, StringRef Kernel, RunningLaunch &Launch);
  Error compileVectors(DeviceModule &M, StringRef Kernel,
                       RunningLaunch &Launch);
  Error run(DeviceModule &M, StringRef Kernel, RunningLaunch &Launch);
  void findThread(RunningLaunch &Launch);

  ExecuteOptions Options;
  DeviceAllocations Memory;
  void *Workspace = nullptr; ///< for a GridWorkspace
  std::mutex Lock;
  std::vector<std::unique_ptr<DeviceModule>> Modules;
  StringMap<void *> Functions;
  CodeMap Code;
  CodeListener Listener{Code};
  std::unique_ptr<TargetMachine> Host;
  CodeMemory CompiledCode;
  std::unique_ptr<orc::LLJIT> Jit; ///< refers to Listener and CompiledCode
  std::unique_ptr<Scheduler> Workers;
  unsigned Compiled = 0; ///< for unique names

private:
  Error initialise(DeviceModule &M, const GlobalVariable &G, char *Storage);
  Error write(DeviceModule &M, const Constant *C, char *To);
  Expected<HostKernelFunction> add(HostModule Translated, StringRef Name);
};

Expected<std::unique_ptr<Executor::Implementation>>
Executor::Implementation::create(ExecuteOptions O) {
  static std::once_flag Registered;
  std::call_once(Registered, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  auto Impl = std::make_unique<Implementation>();
  Impl->Options = O;
  if (!Impl->Options.Threads)
    Impl->Options.Threads = std::max(1u, std::thread::hardware_concurrency());
  Impl->Workers = std::make_unique<Scheduler>(Impl->Options.Threads);
  addDeviceFunctions(Impl->Functions);
  addSchedulerFunctions(Impl->Functions);
  addTraceFunctions(Impl->Functions);
  addRaceFunctions(Impl->Functions);
  Expected<orc::JITTargetMachineBuilder> Builder =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Builder)
    return Builder.takeError();
  Builder->setCodeModel(CodeModel::Small);
  Builder->setRelocationModel(Reloc::PIC_);
  Builder->setCodeGenOptLevel(CodeGenOptLevel::Default);
  Expected<std::unique_ptr<TargetMachine>> Host =
      Builder->createTargetMachine();
  if (!Host)
    return Host.takeError();
  Impl->Host = std::move(*Host);
  auto Layer = [&Listener = Impl->Listener, &Code = Impl->CompiledCode](
                   orc::ExecutionSession &Session, const Triple &) {
    auto L = std::make_unique<orc::RTDyldObjectLinkingLayer>(Session, [&Code] {
      return std::make_unique<SectionMemoryManager>(&Code);
    });
    L->setProcessAllSections(true);
    L->registerJITEventListener(Listener);
    return Expected<std::unique_ptr<orc::ObjectLayer>>(std::move(L));
  };
  Expected<std::unique_ptr<orc::LLJIT>> Jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*Builder))
          .setObjectLinkingLayerCreator(Layer)
          .create();
  if (!Jit)
    return Jit.takeError();
  Impl->Jit = std::move(*Jit);
  orc::SymbolMap Symbols;
  for (const auto &Entry : Impl->Functions)
    Symbols[Impl->Jit->mangleAndIntern(Entry.getKey())] = {
        orc::ExecutorAddr::fromPtr(Entry.getValue()),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  orc::JITDylib &Main = Impl->Jit->getMainJITDylib();
  if (Error E = Main.define(orc::absoluteSymbols(std::move(Symbols))))
    return E;
  // What LLVM makes of intrinsics: memcpy, sinf, __truncsfhf2.
  auto Process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      Impl->Jit->getDataLayout().getGlobalPrefix());
  if (!Process)
    return Process.takeError();
  Main.addGenerator(std::move(*Process));
  return Impl;
}

Expected<DeviceModule *> Executor::Implementation::find(uint64_t Number) {
  if (Number >= Modules.size())
    return createStringError("there is no device module " + Twine(Number));
  DeviceModule &M = *Modules[Number];
  if (!M.Context)
    if (Error E = parse(M))
      return E;
  return &M;
}

Error Executor::Implementation::parse(DeviceModule &M) {
  M.Context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> Parsed =
      parseBitcodeFile(MemoryBufferRef(M.Bitcode, "device code"), *M.Context);
  if (!Parsed)
    return Parsed.takeError();
  M.Raw = std::move(*Parsed);
  return Error::success();
}

Error Executor::Implementation::prepare(DeviceModule &M) {
  if (M.Prepared)
    return Error::success();
  Expected<std::unique_ptr<Module>> Parsed =
      parseBitcodeFile(MemoryBufferRef(M.Bitcode, "device code"), *M.Context);
  if (!Parsed)
    return Parsed.takeError();
  M.Prepared = std::move(*Parsed);
  if (M.Code == DeviceCode::Generated)
    prepareForAnalysis(*M.Prepared);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Expected<void *> Executor::Implementation::storage(DeviceModule &M,
                                                   StringRef Name) {
  if (void *Known = M.Variables.lookup(Name))
    return Known;
  const GlobalVariable *G = M.Raw->getNamedGlobal(Name);
  if (!G || G->getAddressSpace() == 3)
    return createStringError("there is no device variable '" + Name + "'");
  // A declaration is another module's variable.
  if (G->isDeclaration()) {
    for (auto &Other : Modules) {
      if (Other.get() == &M)
        continue;
      if (!Other->Context)
        if (Error E = parse(*Other))
          return E;
      const GlobalVariable *Definition = Other->Raw->getNamedGlobal(Name);
      if (!Definition || Definition->isDeclaration())
        continue;
      Expected<void *> Storage = storage(*Other, Name);
      if (Storage)
        M.Variables[Name] = *Storage;
      return Storage;
    }
  }
  uint64_t Bytes = M.Raw->getDataLayout().getTypeAllocSize(G->getValueType());
  void *Storage = Memory.allocate(Bytes, Name.str());
  if (!Storage)
    return createStringError("no memory for the device variable '" + Name +
                             "'");
  M.Variables[Name] = Storage;
  if (G->hasInitializer())
    if (Error E = initialise(M, *G, static_cast<char *>(Storage)))
      return E;
  return Storage;
}

Error Executor::Implementation::initialise(DeviceModule &M,
                                           const GlobalVariable &G,
                                           char *Storage) {
  return write(M, G.getInitializer(), Storage);
}

/// The address by which kernels call a device function: a kernel that is made
/// for it stores it, as the compile of a kernel compiles what it names.
Expected<void *> Executor::Implementation::functionAddress(DeviceModule &M,
                                                           StringRef Name) {
  if (void *Known = M.FunctionAddresses.lookup(Name))
    return Known;
  if (Error E = prepare(M))
    return std::move(E);
  Function *Target = M.Prepared->getFunction(Name);
  if (!Target || Target->isDeclaration())
    return createStringError("there is no device function '" + Name + "'");
  LLVMContext &C = *M.Context;
  auto *Pointer = PointerType::get(C, 0);
  auto *Store = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Pointer}, false),
      GlobalValue::ExternalLinkage, "ge.address." + Name, *M.Prepared);
  IRBuilder<> B(llvm::BasicBlock::Create(C, "", Store));
  B.CreateStore(Target, Store->getArg(0));
  B.CreateRetVoid();
  auto Compiled = compile(M, Store->getName(), Variant::Plain);
  if (!Compiled)
    return Compiled.takeError();
  void *Result = nullptr, *To = &Result;
  const void *Arguments[] = {&To};
  ThreadContext Thread;
  Thread.BlockSize[0] = Thread.BlockSize[1] = Thread.BlockSize[2] = 1;
  (*Compiled)
      ->form(Variant::Plain, Grouping::Single)
      .Function(&Thread, Arguments, 0, 1);
  M.FunctionAddresses[Name] = Result;
  return Result;
}

Error Executor::Implementation::write(DeviceModule &M, const Constant *C,
                                      char *To) {
  const DataLayout &Layout = M.Raw->getDataLayout();
  if (C->isNullValue() || isa<UndefValue>(C))
    return Error::success();
  if (const auto *I = dyn_cast<ConstantInt>(C)) {
    APInt Value = I->getValue();
    std::memcpy(To, Value.getRawData(), divideCeil(Value.getBitWidth(), 8));
    return Error::success();
  }
  if (const auto *R = dyn_cast<ConstantFP>(C)) {
    APInt Value = R->getValueAPF().bitcastToAPInt();
    std::memcpy(To, Value.getRawData(), divideCeil(Value.getBitWidth(), 8));
    return Error::success();
  }
  if (const auto *D = dyn_cast<ConstantDataSequential>(C)) {
    StringRef Raw = D->getRawDataValues();
    std::memcpy(To, Raw.data(), Raw.size());
    return Error::success();
  }
  if (isa<ConstantAggregate>(C)) {
    for (unsigned I = 0; I < C->getNumOperands(); ++I) {
      uint64_t Offset;
      if (auto *S = dyn_cast<StructType>(C->getType()))
        Offset = Layout.getStructLayout(S)->getElementOffset(I);
      else
        Offset = I * Layout.getTypeAllocSize(C->getOperand(I)->getType());
      if (Error E = write(M, cast<Constant>(C->getOperand(I)), To + Offset))
        return E;
    }
    return Error::success();
  }
  // A pointer: to a variable, with an offset, or to a function.
  APInt Offset(Layout.getPointerSizeInBits(0), 0);
  const Value *Base = C;
  while (const auto *E = dyn_cast<ConstantExpr>(Base)) {
    if (E->getOpcode() == Instruction::GetElementPtr) {
      if (!cast<GEPOperator>(E)->accumulateConstantOffset(Layout, Offset))
        break;
    } else if (!E->isCast()) {
      break;
    }
    Base = E->getOperand(0);
  }
  uint64_t Address = 0;
  if (const auto *G = dyn_cast<GlobalVariable>(Base)) {
    Expected<void *> Target = storage(M, G->getName());
    if (!Target)
      return Target.takeError();
    Address = reinterpret_cast<uint64_t>(*Target);
  } else if (const auto *F = dyn_cast<Function>(Base)) {
    Expected<void *> Target = functionAddress(M, F->getName());
    if (!Target)
      return Target.takeError();
    Address = reinterpret_cast<uint64_t>(*Target);
  } else {
    return createStringError("an initial value of a device variable is not "
                             "supported: it is no number and no address");
  }
  Address += Offset.getSExtValue();
  std::memcpy(To, &Address, 8);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Expected<HostKernelFunction>
Executor::Implementation::add(HostModule Translated, StringRef Name) {
  Code.setLines(std::move(Translated.Lines));
  // The JIT takes a module with its context, which the device module keeps.
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(*Translated.M, OS);
  auto Context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> Own = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), Name),
      *Context);
  if (!Own)
    return Own.takeError();
  if (Error E = Jit->addIRModule(
          orc::ThreadSafeModule(std::move(*Own), std::move(Context))))
    return E;
  Expected<orc::ExecutorAddr> Address = Jit->lookup(Name);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<HostKernelFunction>();
}

Expected<CompiledKernel *> Executor::Implementation::compile(DeviceModule &M,
                                                             StringRef Name,
                                                             Variant Wanted,
                                                             Grouping Threads) {
  CompiledKernel &K = M.Kernels[Name];
  bool IsVector = Threads != Grouping::Single;
  CompiledKernel::Form &Own = K.form(Wanted, Threads);
  if (Own || (IsVector && std::exchange(Own.IsTried, true)))
    return &K;
  if (Error E = prepare(M))
    return E;
  const Function *Kernel = M.Prepared->getFunction(Name);
  if (!Kernel || Kernel->isDeclaration())
    return createStringError("there is no kernel '" + Name + "'");
  std::string Unique = ("kernel." + Twine(Compiled++)).str();
  HostModuleRequest Request;
  Request.Kernel = Kernel;
  Request.Name = Unique;
  Request.Host = Host.get();
  auto Storage = [&](const GlobalVariable &G) -> void * {
    Expected<void *> S = storage(M, G.getName());
    if (S)
      return *S;
    consumeError(S.takeError());
    return nullptr;
  };
  Request.Storage = Storage;
  Request.Functions = &Functions;
  Request.Traced = Wanted == Variant::Traced;
  Request.FindsRaces = Options.Checks && (Wanted == Variant::Traced ||
                                          Wanted == Variant::Checked);
  Request.Vectorised = IsVector;
  Request.LanesShareRows = Threads == Grouping::Rows;
  Expected<HostModule> Translated = translateToHost(Request);
  if (!Translated && IsVector) {
    consumeError(Translated.takeError());
    return &K;
  }
  if (!Translated)
    return Translated.takeError();
  uint64_t Stack = alignTo(StackBytes + 2 * Translated->LocalBytes +
                               (Translated->Recurses ? RecursionBytes : 0),
                           4096);
  Own.Waits = Translated->UsesFibers;
  Own.Threads = Translated->Lanes;
  Own.StackBytes = Stack;
  if (!IsVector) {
    K.UsesFibers |= Translated->UsesFibers;
    K.WaitsForMemory |= Translated->WaitsForMemory;
    K.WaitsInLoops |= Translated->WaitsInLoops;
    K.StaticSharedBytes = Translated->StaticSharedBytes;
    K.SharedAlignment = Translated->SharedAlignment;
    K.LocalBytes = Translated->LocalBytes;
    K.SharedVariables = std::move(Translated->SharedVariables);
  }
  Expected<HostKernelFunction> F = add(std::move(*Translated), Unique);
  if (!F)
    return F.takeError();
  Own.Function = *F;
  if (Wanted == Variant::Traced && !K.Code)
    K.Code = std::make_unique<TracedCode>(*Kernel);
  return &K;
}

/// How the threads of a launch may form vectors; Single: they may not.
static Grouping groupingOf(const RunningLaunch &Launch) {
  const ExecutionRequest &R = *Launch.Request;
  if (R.Cooperative || Launch.Lanes != 32 || R.Grid[0] * 1024 > INT32_MAX)
    return Grouping::Single;
  bool InRows = R.Block[0] % 32 == 0 || (R.Block[1] == 1 && R.Block[2] == 1);
  return InRows ? Grouping::Rows : Grouping::Anywhere;
}

/// The kernel with calls of the recorder or the RaceDetector. Threads that wait
/// for each other in loops execute in vectors, if they can: as fibers, one
/// block may take minutes.
Expected<KernelForm>
Executor::Implementation::instrumented(DeviceModule &M, StringRef Name,
                                       Variant Wanted,
                                       const RunningLaunch &Launch) {
  CompiledKernel &K = M.Kernels[Name];
  bool IsWorthIt = Options.Vectors == ExecuteOptions::VectorUse::Always ||
                   (Options.Vectors == ExecuteOptions::VectorUse::WhereUseful &&
                    K.WaitsInLoops);
  // Lock-step hides races within a warp.
  Grouping Threads = IsWorthIt && !(Options.Checks && Options.AllRaces)
                         ? groupingOf(Launch)
                         : Grouping::Single;
  for (Grouping G : {Threads, Grouping::Single}) {
    if (auto Compiled = compile(M, Name, Wanted, G); !Compiled)
      return Compiled.takeError();
    KernelForm Form = K.form(Wanted, G);
    Form.Waits |= G == Grouping::Single && Launch.Plain.Waits;
    if (Form)
      return Form;
  }
  llvm_unreachable("a kernel without a form is an error");
}

/// Lanes of a warp: AMD's architectures have 64 before RDNA (gfx10), and 32
/// from then on unless the code asks for 64.
static unsigned lanesOf(const Function &Kernel) {
  if (!Triple(Kernel.getParent()->getTargetTriple()).isAMDGPU())
    return 32;
  StringRef Cpu = Kernel.getFnAttribute("target-cpu").getValueAsString(),
            Features =
                Kernel.getFnAttribute("target-features").getValueAsString();
  if (Features.contains("+wavefrontsize64"))
    return 64;
  return Cpu.size() == 7 && Cpu.starts_with("gfx1") ? 32 : 64;
}

/// Prepares a launch for the search of races. Without AllRaces, the first
/// blocks of the first launch of a shape stand for all: which threads share
/// what seldom depends on the block. A launch with a trace has its own sample.
Error Executor::Implementation::findRaces(DeviceModule &M, StringRef Kernel,
                                          RunningLaunch &Launch) {
  constexpr uint64_t FirstBlocks = 4;
  CompiledKernel &K = M.Kernels[Kernel];
  const ExecutionRequest &R = *Launch.Request;
  Launch.RacingLines = &K.RacingLines;
  if (!Options.AllRaces)
    Launch.MaxCheckedAccesses = Options.MaxCheckedAccesses;
  if (!Options.Checks || (!K.StaticSharedBytes && !R.DynamicSharedBytes) ||
      Launch.threadsPerBlock() == 1)
    return Error::success();
  bool IsNew =
      K.CheckedShapes
          .insert({R.Block[0], R.Block[1], R.Block[2], R.DynamicSharedBytes})
          .second;
  if (!Options.AllRaces && (!IsNew || Launch.Recorder))
    return Error::success();
  Expected<KernelForm> Checked =
      instrumented(M, Kernel, Variant::Checked, Launch);
  if (!Checked)
    return Checked.takeError();
  Launch.Checked = *Checked;
  Launch.RacesWithinWarps = Options.AllRaces;
  Launch.CheckedBlocks = Options.AllRaces ? UINT64_MAX : FirstBlocks;
  return Error::success();
}

/// Prepares a launch for the kernel's vector form, if the kernel has one and
/// the threads of the launch, with those before it, are worth the time to
/// compile it.
Error Executor::Implementation::useVectors(DeviceModule &M, StringRef Kernel,
                                           RunningLaunch &Launch) {
  constexpr uint64_t MinThreads = 1 << 15;
  CompiledKernel &K = M.Kernels[Kernel];
  uint64_t Threads = Launch.blocks() * Launch.threadsPerBlock();
  bool IsWorthIt = Options.Vectors == ExecuteOptions::VectorUse::Always ||
                   (Options.Vectors == ExecuteOptions::VectorUse::WhereUseful &&
                    (K.TakesLong || K.SingleThreads + Threads >= MinThreads));
  if (IsWorthIt)
    return compileVectors(M, Kernel, Launch);
  K.SingleThreads += Threads;
  return Error::success();
}

Error Executor::Implementation::compileVectors(DeviceModule &M,
                                               StringRef Kernel,
                                               RunningLaunch &Launch) {
  Grouping Threads = groupingOf(Launch);
  if (Threads == Grouping::Single)
    return Error::success();
  auto Compiled = compile(M, Kernel, Variant::Plain, Threads);
  if (!Compiled)
    return Compiled.takeError();
  Launch.Vectors = (*Compiled)->form(Variant::Plain, Threads);
  return Error::success();
}

/// Executes a launch. How long few threads take, only their first block tells:
/// where the others would take long, they use the kernel's vector form, and
/// where the block itself took long, it alone is searched for races. No block
/// may wait for a later one then. Of sampled blocks each has a trace, and so no
/// vectors.
Error Executor::Implementation::run(DeviceModule &M, StringRef Kernel,
                                    RunningLaunch &Launch) {
  constexpr double LongLaunch = 1, LongBlock = 0.5, ShortLaunch = 0.1;
  constexpr double SpeedOfVectors = 40; // of kernels with barriers
  CompiledKernel &K = M.Kernels[Kernel];
  auto Begin = SystemClock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(SystemClock::now() - Begin).count();
  };
  const uint64_t Others = Launch.blocks() - 1;
  if (Options.Vectors == ExecuteOptions::VectorUse::WhereUseful &&
      !Launch.Vectors && Launch.Blocks.empty() && Others > 0 &&
      !K.WaitsForMemory && !Launch.Request->Cooperative &&
      K.LongestSingle.value_or(LongLaunch) >= ShortLaunch) {
    Launch.EndBlock = 1;
    Workers->run(Launch);
    if (Launch.Stop)
      return Error::success();
    Launch.NextBlock = 1;
    Launch.EndBlock = UINT64_MAX;
    Launch.SecondsSpent = seconds();
    const KernelForm &OfFirst = Launch.Traced    ? Launch.Traced
                                : Launch.Checked ? Launch.Checked
                                                 : Launch.Plain;
    double Single =
        Launch.SecondsSpent * (OfFirst.usesVectors() ? SpeedOfVectors : 1);
    K.TakesLong |= Single * double(Others) >= LongLaunch;
    if (K.TakesLong)
      if (Error E = compileVectors(M, Kernel, Launch))
        return E;
    if (Launch.SecondsSpent >= LongBlock && !Options.AllRaces)
      Launch.CheckedBlocks = 1;
  }
  Workers->run(Launch);
  if (!Launch.Vectors)
    K.LongestSingle = std::max(K.LongestSingle.value_or(0), seconds());
  return Error::success();
}

/// Names the thread of a fault that a vector of threads has run into: its block
/// executes again, thread by thread. What memory holds after a fault is not
/// defined, so that doing so changes nothing that a program may rely on.
void Executor::Implementation::findThread(RunningLaunch &Launch) {
  const ExecutionRequest &R = *Launch.Request;
  const auto &Block = Launch.Fault->Block;
  RunningLaunch Again;
  Again.Request = Launch.Request;
  Again.Plain = Launch.Plain;
  Again.StaticSharedBytes = Launch.StaticSharedBytes;
  Again.SharedAlignment = Launch.SharedAlignment;
  Again.Lanes = Launch.Lanes;
  Again.Code = Launch.Code;
  Again.Memory = Launch.Memory;
  Again.Checks = Launch.Checks;
  Again.Blocks = {(Block[2] * R.Grid[1] + Block[1]) * R.Grid[0] + Block[0]};
  Workers->run(Again);
  if (Again.Fault && !Again.BudgetSpent)
    Launch.Fault = std::move(Again.Fault);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

Executor::Executor(std::unique_ptr<Implementation> I) : Impl(std::move(I)) {}
Executor::~Executor() = default;

Expected<std::unique_ptr<Executor>> Executor::create(ExecuteOptions Options) {
  Expected<std::unique_ptr<Implementation>> I = Implementation::create(Options);
  if (!I)
    return I.takeError();
  return std::unique_ptr<Executor>(new Executor(std::move(*I)));
}

Expected<uint64_t> Executor::load(StringRef Bitcode, DeviceCode Code) {
  std::lock_guard<std::mutex> Guard(Impl->Lock);
  if (!Bitcode.starts_with("BC") && !Bitcode.starts_with("\xDE\xC0\x17\x0B"))
    return createStringError("the device code is no LLVM bitcode");
  auto M = std::make_unique<DeviceModule>();
  M->Bitcode = Bitcode.str();
  M->Code = Code;
  Impl->Modules.push_back(std::move(M));
  return Impl->Modules.size() - 1;
}

Expected<void *> Executor::variable(uint64_t Module, StringRef Mangled) {
  std::lock_guard<std::mutex> Guard(Impl->Lock);
  Expected<DeviceModule *> M = Impl->find(Module);
  if (!M)
    return M.takeError();
  return Impl->storage(**M, Mangled);
}

DeviceAllocations &Executor::memory() { return Impl->Memory; }

Expected<KernelFacts> Executor::facts(uint64_t Module, StringRef Kernel) {
  std::lock_guard<std::mutex> Guard(Impl->Lock);
  Expected<DeviceModule *> M = Impl->find(Module);
  if (!M)
    return M.takeError();
  Expected<CompiledKernel *> K = Impl->compile(**M, Kernel, Variant::Plain);
  if (!K)
    return K.takeError();
  KernelFacts Facts;
  const Function *F = (*M)->Prepared->getFunction(Kernel);
  Facts.StaticSharedBytes = (*K)->StaticSharedBytes;
  Facts.LocalBytes = (*K)->LocalBytes;
  Facts.WaitsForMemory = (*K)->WaitsForMemory;
  Facts.Parameters = F->arg_size();
  if (const NamedMDNode *Annotations =
          (*M)->Prepared->getNamedMetadata("nvvm.annotations"))
    for (const MDNode *Node : Annotations->operands()) {
      if (Node->getNumOperands() != 3 ||
          mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != F)
        continue;
      const auto *Key = dyn_cast<MDString>(Node->getOperand(1));
      const auto *Value =
          mdconst::dyn_extract<ConstantInt>(Node->getOperand(2));
      if (Key && Value &&
          (Key->getString() == "maxntidx" || Key->getString() == "maxntid"))
        Facts.MaxThreadsPerBlock = Value->getZExtValue();
    }
  return Facts;
}

Expected<KernelEffects> Executor::effects(uint64_t Module, StringRef Kernel) {
  std::lock_guard<std::mutex> Guard(Impl->Lock);
  Expected<DeviceModule *> M = Impl->find(Module);
  if (!M)
    return M.takeError();
  if (Error E = Impl->prepare(**M))
    return E;
  const Function *F = (*M)->Prepared->getFunction(Kernel);
  if (!F || F->isDeclaration())
    return createStringError("there is no kernel '" + Kernel + "'");
  return effectsOf(*F);
}

/// How the launch ended.
static void describe(RunningLaunch &&Launch, ExecutionResult &Result) {
  Result.Completed = !Launch.Stop;
  Result.ThreadsAtOnce = Launch.ordinary().Threads;
  Result.RecordedAtOnce =
      (Launch.Traced ? Launch.Traced : Launch.Checked).Threads;
  if (Launch.RaceSearchEnded)
    Result.CheckedAccesses = Launch.MaxCheckedAccesses;
  Result.Fault = std::move(Launch.Fault);
  Result.Races = std::move(Launch.Races);
  Result.Unsupported = std::move(Launch.Unsupported);
  Result.BudgetSpent = Launch.BudgetSpent;
  Result.ChildLaunches = takeChildLaunches();
}

Expected<ExecutionResult> Executor::launch(uint64_t Module, StringRef Kernel,
                                           const ExecutionRequest &Request) {
  std::lock_guard<std::mutex> Guard(Impl->Lock);
  Expected<DeviceModule *> M = Impl->find(Module);
  if (!M)
    return M.takeError();
  bool OnlyTraced = Request.Trace && Request.SampledOnly;
  Expected<CompiledKernel *> K =
      Impl->compile(**M, Kernel, OnlyTraced ? Variant::Traced : Variant::Plain);
  if (!K)
    return K.takeError();
  const Function *F = (*M)->Prepared->getFunction(Kernel);
  if (Request.Arguments.size() < F->arg_size())
    return createStringError("kernel '" + Kernel + "' takes " +
                             Twine(F->arg_size()) + " arguments, not " +
                             Twine(Request.Arguments.size()));
  RunningLaunch Launch;
  Launch.Request = &Request;
  Launch.Plain = (*K)->form(Variant::Plain, Grouping::Single);
  Launch.Plain.Waits = (*K)->UsesFibers || Request.Cooperative;
  Launch.StaticSharedBytes = (*K)->StaticSharedBytes;
  Launch.SharedAlignment = (*K)->SharedAlignment;
  Launch.Lanes = Request.Lanes ? Request.Lanes : lanesOf(*F);
  Launch.Code = &Impl->Code;
  Launch.Memory = &Impl->Memory;
  if (Request.Cooperative) {
    if (!Impl->Workspace)
      Impl->Workspace = Impl->Memory.allocate(sizeof(GridWorkspace), "");
    if (Impl->Workspace)
      Launch.Workspace = new (Impl->Workspace) GridWorkspace;
  }
  Launch.Checks = Impl->Options.Checks;
  Launch.OpensGranules = Impl->Options.OpensGranules;
  ExecutionResult Result;
  if (Launch.blocks() == 0 || Launch.threadsPerBlock() == 0 ||
      Launch.threadsPerBlock() > 1024)
    return createStringError("the launch of '" + Kernel +
                             "' has no threads, or more than 1024 in a block");
  TracedCode Unused(*F);
  std::optional<TraceRecorder> Recorder;
  if (Request.Trace || Request.SampledOnly) {
    if (Request.Trace) {
      Expected<KernelForm> Traced =
          Impl->instrumented(**M, Kernel, Variant::Traced, Launch);
      if (!Traced)
        return Traced.takeError();
      Launch.Traced = *Traced;
    }
    bool WholeBlocks = Launch.Plain.Waits || Launch.StaticSharedBytes ||
                       Request.DynamicSharedBytes;
    Recorder.emplace(Request.Trace ? *(*K)->Code : Unused, Request,
                     Launch.Lanes, WholeBlocks);
    if (Request.SampledOnly)
      Launch.Blocks = Recorder->sampledBlocks();
    if (Request.Trace)
      Launch.Recorder = &*Recorder;
  }
  if (Error E = Impl->findRaces(**M, Kernel, Launch))
    return std::move(E);
  if (!OnlyTraced)
    if (Error E = Impl->useVectors(**M, Kernel, Launch))
      return std::move(E);
  Launch.SharedVariables = (*K)->SharedVariables;
  if (Error E = Impl->run(**M, Kernel, Launch))
    return std::move(E);
  if (Launch.Fault && Launch.FaultIsOfAnyLane)
    Impl->findThread(Launch);
  if (Request.Trace) {
    Result.TracedInstructions = F->getInstructionCount();
    Result.Trace =
        Recorder->take(Launch.Fault                  ? Launch.Fault->What
                       : !Launch.Unsupported.empty() ? Launch.Unsupported
                                                     : "");
  }
  describe(std::move(Launch), Result);
  return Result;
}

} // namespace gpuestimate
