#include "FunctionTranslator.h"

#include "Assembly.h"
#include "AssemblyFence.h"
#include "DebugPlaces.h"
#include "InstructionTranslator.h"
#include "Lexer.h"
#include "gpu-estimate/Ptx/InstructionTable.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuestimate {

Type *ptxValueType(const PtxVariable &V, LLVMContext &Context) {
  Type *T = llvmType(V.Type, Context);
  if (V.VectorSize == 1)
    return T;
  return FixedVectorType::get(
      T->isVectorTy() ? Type::getIntNTy(Context, V.Type.bits()) : T,
      V.VectorSize);
}

PtxFunctionTranslator::PtxFunctionTranslator(const PtxFile &File,
                                             const PtxFunction &Source,
                                             const PtxSignature &Signature,
                                             const PtxSignatures &Signatures,
                                             const PtxSymbols &Symbols,
                                             PtxDebugPlaces *Places)
    : File(File), Source(Source), Signatures(Signatures), Places(Places),
      F(*Signature.Code), B(llvm::BasicBlock::Create(F.getContext(), "", &F)),
      Operands(B, F, Symbols) {}

Error PtxFunctionTranslator::run() {
  findLabels();
  llvm::BasicBlock *Start = newBlock();
  bindParameters();
  B.CreateBr(Start);
  enter(Start);
  for (const PtxRegisters &R : File.Registers)
    Operands.declare(R);
  if (Error E = translateBody())
    return E;
  if (!B.GetInsertBlock()->getTerminator())
    returnFromFunction();
  markUnrolling();
  promoteRegisters();
  return Error::success();
}

Error PtxFunctionTranslator::translateBody() {
  OpenScopes.push_back(0);
  NextScope = 1;
  for (size_t N = 0; N != Source.Body.size(); ++N) {
    statement(N);
    if (!Operands.problem().empty())
      return ptxError(Source.Body[N].Line, Operands.problem());
  }
  return Error::success();
}

Error PtxFunctionTranslator::runAssembly(ArrayRef<PtxAssemblyOperand> Registers,
                                         const PtxAssemblyMode &Mode) {
  Inline = Mode;
  findLabels();
  llvm::BasicBlock *Start = newBlock();
  for (const PtxAssemblyOperand &R : Registers) {
    AllocaInst *Slot = Operands.declare(R.Name, R.Type);
    if (R.Parameter >= 0)
      B.CreateStore(F.getArg(R.Parameter), Slot);
  }
  B.CreateBr(Start);
  enter(Start);
  if (Error E = translateBody())
    return E;
  if (B.GetInsertBlock()->getTerminator())
    enter(newBlock());
  if (Mode.ClobbersMemory)
    B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "",
                                "~{memory}", /*hasSideEffects=*/true));
  returnResults(Registers);
  promoteRegisters();
  return Error::success();
}

/// Does the assembly compute something that LLVM might compute in another way?
/// Addresses, special registers and predicates are worth to be seen through.
bool PtxFunctionTranslator::needsFences() const {
  static constexpr StringLiteral SeenThrough[] = {"cvta", "mov",  "selp",
                                                  "set",  "setp", "slct"};
  return Inline->Use == AssemblyUse::Estimate &&
         any_of(Source.Body, [&](const PtxStatement &S) {
           const PtxInstruction &I = S.Code;
           bool IsIntegerCast =
               I.Opcode == "cvt" &&
               none_of(I.types(), [](PtxType T) { return T.isFloat(); });
           return S.Kind == PtxStatement::Instruction && isPure(I) &&
                  !IsIntegerCast && !is_contained(SeenThrough, I.Opcode);
         });
}

