/// \file
/// Compiles terms to a flat program. A subterm is computed once, in the body of
/// the innermost sum whose variable it depends on.
#include "gpu-estimate/Symbolic/CompiledExprs.h"

#include "ExprImpl.h"
#include "Opcodes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

namespace gpuestimate {

class ExprCompiler {
public:
  explicit ExprCompiler(CompiledExprs &Into, llvm::ArrayRef<std::string> Inputs)
      : Into(Into), Inputs(Inputs), NumSlots(Inputs.size()) {}

  void compile(llvm::ArrayRef<Expr> Exprs) {
    Level Top;
    for (Expr E : Exprs)
      Into.Outputs.push_back(slotOf(E, Top));
    Into.Program = std::move(Top.Code);
    Into.Narrow.assign(NumSlots, 0);
    for (auto [Slot, Value] : Constants)
      Into.Narrow[Slot] = Value;
  }

private:
  using Opcode = CompiledExprs::Opcode;
  using Instruction = CompiledExprs::Instruction;

  /// Instructions of the body of a sum, or of the program outside of all sums
  /// (Outer is null).
  struct Level {
    Level *Outer = nullptr;
    llvm::StringRef Variable;
    unsigned VariableSlot = 0;
    std::vector<Instruction> Code;
    llvm::DenseMap<const ExprNode *, unsigned> SlotOf;
  };

  unsigned constantSlot(double Value) {
    uint64_t Bits;
    std::memcpy(&Bits, &Value, sizeof(Bits));
    auto [Place, New] = ConstantSlots.try_emplace(Bits, NumSlots);
    if (New)
      Constants.emplace_back(NumSlots++, Value);
    return Place->second;
  }

  unsigned slotOf(Expr E, Level &Current) {
    Level *Home = &Current;
    while (Home->Outer && !E.dependsOn(Home->Variable))
      Home = Home->Outer;
    if (auto Entry = Home->SlotOf.find(E.node()); Entry != Home->SlotOf.end())
      return Entry->second;
    unsigned Slot = emit(E, *Home);
    Home->SlotOf[E.node()] = Slot;
    return Slot;
  }

  unsigned emit(Expr E, Level &L) {
    switch (E.kind()) {
    case ExprKind::Constant:
      return constantSlot(E.constant());
    case ExprKind::Parameter: {
      if (L.Outer) // its home is the sum that binds it
        return L.VariableSlot;
      // A linear search: there are few names, and slotOf caches the results.
      unsigned Input = llvm::find(Inputs, E.name()) - Inputs.begin();
      if (Input == Inputs.size())
        return constantSlot(NotANumber);
      Into.Used.push_back(Input);
      return Input;
    }
    case ExprKind::Sum:
      return emitSum(E, L);
    default:
      break;
    }
    llvm::ArrayRef<Expr> X = E.operands();
    if (E.kind() == ExprKind::Select) {
      unsigned C = slotOf(X[0], L), A = slotOf(X[1], L), B = slotOf(X[2], L);
      return append(L, {Opcode::Select, 0, C, A, B, 0});
    }
    unsigned Slot = slotOf(X[0], L);
    if (X.size() == 1)
      return append(L, {E.kind() == ExprKind::SquareRoot ? Opcode::SquareRoot
                                                         : Opcode::FloorLog2,
                        0, Slot, 0, 0, 0});
    for (size_t I = 1; I < X.size(); ++I) {
      Opcode Op = opcodeOf(E.kind());
      // A factor that is neither 0 nor infinite needs no test for zero.
      if (auto Value = X[I - 1].asConstant();
          Op == Opcode::Mul && I == 1 && Value && std::isfinite(*Value))
        Op = Opcode::PlainMul;
      // A constant divisor needs no test for zero; a division by 2^k is exact
      // as a multiplication.
      unsigned Right;
      if (auto Value = X[I].asConstant();
          Value && isDivision(Op) && exactLog2(*Value)) {
        Op = Op == Opcode::FloorDiv ? Opcode::FloorMul : Opcode::CeilMul;
        Right = constantSlot(1 / *Value);
      } else {
        Right = slotOf(X[I], L);
      }
      Slot = append(L, {Op, 0, Slot, Right, 0, 0});
    }
    return Slot;
  }

  unsigned emitSum(Expr E, Level &L) {
    unsigned Count = slotOf(E.operands()[0], L);
    Level Body;
    Body.Outer = &L;
    Body.Variable = E.name();
    Body.VariableSlot = NumSlots++;
    unsigned Result = slotOf(E.operands()[1], Body);
    unsigned Length = Body.Code.size();
    unsigned Slot =
        append(L, {Opcode::Sum, 0, Count, Body.VariableSlot, Result, Length});
    L.Code.insert(L.Code.end(), Body.Code.begin(), Body.Code.end());
    return Slot;
  }

  unsigned append(Level &L, Instruction I) {
    I.Result = NumSlots++;
    L.Code.push_back(I);
    return I.Result;
  }

  static bool isDivision(Opcode Op) {
    return Op == Opcode::FloorDiv || Op == Opcode::CeilDiv;
  }

  static Opcode opcodeOf(ExprKind Kind) {
    switch (Kind) {
    case ExprKind::Add:
      return Opcode::Add;
    case ExprKind::Mul:
      return Opcode::Mul;
    case ExprKind::Div:
      return Opcode::Div;
    case ExprKind::FloorDiv:
      return Opcode::FloorDiv;
    case ExprKind::CeilDiv:
      return Opcode::CeilDiv;
    case ExprKind::Mod:
      return Opcode::Mod;
    case ExprKind::Min:
      return Opcode::Min;
    case ExprKind::Max:
      return Opcode::Max;
    case ExprKind::Less:
      return Opcode::Less;
    case ExprKind::LessEqual:
      return Opcode::LessEqual;
    case ExprKind::Equal:
      return Opcode::Equal;
    case ExprKind::NotEqual:
      return Opcode::NotEqual;
    case ExprKind::BitAnd:
      return Opcode::BitAnd;
    case ExprKind::BitOr:
      return Opcode::BitOr;
    case ExprKind::BitXor:
      return Opcode::BitXor;
    default:
      return Opcode::ShiftLeft;
    }
  }

  CompiledExprs &Into;
  llvm::ArrayRef<std::string> Inputs;
  unsigned NumSlots;
  llvm::DenseMap<uint64_t, unsigned> ConstantSlots;
  std::vector<std::pair<unsigned, double>> Constants;
};

CompiledExprs::CompiledExprs(llvm::ArrayRef<Expr> Exprs,
                             llvm::ArrayRef<std::string> Inputs)
    : NumInputs(Inputs.size()) {
  ExprCompiler(*this, Inputs).compile(Exprs);
}

} // namespace gpuestimate
