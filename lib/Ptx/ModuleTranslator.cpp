#include "ModuleTranslator.h"

#include "BypassedDivisions.h"
#include "Divisions.h"
#include "Lexer.h"
#include "NoWrap.h"
#include "PointerRecovery.h"
#include "gpu-estimate/ForeignIr/KernelFunction.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

/// Variables of the module; values come when all are known.
void PtxModuleTranslator::declareVariables() {
  LLVMContext &Context = M.getContext();
  for (const PtxVariable &V : File.Variables) {
    if (Symbols.count(V.Name)) // declared and defined
      continue;
    Type *T = V.IsArray || V.VectorSize > 1
                  ? ArrayType::get(Type::getInt8Ty(Context), V.bytes())
                  : llvmType(V.Type, Context);
    unsigned Space = ptxAddressSpace(V.Space).value_or(ptxspace::Global);
    bool IsShared = Space == ptxspace::Shared;
    auto *G = new GlobalVariable(
        M, T, Space == ptxspace::Constant,
        V.IsExternal ? GlobalValue::ExternalLinkage
                     : GlobalValue::InternalLinkage,
        V.IsExternal ? nullptr
        : IsShared   ? static_cast<Constant *>(UndefValue::get(T))
                     : Constant::getNullValue(T),
        V.Name, nullptr, GlobalValue::NotThreadLocal, Space);
    if (Space == ptxspace::Constant || Space == ptxspace::Global)
      G->setLinkage(GlobalValue::ExternalLinkage); // host code may write it
    unsigned Alignment = V.Alignment ? V.Alignment : V.elementBytes();
    if (isPowerOf2_32(Alignment))
      G->setAlignment(Align(Alignment));
    Symbols[V.Name] = G;
  }
}

Constant *PtxModuleTranslator::initialValue(const PtxVariable &V, Type *T) {
  bool IsNumbers = all_of(V.Initial, [](const PtxOperand &O) {
    return O.Kind == PtxOperand::Integer || O.Kind == PtxOperand::Real;
  });
  // Addresses are tables of functions and strings; large tables are left out.
  constexpr uint64_t MaxBytes = 16 << 20;
  if (!IsNumbers || V.bytes() > MaxBytes)
    return Constant::getNullValue(T);
  if (!T->isArrayTy()) {
    APInt Bits(64, V.Initial[0].Value);
    unsigned Width = T->getPrimitiveSizeInBits();
    if (T->isFloatingPointTy())
      return ConstantFP::get(
          T, APFloat(T->getFltSemantics(), Bits.zextOrTrunc(Width)));
    return ConstantInt::get(T, Bits.sextOrTrunc(Width));
  }
  std::vector<uint8_t> Bytes(V.bytes());
  unsigned Size = std::max(1u, V.Type.bits() / 8);
  for (auto [N, O] : enumerate(V.Initial))
    for (unsigned Byte = 0; Byte < std::min(Size, 8u); ++Byte)
      if (N * Size + Byte < Bytes.size())
        Bytes[N * Size + Byte] = static_cast<uint8_t>(O.Value >> (8 * Byte));
  return ConstantDataArray::get(M.getContext(), Bytes);
}

void PtxModuleTranslator::initialize() {
  for (const PtxVariable &V : File.Variables) {
    auto *G = dyn_cast_or_null<GlobalVariable>(Symbols.lookup(V.Name));
    if (G && !V.Initial.empty() && G->hasInitializer())
      G->setInitializer(initialValue(V, G->getValueType()));
  }
}

PtxSignature PtxModuleTranslator::signatureOf(const PtxFunction &Source) {
  LLVMContext &Context = M.getContext();
  PtxSignature S;
  S.Declaration = &Source;
  Type *Pointer = PointerType::get(Context, 0), *Result = nullptr;
  SmallVector<Type *> Types;
  if (S.returnsInMemory())
    Types.push_back(Pointer);
  else if (!Source.Results.empty())
    Result = ptxValueType(Source.Results[0], Context);
  for (const PtxVariable &P : Source.Parameters)
    Types.push_back(P.IsArray ? Pointer : ptxValueType(P, Context));
  S.Type = FunctionType::get(Result ? Result : Type::getVoidTy(Context), Types,
                             false);
  return S;
}

