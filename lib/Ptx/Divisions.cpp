#include "Divisions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuestimate {

namespace {

/// Wide enough for a product of factors of 64 bits that is multiplied again.
constexpr unsigned ExactBits = 256;

/// x * Factor / 2^Shift exceeds x / d by x * e / (d * 2^Shift), where
/// e = Factor * d - 2^Shift. For x up to Most, is that less than what is
/// missing to the next whole number, (d - x mod d) / d? That is x * e < 2^Shift
/// for the largest x with x mod d = d - 1, and twice that for the others.
/// OrEqual: it may be as much.
bool staysBelow(const APInt &Most, const APInt &Divisor, const APInt &Excess,
                const APInt &Whole, bool OrEqual) {
  APInt Critical = (Most - (Most + 1).urem(Divisor)) * Excess;
  APInt Last = Most * Excess;
  return OrEqual ? Critical.ule(Whole) && Last.ule(Whole.shl(1))
                 : Critical.ult(Whole) && Last.ult(Whole.shl(1));
}

/// d with floor(x * OfProduct / 2^Shift) = floor(x / d) for 0 <= x <= Largest;
/// signed also for -Largest - 1 <= x < 0, where 1 is added and x / d is rounded
/// up. Nothing if there is none; a power of two is a shift in any case.
std::optional<APInt> divisorOf(const APInt &OfProduct, unsigned Shift,
                               const APInt &Largest, bool Signed) {
  if (OfProduct.isZero() || OfProduct.isPowerOf2() || Shift >= ExactBits / 2)
    return std::nullopt;
  APInt Factor = OfProduct.zext(ExactBits), Most = Largest.zext(ExactBits);
  APInt Whole = APInt::getOneBitSet(ExactBits, Shift);
  APInt Divisor = APIntOps::RoundingUDiv(Whole, Factor, APInt::Rounding::UP);
  if (Divisor.ult(2) || Divisor.ugt(Most))
    return std::nullopt;
  APInt Excess = Factor * Divisor - Whole;
  if (!staysBelow(Most, Divisor, Excess, Whole, /*OrEqual=*/false) ||
      (Signed && !staysBelow(Most + 1, Divisor, Excess, Whole, true)))
    return std::nullopt;
  return Divisor;
}

class DivisionRecovery {
public:
  explicit DivisionRecovery(Function &F)
      : F(F), Layout(F.getParent()->getDataLayout()) {}

  void run() {
    Value *Same = nullptr;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      // x + 1 * y as mad. Code that nothing reaches may use itself.
      if (match(&I, m_c_Mul(m_Value(Same), m_One())) && Same != &I) {
        I.replaceAllUsesWith(Same);
        I.eraseFromParent();
      }
    // Users before what they use: the parts of a quotient are none themselves.
    SmallVector<WeakTrackingVH> All;
    for (Instruction &I : instructions(F))
      if (I.getType()->isIntegerTy())
        All.push_back(&I);
    for (WeakTrackingVH &Handle : reverse(All)) {
      auto *I = dyn_cast_or_null<Instruction>(Handle);
      if (!I || I->use_empty())
        continue;
      if (Value *Quotient = quotient(*I))
        replace(*I, Quotient);
    }
    SmallVector<BinaryOperator *> Divisions;
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::UDiv ||
          I.getOpcode() == Instruction::SDiv)
        Divisions.push_back(cast<BinaryOperator>(&I));
    for (BinaryOperator *Division : Divisions)
      replaceRemainders(*Division);
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  }

private:
  Value *quotient(Instruction &I) {
    if (Value *V = unsignedQuotient(I))
      return V;
    if (Value *V = signedQuotient(I))
      return V;
    return shiftedQuotient(I);
  }

  static void replace(Instruction &I, Value *By) {
    // What takes the low half of an extended quotient takes the quotient.
    Value *Narrow = nullptr;
    if (match(By, m_ZExt(m_Value(Narrow))))
      for (User *U : make_early_inc_range(I.users()))
        if (isa<TruncInst>(U) && U->getType() == Narrow->getType())
          U->replaceAllUsesWith(Narrow);
    I.replaceAllUsesWith(By);
  }

