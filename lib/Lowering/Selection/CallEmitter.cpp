#include "CallEmitter.h"

#include "AssemblyEmitter.h"
#include "BulkCopyEmitter.h"
#include "MatrixEmitter.h"
#include "MemoryEmitter.h"
#include "TextureAddress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

namespace {

/// The row of an intrinsic: with the result's type appended, or by its name
/// without the overload suffix, or as it is.
const OpRow *findIntrinsicRow(const llvm::CallBase &I, llvm::StringRef Name,
                              llvm::ArrayRef<llvm::StringLiteral> Variants) {
  const llvm::Type *T = I.getType();
  if (T->isVoidTy() && I.arg_size())
    T = I.getArgOperand(0)->getType();
  if (!Name.starts_with("llvm.nvvm.") && !Name.starts_with("llvm.amdgcn.")) {
    llvm::StringRef Base = Name;
    // "llvm.fma.v2f16" -> "llvm.fma": overload suffixes start at a type.
    for (size_t Dot = Base.rfind('.'); Dot != llvm::StringRef::npos && Dot > 5;
         Dot = Base.rfind('.')) {
      llvm::StringRef Tail = Base.substr(Dot + 1);
      bool IsType = Tail.size() > 1 &&
                    (Tail[0] == 'i' || Tail[0] == 'f' || Tail[0] == 'v' ||
                     Tail[0] == 'p' || Tail.starts_with("bf")) &&
                    llvm::isDigit(Tail.back());
      if (!IsType)
        break;
      Base = Base.take_front(Dot);
    }
    const llvm::Type *By =
        T->isIntegerTy(1) && I.arg_size() ? I.getArgOperand(0)->getType() : T;
    std::string Typed = (Base + "." + typeKey(By)).str();
    if (Base == "llvm.sqrt" && I.hasApproxFunc() && By->isFloatTy())
      Typed = "llvm.sqrt.fast.f32";
    if (const OpRow *Row = findOpRow(Typed, Variants))
      return Row;
  }
  return findOpRow(Name, Variants);
}

} // namespace

void CallEmitter::emit(const llvm::CallBase &I) {
  if (I.isInlineAsm())
    return Assembly.emit(I);
  if (const auto *Bulk = llvm::dyn_cast<llvm::MemIntrinsic>(&I))
    return Memory.emitBulk(*Bulk);
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  auto *Callee =
      llvm::dyn_cast<llvm::Function>(I.getCalledOperand()->stripPointerCasts());
  if (!Callee)
    return B.unmapped(I, Unknown::Call, "the indirect call");
  llvm::StringRef Name = Callee->getName();
  if (Name.starts_with("llvm.nvvm.wmma.") ||
      Name.starts_with("llvm.nvvm.mma.") ||
      Name.starts_with("llvm.nvvm.ldmatrix.") ||
      Name.starts_with("llvm.nvvm.wgmma.mma"))
    if (Matrix.emit(I, Name))
      return;
  if (Matrix.emitAmd(I, Name) || emitMemoryCall(I, Name))
    return;
  if (Name.starts_with("llvm.nvvm.mapa"))
    Assembly.noteRemoteMemory(I);
  if (Name.starts_with("llvm.nvvm.read.ptx.sreg.") && !Name.contains("clock") &&
      !Name.contains("timer"))
    if (B.reuseSpecialRegister(Name, I))
      return;

  if (emitSleep(I, Name))
    return;

  // Rounded otherwise, it is the same division.
  const OpRow *Row = Name.starts_with("__nv_fdiv_r") ? B.findRow(I, "fdiv.f32")
                     : Name.starts_with("__nv_ddiv_r")
                         ? B.findRow(I, "fdiv.f64")
                         : findIntrinsicRow(I, Name, B.variants());
  if (!Row) {
    // cuda-headers/gpu_estimate/dialect.h
    if (Name.starts_with("_ZN26gpu_estimate_device_launch"))
      return B.unmapped(I, Unknown::Call, "launch of a kernel from device code",
                        "the report has it as a launch of its own; here it "
                        "counts as one move");
    if (Callee->isDeclaration())
      return B.unmapped(I, Unknown::Call, "the call of " + Name.str());
    return emitCall(I, *Callee);
  }
  bool Prints = Name == "vprintf" || Name == "__ockl_printf_begin";
  if (Prints || llvm::is_contained({"malloc", "free"}, Name)) {
    Unknown U;
    U.Kind = Unknown::Call;
    U.Location = locate(I);
    U.What = "the call of " + (Prints ? std::string("printf") : Name.str()) +
             " at " + U.Location.brief();
    U.Why = "only the instructions of the call are counted, not the service "
            "behind it";
    U.Default = 1;
    Names.note(std::move(U));
  }
  unsigned Repeat = 1;
  if (const auto *Vector = llvm::dyn_cast<llvm::FixedVectorType>(I.getType()))
    if (!Name.starts_with("llvm.nvvm."))
      Repeat = Vector->getNumElements() / (isPackedHalf(Vector) ? 2 : 1);
  B.appendRow(*Row, I, Values, Repeat);
  if (Row->steps().size() == 1 &&
      Row->steps()[0].Class == OpClass::SpecialRegister &&
      !Name.contains("clock") && !Name.contains("timer") &&
      !Name.contains("counter") && !Name.contains("time"))
    B.keepSpecialRegister(Name, I);
}