void PtxFunctionTranslator::returnResults(
    ArrayRef<PtxAssemblyOperand> Registers) {
  Type *Returned = F.getReturnType();
  if (Returned->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  bool IsFenced = needsFences();
  Value *All = PoisonValue::get(Returned);
  unsigned Next = 0;
  for (const PtxAssemblyOperand &R : Registers) {
    if (!R.IsResult)
      continue;
    Value *V = B.CreateLoad(R.Type, Operands.declared(R.Name));
    if (IsFenced && !R.Type->isPointerTy())
      V = createAssemblyFence(B, V, Inline->IsConvergent);
    All = Returned->isStructTy() ? B.CreateInsertValue(All, V, Next++) : V;
  }
  B.CreateRet(All);
}

/// Labels are known in the whole scope that has them.
void PtxFunctionTranslator::findLabels() {
  std::vector<size_t> Open = {0};
  Labels.emplace_back();
  for (const PtxStatement &S : Source.Body) {
    if (S.Kind == PtxStatement::ScopeBegin) {
      Open.push_back(Labels.size());
      Labels.emplace_back();
    } else if (S.Kind == PtxStatement::ScopeEnd) {
      Open.pop_back();
    } else if (S.Kind == PtxStatement::Label) {
      llvm::BasicBlock *&Block = Labels[Open.back()][S.Name];
      if (!Block)
        Block = newBlock();
    } else if (S.Kind == PtxStatement::TargetTable) {
      Tables[S.Name] = S.Targets;
    } else if (S.Kind == PtxStatement::Prototype) {
      Prototypes[S.Name] = S.Index;
    }
  }
}

llvm::BasicBlock *PtxFunctionTranslator::label(StringRef Name) {
  for (size_t Scope : reverse(OpenScopes))
    if (llvm::BasicBlock *Block = Labels[Scope].lookup(Name))
      return Block;
  Operands.fail("the label '" + Name + "' is not in this function");
  return B.GetInsertBlock();
}

void PtxFunctionTranslator::enter(llvm::BasicBlock *Block) {
  Block->moveAfter(&F.back());
  Order.try_emplace(Block, Order.size());
  B.SetInsertPoint(Block);
}

static PtxRegisters registersOf(const PtxVariable &V) {
  return {V.Name, V.Type, V.VectorSize, 0};
}

/// Values of parameters go to stack slots, which ld.param reads.
void PtxFunctionTranslator::bindParameters() {
  unsigned Next = 0;
  for (const PtxVariable &Result : Source.Results) {
    if (Result.IsArray)
      Results.push_back(F.getArg(Next++));
    else
      Results.push_back(
          Operands.allocate(ptxValueType(Result, B.getContext()), ""));
    if (Result.Space == "reg")
      Operands.declare(registersOf(Result));
    else
      Operands.declare(Result.Name, Results.back());
  }
  for (const PtxVariable &Parameter : Source.Parameters) {
    Argument *A = F.getArg(Next++);
    if (Parameter.IsArray) {
      Operands.declare(Parameter.Name, A);
      continue;
    }
    if (Parameter.Space == "reg") {
      Operands.declare(registersOf(Parameter));
      PtxOperand Register;
      Register.Text = Parameter.Name;
      Operands.write(Register, A);
      continue;
    }
    AllocaInst *Slot = Operands.allocate(A->getType(), "");
    B.CreateStore(A, Slot);
    Operands.declare(Parameter.Name, Slot);
  }
}

void PtxFunctionTranslator::statement(size_t Index) {
  const PtxStatement &S = Source.Body[Index];
  switch (S.Kind) {
  case PtxStatement::Instruction:
    if (B.GetInsertBlock()->getTerminator())
      enter(newBlock()); // nothing jumps here
    if (Places)
      B.SetCurrentDebugLocation(Places->at(F, S.Line));
    return instruction(S.Code);
  case PtxStatement::Label: {
    llvm::BasicBlock *Block = label(S.Name);
    if (!B.GetInsertBlock()->getTerminator())
      B.CreateBr(Block);
    if (Block->getTerminator() || Order.contains(Block))
      return Operands.fail("the label '" + S.Name + "' stands here twice");
    return enter(Block);
  }
  case PtxStatement::Registers:
    return Operands.declare(S.Declared);
  case PtxStatement::Variable:
    return declareVariable(S.Object);
  case PtxStatement::Place:
    if (Places)
      Places->set(S.At);
    return;
  case PtxStatement::NoUnroll:
    NotUnrolled.push_back(B.GetInsertBlock());
    return;
  case PtxStatement::ScopeBegin:
    OpenScopes.push_back(NextScope++);
    return Operands.enterScope();
  case PtxStatement::ScopeEnd:
    if (OpenScopes.size() > 1)
      OpenScopes.pop_back();
    return Operands.leaveScope();
  case PtxStatement::TargetTable:
  case PtxStatement::Prototype:
    return; // found before
  }
}

void PtxFunctionTranslator::declareVariable(const PtxVariable &V) {
  LLVMContext &Context = B.getContext();
  Type *T = V.IsArray || V.VectorSize > 1
                ? ArrayType::get(Type::getInt8Ty(Context), V.bytes())
                : llvmType(V.Type, Context);
  if (V.Space == "local" || V.Space == "param") {
    unsigned Alignment = V.Alignment ? V.Alignment : V.elementBytes();
    Operands.declare(V.Name, Operands.allocate(T, V.Name, Alignment));
    return;
  }
  unsigned Space = ptxAddressSpace(V.Space).value_or(ptxspace::Global);
  auto *G = new GlobalVariable(
      *F.getParent(), T, /*isConstant=*/false, GlobalValue::InternalLinkage,
      Space == ptxspace::Shared ? static_cast<Constant *>(UndefValue::get(T))
                                : Constant::getNullValue(T),
      V.Name, nullptr, GlobalValue::NotThreadLocal, Space);
  unsigned Alignment = V.Alignment ? V.Alignment : V.elementBytes();
  if (isPowerOf2_32(Alignment))
    G->setAlignment(Align(Alignment));
  Operands.declare(V.Name, G);
}

/// Can the instruction be executed where its guard is false, and its result be
/// dropped?
bool PtxFunctionTranslator::isPure(const PtxInstruction &I) const {
  if (I.Opcode == "div" && !I.type().isFloat())
    return false; // of zero
  const PtxInstructionRow *Row = findPtxInstruction(I.Opcode);
  return Row && Row->isPure() && !I.has("cc");
}

void PtxFunctionTranslator::instruction(const PtxInstruction &I) {
  if (I.Guard.empty())
    return unguarded(I);
  guarded(I);
}

void PtxFunctionTranslator::guarded(const PtxInstruction &I) {
  Value *Guard = Operands.predicate(I.Guard, I.GuardNegated);
  if (I.Opcode == "bra" && !I.Operands.empty()) {
    llvm::BasicBlock *Else = newBlock();
    B.CreateCondBr(Guard, label(I.Operands[0].Text), Else);
    return enter(Else);
  }
  if (isPure(I)) {
    Operands.setGuard(Guard);
    unguarded(I);
    Operands.setGuard(nullptr);
    return;
  }
  llvm::BasicBlock *Then = newBlock(), *After = newBlock();
  B.CreateCondBr(Guard, Then, After);
  enter(Then);
  unguarded(I);
  if (!B.GetInsertBlock()->getTerminator())
    B.CreateBr(After);
  enter(After);
}

void PtxFunctionTranslator::unguarded(const PtxInstruction &I) {
  if (control(I))
    return;
  bool Executes = Inline && Inline->Use == AssemblyUse::Execution;
  if (!PtxInstructionTranslation(B, Operands, I, Executes).translate() &&
      Operands.problem().empty())
    emitAssembly(B, Operands, I, !Inline || Inline->HasSideEffects);
}

bool PtxFunctionTranslator::control(const PtxInstruction &I) {
  if (Inline && (I.Opcode == "ret" || I.Opcode == "call")) {
    Operands.fail("'" + I.Opcode + "' leaves the inline assembly");
    return true;
  }
  if (Inline && I.Opcode == "exit")
    return false; // stays a statement: the function around it goes on
  if (I.Opcode == "bra") {
    branch(I);
  } else if (I.Opcode == "brx") {
    branchByIndex(I);
  } else if (I.Opcode == "ret" || (I.Opcode == "exit" && Source.IsEntry)) {
    returnFromFunction();
  } else if (I.Opcode == "call") {
    call(I);
  } else if (I.Opcode == "trap") {
    B.CreateIntrinsic(Intrinsic::trap, {}, {});
    B.CreateUnreachable();
  } else if (I.Opcode == "exit") {
    callIntrinsic(B, "llvm.nvvm.exit", {});
    B.CreateUnreachable();
  } else if (I.Opcode == "brkpt") {
    B.CreateIntrinsic(Intrinsic::debugtrap, {}, {});
  } else if (I.Opcode == "pmevent") {
    // An event of the profiler.
  } else {
    return false;
  }
  return true;
}

void PtxFunctionTranslator::branch(const PtxInstruction &I) {
  if (I.Operands.size() != 1 || I.Operands[0].Kind != PtxOperand::Name)
    return Operands.fail("'bra' needs a label");
  B.CreateBr(label(I.Operands[0].Text));
}

/// brx.idx index, table
void PtxFunctionTranslator::branchByIndex(const PtxInstruction &I) {
  if (I.Operands.size() != 2 || !Tables.count(I.Operands[1].Text))
    return Operands.fail("'brx.idx' needs a register and a table that "
                         "'.branchtargets' declares");
  ArrayRef<StringRef> Targets = Tables.lookup(I.Operands[1].Text);
  Value *Index = Operands.read(I.Operands[0], PtxType{});
  llvm::BasicBlock *Never = newBlock();
  SwitchInst *Switch = B.CreateSwitch(Index, Never, Targets.size());
  for (auto [N, Target] : enumerate(Targets))
    Switch->addCase(B.getInt32(N), label(Target));
  enter(Never);
  B.CreateUnreachable();
}

void PtxFunctionTranslator::returnFromFunction() {
  if (F.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  const PtxVariable &Result = Source.Results[0];
  if (Result.Space == "reg") {
    PtxOperand Register;
    Register.Text = Result.Name;
    Type *T = F.getReturnType();
    Value *V = Operands.readBits(Register, T->getPrimitiveSizeInBits());
    B.CreateRet(convertBits(B, V, T, false));
    return;
  }
  B.CreateRet(B.CreateLoad(F.getReturnType(), Results[0]));
}

const PtxSignature &PtxFunctionTranslator::prototype(StringRef Name) const {
  return Signatures
      .find("prototype " + std::to_string(Prototypes.lookup(Name)))
      ->second;
}

/// The signature behind the operand Name of a call; Pointer is set where a
/// register holds the function's address.
const PtxSignature *PtxFunctionTranslator::callee(const PtxInstruction &I,
                                                  size_t Name,
                                                  Value *&Pointer) {
  StringRef Text = I.Operands[Name].Text;
  auto Known = Signatures.find(Text);
  if (Known != Signatures.end())
    return &Known->second;
  if (Prototypes.count(Text)) { // a function that is only declared here
    const PtxSignature &S = prototype(Text);
    Pointer = F.getParent()->getOrInsertFunction(Text, S.Type).getCallee();
    return &S;
  }
  if (!Operands.registerType(Text)) {
    Operands.fail("the function '" + Text + "' is not declared");
    return nullptr;
  }
  Pointer = B.CreateIntToPtr(
      Operands.read(I.Operands[Name], PtxType{PtxType::Bits, 64, 1}),
      PointerType::get(B.getContext(), 0));
  const PtxOperand &Last = I.Operands.back();
  if (Last.Kind == PtxOperand::Name) {
    if (Prototypes.count(Last.Text))
      return &prototype(Last.Text);
    // A table of the functions that it may be, all of one type.
    if (Tables.count(Last.Text) && !Tables.lookup(Last.Text).empty()) {
      Known = Signatures.find(Tables.lookup(Last.Text)[0]);
      if (Known != Signatures.end())
        return &Known->second;
    }
  }
  Operands.fail("the call of '" + Text + "' names no '.callprototype'");
  return nullptr;
}

Value *PtxFunctionTranslator::argument(const PtxOperand &O,
                                       const PtxVariable &Parameter, Type *T) {
  if (O.Kind == PtxOperand::Name)
    if (Value *Variable = Operands.symbol(O.Text);
        Variable && !Operands.registerType(O.Text)) {
      if (Parameter.IsArray)
        return Variable->getType()->getPointerAddressSpace() == 0
                   ? Variable
                   : B.CreateAddrSpaceCast(Variable, T);
      if (Variable->getType()->getPointerAddressSpace() == 0 &&
          isa<AllocaInst>(Variable))
        return B.CreateLoad(T, Variable);
    }
  if (T->isPointerTy())
    return convertBits(B, Operands.read(O, Parameter.Type), T, false);
  return convertBits(B, Operands.readBits(O, T->getPrimitiveSizeInBits()), T,
                     false);
}

/// call [(result),] function [, (arguments)] [, prototype]
void PtxFunctionTranslator::call(const PtxInstruction &I) {
  size_t Name = 0;
  while (Name < I.Operands.size() && I.Operands[Name].Kind == PtxOperand::List)
    ++Name;
  if (Name == I.Operands.size() || Name > 1)
    return Operands.fail("'call' names no function");
  Value *Pointer = nullptr;
  const PtxSignature *To = callee(I, Name, Pointer);
  if (!To)
    return;
  const PtxFunction &Declared = *To->Declaration;
  static const std::vector<PtxOperand> None;
  const auto &Returned = Name == 1 ? I.Operands[0].Parts : None;
  const auto &Given = Name + 1 < I.Operands.size() &&
                              I.Operands[Name + 1].Kind == PtxOperand::List
                          ? I.Operands[Name + 1].Parts
                          : None;
  if (Given.size() < Declared.Parameters.size() ||
      Returned.size() < Declared.Results.size())
    return Operands.fail("too few operands in the call of '" +
                         I.Operands[Name].Text + "'");
  SmallVector<Value *> Arguments;
  if (To->returnsInMemory()) {
    Value *Place = Operands.symbol(Returned[0].Text);
    if (!Place || !Place->getType()->isPointerTy())
      return Operands.fail("the result of a call needs a '.param' variable");
    Arguments.push_back(Place);
  }
  for (auto [N, Parameter] : enumerate(Declared.Parameters))
    Arguments.push_back(argument(Given[N], Parameter,
                                 To->Type->getParamType(Arguments.size())));
  Value *Result =
      B.CreateCall(To->Type, Pointer ? Pointer : To->Code, Arguments);
  if (Result->getType()->isVoidTy())
    return;
  const PtxOperand &Into = Returned[0];
  Value *Variable =
      Operands.registerType(Into.Text) ? nullptr : Operands.symbol(Into.Text);
  if (!Variable)
    return Operands.write(Into, Result);
  B.CreateStore(Result, Variable);
}

/// Loops whose head has `.pragma "nounroll"` get LLVM's word for it.
void PtxFunctionTranslator::markUnrolling() {
  for (llvm::BasicBlock *Head : NotUnrolled) {
    LLVMContext &Context = F.getContext();
    MDNode *Word = MDNode::get(
        Context, MDString::get(Context, "llvm.loop.unroll.disable"));
    MDNode *Loop = MDNode::getDistinct(Context, {nullptr, Word});
    Loop->replaceOperandWith(0, Loop);
    for (llvm::BasicBlock *From : predecessors(Head))
      if (Order.lookup(From) >= Order.lookup(Head))
        From->getTerminator()->setMetadata(LLVMContext::MD_loop, Loop);
  }
}

void PtxFunctionTranslator::promoteRegisters() {
  removeUnreachableBlocks(F);
  SmallVector<AllocaInst *> Slots; // of registers and scalar parameters
  for (Instruction &I : F.getEntryBlock())
    if (auto *Slot = dyn_cast<AllocaInst>(&I); Slot && isAllocaPromotable(Slot))
      Slots.push_back(Slot);
  DominatorTree Tree(F);
  PromoteMemToReg(Slots, Tree);
}

} // namespace gpuestimate