  /// V is the high half of X * Factor, as mul.hi gives it or a shift of the
  /// product of twice the width. The factor of a signed product may be
  /// negative.
  static bool matchHighHalf(Value *V, bool Signed, Value *&X, APInt &Factor) {
    const APInt *C = nullptr;
    Value *Product = nullptr;
    unsigned Bits = V->getType()->getIntegerBitWidth();
    auto Constant = [&](Value *A, Value *B) {
      if (!match(B, m_APInt(C)))
        std::swap(A, B);
      X = A;
      return match(B, m_APInt(C));
    };
    if (auto *Call = dyn_cast<IntrinsicInst>(V)) {
      Intrinsic::ID Id = Call->getIntrinsicID();
      bool IsHigh = Signed ? Id == Intrinsic::nvvm_mulhi_i ||
                                 Id == Intrinsic::nvvm_mulhi_ll
                           : Id == Intrinsic::nvvm_mulhi_ui ||
                                 Id == Intrinsic::nvvm_mulhi_ull;
      if (!IsHigh || !Constant(Call->getArgOperand(0), Call->getArgOperand(1)))
        return false;
      Factor = *C;
      return true;
    }
    if (!match(V, m_Trunc(m_Shr(m_Value(Product), m_SpecificInt(Bits)))) ||
        !(Signed ? match(Product, m_c_Mul(m_SExt(m_Value(X)), m_APInt(C)))
                 : match(Product, m_c_Mul(m_ZExt(m_Value(X)), m_APInt(C)))))
      return false;
    if (X->getType() != V->getType() ||
        !(Signed ? C->isSignedIntN(Bits) : C->isIntN(Bits)))
      return false;
    Factor = C->trunc(Bits);
    return true;
  }

  APInt largest(Value *X) const {
    return computeKnownBits(X, Layout).getMaxValue();
  }

  /// X / Divisor in front of I; null if it does not fit.
  Value *divide(Instruction &I, Value *X, APInt Divisor, bool Signed) {
    const APInt *Before = nullptr;
    Value *Narrow = nullptr, *Of = X;
    IRBuilder<> B(&I);
    if (!Signed) {
      // An even divisor shifts first.
      if (match(X, m_LShr(m_Value(Of), m_APInt(Before))) &&
          Before->ult(X->getType()->getIntegerBitWidth()))
        Divisor <<= Before->getZExtValue();
      else
        Of = X;
      if (match(Of, m_ZExt(m_Value(Narrow))))
        Of = Narrow;
    }
    unsigned Bits = Of->getType()->getIntegerBitWidth();
    if (Divisor.getActiveBits() > (Signed ? Bits - 1 : Bits))
      return nullptr;
    Value *By = ConstantInt::get(Of->getType(), Divisor.trunc(Bits));
    Value *Division = B.Insert(BinaryOperator::Create(
        Signed ? Instruction::SDiv : Instruction::UDiv, Of, By));
    return B.CreateZExt(Division, I.getType());
  }

  Value *unsignedQuotient(Instruction &I) {
    unsigned Bits = I.getType()->getIntegerBitWidth(), Shift = 0;
    const APInt *Amount = nullptr;
    Value *High = &I, *X = nullptr, *H = nullptr;
    APInt Factor;
    if (match(&I, m_LShr(m_Value(High), m_APInt(Amount)))) {
      if (Amount->uge(Bits))
        return nullptr;
      Shift = Amount->getZExtValue();
    }
    // A factor of one bit more: h + (x - h) / 2, of which h is the high half.
    if (match(High, m_c_Add(m_LShr(m_Sub(m_Value(X), m_Value(H)), m_One()),
                            m_Deferred(H)))) {
      Value *Of = nullptr;
      if (!matchHighHalf(H, /*Signed=*/false, Of, Factor) || Of != X)
        return nullptr;
      Factor = Factor.zext(2 * Bits) + APInt::getOneBitSet(2 * Bits, Bits);
      if (auto Divisor =
              divisorOf(Factor, Bits + Shift + 1, largest(X), /*Signed=*/false))
        return divide(I, X, *Divisor, /*Signed=*/false);
      return nullptr;
    }
    if (matchHighHalf(High, /*Signed=*/false, X, Factor)) {
      if (auto Divisor =
              divisorOf(Factor, Bits + Shift, largest(X), /*Signed=*/false))
        return divide(I, X, *Divisor, /*Signed=*/false);
      return nullptr;
    }
    // A product that has room for all of its bits.
    const APInt *C = nullptr;
    if (!Shift || !match(High, m_c_Mul(m_Value(X), m_APInt(C))))
      return nullptr;
    APInt Most = largest(X);
    bool Overflows = false;
    (void)Most.umul_ov(*C, Overflows);
    if (Overflows)
      return nullptr;
    if (auto Divisor = divisorOf(*C, Shift, Most, /*Signed=*/false))
      return divide(I, X, *Divisor, /*Signed=*/false);
    return nullptr;
  }