void CallEmitter::emitCall(const llvm::CallBase &I, llvm::Function &Callee) {
  const CallSummary *Summary = B.Calls.of(Callee);
  Unknown U;
  U.Kind = Unknown::Call;
  U.Location = locate(I);
  U.What =
      "the call of " + Callee.getName().str() + " at " + U.Location.brief();
  // It is not known how far what is assumed moves the time.
  U.IsLeftOut = !Summary || Summary->LeavesOut || Summary->Assumes ||
                Summary->IsRecursive;
  U.Default = Summary ? 1 : 0;
  if (!Summary)
    U.Why = "it calls itself, or cannot be analysed; its body is not in the "
            "estimate";
  else
    U.Why = std::string(Summary->IsRecursive
                            ? "it is recursive; the instructions of one level "
                              "are counted"
                            : "it is too large to inline; its instructions are "
                              "counted") +
            (Summary->Assumes ? " for unknown arguments and data" : "") +
            (Summary->LeavesOut ? ", its accesses to memory are not" : "");
  Names.note(std::move(U));
  if (Summary)
    return B.appendCall(*Summary, I);
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  B.setProducer(I, B.append(OpClass::Branch, I, Values));
}

/// nanosleep(t) lasts between 0 and 2 t (PTX ISA): t is taken. s_sleep(n) lasts
/// about 64 n cycles (AMD's instruction set manuals).
bool CallEmitter::emitSleep(const llvm::CallBase &I, llvm::StringRef Name) {
  constexpr double CyclesPerStep = 64;
  unsigned Slept;
  if (Name == "llvm.nvvm.nanosleep")
    Slept = B.appendWait(I, V.of(I.getArgOperand(0)), Wait::Nanoseconds);
  else if (Name == "llvm.amdgcn.s.sleep")
    Slept = B.appendWait(I, CyclesPerStep * V.of(I.getArgOperand(0)),
                         Wait::CoreCycles);
  else
    return false;
  B.setProducer(I, B.append(OpClass::Branch, I, {}, static_cast<int>(Slept)));
  return true;
}