void PtxModuleTranslator::setAttributes(Function &F,
                                        const PtxFunction &Source) {
  for (Attribute::AttrKind Kind :
       {Attribute::Convergent, Attribute::MustProgress, Attribute::NoUnwind})
    F.addFnAttr(Kind);
  F.addFnAttr(PtxCodeMark);
  F.addFnAttr("target-cpu", Arch);
  F.addFnAttr("target-features", "+ptx85,+" + Arch);
  // Single precision flushes denormals to zero, or does not, by instruction;
  // compilers set it for a whole file.
  size_t Flushing = 0, Single = 0;
  for (const PtxStatement &S : Source.Body)
    if (S.Kind == PtxStatement::Instruction && S.Code.has("f32")) {
      bool CanFlush = S.Code.Opcode == "add" || S.Code.Opcode == "mul" ||
                      S.Code.Opcode == "sub" || S.Code.Opcode == "fma" ||
                      S.Code.Opcode == "setp" || S.Code.Opcode == "div" ||
                      S.Code.Opcode == "ex2" || S.Code.Opcode == "rsqrt" ||
                      S.Code.Opcode == "sqrt" || S.Code.Opcode == "rcp";
      Single += CanFlush;
      Flushing += CanFlush && S.Code.has("ftz");
    }
  if (Flushing > 0 && 2 * Flushing >= Single)
    F.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  unsigned Next = Source.Results.empty() || !Source.Results[0].IsArray ? 0 : 1;
  for (const PtxVariable &P : Source.Parameters) {
    if (P.IsArray) {
      Type *T = ArrayType::get(Type::getInt8Ty(M.getContext()), P.bytes());
      F.addParamAttr(Next, Attribute::getWithByValType(M.getContext(), T));
      F.addParamAttr(Next,
                     Attribute::get(M.getContext(), "nvvm.grid_constant"));
      if (isPowerOf2_32(P.Alignment))
        F.addParamAttr(Next, Attribute::getWithAlignment(M.getContext(),
                                                         Align(P.Alignment)));
    }
    ++Next;
  }
}

void PtxModuleTranslator::declare(const PtxFunction &Source) {
  PtxSignature &S = Signatures[Source.Name];
  bool IsRepeated = S.Code != nullptr;
  if (IsRepeated && (!Source.HasBody || S.Declaration->HasBody))
    return;
  Function *Before = S.Code;
  S = signatureOf(Source);
  if (Before && Before->getFunctionType() == S.Type) {
    S.Code = Before;
  } else {
    if (Before)
      Before->setName("");
    S.Code =
        Function::Create(S.Type, GlobalValue::ExternalLinkage, Source.Name, M);
  }
  setAttributes(*S.Code, Source);
  Symbols[Source.Name] = S.Code;
}

KernelSource PtxModuleTranslator::kernelSource(const Function &F,
                                               const PtxFunction &Source,
                                               SourceLocation Place) {
  KernelSource K;
  K.Mangled = F.getName().str();
  K.Name = readableName(F.getName());
  K.Location = std::move(Place);
  for (auto [N, P] : enumerate(Source.Parameters)) {
    const Argument &A = *F.getArg(N);
    KernelArgument &Into = K.Arguments.emplace_back();
    Into.Name = "arg" + std::to_string(N);
    Into.Bytes = static_cast<unsigned>(P.bytes());
    if (P.IsArray) {
      Into.Kind = KernelArgument::Aggregate;
    } else if (A.getType()->isPointerTy()) {
      describePointer(A, Into);
    } else if (A.getType()->isFloatingPointTy()) {
      Into.Kind = KernelArgument::Real;
    }
  }
  setLaunchBounds(K, Source.Bounds);
  return K;
}

Expected<std::vector<KernelSource>> PtxModuleTranslator::run() {
  declareVariables();
  initialize();
  for (const PtxFunction &Source : File.Functions)
    declare(Source);
  for (auto [N, Type] : enumerate(File.Prototypes))
    Signatures["prototype " + std::to_string(N)] = signatureOf(Type);
  for (const auto &[Alias, Name] : File.Aliases)
    if (auto Of = Signatures.find(Name); Of != Signatures.end()) {
      PtxSignature Copy = Of->second;
      Signatures[Alias] = Copy;
      Symbols[Alias] = Copy.Code;
    }
  std::vector<std::pair<Function *, SourceLocation>> Translated;
  for (const PtxFunction &Source : File.Functions) {
    const PtxSignature &S = Signatures[Source.Name];
    if (!Source.HasBody)
      continue;
    if (S.Declaration != &Source)
      return ptxError(Source.Line,
                      "'" + Source.Name + "' is defined a second time");
    SourceLocation Place = Places.begin(*S.Code, Source);
    if (Error E =
            PtxFunctionTranslator(File, Source, S, Signatures, Symbols, &Places)
                .run())
      return std::move(E);
    Translated.emplace_back(S.Code, std::move(Place));
  }
  Places.finish();
  std::vector<KernelSource> Kernels;
  size_t Next = 0;
  for (const PtxFunction &Source : File.Functions) {
    if (!Source.HasBody)
      continue;
    auto &[Code, Place] = Translated[Next++];
    SmallVector<unsigned> Known;
    for (auto [N, P] : enumerate(Source.Parameters))
      if (P.IsPointer && !P.IsArray && P.VectorSize == 1 &&
          P.Type.bits() == 64 && !P.Type.isFloat())
        Known.push_back(N);
    mergeBypassedDivisions(*Code);
    recoverDivisions(*Code);
    Function *F =
        PtxPointerRecovery(*Code, Source.IsEntry ? ArrayRef<unsigned>(Known)
                                                 : ArrayRef<unsigned>())
            .run();
    markNoWrap(*F);
    if (!Source.IsEntry) {
      F->setLinkage(GlobalValue::InternalLinkage);
      continue;
    }
    annotateKernel(*F, Source.Bounds);
    Kernels.push_back(kernelSource(*F, Source, std::move(Place)));
  }
  return Kernels;
}

} // namespace gpuestimate