  /// The quotient rounded down, and 1 more where the dividend is negative.
  Value *signedQuotient(Instruction &I) {
    unsigned Bits = I.getType()->getIntegerBitWidth();
    Value *Down = nullptr, *Sign = nullptr;
    if (match(&I, m_Sub(m_Value(Down),
                        m_AShr(m_Value(Sign), m_SpecificInt(Bits - 1)))))
      return signedQuotient(I, Down, Sign);
    Value *Left = nullptr, *Right = nullptr;
    if (!match(&I, m_Add(m_Value(Left), m_Value(Right))))
      return nullptr;
    for (auto [Part, Other] : {std::pair(Left, Right), std::pair(Right, Left)})
      if (match(Other, m_LShr(m_Value(Sign), m_SpecificInt(Bits - 1))) ||
          match(Other,
                m_Trunc(m_LShr(m_Value(Sign), m_SpecificInt(2 * Bits - 1)))))
        if (Value *V = signedQuotient(I, Part, Sign))
          return V;
    return nullptr;
  }

  /// Do all users multiply I by multiples of 2^Bits?
  static bool ignoreHighBits(Instruction &I, unsigned Bits) {
    return all_of(I.users(), [&](User *U) {
      const APInt *C = nullptr;
      return match(U, m_c_Mul(m_Specific(&I), m_APInt(C))) &&
             C->countr_zero() >= Bits;
    });
  }

  /// Sign has the sign of the dividend: it is the dividend or the product.
  Value *signedQuotient(Instruction &I, Value *Down, Value *Sign) {
    unsigned Bits = I.getType()->getIntegerBitWidth();
    Value *High = Down, *X = nullptr, *Wide = nullptr;
    const APInt *Amount = nullptr;
    APInt Factor;
    unsigned Shift = 0;
    // Further than to the high half, only ashr keeps the sign.
    if ((match(Down, m_Trunc(m_AShr(m_Value(Wide), m_APInt(Amount)))) ||
         (match(Down, m_Trunc(m_LShr(m_Value(Wide), m_APInt(Amount)))) &&
          *Amount == Bits)) &&
        Amount->uge(Bits) && Amount->ult(2 * Bits)) {
      const APInt *C = nullptr;
      if (!match(Wide, m_c_Mul(m_SExt(m_Value(X)), m_APInt(C))) ||
          C->isNegative() || X->getType() != I.getType() ||
          (Sign != Wide && Sign != X && !(Sign == Down && *Amount == Bits)))
        return nullptr;
      auto Divisor = divisorOf(*C, Amount->getZExtValue(),
                               APInt::getSignedMaxValue(Bits), /*Signed=*/true);
      return Divisor ? divide(I, X, *Divisor, /*Signed=*/true) : nullptr;
    }
    if (match(Down, m_Shr(m_Value(High), m_APInt(Amount)))) {
      if (Amount->uge(Bits))
        return nullptr;
      Shift = Amount->getZExtValue();
      // Zeros may come in where no user sees them.
      if (match(Down, m_LShr(m_Value(), m_Value())) &&
          !ignoreHighBits(I, Shift))
        return nullptr;
    }
    // A factor of as many bits as the dividend is negative: the dividend is
    // added to the high half.
    Value *A = nullptr, *B = nullptr;
    bool IsSum = match(High, m_Add(m_Value(A), m_Value(B)));
    if (IsSum) {
      if (!matchHighHalf(A, /*Signed=*/true, X, Factor) || X != B)
        std::swap(A, B);
      if (!matchHighHalf(A, /*Signed=*/true, X, Factor) || X != B)
        return nullptr;
    } else if (!matchHighHalf(High, /*Signed=*/true, X, Factor)) {
      return nullptr;
    }
    if (Factor.isNegative() != IsSum || (Sign != High && Sign != X))
      return nullptr;
    auto Divisor = divisorOf(Factor, Bits + Shift,
                             APInt::getSignedMaxValue(Bits), /*Signed=*/true);
    return Divisor ? divide(I, X, *Divisor, /*Signed=*/true) : nullptr;
  }