bool CallEmitter::emitMemoryCall(const llvm::CallBase &I,
                                 llvm::StringRef Name) {
  AccessRequest Request;
  Request.At = &I;
  if (Name.starts_with("llvm.nvvm.ldg.global.") ||
      Name.starts_with("llvm.nvvm.ldu.global.")) {
    Request.Pointer = I.getArgOperand(0);
    Request.Bytes = static_cast<unsigned>(A.DL.getTypeStoreSize(I.getType()));
    Request.ReadOnly = true;
    B.setProducer(I, B.appendAccess(Request, {}));
    return true;
  }
  if (Name.starts_with("llvm.nvvm.cp.async.c")) { // .ca or .cg, not commit
    if (Name.starts_with("llvm.nvvm.cp.async.commit")) {
      Memory.emitAsyncCommit(I);
      return true;
    }
    Request.Pointer = I.getArgOperand(1);
    llvm::StringRef Size =
        Name.split("global.").second.take_while(llvm::isDigit);
    if (Size.getAsInteger(10, Request.Bytes))
      Request.Bytes = 16;
    Request.Kind = AccessKind::AsyncCopy;
    Request.Space = MemorySpace::Global;
    Request.BypassL1 = Name.contains(".cg.");
    const llvm::Value *Values[] = {I.getArgOperand(0)};
    B.setProducer(I, B.appendAccess(Request, Values));
    return true;
  }
  if (Name.starts_with("llvm.nvvm.cp.async.wait")) {
    const auto *Groups =
        I.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(0))
                     : nullptr;
    Memory.emitAsyncWait(I, Groups ? Groups->getZExtValue() : 0);
    return true;
  }
  if (Bulk.emit(I, Name))
    return true;
  if (Name.starts_with("llvm.prefetch")) {
    Request.Pointer = I.getArgOperand(0);
    Request.Bytes = 4;
    B.setProducer(I, B.appendAccess(Request, {}));
    return true;
  }
  if (Name.starts_with("llvm.nvvm.atomic.")) {
    Request.Pointer = I.getArgOperand(0);
    Request.Kind = AccessKind::Atomic;
    Request.Bytes = static_cast<unsigned>(A.DL.getTypeStoreSize(I.getType()));
    Request.ReturnsValue = !I.use_empty();
    llvm::SmallVector<const llvm::Value *> Values(llvm::drop_begin(I.args()));
    B.setProducer(I, B.appendAccess(Request, Values));
    return true;
  }
  if (Name.starts_with("llvm.masked.")) {
    bool Store = Name.starts_with("llvm.masked.store") ||
                 Name.starts_with("llvm.masked.scatter");
    Request.Pointer = I.getArgOperand(Store ? 1 : 0);
    Request.Kind = Store ? AccessKind::Store : AccessKind::Load;
    Request.Bytes = static_cast<unsigned>(A.DL.getTypeStoreSize(
        Store ? I.getArgOperand(0)->getType() : I.getType()));
    B.setProducer(I, B.appendAccess(Request, {}));
    return true;
  }
  if (Name.starts_with("__gpu_estimate_tex") ||
      Name.starts_with("__gpu_estimate_surf") ||
      Name.starts_with("llvm.nvvm.tex.") ||
      Name.starts_with("llvm.nvvm.tld4.") ||
      Name.starts_with("llvm.nvvm.suld.") ||
      Name.starts_with("llvm.nvvm.sust.")) {
    emitTexture(I, Name);
    return true;
  }
  return false;
}

void CallEmitter::emitTexture(const llvm::CallBase &I, llvm::StringRef Name) {
  AccessRequest Request;
  Request.At = &I;
  bool Write = Name.contains("write") || Name.contains(".sust.");
  Request.Kind = Write ? AccessKind::Store : AccessKind::Load;
  Request.Space = Write ? MemorySpace::Global : MemorySpace::Texture;
  std::optional<TexelRequest> Texel = TexelRequest::of(I, Name);
  Request.Bytes = Texel ? Texel->Bytes : 4;
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  unsigned Index = B.appendAccess(Request, Values);
  B.setProducer(I, Index);
  MemoryAccess &M = Model.Accesses[*Model.Operations[Index].access()];
  if (const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(
          Texel ? Texel->Object : nullptr))
    M.Base = V.nameOf(Arg, M.BaseArgument);
  if (Expr Address =
          Texel ? TextureAddress(V, *Model.Context, A).of(*Texel) : Expr()) {
    M.Address = Address;
    M.DataDependent = Names.contains(Address);
  }
}

} // namespace gpuestimate
