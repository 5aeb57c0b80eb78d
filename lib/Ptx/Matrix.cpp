#include "Matrix.h"

#include "gpu-estimate/Ptx/MatrixName.h"

using namespace llvm;

namespace gpuestimate {

namespace {

bool isLayout(StringRef M) { return M == "row" || M == "col"; }

class MatrixInstruction : public PtxInstructionTranslator {
public:
  explicit MatrixInstruction(const PtxInstructionTranslator &Of)
      : PtxInstructionTranslator(Of) {
    for (StringRef M : I.Modifiers) {
      if (MatrixShape::parse(M))
        Shape = M;
      else if (isLayout(M))
        Layouts.push_back(M);
      else if (matrixTypeNamed(M))
        Types.push_back(M);
    }
  }

  bool run() {
    if (I.Opcode == "ldmatrix")
      return loadMatrix();
    if (I.Opcode == "mma")
      return multiply(("llvm.nvvm.mma" + operatorName() + "." + Shape).str());
    if (I.Opcode != "wmma" || I.Modifiers.empty())
      return false;
    if (I.Modifiers[0] == "mma")
      return multiply(
          ("llvm.nvvm.wmma." + Shape + ".mma" + operatorName()).str());
    return I.Modifiers[0] == "load" ? loadFragment() : storeFragment();
  }

private:
  unsigned space() const {
    for (StringRef M : I.Modifiers)
      if (std::optional<unsigned> Space = ptxAddressSpace(M))
        return *Space;
    return ptxspace::Generic;
  }

  std::string operatorName() const {
    return I.has("popc") ? I.has("and") ? ".and.popc" : ".xor.popc" : "";
  }

  /// Appends the registers of operand N, or the operand itself.
  void appendFragment(size_t N, SmallVectorImpl<Value *> &Values) {
    const PtxOperand &O = I.Operands[N];
    auto Append = [&](const PtxOperand &Part) {
      Type *T = Part.Kind == PtxOperand::Name ? Operands.registerType(Part.Text)
                                              : nullptr;
      unsigned Bits = T ? unsigned(T->getPrimitiveSizeInBits()) : 32;
      Values.push_back(Operands.read(Part, PtxType{PtxType::Bits, Bits, 1}));
    };
    if (O.Kind != PtxOperand::Vector)
      return Append(O);
    for (const PtxOperand &Part : O.Parts)
      Append(Part);
  }

  bool writeFragment(const PtxOperand &Result, Value *V) {
    if (!V)
      return false;
    auto *Struct = dyn_cast<StructType>(V->getType());
    if (Result.Kind != PtxOperand::Vector || !Struct) {
      Operands.write(
          Result.Kind == PtxOperand::Vector ? Result.Parts[0] : Result, V);
      return true;
    }
    for (auto [N, Part] : enumerate(Result.Parts))
      if (N < Struct->getNumElements())
        Operands.write(Part, B.CreateExtractValue(V, N));
    return true;
  }

  /// d, a, b, c
  bool multiply(const std::string &Prefix) {
    if (I.Operands.size() != 4 || Layouts.size() != 2 || Types.empty())
      return false;
    // LLVM names a product by the types of the sum where the factors are half
    // precision, and else by those of the factors.
    bool IsWmmaHalf = Types.size() == 2;
    std::string Signature;
    if (IsWmmaHalf || (Types.size() == 4 && Types[1] == "f16"))
      Signature = ("." + Types.front() + "." + Types.back()).str();
    else if (Types.size() == 4)
      Signature = Types[1] == Types[2]
                      ? ("." + Types[1]).str()
                      : ("." + Types[1] + "." + Types[2]).str();
    SmallVector<Value *> Values;
    for (size_t N = 1; N < 4; ++N)
      appendFragment(N, Values);
    StringRef Saturated = I.has("satfinite") ? ".satfinite" : "";
    std::string Layout = ("." + Layouts[0] + "." + Layouts[1]).str();
    bool IsWmma = I.Opcode == "wmma";
    return writeFragment(
        I.Operands[0],
        callIntrinsic(B,
                      Twine(Prefix) + Layout + (IsWmma ? "" : Saturated) +
                          Signature + (IsWmma ? Saturated : ""),
                      Values));
  }

  std::string strideName(size_t Without) const {
    return I.Operands.size() > Without ? ".stride" : "";
  }

  /// wmma.load.a r, [p] {, stride}
  bool loadFragment() {
    if (I.Operands.size() < 2 || Layouts.size() != 1 || Types.empty())
      return false;
    Value *Pointer = Operands.address(I.Operands[1], space());
    SmallVector<Value *> Values = {Pointer};
    if (I.Operands.size() > 2)
      Values.push_back(Operands.read(I.Operands[2], PtxType{}));
    return writeFragment(I.Operands[0],
                         callIntrinsic(B,
                                       "llvm.nvvm.wmma." + Shape + ".load." +
                                           I.Modifiers[1] + "." + Layouts[0] +
                                           strideName(2) + "." + Types.back(),
                                       Values, {Pointer->getType()}));
  }

  /// wmma.store.d [p], r {, stride}
  bool storeFragment() {
    if (I.Operands.size() < 2 || Layouts.size() != 1 || Types.empty())
      return false;
    Value *Pointer = Operands.address(I.Operands[0], space());
    SmallVector<Value *> Values = {Pointer};
    appendFragment(1, Values);
    if (I.Operands.size() > 2)
      Values.push_back(Operands.read(I.Operands[2], PtxType{}));
    return callIntrinsic(B,
                         "llvm.nvvm.wmma." + Shape + ".store.d." + Layouts[0] +
                             strideName(2) + "." + Types.back(),
                         Values, {Pointer->getType()});
  }

  /// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 r, [p]
  bool loadMatrix() {
    if (I.Operands.size() != 2 || Shape != "m8n8" || !I.has("b16"))
      return false;
    StringRef Number = I.has("x4") ? "x4" : I.has("x2") ? "x2" : "x1";
    Value *Pointer = Operands.address(I.Operands[1], ptxspace::Shared);
    return writeFragment(
        I.Operands[0],
        callIntrinsic(B,
                      "llvm.nvvm.ldmatrix.sync.aligned.m8n8." + Number +
                          (I.has("trans") ? ".trans" : "") + ".b16",
                      {Pointer}, {Pointer->getType()}));
  }

  StringRef Shape;
  SmallVector<StringRef> Layouts, Types;
};

} // namespace

bool PtxMatrix::intrinsic() { return MatrixInstruction(*this).run(); }

} // namespace gpuestimate