  /// Signed division by 2^k: x + (x < 0 ? 2^k - 1 : 0), shifted right, or
  /// without its low bits.
  Value *shiftedQuotient(Instruction &I) {
    unsigned Bits = I.getType()->getIntegerBitWidth();
    Value *Biased = nullptr, *Left = nullptr, *Right = nullptr;
    const APInt *C = nullptr;
    unsigned K = 0;
    bool IsShift = match(&I, m_AShr(m_Value(Biased), m_APInt(C)));
    if (IsShift)
      K = C->getLimitedValue(Bits);
    else if (match(&I, m_And(m_Value(Biased), m_APInt(C))) &&
             C->isNegatedPowerOf2())
      K = C->countr_zero();
    if (K == 0 || K >= Bits - 1 ||
        !match(Biased, m_Add(m_Value(Left), m_Value(Right))))
      return nullptr;
    auto IsBias = [&](Value *V, Value *X) {
      return match(V, m_LShr(m_AShr(m_Specific(X), m_SpecificInt(Bits - 1)),
                             m_SpecificInt(Bits - K))) ||
             (K == 1 &&
              match(V, m_LShr(m_Specific(X), m_SpecificInt(Bits - 1))));
    };
    Value *X = IsBias(Right, Left)   ? Left
               : IsBias(Left, Right) ? Right
                                     : nullptr;
    if (!X)
      return nullptr;
    IRBuilder<> B(&I);
    Value *By = ConstantInt::get(X->getType(), APInt::getOneBitSet(Bits, K));
    return IsShift ? B.CreateSDiv(X, By) : B.CreateSub(X, B.CreateSRem(X, By));
  }

  /// x - (x / d) * d.
  static void replaceRemainders(BinaryOperator &Division) {
    Value *X = Division.getOperand(0), *Y = Division.getOperand(1);
    const APInt *D = nullptr, *C = nullptr;
    SmallVector<Instruction *> Remainders;
    for (User *Multiple : Division.users()) {
      bool IsProduct =
          match(Multiple, m_c_Mul(m_Specific(&Division), m_Specific(Y)));
      bool IsNegated =
          match(Y, m_APInt(D)) &&
          match(Multiple, m_c_Mul(m_Specific(&Division), m_APInt(C))) &&
          *C == -*D;
      for (User *U : Multiple->users())
        if ((IsProduct &&
             match(U, m_Sub(m_Specific(X), m_Specific(Multiple)))) ||
            (IsNegated &&
             match(U, m_c_Add(m_Specific(X), m_Specific(Multiple)))))
          Remainders.push_back(cast<Instruction>(U));
    }
    for (Instruction *I : Remainders) {
      IRBuilder<> B(I);
      I->replaceAllUsesWith(Division.getOpcode() == Instruction::SDiv
                                ? B.CreateSRem(X, Y)
                                : B.CreateURem(X, Y));
    }
  }

  Function &F;
  const DataLayout &Layout;
};

} // namespace

void recoverDivisions(Function &F) { DivisionRecovery(F).run(); }

} // namespace gpuestimate
