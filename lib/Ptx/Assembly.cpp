#include "Assembly.h"

#include "gpu-estimate/Ptx/InstructionTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Does the instruction write its first operand?
bool hasResult(const PtxInstruction &I) {
  if (I.Operands.empty() || I.Operands[0].Kind == PtxOperand::Address ||
      I.Operands[0].Kind == PtxOperand::Integer)
    return false;
  if (I.Opcode == "bar" || I.Opcode == "barrier")
    return I.has("red");
  if (I.Opcode == "cp" || I.Opcode == "multimem")
    return I.Opcode == "multimem" && I.has("ld_reduce");
  if (I.Opcode == "wmma")
    return !I.has("store");
  if (I.Opcode == "tcgen05")
    return I.has("ld");
  const PtxInstructionRow *Row = findPtxInstruction(I.Opcode);
  return !Row || !Row->hasNoResult();
}

/// Are the results also inputs, as the sum of wgmma is?
bool accumulates(const PtxInstruction &I) {
  return I.Opcode == "wgmma" && I.has("mma_async");
}

class AssemblyStatement {
public:
  AssemblyStatement(IRBuilder<> &B, PtxOperands &Operands,
                    const PtxInstruction &I, bool HasSideEffects)
      : B(B), Operands(Operands), I(I), HasSideEffects(HasSideEffects) {}

  void emit() {
    Text = I.mnemonic();
    size_t First = 0;
    if (hasResult(I)) {
      Text += " ";
      appendResult(I.Operands[0]);
      First = 1;
    }
    if (accumulates(I))
      for (auto [N, Result] : enumerate(Results))
        appendInput(Operands.read(*Result, ResultTypes[N]), utostr(N));
    NextNumber = Constraints.size();
    for (size_t N = First; N < I.Operands.size(); ++N) {
      Text += N == 0 ? " " : ", ";
      appendOperand(I.Operands[N]);
    }
    Text += ";";
    call();
  }

private:
  static std::string constraintOf(const Type *T) {
    if (T->isPointerTy())
      return "l";
    if (T->isFloatTy())
      return "f";
    if (T->isDoubleTy())
      return "d";
    unsigned Bits = T->getPrimitiveSizeInBits();
    return Bits == 1    ? "b"
           : Bits <= 16 ? "h"
           : Bits <= 32 ? "r"
           : Bits <= 64 ? "l"
                        : "q";
  }

  static PtxType ptxTypeOf(const Type *T) {
    if (T->isFloatTy() || T->isDoubleTy() || T->isHalfTy())
      return {PtxType::Float, unsigned(T->getPrimitiveSizeInBits()), 1};
    unsigned Bits = T->isPointerTy() ? 64 : T->getPrimitiveSizeInBits();
    return {Bits == 1 ? PtxType::Predicate : PtxType::Bits, Bits, 1};
  }

  void appendResult(const PtxOperand &O) {
    if (O.Kind == PtxOperand::Vector || O.Kind == PtxOperand::Pair) {
      bool IsVector = O.Kind == PtxOperand::Vector;
      Text += IsVector ? "{" : "";
      for (auto [N, Part] : enumerate(O.Parts)) {
        if (N)
          Text += IsVector ? ", " : "|";
        appendResult(Part);
      }
      Text += IsVector ? "}" : "";
      return;
    }
    Type *T =
        O.Kind == PtxOperand::Name ? Operands.registerType(O.Text) : nullptr;
    if (!T) {
      Text += O.isSink() ? "_" : O.Text.str();
      return;
    }
    Text += "$" + utostr(Results.size());
    Results.push_back(&O);
    ResultTypes.push_back(ptxTypeOf(T));
    Constraints.push_back("=" + constraintOf(T));
  }

  void appendInput(Value *V, const std::string &Constraint) {
    Arguments.push_back(V);
    Constraints.push_back(Constraint);
  }

