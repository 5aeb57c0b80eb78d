#include "KernelEffects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

namespace {

struct Access {
  bool Reads = false, Writes = false;
  void add(Access A) {
    Reads |= A.Reads;
    Writes |= A.Writes;
  }
};

constexpr Access Read = {true, false}, Write = {false, true},
                 ReadAndWrite = {true, true};

/// The effects of one function, in terms of its own parameters.
struct FunctionEffects {
  bool AreKnown = true;
  SmallVector<Access> Parameters;
  DenseMap<const GlobalVariable *, Access> Variables;
};

class EffectsReader {
public:
  const FunctionEffects &read(const Function &F);

private:
  void read(const Instruction &I, FunctionEffects &E);
  void readCall(const CallBase &Call, FunctionEffects &E);
  /// An access to what Pointer points to.
  void note(const Value *Pointer, Access A, FunctionEffects &E);

  DenseMap<const Function *, std::unique_ptr<FunctionEffects>> Known;
};

} // namespace

/// The parameter in whose bytes the value is: the value itself, a member of a
/// structure that is a value, or a member of one that is passed in memory.
static const Argument *parameterOf(const Value *V) {
  while (const auto *Member = dyn_cast<ExtractValueInst>(V))
    V = Member->getAggregateOperand();
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const auto *A = dyn_cast<Argument>(
        getUnderlyingObject(Load->getPointerOperand(), /*MaxLookup=*/0));
    return A && A->hasByValAttr() ? A : nullptr;
  }
  return dyn_cast<Argument>(V);
}

void EffectsReader::note(const Value *Pointer, Access A, FunctionEffects &E) {
  if (!Pointer->getType()->isPointerTy()) { // several in a vector
    E.AreKnown = false;
    return;
  }
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    unsigned Space = Object->getType()->getPointerAddressSpace();
    constexpr unsigned Shared = 3, Private = 5;
    if (isa<AllocaInst>(Object) || isa<UndefValue>(Object) || Space == Shared ||
        Space == Private)
      continue;
    if (const auto *G = dyn_cast<GlobalVariable>(Object)) {
      // The host may write a constant that it initialises.
      if (!G->isConstant() || G->isExternallyInitialized())
        E.Variables[G].add(A);
      continue;
    }
    const Argument *Parameter = parameterOf(Object);
    if (!Parameter) {
      E.AreKnown = false;
      return;
    }
    // What is passed in memory by value is the thread's own.
    if (Object != Parameter || !Parameter->hasByValAttr())
      E.Parameters[Parameter->getArgNo()].add(A);
  }
}

/// Does the function of the device's run-time library touch no memory but that
/// which it gets pointers to, and give the same result each time?
static bool isPureFunction(StringRef Name) {
  if (Name.starts_with("__assert"))
    return true;
  if (Name.starts_with("__ocml_") || Name.starts_with("__ockl_get_"))
    return true;
  return Name.starts_with("__nv_") && !Name.contains("tex_surf");
}

/// Do results of the intrinsic depend on more than its operands and the memory
/// that these point to?
static bool readsElsewhere(StringRef Name) {
  for (StringRef Part : {"clock", "timer", "memtime", "memrealtime", ".tex.",
                         ".tld4.", ".suld.", ".sust.", ".sured.", "image"})
    if (Name.contains(Part))
      return true;
  return false;
}

/// Is the assembly arithmetic alone? LLVM knows no memory of assembly that
/// names none, whatever its text does. Operands in memory have brackets in PTX;
/// AMD's mnemonics say what they access.
static bool isArithmetic(const CallBase &Assembly) {
  StringRef Text = cast<InlineAsm>(Assembly.getCalledOperand())->getAsmString();
  return Assembly.doesNotAccessMemory() && !readsElsewhere(Text) &&
         none_of(ArrayRef<StringRef>{"[", "load", "store", "atomic", "read"},
                 [&](StringRef Part) { return Text.contains(Part); });
}

void EffectsReader::readCall(const CallBase &Call, FunctionEffects &E) {
  const Function *Callee = Call.getCalledFunction();
  if (Call.isInlineAsm()) {
    E.AreKnown &= isArithmetic(Call);
    return;
  }
  if (!Callee || (!Callee->isIntrinsic() && Callee->isDeclaration() &&
                  !isPureFunction(Callee->getName()))) {
    E.AreKnown = false;
    return;
  }
  if (Callee->isIntrinsic() && readsElsewhere(Callee->getName())) {
    E.AreKnown = false;
    return;
  }
  if (Callee->isIntrinsic() || Callee->isDeclaration()) {
    if (Call.doesNotAccessMemory() || Call.onlyAccessesInaccessibleMemory())
      return;
    for (unsigned I = 0; I < Call.arg_size(); ++I)
      if (Call.getArgOperand(I)->getType()->isPtrOrPtrVectorTy())
        note(Call.getArgOperand(I),
             Call.onlyReadsMemory(I)    ? Read
             : Call.onlyWritesMemory(I) ? Write
                                        : ReadAndWrite,
             E);
    return;
  }
  // A copy: the reader may make room for more functions.
  const FunctionEffects Inner = read(*Callee);
  E.AreKnown &= Inner.AreKnown;
  for (auto [V, A] : Inner.Variables)
    E.Variables[V].add(A);
  for (unsigned I = 0; I < Inner.Parameters.size(); ++I) {
    Access A = Inner.Parameters[I];
    if (!A.Reads && !A.Writes)
      continue;
    // Pointers inside of a structure are not followed into a function.
    if (Callee->getArg(I)->hasByValAttr() ||
        !Callee->getArg(I)->getType()->isPointerTy())
      E.AreKnown = false;
    else
      note(Call.getArgOperand(I), A, E);
  }
}

void EffectsReader::read(const Instruction &I, FunctionEffects &E) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    note(Load->getPointerOperand(), Read, E);
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    note(Store->getPointerOperand(), Write, E);
  else if (const auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
    note(Rmw->getPointerOperand(), ReadAndWrite, E);
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    note(Exchange->getPointerOperand(), ReadAndWrite, E);
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    readCall(*Call, E);
  else if (I.mayReadOrWriteMemory() && !isa<FenceInst>(I))
    E.AreKnown = false;
}

const FunctionEffects &EffectsReader::read(const Function &F) {
  auto [Entry, IsNew] = Known.try_emplace(&F);
  if (!IsNew)
    return *Entry->second;
  // A recursive call finds effects that are not known.
  Entry->second = std::make_unique<FunctionEffects>();
  FunctionEffects &E = *Entry->second;
  E.Parameters.resize(F.arg_size());
  E.AreKnown = false;
  FunctionEffects Whole;
  Whole.Parameters.resize(F.arg_size());
  for (const Instruction &I : instructions(F))
    read(I, Whole);
  E = std::move(Whole);
  return E;
}

KernelEffects effectsOf(const Function &Kernel) {
  EffectsReader Reader;
  const FunctionEffects &E = Reader.read(Kernel);
  KernelEffects Result;
  Result.AreKnown = E.AreKnown;
  for (unsigned I = 0; I < E.Parameters.size(); ++I) {
    if (E.Parameters[I].Reads)
      Result.ReadParameters.push_back(I);
    if (E.Parameters[I].Writes)
      Result.WrittenParameters.push_back(I);
  }
  for (auto [V, A] : E.Variables) {
    if (A.Reads)
      Result.ReadVariables.push_back(V->getName().str());
    if (A.Writes)
      Result.WrittenVariables.push_back(V->getName().str());
  }
  return Result;
}

} // namespace gpuestimate
