#include "gpu-estimate/Ptx/Syntax.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

std::optional<PtxType> ptxTypeNamed(StringRef Name) {
  if (Name == "pred")
    return PtxType{PtxType::Predicate, 1, 1};
  if (Name == "tf32") // lies in a register of bits
    return PtxType{PtxType::Bits, 32, 1};
  PtxType T;
  if (Name.consume_front("bf"))
    T.Kind = PtxType::BFloat;
  else if (Name.consume_front("f"))
    T.Kind = PtxType::Float;
  else if (Name.consume_front("u"))
    T.Kind = PtxType::Unsigned;
  else if (Name.consume_front("s"))
    T.Kind = PtxType::Signed;
  else if (Name.consume_front("b"))
    T.Kind = PtxType::Bits;
  else
    return std::nullopt;
  if (Name.consumeInteger(10, T.Width))
    return std::nullopt;
  if (Name.consume_front("x") && Name.consumeInteger(10, T.Lanes))
    return std::nullopt;
  bool IsWidth = T.isFloat()
                     ? T.Width == 16 || (T.Kind == PtxType::Float &&
                                         (T.Width == 32 || T.Width == 64))
                     : T.Width == 8 || T.Width == 16 || T.Width == 32 ||
                           T.Width == 64 || T.Width == 128;
  bool IsLanes = T.Lanes == 1 || (T.Lanes == 2 && T.Width <= 32) ||
                 (T.Lanes == 4 && T.Width == 8);
  if (!Name.empty() || !IsWidth || !IsLanes)
    return std::nullopt;
  return T;
}

std::vector<PtxType> PtxInstruction::types() const {
  std::vector<PtxType> Found;
  for (StringRef M : Modifiers)
    if (std::optional<PtxType> T = ptxTypeNamed(M))
      Found.push_back(*T);
  return Found;
}

PtxType PtxInstruction::type() const {
  for (StringRef M : reverse(Modifiers))
    if (std::optional<PtxType> T = ptxTypeNamed(M))
      return *T;
  return {};
}

std::string PtxInstruction::mnemonic() const {
  std::string Text = Opcode.str();
  for (StringRef M : Modifiers)
    Text += "." + M.str();
  return Text;
}

} // namespace gpuestimate