  void appendOperand(const PtxOperand &O) {
    switch (O.Kind) {
    case PtxOperand::Integer:
      Text += O.Value > INT64_MAX ? itostr(static_cast<int64_t>(O.Value))
                                  : utostr(O.Value);
      return;
    case PtxOperand::Real:
      Text += (O.Width == 32 ? "0f" : "0d") +
              utohexstr(O.Value, /*LowerCase=*/false, O.Width / 4);
      return;
    case PtxOperand::Vector:
    case PtxOperand::List:
    case PtxOperand::Pair: {
      StringRef Marks = O.Kind == PtxOperand::Vector ? "{}"
                        : O.Kind == PtxOperand::List ? "()"
                                                     : "";
      Text += Marks.take_front(1);
      for (auto [N, Part] : enumerate(O.Parts)) {
        if (N)
          Text += O.Kind == PtxOperand::Pair ? "|" : ", ";
        appendOperand(Part);
      }
      Text += Marks.take_back(1);
      return;
    }
    case PtxOperand::Address: {
      Text += "[";
      appendAddress(O);
      for (const PtxOperand &Part : drop_begin(O.Parts)) {
        Text += ", ";
        appendOperand(Part);
      }
      Text += "]";
      return;
    }
    case PtxOperand::Name:
      break;
    }
    Type *T = Operands.registerType(O.Text);
    if (!T && !Operands.symbol(O.Text)) {
      Text += O.Text.str(); // a special register or a word
      return;
    }
    if (O.Negated)
      Text += "!";
    PtxOperand Plain = O;
    Plain.Negated = false;
    Value *V =
        Operands.read(Plain, T ? ptxTypeOf(T) : PtxType{PtxType::Bits, 64, 1});
    Text += "$" + utostr(NextNumber++);
    appendInput(V, constraintOf(V->getType()));
  }

  void appendAddress(const PtxOperand &O) {
    unsigned Space = ptxspace::Generic;
    for (StringRef M : I.Modifiers)
      if (std::optional<unsigned> Named = ptxAddressSpace(M))
        Space = *Named;
    if (I.Opcode == "cp")
      Space = spaceOfCopy(Addressed);
    ++Addressed;
    bool IsTexture = I.Opcode == "tex" || I.Opcode == "tld4" ||
                     I.Opcode == "suld" || I.Opcode == "sust" ||
                     I.Opcode == "txq" || I.Opcode == "suq";
    if (IsTexture || O.Parts[0].Kind != PtxOperand::Name)
      return appendOperand(O.Parts[0]);
    Value *V = Operands.address(O, Space);
    Text += "$" + utostr(NextNumber++);
    appendInput(V, "l");
  }

  /// A copy names the space of its destination and that of its source; further
  /// addresses are barriers. A tensor map is an address of its own kind.
  unsigned spaceOfCopy(unsigned Number) const {
    SmallVector<unsigned> Spaces;
    for (StringRef M : I.Modifiers)
      if (std::optional<unsigned> Named = ptxAddressSpace(M))
        Spaces.push_back(*Named);
    if (Spaces.size() < 2 || Number > 1)
      return Number > 1       ? unsigned(ptxspace::Shared)
             : Spaces.empty() ? unsigned(ptxspace::Generic)
                              : Spaces.front();
    if (I.has("tensor") && Spaces[Number] == ptxspace::Global)
      return ptxspace::Generic;
    return Spaces[Number];
  }

  void call() {
    SmallVector<Type *> Types;
    for (const PtxType &T : ResultTypes)
      Types.push_back(llvmType(T, B.getContext()));
    Type *Result = Types.empty()       ? B.getVoidTy()
                   : Types.size() == 1 ? Types[0]
                                       : StructType::get(B.getContext(), Types);
    SmallVector<Type *> Inputs;
    for (Value *V : Arguments)
      Inputs.push_back(V->getType());
    std::string Code = join(Constraints, ",");
    Value *V =
        B.CreateCall(InlineAsm::get(FunctionType::get(Result, Inputs, false),
                                    Text, Code, HasSideEffects),
                     Arguments);
    for (auto [N, O] : enumerate(Results))
      Operands.write(*O, Types.size() == 1 ? V : B.CreateExtractValue(V, N));
  }

  IRBuilder<> &B;
  PtxOperands &Operands;
  const PtxInstruction &I;
  bool HasSideEffects;
  std::string Text;
  SmallVector<std::string> Constraints;
  SmallVector<Value *> Arguments;
  SmallVector<const PtxOperand *> Results;
  SmallVector<PtxType> ResultTypes;
  unsigned NextNumber = 0;
  unsigned Addressed = 0; ///< addresses so far
};

} // namespace

void emitAssembly(IRBuilder<> &B, PtxOperands &Operands,
                  const PtxInstruction &I, bool HasSideEffects) {
  AssemblyStatement(B, Operands, I, HasSideEffects).emit();
}

} // namespace gpuestimate
